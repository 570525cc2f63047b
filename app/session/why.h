// why.h - the evidence in the panel of findings.
//
// The causes are found together with the suspects (series.h); the text depends on the selection. A
// part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// The causes must stay until others are taken or these are dropped. `first`: index of the one that
// stands first.
void mc_session_take_causes(mc_session *session, const mc_causes *causes, uint32_t first);
// The cause that stands in a row of the findings, and the index of a row's cause.
uint32_t mc_session_get_cause_index(uint32_t first, uint32_t row);
// The nodes of the findings that are told, the first one first. Returns how many.
uint32_t mc_session_list_findings(const mc_session *session, uint32_t nodes[MC_WHY_MOST_SHOWN]);
void mc_session_drop_causes(mc_session *session);
// `node` is the selected node, `values` has its values at all steps.
void mc_session_judge_selection(mc_session *session, uint32_t node, const uint64_t *values);
// The row of the finding that the selection belongs to, or the first if nothing is selected;
// MC_NONE: none.
uint32_t mc_session_get_open_finding(const mc_session *session);
void mc_session_end_why(mc_session *session);
void mc_session_fill_why(mc_session *session, mc_fact_why *model);
