#include "app/commands/live_file.h"

#include "app/command.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEMPORARY_NAME "live.mct"

static mc_result choose_path(mc_live_file *self, char path[PATH_MAX], mc_error *error) {
    const char *parent = getenv("XDG_RUNTIME_DIR");
    if (self->desc.output) {
        snprintf(path, PATH_MAX, "%s", self->desc.output);
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
    snprintf(path, PATH_MAX, "%.3000s/" TEMPORARY_NAME, self->folder);
    return MC_OK;
}

mc_result mc_live_file_begin(mc_live_file *self, const mc_live_file_desc *desc, mc_error *error) {
    char path[PATH_MAX];
    *self = (mc_live_file){.desc = *desc, .output = {.claim = {.lock = -1}}};
    mc_result result = choose_path(self, path, error);
    return result == MC_OK ? mc_live_output_open(&self->output, path, error) : result;
}

static void open_window(mc_live_file *self) {
    const char *arguments[] = {self->output.path, "--follow", NULL};
    if (!self->desc.output || self->desc.follow) mc_live_window_open(&self->window, arguments);
}

mc_result mc_live_file_commit(mc_live_file *self, mc_error *error) {
    mc_result result = mc_mct_writer_commit(self->output.writer, error);
    if (result == MC_OK && self->output.step_count > 0) open_window(self);
    return result;
}

bool mc_live_file_is_over(mc_live_file *self) {
    mc_live_window_watch(&self->window);
    return self->window.is_gone && !self->desc.output;
}

static void tell_end(const mc_live_file *self) {
    if (!self->desc.output || self->desc.quiet) return;
    if (self->output.step_count == 0)
        mc_message_say("no step was recorded");
    else
        mc_message_say("%s: %" PRIu32 " %s recorded; `memcity %s` shows them", self->output.path,
                       self->output.step_count, self->output.step_count == 1 ? "step" : "steps",
                       self->output.path);
}

static void remove_temporary(const mc_live_file *self) {
    static const char *const ends[] = {"", "-journal", "-wal", "-shm"};
    char path[PATH_MAX + 16];
    if (!self->folder[0]) return;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        snprintf(path, sizeof path, "%s%s", self->output.path, ends[i]);
        unlink(path);
    }
    rmdir(self->folder);
}

int mc_live_file_end(mc_live_file *self, int code) {
    bool was_begun = self->output.writer != NULL;
    mc_error error = {0};
    bool is_fine = mc_live_output_finish(&self->output, &error) == MC_OK;
    if (!is_fine) mc_command_fail(&error);
    if (was_begun) tell_end(self);
    mc_live_window_wait(&self->window);
    mc_live_output_end(&self->output);
    remove_temporary(self);
    if (code != MC_EXIT_OK) return code;
    return is_fine && self->output.step_count > 0 ? MC_EXIT_OK : MC_EXIT_FAILED;
}
