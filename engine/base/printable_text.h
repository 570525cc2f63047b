// printable_text.h - appends text of unknown origin to a growing string so that it is safe to show
// (printable.h).
//
// Threads: one object serves one thread at a time.
#pragma once
#include "engine/base/text.h"

void mc_printable_append(mc_text *text, const char *bytes, size_t size);

// Lines that come in pieces, which may end anywhere. Zero is the beginning. Line ends and tabs stay
// as they are, but not where they belong to a value: between two `quote`s, as CSV has them.
typedef struct mc_printable_lines {
    char quote; // '\0': there is none
    bool is_quoted;
    char kept[4]; // of a character that is not whole
    size_t kept_size;
} mc_printable_lines;

void mc_printable_lines_append(mc_printable_lines *lines, mc_text *text, const char *bytes,
                               size_t size);
void mc_printable_lines_end(mc_printable_lines *lines, mc_text *text); // what was kept
