// series.h - values over all steps for charts, and the suspects, read in the background.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

mc_result mc_session_begin_series(mc_session *session, mc_error *error);
// The metric whose totals the chart draws beside those of the metric shown.
mc_metric mc_session_get_other_metric(const mc_session *session);
bool mc_session_compute_series(mc_session *session); // after another city; false: out of memory
void mc_session_compute_selection_series(mc_session *session);
void mc_session_take_series(mc_session *session);             // results that have arrived
void mc_session_forget_suspects(mc_session *session);         // of another trace
void mc_session_forget_series(mc_session *session);           // likewise
void mc_session_forget_selection_series(mc_session *session); // another is selected
void mc_session_end_series(mc_session *session);
