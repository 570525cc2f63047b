#include "engine/scene/root_marks.h"

#include "engine/base/memory.h"

#define TRAIL_SHARE 0.1f // references between classes do not tell how many objects are held

const char *mc_root_class_get_name(mc_root_class root_class, bool is_jvm) {
    static const char *const names[MC_ROOT_CLASS_COUNT] = {
        [MC_ROOT_CLASS_STATIC] = "Static fields",  [MC_ROOT_CLASS_THREAD] = "Threads",
        [MC_ROOT_CLASS_MONITOR] = "Monitors",      [MC_ROOT_CLASS_JNI] = "JNI",
        [MC_ROOT_CLASS_SYSTEM] = "System classes", [MC_ROOT_CLASS_OTHER] = "Other roots",
    };
    if (!is_jvm && root_class == MC_ROOT_CLASS_STATIC) return "Variables";
    if (!is_jvm && root_class == MC_ROOT_CLASS_JNI) return "Handles";
    return names[root_class];
}

mc_root_class mc_root_class_get(mc_root_kind kind) {
    switch (kind) {
    case MC_ROOT_STATIC:
    case MC_ROOT_GLOBAL: return MC_ROOT_CLASS_STATIC;
    case MC_ROOT_STACK:
    case MC_ROOT_JNI_LOCAL:
    case MC_ROOT_NATIVE_STACK:
    case MC_ROOT_THREAD:
    case MC_ROOT_THREAD_BLOCK: return MC_ROOT_CLASS_THREAD;
    case MC_ROOT_MONITOR:
    case MC_ROOT_JNI_MONITOR: return MC_ROOT_CLASS_MONITOR;
    case MC_ROOT_JNI_GLOBAL:
    case MC_ROOT_HANDLE: return MC_ROOT_CLASS_JNI;
    case MC_ROOT_SYSTEM_CLASS: return MC_ROOT_CLASS_SYSTEM;
    default: return MC_ROOT_CLASS_OTHER;
    }
}

const float *mc_root_class_get_color(mc_root_class root_class, const mc_theme *theme) {
    static const uint32_t categories[MC_ROOT_CLASS_COUNT] = {
        [MC_ROOT_CLASS_STATIC] = 2, [MC_ROOT_CLASS_THREAD] = 0, [MC_ROOT_CLASS_MONITOR] = 1,
        [MC_ROOT_CLASS_JNI] = 3,    [MC_ROOT_CLASS_SYSTEM] = 5, [MC_ROOT_CLASS_OTHER] = 7,
    };
    return theme->categories[categories[root_class]];
}

void mc_root_marks_make(mc_city_markers *markers, const mc_root_groups *groups, const mc_city *city,
                        const mc_theme *theme) {
    uint32_t classes[MC_ROOT_GROUP_CAPACITY] = {0};
    for (uint32_t i = 0; i < groups->count; i++)
        classes[i] = (uint32_t)mc_root_class_get(groups->items[i].kind);
    mc_city_markers_place(markers, city, classes, groups->count);
    for (uint32_t i = 0; i < markers->count; i++) {
        const float *color = mc_root_class_get_color((mc_root_class)classes[i], theme);
        markers->colors[i] = (mc_color){color[0], color[1], color[2], 2.0f};
    }
}

// ---- links

mc_result mc_joins_add_streets(mc_joins *joins, const mc_street *streets, uint32_t count,
                               uint64_t whole_bytes, bool has_markers, mc_error *error) {
    if (count == 0) return MC_OK;
    mc_frustum_link *links = mc_alloc(count, sizeof *links);
    uint32_t *stops = mc_alloc_zero(count, sizeof *stops); // they are of no walk
    for (uint32_t i = 0; links && i < count; i++) {
        const mc_street *street = &streets[i];
        double share = whole_bytes > 0 ? (double)street->bytes / (double)whole_bytes : 0;
        links[i] = mc_frustum_get_street(street->from, street->to, share, street->is_new);
        if (!has_markers || street->root == MC_NONE) continue;
        links[i].from_node = street->root;
        links[i].is_from_marker = true;
    }
    mc_result result = links && stops ? mc_joins_add(joins, links, stops, count, error)
                                      : mc_error_out_of_memory(error);
    mc_free(links);
    mc_free(stops);
    return result;
}

