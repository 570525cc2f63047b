#include "engine/import/websocket/ws_server.h"

#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#define FIRST_DELAY_MS 250u
#define LAST_DELAY_MS 8000u
#define PATIENCE_NS UINT64_C(60000000000) // since there was something new
#define TICK_MS 100u

static const char *const capability_names[] = {
    "GET-ALL-TREES", "GET-SINGLE-TREE", "GET-ALL-POINTS-TO-MAPS", "GET-ALL-POINTED-FROM-MAPS"};

#define LANES 4 // words side by side: one after another would take four times as long
#define STRIPE (LANES * sizeof(uint64_t))

// What was read of the data, whichever pieces it came in.
typedef struct print {
    uint64_t size, lanes[LANES];
    unsigned char rest[STRIPE]; // the last bytes, fewer than a stripe; zeros behind them
} print;

struct mc_ws_server {
    mc_ws_server_desc desc;
    char name[MC_WS_ADDRESS_SIZE];
    mc_ws_client *client; // NULL: the connection is to be made
    mc_ws_answer answer;  // the current one
    size_t pending;       // of its text, what is data that was not read yet; 0: none
    bool is_ended;        // its message is read
    bool has_finished;    // and was found right
    int32_t tab;
    mc_ws_capability capability;
    print read, again;  // of the data; again: since the connection was made anew
    uint64_t broken_ns; // since when there was nothing new; 0: all is well
    uint32_t delay_ms;  // before the next try
};

// ---- what was read

// Whatever a lane was, another word makes it another one.
static inline uint64_t mix(uint64_t lane, const unsigned char *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    word ^= lane;
    return (word << 29 | word >> 35) * 0x9e3779b97f4a7c15u;
}

static void add_stripes(print *self, const unsigned char *bytes, size_t count) {
    // By name, so that they stay in registers.
    uint64_t a = self->lanes[0], b = self->lanes[1], c = self->lanes[2], d = self->lanes[3];
    for (; count > 0; count--, bytes += STRIPE) {
        a = mix(a, bytes);
        b = mix(b, bytes + 8);
        c = mix(c, bytes + 16);
        d = mix(d, bytes + 24);
    }
    self->lanes[0] = a, self->lanes[1] = b, self->lanes[2] = c, self->lanes[3] = d;
}

static void add_to_print(print *self, const unsigned char *bytes, size_t size) {
    size_t at = self->size % STRIPE;
    self->size += size;
    if (at > 0) {
        size_t taken = size < STRIPE - at ? size : STRIPE - at;
        memcpy(self->rest + at, bytes, taken);
        bytes += taken;
        size -= taken;
        if (at + taken < STRIPE) return;
        add_stripes(self, self->rest, 1);
        memset(self->rest, 0, STRIPE);
    }
    add_stripes(self, bytes, size / STRIPE);
    if (size % STRIPE > 0) memcpy(self->rest, bytes + size / STRIPE * STRIPE, size % STRIPE);
}

static bool is_same_print(const print *a, const print *b) {
    return a->size == b->size && memcmp(a->lanes, b->lanes, sizeof a->lanes) == 0 &&
           memcmp(a->rest, b->rest, STRIPE) == 0;
}

// ---- the connection

static mc_result connect_now(mc_ws_server *self, mc_error *error) {
    mc_ws_client_destroy(self->client);
    self->client = NULL;
    return mc_ws_client_connect(&self->desc.address, &self->desc.patience, &self->client, error);
}

mc_result mc_ws_server_connect(const mc_ws_server_desc *desc, mc_ws_server **server,
                               mc_error *error) {
    mc_ws_server *self = *server = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->desc = *desc;
    self->desc.address.has_tab = false;
    self->is_ended = true;
    mc_ws_address_print(&self->desc.address, self->name, sizeof self->name);
    mc_result result = connect_now(self, error);
    if (result == MC_OK) return MC_OK;
    mc_ws_server_destroy(self);
    *server = NULL;
    return result;
}

void mc_ws_server_destroy(mc_ws_server *server) {
    if (!server) return;
    mc_ws_client_destroy(server->client);
    mc_ws_answer_deinit(&server->answer);
    mc_free(server);
}

static mc_result wait_a_while(mc_ws_server *self, mc_error *error) {
    for (uint32_t waited = 0; waited < self->delay_ms; waited += TICK_MS) {
        if (!self->desc.patience.go_on(self->desc.patience.user))
            return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        poll(NULL, 0, TICK_MS);
    }
    self->delay_ms = self->delay_ms < LAST_DELAY_MS ? 2 * self->delay_ms : LAST_DELAY_MS;
    return MC_OK;
}

