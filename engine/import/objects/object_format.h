// object_format.h - the functions of a format of heaps of objects (heap_format.h), whatever its
// reader is.
//
// Threads: as heap_format.h says.
#pragma once
#include "engine/import/objects/object_import.h"

// With the format's own reader; the others are as of mc_heap_format.
mc_result mc_object_format_open(const mc_object_reader *reader, const unsigned char *data,
                                uint64_t size, const mc_heap_desc *desc, void **opened,
                                mc_heap **heap, mc_error *error);
mc_result mc_object_format_link(void *opened, mc_error *error);
mc_result mc_object_format_write_rows(void *opened, const struct mc_hprof_columns *columns,
                                      mc_row_form form, mc_output_sink sink, mc_error *error);
void mc_object_format_append_damage(const void *opened, mc_text *text);
void mc_object_format_close(void *opened);

// Defines what is the same in all such formats: create() and detect() for its row of mc_format, and
// its mc_heap_format of this name. DETECT and PEEK_TIME are members of the latter.
#define MC_OBJECT_FORMAT(HEAP_FORMAT, READER, DETECT, PEEK_TIME)                                  \
    static mc_result create(const mc_import_context *context, void **importer, mc_error *error) { \
        return mc_object_importer_create(context, &(READER), importer, error);                    \
    }                                                                                             \
    static mc_format_match detect(const unsigned char *data, size_t size) {                       \
        return DETECT(data, size) ? MC_FORMAT_MATCHES : MC_FORMAT_OTHER;                          \
    }                                                                                             \
    static mc_result open(const unsigned char *data, uint64_t size, const mc_heap_desc *desc,     \
                          void **opened, mc_heap **heap, mc_error *error) {                       \
        return mc_object_format_open(&(READER), data, size, desc, opened, heap, error);           \
    }                                                                                             \
    const mc_heap_format HEAP_FORMAT = {.detect = (DETECT),                                       \
                                        .peek_time = (PEEK_TIME),                                 \
                                        .open = open,                                             \
                                        .link = mc_object_format_link,                            \
                                        .write_rows = mc_object_format_write_rows,                \
                                        .append_damage = mc_object_format_append_damage,          \
                                        .close = mc_object_format_close}
