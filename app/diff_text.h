// diff_text.h - what two traces differ in, as text, JSON and TSV.
//
// Everything is appended to `out`, which says if memory ran out. Threads: any.
#pragma once
#include "engine/analyze/diff.h"
#include "engine/analyze/name_folds.h"

// What groups are told under.
typedef enum mc_diff_kind {
    MC_DIFF_KIND_GREW,
    MC_DIFF_KIND_SHRANK,
    MC_DIFF_KIND_NEW,
    MC_DIFF_KIND_GONE,
    MC_DIFF_KIND_COUNT // there is nothing to tell
} mc_diff_kind;
extern const char *const mc_diff_kind_names[]; // headings

mc_diff_kind mc_diff_get_kind(const mc_diff_entry *entry);
// How many there are of each; those of which there is nothing to tell are the same.
void mc_diff_count_kinds(const mc_diff *diff, uint32_t counts[MC_DIFF_KIND_COUNT + 1]);

typedef struct mc_diff_story {
    const mc_diff_desc *desc;
    const mc_diff *diff;
    const mc_trace *sides[MC_VERSUS_SIDES];
    const char *names[MC_VERSUS_SIDES]; // of the traces
    const mc_name_folds *folds;
    uint32_t most; // groups that are told of each kind; of JSON and TSV in all
} mc_diff_story;

void mc_diff_append_text(const mc_diff_story *story, mc_text *out);
void mc_diff_append_json(const mc_diff_story *story, mc_text *out);
void mc_diff_append_tsv(const mc_diff_story *story, mc_text *out); // with a header
