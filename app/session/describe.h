// describe.h - fills in the facts that the panels show.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

mc_session_frame *mc_session_frame_create(void); // NULL: out of memory
void mc_session_frame_destroy(mc_session_frame *frame);
// Strings live until the next call.
void mc_session_fill_facts(mc_session *session, mc_facts *model);
// The same for a picture that no panel covers.
void mc_session_fill_uncovered_facts(mc_session *session, mc_facts *model);
