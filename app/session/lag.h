// lag.h - whether the picture keeps up with a program that is recorded.
//
// Steps of methods bear the wall clock's time. While the newest one is shown of a recording that
// goes on, its age is the picture's lag, which is told where it is more than a moment's. A part of
// the session, used by its thread.
#pragma once
#include "app/session/session.h"

#define MC_LAG_FINE_MS 150.0 // a picture may show what happened so long ago

void mc_session_sync_lag(mc_session *session);
// Until the text would be another one; INFINITY: it would not.
double mc_session_get_lag_wait_s(const mc_session *session);
// "lags by 0.8 s"; false: it does not, and nothing is written.
bool mc_session_describe_lag(const mc_session *session, char *out, size_t size);
// How long ago the oldest of what the newest step shows happened, in ms: at the end of the step
// before. Of every step once, where it is drawn; < 0: of this frame there is nothing to tell.
double mc_session_take_latency(mc_session *session);
