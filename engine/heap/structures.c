#include "engine/heap/structures.h"

#include "engine/base/memory.h"
#include "engine/heap/pairs.h"
#include <pthread.h>
#include <stdatomic.h>

// What holds a structure, as far as is known; of two that differ the later in this list says more,
// and two fields (FIELD + the field's number) are several. What a vertex that dominates the
// structure says counts alone: others are views, iterators, local variables.
enum {
    REFERRER_NONE,
    REFERRER_ROOT,
    REFERRER_ELEMENT,
    REFERRER_INSIDE,
    REFERRER_SEVERAL,
    REFERRER_FIELD
};
#define REFERRER_OWNED 0x80000000u
#define REFERRER_ROOT_NAME 0x40000000u // of those that roots alone hold, in the end: + the words

// Then it gets a name, or NAME_NONE: nobody's. NAME_OPEN: nobody's, but may be that of what it is
// inside of. With NAME_WEAK it is only called so if nothing is around it.
#define NAMED 0x40000000u
#define NAME_WEAK 0x20000000u
#define NAME_NONE 0x1fffffffu
#define NAME_OPEN 0x1ffffffeu
#define NAME_LIMIT NAME_OPEN

#define MASK_BITS 32
#define RECENT 4096 // parts that were found last; a power of two

typedef struct structurer {
    mc_heap_structures *structures;
    const mc_heap *heap;
    const mc_graph *graph;
    mc_heap_role *roles;         // by kind
    uint32_t *fields;            // by link: the first of the same field; MC_HEAP_INSIDE
    _Atomic uint32_t *referrers; // by number: then names
    mc_heap_pairs parts;         // structure + 1 << 32 | leaf -> part + 1
    size_t part_capacity;
    mc_heap_pairs known;  // kind << 32 | referrer -> name + 1
    mc_heap_pairs rooted; // number << 32 -> in root_names, + 1, of what roots alone hold
    mc_strings root_names;
    mc_error *error;
} structurer;

void mc_heap_structures_deinit(mc_heap_structures *structures) {
    mc_strings_deinit(&structures->names);
    mc_free(structures->of);
    mc_free(structures->parts);
    *structures = (mc_heap_structures){.count = 0};
}

// ---- what kinds are

static mc_result find_roles(structurer *self) {
    const mc_heap *heap = self->heap;
    if (heap->link_count >= NAME_LIMIT)
        return mc_fail(self->error, MC_ERROR_UNSUPPORTED, "too many fields: 2^29 or more");
    self->roles = mc_alloc_zero_scattered((size_t)heap->kind_count + 1, sizeof *self->roles);
    self->fields = mc_alloc_scattered((size_t)heap->link_count + 1, sizeof *self->fields);
    if (!self->roles || !self->fields) return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < heap->link_count; i++)
        self->fields[i] = i;
    return heap->words->list_roles(heap->reader, self->roles, self->fields, self->error);
}

// ---- what holds them

// In whatever order they come.
static uint32_t combine(uint32_t known, uint32_t referrer) {
    if ((known ^ referrer) & REFERRER_OWNED) return known & REFERRER_OWNED ? known : referrer;
    uint32_t least = known < referrer ? known : referrer,
             most = known < referrer ? referrer : known;
    if (least == most || (least & ~REFERRER_OWNED) < REFERRER_SEVERAL) return most;
    return REFERRER_SEVERAL | (known & REFERRER_OWNED);
}

static void add_referrer(const structurer *self, uint32_t number, uint32_t referrer) {
    _Atomic uint32_t *at = &self->referrers[number];
    uint32_t known = atomic_load_explicit(at, memory_order_relaxed), wanted;
    do {
        wanted = combine(known, referrer);
        if (wanted == known) return;
    } while (!atomic_compare_exchange_weak_explicit(at, &known, wanted, memory_order_relaxed,
                                                    memory_order_relaxed));
}

static uint32_t get_referrer(const structurer *self, uint32_t kind, uint32_t slot) {
    const mc_heap_role *role = &self->roles[kind];
    uint32_t bit = slot < MASK_BITS ? 1u << slot : 0;
    if (role->is_array || role->element & bit) return REFERRER_ELEMENT;
    if (role->inside & bit) return REFERRER_INSIDE;
    uint32_t field = self->fields[self->heap->kinds[kind].first_link + slot];
    return field == MC_HEAP_INSIDE ? REFERRER_INSIDE : REFERRER_FIELD + field;
}

