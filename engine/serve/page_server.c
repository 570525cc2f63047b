#include "engine/serve/page_server.h"

#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/import/websocket/http_head.h"
#include "engine/import/websocket/ws_frames.h"
#include "engine/import/websocket/ws_handshake.h"
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#define LISTENERS 2 // 127.0.0.1 and ::1
#define PORT_TRIES 16
#define PART_SIZE ((size_t)64 << 10)
#define TURN_PARTS 16 // that a client is sent or sends, before it is another one's turn
#define ASK_MOST 20   // digits of a version; behind them a sign
#define UNSENT_MOST (2 * PART_SIZE)     // beyond which a client's pings are not answered
#define BEGIN_NS UINT64_C(10000000000)  // for a whole request
#define STALL_NS UINT64_C(30000000000)  // without taking anything of what is for it
#define PING_NS UINT64_C(30000000000)   // of silence
#define SILENT_NS UINT64_C(90000000000) // of silence, in spite of pings
#define LINGER_NS UINT64_C(2000000000)  // for the other side to close
#define TICK_MS 1000

// What the page shows, once made never changed.
typedef struct blob {
    uint32_t holder_count;
    uint64_t version;
    mc_text bytes;
    mc_text delta; // from the version before; empty: there is none
} blob;

typedef enum client_state {
    CLIENT_BEGINS, // its head is not whole
    CLIENT_READS,  // is sent an answer, and no more
    CLIENT_OPEN,   // has a WebSocket
    CLIENT_LEAVES  // is sent what is left, and no more
} client_state;

typedef struct client {
    int fd; // -1: there is none
    client_state state;
    uint64_t since_ns, heard_ns, sent_ns, pinged_ns;
    unsigned char *head; // MC_HTTP_HEAD_MOST
    size_t head_size;
    mc_text unsent;
    size_t sent;          // bytes of it
    const mc_text *page;  // of CLIENT_READS: the rest of its answer
    blob *data;           // being sent; held
    const mc_text *sends; // of it
    size_t at;            // in the page, or the data
    bool is_deaf;         // the client sends nothing any more
    bool is_shut;         // everything is sent, and that said
    bool waits;           // it has asked for what is newer
    bool said_live;       // what it knows
    uint64_t version;     // what it has
    bool takes_deltas;    // it says so
    char ask[ASK_MOST + 2];
    size_t ask_size;
    mc_ws_frames frames;
} client;

struct mc_page_server {
    mc_page_server_desc desc;
    char token[MC_PAGE_TOKEN_SIZE];
    int listeners[LISTENERS];
    uint16_t port;
    int wake_fd;
    pthread_t thread;
    bool has_thread, has_mutex;
    client clients[MC_PAGE_CLIENT_MOST];
    unsigned char buffer[PART_SIZE];

    pthread_mutex_t mutex; // guards what stands below
    blob *data;            // the newest; NULL: there is none yet
    bool is_live, is_over;
};

// ---- the port

static mc_result fail_listen(uint16_t port, int code, mc_error *error) {
    return mc_fail(error, MC_ERROR_IO, "can't listen at 127.0.0.1 port %u: %s", port,
                   strerror(code));
}

typedef union any_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
} any_address;

// 0, or errno.
static int listen_at(int family, uint16_t port, int *fd) {
    any_address at;
    int on = 1;
    socklen_t size = family == AF_INET ? sizeof at.v4 : sizeof at.v6;
    memset(&at, 0, sizeof at);
    if (family == AF_INET)
        at.v4 = (struct sockaddr_in){.sin_family = AF_INET,
                                     .sin_port = htons(port),
                                     .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    else
        at.v6 = (struct sockaddr_in6){
            .sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = in6addr_loopback};
    *fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0) return errno;
    setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (family == AF_INET6) setsockopt(*fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(*fd, &at.any, size) == 0 && listen(*fd, MC_PAGE_CLIENT_MOST) == 0) return 0;
    int code = errno;
    close(*fd);
    *fd = -1;
    return code;
}

