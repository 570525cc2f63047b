#include "app/record/process_recording.h"

#include "app/command.h"
#include "engine/base/clock.h"
#include "engine/base/printable.h"
#include "engine/live/jvm_list.h"
#include "engine/live/nodejs.h"
#include "engine/live/record_clock.h"
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLOCK_SLACK_MS 10000 // by which the clock may have been set since a process began
#define TICK_MS 100          // how often one looks whether the process is alive, while waiting
#define LAST_MS INT64_C(253402300800000) // the year 10000: later times could overflow

void mc_process_recording_learn(uint32_t pid, uint64_t start_ticks, mc_mct_program *program) {
    mc_record_moment now = mc_record_moment_read();
    double age_s =
        (double)now.steady_ns * 1e-9 - (double)start_ticks / (double)sysconf(_SC_CLK_TCK);
    char name[MC_PROGRAM_NAME_SIZE];
    *program = (mc_mct_program){.pid = 0};
    bool is_known =
        mc_nodejs_is(pid) ? mc_nodejs_read_program(pid, name) : mc_jvm_read_program(pid, name);
    if (!is_known) return;
    snprintf(program->name, sizeof program->name, "%s", name);
    program->pid = pid;
    program->start_ms = now.wall_ms - (int64_t)(age_s * 1000);
}

mc_result mc_process_recording_check(const char *path, const mc_mct_program *now, bool appends,
                                     char note[MC_PROCESS_NOTE_SIZE], mc_error *error) {
    mc_mct_program before;
    note[0] = '\0';
    mc_result result = mc_mct_read_program(path, &before, error);
    if (result != MC_OK || before.pid == 0 || now->pid == 0) return result;
    int64_t apart_ms = now->start_ms - before.start_ms;
    if (now->pid == before.pid && llabs(apart_ms) < CLOCK_SLACK_MS) return MC_OK;
    mc_excerpt excerpt;
    const char *was = mc_excerpt_make(&excerpt, before.name, strlen(before.name));
    if (strcmp(now->name, before.name) != 0 && !appends)
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "%s: has steps of another program, %s (PID %" PRIu32
                       "), not of %s; give another file with -o, or --append",
                       path, was, before.pid, now->name);
    mc_message_warn("%s: its last steps are of another process, %s (PID %" PRIu32
                    "): growth from these to the new ones means nothing",
                    path, was, before.pid);
    snprintf(note, MC_PROCESS_NOTE_SIZE, "process %" PRIu32 " begins", now->pid);
    return MC_OK;
}

mc_result mc_process_recording_check_last(const char *path, int64_t last_ms, mc_error *error) {
    if (last_ms < LAST_MS) return MC_OK;
    return mc_fail(error, MC_ERROR_UNSUPPORTED,
                   "%s: its last step is after the year 9999, so no step can be appended", path);
}

bool mc_process_recording_wait(uint64_t due_ns, bool (*is_alive)(const void *user),
                               const void *user) {
    for (;;) {
        if (mc_command_is_interrupted() || !is_alive(user)) return false;
        uint64_t now_ns = mc_clock_now_ns();
        if (now_ns >= due_ns) return true;
        uint64_t rest_ms = (due_ns - now_ns) / 1000000 + 1;
        poll(NULL, 0, rest_ms < TICK_MS ? (int)rest_ms : TICK_MS);
    }
}

uint64_t mc_process_recording_choose_due(uint64_t begin_ns, uint64_t due_ns, int64_t every_ms) {
    uint64_t every_ns = (uint64_t)every_ms * 1000000, now_ns = mc_clock_now_ns();
    if (every_ns == 0) return now_ns;
    if (due_ns + every_ns > now_ns) return due_ns + every_ns;
    return begin_ns + ((now_ns - begin_ns) / every_ns + 1) * every_ns;
}
