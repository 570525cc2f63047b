// hprof_heap_file.h - opens a heap dump file, plain or packed, and links it if requested: see
// hprof_heap.h.
//
// A packed one is unpacked into a file without a name (hprof_unpack.h). Threads: as hprof_heap.h.
#pragma once
#include "engine/base/file.h"
#include "engine/import/hprof/hprof_rows.h"

typedef struct mc_hprof_heap_file {
    const char *path;
    mc_file_map map, unpacked; // unpacked: empty if the dump is plain
    mc_hprof_heap heap;
    bool is_cut; // the packed data ends too early
} mc_hprof_heap_file;

// Whether a file is a heap dump, and the time that its header says: what is read is its beginning.
mc_result mc_hprof_heap_file_peek(const char *path, bool *is_dump, int64_t *time_ms,
                                  mc_error *error);

// Of `desc` all counts but is_mapped and the threads: it takes as many as there are cores.
// The groups are known then, but for those by data structure. `path` must outlive the file.
// MC_ERROR_BAD_DATA names the file and where it is wrong. To be closed in any case.
mc_result mc_hprof_heap_file_open(mc_hprof_heap_file *file, const char *path,
                                  const mc_hprof_desc *desc, mc_error *error);
// The graph, which takes most of the time, and groups by data structure.
mc_result mc_hprof_heap_file_link(mc_hprof_heap_file *file, const mc_progress *progress,
                                  mc_error *error);
// As mc_hprof_rows_write().
mc_result mc_hprof_heap_file_write_rows(mc_hprof_heap_file *file, const mc_hprof_columns *columns,
                                        mc_row_form form, mc_output_sink sink,
                                        const mc_progress *progress, mc_error *error);
void mc_hprof_heap_file_close(mc_hprof_heap_file *file);

// Appends one sentence on what is missing, nothing if all is there: results are then incomplete.
void mc_hprof_heap_file_append_damage(const mc_hprof_heap_file *file, mc_text *text);