static uint16_t read_port(int fd) {
    any_address at;
    socklen_t size = sizeof at;
    memset(&at, 0, sizeof at);
    return getsockname(fd, &at.any, &size) == 0 ? ntohs(at.v4.sin_port) : 0;
}

// Both at the same port: whoever says "localhost" means either.
static int listen_once(mc_page_server *self) {
    int code = listen_at(AF_INET, self->desc.port, &self->listeners[0]);
    if (code != 0) return code;
    self->port = read_port(self->listeners[0]);
    code = listen_at(AF_INET6, self->port, &self->listeners[1]);
    if (code != EADDRINUSE) return 0; // many machines have no ::1
    close(self->listeners[0]);
    self->listeners[0] = -1;
    return code;
}

static mc_result listen_both(mc_page_server *self, mc_error *error) {
    int code = EADDRINUSE, tries = self->desc.port == 0 ? PORT_TRIES : 1;
    while (code == EADDRINUSE && tries-- > 0)
        code = listen_once(self);
    return code == 0 ? MC_OK : fail_listen(self->desc.port, code, error);
}

static mc_result make_token(mc_page_server *self, mc_error *error) {
    unsigned char bytes[MC_PAGE_TOKEN_BYTES];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        return mc_fail(error, MC_ERROR_IO, "no random numbers: %s", strerror(errno));
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(self->token + 2 * i, 3, "%02x", bytes[i]);
    return MC_OK;
}

// ---- the data

static void release_blob(mc_page_server *self, blob *data) {
    if (!data) return;
    pthread_mutex_lock(&self->mutex);
    bool is_last = --data->holder_count == 0;
    pthread_mutex_unlock(&self->mutex);
    if (!is_last) return;
    mc_text_deinit(&data->bytes);
    mc_text_deinit(&data->delta);
    mc_free(data);
}

static void wake(mc_page_server *self) {
    uint64_t one = 1;
    (void)!write(self->wake_fd, &one, sizeof one); // it is full only if it is to wake already
}

mc_result mc_page_server_publish(mc_page_server *self, mc_text *data, mc_text *delta, bool is_live,
                                 mc_error *error) {
    blob *next = mc_alloc_zero(1, sizeof *next);
    if (!next) return mc_error_out_of_memory(error);
    *next = (blob){.holder_count = 1, .bytes = *data, .delta = *delta};
    *data = *delta = (mc_text){.data = NULL};
    pthread_mutex_lock(&self->mutex);
    blob *before = self->data;
    next->version = before ? before->version + 1 : 1;
    self->data = next;
    self->is_live = is_live;
    pthread_mutex_unlock(&self->mutex);
    release_blob(self, before);
    wake(self);
    return MC_OK;
}

void mc_page_server_end_live(mc_page_server *self) {
    pthread_mutex_lock(&self->mutex);
    self->is_live = false;
    pthread_mutex_unlock(&self->mutex);
    wake(self);
}

// ---- a client

static void end_client(mc_page_server *self, client *it) {
    if (it->fd >= 0) close(it->fd);
    mc_free(it->head);
    mc_text_deinit(&it->unsent);
    release_blob(self, it->data);
    *it = (client){.fd = -1};
}

static bool has_unsent(const client *it) {
    return it->sent < it->unsent.size || it->page || it->data;
}

// Says why, behind what is on its way. What the client still sends is of no interest.
static void close_client(client *it, unsigned code, const char *reason) {
    unsigned char payload[MC_WS_CONTROL_SIZE];
    if (it->state != CLIENT_OPEN) return;
    mc_ws_append_frame(&it->unsent, MC_WS_OPCODE_CLOSE, payload,
                       mc_ws_write_close(payload, code, reason));
    it->state = CLIENT_LEAVES;
}

