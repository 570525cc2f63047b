// differences.h - the differences between the two traces of a pair at the step shown, as a list:
// groups that grew, shrank, are new or gone, largest first, then those that moved.
//
// A part of the session, used by its thread.
#pragma once
#include "app/print/print.h"
#include "app/session/session.h"

void mc_session_sync_differences(mc_session *session); // once a turn
void mc_session_take_differences(mc_session *session, const mc_error *error);
void mc_session_fill_differences(mc_session *session, mc_fact_differences *model);
void mc_session_show_difference(mc_session *session, uint32_t row);
void mc_session_put_pair_state(const mc_session *session, mc_print *print); // as of --state

// ---- one node of a pair

#define MC_SESSION_PAIR_ROWS 4

// The node's values in A and in B at the step. O(nodes); O(1) for a leaf.
void mc_session_read_pair(mc_session *session, uint32_t node, uint64_t words[MC_VERSUS_SIDES]);
// Fills in rows of the panel: both values, the difference, the former place. Returns how many, at
// most MC_SESSION_PAIR_ROWS.
uint32_t mc_session_fill_pair_rows(const mc_session *session, uint32_t node,
                                   const uint64_t words[MC_VERSUS_SIDES], mc_fact_row *rows);
// The same in a line, for the tooltip.
void mc_session_append_pair_line(const mc_session *session, uint32_t node,
                                 const uint64_t words[MC_VERSUS_SIDES], mc_text *out);
