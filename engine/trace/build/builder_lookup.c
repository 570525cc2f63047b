// Tables in which a builder looks up what it has: steps by time, classifiers by name, and nodes.
//
// That of nodes is by parent and key. In a wide trace a look into it is mostly a wait for memory:
// entries hold the hash, so that only what is found is looked at, and the places of the entries
// that come next are fetched together.
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/base/slots.h"
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

static uint64_t make_slot(const mc_trace_builder *builder, size_t entry, get_number get) {
    return (uint64_t)hash_number(get(builder, entry)) << 32 | (entry + 1);
}

// Entries of a step that was taken back: their numbers still lie behind the others.
static void take_back(const mc_trace_builder *builder, mc_builder_index *index, size_t count,
                      get_number get) {
    if (index->grown_count > count) {
        memset(index->slots, 0, index->slot_count * sizeof *index->slots);
        index->entered_count = index->grown_count = 0;
    }
    while (index->entered_count > count)
        mc_slots_leave(index->slots, index->slot_count,
                       make_slot(builder, --index->entered_count, get));
}

static bool update_index(mc_trace_builder *builder, mc_builder_index *index, size_t count,
                         get_number get) {
    take_back(builder, index, count, get);
    // At most two of three slots are taken.
    if (count * 3 >= (size_t)index->slot_count * 2) {
        if (!mc_slots_grow(&index->slots, &index->slot_count, count)) return false;
        index->grown_count = index->entered_count;
    }
    for (; index->entered_count < count; index->entered_count++)
        mc_slots_enter(index->slots, index->slot_count,
                       make_slot(builder, index->entered_count, get));
    return true;
}

static uint32_t find_number(const mc_trace_builder *builder, const mc_builder_index *index,
                            uint64_t number, get_number get) {
    uint32_t hash = hash_number(number), mask = index->slot_count - 1;
    for (uint32_t at = hash & mask; index->slots[at] != 0; at = (at + 1) & mask) {
        uint32_t found = (uint32_t)index->slots[at] - 1;
        if (index->slots[at] >> 32 == hash && get(builder, found) == number) return found;
    }
    return MC_NONE;
}

bool mc_builder_find_step(mc_trace_builder *builder, int64_t time_ms, uint32_t *found) {
    mc_builder_index *index = &builder->step_index;
    if (!update_index(builder, index, builder->step_count, get_step_time)) return false;
    *found = find_number(builder, index, (uint64_t)time_ms, get_step_time);
    return true;
}

bool mc_builder_find_classifier(mc_trace_builder *builder, uint32_t string, uint32_t *found) {
    mc_builder_index *index = &builder->classifier_index;
    if (!update_index(builder, index, builder->classifier_count, get_classifier)) return false;
    *found = find_number(builder, index, string, get_classifier);
    return true;
}

// ---- nodes

static uint32_t hash_node(uint32_t parent, uint32_t key_hash) {
    return (uint32_t)mc_hash_u64((uint64_t)parent << 32 | key_hash, 0);
}

static uint64_t make_node_slot(const mc_trace_builder *builder, size_t node) {
    size_t size;
    const mc_seen_node *seen = &builder->nodes[node];
    const char *key = mc_strings_get(&builder->strings, seen->key, &size);
    return (uint64_t)hash_node(seen->parent, mc_strings_hash(key, size)) << 32 | (node + 1);
}

// Enters the nodes that are not in the table yet: read from a file, or left after others were
// forgotten.
static void enter_nodes(mc_trace_builder *builder) {
    for (size_t node = builder->entered_count; node < builder->node_count; node++)
        mc_slots_enter(builder->slots, builder->slot_count, make_node_slot(builder, node));
    builder->entered_count = builder->node_count;
}

