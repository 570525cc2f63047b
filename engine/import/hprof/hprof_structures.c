#include "engine/import/hprof/hprof_structures.h"

#include "engine/base/memory.h"
#include "engine/import/hprof/hprof_pairs.h"
#include <stdatomic.h>

// What holds a structure, while that is found out: nothing yet, a root, a field (its number +
// FIELD), several; and what is inside of another one.
enum { HOLDER_NONE, HOLDER_ROOT, HOLDER_FIELD };
#define HOLDER_SEVERAL (MC_NONE - 2)
#define HOLDER_INSIDE (MC_NONE - 1)

#define AHEAD 8
#define MASK_BITS 32

// Of a kind of vertices.
typedef struct kind_role {
    bool may_be_structure;
    bool is_root;
    uint32_t inside;      // a bit for each of the first slots: what it references is a part of this
    uint32_t ignored;     // a bit a slot: an inner class's reference to what it belongs to
    uint32_t first_field; // in `fields`: of the first slot
} kind_role;

typedef struct structurer {
    mc_hprof_structures *structures;
    const mc_hprof_heap *heap;
    const mc_graph *graph;
    const mc_hprof_patterns *patterns;
    kind_role *roles;
    uint32_t *fields;          // of each kind's slots: the first slot with the same field
    mc_hprof_table places;     // where a field is declared -> in `fields`
    _Atomic uint32_t *holders; // by number
    mc_hprof_pairs parts;      // structure + 1 << 32 | leaf; count and bytes
    mc_hprof_pairs known;      // kind << 32 | holder -> name + 1
    mc_error *error;
} structurer;

void mc_hprof_structures_deinit(mc_hprof_structures *structures) {
    mc_strings_deinit(&structures->names);
    mc_free(structures->of);
    mc_free(structures->parts);
    *structures = (mc_hprof_structures){.count = 0};
}

// ---- what kinds are

static bool find_slots(structurer *self, uint32_t kind, kind_role *role) {
    const mc_hprof_heap *heap = self->heap;
    uint32_t class = heap->graph.kinds[kind].class;
    uint32_t slot_count = heap->graph.graph.kinds[kind].slot_count;
    for (uint32_t slot = 0; slot < slot_count; slot++) {
        mc_hprof_field field =
            mc_hprof_get_instance_field(&heap->classes, &heap->file, class, slot);
        uint64_t *first = mc_hprof_table_put(&self->places, field.place);
        if (!first) return false;
        // Subclasses have one field in common.
        if (*first == MC_HPROF_NO_VALUE) *first = role->first_field + slot;
        self->fields[role->first_field + slot] = (uint32_t)*first;
        if (slot >= MASK_BITS) continue;
        size_t size = 0;
        const char *name = mc_hprof_file_get_string(&heap->file, field.name, &size);
        if (name && size > 5 && memcmp(name, "this$", 5) == 0) role->ignored |= 1u << slot;
        if (mc_hprof_is_listed(&heap->classes.items[field.class], self->patterns))
            role->inside |= 1u << slot;
    }
    return true;
}

static bool find_role(structurer *self, uint32_t kind) {
    const mc_hprof_graph *graph = &self->heap->graph;
    const mc_hprof_graph_kind *meaning = &graph->kinds[kind];
    kind_role *role = &self->roles[kind];
    for (uint32_t slot = 0; slot <= graph->graph.kinds[kind].slot_count; slot++)
        self->fields[role->first_field + slot] = role->first_field + slot;
    role->is_root = meaning->what == MC_HPROF_VERTEX_ROOT;
    role->may_be_structure = meaning->what == MC_HPROF_VERTEX_OBJECTS;
    if (meaning->what != MC_HPROF_VERTEX_INSTANCE) return true;
    role->may_be_structure =
        mc_hprof_is_collection(&self->heap->classes, meaning->class, self->patterns);
    return find_slots(self, kind, role);
}

static mc_result find_roles(structurer *self) {
    const mc_hprof_graph *graph = &self->heap->graph;
    uint64_t count = 0;
    bool is_done = true;
    self->roles = mc_alloc_zero((size_t)graph->kind_count + 1, sizeof *self->roles);
    if (!self->roles) return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < graph->kind_count; i++) {
        self->roles[i].first_field = (uint32_t)count;
        count += (uint64_t)graph->graph.kinds[i].slot_count + 1;
    }
    if (count >= HOLDER_SEVERAL - HOLDER_FIELD) {
        mc_error_set(self->error, MC_ERROR_UNSUPPORTED, MC_ERROR_NO_OFFSET,
                     "too many fields: 2^32 or more");
        return MC_ERROR_UNSUPPORTED;
    }
    self->fields = mc_alloc((size_t)count + 1, sizeof *self->fields);
    for (uint32_t i = 0; self->fields && i < graph->kind_count && is_done; i++)
        is_done = find_role(self, i);
    return self->fields && is_done ? MC_OK : mc_error_out_of_memory(self->error);
}