static void follow_edges(const structurer *self, uint32_t position, mc_graph_ahead *ahead) {
    const mc_graph *graph = self->graph;
    const uint32_t kind = mc_graph_get_kind(graph, position);
    const uint32_t number = mc_graph_get_number(graph, position),
                   ignored = self->roles[kind].ignored;
    const bool is_root = position >= graph->first_root;
    const mc_heap_region region = mc_heap_get_region(self->heap, number);
    mc_graph_edges edges = mc_graph_begin_edges(graph, position);
    while (mc_graph_next_edge(&edges)) {
        if (edges.at) mc_graph_fetch(graph, ahead, (uint32_t)(edges.at - graph->words));
        if (!self->roles[mc_graph_get_kind(graph, edges.target)].may_be_structure) continue;
        if (edges.slot < MASK_BITS && ignored >> edges.slot & 1) continue;
        uint32_t target = mc_graph_get_number(graph, edges.target);
        if (region != MC_HEAP_STRONG && mc_heap_get_region(self->heap, target) != region) continue;
        if (is_root) {
            add_referrer(self, target, REFERRER_ROOT);
            continue;
        }
        bool is_owned = mc_dominator_tree_dominates(&self->heap->tree, number, target);
        add_referrer(self, target,
                     get_referrer(self, kind, edges.slot) | (is_owned ? REFERRER_OWNED : 0));
    }
}

// References of what nothing reaches hold nothing.
static void follow_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    const structurer *self = user;
    const mc_graph *graph = self->graph;
    mc_graph_ahead ahead = {.at = begin, .end = end};
    (void)thread;
    for (uint32_t at = begin, next; at < end; at = next) {
        next = mc_graph_skip(graph, at);
        mc_graph_fetch(graph, &ahead, at);
        if (mc_graph_get_number(graph, at) < self->heap->tree.reachable)
            follow_edges(self, at, &ahead);
    }
}

// ---- what roots alone hold

static bool is_rooted(const structurer *self, uint32_t position) {
    uint32_t number = mc_graph_get_number(self->graph, position);
    return self->roles[mc_graph_get_kind(self->graph, position)].may_be_structure &&
           (atomic_load_explicit(&self->referrers[number], memory_order_relaxed) &
            ~REFERRER_OWNED) == REFERRER_ROOT;
}

// Those that some root names and nothing else holds. False: out of memory.
static bool list_rooted(const structurer *self, uint32_t **positions, size_t *count) {
    size_t capacity = 0;
    mc_graph_edges edges = mc_graph_begin_edges(self->graph, self->graph->root);
    while (self->heap->root_count > 0 && mc_graph_next_edge(&edges)) {
        if (!is_rooted(self, edges.target)) continue;
        if (!mc_reserve(positions, &capacity, *count + 1, sizeof **positions)) return false;
        (*positions)[(*count)++] = edges.target;
    }
    return true;
}

// Late roots name themselves.
static bool name_late(structurer *self, uint32_t root) {
    const mc_heap *heap = self->heap;
    mc_graph_edges edges = mc_graph_begin_edges(self->graph, root);
    mc_text text = {0};
    mc_text_append_string(&text, "(");
    heap->words->append_kind(heap->reader, mc_graph_get_kind(self->graph, root), MC_HEAP_WORDS_BARE,
                             &text);
    mc_text_append_string(&text, ")");
    uint32_t name =
        text.failed ? MC_NONE : mc_strings_intern(&self->root_names, text.data, text.size);
    mc_text_deinit(&text);
    while (name != MC_NONE && mc_graph_next_edge(&edges)) {
        if (!is_rooted(self, edges.target)) continue;
        uint32_t number = mc_graph_get_number(self->graph, edges.target);
        mc_heap_pair *pair = mc_heap_pairs_put(&self->rooted, number, 0);
        if (!pair) return false;
        pair->points_to = (uint64_t)name + 1;
    }
    return name != MC_NONE;
}

static bool put_root_names(structurer *self, const uint32_t *positions, const uint32_t *names,
                           size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (names[i] == MC_NONE) continue;
        uint32_t number = mc_graph_get_number(self->graph, positions[i]);
        mc_heap_pair *pair = mc_heap_pairs_put(&self->rooted, number, 0);
        if (!pair) return false;
        pair->points_to = (uint64_t)names[i] + 1;
    }
    return true;
}

