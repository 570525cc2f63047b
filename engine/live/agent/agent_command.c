#include "engine/live/agent/agent_command.h"

#include "engine/live/agent/agent_stream.h"
#include <string.h>

static void append_number(mc_text *text, uint64_t value, size_t size) {
    for (size_t i = 0; i < size; i++)
        mc_text_append(text, (const char[]){(char)(value >> (8 * i))}, 1);
}

static void append_string(mc_text *text, const char *string) {
    size_t size = strlen(string);
    assert(size <= UINT16_MAX);
    append_number(text, size, 2);
    mc_text_append(text, string, size);
}

void mc_agent_command_append(mc_text *text, uint32_t number, uint8_t verb, const char *mode,
                             const char *options) {
    append_number(text, 1 + 4 + 1 + 2 + strlen(mode) + 2 + strlen(options), 4);
    append_number(text, MC_AGENT_COMMAND, 1);
    append_number(text, number, 4);
    append_number(text, verb, 1);
    append_string(text, mode);
    append_string(text, options);
}
