// rows_steps.h - builds a step's tree from the rows of one time.
//
// A row has its group's own share: for a leaf its whole value, for a group with children the part
// that they do not explain. For a metric that is not additive it is the group's value. Memory: the
// tree. Threads: one object, one thread.
#pragma once
#include "engine/import/rows/rows_reader.h"
#include "engine/trace/step_tree.h"

typedef struct mc_rows_steps mc_rows_steps;

mc_result mc_rows_steps_create(mc_rows_reader *reader, mc_rows_steps **steps, mc_error *error);
void mc_rows_steps_destroy(mc_rows_steps *steps); // NULL is fine

// A step begins in `tree`, which stays the caller's and must stay where it is until the end.
mc_result mc_rows_steps_begin(mc_rows_steps *self, int64_t time_ms, mc_step_tree *tree,
                              mc_error *error);
// MC_ERROR_BAD_DATA, with "NAME:LINE: …": the step has a row of this group, or another root.
mc_result mc_rows_steps_add(mc_rows_steps *self, const mc_rows_row *row, mc_error *error);
// Sums up. MC_ERROR_BAD_DATA: to more than MC_COUNT_MAX.
mc_result mc_rows_steps_end(mc_rows_steps *self, mc_error *error);

// The entry of a node in the step that was made last; MC_NONE: it has none.
uint32_t mc_rows_steps_get_entry(const mc_rows_steps *self, uint32_t node);
