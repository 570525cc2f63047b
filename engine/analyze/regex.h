// regex.h - Perl's regular expressions, with PCRE2, over names that anybody may have chosen.
//
// Each match may take a bounded number of steps and a bounded memory, so that no pattern hangs.
// What is no UTF-8 matches nothing. Threads: one at a time.
#pragma once
#include "engine/base/text.h"

typedef struct mc_regex mc_regex;

// MC_ERROR_BAD_DATA: it is none; the message says why and where.
mc_result mc_regex_create(const char *pattern, size_t size, bool is_of_either_case,
                          mc_regex **regex, mc_error *error);
void mc_regex_destroy(mc_regex *regex); // NULL is fine

// Where the first match from `from` on ends; 0: there is none. MC_ERROR_BAD_DATA: it takes too
// long.
mc_result mc_regex_find(const mc_regex *regex, const char *text, size_t size, size_t from,
                        size_t *end, mc_error *error);
// Appends `text` with `by` instead of each match, in which $1 is the first group; nothing if there
// is none. Errors likewise, and if `by` names a group that there is not.
mc_result mc_regex_replace(const mc_regex *regex, const char *text, size_t size, const char *by,
                           mc_text *out, bool *is_found, mc_error *error);
