#include "engine/import/rows/rows_source.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#define ASK_MS 100 // between two questions whether to go on

static mc_result read_descriptor(mc_rows_source *self, char *out, size_t size, size_t *read_size,
                                 mc_error *error) {
    for (;;) {
        struct pollfd wait = {.fd = self->fd, .events = POLLIN};
        if (mc_import_watch_should_stop(self->watch))
            return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        if (poll(&wait, 1, ASK_MS) == 0) continue; // who writes a pipe may take his time
        ssize_t got = read(self->fd, out, size);
        if (got >= 0) {
            *read_size = (size_t)got;
            mc_import_watch_add(self->watch, (uint64_t)got);
            return MC_OK;
        }
        if (errno != EINTR)
            return mc_fail(error, MC_ERROR_IO, "%s: can't read: %s", self->name, strerror(errno));
    }
}

mc_result mc_rows_source_read(mc_rows_source *self, char *out, size_t size, size_t *read_size,
                              mc_error *error) {
    *read_size = 0;
    if (self->fd >= 0) return read_descriptor(self, out, size, read_size, error);
    if (self->packed) {
        if (mc_inflate_stream_is_done(self->packed)) return MC_OK;
        mc_result result =
            mc_inflate_stream_read(self->packed, (unsigned char *)out, size, read_size, error);
        return result == MC_OK ? MC_OK : mc_error_prepend(error, self->name);
    }
    *read_size = self->size < size ? self->size : size;
    memcpy(out, self->data, *read_size);
    self->data += *read_size;
    self->size -= *read_size;
    mc_import_watch_add(self->watch, *read_size);
    return MC_OK;
}
