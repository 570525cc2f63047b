// regex.h - Perl's regular expressions, with PCRE2, over untrusted names.
//
// Steps and memory per match are bounded, so no pattern hangs. Text that is not UTF-8 matches
// nothing. Threads: one at a time.
#pragma once
#include "engine/base/text.h"

typedef struct mc_regex mc_regex;

// MC_ERROR_BAD_DATA: the pattern is invalid; the message tells why and where.
mc_result mc_regex_create(const char *pattern, size_t size, bool is_of_either_case,
                          mc_regex **regex, mc_error *error);
void mc_regex_destroy(mc_regex *regex); // NULL is fine

// Returns in *end where the first match from `from` on ends; 0: there is none. MC_ERROR_BAD_DATA:
// matching takes too long.
mc_result mc_regex_find(const mc_regex *regex, const char *text, size_t size, size_t from,
                        size_t *end, mc_error *error);
// Appends `text` with each match replaced by `by`, in which $1 is the first group; appends nothing
// if there is no match. Errors as above, and if `by` names a group that does not exist.
mc_result mc_regex_replace(const mc_regex *regex, const char *text, size_t size, const char *by,
                           mc_text *out, bool *is_found, mc_error *error);
