// linked.h - links a heap with the methods of the same program. One of them is shown; the other one
// answers, for the selection, which methods allocate it, or which of a method's allocations are
// alive.
//
// A part of the session, used by its thread.
#pragma once
#include "app/print/print.h"
#include "app/session/session.h"

void mc_session_sync_linked(mc_session *session); // once a turn
void mc_session_take_linked(mc_session *session, const mc_error *error);
void mc_session_end_linked(mc_session *session);
void mc_session_fill_linked(mc_session *session, mc_fact_linked *model);
void mc_session_put_linked_state(const mc_session *session, mc_print *print); // as of --state

// Sets the dataset linked with the one being opened; NULL: none. `layout` and `group_by`: how to
// show it; NULL: the default.
void mc_session_adopt_linked(mc_session *session, mc_dataset *dataset,
                             const mc_layout_options *layout, const char *group_by);
// Makes the dataset that is opened next show the time that is shown now, and select the counterpart
// of `node` of `trace` there; MC_NONE: selects nothing.
void mc_session_want_moment(mc_session *session, const mc_trace *trace, uint32_t node);
