#include "engine/live/nodejs_inspector.h"

#include "engine/base/ascii.h"
#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/base/printable.h"
#include "engine/base/text.h"
#include "engine/import/json/json_tokens.h"
#include "engine/import/websocket/http_head.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define FIND_S 2                 // then it is no inspector
#define LIST_MOST (64u << 10)    // bytes of what it debugs
#define MESSAGE_MOST (64u << 20) // V8 sends pieces of 100 KB
#define ROOM ((size_t)64 << 10)
#define SNAPSHOT 1 // the number of the request

static const char host[] = "127.0.0.1";

// ---- what it debugs, by HTTP

static int connect_to(uint16_t port) {
    const struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    const struct timeval most = {.tv_sec = FIND_S};
    const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -1;
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &most, sizeof most);
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    if (connect(fd, (const struct sockaddr *)&address, sizeof address) == 0) return fd;
    close(fd);
    return -1;
}

// Whether all of the answer is there.
static bool is_whole(const mc_text *answer, size_t *body) {
    const unsigned char *bytes = (const unsigned char *)answer->data;
    *body = answer->size > 0 ? mc_http_find_end(bytes, answer->size) : 0;
    if (*body == 0) return false;
    const mc_http_field length = mc_http_find_field(bytes, *body, "Content-Length");
    uint64_t size = 0;
    for (size_t i = 0; i < length.size && i < 9 && mc_is_digit(length.value[i]); i++)
        size = size * 10 + (uint64_t)(length.value[i] - '0');
    return length.value && answer->size - *body >= size;
}

static bool ask(uint16_t port, mc_text *answer, size_t *body) {
    char request[128];
    const uint64_t end_ns = mc_clock_now_ns() + FIND_S * UINT64_C(1000000000);
    bool is_done = false;
    const int fd = connect_to(port);
    if (fd < 0) return false;
    const int size = snprintf(request, sizeof request,
                              "GET /json/list HTTP/1.1\r\nHost: %s:%u\r\nConnection: close\r\n\r\n",
                              host, (unsigned)port);
    bool is_open = send(fd, request, (size_t)size, MSG_NOSIGNAL) == size;
    while (is_open && !is_done && answer->size < LIST_MOST && !answer->failed) {
        char piece[4096];
        const ssize_t count = recv(fd, piece, sizeof piece, 0);
        is_open = count > 0 && mc_clock_now_ns() < end_ns; // however slowly it comes
        if (is_open) mc_text_append(answer, piece, (size_t)count);
        is_done = is_whole(answer, body);
    }
    close(fd);
    return is_done && !answer->failed && strncmp(answer->data, "HTTP/1.", 7) == 0;
}

// It stands in a path.
static bool take_id(mc_json_tokens *json, char id[MC_NODEJS_ID_SIZE]) {
    mc_json_string value;
    if (!mc_json_take_string(json, "an id", &value)) return false;
    if (value.size == 0 || value.size >= MC_NODEJS_ID_SIZE) return false;
    for (size_t i = 0; i < value.size; i++) {
        const char c = mc_to_lower(value.bytes[i]);
        if (!mc_is_digit(c) && !(c >= 'a' && c <= 'z') && c != '-') return false;
        id[i] = value.bytes[i];
    }
    id[value.size] = '\0';
    return true;
}

// The first of the list: [{"type":"node","id":"…",…}]
static bool read_list(mc_json_tokens *json, char id[MC_NODEJS_ID_SIZE]) {
    mc_json_string name, value;
    mc_json_member member;
    bool is_node = false;
    id[0] = '\0';
    if (!mc_json_take(json, '[') || !mc_json_take(json, '{')) return false;
    for (bool is_first = true;
         (member = mc_json_next_member(json, is_first, &name)) == MC_JSON_MEMBER;
         is_first = false) {
        if (mc_json_string_is(name, "id")) {
            if (!take_id(json, id)) return false;
        } else if (mc_json_string_is(name, "type")) {
            if (!mc_json_take_string(json, "a type", &value)) return false;
            is_node = mc_json_string_is(value, "node");
        } else if (!mc_json_skip_value(json)) {
            return false;
        }
    }
    return member == MC_JSON_END && is_node && id[0];
}

