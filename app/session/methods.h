// methods.h - the top methods, which take the place of suspects in a trace of methods.
//
// A background query finds the top methods of the step shown, facts about them and their values at
// all steps. The last result stays until the next one is found. Everything else (keys, names in the
// picture, the state) treats them as the session's suspects. A part of the session, used by its
// thread.
#pragma once
#include "app/print/print.h"
#include "app/session/session.h"

void mc_session_take_methods(mc_session *session, const mc_error *error);
void mc_session_sync_methods(mc_session *session); // once a turn
// Renumbers the nodes, see mc_view_kind.renumber().
void mc_session_renumber_methods(mc_session *session, const uint32_t *map, uint32_t count);

// Fills in the rows of the suspects; `paths` has as many elements.
void mc_session_fill_methods(mc_session *session, mc_facts *model, mc_fact_suspect *rows,
                             mc_text *paths);
// Facts on a node that the city does not show: as rows of the panel, and as a line for the tooltip.
void mc_session_fill_method_rows(mc_session *session, mc_facts *model, uint32_t node);
void mc_session_append_method(mc_session *session, uint32_t node, mc_text *text);
void mc_session_append_methods_csv(mc_session *session, mc_text *out);
// Appends the top methods of the step shown to the state, as JSON.
void mc_session_put_methods_state(const mc_session *session, mc_print *print);
