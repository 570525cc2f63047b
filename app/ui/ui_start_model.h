// ui_start_model.h - the model of the start page of an empty window: rows below headings.
//
// Read by C and C++ alike; a part of the UI's model. Strings belong to the caller.
#pragma once
#include "engine/base/base.h"

typedef struct mc_ui_start_row {
    const char *heading; // above it; NULL: none
    const char *label, *detail;
    const char *key;  // what it stands for, in the state file
    bool is_disabled; // it can't be taken any more
} mc_ui_start_row;

typedef struct mc_ui_start {
    bool is_shown;
    bool has_programs; // some of the rows are programs that run
    const mc_ui_start_row *rows;
    uint32_t row_count;
    uint32_t chosen; // by keys; MC_NONE: none yet
} mc_ui_start;