// At most two of three slots are taken. Nodes that were read from a file are not in them yet.
static bool reserve_slots(mc_trace_builder *builder, size_t count) {
    if (count < builder->node_count) count = builder->node_count;
    if (count * 3 < (size_t)builder->slot_count * 2) return true;
    if (!mc_slots_grow(&builder->slots, &builder->slot_count, count / 4 * 3)) return false;
    enter_nodes(builder);
    builder->grown_count = builder->node_count;
    return true;
}

bool mc_builder_reserve_nodes(mc_trace_builder *builder, size_t count) {
    return mc_reserve(&builder->nodes, &builder->node_capacity, count, sizeof *builder->nodes) &&
           reserve_slots(builder, count);
}

// Takes the nodes from `node_count` on out of the order of the steps' trees, the last one first.
static void unlink_nodes(mc_trace_builder *builder, size_t node_count) {
    for (size_t entry = builder->step_node_count; entry-- > 1;) {
        uint32_t node = builder->step_nodes[entry];
        if (node >= node_count)
            builder->nodes[builder->step_nodes[entry - 1]].next = builder->nodes[node].next;
    }
}

void mc_builder_forget_nodes(mc_trace_builder *builder, size_t node_count) {
    if (builder->node_count == node_count) return;
    unlink_nodes(builder, node_count);
    if (builder->grown_count <= node_count) {
        while (builder->entered_count > node_count)
            mc_slots_leave(builder->slots, builder->slot_count,
                           make_node_slot(builder, --builder->entered_count));
        builder->node_count = node_count;
        return;
    }
    memset(builder->slots, 0, builder->slot_count * sizeof *builder->slots);
    builder->node_count = node_count;
    builder->entered_count = 0;
    enter_nodes(builder);
    builder->grown_count = node_count;
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
        if (builder->slot_count == 0 || node->parent >= entry) continue;
        hash = hash_node(builder->step_nodes[node->parent], hash);
        __builtin_prefetch(&builder->slots[hash & (builder->slot_count - 1)]);
    }
    builder->hashed_begin = entry;
    builder->hashed_end = end;
}

static uint32_t add_node(mc_trace_builder *builder, uint32_t parent, uint32_t key) {
    if (!mc_reserve(&builder->nodes, &builder->node_capacity, builder->node_count + 1,
                    sizeof *builder->nodes))
        return MC_NONE;
    uint32_t node = (uint32_t)builder->node_count++;
    builder->nodes[node] = (mc_seen_node){.parent = parent,
                                          .key = key,
                                          .next = MC_NONE,
                                          .name = MC_NONE,
                                          .role = MC_NONE,
                                          .first_time_ms = INT64_MAX};
    return node;
}

uint32_t mc_builder_find_or_add_node(mc_trace_builder *builder, const mc_step_tree *tree,
                                     size_t entry, uint32_t parent) {
    if (!reserve_slots(builder, builder->node_count)) return MC_NONE;
    if (entry < builder->hashed_begin || entry >= builder->hashed_end)
        look_ahead(builder, tree, entry);
    const char *key = tree->text.data + tree->nodes[entry].key_offset;
    uint32_t key_size = tree->nodes[entry].key_size, mask = builder->slot_count - 1;
    uint32_t key_hash = builder->key_hashes[entry - builder->hashed_begin];
    uint32_t hash = hash_node(parent, key_hash), at = hash & mask;
    for (; builder->slots[at] != 0; at = (at + 1) & mask) {
        if (builder->slots[at] >> 32 != hash) continue;
        uint32_t node = (uint32_t)builder->slots[at] - 1;
        if (builder->nodes[node].parent == parent &&
            mc_builder_is_string(builder, builder->nodes[node].key, key, key_size))
            return node;
    }
    uint32_t string = mc_strings_intern_hashed(&builder->strings, key, key_size, key_hash);
    uint32_t node = string == MC_NONE ? MC_NONE : add_node(builder, parent, string);
    if (node == MC_NONE) return MC_NONE;
    builder->slots[at] = (uint64_t)hash << 32 | (node + 1);
    builder->entered_count++;
    return node;
}
