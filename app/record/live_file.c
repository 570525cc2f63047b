#include "app/record/live_file.h"

#include "app/command.h"
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>

static mc_result choose_path(mc_live_file *self, char path[PATH_MAX], mc_error *error) {
    if (self->desc.output) {
        snprintf(path, PATH_MAX, "%s", self->desc.output);
        return MC_OK;
    }
    mc_result result = mc_run_folder_make(&self->folder, error);
    if (result == MC_OK) snprintf(path, PATH_MAX, "%s/" MC_RUN_RECORDING, self->folder.path);
    return result;
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

int mc_live_file_end(mc_live_file *self, int code) {
    bool was_begun = self->output.writer != NULL;
    mc_error error = {0};
    bool is_fine = mc_live_output_finish(&self->output, &error) == MC_OK;
    if (!is_fine) mc_command_fail(&error);
    if (was_begun) tell_end(self);
    mc_live_window_wait(&self->window);
    mc_live_output_end(&self->output);
    mc_run_folder_remove(&self->folder);
    if (code != MC_EXIT_OK) return code;
    return is_fine && self->output.step_count > 0 ? MC_EXIT_OK : MC_EXIT_FAILED;
}
