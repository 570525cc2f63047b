// hprof_import.h - heap dumps in files, as steps of a trace.
//
// Threads: one object serves one thread at a time; reads in as many threads as there are cores.
#pragma once
#include "engine/base/file.h"
#include "engine/import/bytes/watch.h"
#include "engine/import/hprof/hprof.h"
#include "engine/import/import.h"

// Zero-initialise but for the first members; deinit.
typedef struct mc_hprof_import {
    const mc_import_desc *desc;
    const mc_import_sink *sink;
    mc_import_report *report; // steps, what is left out and what is cut off are counted here
    mc_import_watch *watch;
    mc_step_clock *clock;
    uint64_t input_size; // of all files, for the progress

    uint64_t begin, size;          // of the current file in the progress
    uint64_t part_begin, part_end; // of the current work in the file, of 100
    mc_hprof_step step;
    mc_text text; // scratch
} mc_hprof_import;

void mc_hprof_import_deinit(mc_hprof_import *import);

// Whether the file is a heap dump, plain or packed.
bool mc_hprof_import_detect(const mc_file_map *mapping);

// Passes its step on, and its references at once. Returns what ends the import.
mc_result mc_hprof_import_file(mc_hprof_import *import, const char *path,
                               const mc_file_map *mapping, mc_error *error);
