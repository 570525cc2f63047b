// merge.h - merges many traces into one .mct file: each part below a group of its own, or side by
// side.
//
// `under` names a classifier: each part then becomes an outermost group of it, named after the
// part. Without `under`, the groups below the parts' roots, which have to be different ones, stand
// side by side; so merging merged files gives the same trace as merging all parts at once, in any
// order. The steps of all parts are aligned by mc_merge_alignment. Where a part (or, side by side,
// one of its outermost groups) has no step of its own, it keeps its previous values for `hold_ms`;
// after that it is absent. The file records which values are held (mc_mct_read_held()), so that
// they are not mistaken for data when the file is merged again. docs/reference/merge.md explains
// this to users.
//
// Parts are opened one after another, twice each: once to survey them, once to copy them. Memory:
// one part's nodes and a few of its columns; for all parts the times of their steps, their names up
// to a limit, and one bit per node and step. The rest goes to a temporary file beside `path`.
// Threads: one call, one thread.
#pragma once
#include "engine/store/merge/merge_desc.h"

// MC_ERROR_BAD_DATA names the part and the reason: it is damaged, two parts have the same name, or
// their metrics contradict each other. The file is then unusable.
mc_result mc_trace_merge(const mc_merge_desc *desc, mc_merge_report *report, mc_error *error);
