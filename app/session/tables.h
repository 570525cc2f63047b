// tables.h - figures of nodes, and tables of them as CSV.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// The values of a node at the step shown.
typedef struct mc_session_row {
    uint64_t objects, bytes;
    // In the city's metric, as mc_trace_read_value(): now, and at the ends of the window.
    uint64_t value, first, last;
    double share; // of the heap; < 0: none, as the metric does not add up
} mc_session_row;

mc_session_row mc_session_read_row(mc_session *session, uint32_t node);
// The first of these values alone, for lists: unknown where the trace's file can't be read.
uint64_t mc_session_get_told_value(const mc_session *session, uint32_t node);
// Of unfolded panels; if there are none, of what grew.
void mc_session_export_table(mc_session *session);
// Appends the path for an output file named after the trace, plus suffix and extension. False, and
// a message: out of memory.
bool mc_session_append_output_path(mc_session *session, mc_text *path, const char *suffix,
                                   const char *extension);
// What is copied: of the selected nodes, a line each, or else of the node under the pointer; or the
// headline above the findings.
typedef enum mc_session_copy { MC_COPY_KEY, MC_COPY_ROW, MC_COPY_FINDING } mc_session_copy;

// Appends the text for the clipboard. False: there is none, which a message says.
bool mc_session_append_copy(mc_session *session, mc_session_copy what, mc_text *text);
