// properties.h - what is known of the selection, as the table of properties has it.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

void mc_session_sync_properties(mc_session *session); // once a turn
// Appends a row for each property that is known, at most `most`. Returns how many.
uint32_t mc_session_fill_property_rows(const mc_session *session, mc_fact_row *rows, uint32_t most);