static mc_result name_roots(structurer *self) {
    const mc_heap *heap = self->heap;
    uint32_t *positions = NULL, *names = NULL;
    size_t count = 0;
    bool is_done = list_rooted(self, &positions, &count);
    if (is_done && count > 0) names = mc_alloc_scattered(count, sizeof *names);
    is_done = is_done && (names || count == 0);
    for (size_t i = 0; is_done && i < count; i++)
        names[i] = MC_NONE;
    mc_result result = is_done ? MC_OK : mc_error_out_of_memory(self->error);
    if (is_done && count > 0)
        result = heap->words->name_roots(heap->reader, positions, count, names, &self->root_names,
                                         self->error);
    if (result == MC_OK && !put_root_names(self, positions, names, count))
        result = mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < self->graph->late_root_count && result == MC_OK; i++)
        if (!name_late(self, self->graph->late_roots[i].position))
            result = mc_error_out_of_memory(self->error);
    mc_free(positions);
    mc_free(names);
    return result;
}

// ---- names

static void append_root(const structurer *self, uint32_t name, mc_text *text) {
    size_t size;
    const char *words = mc_strings_get(&self->root_names, name, &size);
    mc_text_append(text, words, size);
}

static uint32_t make_name(structurer *self, uint32_t kind, uint32_t referrer) {
    const mc_heap *heap = self->heap;
    mc_text text = {0};
    heap->words->append_kind(heap->reader, kind, MC_HEAP_WORDS_BARE, &text);
    mc_text_append_string(&text, " in ");
    if (referrer == REFERRER_NONE) {
        mc_text_append_string(&text, "(unknown)");
    } else if (referrer == REFERRER_SEVERAL) {
        mc_text_append_string(&text, "(several)");
    } else if (referrer & REFERRER_ROOT_NAME) {
        append_root(self, referrer & ~REFERRER_ROOT_NAME, &text);
    } else {
        uint32_t slot, owner = mc_heap_find_link(heap, referrer - REFERRER_FIELD, &slot);
        heap->words->append_link(heap->reader, owner, slot, MC_HEAP_WORDS_BARE, &text);
    }
    uint32_t name =
        text.failed ? MC_NONE : mc_strings_intern(&self->structures->names, text.data, text.size);
    mc_text_deinit(&text);
    return name;
}

static uint32_t get_name(structurer *self, uint32_t kind, uint32_t referrer) {
    mc_heap_pair *pair = mc_heap_pairs_put(&self->known, kind, referrer);
    if (!pair) return MC_NONE;
    if (pair->points_to == 0) {
        uint32_t name = make_name(self, kind, referrer);
        if (name == MC_NONE) return MC_NONE;
        pair->points_to = (uint64_t)name + 1;
    }
    return (uint32_t)(pair->points_to - 1);
}

static uint32_t load(const structurer *self, uint32_t number) {
    return atomic_load_explicit(&self->referrers[number], memory_order_relaxed);
}

static void store(const structurer *self, uint32_t number, uint32_t name) {
    atomic_store_explicit(&self->referrers[number], name, memory_order_relaxed);
}

// Nothing is known where a dump names no roots, and all objects are taken for some.
static uint32_t find_root(const structurer *self, uint32_t number) {
    const mc_heap_pair *pair = mc_heap_pairs_find(&self->rooted, number, 0);
    return pair ? REFERRER_ROOT_NAME | (uint32_t)(pair->points_to - 1) : REFERRER_NONE;
}

// MC_NONE: out of memory.
static uint32_t find_name(structurer *self, uint32_t number, uint32_t kind, uint32_t referrer) {
    if (referrer == (REFERRER_INSIDE | REFERRER_OWNED)) return 0;
    if (referrer == REFERRER_INSIDE) return NAMED | NAME_OPEN;
    referrer &= ~REFERRER_OWNED;
    if (referrer == REFERRER_ROOT) referrer = find_root(self, number);
    bool is_element = referrer == REFERRER_ELEMENT;
    uint32_t name = get_name(self, kind, is_element ? REFERRER_SEVERAL : referrer);
    return name < NAME_LIMIT ? NAMED | (is_element ? NAME_WEAK : 0) | name : MC_NONE;
}

