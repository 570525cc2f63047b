// report_pair.h - the report on two traces: facts on each, their differences, and pictures of both.
//
// Threads: the main thread.
#pragma once
#include "app/command.h"
#include "app/print/print_diff.h"
#include "app/report/report_pictures.h"

typedef struct mc_report_pair_desc {
    const char *const *paths; // of A; input->pair says B
    uint32_t path_count;
    const mc_input_options *input;
    const mc_picture_options *picture;
    const char *output, *title; // title NULL: the traces' names
    uint32_t group_count;       // of each kind, at most; 0: all
    bool no_pictures;
} mc_report_pair_desc;

// Writes the page. Returns an exit code, after saying why not.
int mc_report_pair_make(const mc_report_pair_desc *desc);

// What its page is made of. `report` has what pages share: title, version, metric, trace and
// window.
typedef struct mc_report_pair {
    mc_report report;
    mc_diff_story story;
    const mc_report_pair_pictures *pictures; // NULL: none
} mc_report_pair;

// Pure text building, as of report_page.h. O(size of the page + groups).
void mc_report_pair_append_page(mc_text *out, const mc_report_pair *pair);
