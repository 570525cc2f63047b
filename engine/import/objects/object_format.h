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
