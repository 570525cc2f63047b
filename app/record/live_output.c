#include "app/record/live_output.h"

#include "app/command.h"
#include "engine/base/program_path.h"
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ARGUMENTS_MOST 16

extern char **environ;

mc_result mc_live_output_open(mc_live_output *self, const char *path, mc_error *error) {
    static mc_log log;
    log = mc_command_get_log();
    snprintf(self->path, sizeof self->path, "%s", path);
    mc_result result = mc_mct_claim_begin(&self->claim, self->path, error);
    if (result != MC_OK) return result;
    if (!self->claim.is_empty)
        return mc_fail(error, MC_ERROR_IO,
                       "%s: there is a recording already, and another run does not go on with "
                       "it; -o another file",
                       self->path);
    mc_mct_writer_desc desc = {.path = self->path, .sync = MC_MCT_SYNC_START, .log = &log};
    return mc_mct_writer_create(&desc, &self->writer, error);
}

mc_result mc_live_output_finish(mc_live_output *self, mc_error *error) {
    mc_result result = MC_OK;
    if (self->writer && self->step_count > 0) result = mc_mct_writer_finish(self->writer, error);
    mc_mct_writer_destroy(self->writer);
    self->writer = NULL;
    return result;
}

void mc_live_output_end(mc_live_output *self) {
    mc_mct_claim_end(&self->claim, self->step_count > 0);
}

// ---- the window

// The program itself: if it is closed or fails, the recording goes on.
void mc_live_window_open(mc_live_window *self, const char *const *arguments) {
    mc_text program = {0};
    const char *all[ARGUMENTS_MOST] = {NULL, "view"};
    if (self->pid || self->is_gone) return;
    int code = ENOENT;
    for (uint32_t i = 2; i + 1 < ARGUMENTS_MOST && *arguments; i++)
        all[i] = *arguments++;
    if (mc_program_find_own(&program)) {
        all[0] = program.data;
        code = posix_spawn(&self->pid, program.data, NULL, NULL, (char *const *)(uintptr_t)all,
                           environ);
    }
    mc_text_deinit(&program);
    if (code == 0) return;
    *self = (mc_live_window){.is_gone = true};
    mc_message_warn("no window: %s", strerror(code));
}

static void watch(mc_live_window *self, bool waits) {
    int status;
    if (self->pid <= 0) return;
    pid_t ended = waitpid(self->pid, &status, waits ? 0 : WNOHANG);
    if (ended == 0 || (ended < 0 && errno == EINTR)) return;
    *self = (mc_live_window){.is_gone = true};
}

void mc_live_window_watch(mc_live_window *self) {
    watch(self, false);
}

void mc_live_window_wait(mc_live_window *self) {
    while (self->pid > 0 && !mc_command_is_interrupted())
        watch(self, true);
}