bool mc_nodejs_inspector_find(mc_nodejs_inspector *inspector, uint16_t port) {
    mc_text answer = {0};
    size_t body = 0;
    mc_json_tokens json;
    bool is_found = false;
    *inspector = (mc_nodejs_inspector){.port = port};
    if (ask(port, &answer, &body) && mc_json_tokens_init(&json)) {
        mc_json_tokens_begin(&json, (const unsigned char *)answer.data + body, answer.size - body,
                             0, NULL);
        is_found = read_list(&json, inspector->id);
        mc_json_tokens_deinit(&json);
    }
    mc_text_deinit(&answer);
    return is_found;
}

// ---- its debugger's messages

typedef struct talk {
    mc_ws_client *client;
    mc_json_tokens json;
    mc_text message;
    int file;
    uint64_t written;
    bool is_answered;
    mc_error *error;
} talk;

static mc_result begin(talk *self, const mc_nodejs_inspector *inspector,
                       const mc_ws_patience *patience) {
    char path[MC_NODEJS_ID_SIZE + 1];
    mc_ws_address address = {.port = inspector->port, .path = path};
    snprintf(path, sizeof path, "/%s", inspector->id);
    snprintf(address.host, sizeof address.host, "%s", host);
    if (!mc_json_tokens_init(&self->json)) return mc_error_out_of_memory(self->error);
    return mc_ws_client_connect(&address, patience, &self->client, self->error);
}

static void end(talk *self) {
    mc_ws_client_destroy(self->client);
    if (self->json.index) mc_json_tokens_deinit(&self->json);
    mc_text_deinit(&self->message);
}

static mc_result send_request(talk *self, const char *text) {
    return mc_ws_client_send(self->client, text, strlen(text), self->error);
}

static mc_result receive(talk *self) {
    bool is_end = false;
    mc_text_clear(&self->message);
    while (!is_end) {
        unsigned char piece[ROOM];
        size_t size;
        mc_result result =
            mc_ws_client_read(self->client, piece, sizeof piece, &size, &is_end, self->error);
        if (result != MC_OK) return result;
        mc_text_append(&self->message, (const char *)piece, size);
        if (self->message.failed) return mc_error_out_of_memory(self->error);
        if (self->message.size > MESSAGE_MOST)
            return mc_fail(self->error, MC_ERROR_BAD_DATA, "a message of more than 64 MiB");
    }
    return MC_OK;
}

static bool write_chunk(talk *self) {
    mc_json_string chunk;
    if (!mc_json_take_string(&self->json, "a piece of the snapshot", &chunk)) return false;
    const int code = mc_file_write_at(self->file, chunk.bytes, chunk.size, self->written);
    self->written += chunk.size;
    if (code == 0) return true;
    mc_fail(self->error, MC_ERROR_IO, "the snapshot can't be written: %s", strerror(code));
    return false;
}

// {"chunk":"…"}
static bool take_chunk(talk *self) {
    mc_json_string name;
    mc_json_member member = MC_JSON_FAILED;
    if (!mc_json_take(&self->json, '{')) return mc_json_fail(&self->json, "an object");
    for (bool is_first = true;
         (member = mc_json_next_member(&self->json, is_first, &name)) == MC_JSON_MEMBER;
         is_first = false) {
        bool is_chunk = mc_json_string_is(name, "chunk");
        if (!(is_chunk ? write_chunk(self) : mc_json_skip_value(&self->json))) return false;
    }
    return member == MC_JSON_END;
}

