#include "engine/live/websocket/push_server.h"

#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/import/websocket/http_head.h"
#include "engine/import/websocket/ws_frames.h"
#include "engine/import/websocket/ws_handshake.h"
#include "engine/live/websocket/push_place.h"
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#define BUFFER_SIZE ((size_t)256 << 10)
#define TURN_BYTES ((size_t)4 << 20)   // of a client, before it is another one's turn
#define UNSENT_MOST ((size_t)64 << 10) // that a client may leave unread

typedef struct client {
    int fd;       // -1: there is none
    bool is_over; // it goes once what is for it is sent
    mc_push_place place;
    char name[INET6_ADDRSTRLEN + 16];
    unsigned char *head; // of the handshake; MC_HTTP_HEAD_MOST
    size_t head_size;
    mc_ws_frames frames;
    mc_push_message message;
    uint64_t message_index;
    uint64_t step_count, map_count, bad_count; // of the message
    mc_error first_fault;                      // of its documents
    mc_text unsent;
} client;

struct mc_push_server {
    mc_push_desc desc;
    int fd;
    uint16_t port;
    client clients[MC_PUSH_CLIENT_MOST];
    client *current; // whose document is taken
    unsigned char buffer[BUFFER_SIZE];
};

// ---- the port

static mc_result fail_listen(const mc_push_desc *desc, const char *why, mc_error *error) {
    return mc_fail(error, MC_ERROR_IO, "can't listen at %.100s port %u: %s",
                   desc->address ? desc->address : "127.0.0.1", desc->port, why);
}

static mc_result listen_at(mc_push_server *self, const struct addrinfo *at, mc_error *error) {
    int on = 1;
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
    } bound;
    socklen_t size = sizeof bound;
    memset(&bound, 0, sizeof bound);
    self->fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (self->fd < 0) return fail_listen(&self->desc, strerror(errno), error);
    setsockopt(self->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(self->fd, at->ai_addr, at->ai_addrlen) != 0 || listen(self->fd, 16) != 0 ||
        getsockname(self->fd, &bound.any, &size) != 0)
        return fail_listen(&self->desc, strerror(errno), error);
    self->port = ntohs(bound.any.sa_family == AF_INET6 ? bound.v6.sin6_port : bound.v4.sin_port);
    return MC_OK;
}

mc_result mc_push_server_create(const mc_push_desc *desc, mc_push_server **server,
                                mc_error *error) {
    mc_push_server *self = *server = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->desc = *desc;
    self->fd = -1;
    for (size_t i = 0; i < MC_PUSH_CLIENT_MOST; i++)
        self->clients[i].fd = -1;
    char port[8];
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                             .ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV};
    struct addrinfo *found = NULL;
    snprintf(port, sizeof port, "%u", desc->port);
    int code = getaddrinfo(desc->address ? desc->address : "127.0.0.1", port, &hints, &found);
    mc_result result = MC_ERROR_IO;
    if (code == 0 && found) {
        result = listen_at(self, found, error);
        freeaddrinfo(found);
    } else {
        fail_listen(desc, gai_strerror(code), error);
    }
    if (result == MC_OK) return MC_OK;
    mc_push_server_destroy(self);
    *server = NULL;
    return result;
}

uint16_t mc_push_server_get_port(const mc_push_server *self) {
    return self->port;
}

// ---- a client

static void end_client(client *it) {
    if (it->fd >= 0) close(it->fd);
    mc_free(it->head);
    mc_push_message_deinit(&it->message);
    mc_text_deinit(&it->unsent);
    *it = (client){.fd = -1};
}

