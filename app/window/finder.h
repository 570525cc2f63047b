// finder.h - what the command palette lists: commands by what they say, structures by name.
//
// Used by the main thread.
#pragma once
#include "app/session/session.h"

#define MC_FINDER_CAPACITY 200 // rows that are worth showing

typedef struct mc_finder_row {
    mc_action_id action;
    uint32_t number; // the node, for MC_ACTION_SHOW_NODE
} mc_finder_row;

// Zero-initialise. The largest that were found are kept, in order. A text is looked for in a slice
// of the nodes each time, so that no keystroke waits for a huge trace.
typedef struct mc_finder {
    mc_finder_row rows[MC_FINDER_CAPACITY];
    uint32_t count, command_count;  // all rows; those of commands come first
    uint32_t next_node, node_count; // how far it is; the trace's
    uint32_t trace_version;         // rows of another one mean nothing
} mc_finder;

// Commands that have all words of `text`, those that begin with it first; all, if it is empty.
void mc_finder_begin(mc_finder *finder, const mc_session *session, const char *text);
// Adds nodes whose name has `text`, the largest at the step that is shown first. Returns whether
// there is more to look at. O(slice).
bool mc_finder_continue(mc_finder *finder, const mc_session *session, const char *text);

bool mc_finder_is_stale(const mc_finder *finder, const mc_session *session);

// What a row says, and its key or place; appended.
void mc_finder_append_label(const mc_finder_row *row, const mc_session *session, mc_text *out);
void mc_finder_append_detail(const mc_finder_row *row, const mc_session *session, mc_text *out);
