// diff_parts.h - the differences between two traces for readers: in a sentence, and in parts.
//
// What grew comes before what shrank, the program's own groups before the language's library. What
// is new grew, what is gone shrank; a mark says so. Threads: any.
#pragma once
#include "app/print/print_diff.h"

#define MC_DIFF_PARTS 4 // grew, grew in the library, shrank, shrank in the library

typedef struct mc_diff_parts {
    const mc_diff_story *story;
    uint8_t *is_library; // per node of the pair
    bool is_told_apart;  // there are both
} mc_diff_parts;

// The story outlives the parts. False: out of memory. To be deinitialised in any case.
bool mc_diff_parts_init(mc_diff_parts *parts, const mc_diff_story *story);
void mc_diff_parts_deinit(mc_diff_parts *parts);

bool mc_diff_parts_has(const mc_diff_parts *parts, uint32_t part, const mc_diff_entry *entry);
// How many groups a part has, all of the story's.
uint32_t mc_diff_parts_count(const mc_diff_parts *parts, uint32_t part);
// Appends "Grew in the language's library: 12 groups, 3 new".
void mc_diff_parts_append_heading(const mc_diff_parts *parts, uint32_t part, mc_text *out);
// Appends "b.mct holds 2.63 MiB more than a.mct: +821 KiB in String, …; 3 new groups, 1 gone.";
// nothing if a total is not known.
void mc_diff_parts_append_sentence(const mc_diff_parts *parts, mc_text *out);

// Appends "lambdas", or "--fold REGEX=NAME" of a rule of the user's: what one rule folds.
void mc_diff_append_fold(const mc_fold *fold, mc_text *out);
