// mcp_ask.h - what a tool does: it runs memcity, mostly `query`, and makes parts of an answer of
// what that says.
//
// Whoever asks fails with an answer, which says why (isError). Threads: the main thread.
#pragma once
#include "app/mcp/mcp_message.h"
#include "app/print/print.h"
#include "engine/live/child.h"

#define MC_MCP_ANSWER_MOST 5000
#define MC_MCP_ROWS_MOST "600"  // more than an answer holds, so that what it lacks is counted
#define MC_MCP_MESSAGE_MOST 800 // bytes of an error

typedef struct mc_mcp_tools {
    char **roots; // real paths of the folders that may be read
    uint32_t root_count;
    char *program; // path of memcity
    uint64_t timeout_ms;
    bool (*should_stop)(void *user); // the client has gone, or cancels the call
    void *user;
} mc_mcp_tools;

typedef struct mc_mcp_answer {
    mc_text text;  // JSON, or, if it is an error, a sentence
    mc_text image; // PNG; empty: none
    bool is_error;
} mc_mcp_answer;

// A call in the making.
typedef struct mc_mcp_call {
    const mc_mcp_tools *tools;
    const mc_mcp_message *message;
    const struct tool_row *tool;
    mc_mcp_answer *answer;
    mc_error *error;
    char *paths[MC_MCP_TEXTS_MOST]; // of the trace
    uint32_t path_count;
    mc_text basis;     // what the answer rests on, as a sentence
    mc_text damage;    // what memcity said of an input that is not whole
    mc_text data;      // a JSON object
    mc_print print;    // of it
    bool has_more;     // rows than were read
    uint32_t left_out; // rows that were read, but not told
} mc_mcp_call;

// What a statement says, as a part of the answer.
typedef struct mc_mcp_section {
    const char *name;     // NULL: what the answer rests on
    uint32_t most;        // rows that are told; 0: all of them
    const char *if_empty; // what is wrong where there are no rows; NULL: nothing
} mc_mcp_section;

// The answer is this error. Returns MC_OK.
mc_result mc_mcp_refuse(mc_mcp_call *self, const char *sentence);
// Runs memcity. `words` end with NULL; the paths follow the first. False: an answer says why not.
bool mc_mcp_run(mc_mcp_call *self, const char *const *words, mc_child_outcome *outcome);
void mc_mcp_add_data(mc_mcp_call *self, const char *name, const char *json, size_t size);

// What answers rest on: the statement of a section without a name.
extern const char mc_mcp_basis_sql[];
// Asks the trace: a statement a section. `option` of memcity query; NULL: none.
mc_result mc_mcp_ask(mc_mcp_call *self, const char *sql, const mc_mcp_section *sections,
                     uint32_t count, const char *option);
// Adds what some of the paths rest on. False: an answer says what is wrong.
bool mc_mcp_ask_basis(mc_mcp_call *self, uint32_t first, uint32_t count);
