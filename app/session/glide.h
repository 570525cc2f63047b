// glide.h - from one layout to the next.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_begin_glide(mc_session *session, mc_city *city); // from session->city, same trace
void mc_session_end_glide(mc_session *session);
void mc_session_advance_glide(mc_session *session);
float mc_session_get_glide(const mc_session *session); // as in mc_update_params
