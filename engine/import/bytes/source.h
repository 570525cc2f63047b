// source.h - finds the files of a trace: steps and pointer maps, in folders as AntTracks writes
// them, and heap dumps.
//
// A folder holds one kind of input: heap dumps if any of its files is one, or else steps, or else
// class histograms. Looked at are files named *.json, *.hprof, *.txt or *.histo, or those with .gz
// or .zst, that are not hidden, and what they hold (input_kind.h), as far as that shows at their
// beginning. Files of another kind are left aside, which is told, but for texts that are no input
// at all; files that may be damaged ones of the folder's kind are taken, so that reading them
// tells. A file that is given by itself may have any name, and is taken for what it is. Threads:
// separate lists may be filled in parallel.
#pragma once
#include "engine/base/base.h"

typedef enum mc_source_kind {
    MC_SOURCE_STEP,
    MC_SOURCE_POINTS_TO,
    MC_SOURCE_POINTED_FROM
} mc_source_kind;

typedef struct mc_source_file {
    char *path;
    mc_source_kind kind;
    uint32_t group; // which of the given paths it comes from
    uint64_t size;  // on disk
} mc_source_file;

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

// The part of a file's name that a step has in common with its pointer maps: no folder, no
// extension.
const char *mc_source_file_get_stem(const mc_source_file *file, size_t *size);
