// arrange.h - a dataset as the settings want it: grouped by other classifiers than its own, and, if
// it is a pair, joined with another alignment (engine/trace/versus).
//
// Another list of classifiers makes a new trace from the same base (engine/trace/regroup), whose
// nodes have new indices. Each of a pair's two, as it was opened, stays a dataset of its own, which
// the pair holds; another grouping, frame or alignment makes another pair of the same two. Threads:
// any.
#pragma once
#include "app/answers/dataset.h"

// Joins two datasets as the options say; their folds must outlive the pair. `align`: as of
// mc_pair_create(). The caller owns a reference to *made. MC_ERROR_BAD_DATA: the options or the
// alignment are wrong.
mc_result mc_dataset_make_pair(mc_dataset *before, mc_dataset *after,
                               const mc_pair_options *options, const char *align,
                               const mc_progress *progress, mc_dataset **made, mc_error *error);

// An arranged dataset, and the node map for the transition from the one before.
typedef struct mc_grouped {
    mc_dataset *dataset; // held; NULL: the present dataset is as it is wanted already
    uint32_t *came_from; // for each of its nodes a node of the present dataset
} mc_grouped;

void mc_grouped_deinit(mc_grouped *grouped);

// Groups by `list` (see settings.group_by). `frame_s`: see settings.frame_s; used only for a trace
// of methods. A pair's steps are aligned as `layout` says; if it shows A alone, the pair has A's
// places. `before`: as of mc_trace_regroup_next(), unused for a pair; NULL: the present trace.
// MC_ERROR_BAD_DATA: the list is wrong; the message names the classifiers that exist.
mc_result mc_dataset_arrange(mc_dataset *dataset, const char *list, double frame_s,
                             const mc_layout_options *layout, const mc_trace *before,
                             const mc_progress *progress, mc_grouped *grouped, mc_error *error);
// Finds the node of `grouped` that corresponds to `node` of `dataset`; MC_NONE: there is none.
mc_result mc_arranged_translate(const mc_grouped *grouped, const mc_dataset *dataset, uint32_t node,
                                uint32_t *found, mc_error *error);

// Another alignment gives a pair other steps: sets the window of `layout` to the steps that are
// shown by default, or to all steps if it went beyond these before. `after` NULL: changes nothing.
void mc_pair_fit_window(const mc_dataset *before, const mc_dataset *after,
                        mc_layout_options *layout);
// The step of `after` that corresponds to `step` of `before`; of two pairs, by the second trace.
uint32_t mc_pair_find_step(const mc_dataset *before, const mc_dataset *after, uint32_t step);
