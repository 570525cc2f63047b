// search_regex.h - matches regular expressions against full keys, with PCRE2; for the search
// module's own files only.
#pragma once
#include "engine/analyze/search.h"

// Sets the marks of every node, inherited ones included. Errors and threads as in search.h.
// O(nodes), each at most a bounded number of steps.
mc_result mc_search_regex_mark(const mc_trace *trace, const uint8_t *is_detached,
                               const char *pattern, size_t size, uint8_t *marks,
                               const mc_progress *progress, mc_error *error);
