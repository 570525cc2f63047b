// members.h - several structures that are selected: their sums, their lines in the chart, the list
// of them.
//
// A part of the session, used by its thread. What lies in another selected one is counted with it
// alone. What asks for one node (session.h: mc_session_get_selected()) gets the first of them.
#pragma once
#include "app/session/tables.h"

// Their sums. Of a metric that does not add up its values are MC_COUNT_UNKNOWN.
mc_session_row mc_session_read_group_row(mc_session *session);

// What they come to at a step, in the city's metric.
uint64_t mc_session_read_group_value(mc_session *session, uint32_t step);

void mc_session_fill_group(mc_session *session, mc_facts *model); // name, role, list
void mc_session_show_member(mc_session *session, uint32_t row);   // selects it alone

// The hits of the search, as many as can be, the largest first.
void mc_session_select_hits(mc_session *session);
