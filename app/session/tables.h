// tables.h - figures of nodes, and tables of them as CSV.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// What a node counts at the step that is shown.
typedef struct mc_session_row {
    uint64_t objects, bytes;
    // In the city's metric, as mc_trace_read_value(): now, and at the ends of the window.
    uint64_t value, first, last;
    double share; // of the heap; < 0: it has none, for the metric does not add up
} mc_session_row;

mc_session_row mc_session_read_row(mc_session *session, uint32_t node);
// What `value` of a node is of the heap at the step that is shown; < 0: it does not add up.
double mc_session_get_share(mc_session *session, uint64_t value, uint32_t node);
void mc_session_export_table(mc_session *session); // those that are open
// Appends where NAME-OF-THE-TRACE + suffix is to go; false, and a message, if memory is out.
bool mc_session_append_output_path(mc_session *session, mc_text *path, const char *suffix,
                                   const char *extension);
// What a copy is of: what is selected, a line each, or else what is pointed at; said if there is
// neither.
bool mc_session_append_copy(mc_session *session, bool is_row, mc_text *text);
