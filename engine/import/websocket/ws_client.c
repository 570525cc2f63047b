#include "engine/import/websocket/ws_client.h"

#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/base/text.h"
#include "engine/import/websocket/http_head.h"
#include "engine/import/websocket/ws_frames.h"
#include "engine/import/websocket/ws_handshake.h"
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#define TICK_MS 100
#define CONNECT_MS 10000   // for each of a name's addresses
#define HANDSHAKE_MS 20000 // then it is no such server
#define BUFFER_SIZE ((size_t)64 << 10)
#define DIRECT_LEAST ((uint64_t)16 << 10) // below this the way through the buffer is as good
#define MESSAGE_MOST 4096                 // of what is sent

struct mc_ws_client {
    int fd;
    const mc_ws_patience *patience;
    mc_ws_frames frames;
    unsigned char buffer[BUFFER_SIZE];
    size_t begin, end; // of what was received and not looked at
};

// ---- the socket

static mc_result fail_lost(const char *how, mc_error *error) {
    return mc_fail(error, MC_ERROR_IO, "the connection is lost: %s", how);
}

// Until the socket is ready. `most_ms` 0: as long as it takes.
static mc_result wait_for(const mc_ws_client *self, short events, int most_ms, mc_error *error) {
    for (int waited_ms = 0;; waited_ms += TICK_MS) {
        struct pollfd polled = {.fd = self->fd, .events = events};
        int count = poll(&polled, 1, TICK_MS);
        if (count > 0) return MC_OK;
        if (count < 0 && errno != EINTR) return fail_lost(strerror(errno), error);
        if (!self->patience->go_on(self->patience->user))
            return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        if (most_ms > 0 && waited_ms >= most_ms)
            return mc_fail(error, MC_ERROR_IO, "it does not answer");
    }
}

static bool is_for_later(int code) {
    return code == EAGAIN || code == EWOULDBLOCK || code == EINTR;
}

static mc_result receive(const mc_ws_client *self, unsigned char *out, size_t out_size, int most_ms,
                         size_t *received, mc_error *error) {
    for (;;) {
        ssize_t size = recv(self->fd, out, out_size, 0);
        if (size > 0) {
            *received = (size_t)size;
            return MC_OK;
        }
        if (size == 0) return fail_lost("the server has ended it", error);
        if (!is_for_later(errno)) return fail_lost(strerror(errno), error);
        mc_result result = wait_for(self, POLLIN, most_ms, error);
        if (result != MC_OK) return result;
    }
}

