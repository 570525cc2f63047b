// search.h - finds nodes by their full keys, as fast as one types.
//
// A substring is looked for with ASCII letters of either case taken for each other, other bytes as
// they are (keys are UTF-8). Each distinct key is searched once, however many nodes bear it; only a
// pattern with '#' is looked for across the borders of keys. What a district's key matches, all
// below it match as well: their full keys begin with it. A hit is therefore marked as own (the match
// reaches into the node's own part of the key) or inherited.
// Regular expressions are POSIX extended ones, of either case, and see whole full keys.
// Threads: separate searches may run in parallel; one serves one thread at a time.
#pragma once
#include "engine/trace/trace.h"

typedef enum mc_search_mode { MC_SEARCH_SUBSTRING, MC_SEARCH_REGEX } mc_search_mode;

enum {
    MC_SEARCH_HIT = 1, // the full key matches
    MC_SEARCH_OWN = 2  // and would not without the node's own part of it
};

// Belongs to the search and holds until the next find.
typedef struct mc_search_result {
    const uint8_t *marks;      // per node: flags
    const uint32_t *own;       // nodes with MC_SEARCH_OWN, ascending: what to list
    uint32_t own_count;
    uint32_t leaf_count; // leaves with MC_SEARCH_HIT, inherited or own: the buildings to show
} mc_search_result;

typedef struct mc_search mc_search;

// `trace` must outlive the search. O(1).
mc_result mc_search_create(const mc_trace *trace, mc_search **search, mc_error *error);
void mc_search_destroy(mc_search *search); // NULL is fine

// An empty pattern matches nothing. Errors: MC_ERROR_BAD_DATA for what is no regular expression
// (the message says why, for people), MC_ERROR_CANCELLED. On failure there is no result. O(bytes of
// distinct keys + nodes); a substring that begins with the last one found looks only at what that
// found. A regular expression takes some microseconds a node; `progress` may stop it.
mc_result mc_search_find(mc_search *search, const char *pattern, size_t size, mc_search_mode mode,
                         const mc_progress *progress, mc_search_result *result, mc_error *error);
