// name_folds.h - folds names that differ from run to run to one: lambdas, proxies, hidden classes.
//
// A rule is a regular expression and a replacement for each match. The first rule that matches a
// name counts. The built-in rules come first; they can be listed and switched off. Threads: one at
// a time.
#pragma once
#include "engine/analyze/regex.h"

#define MC_FOLDS_MOST 32

typedef struct mc_fold {
    const char *pattern, *by;
    const char *what; // literal: "lambdas"; NULL: a rule of the user's
    const char *hint; // without it a name is not looked at
    mc_regex *regex;
    char *owned;    // what a rule of the user's is in
    uint32_t count; // names that it folded
} mc_fold;

// Zero-initialise, add, deinit.
typedef struct mc_name_folds {
    mc_fold items[MC_FOLDS_MOST];
    uint32_t count;
    mc_error error; // of what could not be folded: the first one
} mc_name_folds;

mc_result mc_name_folds_add_usual(mc_name_folds *folds, mc_error *error);
// "REGEX=NAME": the last '=' parts them. MC_ERROR_BAD_DATA: it is no such rule, or there are too
// many.
mc_result mc_name_folds_add(mc_name_folds *folds, const char *rule, mc_error *error);
void mc_name_folds_deinit(mc_name_folds *folds);

// As the `fold` of mc_versus_desc, with the folds as its user.
bool mc_name_folds_apply(void *folds, const char *name, size_t size, mc_text *out);