// From what holds it to its name. False: out of memory.
static bool name_vertex(structurer *self, uint32_t number, uint32_t kind) {
    const mc_heap_role *role = &self->roles[kind];
    if (!role->is_class && !role->may_be_structure) return true; // nothing is known of it
    uint32_t referrer = load(self, number), name = 0;
    if (referrer & NAMED) return true; // by what it is inside of
    if (role->is_class)
        name = NAMED | NAME_NONE; // static fields are in no structure
    else if (number < self->heap->tree.reachable)
        name = find_name(self, number, kind, referrer);
    store(self, number, name);
    return name != MC_NONE;
}

// What is inside of a structure and held by something else, too, has the structure's name.
static void pass_name_on(structurer *self, uint32_t position, uint32_t kind) {
    uint32_t name = load(self, mc_graph_get_number(self->graph, position));
    if (!(name & NAMED) || name & NAME_WEAK || (name & ~NAMED) >= NAME_LIMIT) return;
    mc_graph_edges edges = mc_graph_begin_edges(self->graph, position);
    while (mc_graph_next_edge(&edges)) {
        if (edges.slot >= MASK_BITS || !(self->roles[kind].inside >> edges.slot & 1)) continue;
        uint32_t target = mc_graph_get_number(self->graph, edges.target);
        uint32_t known = load(self, target);
        if (known == REFERRER_INSIDE || known == (NAMED | NAME_OPEN)) store(self, target, name);
    }
}

static mc_result name_structures(structurer *self) {
    const mc_graph *graph = self->graph;
    for (uint32_t at = MC_GRAPH_HEAD; at < graph->word_count; at = mc_graph_skip(graph, at)) {
        uint32_t kind = mc_graph_get_kind(graph, at);
        if (!name_vertex(self, mc_graph_get_number(graph, at), kind))
            return mc_error_out_of_memory(self->error);
        if (self->roles[kind].inside) pass_name_on(self, at, kind);
    }
    return MC_OK;
}

// To all that structures dominate.
static void hand_names_down(const structurer *self) {
    const mc_dominator_tree *tree = &self->heap->tree;
    mc_dominator_walk walk = {.depth = 0};
    uint32_t *names = self->structures->of;
    for (uint32_t i = 0; i < tree->reachable; i++) {
        uint32_t above = mc_dominator_walk_get(&walk, i), own = names[i] & ~(NAMED | NAME_WEAK);
        bool is_own =
            names[i] & NAMED && own != NAME_OPEN && !(names[i] & NAME_WEAK && above != MC_NONE);
        names[i] = !is_own ? above : own == NAME_NONE ? MC_NONE : own;
        if (is_own) mc_dominator_walk_put(&walk, mc_dominator_tree_get_end(tree, i), names[i]);
    }
    for (uint32_t i = tree->reachable; i < tree->count; i++)
        names[i] = MC_NONE;
}

// ---- parts

typedef struct recent_part {
    uint32_t structure, leaf, part;
} recent_part;

typedef struct part_worker {
    recent_part recent[RECENT];
    mc_group_sum *sums; // by part
    size_t sum_capacity;
    bool is_out_of_memory;
} part_worker;

typedef struct part_adder {
    structurer *self;
    part_worker *workers;
    pthread_mutex_t mutex; // of the parts
} part_adder;

// The part's number, MC_NONE if memory is out.
static uint32_t put_part(structurer *self, uint32_t structure, uint32_t leaf, uint32_t position) {
    mc_heap_structures *structures = self->structures;
    mc_heap_pair *pair = mc_heap_pairs_put(&self->parts, structure + 1, leaf);
    if (!pair) return MC_NONE;
    if (pair->points_to == 0) {
        if (structures->count == NAME_LIMIT ||
            !mc_reserve(&structures->parts, &self->part_capacity, structures->count + 1,
                        sizeof *structures->parts))
            return MC_NONE;
        structures->parts[structures->count++] =
            (mc_heap_structure_part){.structure = structure, .leaf = leaf, .position = position};
        pair->points_to = structures->count;
    }
    mc_heap_structure_part *part = &structures->parts[pair->points_to - 1];
    if (position < part->position) part->position = position;
    return (uint32_t)pair->points_to - 1;
}