static mc_result send_all(const mc_ws_client *self, const void *bytes, size_t size,
                          mc_error *error) {
    const unsigned char *at = bytes;
    while (size > 0) {
        ssize_t sent = send(self->fd, at, size, MSG_NOSIGNAL);
        if (sent >= 0) {
            at += sent;
            size -= (size_t)sent;
            continue;
        }
        if (!is_for_later(errno)) return fail_lost(strerror(errno), error);
        mc_result result = wait_for(self, POLLOUT, 0, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

// ---- the beginning

// A host that is gone without a word is noticed after half a minute, however long an answer takes.
static void set_options(int fd) {
    int on = 1, idle_s = 10, every_s = 5, count = 4;
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof idle_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &every_s, sizeof every_s);
    setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &count, sizeof count);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

static mc_result connect_to(mc_ws_client *self, const struct addrinfo *to, mc_error *error) {
    int code = 0;
    socklen_t size = sizeof code;
    if (self->fd >= 0) close(self->fd);
    self->fd = socket(to->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, to->ai_protocol);
    if (self->fd < 0) return mc_fail(error, MC_ERROR_IO, "%s", strerror(errno));
    set_options(self->fd);
    if (connect(self->fd, to->ai_addr, to->ai_addrlen) == 0) return MC_OK;
    code = errno;
    if (code == EINPROGRESS) {
        mc_result result = wait_for(self, POLLOUT, CONNECT_MS, error);
        if (result != MC_OK) return result;
        getsockopt(self->fd, SOL_SOCKET, SO_ERROR, &code, &size);
    }
    if (code == 0) return MC_OK;
    return mc_fail(error, MC_ERROR_IO, "%s", strerror(code));
}

static mc_result connect_any(mc_ws_client *self, const mc_ws_address *address, mc_error *error) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *found = NULL;
    char port[8];
    snprintf(port, sizeof port, "%u", address->port);
    int code = getaddrinfo(address->host, port, &hints, &found);
    if (code != 0)
        return mc_fail(error, MC_ERROR_IO, "%s",
                       code == EAI_SYSTEM ? strerror(errno) : gai_strerror(code));
    mc_result result = MC_ERROR_IO;
    for (const struct addrinfo *at = found; at && result == MC_ERROR_IO; at = at->ai_next)
        result = connect_to(self, at, error);
    freeaddrinfo(found);
    return result;
}

static mc_result shake_hands(mc_ws_client *self, const mc_ws_address *address, mc_error *error) {
    unsigned char random[16];
    char key[MC_WS_KEY_SIZE];
    mc_text request = {0};
    size_t received = 0, head = 0;
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return mc_fail(error, MC_ERROR_IO, "no random numbers");
    mc_ws_write_key(random, key);
    mc_ws_append_request(&request, address, key);
    mc_result result = request.failed ? mc_error_out_of_memory(error)
                                      : send_all(self, request.data, request.size, error);
    mc_text_deinit(&request);
    while (result == MC_OK && !(head = mc_http_find_end(self->buffer, self->end))) {
        if (self->end >= MC_HTTP_HEAD_MOST)
            return mc_fail(error, MC_ERROR_BAD_DATA,
                           "expected a WebSocket server, found something else");
        result = receive(self, self->buffer + self->end, MC_HTTP_HEAD_MOST - self->end,
                         HANDSHAKE_MS, &received, error);
        if (result == MC_OK) self->end += received;
    }
    if (result != MC_OK) return result;
    self->begin = head;
    return mc_ws_check_answer(self->buffer, head, key, error);
}

mc_result mc_ws_client_connect(const mc_ws_address *address, const mc_ws_patience *patience,
                               mc_ws_client **client, mc_error *error) {
    mc_ws_client *self = *client = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->fd = -1;
    self->patience = patience;
    mc_result result = connect_any(self, address, error);
    if (result == MC_OK) result = shake_hands(self, address, error);
    if (result == MC_OK) return MC_OK;
    mc_ws_client_destroy(self);
    *client = NULL;
    return result;
}

// ---- messages

static size_t write_frame(unsigned char frame[MC_WS_HEAD_SIZE + MESSAGE_MOST], mc_ws_opcode opcode,
                          const void *bytes, size_t size) {
    unsigned char mask[4];
    assert(size <= MESSAGE_MOST);
    // It protects proxies on the way from pages in browsers, not us from anybody.
    if (getrandom(mask, sizeof mask, 0) != (ssize_t)sizeof mask) memset(mask, 0x5a, sizeof mask);
    size_t head = mc_ws_write_head(frame, opcode, size, mask);
    if (size > 0) memcpy(frame + head, bytes, size);
    mc_ws_mask(frame + head, size, mask, 0);
    return head + size;
}

static mc_result send_frame(mc_ws_client *self, mc_ws_opcode opcode, const void *bytes, size_t size,
                            mc_error *error) {
    unsigned char frame[MC_WS_HEAD_SIZE + MESSAGE_MOST];
    return send_all(self, frame, write_frame(frame, opcode, bytes, size), error);
}

// Says that it is over, and why, to a server that may not listen any more: that is not waited for.
static void say_closed(const mc_ws_client *self, unsigned code, const char *reason) {
    unsigned char frame[MC_WS_HEAD_SIZE + MESSAGE_MOST], payload[MC_WS_CONTROL_SIZE];
    size_t size = code > 0 ? mc_ws_write_close(payload, code, reason) : 0;
    size = write_frame(frame, MC_WS_OPCODE_CLOSE, payload, size);
    (void)!send(self->fd, frame, size, MSG_NOSIGNAL);
}

mc_result mc_ws_client_send(mc_ws_client *self, const char *text, size_t size, mc_error *error) {
    return send_frame(self, MC_WS_OPCODE_TEXT, text, size, error);
}

static mc_result fail_closed(const mc_ws_event *event, mc_error *error) {
    mc_excerpt reason;
    if (event->close_code == 0) return fail_lost("the server has closed it", error);
    mc_excerpt_make(&reason, (const char *)event->data, event->size);
    return mc_fail(error, MC_ERROR_IO, "the connection is lost: the server has closed it (%u%s%s)",
                   event->close_code, event->size > 0 ? ": " : "", reason.text);
}

static mc_result refuse(const mc_ws_client *self, const mc_error *fault, mc_error *error) {
    say_closed(self, self->frames.fault_code, fault->message);
    return mc_error_set(error, fault->code, fault->byte_offset, "%s", fault->message);
}

static mc_result take_control(mc_ws_client *self, const mc_ws_event *event, mc_error *error) {
    switch (event->kind) {
    case MC_WS_PING: return send_frame(self, MC_WS_OPCODE_PONG, event->data, event->size, error);
    case MC_WS_CLOSE: say_closed(self, event->close_code, ""); return fail_closed(event, error);
    default: return MC_OK;
    }
}

// What of a frame may go where it is wanted, without the buffer.
static mc_result read_direct(mc_ws_client *self, unsigned char *out, size_t out_size,
                             size_t *produced, mc_error *error) {
    uint64_t most = mc_ws_frames_get_direct(&self->frames);
    if (most > out_size) most = out_size;
    mc_result result = receive(self, out, (size_t)most, 0, produced, error);
    if (result == MC_OK) mc_ws_frames_pass(&self->frames, *produced);
    return result;
}

mc_result mc_ws_client_read(mc_ws_client *self, unsigned char *out, size_t out_size,
                            size_t *produced, bool *is_end, mc_error *error) {
    *produced = 0;
    *is_end = false;
    for (;;) {
        if (self->begin == self->end) {
            if (mc_ws_frames_get_direct(&self->frames) >= DIRECT_LEAST && out_size > 0)
                return read_direct(self, out, out_size, produced, error);
            size_t received = 0;
            mc_result result = receive(self, self->buffer, BUFFER_SIZE, 0, &received, error);
            if (result != MC_OK) return result;
            self->begin = 0;
            self->end = received;
        }
        // No more than there is room for, so that an event is taken as a whole.
        size_t size = self->end - self->begin, used;
        mc_ws_event event;
        mc_error fault = {.code = MC_OK};
        if (size > out_size) size = out_size;
        mc_result result = mc_ws_frames_next(&self->frames, self->buffer + self->begin, size, &used,
                                             &event, &fault);
        self->begin += used;
        if (result != MC_OK) return refuse(self, &fault, error);
        if (event.kind > MC_WS_DATA) result = take_control(self, &event, error);
        if (result != MC_OK) return result;
        if (event.kind != MC_WS_DATA) continue;
        memcpy(out, event.data, event.size);
        *produced = event.size;
        *is_end = event.is_end;
        if (event.size > 0 || event.is_end) return MC_OK;
    }
}

uint64_t mc_ws_client_get_message_size(const mc_ws_client *self) {
    return mc_ws_frames_get_message_size(&self->frames);
}

void mc_ws_client_destroy(mc_ws_client *self) {
    if (!self) return;
    if (self->fd >= 0) close(self->fd);
    mc_free(self);
}
