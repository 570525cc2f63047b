// mcp_tools.h - what an assistant may ask: ten tools, each an answer of a memcity command.
//
// Each call runs this program again, for a bounded time, so that nothing of what it reads can hurt
// the server; it goes when the server or its client does. Answers are JSON of less than
// MC_MCP_ANSWER_MOST bytes, say what they rest on, and how to ask on. Threads: the main thread.
#pragma once
#include "app/mcp/mcp_ask.h"

// Prints the tools as tools/list has them, always in the same order.
void mc_mcp_tools_print(mc_print *print, const char *key);
// False: there is no such tool.
bool mc_mcp_tools_have(const char *name);
// Calls the tool message->tool. MC_ERROR_USAGE: the arguments are not those of the tool. To be
// deinitialised in any case.
mc_result mc_mcp_tools_call(const mc_mcp_tools *tools, const mc_mcp_message *message,
                            mc_mcp_answer *answer, mc_error *error);
void mc_mcp_answer_deinit(mc_mcp_answer *answer);