// The next part of what is for it into `unsent`, which is empty.
static void fill(mc_page_server *self, client *it) {
    const mc_text *from = it->page ? it->page : it->data ? it->sends : NULL;
    mc_text_clear(&it->unsent);
    it->sent = 0;
    if (!from) return;
    size_t left = from->size - it->at, part = left < PART_SIZE ? left : PART_SIZE;
    if (it->page)
        mc_text_append(&it->unsent, from->data + it->at, part);
    else
        mc_ws_append_frame(&it->unsent, MC_WS_OPCODE_BINARY, from->data + it->at, part);
    it->at += part;
    if (it->at < from->size) return;
    it->page = NULL;
    release_blob(self, it->data);
    it->data = NULL;
}

// Begins to send what is newer than what it has, if there is something.
static void serve_newer(mc_page_server *self, client *it) {
    char head[128];
    if (it->state != CLIENT_OPEN || !it->waits || it->data) return;
    pthread_mutex_lock(&self->mutex);
    blob *newest = self->data;
    bool is_live = self->is_live;
    bool is_newer = newest && newest->version != it->version;
    if (is_newer) newest->holder_count++;
    uint64_t version = newest ? newest->version : 0;
    pthread_mutex_unlock(&self->mutex);
    if (!newest || (!is_newer && is_live == it->said_live)) return;
    it->waits = false;
    it->said_live = is_live;
    bool is_delta = is_newer && it->takes_deltas && newest->delta.size > 0 && it->version > 0 &&
                    newest->version == it->version + 1;
    it->sends = is_delta ? &newest->delta : &newest->bytes;
    int size = snprintf(head, sizeof head, "{\"version\":%" PRIu64 ",\"data\":%zu,\"live\":%s%s}",
                        version, is_newer ? it->sends->size : (size_t)0, is_live ? "true" : "false",
                        is_delta ? ",\"delta\":true" : "");
    mc_ws_append_frame(&it->unsent, MC_WS_OPCODE_TEXT, head, (size_t)size);
    it->sent_ns = mc_clock_now_ns(); // from now on it may be slow
    if (!is_newer) return;
    it->data = newest;
    it->at = 0;
}