static void send_unsent(client *it) {
    while (it->unsent.size > 0) {
        ssize_t sent = send(it->fd, it->unsent.data, it->unsent.size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
        if (sent <= 0) {
            end_client(it);
            return;
        }
        it->unsent.size -= (size_t)sent;
        memmove(it->unsent.data, it->unsent.data + sent, it->unsent.size);
    }
    if (it->unsent.failed || it->unsent.size > UNSENT_MOST || (it->is_over && it->unsent.size == 0))
        end_client(it);
}

// Says why, and closes. What the client still sends is of no interest.
static void close_client(client *it, unsigned code, const char *reason) {
    unsigned char payload[MC_WS_CONTROL_SIZE];
    mc_ws_append_frame(&it->unsent, MC_WS_OPCODE_CLOSE, payload,
                       mc_ws_write_close(payload, code, reason));
    it->is_over = true;
}

static size_t measure_held(const mc_push_server *self) {
    size_t size = 0;
    for (size_t i = 0; i < MC_PUSH_CLIENT_MOST; i++)
        size += self->clients[i].message.capacity;
    return size;
}

// ---- messages

static mc_result take(void *user, mc_source_kind kind, const unsigned char *data, size_t size,
                      uint64_t offset, uint64_t index, mc_error *error) {
    mc_push_server *self = user;
    client *it = self->current;
    char source[128];
    mc_error fault = {.code = MC_OK};
    snprintf(source, sizeof source, "%s, message %" PRIu64 "[%" PRIu64 "]", it->name,
             it->message_index, index);
    mc_result result = self->desc.take(self->desc.user, kind, data, size, offset, source, &fault);
    if (result == MC_OK) {
        *(kind == MC_SOURCE_STEP ? &it->step_count : &it->map_count) += 1;
    } else if (result == MC_ERROR_BAD_DATA) {
        if (it->bad_count++ == 0) it->first_fault = fault;
        return MC_OK;
    } else {
        *error = fault;
    }
    return result;
}

static void append_json(mc_text *text, const char *string) {
    for (; *string; string++)
        if (*string == '"' || *string == '\\')
            mc_text_format(text, "\\%c", *string);
        else
            mc_text_append(text, string, 1); // printable, so that nothing else needs an escape
}

// {"status":"success","steps":2,"maps":0}, or "failed" with the first thing that was wrong.
static void answer(client *it, const mc_error *fault) {
    mc_text text = {0};
    const mc_error *told = fault->code != MC_OK ? fault : &it->first_fault;
    bool is_fine = told->code == MC_OK;
    mc_text_format(&text, "{\"status\":\"%s\",\"steps\":%" PRIu64 ",\"maps\":%" PRIu64,
                   is_fine ? "success" : "failed", it->step_count, it->map_count);
    if (!is_fine) {
        mc_text_format(&text, ",\"left_out\":%" PRIu64 ",\"error\":\"", it->bad_count);
        append_json(&text, told->message);
        mc_text_append_string(&text, "\"");
    }
    mc_text_append_string(&text, "}");
    it->unsent.failed |= text.failed;
    if (!text.failed) mc_ws_append_frame(&it->unsent, MC_WS_OPCODE_TEXT, text.data, text.size);
    mc_text_deinit(&text);
}

static mc_result take_data(mc_push_server *self, client *it, const mc_ws_event *event,
                           mc_error *error) {
    const mc_push_sink sink = {take, self};
    mc_error fault;
    // What the others hold is not to be had.
    size_t held = measure_held(self) - it->message.capacity;
    size_t most = held < MC_PUSH_HELD_MOST ? MC_PUSH_HELD_MOST - held : 0;
    if (most > MC_PUSH_DOCUMENT_MOST) most = MC_PUSH_DOCUMENT_MOST;
    self->current = it;
    it->place.data_ns = mc_clock_now_ns();
    it->place.in_message = !event->is_end;
    mc_result result = mc_push_message_add(&it->message, event->data, event->size, event->is_end,
                                           most, &sink, &fault, error);
    if (result != MC_OK || !event->is_end) return result;
    if (fault.code != MC_OK)
        mc_log_write(self->desc.log, MC_LOG_WARNING, "%s, message %" PRIu64 ": %s", it->name,
                     it->message_index, fault.message);
    if (self->desc.end) result = self->desc.end(self->desc.user, error);
    answer(it, &fault);
    bool gives = it->step_count + it->map_count > 0;
    mc_push_place_end_message(&it->place, gives, mc_clock_now_ns());
    it->message_index++;
    it->step_count = it->map_count = it->bad_count = 0;
    it->first_fault = (mc_error){.code = MC_OK};
    return result;
}

static mc_result take_frames(mc_push_server *self, client *it, unsigned char *bytes, size_t size,
                             mc_error *error) {
    while (!it->is_over) {
        mc_ws_event event;
        mc_error fault = {.code = MC_OK};
        size_t used;
        if (mc_ws_frames_next(&it->frames, bytes, size, &used, &event, &fault) != MC_OK) {
            mc_log_write(self->desc.log, MC_LOG_WARNING, "%s: %s", it->name, fault.message);
            close_client(it, it->frames.fault_code, fault.message);
            return MC_OK;
        }
        bytes += used;
        size -= used;
        mc_result result = MC_OK;
        switch (event.kind) {
        case MC_WS_NOTHING: return MC_OK;
        case MC_WS_DATA: result = take_data(self, it, &event, error); break;
        case MC_WS_PING:
            mc_ws_append_frame(&it->unsent, MC_WS_OPCODE_PONG, event.data, event.size);
            break;
        case MC_WS_CLOSE:
            close_client(it, event.close_code > 0 ? event.close_code : MC_WS_CLOSE_DONE, "");
            break;
        case MC_WS_PONG: break;
        }
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

// ---- the beginning

static mc_result take_head(mc_push_server *self, client *it, unsigned char *bytes, size_t size,
                           mc_error *error) {
    size_t room = MC_HTTP_HEAD_MOST - it->head_size, kept = size < room ? size : room;
    const char *refusal;
    if (!it->head) it->head = mc_alloc(MC_HTTP_HEAD_MOST, 1);
    if (!it->head) return mc_error_out_of_memory(error);
    memcpy(it->head + it->head_size, bytes, kept);
    size_t before = it->head_size, end = mc_http_find_end(it->head, before + kept);
    it->head_size += kept;
    if (end == 0) {
        if (it->head_size == MC_HTTP_HEAD_MOST) end_client(it);
        return MC_OK;
    }
    mc_ws_answer_request(it->head, end, self->desc.origin, &it->unsent, &it->place.is_open,
                         &refusal);
    mc_free(it->head);
    it->head = NULL;
    if (!it->place.is_open) {
        it->is_over = true;
        mc_log_write(self->desc.log, MC_LOG_WARNING, "%s was sent away: %s", it->name, refusal);
        return MC_OK;
    }
    return take_frames(self, it, bytes + (end - before), size - (end - before), error);
}

static void name_client(client *it, const struct sockaddr_storage *from, socklen_t size) {
    char host[INET6_ADDRSTRLEN] = "?", port[8] = "?";
    getnameinfo((const struct sockaddr *)from, size, host, sizeof host, port, sizeof port,
                NI_NUMERICHOST | NI_NUMERICSERV);
    snprintf(it->name, sizeof it->name, "%s:%s", host, port);
}

// A host that is gone without a word is noticed, also between two messages.
static void set_options(int fd) {
    int on = 1, idle_s = 60, every_s = 15, count = 4;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every_s, sizeof every_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
}

// What a client sent while others were served is its turn's, and no silence.
static bool has_input(const client *it) {
    int size = 0;
    return ioctl(it->fd, FIONREAD, &size) == 0 && size > 0;
}

// Says why, as far as that goes at once, and frees its place.
static void dismiss(mc_push_server *self, client *it, unsigned code, const char *why) {
    mc_log_write(self->desc.log, MC_LOG_WARNING, "%s was sent away: %s", it->name, why);
    if (it->place.is_open && !it->is_over) close_client(it, code, why);
    send_unsent(it);
    end_client(it);
}

// A free one, or that of the least useful client; NULL: all are in use.
static client *find_place(mc_push_server *self, uint64_t now_ns) {
    mc_push_place places[MC_PUSH_CLIENT_MOST];
    client *over = NULL;
    for (size_t i = 0; i < MC_PUSH_CLIENT_MOST; i++) {
        client *it = &self->clients[i];
        if (it->fd < 0) return it;
        if (it->is_over) over = it;
        it->place.has_input = has_input(it);
        places[i] = it->place;
    }
    if (over) {
        end_client(over);
        return over;
    }
    uint32_t chosen = mc_push_place_choose(places, MC_PUSH_CLIENT_MOST, now_ns);
    if (chosen == MC_NONE) return NULL;
    client *least = &self->clients[chosen];
    dismiss(self, least, MC_WS_CLOSE_LATER,
            !least->place.is_open    ? "it did not begin, and another client needs the place"
            : least->place.has_given ? "it sends nothing, and another client needs the place"
            : least->place.has_sent  ? "nothing that it sent was taken, and another client needs "
                                       "the place"
                                     : "it never sent a message, and another client needs the "
                                       "place");
    return least;
}

static void accept_clients(mc_push_server *self) {
    for (;;) {
        struct sockaddr_storage from;
        socklen_t size = sizeof from;
        int fd = accept4(self->fd, (struct sockaddr *)&from, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0) return;
        uint64_t now_ns = mc_clock_now_ns();
        client *it = find_place(self, now_ns);
        if (!it) {
            mc_log_write(self->desc.log, MC_LOG_WARNING,
                         "a client was sent away: there are %d already", MC_PUSH_CLIENT_MOST);
            close(fd);
            continue;
        }
        *it = (client){.fd = fd,
                       .place = {.since_ns = now_ns, .heard_ns = now_ns},
                       .frames = {.is_masked = true}};
        set_options(fd);
        name_client(it, &from, size);
    }
}

// ---- turns

static mc_result receive(mc_push_server *self, client *it, mc_error *error) {
    mc_result result = MC_OK;
    for (size_t taken = 0; it->fd >= 0 && !it->is_over && taken < TURN_BYTES;) {
        ssize_t size = recv(it->fd, self->buffer, BUFFER_SIZE, 0);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return MC_OK;
        if (size <= 0) { // what it had not sent whole is lost, and no error
            end_client(it);
            return MC_OK;
        }
        taken += (size_t)size;
        it->place.heard_ns = mc_clock_now_ns();
        result = it->place.is_open ? take_frames(self, it, self->buffer, (size_t)size, error)
                                   : take_head(self, it, self->buffer, (size_t)size, error);
        if (result != MC_OK) return result;
        if (it->fd >= 0) send_unsent(it);
    }
    return result;
}

static void judge(mc_push_server *self, client *it, uint64_t now_ns) {
    if (it->is_over) { // it had time to take what is for it
        if (now_ns - it->place.heard_ns > MC_PUSH_BEGIN_NS) end_client(it);
        return;
    }
    mc_push_verdict verdict = mc_push_place_judge(&it->place, now_ns);
    if (verdict == MC_PUSH_STAYS || has_input(it)) return;
    switch (verdict) {
    case MC_PUSH_IS_PINGED:
        it->place.pinged_ns = now_ns;
        if (it->unsent.size == 0) mc_ws_append_frame(&it->unsent, MC_WS_OPCODE_PING, NULL, 0);
        send_unsent(it);
        break;
    case MC_PUSH_IS_LATE: dismiss(self, it, 0, "it did not begin within 10 s"); break;
    default:
        dismiss(self, it, MC_WS_CLOSE_IDLE,
                it->place.in_message
                    ? "it stopped in a message 2 minutes ago"
                    : "it has been silent for 2 minutes, and never sent a message");
    }
}

static void judge_all(mc_push_server *self) {
    uint64_t now_ns = mc_clock_now_ns();
    for (size_t i = 0; i < MC_PUSH_CLIENT_MOST; i++)
        if (self->clients[i].fd >= 0) judge(self, &self->clients[i], now_ns);
}

mc_result mc_push_server_turn(mc_push_server *self, int timeout_ms, mc_error *error) {
    struct pollfd polled[MC_PUSH_CLIENT_MOST + 1];
    mc_result result = MC_OK;
    polled[MC_PUSH_CLIENT_MOST] = (struct pollfd){.fd = self->fd, .events = POLLIN};
    for (size_t i = 0; i < MC_PUSH_CLIENT_MOST; i++) {
        const client *it = &self->clients[i];
        short events = it->is_over ? 0 : POLLIN;
        if (it->unsent.size > 0) events |= POLLOUT;
        polled[i] = (struct pollfd){.fd = it->fd, .events = events};
    }
    int count = poll(polled, MC_PUSH_CLIENT_MOST + 1, timeout_ms);
    judge_all(self);
    if (count <= 0) return MC_OK;
    for (size_t i = 0; i < MC_PUSH_CLIENT_MOST && result == MC_OK; i++) {
        client *it = &self->clients[i];
        if (it->fd < 0 || !polled[i].revents) continue;
        if (polled[i].revents & POLLOUT) send_unsent(it);
        if (it->fd >= 0 && it->is_over && (polled[i].revents & (POLLERR | POLLHUP))) end_client(it);
        if (it->fd >= 0) result = receive(self, it, error);
    }
    if (polled[MC_PUSH_CLIENT_MOST].revents) accept_clients(self);
    return result;
}

void mc_push_server_destroy(mc_push_server *self) {
    if (!self) return;
    for (size_t i = 0; i < MC_PUSH_CLIENT_MOST; i++) {
        client *it = &self->clients[i];
        if (it->fd >= 0 && it->place.is_open && !it->is_over)
            close_client(it, MC_WS_CLOSE_LEAVING, "");
        if (it->fd >= 0) send_unsent(it);
        end_client(it);
    }
    if (self->fd >= 0) close(self->fd);
    mc_free(self);
}
