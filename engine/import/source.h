// source.h - finds the files of a trace: steps and pointer maps, in folders as AntTracks writes
// them, and heap dumps.
//
// A folder holds one kind of input: that of the first format in formats.h that any of its files
// has, heap dumps before steps before class histograms. Only files that are not hidden and are
// named like a format's files (*.json, *.json.gz …) are considered, and their content as far as its
// beginning shows it. Files of another kind are skipped and reported, except texts that are no
// input at all. Files that may be damaged ones of the folder's kind are taken, so that reading
// reports the damage. A file given by itself may have any name; its content decides. Threads:
// separate lists may be filled in parallel.
#pragma once
#include "engine/import/format/format.h"

typedef struct mc_source_list {
    mc_source_file *files; // all steps, then all maps; those of one folder by name
    size_t count, capacity;
    size_t step_count;
    uint64_t size; // of all files together
} mc_source_list;

// Errors: MC_ERROR_IO for a path that can't be read, MC_ERROR_BAD_DATA for a folder without steps;
// the message names the path. `log` is told which of several folders is taken, and which files are
// left aside; may be NULL. The list is to be deinitialised in any case.
mc_result mc_source_list_find(mc_source_list *list, const char *const *paths, uint32_t path_count,
                              const mc_log *log, mc_error *error);
void mc_source_list_deinit(mc_source_list *list);