static void send_parts(mc_page_server *self, client *it) {
    for (size_t parts = 0; parts < TURN_PARTS && has_unsent(it);) {
        if (it->sent == it->unsent.size) {
            fill(self, it);
            parts++;
        }
        if (it->unsent.failed) {
            end_client(self, it);
            return;
        }
        ssize_t sent =
            send(it->fd, it->unsent.data + it->sent, it->unsent.size - it->sent, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
        if (sent <= 0) {
            end_client(self, it);
            return;
        }
        it->sent += (size_t)sent;
        it->sent_ns = mc_clock_now_ns();
    }
    if (has_unsent(it)) return;
    mc_text_clear(&it->unsent);
    it->sent = 0;
    if (it->is_deaf) end_client(self, it);
    if ((it->state != CLIENT_READS && it->state != CLIENT_LEAVES) || it->is_shut) return;
    // The other side closes first: what it sent and nobody read would reset the connection, and
    // take back what it has not read yet.
    shutdown(it->fd, SHUT_WR);
    it->is_shut = true;
    it->since_ns = mc_clock_now_ns();
}

// ---- requests

static void answer_refusal(client *it) {
    mc_text_append_string(
        &it->unsent, "HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    it->state = CLIENT_READS;
}

// A policy can't name an address of IPv6; what it then allows is no more than the server itself.
static void answer_page(const mc_page_server *self, client *it, const char *host) {
    mc_text_format(&it->unsent,
                   "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %zu\r\n"
                   "Content-Type: text/html; charset=utf-8\r\nCache-Control: no-store\r\n"
                   "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
                   "Cross-Origin-Resource-Policy: same-origin\r\n"
                   "Content-Security-Policy: %s;frame-ancestors 'none';connect-src %s%s\r\n\r\n",
                   self->desc.page->size, self->desc.policy, host[0] == '[' ? "'self'" : "ws://",
                   host[0] == '[' ? "" : host);
    it->page = self->desc.page;
    it->at = 0;
    it->state = CLIENT_READS;
}

static void answer_head(mc_page_server *self, client *it, size_t end) {
    char host[MC_PAGE_HOST_SIZE], origin[MC_PAGE_HOST_SIZE + 8];
    const char *refusal;
    bool is_open = false;
    switch (mc_page_gate_judge(it->head, end, self->token, host)) {
    case MC_PAGE_GATE_REFUSED: answer_refusal(it); break;
    case MC_PAGE_GATE_PAGE: answer_page(self, it, host); break;
    case MC_PAGE_GATE_DATA:
        snprintf(origin, sizeof origin, "http://%s", host);
        mc_ws_answer_request(it->head, end, origin, &it->unsent, &is_open, &refusal);
        it->state = is_open ? CLIENT_OPEN : CLIENT_READS;
    }
    mc_free(it->head);
    it->head = NULL;
}

// "12": it has version 12, and asks for what is newer; "12+": what differs is enough.
static void take_ask(client *it, const mc_ws_event *event) {
    if (event->size > sizeof it->ask - 1 - it->ask_size) {
        close_client(it, MC_WS_CLOSE_IDLE, "expected the number of a version");
        return;
    }
    memcpy(it->ask + it->ask_size, event->data, event->size);
    it->ask_size += event->size;
    if (!event->is_end) return;
    it->takes_deltas = it->ask_size > 0 && it->ask[it->ask_size - 1] == '+';
    it->ask_size -= it->takes_deltas;
    it->ask[it->ask_size] = '\0';
    bool is_number = it->ask_size > 0 && it->ask_size <= ASK_MOST &&
                     strspn(it->ask, "0123456789") == it->ask_size;
    it->ask_size = 0;
    if (!is_number || it->data || it->waits) {
        close_client(it, MC_WS_CLOSE_IDLE,
                     is_number ? "expected no question before the answer to the one before"
                               : "expected the number of a version");
        return;
    }
    it->version = strtoull(it->ask, NULL, 10);
    it->waits = true;
}

static void take_frames(client *it, unsigned char *bytes, size_t size) {
    while (it->state == CLIENT_OPEN) {
        mc_ws_event event;
        mc_error fault = {.code = MC_OK};
        size_t used;
        if (mc_ws_frames_next(&it->frames, bytes, size, &used, &event, &fault) != MC_OK) {
            close_client(it, it->frames.fault_code, fault.message);
            return;
        }
        bytes += used;
        size -= used;
        switch (event.kind) {
        case MC_WS_NOTHING: return;
        case MC_WS_DATA: take_ask(it, &event); break;
        case MC_WS_PING:
            if (it->unsent.size - it->sent < UNSENT_MOST)
                mc_ws_append_frame(&it->unsent, MC_WS_OPCODE_PONG, event.data, event.size);
            break;
        case MC_WS_CLOSE:
            close_client(it, event.close_code > 0 ? event.close_code : MC_WS_CLOSE_DONE, "");
            break;
        case MC_WS_PONG: break;
        }
    }
}

static void take_head(mc_page_server *self, client *it, unsigned char *bytes, size_t size) {
    size_t before = it->head_size, room = MC_HTTP_HEAD_MOST - before;
    size_t kept = size < room ? size : room;
    if (!it->head) it->head = mc_alloc(MC_HTTP_HEAD_MOST, 1);
    if (!it->head) {
        end_client(self, it);
        return;
    }
    memcpy(it->head + before, bytes, kept);
    it->head_size += kept;
    size_t end = mc_http_find_end(it->head, it->head_size);
    if (end > 0) {
        answer_head(self, it, end);
        take_frames(it, bytes + (end - before), size - (end - before));
    } else if (it->head_size == MC_HTTP_HEAD_MOST) {
        answer_refusal(it);
    }
}

static void receive(mc_page_server *self, client *it) {
    for (size_t parts = 0; it->fd >= 0 && parts < TURN_PARTS; parts++) {
        ssize_t size = recv(it->fd, self->buffer, PART_SIZE, 0);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) break;
        it->is_deaf = size == 0 && it->state == CLIENT_READS && has_unsent(it);
        if (it->is_deaf) return;
        if (size <= 0) {
            end_client(self, it);
            return;
        }
        it->heard_ns = mc_clock_now_ns();
        if (it->state == CLIENT_BEGINS)
            take_head(self, it, self->buffer, (size_t)size);
        else
            take_frames(it, self->buffer, (size_t)size);
    }
}

// ---- who comes, and who goes

static bool is_due(uint64_t now_ns, uint64_t since_ns, uint64_t most_ns) {
    return now_ns > since_ns && now_ns - since_ns > most_ns;
}

static void judge(mc_page_server *self, client *it, uint64_t now_ns) {
    uint64_t moved_ns = it->sent_ns > it->since_ns ? it->sent_ns : it->since_ns;
    bool is_late = it->state == CLIENT_BEGINS && is_due(now_ns, it->since_ns, BEGIN_NS);
    bool is_stuck = has_unsent(it) && is_due(now_ns, moved_ns, STALL_NS);
    bool is_gone = it->is_shut && is_due(now_ns, it->since_ns, LINGER_NS);
    bool is_silent = it->state == CLIENT_OPEN && is_due(now_ns, it->heard_ns, SILENT_NS);
    if (is_late || is_stuck || is_gone || is_silent) {
        end_client(self, it);
        return;
    }
    bool is_quiet = it->state == CLIENT_OPEN && !has_unsent(it) &&
                    is_due(now_ns, it->heard_ns, PING_NS) && is_due(now_ns, it->pinged_ns, PING_NS);
    if (!is_quiet) return;
    it->pinged_ns = now_ns;
    mc_ws_append_frame(&it->unsent, MC_WS_OPCODE_PING, NULL, 0);
}

// A free place, or that of who has been here the longest without the right to it; NULL: all have.
static client *find_place(mc_page_server *self) {
    client *least = NULL;
    for (size_t i = 0; i < MC_PAGE_CLIENT_MOST; i++) {
        client *it = &self->clients[i];
        if (it->fd < 0) return it;
        if (it->state == CLIENT_OPEN || (it->state == CLIENT_READS && !it->is_shut)) continue;
        if (!least || it->since_ns < least->since_ns) least = it;
    }
    if (least) end_client(self, least);
    return least;
}

static void accept_clients(mc_page_server *self, int listener) {
    for (size_t i = 0; i < MC_PAGE_CLIENT_MOST; i++) {
        int on = 1, fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0) return;
        client *it = find_place(self);
        if (!it) {
            close(fd);
            continue;
        }
        uint64_t now_ns = mc_clock_now_ns();
        *it = (client){
            .fd = fd, .since_ns = now_ns, .heard_ns = now_ns, .frames = {.is_masked = true}};
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
}

// ---- the thread

static bool is_over(mc_page_server *self) {
    pthread_mutex_lock(&self->mutex);
    bool over = self->is_over;
    pthread_mutex_unlock(&self->mutex);
    return over;
}

enum { POLLED = MC_PAGE_CLIENT_MOST + LISTENERS + 1 };

static void turn(mc_page_server *self) {
    struct pollfd polled[POLLED];
    uint64_t wakes;
    for (size_t i = 0; i < MC_PAGE_CLIENT_MOST; i++) {
        const client *it = &self->clients[i];
        short reads = it->is_deaf ? 0 : POLLIN, writes = has_unsent(it) ? POLLOUT : 0;
        polled[i] = (struct pollfd){.fd = it->fd, .events = (short)(reads | writes)};
    }
    for (size_t i = 0; i < LISTENERS; i++)
        polled[MC_PAGE_CLIENT_MOST + i] =
            (struct pollfd){.fd = self->listeners[i], .events = POLLIN};
    polled[POLLED - 1] = (struct pollfd){.fd = self->wake_fd, .events = POLLIN};
    if (poll(polled, POLLED, TICK_MS) < 0) return;
    if (polled[POLLED - 1].revents) (void)!read(self->wake_fd, &wakes, sizeof wakes);
    uint64_t now_ns = mc_clock_now_ns();
    for (size_t i = 0; i < MC_PAGE_CLIENT_MOST; i++) {
        client *it = &self->clients[i];
        if (it->fd >= 0 && it->is_deaf && (polled[i].revents & (POLLERR | POLLHUP)))
            end_client(self, it);
        if (it->fd >= 0 && !it->is_deaf && polled[i].revents) receive(self, it);
        if (it->fd >= 0) judge(self, it, now_ns);
        if (it->fd >= 0) serve_newer(self, it);
        if (it->fd >= 0) send_parts(self, it);
    }
    for (size_t i = 0; i < LISTENERS; i++)
        if (polled[MC_PAGE_CLIENT_MOST + i].revents) accept_clients(self, self->listeners[i]);
}

static void *run(void *user) {
    mc_page_server *self = user;
    while (!is_over(self))
        turn(self);
    for (size_t i = 0; i < MC_PAGE_CLIENT_MOST; i++) {
        client *it = &self->clients[i];
        // In the middle of a message nothing can be said.
        if (it->fd >= 0 && it->state == CLIENT_OPEN && !has_unsent(it)) {
            close_client(it, MC_WS_CLOSE_LEAVING, "");
            send_parts(self, it);
        }
        end_client(self, it);
    }
    return NULL;
}

// Signals are for the program's own threads.
static mc_result start_thread(mc_page_server *self, mc_error *error) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&self->thread, NULL, run, self);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    self->has_thread = code == 0;
    return code == 0 ? MC_OK : mc_fail(error, MC_ERROR_IO, "no thread: %s", strerror(code));
}

