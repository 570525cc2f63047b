// Tables in which a builder looks up what it has: steps by time, classifiers by name, and nodes.
//
// That of nodes is by parent and key. In a wide trace a look into it is mostly a wait for memory:
// entries hold the hash, so that only what is found is looked at, and the places of the entries
// that come next are fetched together.
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/trace/build/builder_state.h"

// ---- steps and classifiers

typedef uint64_t (*get_number)(const mc_trace_builder *builder, size_t index);

static uint64_t get_step_time(const mc_trace_builder *builder, size_t step) {
    return (uint64_t)builder->steps[step].info.time_ms;
}

static uint64_t get_classifier(const mc_trace_builder *builder, size_t classifier) {
    return builder->classifiers[classifier];
}

static uint32_t hash_number(uint64_t number) {
    return (uint32_t)mc_hash_u64(number, 1);
}

// Entries of a step that was taken back leave: their numbers still lie behind the others.
static bool update_slots(mc_trace_builder *builder, mc_slots *slots, size_t count, get_number get) {
    for (uint32_t last; slots->count > count;) {
        last = slots->count - 1;
        mc_slots_remove(slots, hash_number(get(builder, last)), last);
    }
    while (slots->count < count)
        if (!mc_slots_add(slots, hash_number(get(builder, slots->count)), slots->count))
            return false;
    return true;
}

static uint32_t find_number(const mc_trace_builder *builder, const mc_slots *slots, uint64_t number,
                            get_number get) {
    uint32_t hash = hash_number(number), found;
    for (uint32_t at = hash; (found = mc_slots_find(slots, hash, &at)) != MC_NONE;)
        if (get(builder, found) == number) break;
    return found;
}

bool mc_builder_find_step(mc_trace_builder *builder, int64_t time_ms, uint32_t *found) {
    mc_slots *slots = &builder->step_slots;
    if (!update_slots(builder, slots, builder->step_count, get_step_time)) return false;
    *found = find_number(builder, slots, (uint64_t)time_ms, get_step_time);
    return true;
}

bool mc_builder_find_classifier(mc_trace_builder *builder, uint32_t string, uint32_t *found) {
    mc_slots *slots = &builder->classifier_slots;
    if (!update_slots(builder, slots, builder->classifier_count, get_classifier)) return false;
    *found = find_number(builder, slots, string, get_classifier);
    return true;
}

// ---- nodes

static uint32_t hash_node(uint32_t parent, uint32_t key_hash) {
    return (uint32_t)mc_hash_u64((uint64_t)parent << 32 | key_hash, 0);
}

static uint32_t hash_known_node(const mc_trace_builder *builder, size_t node) {
    size_t size;
    const mc_seen_node *seen = &builder->nodes[node];
    const char *key = mc_strings_get(&builder->strings, seen->key, &size);
    return hash_node(seen->parent, mc_strings_hash(key, size));
}

// Makes room for so many nodes, and enters those that are not in the table yet: read from a file.
static bool reserve_slots(mc_trace_builder *builder, size_t count) {
    mc_slots *slots = &builder->slots;
    if (!mc_slots_reserve(slots, count > builder->node_count ? count : builder->node_count))
        return false;
    for (uint32_t node = slots->count; node < builder->node_count; node++)
        mc_slots_enter(slots, hash_known_node(builder, node), node);
    return true;
}

bool mc_builder_reserve_nodes(mc_trace_builder *builder, size_t count) {
    return mc_reserve(&builder->nodes, &builder->node_capacity, count, sizeof *builder->nodes) &&
           mc_reserve(&builder->places, &builder->place_capacity, count, sizeof *builder->places) &&
           reserve_slots(builder, count);
}

// Takes the nodes from `node_count` on out of the order of the steps' trees, the last one first.
static void unlink_nodes(mc_trace_builder *builder, size_t node_count) {
    for (size_t entry = builder->step_node_count; entry-- > 1;) {
        uint32_t node = builder->step_nodes[entry];
        if (node >= node_count)
            builder->places[builder->step_nodes[entry - 1]].next = builder->places[node].next;
    }
}

void mc_builder_forget_nodes(mc_trace_builder *builder, size_t node_count) {
    if (builder->node_count == node_count) return;
    unlink_nodes(builder, node_count);
    for (uint32_t last; builder->slots.count > node_count;) {
        last = builder->slots.count - 1;
        mc_slots_remove(&builder->slots, hash_known_node(builder, last), last);
    }
    builder->node_count = node_count;
}

// Hashes the keys of this entry and, if the one before was looked up, too, of some that follow, and
// fetches the places where they will be looked up.
static void look_ahead(mc_trace_builder *builder, const mc_step_tree *tree, size_t entry) {
    bool is_run = entry > 0 && entry == builder->hashed_end;
    size_t end = entry + (is_run ? MC_BUILDER_AHEAD : 1);
    if (end > tree->node_count) end = tree->node_count;
    for (size_t i = entry; i < end; i++) {
        const mc_step_entry *node = &tree->nodes[i];
        uint32_t hash = mc_strings_hash(tree->text.data + node->key_offset, node->key_size);
        builder->key_hashes[i - entry] = hash;
        mc_strings_prefetch(&builder->strings, hash);
        if (node->parent >= entry) continue;
        mc_slots_prefetch(&builder->slots, hash_node(builder->step_nodes[node->parent], hash));
    }
    builder->hashed_begin = entry;
    builder->hashed_end = end;
}

static uint32_t add_node(mc_trace_builder *builder, uint32_t parent, uint32_t key) {
    if (!mc_reserve(&builder->nodes, &builder->node_capacity, builder->node_count + 1,
                    sizeof *builder->nodes) ||
        !mc_reserve(&builder->places, &builder->place_capacity, builder->node_count + 1,
                    sizeof *builder->places))
        return MC_NONE;
    uint32_t node = (uint32_t)builder->node_count++;
    builder->nodes[node] =
        (mc_seen_node){.parent = parent, .key = key, .name = MC_NONE, .role = MC_NONE};
    builder->places[node] = (mc_seen_place){.next = MC_NONE, .first_time_ms = INT64_MAX};
    return node;
}

uint32_t mc_builder_find_or_add_node(mc_trace_builder *builder, const mc_step_tree *tree,
                                     size_t entry, uint32_t parent) {
    if (!reserve_slots(builder, builder->node_count)) return MC_NONE;
    if (entry < builder->hashed_begin || entry >= builder->hashed_end)
        look_ahead(builder, tree, entry);
    const char *key = tree->text.data + tree->nodes[entry].key_offset;
    uint32_t key_size = tree->nodes[entry].key_size;
    uint32_t key_hash = builder->key_hashes[entry - builder->hashed_begin];
    uint32_t hash = hash_node(parent, key_hash), node;
    for (uint32_t at = hash; (node = mc_slots_find(&builder->slots, hash, &at)) != MC_NONE;)
        if (builder->nodes[node].parent == parent &&
            mc_builder_is_string(builder, builder->nodes[node].key, key, key_size))
            return node;
    uint32_t string = mc_strings_intern_hashed(&builder->strings, key, key_size, key_hash);
    if (string != MC_NONE) node = add_node(builder, parent, string);
    if (node != MC_NONE) mc_slots_enter(&builder->slots, hash, node);
    return node;
}