// {"code":…,"message":"…"}
static bool take_refusal(talk *self) {
    mc_json_string name, said = {"", 0};
    mc_excerpt excerpt = {.text = ""};
    mc_json_member member;
    if (!mc_json_take(&self->json, '{')) return mc_json_fail(&self->json, "an object");
    for (bool is_first = true;
         (member = mc_json_next_member(&self->json, is_first, &name)) == MC_JSON_MEMBER;
         is_first = false) {
        if (!mc_json_string_is(name, "message")) {
            if (!mc_json_skip_value(&self->json)) return false;
        } else {
            if (!mc_json_take_string(&self->json, "a text", &said)) return false;
            mc_excerpt_make(&excerpt, said.bytes, said.size);
        }
    }
    if (member != MC_JSON_END) return false;
    mc_fail(self->error, MC_ERROR_IO, "its inspector refuses: %s", excerpt.text);
    return false;
}

// {"method":"HeapProfiler.addHeapSnapshotChunk","params":{"chunk":"…"}} or {"id":1,"result":{}}
static bool take_members(talk *self) {
    mc_json_tokens *json = &self->json;
    mc_json_string name, method;
    mc_json_member member;
    bool is_chunk = false, is_done = true;
    if (!mc_json_take(json, '{')) return mc_json_fail(json, "an object");
    for (bool is_first = true;
         is_done && (member = mc_json_next_member(json, is_first, &name)) != MC_JSON_END;
         is_first = false) {
        int64_t id = 0;
        if (member == MC_JSON_FAILED) return false;
        if (mc_json_string_is(name, "method")) {
            is_done = mc_json_take_string(json, "a method", &method);
            is_chunk = is_done && mc_json_string_is(method, "HeapProfiler.addHeapSnapshotChunk");
        } else if (mc_json_string_is(name, "id")) {
            is_done = mc_json_take_integer(json, 0, &id);
            self->is_answered |= is_done && id == SNAPSHOT;
        } else if (mc_json_string_is(name, "error")) {
            is_done = take_refusal(self);
        } else if (mc_json_string_is(name, "params") && is_chunk) {
            is_done = take_chunk(self);
        } else {
            is_done = mc_json_skip_value(json);
        }
    }
    return is_done && mc_json_take_end(json);
}

static mc_result take_message(talk *self) {
    mc_error broken = {0};
    mc_json_tokens_begin(&self->json, (const unsigned char *)self->message.data, self->message.size,
                         0, &broken);
    if (take_members(self)) return MC_OK;
    if (self->error->code != MC_OK) return self->error->code;
    return mc_fail(self->error, MC_ERROR_BAD_DATA, "its inspector says what is no answer: %s",
                   broken.message);
}

mc_result mc_nodejs_inspector_write_snapshot(const mc_nodejs_inspector *inspector,
                                             const mc_ws_patience *patience, int file,
                                             mc_error *error) {
    mc_error unasked = {0};
    talk self = {.file = file, .error = error ? error : &unasked};
    mc_result result = begin(&self, inspector, patience);
    if (result == MC_OK)
        result = send_request(&self, "{\"id\":1,\"method\":\"HeapProfiler.takeHeapSnapshot\","
                                     "\"params\":{\"reportProgress\":false}}");
    while (result == MC_OK && !self.is_answered) {
        result = receive(&self);
        if (result == MC_OK) result = take_message(&self);
    }
    if (result == MC_OK && self.written == 0)
        result = mc_fail(self.error, MC_ERROR_BAD_DATA, "its inspector sends no snapshot");
    end(&self);
    return result;
}

// Node has nothing else that closes it from outside.
void mc_nodejs_inspector_close(const mc_nodejs_inspector *inspector,
                               const mc_ws_patience *patience) {
    mc_error error = {0};
    talk self = {.file = -1, .error = &error};
    if (begin(&self, inspector, patience) == MC_OK &&
        send_request(&self, "{\"id\":2,\"method\":\"Runtime.evaluate\",\"params\":{\"expression\":"
                            "\"process._debugEnd()\"}}") == MC_OK)
        (void)receive(&self); // its answer, or the end of the connection
    end(&self);
}
