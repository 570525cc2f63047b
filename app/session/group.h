// group.h - changes the grouping of the open trace, and lists its classifiers.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/facts.h"
#include "app/session/session.h"

// Cycles through all orders of all subsets of the trace's classifiers; after the last, back to the
// grouping as opened.
void mc_session_group_next(mc_session *session);
// Once a turn: reads classifiers that the trace lacks from its heap dumps, if they have them.
void mc_session_sync_group(mc_session *session);
// Lists the classifiers: first the chosen ones in their order, then the others. Returns how many;
// the session owns the names.
uint32_t mc_session_fill_classifiers(mc_session *session, mc_fact_classifier *classifiers,
                                     uint32_t capacity);
