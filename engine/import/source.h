// source.h - finds the files of a trace: steps and pointer maps, in folders as AntTracks writes
// them, and heap dumps.
//
// A folder holds one kind of input: heap dumps if any of its files is one, or else steps, or else
// class histograms: the first of formats.h. Looked at are files that are named as a format's files
// are (*.json, *.json.gz …) and not hidden, and what they hold, as far as that shows at their
// beginning. Files of another kind are left aside, which is told, but for texts that are no input
// at all; files that may be damaged ones of the folder's kind are taken, so that reading them
// tells. A file that is given by itself may have any name, and is taken for what it is. Threads:
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
