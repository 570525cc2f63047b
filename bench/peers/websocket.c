// websocket - receives the same WebSocket frames with memcity's code and with libwebsockets, by
// turns: `websocket [--runs N] FOLDER`, one JSON object a case. The folder holds steps, *.json.
//
// Not a part of the build, which needs no libwebsockets; bench/README.md says how it is compiled.
// Frames are made beforehand; a process of its own sends them as fast as the socket takes them.
// Both sides receive into 64 KiB and only count: "pull" as a client, of a server's unmasked frames;
// "push" as a server, of a client's masked ones. The first run of each is the warm-up.
#include "engine/base/clock.h"
#include "engine/base/file.h"
#include "engine/base/text.h"
#include "engine/import/websocket/http_head.h"
#include "engine/import/websocket/ws_client.h"
#include "engine/import/websocket/ws_frames.h"
#include "engine/import/websocket/ws_handshake.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <libwebsockets.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define RECEIVE_SIZE 65536
#define TOTAL_SIZE ((size_t)256 << 20) // of what a run receives, about
#define RUN_COUNT_MAX 100
#define FIRST_PORT 28000

typedef struct frames {
    mc_text text;
    uint64_t payload_size, message_count;
    bool is_masked;
} frames;

typedef struct cost {
    double wall_s, cpu_s;
} cost;

static void fail(const char *what) {
    fprintf(stderr, "websocket: %s\n", what);
    exit(1);
}

static cost get_now(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (cost){(double)mc_clock_now_ns() * 1e-9,
                  (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                      1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)};
}

static cost get_since(cost begin) {
    cost now = get_now();
    return (cost){now.wall_s - begin.wall_s, now.cpu_s - begin.cpu_s};
}

// ---- what is sent

static mc_text read_steps(const char *folder) {
    mc_text text = {0};
    struct dirent **names;
    int count = scandir(folder, &names, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char path[4096];
        mc_file_map map;
        const char *end = strrchr(names[i]->d_name, '.');
        if (!end || strcmp(end, ".json") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        if (mc_file_map_open(&map, path, NULL) != MC_OK) fail("can't read the steps");
        mc_text_append(&text, (const char *)map.data, map.size);
        mc_file_map_close(&map);
    }
    if (text.size == 0 || text.failed) fail("the folder has no steps (*.json)");
    return text;
}

static frames make_frames(const mc_text *steps, size_t message_size, bool is_masked) {
    const unsigned char mask[4] = {0x12, 0xc4, 0x56, 0x78};
    frames made = {.is_masked = is_masked};
    mc_text payload = {0};
    while (made.payload_size < TOTAL_SIZE) {
        unsigned char head[MC_WS_HEAD_SIZE];
        mc_text_clear(&payload);
        for (size_t at = made.payload_size % steps->size; payload.size < message_size; at = 0) {
            size_t left = message_size - payload.size, there = steps->size - at;
            mc_text_append(&payload, steps->data + at, left < there ? left : there);
        }
        if (is_masked) mc_ws_mask((unsigned char *)payload.data, payload.size, mask, 0);
        mc_text_append(
            &made.text, (char *)head,
            mc_ws_write_head(head, MC_WS_OPCODE_TEXT, payload.size, is_masked ? mask : NULL));
        mc_text_append(&made.text, payload.data, payload.size);
        made.payload_size += payload.size;
        made.message_count++;
    }
    if (made.text.failed) fail("out of memory");
    mc_text_deinit(&payload);
    return made;
}

static void send_all(int fd, const char *at, size_t size) {
    while (size > 0) {
        ssize_t sent = send(fd, at, size, MSG_NOSIGNAL);
        if (sent <= 0) exit(1);
        at += sent;
        size -= (size_t)sent;
    }
}

static size_t read_head(int fd, unsigned char *bytes, size_t size) {
    size_t got = 0;
    while (!mc_http_find_end(bytes, got)) {
        ssize_t part = recv(fd, bytes + got, size - got, 0);
        if (part <= 0) exit(1);
        got += (size_t)part;
    }
    return got;
}

static void answer_handshake(int fd) {
    static unsigned char bytes[MC_HTTP_HEAD_MOST];
    size_t size = read_head(fd, bytes, sizeof bytes);
    mc_text answer = {0};
    bool is_accepted;
    const char *refusal;
    mc_ws_answer_request(bytes, size, NULL, &answer, &is_accepted, &refusal);
    send_all(fd, answer.data, answer.size);
    mc_text_deinit(&answer);
}

static int listen_at(uint16_t *port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 4) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        fail("can't listen");
    *port = ntohs(address.sin_port);
    return fd;
}

static void wait_for_end(int fd) {
    char bytes[256];
    while (recv(fd, bytes, sizeof bytes, 0) > 0) {
    }
}

