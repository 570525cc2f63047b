// pairing.h - joins two datasets into a pair: their traces joined (engine/trace/versus), with the
// same grouping.
//
// Each of the two, as it was opened, stays a dataset of its own, which the pair holds. Another
// grouping, frame or alignment makes another pair of the same two. Threads: any, except functions
// of a session.
#pragma once
#include "app/session/grouping.h"

// Joins two datasets as the options say; their folds must outlive the pair. `align`: as of
// mc_pair_create(). The caller owns a reference to *made. MC_ERROR_BAD_DATA: the options or the
// alignment are wrong.
mc_result mc_dataset_make_pair(mc_dataset *before, mc_dataset *after,
                               const mc_pair_options *options, const char *align,
                               const mc_progress *progress, mc_dataset **made, mc_error *error);

// Like mc_dataset_group() and mc_grouped_translate(), but also for a pair. A pair's steps are
// aligned as `layout` says; if it shows A alone, the pair has A's places. `before` is used only
// without a pair.
mc_result mc_dataset_arrange(mc_dataset *dataset, const char *list, double frame_s,
                             const mc_layout_options *layout, const mc_trace *before,
                             const mc_progress *progress, mc_grouped *grouped, mc_error *error);
mc_result mc_arranged_translate(const mc_grouped *grouped, const mc_dataset *dataset, uint32_t node,
                                uint32_t *found, mc_error *error);

// Another alignment gives a pair other steps: sets the window of `layout` to the steps that are
// shown by default, or to all steps if it went beyond these before. `after` NULL: changes nothing.
void mc_pair_fit_window(const mc_dataset *before, const mc_dataset *after,
                        mc_layout_options *layout);
// The step of `after` that corresponds to `step` of `before`; of two pairs, by the second trace.
uint32_t mc_pair_find_step(const mc_dataset *before, const mc_dataset *after, uint32_t step);

// Cycles what is shown of a pair: the difference, A, B, both.
void mc_session_show_next_of_pair(mc_session *session);
// Sets the alignment: "step", "time", "end", "3:12"; "": the next of the first three. Reports what
// is wrong with it.
void mc_session_align(mc_session *session, const char *text);
// Shifts the steps of A against those of B by one.
void mc_session_shift_alignment(mc_session *session, int by);
