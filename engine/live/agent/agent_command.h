// agent_command.h - encodes the commands sent to an agent.
//
// Pure. Threads: any.
#pragma once
#include "engine/base/text.h"

// Appends a COMMAND frame. `verb`: MC_AGENT_START …; `mode` and `options` may be "".
void mc_agent_command_append(mc_text *text, uint32_t number, uint8_t verb, const char *mode,
                             const char *options);
