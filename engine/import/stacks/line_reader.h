// line_reader.h - walks through the lines of a text in memory, and through what stands in one.
//
// Pure; spans point into the text. Threads: separate objects may be used in parallel.
#pragma once
#include "engine/import/stacks/stack_sites.h"

typedef struct mc_lines {
    const char *at, *end;
} mc_lines;

// The next line, without what ends it. False: there is none.
bool mc_lines_next(mc_lines *lines, mc_span *line);

bool mc_span_begins_with(mc_span text, const char *prefix);
bool mc_span_is(mc_span text, const char *wanted);
// Takes the prefix off; false: there is none.
bool mc_span_skip(mc_span *text, const char *prefix);
void mc_span_skip_blanks(mc_span *text);
// Takes a number up to 2^63 - 1 off; false: there is none.
bool mc_span_take_decimal(mc_span *text, uint64_t *number);
// The same of up to 64 bits, with or without "0x" before it.
bool mc_span_take_hex(mc_span *text, uint64_t *number);

// "add (shop.c:12)", "add (in /lib/libshop.so)", "0x10A: add (shop.c:12)", "0x10A: ???", as
// valgrind has them.
mc_site_frame mc_span_parse_valgrind(mc_span label);
