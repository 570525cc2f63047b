// series.h - values over all steps for charts, and the suspects, read in the background.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// The metric whose totals the chart draws beside those of the metric shown.
mc_metric mc_session_get_other_metric(const mc_session *session);
bool mc_session_compute_series(mc_session *session); // after another city; false: out of memory
void mc_session_compute_selection_series(mc_session *session);
void mc_session_take_selection_series(mc_session *session, const mc_error *error);
void mc_session_take_total_series(mc_session *session, const mc_error *error);
void mc_session_take_suspect_series(mc_session *session, const mc_error *error);
// Of the difference between two traces what is found is that: its answer has come.
void mc_session_tell_differences(mc_session *session);
// Copies a suspect's values into its row; later steps are as the last one.
float *mc_session_set_suspect_values(mc_session *session, uint32_t row, const float *values,
                                     uint32_t value_count);
void mc_session_forget_suspects(mc_session *session); // of another trace
void mc_session_end_series(mc_session *session);
