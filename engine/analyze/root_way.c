#include "engine/analyze/root_way.h"

#include "engine/analyze/class_names.h"
#include "engine/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define HOP_PRICE 0.5     // of two ways that are equally likely, the shorter one
#define LIBRARY_ROOT 20.0 // bits: more than any way to a root of the program should cost
#define GROWING_ROOT 12.0
#define STACK_ROOT 1.5 // a variable of a method that runs: rather something that stays
#define THREAD_ROOT 2.0
#define GROWING_SHARE 0.25 // of what a field holds more: then who holds it grows with it
#define SAME_SHARE 0.5     // of its growth: then a field that grows is meant

typedef struct edge {
    uint32_t from, to, field;
    uint64_t count;
    int64_t growth;
} edge;

typedef struct root {
    uint32_t node, kind, name;
    uint64_t count;
    int64_t growth;
} root;

typedef struct visit {
    double price;
    uint32_t next_edge; // by which it holds what is nearer to the leaf
    bool is_done, grows;
} visit;

typedef struct heap_entry {
    double price;
    uint32_t node;
} heap_entry;

struct mc_root_finder {
    const mc_trace *trace;
    uint64_t *objects, *first_objects; // per node
    uint8_t *is_library;               // likewise
    edge *edges;                       // by `to`, strong ones
    uint32_t *edge_first;              // per node and one more
    root *roots;                       // by node
    uint32_t *root_first;              // likewise
    uint32_t edge_count, root_count;
    visit *visits; // per node
    heap_entry *heap;
    size_t heap_count, heap_capacity;
};

void mc_root_finder_destroy(mc_root_finder *self) {
    if (!self) return;
    mc_free(self->objects);
    mc_free(self->first_objects);
    mc_free(self->is_library);
    mc_free(self->edges);
    mc_free(self->edge_first);
    mc_free(self->roots);
    mc_free(self->root_first);
    mc_free(self->visits);
    mc_free(self->heap);
    mc_free(self);
}

// ---- reading

static int compare_edges(const void *a, const void *b) {
    const edge *x = a, *y = b;
    if (x->to != y->to) return x->to < y->to ? -1 : 1;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->field < y->field ? -1 : x->field > y->field;
}

static int compare_roots(const void *a, const void *b) {
    const root *x = a, *y = b;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return x->name < y->name ? -1 : x->name > y->name;
}

static bool is_java_class(const mc_trace *trace, const uint8_t *is_library, uint32_t node) {
    size_t size;
    const char *name = mc_trace_get_name(trace, node, &size);
    return size == 5 && memcmp(name, "Class", 5) == 0 && is_library[node];
}

// A class's static fields stand among the roots as well, where they are what an author looks for.
static bool is_wanted(const mc_root_finder *self, const mc_field_columns *fields, uint32_t i) {
    if (fields->is_weak[i] || fields->from[i] == fields->to[i]) return false;
    const char *name = mc_trace_get_string(self->trace, fields->name[i], NULL);
    return strncmp(name, "static ", 7) != 0 ||
           !is_java_class(self->trace, self->is_library, fields->from[i]);
}

static mc_result copy_edges(const mc_root_finder *self, const mc_field_columns *fields,
                            edge **edges, uint32_t *count, mc_error *error) {
    *count = 0;
    *edges = mc_alloc((size_t)fields->count + 1, sizeof **edges);
    if (!*edges) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < fields->count; i++)
        if (is_wanted(self, fields, i))
            (*edges)[(*count)++] = (edge){.from = fields->from[i],
                                          .to = fields->to[i],
                                          .field = fields->name[i],
                                          .count = fields->counts[i]};
    if (*count > 0) qsort(*edges, *count, sizeof **edges, compare_edges);
    return MC_OK;
}

static mc_result copy_roots(const mc_root_columns *columns, root **roots, uint32_t *count,
                            mc_error *error) {
    *count = columns->count;
    *roots = mc_alloc((size_t)columns->count + 1, sizeof **roots);
    if (!*roots) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < columns->count; i++)
        (*roots)[i] = (root){.node = columns->node[i],
                             .kind = columns->kind[i],
                             .name = columns->name[i],
                             .count = columns->counts[i]};
    if (*count > 0) qsort(*roots, *count, sizeof **roots, compare_roots);
    return MC_OK;
}

