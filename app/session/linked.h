// linked.h - a heap and the methods of one program: one is shown, the other one is linked; of what
// is selected the methods that allocate it, or what is alive of a method's allocations.
//
// A part of the session, used by its thread, but for the first two functions.
#pragma once
#include "app/session/session.h"

// How one of both is grouped unless the settings say otherwise: a heap with call paths by type and
// site; "": as it is.
const char *mc_linked_get_grouping(const mc_dataset *dataset);
// MC_ERROR_UNSUPPORTED: they are not a heap and methods.
mc_result mc_linked_check(const mc_dataset *a, const mc_dataset *b, mc_error *error);

mc_result mc_session_begin_linked(mc_session *session, mc_error *error);
void mc_session_sync_linked(mc_session *session); // once a turn
void mc_session_take_linked(mc_session *session);
void mc_session_forget_linked(mc_session *session); // of another trace
void mc_session_end_linked(mc_session *session);
void mc_session_fill_linked(mc_session *session, mc_fact_linked *model);
void mc_session_append_linked_state(const mc_session *session, mc_text *out); // as of --state

// What is linked with what is being opened; NULL: nothing. `layout` and `group_by`: how it is
// shown; NULL: as is usual.
void mc_session_adopt_linked(mc_session *session, mc_dataset *dataset,
                             const mc_layout_options *layout, const char *group_by);
// What is opened next is to show the time that is shown now, and to select what a node of a trace
// is there; MC_NONE: nothing.
void mc_session_want_moment(mc_session *session, const mc_trace *trace, uint32_t node);
