// differences.h - what two traces that are shown as one differ in at the step, as a list: what grew
// and shrank, what is new and gone, the largest first, then what was moved.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_sync_differences(mc_session *session); // once a turn
void mc_session_take_differences(mc_session *session, const mc_error *error);
void mc_session_end_differences(mc_session *session);
void mc_session_fill_differences(mc_session *session, mc_fact_differences *model);
void mc_session_show_difference(mc_session *session, uint32_t row);
void mc_session_append_pair_state(const mc_session *session, mc_text *out); // as of --state

// ---- of one node of a pair

#define MC_SESSION_PAIR_ROWS 4

// What it is in A and in B at the step. O(nodes), of a leaf O(1).
void mc_session_read_pair(mc_session *session, uint32_t node, uint64_t words[MC_VERSUS_SIDES]);
// Lines of the panel: that, the difference, where it was. Returns how many, at most
// MC_SESSION_PAIR_ROWS.
uint32_t mc_session_fill_pair_rows(const mc_session *session, uint32_t node,
                                   const uint64_t words[MC_VERSUS_SIDES], mc_fact_row *rows);
// The same in a line, for the tooltip.
void mc_session_append_pair_line(const mc_session *session, uint32_t node,
                                 const uint64_t words[MC_VERSUS_SIDES], mc_text *out);
