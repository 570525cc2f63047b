// go_spans.h - finds the object that an address is in, of objects that a heap dump of Go lists.
//
// A pointer may point into the middle of an object. Objects come span by span, in a span by their
// addresses; runs of these, one a page of 8 KiB, are sorted, and a table leads to them. Memory: 64
// bytes a run, and a quarter as much for the table. Threads: one object may be asked in parallel.
#pragma once
#include "engine/base/base.h"

#define MC_GO_RUN_SLOTS 16u // of a page

typedef struct mc_go_run {
    uint64_t address;
    uint32_t begin, end;               // objects
    uint64_t size;                     // of the smallest
    bool is_uniform;                   // all have it, as in Go's spans
    uint16_t befores[MC_GO_RUN_SLOTS]; // of the page's slots: objects that begin before it
} mc_go_run;

// Zero-initialise, build, deinit.
typedef struct mc_go_spans {
    const uint64_t *addresses, *sizes; // by object
    mc_go_run *runs;
    uint32_t run_count;
    size_t run_capacity;
    uint32_t *firsts; // by what is left of an address: the first run that begins there or behind
    uint64_t base, last;
    uint32_t shift;
} mc_go_spans;

// The columns must outlive it. MC_ERROR_BAD_DATA if objects overlap.
mc_result mc_go_spans_build(mc_go_spans *spans, const uint64_t *addresses, const uint64_t *sizes,
                            uint32_t count, mc_error *error);
void mc_go_spans_deinit(mc_go_spans *spans);
// The objects that `count` addresses are in; MC_NONE: it is in none. Many at once wait for memory
// together.
void mc_go_spans_find_all(const mc_go_spans *spans, const uint64_t *addresses, uint32_t *objects,
                          uint32_t count);
// The same of one.
uint32_t mc_go_spans_find(const mc_go_spans *spans, uint64_t address);
