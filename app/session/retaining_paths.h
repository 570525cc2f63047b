// retaining_paths.h - how GC roots retain the selection: its merged retaining paths, as a list and
// as streets.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_sync_retaining_paths(mc_session *session);

// Selects the node that has the objects of a row.
void mc_session_show_retaining_paths(mc_session *session, uint32_t row);
// How many streets are drawn, strongest first; 0: they are off, or there are none.
uint32_t mc_session_count_streets(const mc_session *session);
// The street under the pointer, in the list or at one of its ends; MC_NONE: none.
uint32_t mc_session_find_lit_street(const mc_session *session);
// For the street under the pointer in the picture. False: there is none.
bool mc_session_append_pointed_street(const mc_session *session, mc_text *title, mc_text *text);
bool mc_session_show_pointed_street(mc_session *session);
void mc_session_change_most_streets(mc_session *session, bool more);

void mc_session_fill_retaining_paths(mc_session *session, mc_fact_retaining_paths *model);