// Each worker gets its ranges in ascending order, so that a part that it has at hand is known to
// begin before.
static uint32_t find_part(part_adder *adder, part_worker *worker, uint32_t structure, uint32_t leaf,
                          uint32_t position) {
    recent_part *known = &worker->recent[(structure * 31 + leaf) & (RECENT - 1)];
    if (known->part != 0 && known->structure == structure && known->leaf == leaf)
        return known->part - 1;
    pthread_mutex_lock(&adder->mutex);
    uint32_t part = put_part(adder->self, structure, leaf, position);
    pthread_mutex_unlock(&adder->mutex);
    if (part == MC_NONE) return MC_NONE;
    size_t before = worker->sum_capacity;
    if (!mc_reserve(&worker->sums, &worker->sum_capacity, (size_t)part + 1, sizeof *worker->sums))
        return MC_NONE;
    memset(worker->sums + before, 0, (worker->sum_capacity - before) * sizeof *worker->sums);
    *known = (recent_part){structure, leaf, part + 1};
    return part;
}

static void add_range(void *user, uint32_t thread, uint32_t begin, uint32_t end) {
    part_adder *adder = user;
    part_worker *worker = &adder->workers[thread];
    const structurer *self = adder->self;
    const mc_graph *graph = self->graph;
    if (worker->is_out_of_memory) return;
    for (uint32_t at = begin; at < end; at = mc_graph_skip(graph, at)) {
        uint32_t *of = &self->structures->of[mc_graph_get_number(graph, at)], structure = *of;
        uint32_t leaf = self->heap->kinds[mc_graph_get_kind(graph, at)].leaf;
        *of = MC_NONE;
        if (leaf == MC_NONE) continue;
        uint32_t part = find_part(adder, worker, structure, leaf, at);
        if (part == MC_NONE) {
            worker->is_out_of_memory = true;
            return;
        }
        *of = part;
        worker->sums[part].count++;
        worker->sums[part].size += mc_graph_get_size(graph, at);
    }
}

static void add_sums(mc_heap_structures *structures, const part_worker *worker) {
    for (size_t i = 0; i < structures->count && i < worker->sum_capacity; i++) {
        structures->parts[i].sum.count += worker->sums[i].count;
        structures->parts[i].sum.size += worker->sums[i].size;
    }
}

// From names to parts, and what these are together.
static mc_result add_parts(structurer *self) {
    const uint32_t thread_count = self->heap->thread_count;
    part_adder adder = {.self = self};
    adder.workers = mc_alloc_zero_scattered(thread_count, sizeof *adder.workers);
    if (!adder.workers || pthread_mutex_init(&adder.mutex, NULL) != 0) {
        mc_free(adder.workers);
        return mc_error_out_of_memory(self->error);
    }
    mc_graph_scan(self->graph, thread_count, add_range, &adder);
    pthread_mutex_destroy(&adder.mutex);
    bool is_done = true;
    for (uint32_t i = 0; i < thread_count; i++) {
        add_sums(self->structures, &adder.workers[i]);
        is_done = is_done && !adder.workers[i].is_out_of_memory;
        mc_free(adder.workers[i].sums);
    }
    mc_free(adder.workers);
    return is_done ? MC_OK : mc_error_out_of_memory(self->error);
}

mc_result mc_heap_structures_init(mc_heap_structures *structures, const mc_heap *heap,
                                  mc_error *error) {
    structurer self = {
        .structures = structures, .heap = heap, .graph = &heap->graph, .error = error};
    *structures = (mc_heap_structures){.count = 0};
    structures->of = mc_alloc_zero_scattered((size_t)heap->tree.count + 1, sizeof *structures->of);
    _Static_assert(sizeof(_Atomic uint32_t) == sizeof(uint32_t), "one column for both");
    self.referrers = (_Atomic uint32_t *)structures->of;
    mc_result result = structures->of ? find_roles(&self) : mc_error_out_of_memory(error);
    if (result == MC_OK) {
        mc_graph_scan(self.graph, heap->thread_count, follow_range, &self);
        result = name_roots(&self);
    }
    if (result == MC_OK) result = name_structures(&self);
    if (result == MC_OK) {
        hand_names_down(&self);
        result = add_parts(&self);
    }
    mc_free(self.roles);
    mc_free(self.fields);
    mc_heap_pairs_deinit(&self.parts);
    mc_heap_pairs_deinit(&self.known);
    mc_heap_pairs_deinit(&self.rooted);
    mc_strings_deinit(&self.root_names);
    return result;
}
