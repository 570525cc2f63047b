// mcp_message.h - a message of the Model Context Protocol as it comes in: JSON-RPC 2.0, a line
// each.
//
// Untrusted input: what is no such message gets the error that JSON-RPC has for it. Threads: any,
// on separate objects.
#pragma once
#include "engine/base/text.h"

enum { // as JSON-RPC and MCP number them
    MC_MCP_BAD_JSON = -32700,
    MC_MCP_BAD_REQUEST = -32600,
    MC_MCP_NO_METHOD = -32601,
    MC_MCP_BAD_PARAMS = -32602,
    MC_MCP_INTERNAL = -32603,
    MC_MCP_BAD_VERSION = -32022
};

#define MC_MCP_ARGUMENTS_MOST 32
#define MC_MCP_TEXTS_MOST 64 // of a list

typedef enum mc_mcp_kind {
    MC_MCP_TEXT,
    MC_MCP_INTEGER,
    MC_MCP_BOOLEAN,
    MC_MCP_LIST, // of texts
    MC_MCP_OTHER
} mc_mcp_kind;

typedef struct mc_mcp_argument {
    char *name;
    mc_mcp_kind kind;
    int64_t number; // of INTEGER and BOOLEAN
    char **texts;   // of TEXT one
    uint32_t count;
} mc_mcp_argument;

// Zero-initialise, parse, deinit.
typedef struct mc_mcp_message {
    mc_text id;      // as JSON; empty: a notification, which gets no answer
    mc_text request; // params.requestId, likewise: what notifications/cancelled is about
    char *method;
    char *version; // that the request's _meta names; NULL: none (the protocol before 2026)
    char *wanted;  // protocolVersion of initialize
    char *tool;    // params.name
    mc_mcp_argument arguments[MC_MCP_ARGUMENTS_MOST];
    uint32_t argument_count;
    bool has_arguments;
} mc_mcp_message;

// Returns 0, or the code of the error, which `error` tells; `id` is set if it was there.
int mc_mcp_message_parse(mc_mcp_message *message, const char *line, size_t size, mc_error *error);
void mc_mcp_message_deinit(mc_mcp_message *message);

// NULL: there is none of that name.
const mc_mcp_argument *mc_mcp_find(const mc_mcp_message *message, const char *name);
