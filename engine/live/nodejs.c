#include "engine/live/nodejs.h"

#include "engine/base/clock.h"
#include "engine/base/printable.h"
#include "engine/live/listening.h"
#include "engine/live/process.h"
#include <dirent.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ARGUMENTS_MOST 8192 // bytes of them that are looked at
#define PORT_USUAL 9229
#define OPEN_MS 5000 // then it will not listen any more
#define TICK_MS 50
#define CLOSE_MS 2000

// ---- the process

bool mc_nodejs_is(uint32_t pid) {
    char name[MC_PROCESS_NAME_SIZE];
    return mc_process_read_file_name(pid, name) &&
           (strcmp(name, "node") == 0 || strcmp(name, "nodejs") == 0);
}

// Of "node --require a.js /srv/shop.js now": "shop.js". Arguments end with a NUL each.
static const char *find_script(const char *arguments, size_t size) {
    static const char *const with_value[] = {
        "-r", "--require", "--import", "--loader", "--experimental-loader", "-C", "--conditions"};
    static const char *const texts[] = {"-e", "--eval", "-p", "--print", "-i", "--interactive"};
    bool skips = true; // its own name
    for (const char *at = arguments; at < arguments + size; at += strlen(at) + 1) {
        const bool is_value = skips;
        skips = false;
        if (is_value) continue;
        if (at[0] != '-') {
            const char *slash = strrchr(at, '/');
            return slash && slash[1] ? slash + 1 : at;
        }
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
            if (strcmp(at, texts[i]) == 0) return NULL; // no file
        for (size_t i = 0; i < sizeof with_value / sizeof *with_value; i++)
            skips |= strcmp(at, with_value[i]) == 0;
    }
    return NULL;
}

bool mc_nodejs_read_program(uint32_t pid, char name[MC_PROGRAM_NAME_SIZE]) {
    char arguments[ARGUMENTS_MOST];
    const size_t size = mc_process_read_arguments(pid, arguments, sizeof arguments);
    const char *script = size > 0 ? find_script(arguments, size) : NULL;
    if (!script || !script[0]) script = "node";
    (void)mc_printable_copy(name, MC_PROGRAM_NAME_SIZE, script, strlen(script));
    return size > 0;
}

uint32_t mc_nodejs_list(mc_program *programs, uint32_t capacity) {
    uint32_t count = 0;
    DIR *stream = opendir("/proc");
    struct dirent *file;
    while (stream && count < capacity && (file = readdir(stream))) {
        const uint32_t pid = mc_process_parse_pid(file->d_name);
        uint32_t user, group;
        bool is_ours;
        mc_program *program = &programs[count];
        // Another user's program does not show what it runs.
        if (pid == 0 || !mc_nodejs_is(pid) || !mc_process_get_user(pid, &user, &group, &is_ours) ||
            !is_ours)
            continue;
        *program = (mc_program){.runtime = MC_PROGRAM_NODE, .pid = pid, .user = user};
        if (!mc_process_read(pid, &program->start_ticks, NULL, 0) ||
            !mc_nodejs_read_program(pid, program->name))
            continue;
        program->uptime_s = mc_process_get_uptime_s(program->start_ticks);
        count++;
    }
    if (stream) closedir(stream);
    mc_program_sort(programs, count);
    return count;
}

bool mc_nodejs_is_alive(const mc_nodejs *node) {
    uint64_t start_ticks;
    return mc_process_read(node->pid, &start_ticks, NULL, 0) && start_ticks == node->start_ticks;
}

mc_result mc_nodejs_init(mc_nodejs *node, uint32_t pid, mc_error *error) {
    uint32_t user, group;
    bool is_ours = false;
    *node = (mc_nodejs){.pid = pid, .timeout_ms = 600000};
    if (!mc_process_read(pid, &node->start_ticks, node->name, sizeof node->name))
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "there is no process %" PRIu32, pid);
    if (!mc_process_get_user(pid, &user, &group, &is_ours) || !is_ours)
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "process %" PRIu32 " (%s) is another user's; only its owner can ask it", pid,
                       node->name);
    if (!mc_process_sees_our_network(pid))
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "process %" PRIu32 " (%s) is in another network, as in a container: record "
                       "it from within, or by docker://, podman:// (memcity help far)",
                       pid, node->name);
    return MC_OK;
}

// ---- the inspector