static mc_result read_step(const mc_root_finder *self, uint32_t step, edge **edges,
                           uint32_t *edge_count, root **roots, uint32_t *root_count,
                           mc_error *error) {
    mc_field_columns fields = {0};
    mc_root_columns columns = {0};
    mc_result result = mc_trace_read_fields(self->trace, step, &fields, error);
    if (result == MC_OK) result = mc_trace_read_roots(self->trace, step, &columns, error);
    if (result == MC_OK) result = copy_edges(self, &fields, edges, edge_count, error);
    if (result == MC_OK) result = copy_roots(&columns, roots, root_count, error);
    mc_field_columns_deinit(&fields);
    mc_root_columns_deinit(&columns);
    return result;
}

// Both are sorted alike.
static void note_growth(mc_root_finder *self, const edge *edges, uint32_t edge_count,
                        const root *roots, uint32_t root_count) {
    for (uint32_t i = 0, k = 0; i < self->edge_count; i++) {
        edge *one = &self->edges[i];
        while (k < edge_count && compare_edges(&edges[k], one) < 0)
            k++;
        bool was_there = k < edge_count && compare_edges(&edges[k], one) == 0;
        one->growth = (int64_t)(one->count - (was_there ? edges[k].count : 0));
    }
    for (uint32_t i = 0, k = 0; i < self->root_count; i++) {
        root *one = &self->roots[i];
        while (k < root_count && compare_roots(&roots[k], one) < 0)
            k++;
        bool was_there = k < root_count && compare_roots(&roots[k], one) == 0;
        one->growth = (int64_t)(one->count - (was_there ? roots[k].count : 0));
    }
}

static mc_result read_holders(mc_root_finder *self, mc_step_range window, mc_error *error) {
    edge *edges = NULL;
    root *roots = NULL;
    uint32_t edge_count = 0, root_count = 0;
    mc_result result = read_step(self, window.last_step, &self->edges, &self->edge_count,
                                 &self->roots, &self->root_count, error);
    bool is_known = mc_trace_get_step(self->trace, window.first_step)->has_holders;
    if (result == MC_OK && is_known) {
        result =
            read_step(self, window.first_step, &edges, &edge_count, &roots, &root_count, error);
        if (result == MC_OK) note_growth(self, edges, edge_count, roots, root_count);
    }
    mc_free(edges);
    mc_free(roots);
    return result;
}

static void index_holders(mc_root_finder *self, uint32_t node_count) {
    for (uint32_t node = 0, e = 0, r = 0; node <= node_count; node++) {
        while (e < self->edge_count && self->edges[e].to < node)
            e++;
        while (r < self->root_count && self->roots[r].node < node)
            r++;
        self->edge_first[node] = e;
        self->root_first[node] = r;
    }
}

mc_result mc_root_finder_create(const mc_trace *trace, mc_step_range window,
                                mc_root_finder **finder, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(trace)->count;
    *finder = NULL;
    if (!mc_trace_get_step(trace, window.last_step)->has_holders) return MC_OK;
    mc_root_finder *self = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->trace = trace;
    self->objects = mc_alloc(count, sizeof *self->objects);
    self->first_objects = mc_alloc(count, sizeof *self->first_objects);
    self->is_library = mc_alloc(count, 1);
    self->edge_first = mc_alloc((size_t)count + 1, sizeof *self->edge_first);
    self->root_first = mc_alloc((size_t)count + 1, sizeof *self->root_first);
    self->visits = mc_alloc(count, sizeof *self->visits);
    mc_result result = self->objects && self->first_objects && self->is_library &&
                               self->edge_first && self->root_first && self->visits
                           ? MC_OK
                           : mc_error_out_of_memory(error);
    if (result == MC_OK) {
        mc_class_find_libraries(trace, self->is_library);
        result =
            mc_trace_read_counts(trace, window.last_step, MC_METRIC_OBJECTS, self->objects, error);
    }
    if (result == MC_OK)
        result = mc_trace_read_counts(trace, window.first_step, MC_METRIC_OBJECTS,
                                      self->first_objects, error);
    if (result == MC_OK) result = read_holders(self, window, error);
    // A node is in the queue at most once an edge to it, and once at the start.
    self->heap_capacity = (size_t)self->edge_count + 1;
    if (result == MC_OK) {
        self->heap = mc_alloc(self->heap_capacity, sizeof *self->heap);
        if (!self->heap) result = mc_error_out_of_memory(error);
    }
    if (result == MC_OK) {
        index_holders(self, count);
        *finder = self;
    } else {
        mc_root_finder_destroy(self);
    }
    return result;
}

