// pairing.h - two datasets as one: their traces joined (engine/trace/versus), grouped alike.
//
// What each was opened as stays a dataset of its own, which the pair holds. Another grouping, frame
// or alignment is another pair of the same two. Threads: any, but for functions of a session.
#pragma once
#include "app/session/grouping.h"

// Joins two as the options say, whose folds outlive the dataset; `align` as of mc_pair_create().
// The caller holds it. MC_ERROR_BAD_DATA: the options or the alignment are wrong.
mc_result mc_dataset_make_pair(mc_dataset *before, mc_dataset *after,
                               const mc_pair_options *options, const char *align,
                               const mc_progress *progress, mc_dataset **made, mc_error *error);

// As mc_dataset_group() and mc_grouped_translate(), also of a pair, whose steps are aligned as
// `layout` says, and where A alone is shown, has A's places; `before` is heeded where there is no
// pair.
mc_result mc_dataset_arrange(mc_dataset *dataset, const char *list, double frame_s,
                             const mc_layout_options *layout, const mc_trace *before,
                             const mc_progress *progress, mc_grouped *grouped, mc_error *error);
mc_result mc_arranged_translate(const mc_grouped *grouped, const mc_dataset *dataset, uint32_t node,
                                uint32_t *found, mc_error *error);

// Steps of a pair that is aligned otherwise are others: `layout` gets those of which a pair is
// shown unless somebody asks for others. NULL: nothing has changed.
void mc_pair_fit_window(const mc_dataset *before, const mc_dataset *after,
                        mc_layout_options *layout);
// The step that shows what a step showed: of the second trace, where both are pairs.
uint32_t mc_pair_find_step(const mc_dataset *before, const mc_dataset *after, uint32_t step);

// The next of what is shown of a pair: the difference, A, B, both.
void mc_session_show_next_of_pair(mc_session *session);
// "step", "time", "end", "3:12"; "": the next of the first three. What is wrong with it is said.
void mc_session_align(mc_session *session, const char *text);
// The step of A that is beside one of B moves by one.
void mc_session_shift_alignment(mc_session *session, int by);