// A server that sends once it has got a message.
static pid_t start_server(const frames *sent, uint16_t *port) {
    int listener = listen_at(port);
    pid_t pid = fork();
    if (pid == 0) {
        char bytes[256];
        int fd = accept(listener, NULL, NULL);
        answer_handshake(fd);
        if (recv(fd, bytes, sizeof bytes, 0) > 0) send_all(fd, sent->text.data, sent->text.size);
        wait_for_end(fd);
        _exit(0);
    }
    close(listener);
    return pid;
}

static pid_t start_client(const frames *sent, uint16_t port) {
    pid_t pid = fork();
    if (pid != 0) return pid;
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    mc_ws_address address = {.host = "127.0.0.1", .port = port};
    unsigned char head[MC_HTTP_HEAD_MOST];
    mc_text request = {0};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0) fail("can't connect");
    mc_ws_append_request(&request, &address, "dGhlIHNhbXBsZSBub25jZQ==");
    send_all(fd, request.data, request.size);
    read_head(fd, head, sizeof head);
    send_all(fd, sent->text.data, sent->text.size);
    wait_for_end(fd);
    _exit(0);
}

// ---- ours

static bool go_on(void *user) {
    (void)user;
    return true;
}

static cost pull_with_ours(const frames *sent, uint16_t port) {
    static unsigned char out[RECEIVE_SIZE];
    mc_ws_address address = {.host = "127.0.0.1", .port = port};
    mc_ws_patience patience = {.go_on = go_on};
    mc_ws_client *client;
    mc_error error = {.code = MC_OK};
    uint64_t bytes = 0, messages = 0;
    if (mc_ws_client_connect(&address, &patience, &client, &error) != MC_OK) fail(error.message);
    cost begin = get_now();
    mc_result result = mc_ws_client_send(client, "go", 2, &error);
    while (result == MC_OK && messages < sent->message_count) {
        size_t size;
        bool is_end;
        result = mc_ws_client_read(client, out, sizeof out, &size, &is_end, &error);
        bytes += size;
        messages += is_end;
    }
    cost took = get_since(begin);
    if (result != MC_OK || bytes != sent->payload_size) fail("ours has got something else");
    mc_ws_client_destroy(client);
    return took;
}

static cost push_to_ours(const frames *sent, int fd) {
    static unsigned char bytes[RECEIVE_SIZE];
    mc_ws_frames parser = {.is_masked = true};
    uint64_t size = 0, messages = 0;
    answer_handshake(fd);
    cost begin = get_now();
    while (messages < sent->message_count) {
        struct pollfd polled = {.fd = fd, .events = POLLIN};
        poll(&polled, 1, -1);
        ssize_t got = recv(fd, bytes, sizeof bytes, 0);
        mc_ws_event event = {.kind = MC_WS_DATA};
        size_t used;
        for (size_t at = 0; got > 0 && event.kind != MC_WS_NOTHING; at += used) {
            if (mc_ws_frames_next(&parser, bytes + at, (size_t)got - at, &used, &event, NULL))
                fail("ours refuses a frame");
            size += event.size;
            messages += event.is_end;
        }
        if (got <= 0) fail("the client has gone");
    }
    cost took = get_since(begin);
    if (size != sent->payload_size) fail("ours has got something else");
    close(fd);
    return took;
}

// ---- libwebsockets

static struct {
    uint64_t bytes, messages;
    bool is_open, has_asked;
    cost begin;
} theirs;

static int callback(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in,
                    size_t size) {
    unsigned char text[LWS_PRE + 2];
    (void)user, (void)in;
    switch (reason) {
    case LWS_CALLBACK_ESTABLISHED:
    case LWS_CALLBACK_CLIENT_ESTABLISHED:
        theirs.is_open = true;
        theirs.begin = get_now();
        if (reason == LWS_CALLBACK_CLIENT_ESTABLISHED) lws_callback_on_writable(wsi);
        break;
    case LWS_CALLBACK_CLIENT_WRITEABLE:
        if (theirs.has_asked) break;
        theirs.has_asked = true;
        memcpy(text + LWS_PRE, "go", 2);
        lws_write(wsi, text + LWS_PRE, 2, LWS_WRITE_TEXT);
        break;
    case LWS_CALLBACK_CLIENT_CONNECTION_ERROR: fail("libwebsockets can't connect"); break;
    case LWS_CALLBACK_RECEIVE:
    case LWS_CALLBACK_CLIENT_RECEIVE:
        theirs.bytes += size;
        theirs.messages += lws_is_final_fragment(wsi) && lws_remaining_packet_payload(wsi) == 0;
        break;
    default: break;
    }
    return 0;
}

