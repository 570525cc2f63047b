#include "app/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

mc_result mc_output_begin(mc_output *self, const char *path, bool is_csv, mc_error *error) {
    mc_result result = MC_OK;
    *self = (mc_output){.is_standard = !path || strcmp(path, "-") == 0};
    if (!self->is_standard) result = mc_file_writer_begin(&self->file, path, error);
    if (result != MC_OK) return result;
    self->stream = self->is_standard ? stdout : self->file.stream;
    self->is_terminal = isatty(fileno(self->stream)) != 0;
    self->lines.quote = is_csv ? '"' : '\0';
    return MC_OK;
}

static bool write_bytes(mc_output *self, const char *bytes, size_t size) {
    bool is_written = size == 0 || fwrite(bytes, 1, size, self->stream) == size;
    if (is_written && (!self->is_standard || fflush(self->stream) == 0)) return true;
    self->is_closed = errno == EPIPE;
    if (self->is_closed) clearerr(self->stream);
    return false;
}

static bool write_shown(mc_output *self) {
    bool is_whole = !self->shown.failed;
    if (!is_whole) errno = ENOMEM;
    return is_whole && write_bytes(self, self->shown.data, self->shown.size);
}

bool mc_output_write(mc_output *self, const char *bytes, size_t size) {
    if (!self->is_terminal) return write_bytes(self, bytes, size);
    mc_text_clear(&self->shown);
    mc_printable_lines_append(&self->lines, &self->shown, bytes, size);
    return write_shown(self);
}

mc_result mc_output_end(mc_output *self, mc_result result, mc_error *error) {
    if (self->is_terminal) {
        mc_text_clear(&self->shown);
        mc_printable_lines_end(&self->lines, &self->shown);
        if (!write_shown(self) && result == MC_OK)
            result = mc_fail(error, MC_ERROR_IO, "can't write the output: %s", strerror(errno));
    }
    mc_text_deinit(&self->shown);
    if (!self->is_standard && result == MC_OK) result = mc_file_writer_commit(&self->file, error);
    if (!self->is_standard) mc_file_writer_discard(&self->file);
    return self->is_closed ? MC_OK : result;
}