// ---- what holds them

// In whatever order they come.
static uint32_t combine(uint32_t known, uint32_t holder) {
    if (known == HOLDER_INSIDE || holder == HOLDER_INSIDE) return HOLDER_INSIDE;
    if (known == holder || known == HOLDER_NONE) return holder;
    if (known == HOLDER_ROOT) return holder;
    return holder == HOLDER_ROOT ? known : HOLDER_SEVERAL;
}

static void add_holder(const structurer *self, uint32_t number, uint32_t holder) {
    _Atomic uint32_t *at = &self->holders[number];
    uint32_t known = atomic_load_explicit(at, memory_order_relaxed), wanted;
    do {
        wanted = combine(known, holder);
        if (wanted == known) return;
    } while (!atomic_compare_exchange_weak_explicit(at, &known, wanted, memory_order_relaxed,
                                                    memory_order_relaxed));
}

static void follow_edges(const structurer *self, uint32_t position) {
    const mc_graph *graph = self->graph;
    const kind_role *role = &self->roles[mc_graph_get_kind(graph, position)];
    mc_graph_edges edges = mc_graph_begin_edges(graph, position);
    while (mc_graph_next_edge(&edges)) {
        if (!self->roles[mc_graph_get_kind(graph, edges.target)].may_be_structure) continue;
        uint32_t bit = edges.slot < MASK_BITS ? 1u << edges.slot : 0;
        if (role->ignored & bit) continue;
        uint32_t holder = role->is_root ? HOLDER_ROOT
                          : role->inside & bit
                              ? HOLDER_INSIDE
                              : HOLDER_FIELD + self->fields[role->first_field + edges.slot];
        add_holder(self, mc_graph_get_number(graph, edges.target), holder);
    }
}

// References of what nothing reaches hold nothing.
static void follow_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const structurer *self = user;
    const mc_graph *graph = self->graph;
    (void)thread;
    for (uint32_t at = begin, next; at < end; at = next) {
        next = mc_graph_skip(graph, at);
        // What the next vertices reference, as far as a look at words tells; others do no harm.
        for (uint32_t i = 0; i < AHEAD; i++) {
            uint32_t target = graph->words[next + AHEAD + i] & MC_GRAPH_POSITION;
            __builtin_prefetch(&graph->words[target < graph->word_count ? target : 0]);
        }
        if (mc_graph_get_number(graph, at) < self->heap->tree.reachable) follow_edges(self, at);
    }
}

// ---- names

// The kind and slot of a field's number.
static void append_holder(const structurer *self, uint32_t field, mc_text *text) {
    const mc_hprof_heap *heap = self->heap;
    uint32_t low = 0, high = heap->graph.kind_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (self->roles[middle].first_field <= field)
            low = middle;
        else
            high = middle;
    }
    mc_hprof_field found = mc_hprof_graph_get_field(&heap->graph, &heap->classes, &heap->file, low,
                                                    field - self->roles[low].first_field);
    if (found.kind == MC_HPROF_FIELD_STATIC) {
        size_t begin = text->size;
        mc_hprof_append_field(&heap->classes, &heap->file, &found, false, text);
        size_t skipped = strlen("static ");
        if (text->failed) return;
        memmove(text->data + begin, text->data + begin + skipped, text->size - begin - skipped + 1);
        text->size -= skipped;
        return;
    }
    mc_hprof_append_field(&heap->classes, &heap->file, &found, false, text);
}

static uint32_t make_name(structurer *self, uint32_t kind, uint32_t holder) {
    const mc_hprof_heap *heap = self->heap;
    mc_text text = {0};
    mc_hprof_append_class(&heap->classes, heap->graph.kinds[kind].class, false, &text);
    mc_text_append_string(&text, " in ");
    switch (holder) {
    case HOLDER_NONE: mc_text_append_string(&text, "(unknown)"); break;
    case HOLDER_ROOT: mc_text_append_string(&text, "(root)"); break;
    case HOLDER_SEVERAL: mc_text_append_string(&text, "(several)"); break;
    default: append_holder(self, holder - HOLDER_FIELD, &text);
    }
    uint32_t name =
        text.failed ? MC_NONE : mc_strings_intern(&self->structures->names, text.data, text.size);
    mc_text_deinit(&text);
    return name;
}

