#include "engine/live/agent/site_groups.h"

#include "engine/base/memory.h"
#include "engine/import/jvm/class_pattern.h"
#include <string.h>

const char *const mc_site_role_names[MC_SITE_ROLE_COUNT] = {
    [MC_SITE_TYPE] = "Type",     [MC_SITE_DOMAIN] = "Domain", [MC_SITE_SITE] = "Site",
    [MC_SITE_CALLER] = "Caller", [MC_SITE_THREAD] = "Thread",
};

static uint32_t append(mc_site_groups *groups, mc_site_group group) {
    if (!mc_reserve(&groups->items, &groups->capacity, (size_t)groups->count + 1,
                    sizeof *groups->items))
        return MC_NONE;
    groups->items[groups->count] = group;
    return groups->count++;
}

static uint32_t find(mc_site_groups *groups, uint32_t parent, mc_site_role role, const char *key,
                     size_t size) {
    if (parent == MC_NONE) return MC_NONE;
    uint32_t pair[2] = {parent, mc_strings_intern(&groups->keys, size ? key : "(unnamed)",
                                                  size ? size : strlen("(unnamed)"))};
    if (pair[1] == MC_NONE) return MC_NONE;
    uint32_t known = mc_strings_intern(&groups->known, (const char *)pair, sizeof pair);
    if (known == MC_NONE || known + 1 < groups->count) return known == MC_NONE ? known : known + 1;
    return append(groups, (mc_site_group){parent, pair[1], (uint8_t)role});
}

static uint32_t find_frame(mc_site_groups *groups, const mc_agent_names *names, uint32_t parent,
                           mc_site_role role, mc_agent_frame frame) {
    mc_text_clear(&groups->text);
    mc_agent_names_append_frame(names, frame, &groups->text);
    if (groups->text.failed) return MC_NONE;
    return find(groups, parent, role, groups->text.data, groups->text.size);
}

static bool is_domain(const mc_agent_names *names, const char *domains, mc_agent_frame frame) {
    size_t size;
    uint32_t number = mc_agent_names_get_frame_class(names, frame);
    const char *name = mc_agent_names_get_class(names, number, &size);
    return number && mc_class_pattern_matches(domains, name, size);
}

static uint32_t find_domain(mc_site_groups *groups, const mc_agent_names *names, uint32_t parent,
                            const char *domains, mc_agent_stack stack) {
    static const char none[] = "(none)";
    for (uint32_t i = 0; i < stack.count; i++) {
        mc_agent_frame frame = names->frames[stack.begin + i];
        if (is_domain(names, domains, frame))
            return find_frame(groups, names, parent, MC_SITE_DOMAIN, frame);
    }
    return find(groups, parent, MC_SITE_DOMAIN, none, sizeof none - 1);
}

uint32_t mc_site_groups_find(mc_site_groups *groups, const mc_agent_names *names,
                             const char *domains, const mc_agent_alloc *row) {
    static const char root[] = "Heap";
    size_t size;
    if (groups->count == 0) {
        uint32_t key = mc_strings_intern(&groups->keys, root, sizeof root - 1);
        if (key == MC_NONE || append(groups, (mc_site_group){MC_NONE, key, 0}) == MC_NONE)
            return MC_NONE;
    }
    mc_agent_stack stack = {0};
    if (row->stack) stack = names->stacks[row->stack - 1];
    const char *type = mc_agent_names_get_class(names, row->class_number, &size);
    uint32_t group = find(groups, 0, MC_SITE_TYPE, type, size);
    if (domains) group = find_domain(groups, names, group, domains, stack);
    for (uint32_t i = 0; i < stack.count; i++)
        group = find_frame(groups, names, group, i == 0 ? MC_SITE_SITE : MC_SITE_CALLER,
                           names->frames[stack.begin + i]);
    if (stack.count == 0)
        group = find_frame(groups, names, group, MC_SITE_SITE, (mc_agent_frame){0});
    const char *thread = mc_agent_names_get_thread(names, row->thread, &size);
    return find(groups, group, MC_SITE_THREAD, thread, size);
}

void mc_site_groups_deinit(mc_site_groups *groups) {
    mc_strings_deinit(&groups->keys);
    mc_strings_deinit(&groups->known);
    mc_free(groups->items);
    mc_text_deinit(&groups->text);
    *groups = (mc_site_groups){0};
}