// "--inspect=127.0.0.1:9333", "--inspect-port=9333"
static uint16_t read_port(uint32_t pid) {
    char arguments[ARGUMENTS_MOST];
    const size_t size = mc_process_read_arguments(pid, arguments, sizeof arguments);
    unsigned long port = 0;
    for (const char *at = arguments; at < arguments + size; at += strlen(at) + 1) {
        const char *value = strncmp(at, "--inspect", 9) == 0 ? strchr(at, '=') : NULL;
        const char *colon = value ? strrchr(value, ':') : NULL;
        if (value) port = strtoul(colon ? colon + 1 : value + 1, NULL, 10);
    }
    return port > 0 && port <= UINT16_MAX ? (uint16_t)port : PORT_USUAL;
}

// One that was open before.
static bool find_open(mc_nodejs *node, const mc_listening *before) {
    const uint16_t port = read_port(node->pid);
    return mc_listening_has(before, port) && mc_nodejs_inspector_find(&node->inspector, port);
}

static bool find_new(mc_nodejs *node, const mc_listening *before) {
    mc_listening now;
    mc_listening_read(node->pid, &now);
    for (uint32_t i = 0; i < now.count; i++)
        if (!mc_listening_has(before, now.ports[i]) &&
            mc_nodejs_inspector_find(&node->inspector, now.ports[i]))
            return true;
    return false;
}

// At a port that nothing tells, since before.
static bool find_any(mc_nodejs *node, const mc_listening *before) {
    for (uint32_t i = 0; i < before->count; i++)
        if (before->are_local[i] && mc_nodejs_inspector_find(&node->inspector, before->ports[i]))
            return true;
    return false;
}

static bool should_stop(const mc_nodejs *node) {
    return node->should_stop && node->should_stop();
}

static mc_result open_inspector(mc_nodejs *node, mc_error *error) {
    mc_listening before;
    mc_listening_read(node->pid, &before);
    if (find_open(node, &before)) return MC_OK;
    // What does not expect the signal ends by it.
    if (!mc_process_catches(node->pid, SIGUSR1) || !mc_nodejs_is_alive(node))
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "process %" PRIu32 " (%s) does not open its inspector on SIGUSR1 now; start "
                       "it with --inspect",
                       node->pid, node->name);
    if (kill((pid_t)node->pid, SIGUSR1) != 0)
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "process %" PRIu32 " (%s) can't be told to open its inspector", node->pid,
                       node->name);
    const uint64_t end_ns = mc_clock_now_ns() + OPEN_MS * UINT64_C(1000000);
    while (mc_clock_now_ns() < end_ns) {
        poll(NULL, 0, TICK_MS);
        if (should_stop(node)) return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        node->is_opened = find_new(node, &before);
        if (node->is_opened) return MC_OK;
    }
    if (find_any(node, &before)) return MC_OK;
    node->inspector.port = 0;
    return mc_fail(error, MC_ERROR_UNSUPPORTED,
                   "process %" PRIu32 " (%s) does not open its inspector: if another program has "
                   "port %d, start it with --inspect-port=0",
                   node->pid, node->name, PORT_USUAL);
}

typedef struct patience {
    const mc_nodejs *node;
    uint64_t end_ns;
    bool is_over;
} patience;

static bool go_on(void *user) {
    patience *self = user;
    self->is_over = mc_clock_now_ns() >= self->end_ns;
    return !self->is_over && !should_stop(self->node);
}

static patience begin_patience(const mc_nodejs *node, uint64_t most_ms) {
    return (patience){node, mc_clock_now_ns() + most_ms * 1000000, false};
}

mc_result mc_nodejs_write_snapshot(mc_nodejs *node, int file, mc_error *error) {
    patience until = begin_patience(node, node->timeout_ms);
    const mc_ws_patience of_client = {go_on, &until};
    mc_result result = MC_OK;
    // Whether it is there still: the program may have closed it.
    if (node->inspector.port == 0 ||
        !mc_nodejs_inspector_find(&node->inspector, node->inspector.port))
        result = open_inspector(node, error);
    if (result == MC_OK)
        result = mc_nodejs_inspector_write_snapshot(&node->inspector, &of_client, file, error);
    if (result == MC_ERROR_CANCELLED && until.is_over)
        return mc_fail(error, MC_ERROR_IO, "a snapshot takes longer than %g s",
                       (double)node->timeout_ms / 1000);
    return result;
}

void mc_nodejs_deinit(mc_nodejs *node) {
    mc_nodejs quiet = *node; // whoever has stopped the recording waits for this, too
    quiet.should_stop = NULL;
    patience until = begin_patience(&quiet, CLOSE_MS);
    const mc_ws_patience of_client = {go_on, &until};
    if (node->is_opened && mc_nodejs_is_alive(node) &&
        mc_nodejs_inspector_find(&node->inspector, node->inspector.port))
        mc_nodejs_inspector_close(&node->inspector, &of_client);
    *node = (mc_nodejs){.pid = 0};
}
