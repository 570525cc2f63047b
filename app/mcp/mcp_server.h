// mcp_server.h - a server of the Model Context Protocol over two streams, in both of its eras: with
// a handshake (2024-10-07 to 2025-11-25), and stateless (2026-07-28).
//
// A line in, a line out, in order, but for calls that are cancelled; nothing else is written. It
// ends when its input does, or when nobody reads what it writes. Threads: the main thread.
#pragma once
#include "app/mcp/mcp_tools.h"

#define MC_MCP_LINE_MOST ((size_t)1 << 20) // bytes of a message

// Serves until the end. MC_ERROR_IO: a stream failed.
mc_result mc_mcp_serve(const mc_mcp_tools *tools, int input, int output, mc_error *error);