// ---- requests

static mc_result send_request(mc_ws_server *self, const char *capability, int32_t tab,
                              const char *parameter, mc_error *error) {
    char text[256];
    const char *quote = parameter ? "\"" : "";
    int size = snprintf(text, sizeof text,
                        "{\"capability\":\"%s\",\"tabId\":%" PRId32 ",\"parameters\":[%s%s%s]}",
                        capability, tab, quote, parameter ? parameter : "", quote);
    mc_text_clear(&self->answer.text);
    self->pending = 0;
    self->is_ended = self->has_finished = false;
    return mc_ws_client_send(self->client, text, (size_t)size, error);
}

// Adds bytes of the message to what is known of the answer.
static mc_result receive(mc_ws_server *self, mc_error *error) {
    unsigned char bytes[16384];
    size_t size;
    mc_result result =
        mc_ws_client_read(self->client, bytes, sizeof bytes, &size, &self->is_ended, error);
    return result == MC_OK ? mc_ws_answer_add(&self->answer, bytes, size, error) : result;
}

static mc_result receive_all(mc_ws_server *self, mc_error *error) {
    mc_result result = MC_OK;
    while (result == MC_OK && !self->is_ended)
        result = receive(self, error);
    return result;
}

static void note_news(mc_ws_server *self) {
    self->broken_ns = 0;
    self->delay_ms = FIRST_DELAY_MS;
}

// Asks the server once, over a new connection if there is none. `*is_there`: it gives data.
typedef mc_result ask_once(mc_ws_server *self, bool *is_there, mc_error *error);

// The connection broke: it is to be made again, until the patience ends.
static mc_result ask_again(mc_ws_server *self, ask_once *ask, bool *is_there, mc_error *error) {
    mc_result result = MC_ERROR_IO;
    if (self->broken_ns == 0) self->broken_ns = mc_clock_now_ns();
    while (result == MC_ERROR_IO && mc_clock_now_ns() - self->broken_ns < PATIENCE_NS) {
        mc_log_write(self->desc.log, MC_LOG_WARNING, "%s: %s; trying again", self->name,
                     error->message);
        mc_ws_client_destroy(self->client);
        self->client = NULL;
        result = wait_a_while(self, error);
        if (result == MC_OK) result = ask(self, is_there, error);
    }
    if (result != MC_OK) return result;
    self->again = (print){0};
    mc_log_write(self->desc.log, MC_LOG_WARNING, "%s: the server is there again", self->name);
    return MC_OK;
}

static mc_result ask_for(mc_ws_server *self, ask_once *ask, bool *is_there, mc_error *error) {
    mc_error own = {.code = MC_OK};
    if (!error) error = &own;
    note_news(self);
    mc_result result = ask(self, is_there, error);
    return result == MC_ERROR_IO ? ask_again(self, ask, is_there, error) : result;
}

static mc_result ask_tabs(mc_ws_server *self, bool *is_there, mc_error *error) {
    mc_result result = self->client ? MC_OK : connect_now(self, error);
    if (result == MC_OK)
        result = send_request(self, "GET-TAB-LIST-WITH-CAPABILITY", -1,
                              capability_names[self->capability], error);
    if (result == MC_OK) result = receive_all(self, error);
    *is_there = result == MC_OK;
    return result;
}

mc_result mc_ws_server_list_tabs(mc_ws_server *self, mc_ws_capability capability,
                                 mc_remote_tab *tabs, uint32_t most, uint32_t *count,
                                 mc_error *error) {
    bool is_there;
    *count = 0;
    self->capability = capability;
    mc_result result = ask_for(self, ask_tabs, &is_there, error);
    if (result != MC_OK) return result;
    return mc_ws_answer_read_tabs(&self->answer, tabs, most, count, error);
}

// Asks for the data, up to its beginning, or to the end of an answer without any.
static mc_result begin_data(mc_ws_server *self, bool *is_there, mc_error *error) {
    size_t data = 0;
    mc_ws_answer_state state = MC_WS_ANSWER_UNCLEAR;
    mc_result result = self->client ? MC_OK : connect_now(self, error);
    if (result == MC_OK)
        result = send_request(self, capability_names[self->capability], self->tab, NULL, error);
    while (result == MC_OK && state == MC_WS_ANSWER_UNCLEAR && !self->is_ended) {
        result = receive(self, error);
        if (result == MC_OK) state = mc_ws_answer_look(&self->answer, &data);
    }
    if (result == MC_OK && state != MC_WS_ANSWER_DATA) result = receive_all(self, error);
    if (result != MC_OK) return result;
    *is_there = state == MC_WS_ANSWER_DATA;
    if (*is_there) {
        self->pending = self->answer.text.size - data;
        return MC_OK;
    }
    self->has_finished = true;
    return mc_ws_answer_check(&self->answer, error);
}

