// group.h - grouping while one looks: what the user asks for, and the list of classifiers.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/facts.h"
#include "app/session/session.h"

// The next of all orders of all or some classifiers of the trace; then as it was opened.
void mc_session_group_next(mc_session *session);
// Once a turn: what the trace lacks is read from its heap dumps, if they know it.
void mc_session_sync_group(mc_session *session);
// Classifiers that can be chosen: those that are, in their order, then the others. Returns how
// many; names belong to the session.
uint32_t mc_session_fill_classifiers(mc_session *session, mc_fact_classifier *classifiers,
                                     uint32_t capacity);
