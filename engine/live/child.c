#include "engine/live/child.h"

#include "engine/base/clock.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TICK_MS 50 // how often a request to stop is looked at
#define GRACE_MS 500

extern char **environ;

typedef struct child {
    pid_t process;
    int pipes[2]; // of its stdout and stderr; -1: closed
    bool is_ended;
    int status;
} child;

static mc_result fail(const char *doing, const char *name, int code, mc_error *error) {
    return mc_fail(error, MC_ERROR_IO, "can't %s %s: %s", doing, name, strerror(code));
}

static mc_result start(child *self, const char *const *arguments, const int *write_ends,
                       mc_error *error) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, write_ends[0], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, write_ends[1], STDERR_FILENO);
    // An interrupt from the terminal is for us to handle.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    int code = posix_spawnp(&self->process, arguments[0], &actions, &attributes,
                            (char *const *)(uintptr_t)arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (code == 0) return MC_OK;
    self->process = 0;
    return fail("start", arguments[0], code, error);
}

static void close_end(int *end) {
    if (*end >= 0) close(*end);
    *end = -1;
}

static bool has_ended(child *self) {
    if (!self->is_ended) {
        pid_t process = waitpid(self->process, &self->status, WNOHANG);
        self->is_ended = process == self->process || (process < 0 && errno != EINTR);
    }
    return self->is_ended;
}

static void wait_for(child *self, uint64_t timeout_ms) {
    uint64_t end_ns = mc_clock_now_ns() + timeout_ms * 1000000;
    while (!has_ended(self) && mc_clock_now_ns() < end_ns)
        poll(NULL, 0, 5);
}

static void end(child *self) {
    if (self->process <= 0 || self->is_ended) return;
    kill(-self->process, SIGTERM);
    wait_for(self, GRACE_MS);
    if (self->is_ended) return;
    kill(-self->process, SIGKILL);
    while (waitpid(self->process, &self->status, 0) < 0 && errno == EINTR)
        continue;
    self->is_ended = true;
}

// Takes what is there. False: the other end was closed.
static bool take(int pipe, mc_text *text) {
    char bytes[16384];
    ssize_t size = read(pipe, bytes, sizeof bytes);
    if (size > 0) mc_text_append(text, bytes, (size_t)size);
    return size > 0 || (size < 0 && (errno == EINTR || errno == EAGAIN));
}

static mc_result listen_to(child *self, const mc_child_desc *desc, mc_child_outcome *outcome,
                           mc_error *error) {
    uint64_t end_ns = mc_clock_now_ns() + desc->timeout_ms * 1000000;
    mc_text *texts[2] = {&outcome->output, &outcome->messages};
    while (self->pipes[0] >= 0 || self->pipes[1] >= 0) {
        if (desc->should_stop && desc->should_stop(desc->user)) outcome->is_stopped = true;
        if (mc_clock_now_ns() >= end_ns) outcome->is_timed_out = true;
        if (outcome->is_stopped || outcome->is_timed_out) return MC_OK;
        struct pollfd polled[2] = {{.fd = self->pipes[0], .events = POLLIN},
                                   {.fd = self->pipes[1], .events = POLLIN}};
        if (poll(polled, 2, TICK_MS) < 0 && errno != EINTR)
            return fail("listen to", desc->arguments[0], errno, error);
        for (int i = 0; i < 2; i++) {
            if (self->pipes[i] < 0 || !polled[i].revents) continue;
            if (!take(self->pipes[i], texts[i])) close_end(&self->pipes[i]);
            if (texts[i]->failed) return mc_error_out_of_memory(error);
            if (texts[i]->size > MC_CHILD_OUTPUT_MAX)
                return mc_fail(error, MC_ERROR_IO, "%s says too much", desc->arguments[0]);
        }
    }
    uint64_t now_ns = mc_clock_now_ns();
    wait_for(self, now_ns < end_ns ? (end_ns - now_ns) / 1000000 : 0);
    outcome->is_timed_out = !self->is_ended;
    return MC_OK;
}

mc_result mc_child_run(const mc_child_desc *desc, mc_child_outcome *outcome, mc_error *error) {
    child self = {.pipes = {-1, -1}};
    int ends[4] = {-1, -1, -1, -1};
    *outcome = (mc_child_outcome){.exit_code = -1};
    mc_result result = MC_OK;
    if (pipe2(ends, O_CLOEXEC) != 0 || pipe2(ends + 2, O_CLOEXEC) != 0)
        result = fail("make a pipe for", desc->arguments[0], errno, error);
    if (result == MC_OK) result = start(&self, desc->arguments, (int[]){ends[1], ends[3]}, error);
    self.pipes[0] = ends[0];
    self.pipes[1] = ends[2];
    close_end(&ends[1]);
    close_end(&ends[3]);
    if (result == MC_OK) result = listen_to(&self, desc, outcome, error);
    end(&self);
    close_end(&self.pipes[0]);
    close_end(&self.pipes[1]);
    bool is_whole = result == MC_OK && !outcome->is_timed_out && !outcome->is_stopped;
    if (is_whole && WIFEXITED(self.status)) outcome->exit_code = WEXITSTATUS(self.status);
    return result;
}

void mc_child_outcome_deinit(mc_child_outcome *outcome) {
    mc_text_deinit(&outcome->output);
    mc_text_deinit(&outcome->messages);
}
