// why.h - why the heap grows: what the panel of that name says.
//
// Causes are found with the suspects (series.h); what is told follows the selection. A part of the
// session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_take_causes(mc_session *session, mc_causes *causes); // takes them over
void mc_session_drop_causes(mc_session *session);
// `values`: of the selection's node at all steps; the selection is `node`.
void mc_session_judge_selection(mc_session *session, uint32_t node, const uint64_t *values);
void mc_session_end_why(mc_session *session);
void mc_session_fill_why(mc_session *session, mc_fact_why *model);
