// members.h - a selection of several structures: sums, lines in the chart, the list.
//
// A part of the session, used by its thread. A structure inside another selected one is counted
// only once. Where one node is needed, mc_session_get_selected() (session.h) returns the first.
#pragma once
#include "app/session/tables.h"

// The sums over the selection. Values of a metric that does not add up are MC_COUNT_UNKNOWN.
mc_session_row mc_session_read_group_row(mc_session *session);

// The sum at a step, in the city's metric.
uint64_t mc_session_read_group_value(mc_session *session, uint32_t step);

void mc_session_fill_group(mc_session *session, mc_facts *model); // name, role, list
void mc_session_show_member(mc_session *session, uint32_t row);   // selects it alone

// Selects the hits of the search, largest first, up to the selection's capacity.
void mc_session_select_hits(mc_session *session);
