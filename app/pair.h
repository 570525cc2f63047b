// pair.h - a pair: two traces joined into one (engine/trace/versus), with the names of both sides.
//
// Threads: any, on separate objects.
#pragma once
#include "app/command_options.h"
#include "engine/analyze/max_tree.h"
#include "engine/analyze/name_folds.h"
#include "engine/city/city.h"
#include "engine/trace/versus/versus.h"

// What is shown of a pair, as mc_layout_options.pair.
typedef enum mc_pair_show {
    MC_PAIR_DIFFERENCE, // one city, the larger of both
    MC_PAIR_A,          // the first trace; moved groups are where it has them
    MC_PAIR_B,          // the second
    MC_PAIR_BOTH,       // side by side
    MC_PAIR_SHOW_COUNT
} mc_pair_show;

// Adds the folding rules: the user's, then the default ones. MC_ERROR_BAD_DATA: a rule is wrong.
mc_result mc_pair_add_folds(const mc_pair_options *options, mc_name_folds *folds, mc_error *error);

// Joins the sides. `folds` count what they folded; may be NULL. `align`: see
// mc_versus_alignment_parse(); empty: the default. MC_ERROR_BAD_DATA: it is no alignment, or names
// a step that a side lacks. `owns_sides`: the sides are destroyed with the trace, or at once on
// failure.
mc_result mc_pair_create(mc_trace *const sides[MC_VERSUS_SIDES], const mc_pair_options *options,
                         const char *align, bool owns_sides, mc_name_folds *folds,
                         const mc_progress *progress, mc_trace **trace, mc_error *error);
// Checks the options regardless of the traces; on error also returns which option is wrong.
mc_result mc_pair_check_options(const mc_pair_options *options, const char **option,
                                mc_error *error);
// The steps of a side that the options name; false: all, or the option is wrong.
bool mc_pair_get_window(const mc_pair_options *options, uint32_t side, uint32_t window[2]);
#define MC_PAIR_WINDOW_SIZE 24
// Writes the window in the option's syntax.
void mc_pair_write_window(char text[MC_PAIR_WINDOW_SIZE], const uint32_t window[2]);

// ---- the steps that are compared by default
//
// The steps of a side that an option names; else all before most of its heap was freed for good
// (mc_step_range_find_release() in the side's usual metric); else all. Every alignment ends with
// the last of these steps of both sides next to each other: that step is shown first, and `diff`,
// `report` and the window compare there.

mc_step_range mc_pair_get_range(const mc_trace *trace, mc_versus_side side); // the side's steps
uint32_t mc_pair_get_last(const mc_trace *trace, mc_versus_side side); // with what is left out
// Whether the end of one side is left out, while the other side has no such end and is compared in
// full.
bool mc_pair_ends_differ(const mc_trace *trace);
// Appends a sentence on the ends that are left out when the sides are compared at the steps `at`;
// nothing if none is. `names`: of the sides.
void mc_pair_append_ends(const mc_trace *trace, const uint32_t at[MC_VERSUS_SIDES],
                         const char *const names[MC_VERSUS_SIDES], mc_text *out);
extern const char *const mc_pair_side_names[MC_VERSUS_SIDES];                    // A and B
void mc_pair_append_ends_at(const mc_trace *trace, uint32_t step, mc_text *out); // of the pair
// The same for a picture of a step of any trace: only if the ends differ and it shows them.
void mc_pair_append_end_note(const mc_trace *trace, uint32_t step, mc_text *out);

// Whether it is an alignment, of whatever steps.
mc_result mc_pair_check_align(const char *align, mc_error *error);

// Of a pair that there is: that it has the steps.
mc_result mc_pair_check_steps(const mc_trace *trace, const mc_versus_alignment *alignment,
                              mc_error *error);

// What the city of a pair shows, where `desc` has a metric of it.
void mc_pair_settle_city(const mc_trace *trace, mc_pair_show show, mc_city_desc *desc);
// The metric of any trace, of a pair as B has it; and how many there are of these.
mc_metric mc_pair_get_plain(const mc_trace *trace, mc_metric metric);
uint32_t mc_pair_count_metrics(const mc_trace *trace);
// What is shown, by the metric that a city or a tree has.
mc_pair_show mc_pair_get_show(const mc_trace *trace, mc_metric metric);

// What a node is called in a picture of a metric; where that is the difference, of what was moved
// also what it was: "web (was http)", of what is in it "Pool (was in http)".
void mc_pair_append_name(const mc_trace *trace, mc_metric shown, uint32_t node, mc_text *out);

// "A: before.mct   B: after.mct, steps 3–12", by their names.
void mc_pair_append_names(const mc_pair_options *options, const char *before, const char *after,
                          mc_text *out);
// "A 11.6 MiB, step 3 of 0–9, 0:12.0  ·  B 18.2 MiB, step 4 of 0–11, 0:13.1  ·  +6.6 MiB bytes".
// O(nodes).
void mc_pair_append_moment(const mc_trace *trace, mc_metric metric, uint32_t node, uint32_t step,
                           mc_text *out);
