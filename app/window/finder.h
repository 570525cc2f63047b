// finder.h - searches commands and structures for the command palette.
//
// Used by the main thread.
#pragma once
#include "app/session/session.h"

#define MC_FINDER_CAPACITY 200 // rows that are kept

typedef struct mc_finder_row {
    mc_action_id action;
    uint32_t number; // the node, for MC_ACTION_SHOW_NODE
} mc_finder_row;

// Zero-initialise. Keeps the largest nodes found, in order. Each call searches a slice of the
// nodes, so that no keystroke waits for a huge trace.
typedef struct mc_finder {
    mc_finder_row rows[MC_FINDER_CAPACITY];
    uint32_t count, command_count;  // all rows; those of commands come first
    uint32_t next_node, node_count; // the next node to search; the trace's number of nodes
    uint32_t trace_version;         // rows of another version are invalid
} mc_finder;

// Starts a search with the commands that contain all words of `text`: those that people call so
// first (action_words.h), then those that begin with it; with all commands if it is empty.
void mc_finder_begin(mc_finder *finder, const mc_session *session, const char *text);
// Adds nodes whose name contains `text`, largest at the step shown first. Returns whether nodes
// remain to be searched. O(slice).
bool mc_finder_continue(mc_finder *finder, const mc_session *session, const char *text);

bool mc_finder_is_stale(const mc_finder *finder, const mc_session *session);

// Appends a row's label, and its key or place.
void mc_finder_append_label(const mc_finder_row *row, const mc_session *session, mc_text *out);
void mc_finder_append_detail(const mc_finder_row *row, const mc_session *session, mc_text *out);
