#include "agent/native/agent.h"

#include <string.h>

extern const mc_agent_mode mc_mode_alloc, mc_mode_exact, mc_mode_count, mc_mode_wall, mc_mode_cpu;

const mc_agent_mode *const mc_agent_modes[] = {&mc_mode_alloc, &mc_mode_exact, &mc_mode_count,
                                               &mc_mode_wall,  &mc_mode_cpu,   NULL};

uint32_t mc_agent_get_mode_index(const char *name) {
    uint32_t index = 0;
    while (strcmp(mc_agent_modes[index]->name, name) != 0)
        index++;
    return index;
}