// Links are few: they are gathered, and then added at once.
typedef struct gathered {
    mc_frustum_link links[MC_ROOT_GROUP_CAPACITY];
    uint32_t stops[MC_ROOT_GROUP_CAPACITY];
    uint32_t count;
} gathered;

static void add(gathered *to, uint32_t from_node, uint32_t to_node, float share, uint32_t kind) {
    if (to->count == MC_ROOT_GROUP_CAPACITY) return;
    float from_share = kind == MC_FRUSTUM_ROOT ? 0.0f : share;
    to->stops[to->count] = MC_NONE;
    to->links[to->count++] =
        (mc_frustum_link){from_node, to_node, from_share, share, kind, kind == MC_FRUSTUM_ROOT};
}

static float get_share(uint64_t held, uint64_t objects) {
    return held < objects ? (float)((double)held / (double)objects) : 1.0f;
}

mc_result mc_joins_add_holds(mc_joins *joins, const mc_root_groups *groups, uint32_t group,
                             uint32_t most, mc_error *error) {
    const mc_root_group *root = &groups->items[group];
    gathered links = {.count = 0};
    for (uint32_t i = 0; i < root->hold_count && i < most; i++) {
        const mc_root_hold *hold = &groups->holds[root->first_hold + i];
        add(&links, group, hold->node, get_share(hold->count, hold->objects), MC_FRUSTUM_ROOT);
    }
    return mc_joins_add(joins, links.links, links.stops, links.count, error);
}

mc_result mc_joins_add_roots(mc_joins *joins, const mc_root_groups *groups,
                             const mc_node_columns *nodes, uint32_t node, uint64_t objects,
                             mc_error *error) {
    gathered links = {.count = 0};
    for (uint32_t i = 0; i < groups->count; i++) {
        const mc_root_group *group = &groups->items[i];
        uint64_t held = 0;
        for (uint32_t k = 0; k < group->hold_count; k++) {
            const mc_root_hold *hold = &groups->holds[group->first_hold + k];
            if (mc_nodes_is_inside(nodes, hold->node, node)) held += hold->count;
        }
        if (held > 0) add(&links, i, node, get_share(held, objects), MC_FRUSTUM_ROOT);
    }
    return mc_joins_add(joins, links.links, links.stops, links.count, error);
}

// A walk may have come some of the way; what it joins is thicker, and tells more.
static bool has_link(const mc_joins *joins, uint32_t from_node, uint32_t to_node) {
    for (uint32_t i = 0; i < joins->count; i++)
        if (joins->links[i].from_node == from_node && joins->links[i].to_node == to_node)
            return true;
    return false;
}

mc_result mc_joins_add_root_path(mc_joins *joins, const mc_root_groups *groups,
                                 const mc_root_path *trail, mc_error *error) {
    gathered links = {.count = 0};
    if (!trail->is_known) return MC_OK;
    uint32_t held = trail->start;
    for (uint32_t i = 0; i < trail->count; i++) {
        if (!has_link(joins, trail->hops[i].node, held))
            add(&links, trail->hops[i].node, held, TRAIL_SHARE, MC_FRUSTUM_CHAIN);
        held = trail->hops[i].node;
    }
    uint32_t group = mc_root_groups_get(groups, trail->root_kind, trail->root_name);
    if (group != MC_NONE) add(&links, group, held, TRAIL_SHARE, MC_FRUSTUM_ROOT);
    return mc_joins_add(joins, links.links, links.stops, links.count, error);
}
