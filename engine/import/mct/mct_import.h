// mct_import.h - an .mct file as input: it is a whole trace, and opened as it is.
//
// Threads: separate files may be opened in parallel.
#pragma once
#include "engine/import/format/format.h"

// The .mct file among the inputs, by its content; *path is NULL if there is none. MC_ERROR_BAD_DATA
// if it is not the only one.
mc_result mc_mct_import_find(const mc_import_desc *desc, const char **path, mc_error *error);

mc_result mc_mct_import_open(const mc_import_desc *desc, const char *path, mc_trace **trace,
                             mc_import_report *report, mc_error *error);

// Passes its steps and references on instead, one at a time.
mc_result mc_mct_import_steps(const mc_import_desc *desc, const char *path,
                              const mc_import_sink *sink, mc_import_report *report,
                              mc_error *error);