static struct lws_context *make_context(int port) {
    static const struct lws_protocols protocols[] = {
        {"trace", callback, 0, RECEIVE_SIZE, 0, NULL, 0}, {NULL, NULL, 0, 0, 0, NULL, 0}};
    struct lws_context_creation_info info = {.port = port,
                                             .iface = port > 0 ? "127.0.0.1" : NULL,
                                             .protocols = protocols,
                                             .pt_serv_buf_size = RECEIVE_SIZE,
                                             .gid = -1,
                                             .uid = -1};
    lws_set_log_level(LLL_ERR, NULL);
    struct lws_context *context = lws_create_context(&info);
    if (!context) fail("libwebsockets can't listen");
    memset(&theirs, 0, sizeof theirs);
    return context;
}

static cost receive(struct lws_context *context, const frames *sent) {
    while (theirs.messages < sent->message_count)
        lws_service(context, 0);
    cost took = get_since(theirs.begin);
    if (theirs.bytes != sent->payload_size) fail("libwebsockets has got something else");
    lws_context_destroy(context);
    return took;
}

static cost pull_with_theirs(const frames *sent, uint16_t port) {
    struct lws_context *context = make_context(CONTEXT_PORT_NO_LISTEN);
    struct lws_client_connect_info info = {.context = context,
                                           .address = "127.0.0.1",
                                           .host = "127.0.0.1",
                                           .port = port,
                                           .path = "/",
                                           .local_protocol_name = "trace"};
    if (!lws_client_connect_via_info(&info)) fail("libwebsockets can't connect");
    return receive(context, sent);
}

// ---- the measurement

static cost pull(const frames *sent, bool with_theirs) {
    uint16_t port;
    pid_t pid = start_server(sent, &port);
    cost took = with_theirs ? pull_with_theirs(sent, port) : pull_with_ours(sent, port);
    waitpid(pid, NULL, 0);
    return took;
}

static cost push(const frames *sent, bool to_theirs) {
    static uint16_t port = FIRST_PORT;
    struct lws_context *context = to_theirs ? make_context(++port) : NULL;
    uint16_t at = port;
    int listener = to_theirs ? -1 : listen_at(&at);
    pid_t pid = start_client(sent, at);
    cost took =
        to_theirs ? receive(context, sent) : push_to_ours(sent, accept(listener, NULL, NULL));
    if (listener >= 0) close(listener);
    waitpid(pid, NULL, 0);
    return took;
}

static int compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

static void measure(const char *name, const mc_text *steps, size_t message_size, bool is_push,
                    int run_count) {
    static double walls[2][RUN_COUNT_MAX], cpus[2][RUN_COUNT_MAX];
    frames sent = make_frames(steps, message_size, is_push);
    double size = (double)sent.payload_size;
    for (int run = -1; run < run_count; run++)
        for (int who = 0; who < 2; who++) {
            cost took = is_push ? push(&sent, who == 1) : pull(&sent, who == 1);
            if (run < 0) continue;
            walls[who][run] = took.wall_s;
            cpus[who][run] = took.cpu_s;
        }
    for (int who = 0; who < 2; who++) {
        qsort(walls[who], (size_t)run_count, sizeof **walls, compare);
        qsort(cpus[who], (size_t)run_count, sizeof **cpus, compare);
    }
    int half = run_count / 2;
    printf("{\"bench\":\"websocket peers\",\"case\":\"%s\",\"message_bytes\":%zu,\"runs\":%d,"
           "\"ours_mb_per_s\":%.0f,\"libwebsockets_mb_per_s\":%.0f,\"ours_cpu_ns_per_byte\":%.3f,"
           "\"libwebsockets_cpu_ns_per_byte\":%.3f,\"wall_ratio\":%.2f,\"cpu_ratio\":%.2f}\n",
           name, message_size, run_count, size / walls[0][half] * 1e-6,
           size / walls[1][half] * 1e-6, cpus[0][half] / size * 1e9, cpus[1][half] / size * 1e9,
           walls[1][half] / walls[0][half], cpus[1][half] / cpus[0][half]);
    fflush(stdout);
    mc_text_deinit(&sent.text);
}

int main(int argc, char **argv) {
    bool has_runs = argc > 2 && strcmp(argv[1], "--runs") == 0;
    int run_count = has_runs ? atoi(argv[2]) : 7, first = has_runs ? 3 : 1;
    if (argc != first + 1 || run_count < 1 || run_count > RUN_COUNT_MAX) {
        fprintf(stderr, "usage: websocket [--runs 1…%d] FOLDER\n", RUN_COUNT_MAX);
        return 2;
    }
    const size_t sizes[] = {300, 65536, (size_t)4 << 20, TOTAL_SIZE};
    mc_text steps = read_steps(argv[first]);
    signal(SIGPIPE, SIG_IGN);
    for (int is_push = 0; is_push < 2; is_push++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            measure(is_push ? "push" : "pull", &steps, sizes[i], is_push, run_count);
    mc_text_deinit(&steps);
    return 0;
}
