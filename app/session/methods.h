// methods.h - the highest methods, which a trace of methods has in the place of suspects.
//
// They are those of the step that is shown, found beside the window with what is told of them and
// how high they were at all steps; while others are looked for, they stay. They are the session's
// suspects for all else: keys, names in the picture, the state. A part of the session, used by its
// thread.
#pragma once
#include "app/session/session.h"

mc_result mc_session_begin_methods(mc_session *session, mc_error *error);
void mc_session_forget_methods(mc_session *session);
void mc_session_end_methods(mc_session *session);
void mc_session_take_methods(mc_session *session);
void mc_session_sync_methods(mc_session *session);
// Another number of steps: what is known of those before stays. False: memory is out.
bool mc_session_extend_methods(mc_session *session);
// Numbered anew, as mc_view_kind.renumber() has it.
void mc_session_renumber_methods(mc_session *session, const uint32_t *map, uint32_t count);

// In the place of the suspects; `paths`: room for as many.
void mc_session_fill_methods(mc_session *session, mc_facts *model, mc_fact_suspect *rows,
                             mc_text *paths);
// Of a node, for the panel and for a line such as the tooltip's: what the city does not show of it.
void mc_session_fill_method_rows(mc_session *session, mc_facts *model, uint32_t node);
void mc_session_append_method(mc_session *session, uint32_t node, mc_text *text);
void mc_session_append_methods_csv(mc_session *session, mc_text *out);
// Of all steps that the state is asked for: the highest, as JSON.
void mc_session_append_methods_state(const mc_session *session, mc_text *out);
