#include "app/commands/live_file.h"

#include "app/command.h"
#include <errno.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TEMPORARY_NAME "live.mct"

extern char **environ;

static mc_result choose_path(mc_live_file *self, mc_error *error) {
    const char *parent = getenv("XDG_RUNTIME_DIR");
    if (self->desc.output) {
        snprintf(self->path, sizeof self->path, "%s", self->desc.output);
        return MC_OK;
    }
    if (!parent || access(parent, W_OK) != 0) parent = "/tmp";
    snprintf(self->folder, sizeof self->folder, "%.2000s/memcity-listen-XXXXXX", parent);
    if (!mkdtemp(self->folder)) {
        mc_error_set(error, MC_ERROR_IO, MC_ERROR_NO_OFFSET, "can't make %s: %s", self->folder,
                     strerror(errno));
        self->folder[0] = '\0';
        return MC_ERROR_IO;
    }
    snprintf(self->path, sizeof self->path, "%.3000s/" TEMPORARY_NAME, self->folder);
    return MC_OK;
}

mc_result mc_live_file_begin(mc_live_file *self, const mc_live_file_desc *desc, mc_error *error) {
    static mc_log log;
    log = mc_command_get_log();
    *self = (mc_live_file){.desc = *desc, .claim = {.lock = -1}};
    mc_result result = choose_path(self, error);
    if (result == MC_OK) result = mc_mct_claim_begin(&self->claim, self->path, error);
    if (result != MC_OK) return result;
    if (!self->claim.is_empty)
        return mc_error_set(error, MC_ERROR_IO, MC_ERROR_NO_OFFSET,
                            "%s: there is a recording already, and another run does not go on with "
                            "it; -o another file",
                            self->path);
    mc_mct_writer_desc writer = {.path = self->path, .sync = MC_MCT_SYNC_START, .log = &log};
    return mc_mct_writer_create(&writer, &self->writer, error);
}

// The program itself, which follows the file: if it is closed or fails, the recording goes on.
static void open_window(mc_live_file *self) {
    char program[PATH_MAX];
    if (self->window || self->has_window_gone || (self->desc.output && !self->desc.follow)) return;
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    if (size <= 0) return;
    program[size] = '\0';
    const char *arguments[] = {program, "view", self->path, "--follow", NULL};
    int code = posix_spawn(&self->window, program, NULL, NULL, (char *const *)(uintptr_t)arguments,
                           environ);
    if (code == 0) return;
    self->window = 0;
    self->has_window_gone = true;
    mc_message_warn("no window: %s", strerror(code));
}

static void watch_window(mc_live_file *self, bool waits) {
    int status;
    if (self->window <= 0) return;
    pid_t ended = waitpid(self->window, &status, waits ? 0 : WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) return;
    self->window = 0;
    self->has_window_gone = true;
}

mc_result mc_live_file_commit(mc_live_file *self, mc_error *error) {
    mc_result result = mc_mct_writer_commit(self->writer, error);
    if (result == MC_OK && self->step_count > 0) open_window(self);
    return result;
}

bool mc_live_file_is_over(mc_live_file *self) {
    watch_window(self, false);
    return self->has_window_gone && !self->desc.output;
}

static bool finish(mc_live_file *self) {
    mc_error error = {0};
    bool is_fine = self->step_count == 0 || mc_mct_writer_finish(self->writer, &error) == MC_OK;
    if (!is_fine) mc_command_fail(&error);
    mc_mct_writer_destroy(self->writer);
    self->writer = NULL;
    return is_fine;
}

static void tell_end(const mc_live_file *self) {
    if (!self->desc.output || self->desc.quiet) return;
    if (self->step_count == 0)
        mc_message_say("no step was recorded");
    else
        mc_message_say("%s: %" PRIu32 " %s recorded; `memcity %s` shows them", self->path,
                       self->step_count, self->step_count == 1 ? "step" : "steps", self->path);
}

static void remove_temporary(const mc_live_file *self) {
    static const char *const ends[] = {"", "-journal", "-wal", "-shm"};
    char path[PATH_MAX + 16];
    if (!self->folder[0]) return;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(path, sizeof path, "%s%s", self->path, ends[i]);
        unlink(path);
    }
    rmdir(self->folder);
}

int mc_live_file_end(mc_live_file *self, int code) {
    bool was_begun = self->writer != NULL;
    bool is_fine = !was_begun || finish(self);
    if (was_begun) tell_end(self);
    while (self->window > 0 && !mc_command_is_interrupted())
        watch_window(self, true);
    mc_mct_claim_end(&self->claim, self->step_count > 0);
    remove_temporary(self);
    if (code != MC_EXIT_OK) return code;
    return is_fine && self->step_count > 0 ? MC_EXIT_OK : MC_EXIT_FAILED;
}