// ---- the queue: a binary heap

static void push(mc_root_finder *self, heap_entry entry) {
    size_t at = self->heap_count++;
    for (; at > 0 && self->heap[(at - 1) / 2].price > entry.price; at = (at - 1) / 2)
        self->heap[at] = self->heap[(at - 1) / 2];
    self->heap[at] = entry;
}

static heap_entry pop(mc_root_finder *self) {
    heap_entry top = self->heap[0], last = self->heap[--self->heap_count];
    size_t at = 0;
    for (size_t child = 1; child < self->heap_count; child = 2 * at + 1) {
        if (child + 1 < self->heap_count && self->heap[child + 1].price < self->heap[child].price)
            child++;
        if (last.price <= self->heap[child].price) break;
        self->heap[at] = self->heap[child];
        at = child;
    }
    self->heap[at] = last;
    return top;
}

// ---- prices

// Whether a name as "static com.acme.Shop.sessions" or "thread "main" in com.acme.Shop.main(…)" is
// of the program.
static bool is_program_root(const mc_root_finder *self, const root *one) {
    if (one->name == MC_NONE) return false;
    size_t size;
    const char *name = mc_trace_get_string(self->trace, one->name, &size);
    const char *in = NULL;
    if (one->kind == MC_ROOT_STATIC && strncmp(name, "static ", 7) == 0) in = name + 7;
    if (one->kind == MC_ROOT_STACK && (in = strstr(name, "\" in "))) in += 5;
    return in && !mc_class_is_library_name(in, size - (size_t)(in - name));
}

// What is known of all that holds a node.
typedef struct holders {
    uint32_t count, program_count;
    double all;    // references, and roots
    double growth; // of those that grow
} holders;

static holders sum_holders(const mc_root_finder *self, uint32_t node) {
    holders h = {0};
    for (uint32_t i = self->edge_first[node]; i < self->edge_first[node + 1]; i++) {
        const edge *one = &self->edges[i];
        h.count++;
        h.program_count += !self->is_library[one->from];
        h.all += (double)one->count;
        if (one->growth > 0) h.growth += (double)one->growth;
    }
    for (uint32_t i = self->root_first[node]; i < self->root_first[node + 1]; i++) {
        h.count++;
        h.program_count += is_program_root(self, &self->roots[i]);
        h.all += (double)self->roots[i].count;
    }
    return h;
}

static double get_growth(const mc_root_finder *self, uint32_t node) {
    return (double)self->objects[node] - (double)self->first_objects[node];
}

// Of a list, what holds its end does not hold the rest.
static bool is_end_of_chain(const mc_root_finder *self, const edge *one) {
    size_t size;
    const char *name = mc_trace_get_string(self->trace, one->field, &size);
    return size > 5 &&
           (memcmp(name + size - 5, ".last", 5) == 0 || memcmp(name + size - 5, ".tail", 5) == 0);
}

// INFINITY: it can't be that one.
static double price_edge(const mc_root_finder *self, const edge *one, const holders *h,
                         bool grows) {
    bool is_program = !self->is_library[one->from];
    if (grows) return one->growth > 0 ? log2(h->growth / (double)one->growth) : INFINITY;
    if (is_program) return log2((double)h->program_count);
    return log2(h->all / (double)one->count) + (is_end_of_chain(self, one) ? HOP_PRICE : 0);
}

static double price_root(const mc_root_finder *self, const root *one, const holders *h) {
    double price = 0;
    if (one->kind == MC_ROOT_THREAD)
        price = THREAD_ROOT;
    else if (is_program_root(self, one))
        price = log2((double)h->program_count) + (one->kind == MC_ROOT_STACK ? STACK_ROOT : 0);
    else
        price = LIBRARY_ROOT + log2(h->all / (double)one->count);
    return price + (one->growth > 1 ? GROWING_ROOT : 0);
}

