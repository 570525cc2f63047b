// histogram_import.h - class histograms in files, as steps of a trace.
//
// Threads: one object serves one thread at a time.
#pragma once
#include "engine/base/file.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/histogram/histogram.h"
#include "engine/import/import.h"

// Zero-initialise but for the first members; deinit.
typedef struct mc_histogram_import {
    const mc_import_desc *desc;
    const mc_import_sink *sink;
    mc_import_report *report; // steps and what is left out are counted here
    mc_import_watch *watch;
    mc_step_clock *clock;

    mc_histogram_reader *reader; // made when it is needed
    mc_step_tree tree;
    mc_inflate_buffer unpacked;
    mc_text text; // scratch
} mc_histogram_import;

void mc_histogram_import_deinit(mc_histogram_import *import);

// Whether the file holds class histograms.
bool mc_histogram_import_detect(const mc_file_map *mapping);

// Passes all of them on. Returns what ends the import.
mc_result mc_histogram_import_file(mc_histogram_import *import, const char *path,
                                   const mc_file_map *mapping, mc_error *error);
