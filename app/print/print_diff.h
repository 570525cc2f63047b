// print_diff.h - the differences between two traces, as text, JSON and TSV.
//
// Everything is appended to `out`, which says if memory ran out. Threads: any.
#pragma once
#include "app/print/print.h"
#include "engine/analyze/diff.h"
#include "engine/analyze/name_folds.h"

typedef struct mc_diff_story {
    const mc_diff_desc *desc;
    const mc_diff *diff;
    const mc_trace *sides[MC_VERSUS_SIDES];
    const char *names[MC_VERSUS_SIDES]; // of the traces
    const mc_name_folds *folds;
    uint32_t most; // maximum number of groups of each kind; for JSON and TSV in all
} mc_diff_story;

// Appends a sentence on the end of a side that is left out; nothing if none is.
void mc_diff_append_ends(const mc_diff_story *story, mc_text *out);
// Appends a sentence on how many new and gone groups are not listed as such, and why; nothing if
// there are none.
void mc_diff_append_chance(const mc_diff *diff, mc_text *out);
void mc_diff_print(mc_print *print, const mc_diff_story *story);
// Text: a sentence on the result, then what grew, the program's own first, then what shrank.
void mc_diff_print_text(mc_print *print, const mc_diff_story *story);