// ---- the search

// What holds a node whose objects become more with the leak becomes more, too, or holds ever more.
static bool is_growing(const mc_root_finder *self, uint32_t node, const holders *h, bool grows) {
    double growth = get_growth(self, node);
    return grows && growth > 0 && h->growth >= SAME_SHARE * growth;
}

static void relax(mc_root_finder *self, uint32_t node) {
    const visit *here = &self->visits[node];
    holders h = sum_holders(self, node);
    bool grows = is_growing(self, node, &h, here->grows);
    for (uint32_t i = self->edge_first[node]; i < self->edge_first[node + 1]; i++) {
        const edge *one = &self->edges[i];
        visit *holder = &self->visits[one->from];
        double price = here->price + HOP_PRICE + price_edge(self, one, &h, grows);
        if (holder->is_done || !(price < holder->price)) continue;
        *holder = (visit){.price = price,
                          .next_edge = i,
                          .grows = grows && get_growth(self, one->from) >=
                                                GROWING_SHARE * (double)one->growth};
        push(self, (heap_entry){price, one->from});
    }
}

typedef struct found_root {
    uint32_t node;
    const root *root; // NULL: none yet
    double price;
} found_root;

static void look_for_root(const mc_root_finder *self, uint32_t node, found_root *best) {
    holders h = sum_holders(self, node);
    for (uint32_t i = self->root_first[node]; i < self->root_first[node + 1]; i++) {
        const root *one = &self->roots[i];
        double price = self->visits[node].price + price_root(self, one, &h);
        if (best->root && price >= best->price) continue;
        *best = (found_root){node, one, price};
    }
}

static void search(mc_root_finder *self, uint32_t leaf, found_root *best) {
    uint32_t count = mc_trace_get_nodes(self->trace)->count;
    for (uint32_t node = 0; node < count; node++)
        self->visits[node] = (visit){.price = INFINITY, .next_edge = MC_NONE};
    self->visits[leaf].price = 0;
    self->visits[leaf].grows = true;
    self->heap_count = 0;
    push(self, (heap_entry){0, leaf});
    while (self->heap_count > 0) {
        heap_entry entry = pop(self);
        visit *here = &self->visits[entry.node];
        if (here->is_done) continue;
        here->is_done = true;
        if (best->root && here->price >= best->price) break;
        look_for_root(self, entry.node, best);
        relax(self, entry.node);
    }
}

// Where several roots of a kind are alike, as threads are, none of them is meant by its name.
static uint32_t choose_name(const mc_root_finder *self, const root *chosen, uint64_t *count) {
    uint32_t alike = 0;
    *count = 0;
    for (uint32_t i = self->root_first[chosen->node]; i < self->root_first[chosen->node + 1]; i++) {
        const root *one = &self->roots[i];
        if (one->kind != chosen->kind) continue;
        *count += one->count;
        alike++;
    }
    bool is_told_apart = chosen->kind == MC_ROOT_STATIC || is_program_root(self, chosen);
    return alike == 1 || is_told_apart ? chosen->name : MC_NONE;
}

static uint32_t count_rivals(const mc_root_finder *self, uint32_t node) {
    return sum_holders(self, node).count - 1;
}

void mc_root_finder_find(mc_root_finder *self, uint32_t leaf, mc_root_way *way) {
    found_root best = {.node = leaf};
    *way = (mc_root_way){.root_name = MC_NONE};
    search(self, leaf, &best);
    if (!best.root) return;
    uint32_t node = best.node;
    while (node != leaf && way->count < MC_ROOT_WAY_MOST) {
        const edge *down = &self->edges[self->visits[node].next_edge];
        way->hops[way->count++] = (mc_root_hop){node, down->field, count_rivals(self, down->to)};
        node = down->to;
    }
    if (node != leaf) return; // longer than anybody would read
    way->is_found = true;
    way->root_kind = best.root->kind;
    way->root_name = choose_name(self, best.root, &way->root_count);
    way->root_rivals = count_rivals(self, best.node);
    way->is_only_one =
        is_program_root(self, best.root) && sum_holders(self, best.node).program_count == 1;
    way->price = best.price;
}
