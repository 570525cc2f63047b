// lag.h - measures whether the picture keeps up with a live recording.
//
// Steps of methods carry wall-clock times. While the newest step of a growing recording is shown,
// its age is the picture's lag. The lag is displayed if it lasts. A part of the session, used by
// its thread.
#pragma once
#include "app/session/session.h"

#define MC_LAG_FINE_MS 150.0 // a lag up to this counts as none

void mc_session_sync_lag(mc_session *session);
// Seconds until the text changes; INFINITY: it does not.
double mc_session_get_lag_wait_s(const mc_session *session);
// Writes "lags by 0.8 s". False: there is no lag, and nothing is written.
bool mc_session_describe_lag(const mc_session *session, char *out, size_t size);
// The latency of the newest step in ms: the age of the oldest event in it, which happened at the
// end of the step before. Returned once per step, when it is drawn; < 0: this frame has no new
// step.
double mc_session_take_latency(mc_session *session);
