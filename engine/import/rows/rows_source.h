// rows_source.h - the source of rows: a file descriptor or memory, packed or not.
//
// Threads: one object, one thread.
#pragma once
#include "engine/import/bytes/inflate.h"

typedef struct mc_rows_source {
    const char *name; // for messages; the caller's
    int fd;           // to be read; -1: the rest of `data`, or of `packed`
    const unsigned char *data;
    size_t size;
    mc_inflate_stream *packed;
    mc_import_watch *watch; // what is read is counted there; may be NULL
} mc_rows_source;

// Reads some bytes, at least one unless there are no more. Returns MC_ERROR_IO, or
// MC_ERROR_BAD_DATA of packed ones that are damaged.
mc_result mc_rows_source_read(mc_rows_source *self, char *out, size_t size, size_t *read_size,
                              mc_error *error);
