// mct_import.h - opens an .mct file as input: it is a complete trace already.
//
// Threads: separate files may be opened in parallel.
#pragma once
#include "engine/import/format/format.h"

// The .mct file among the inputs, by its content; *path is NULL if there is none. MC_ERROR_BAD_DATA
// if it is not the only one.
mc_result mc_mct_import_find(const mc_import_desc *desc, const char **path, mc_error *error);

mc_result mc_mct_import_open(const mc_import_desc *desc, const char *path, mc_trace **trace,
                             mc_import_report *report, mc_error *error);

// Passes a trace's steps and references on instead, one at a time. `path`: where it is from.
mc_result mc_mct_import_pass(const mc_trace *trace, const mc_import_desc *desc, const char *path,
                             const mc_import_sink *sink, mc_error *error);
