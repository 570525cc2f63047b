// site_groups.h - the groups of an agent's allocations, numbered in the order of their first
// appearance.
//
// Threads: one object, one thread.
#pragma once
#include "engine/live/agent/agent_names.h"

typedef enum mc_site_role {
    MC_SITE_TYPE,
    MC_SITE_DOMAIN,
    MC_SITE_SITE,
    MC_SITE_CALLER,
    MC_SITE_THREAD,
    MC_SITE_ROLE_COUNT
} mc_site_role;

extern const char *const mc_site_role_names[MC_SITE_ROLE_COUNT];

typedef struct mc_site_group {
    uint32_t parent; // an earlier one; MC_NONE: the root, which is group 0
    uint32_t key;    // in `keys`
    uint8_t role;
} mc_site_group;

// Zero-initialise; deinit.
typedef struct mc_site_groups {
    mc_strings keys;
    mc_strings known; // parent and key of each but the root, as bytes: group i + 1
    mc_site_group *items;
    uint32_t count;
    size_t capacity;
    mc_text text; // scratch
} mc_site_groups;

// The leaf of a class, a stack and a thread (0: not known). MC_NONE: out of memory.
uint32_t mc_site_groups_find(mc_site_groups *groups, const mc_agent_names *names,
                             const char *domains, const mc_agent_alloc *row);
void mc_site_groups_deinit(mc_site_groups *groups);
