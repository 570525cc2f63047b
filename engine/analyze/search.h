// search.h - finds nodes by their full keys, fast enough to search while typing.
//
// Substring search ignores the case of ASCII letters; other bytes are compared as they are (keys
// are UTF-8). '.' and '/' in a pattern also match '#': java.util.LinkedList, as in a stack trace,
// finds the class in java.util#LinkedList. If a district's full key matches, so do those of all
// nodes below it, and its buildings are shown. A hit is therefore marked as own (the match reaches
// into the node's own part of the full key) or inherited. Each distinct part of a key is searched
// once, however many nodes have it. Matches that span two parts are only looked for if the pattern
// contains a byte with which parts begin: '#', or what matches it. Regular expressions are Perl's,
// ignore case, and match against full keys; the steps per match are bounded, so no pattern hangs.
// Threads: separate searches may run in parallel; one serves one thread at a time.
#pragma once
#include "engine/analyze/max_tree.h"
#include "engine/trace/trace.h"

typedef enum mc_search_mode { MC_SEARCH_SUBSTRING, MC_SEARCH_REGEX } mc_search_mode;

enum {
    MC_SEARCH_HIT = 1, // the full key matches
    MC_SEARCH_OWN = 2  // and would not without the node's own part of it
};

// Belongs to the search and holds until the next find.
typedef struct mc_search_result {
    const uint8_t *marks; // per node: flags
    const uint32_t *own;  // nodes with MC_SEARCH_OWN, ascending: what to list
    uint32_t own_count;
    uint32_t leaf_count; // leaves with MC_SEARCH_HIT, inherited or own: the buildings to show
} mc_search_result;

typedef struct mc_search mc_search;

// `trace` must outlive the search. O(1).
mc_result mc_search_create(const mc_trace *trace, mc_search **search, mc_error *error);
void mc_search_destroy(mc_search *search); // NULL is fine

#define MC_SEARCH_MOST_SIZE 1024 // of a pattern

// An empty pattern matches nothing. Errors: MC_ERROR_BAD_DATA for a pattern that is too long, no
// regular expression, or one that takes too many steps (the message is for people),
// MC_ERROR_CANCELLED. On failure there is no result. The first call sorts the keys out. A substring
// costs O(bytes of distinct parts + nodes), and if it begins with the one found last, it is looked
// for only in what that matched. A regular expression costs some 0.2 us a node.
mc_result mc_search_find(mc_search *search, const char *pattern, size_t size, mc_search_mode mode,
                         const mc_progress *progress, mc_search_result *result, mc_error *error);

// The sort keys of hits: their values at a step, and the largest over time. Columns over all nodes;
// MC_COUNT_UNKNOWN comes last.
typedef struct mc_search_sizes {
    const mc_trace *trace;
    const uint64_t *values, *max;
} mc_search_sizes;

// Whether node `a` comes before `b`: by descending value at the step, then by descending maximum,
// then a district before its content, then by name. A strict order of all nodes.
bool mc_search_is_before(const mc_search_sizes *sizes, uint32_t a, uint32_t b);
void mc_search_sort(const mc_search_sizes *sizes, uint32_t *nodes, uint32_t count);
// Sorts a few nodes: reads those columns first. Window and errors as for mc_max_tree_compute().
mc_result mc_search_sort_at(const mc_trace *trace, mc_metric metric, uint32_t step,
                            mc_step_range window, uint32_t *nodes, uint32_t count, mc_error *error);
