// heap_file.h - opens a file that holds a heap, plain or packed, whatever wrote it, and links it if
// requested: see heap.h.
//
// A packed one is unpacked into a file without a name (hprof_unpack.h). A new format is a row in
// heap_file.c (heap_format.h). Threads: one object serves one thread at a time.
#pragma once
#include "engine/base/file.h"
#include "engine/import/format/heap_format.h"

typedef struct mc_heap_file {
    const char *path;
    mc_file_map map, unpacked; // unpacked: empty if the file is plain
    const mc_heap_format *format;
    void *reader;
    mc_heap *heap; // the reader's
    bool is_cut;   // the packed data ends too early
} mc_heap_file;

// Whether a file holds a heap, and the time that its header says: what is read is its beginning.
mc_result mc_heap_file_peek(const char *path, bool *is_heap, int64_t *time_ms, mc_error *error);

// Of `desc` all counts but is_mapped and the threads: it takes as many as there are cores.
// The groups are known then, but for those by data structure. `path` must outlive the file.
// MC_ERROR_BAD_DATA names the file and where it is wrong. To be closed in any case.
mc_result mc_heap_file_open(mc_heap_file *file, const char *path, const mc_heap_desc *desc,
                            mc_error *error);
// The graph, which takes most of the time, and groups by data structure.
mc_result mc_heap_file_link(mc_heap_file *file, const mc_progress *progress, mc_error *error);
// As mc_hprof_rows_write().
mc_result mc_heap_file_write_rows(mc_heap_file *file, const struct mc_hprof_columns *columns,
                                  mc_row_form form, mc_output_sink sink,
                                  const mc_progress *progress, mc_error *error);
// As mc_hprof_cells_read().
mc_result mc_heap_file_read_cells(mc_heap_file *file, const struct mc_hprof_columns *columns,
                                  struct mc_hprof_cells *cells, const mc_progress *progress,
                                  mc_error *error);
// As mc_hprof_shapes_read().
mc_result mc_heap_file_read_shapes(mc_heap_file *file, const struct mc_hprof_columns *columns,
                                   struct mc_hprof_shapes *shapes, const mc_progress *progress,
                                   mc_error *error);
void mc_heap_file_close(mc_heap_file *file);

// Appends one sentence on what is missing, nothing if all is there: results are then incomplete.
void mc_heap_file_append_damage(const mc_heap_file *file, mc_text *text);