static uint32_t get_name(structurer *self, uint32_t kind, uint32_t holder) {
    mc_hprof_pair *pair = mc_hprof_pairs_put(&self->known, kind, holder);
    if (!pair) return MC_NONE;
    if (pair->points_to == 0) {
        uint32_t name = make_name(self, kind, holder);
        if (name == MC_NONE) return MC_NONE;
        pair->points_to = (uint64_t)name + 1;
    }
    return (uint32_t)(pair->points_to - 1);
}

// From what holds them to their names, and to what they dominate.
static mc_result name_structures(structurer *self) {
    const mc_graph *graph = self->graph;
    for (uint32_t at = MC_GRAPH_HEAD; at < graph->word_count; at = mc_graph_skip(graph, at)) {
        uint32_t number = mc_graph_get_number(graph, at), kind = mc_graph_get_kind(graph, at);
        uint32_t holder = atomic_load_explicit(&self->holders[number], memory_order_relaxed);
        uint32_t name = MC_NONE;
        if (self->roles[kind].may_be_structure && holder != HOLDER_INSIDE &&
            number < self->heap->tree.reachable) {
            name = get_name(self, kind, holder);
            if (name == MC_NONE) return mc_error_out_of_memory(self->error);
        }
        atomic_store_explicit(&self->holders[number], name, memory_order_relaxed);
    }
    mc_retained_hand_down(&self->heap->tree, self->structures->of);
    return MC_OK;
}

// ---- sums

static mc_result add_parts(structurer *self) {
    const mc_graph *graph = self->graph;
    for (uint32_t at = MC_GRAPH_HEAD; at < graph->word_count; at = mc_graph_skip(graph, at)) {
        uint32_t leaf = self->heap->graph.kinds[mc_graph_get_kind(graph, at)].leaf;
        if (leaf == MC_NONE) continue;
        uint32_t structure = self->structures->of[mc_graph_get_number(graph, at)];
        mc_hprof_pair *pair = mc_hprof_pairs_put(&self->parts, structure + 1, leaf);
        if (!pair) return mc_error_out_of_memory(self->error);
        pair->points_to++;
        pair->pointed_from += mc_graph_get_size(graph, at);
    }
    return MC_OK;
}

static mc_result list_parts(structurer *self) {
    mc_hprof_structures *structures = self->structures;
    mc_hprof_pairs_sort(&self->parts);
    structures->parts = mc_alloc(self->parts.count + 1, sizeof *structures->parts);
    if (!structures->parts) return mc_error_out_of_memory(self->error);
    for (size_t i = 0; i < self->parts.count; i++) {
        const mc_hprof_pair *pair = &self->parts.slots[i];
        structures->parts[structures->count++] =
            (mc_hprof_structure_part){.structure = (uint32_t)(pair->key >> 32) - 1,
                                      .leaf = (uint32_t)pair->key,
                                      .sum = {pair->points_to, pair->pointed_from}};
    }
    return MC_OK;
}

mc_result mc_hprof_structures_init(mc_hprof_structures *structures, const mc_hprof_heap *heap,
                                   const mc_hprof_patterns *patterns, mc_error *error) {
    structurer self = {.structures = structures,
                       .heap = heap,
                       .graph = &heap->graph.graph,
                       .patterns = patterns,
                       .error = error};
    *structures = (mc_hprof_structures){.count = 0};
    structures->of = mc_alloc_zero((size_t)heap->tree.count + 1, sizeof *structures->of);
    _Static_assert(sizeof(_Atomic uint32_t) == sizeof(uint32_t), "one column for both");
    self.holders = (_Atomic uint32_t *)structures->of;
    mc_result result = structures->of ? find_roles(&self) : mc_error_out_of_memory(error);
    if (result == MC_OK) {
        mc_graph_scan(self.graph, heap->crew.worker_count, follow_range, &self);
        result = name_structures(&self);
    }
    if (result == MC_OK) result = add_parts(&self);
    if (result == MC_OK) result = list_parts(&self);
    mc_free(self.roles);
    mc_free(self.fields);
    mc_hprof_table_deinit(&self.places);
    mc_hprof_pairs_deinit(&self.parts);
    mc_hprof_pairs_deinit(&self.known);
    return result;
}
