// bench_websocket - how fast a server's trees come, beside the same from files: `bench_websocket
// [--runs N] FOLDER`, one JSON object. The folder holds steps, *.json, and nothing else.
//
// The server is a process of its own, which has the answer ready and writes it as fast as the
// socket takes it, in one frame. Both ways are measured alternately; the first of each is the
// warm-up.
#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/import/import.h"
#include "engine/import/websocket/ws_frames.h"
#include "engine/import/websocket/ws_handshake.h"
#include <arpa/inet.h>
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUN_COUNT_MAX 1000

static pid_t server_pid; // 0: none, or this is it

static void stop_server(void) {
    if (server_pid <= 0) return;
    kill(server_pid, SIGTERM);
    waitpid(server_pid, NULL, 0);
}

static void fail(const char *what) {
    fprintf(stderr, "bench_websocket: %s\n", what);
    stop_server();
    exit(1);
}

// ---- the server

static mc_text read_steps(const char *folder) {
    mc_text text = {0};
    struct dirent **names;
    int count = scandir(folder, &names, NULL, alphasort), steps = 0;
    mc_text_append_string(&text, "{\"status\":\"success\",\"sender\":1,\"data\":[");
    for (int i = 0; i < count; i++) {
        char path[4096];
        mc_file_map map;
        const char *end = strrchr(names[i]->d_name, '.');
        if (!end || strcmp(end, ".json") != 0) continue;
        snprintf(path, sizeof path, "%s/%s", folder, names[i]->d_name);
        if (mc_file_map_open(&map, path, NULL) != MC_OK) fail("can't read the steps");
        if (steps++ > 0) mc_text_append_string(&text, ",");
        mc_text_append(&text, (const char *)map.data, map.size);
        mc_file_map_close(&map);
    }
    mc_text_append_string(&text, "]}");
    if (count < 0 || text.failed) fail("can't read the folder");
    if (steps == 0) fail("the folder has no steps (*.json)");
    return text;
}

static bool send_all(int fd, const void *bytes, size_t size, int flags) {
    for (const char *at = bytes; size > 0;) {
        ssize_t sent = send(fd, at, size, MSG_NOSIGNAL | flags);
        if (sent <= 0) return false;
        at += sent;
        size -= (size_t)sent;
    }
    return true;
}

static bool answer(int fd, const char *bytes, size_t size) {
    unsigned char head[MC_WS_HEAD_SIZE];
    size_t head_size = mc_ws_write_head(head, MC_WS_OPCODE_TEXT, size, NULL);
    // In one packet: else the second waits until the first is said to be there, a timer's time.
    return send_all(fd, head, head_size, MSG_MORE) && send_all(fd, bytes, size, 0);
}

static void serve(int fd, const mc_text *trees) {
    static const char tabs[] = "{\"status\":\"success\",\"data\":[{\"tabId\":1,\"name\":\"A\"}]}";
    static const char none[] = "{\"status\":\"failed\",\"data\":null}";
    static unsigned char bytes[65536];
    mc_text text = {0};
    const char *refusal;
    bool is_fine;
    ssize_t size = recv(fd, bytes, sizeof bytes, 0);
    if (size <= 0) return;
    mc_ws_answer_request(bytes, (size_t)size, NULL, &text, &is_fine, &refusal);
    is_fine = is_fine && send_all(fd, text.data, text.size, 0);
    mc_text_deinit(&text);
    mc_ws_frames frames = {.is_masked = true};
    while (is_fine && (size = recv(fd, bytes, sizeof bytes, 0)) > 0) {
        mc_ws_event event;
        size_t used;
        if (mc_ws_frames_next(&frames, bytes, (size_t)size, &used, &event, NULL) != MC_OK) return;
        bool lists = memmem(event.data, event.size, "\"GET-TAB-LIST", 13);
        bool is_tree = memmem(event.data, event.size, "\"GET-ALL-TREES\"", 15);
        is_fine = lists     ? answer(fd, tabs, sizeof tabs - 1)
                  : is_tree ? answer(fd, trees->data, trees->size)
                            : answer(fd, none, sizeof none - 1);
    }
}

static void start_server(const char *folder, uint16_t *port) {
    mc_text trees = read_steps(folder);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, size) != 0 || listen(fd, 4) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &size) != 0)
        fail("can't listen");
    *port = ntohs(address.sin_port);
    server_pid = fork();
    if (server_pid < 0) fail("can't start the server");
    if (server_pid > 0) {
        close(fd);
        mc_text_deinit(&trees);
        return;
    }
    for (;;) {
        int client = accept(fd, NULL, NULL);
        if (client < 0) continue;
        serve(client, &trees);
        close(client);
    }
}

// ---- the measurement

typedef struct series {
    double times_s[RUN_COUNT_MAX], cpu_times_s[RUN_COUNT_MAX];
} series;

static double get_cpu_time_s(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static uint64_t measure(const char *path, series *to, int run) {
    mc_import_desc desc = {.paths = &path, .path_count = 1};
    mc_import_report report;
    mc_trace *trace;
    mc_error error = {0};
    double begin_cpu_s = get_cpu_time_s();
    uint64_t begin_ns = mc_clock_now_ns();
    if (mc_import_trace(&desc, &trace, &report, &error) != MC_OK) fail(error.message);
    if (run >= 0) {
        to->times_s[run] = (double)(mc_clock_now_ns() - begin_ns) * 1e-9;
        to->cpu_times_s[run] = get_cpu_time_s() - begin_cpu_s;
    }
    mc_trace_destroy(trace);
    return report.input_bytes;
}

static int compare(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

static double get_median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[count / 2];
}

int main(int argc, char **argv) {
    static series files, server;
    int first = 1, run_count = 11;
    char address[64];
    uint16_t port;
    if (argc > 2 && strcmp(argv[1], "--runs") == 0) {
        run_count = atoi(argv[2]);
        first = 3;
    }
    if (argc != first + 1 || run_count < 1 || run_count > RUN_COUNT_MAX) {
        fprintf(stderr, "usage: bench_websocket [--runs 1…%d] FOLDER\n", RUN_COUNT_MAX);
        return 2;
    }
    start_server(argv[first], &port);
    uint64_t size = 0;
    snprintf(address, sizeof address, "ws://127.0.0.1:%u", port);
    for (int run = -1; run < run_count; run++) {
        measure(argv[first], &files, run);
        size = measure(address, &server, run);
    }
    stop_server();
    double file_s = get_median(files.times_s, run_count);
    double server_s = get_median(server.times_s, run_count);
    printf("{\"bench\":\"websocket\",\"path\":\"%s\",\"runs\":%d,\"input_bytes\":%llu,"
           "\"files_median_ms\":%.2f,\"server_median_ms\":%.2f,\"files_cpu_ms\":%.2f,"
           "\"server_cpu_ms\":%.2f,\"files_gb_per_s\":%.3f,\"server_gb_per_s\":%.3f,"
           "\"speed_ratio\":%.3f}\n",
           argv[first], run_count, (unsigned long long)size, file_s * 1e3, server_s * 1e3,
           get_median(files.cpu_times_s, run_count) * 1e3,
           get_median(server.cpu_times_s, run_count) * 1e3, (double)size / file_s * 1e-9,
           (double)size / server_s * 1e-9, file_s / server_s);
    return 0;
}