mc_result mc_page_server_create(const mc_page_server_desc *desc, mc_page_server **server,
                                mc_error *error) {
    mc_page_server *self = *server = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->desc = *desc;
    for (size_t i = 0; i < LISTENERS; i++)
        self->listeners[i] = -1;
    for (size_t i = 0; i < MC_PAGE_CLIENT_MOST; i++)
        self->clients[i].fd = -1;
    self->has_mutex = pthread_mutex_init(&self->mutex, NULL) == 0;
    self->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    mc_result result = self->has_mutex && self->wake_fd >= 0
                           ? MC_OK
                           : mc_fail(error, MC_ERROR_IO, "no thread: %s", strerror(errno));
    if (result == MC_OK) result = make_token(self, error);
    if (result == MC_OK) result = listen_both(self, error);
    if (result == MC_OK) result = start_thread(self, error);
    if (result == MC_OK) return MC_OK;
    mc_page_server_destroy(self);
    *server = NULL;
    return result;
}

void mc_page_server_destroy(mc_page_server *self) {
    if (!self) return;
    if (self->has_thread) {
        pthread_mutex_lock(&self->mutex);
        self->is_over = true;
        pthread_mutex_unlock(&self->mutex);
        wake(self);
        pthread_join(self->thread, NULL);
    }
    if (self->has_mutex) release_blob(self, self->data);
    if (self->has_mutex) pthread_mutex_destroy(&self->mutex);
    for (size_t i = 0; i < LISTENERS; i++)
        if (self->listeners[i] >= 0) close(self->listeners[i]);
    if (self->wake_fd >= 0) close(self->wake_fd);
    mc_free(self);
}

uint16_t mc_page_server_get_port(const mc_page_server *self) {
    return self->port;
}

const char *mc_page_server_get_token(const mc_page_server *self) {
    return self->token;
}