// The data as it comes, whether it was read before or not; none: the message has ended.
static mc_result read_data(mc_ws_server *self, unsigned char *out, size_t out_size,
                           size_t *produced, mc_error *error) {
    mc_text *text = &self->answer.text;
    *produced = 0;
    if (self->pending > 0) {
        *produced = self->pending < out_size ? self->pending : out_size;
        memcpy(out, text->data + text->size - self->pending, *produced);
        self->pending -= *produced;
    }
    while (*produced == 0 && !self->is_ended) {
        mc_result result =
            mc_ws_client_read(self->client, out, out_size, produced, &self->is_ended, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

static mc_result fail_other(mc_error *error) {
    return mc_fail(error, MC_ERROR_IO, "the connection broke, and now the server has other data");
}

// Passes over what was read before the connection broke. What is new moves to the front.
static mc_result pass_over(mc_ws_server *self, unsigned char *out, size_t *produced,
                           mc_error *error) {
    uint64_t left = self->read.size - self->again.size;
    size_t size = *produced < left ? *produced : (size_t)left;
    if (left == 0) return MC_OK;
    add_to_print(&self->again, out, size);
    bool is_there = self->again.size == self->read.size;
    if ((is_there && !is_same_print(&self->again, &self->read)) || *produced == 0)
        return fail_other(error);
    *produced -= size;
    memmove(out, out + size, *produced);
    return MC_OK;
}

static mc_result read_stream(void *user, unsigned char *out, size_t out_size, size_t *produced,
                             mc_error *error) {
    mc_ws_server *self = user;
    mc_error own = {.code = MC_OK};
    if (!error) error = &own;
    for (;;) {
        mc_result result = read_data(self, out, out_size, produced, error);
        if (result == MC_ERROR_IO) {
            bool is_there;
            result = ask_again(self, begin_data, &is_there, error);
            if (result != MC_OK) return result;
            if (!is_there) return fail_other(error);
            continue;
        }
        bool is_again = self->again.size < self->read.size;
        if (result == MC_OK && is_again) result = pass_over(self, out, produced, error);
        if (result != MC_OK) return result;
        if (is_again && *produced == 0) continue;
        add_to_print(&self->read, out, *produced);
        self->again.size = self->read.size;
        if (*produced > 0) note_news(self);
        return MC_OK;
    }
}

static mc_result finish_stream(void *user, const unsigned char *rest, size_t size,
                               mc_error *error) {
    mc_ws_server *self = user;
    mc_text *text = &self->answer.text;
    size_t data = 0;
    self->pending = 0;
    if (mc_ws_answer_look(&self->answer, &data) == MC_WS_ANSWER_DATA)
        mc_ws_answer_cut(&self->answer, data);
    mc_result result = text->failed ? mc_error_out_of_memory(error)
                                    : mc_ws_answer_add(&self->answer, rest, size, error);
    if (result == MC_OK) result = receive_all(self, error);
    if (result == MC_ERROR_IO) {
        mc_log_write(self->desc.log, MC_LOG_WARNING,
                     "%s: %s; all of the data had come, but not whether the server is content",
                     self->name, error->message);
        return MC_OK;
    }
    self->has_finished = result == MC_OK;
    return result == MC_OK ? mc_ws_answer_check(&self->answer, error) : result;
}

mc_result mc_ws_server_request(mc_ws_server *self, int32_t tab, mc_ws_capability capability,
                               bool *is_there, mc_byte_stream *stream, mc_error *error) {
    if (!self->is_ended) { // an answer that was given up stands before the next one
        mc_ws_client_destroy(self->client);
        self->client = NULL;
    }
    self->tab = tab;
    self->capability = capability;
    self->read = self->again = (print){0};
    *stream = (mc_byte_stream){.read = read_stream, .finish = finish_stream, .user = self};
    return ask_for(self, begin_data, is_there, error);
}

uint64_t mc_ws_server_get_size(const mc_ws_server *self) {
    return self->client ? mc_ws_client_get_message_size(self->client) : 0;
}
