#include "engine/analyze/method_link.h"

#include "engine/base/memory.h"
#include "engine/trace/regroup/sliding_window.h"
#include <stdlib.h>
#include <string.h>

// What has a name in both: a method, or by class a class.
typedef struct method_column {
    uint32_t *owner; // per node of a base; MC_NONE: it belongs to none, or is no leaf
    uint32_t *shown; // per node of a base the leaf of the trace as given
} method_column;

struct mc_method_link {
    const mc_trace *heap, *methods, *heap_base, *method_base;
    mc_trace *framed; // methods in the frame, a leaf each
    mc_method_link_way way;
    mc_strings names; // of the owners
    method_column heap_leaves, method_leaves;
    uint8_t *is_direct;     // per node of the heap's base: its innermost frame is the owner's
    uint32_t *framed_leaf;  // per node of the methods' base
    uint32_t *framed_owner; // per node of `framed`
    // Of what was read.
    bool is_read;
    uint32_t method_step, next_step; // the next one to be summed up
    uint64_t *objects, *bytes;       // per node of the heap's base
    double *now, *all;               // per node of `framed`, in ms
    double now_total, all_total;
    uint64_t *words; // scratch, of either base or of `framed`
};

// ---- names

static uint32_t find_classifier(const mc_trace *trace, const char *name) {
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(trace); i++) {
        size_t size;
        const char *known = mc_trace_get_classifier(trace, i, &size);
        if (size == strlen(name) && memcmp(known, name, size) == 0) return i;
    }
    return MC_NONE;
}

typedef struct link_roles {
    uint32_t package, class, method, site, caller;
} link_roles;

// Appends what the ancestors of a role are called, the outermost first, with dots between.
static void append_levels(const mc_trace *trace, uint32_t node, uint32_t role, mc_text *text) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    size_t size;
    while (node != MC_NONE && nodes->role[node] != role)
        node = nodes->parent[node];
    if (node == MC_NONE || role == MC_NONE) return;
    append_levels(trace, nodes->parent[node], role, text);
    const char *name = mc_trace_get_string(trace, nodes->key[node], &size);
    if (text->size > 0) mc_text_append(text, ".", 1);
    mc_text_append(text, name, size);
}

static uint32_t find_above(const mc_node_columns *nodes, uint32_t node, uint32_t role) {
    while (node != MC_NONE && (role == MC_NONE || nodes->role[node] != role))
        node = nodes->parent[node];
    return node;
}

static void append_name(const mc_trace *trace, uint32_t node, const char *end, mc_text *text) {
    size_t size;
    const char *name = mc_trace_get_string(trace, mc_trace_get_nodes(trace)->key[node], &size);
    const char *cut = end ? memmem(name, size, end, strlen(end)) : NULL;
    if (text->size > 0) mc_text_append(text, ".", 1);
    mc_text_append(text, name, cut && cut > name ? (size_t)(cut - name) : size);
}

// "com.acme.Shop", of a leaf; false: it has no class. An array is what its elements are.
static bool get_class(const mc_trace *trace, const link_roles *roles, uint32_t leaf,
                      mc_text *text) {
    uint32_t class = find_above(mc_trace_get_nodes(trace), leaf, roles->class);
    mc_text_clear(text);
    if (class == MC_NONE) return false;
    append_levels(trace, leaf, roles->package, text);
    append_name(trace, class, "[]", text);
    return !text->failed;
}

// "com.acme.Shop.add", of a leaf of methods.
static bool get_method(const mc_trace *trace, const link_roles *roles, uint32_t leaf,
                       mc_text *text) {
    uint32_t method = find_above(mc_trace_get_nodes(trace), leaf, roles->method);
    if (method == MC_NONE) return false;
    mc_text_clear(text);
    append_levels(trace, leaf, roles->package, text);
    uint32_t class = find_above(mc_trace_get_nodes(trace), leaf, roles->class);
    if (class != MC_NONE) append_name(trace, class, NULL, text);
    append_name(trace, method, "(", text);
    return !text->failed;
}

// ---- owners

static link_roles get_roles(const mc_trace *trace, bool is_heap) {
    uint32_t class = find_classifier(trace, is_heap ? "Type" : "Class");
    return (link_roles){find_classifier(trace, "Package"), class,
                        find_classifier(trace, mc_classifier_method),
                        find_classifier(trace, "Site"), find_classifier(trace, "Caller")};
}

static mc_result name_methods(mc_method_link *self, mc_text *text, mc_error *error) {
    const mc_trace *base = self->method_base;
    const mc_node_columns *nodes = mc_trace_get_nodes(base);
    link_roles roles = get_roles(base, false);
    for (uint32_t node = 0; node < nodes->count; node++) {
        self->method_leaves.owner[node] = MC_NONE;
        if (nodes->child_count[node] > 0) continue;
        bool is_named = self->way == MC_METHOD_LINK_BY_SITE ? get_method(base, &roles, node, text)
                                                            : get_class(base, &roles, node, text);
        if (text->failed) return mc_error_out_of_memory(error);
        if (!is_named || text->size == 0) continue;
        uint32_t owner = mc_strings_intern(&self->names, text->data, text->size);
        if (owner == MC_NONE) return mc_error_out_of_memory(error);
        self->method_leaves.owner[node] = owner;
    }
    return MC_OK;
}

// From a leaf up come the frames, the outermost first: the last one that is known stays.
static void find_frame_owner(mc_method_link *self, const link_roles *roles, uint32_t leaf,
                             mc_text *text) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->heap_base);
    for (uint32_t node = leaf; node != MC_NONE; node = nodes->parent[node]) {
        bool is_site = nodes->role[node] == roles->site;
        if (!is_site && nodes->role[node] != roles->caller) continue;
        mc_text_clear(text);
        append_name(self->heap_base, node, "(", text);
        uint32_t owner =
            text->size > 0 ? mc_strings_find(&self->names, text->data, text->size) : MC_NONE;
        if (owner == MC_NONE) continue;
        self->heap_leaves.owner[leaf] = owner;
        self->is_direct[leaf] = is_site;
    }
}

static mc_result find_heap_owners(mc_method_link *self, mc_text *text, mc_error *error) {
    const mc_trace *base = self->heap_base;
    const mc_node_columns *nodes = mc_trace_get_nodes(base);
    link_roles roles = get_roles(base, true);
    for (uint32_t node = 0; node < nodes->count; node++) {
        self->heap_leaves.owner[node] = MC_NONE;
        if (nodes->child_count[node] > 0) continue;
        if (self->way == MC_METHOD_LINK_BY_SITE)
            find_frame_owner(self, &roles, node, text);
        else if (get_class(base, &roles, node, text) && text->size > 0)
            self->heap_leaves.owner[node] = mc_strings_find(&self->names, text->data, text->size);
        if (text->failed) return mc_error_out_of_memory(error);
    }
    return MC_OK;
}

static mc_result find_framed_owners(mc_method_link *self, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->method_base);
    uint32_t framed_count = mc_trace_get_nodes(self->framed)->count;
    memset(self->framed_owner, 0xff, framed_count * sizeof *self->framed_owner); // MC_NONE
    mc_result result =
        mc_trace_regroup_map(self->method_base, self->framed, &self->framed_leaf, error);
    for (uint32_t node = 0; result == MC_OK && node < nodes->count; node++)
        if (nodes->child_count[node] == 0)
            self->framed_owner[self->framed_leaf[node]] = self->method_leaves.owner[node];
    return result;
}

// ---- creating

static mc_result check(mc_method_link *self, mc_error *error) {
    if (!mc_trace_has_methods(self->method_base))
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "a trace of methods is needed, with their times, as `memcity run "
                       "--methods sampled` records it");
    if (mc_trace_has_methods(self->heap_base))
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "both traces are of methods; one is to be of a heap");
    bool has_sites = find_classifier(self->heap_base, "Site") != MC_NONE;
    if (!has_sites && find_classifier(self->heap_base, "Type") == MC_NONE)
        return mc_fail(error, MC_ERROR_UNSUPPORTED,
                       "the heap knows neither sites nor types, by which methods are found");
    self->way = has_sites ? MC_METHOD_LINK_BY_SITE : MC_METHOD_LINK_BY_CLASS;
    return MC_OK;
}

static mc_result allocate(mc_method_link *self, mc_error *error) {
    uint32_t heap = mc_trace_get_nodes(self->heap_base)->count;
    uint32_t methods = mc_trace_get_nodes(self->method_base)->count;
    uint32_t framed = mc_trace_get_nodes(self->framed)->count;
    uint32_t most = heap > methods ? heap : methods;
    self->heap_leaves.owner = mc_alloc(heap, sizeof *self->heap_leaves.owner);
    self->method_leaves.owner = mc_alloc(methods, sizeof *self->method_leaves.owner);
    self->is_direct = mc_alloc_zero(heap, sizeof *self->is_direct);
    self->framed_owner = mc_alloc(framed, sizeof *self->framed_owner);
    self->objects = mc_alloc(heap, sizeof *self->objects);
    self->bytes = mc_alloc(heap, sizeof *self->bytes);
    self->now = mc_alloc_zero(framed, sizeof *self->now);
    self->all = mc_alloc_zero(framed, sizeof *self->all);
    self->words = mc_alloc(most > framed ? most : framed, sizeof *self->words);
    bool fits = self->heap_leaves.owner && self->method_leaves.owner && self->is_direct &&
                self->framed_owner && self->objects && self->bytes && self->now && self->all &&
                self->words;
    return fits ? MC_OK : mc_error_out_of_memory(error);
}

static mc_result fill(mc_method_link *self, double frame_ms, mc_error *error) {
    mc_text text = {0};
    mc_regrouping grouping = mc_regrouping_of_methods(self->method_base, frame_ms);
    mc_result result = mc_trace_regroup(self->method_base, &grouping, NULL, &self->framed, error);
    if (result == MC_OK) result = allocate(self, error);
    if (result == MC_OK)
        result = mc_trace_regroup_map(self->heap_base, self->heap, &self->heap_leaves.shown, error);
    if (result == MC_OK)
        result = mc_trace_regroup_map(self->method_base, self->methods, &self->method_leaves.shown,
                                      error);
    if (result == MC_OK) result = name_methods(self, &text, error);
    if (result == MC_OK) result = find_heap_owners(self, &text, error);
    if (result == MC_OK) result = find_framed_owners(self, error);
    mc_text_deinit(&text);
    return result;
}

mc_result mc_method_link_create(const mc_trace *heap, const mc_trace *methods, double frame_ms,
                                mc_method_link **link, mc_error *error) {
    mc_method_link *self = *link = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->heap = heap;
    self->methods = methods;
    self->heap_base = mc_trace_get_base(heap);
    self->method_base = mc_trace_get_base(methods);
    mc_result result = check(self, error);
    if (result == MC_OK) result = fill(self, frame_ms, error);
    if (result == MC_OK) return MC_OK;
    mc_method_link_destroy(self);
    *link = NULL;
    return result;
}

void mc_method_link_destroy(mc_method_link *link) {
    if (!link) return;
    mc_trace_destroy(link->framed);
    mc_strings_deinit(&link->names);
    mc_free(link->heap_leaves.owner);
    mc_free(link->heap_leaves.shown);
    mc_free(link->method_leaves.owner);
    mc_free(link->method_leaves.shown);
    mc_free(link->is_direct);
    mc_free(link->framed_leaf);
    mc_free(link->framed_owner);
    mc_free(link->objects);
    mc_free(link->bytes);
    mc_free(link->now);
    mc_free(link->all);
    mc_free(link->words);
    mc_free(link);
}

mc_method_link_way mc_method_link_get_way(const mc_method_link *link) {
    return link->way;
}

// ---- values

static uint64_t get_distance(int64_t a, int64_t b) {
    return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

uint32_t mc_method_link_find_step(const mc_trace *from, uint32_t step, const mc_trace *to,
                                  uint64_t *gap_ms) {
    int64_t time_ms = mc_trace_get_step(from, step)->time_ms;
    uint32_t found = 0;
    for (uint32_t i = 0; i < mc_trace_get_step_count(to); i++) {
        uint64_t gap = get_distance(mc_trace_get_step(to, i)->time_ms, time_ms);
        if (i > 0 && gap >= *gap_ms) continue;
        *gap_ms = gap;
        found = i;
    }
    return found;
}

static double get_number(const mc_metric_info *info, uint64_t word) {
    return word == MC_COUNT_UNKNOWN ? 0 : mc_metric_get_number(info, word);
}

static mc_result read_now(mc_method_link *self, uint32_t step, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->framed);
    mc_metric metric = mc_trace_find_metric(self->framed, mc_metric_time);
    const mc_metric_info *info = mc_trace_get_metric(self->framed, metric);
    mc_result result = mc_trace_read_column(self->framed, step, metric, self->words, error);
    self->now_total = 0;
    for (uint32_t node = 0; node < nodes->count && result == MC_OK; node++) {
        if (nodes->child_count[node] > 0) continue;
        self->now[node] = get_number(info, self->words[node]);
        self->now_total += self->now[node];
    }
    return result;
}

static mc_result add_step(mc_method_link *self, uint32_t step, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->method_base);
    mc_metric metric = mc_trace_find_metric(self->method_base, mc_metric_time);
    const mc_metric_info *info = mc_trace_get_metric(self->method_base, metric);
    mc_result result = mc_trace_read_column(self->method_base, step, metric, self->words, error);
    for (uint32_t node = 0; node < nodes->count && result == MC_OK; node++) {
        if (nodes->child_count[node] > 0) continue;
        double ms = get_number(info, self->words[node]);
        self->all[self->framed_leaf[node]] += ms;
        self->all_total += ms;
    }
    return result;
}

// Sums go on from those of an earlier step.
static mc_result read_all(mc_method_link *self, uint32_t step, const mc_progress *progress,
                          mc_error *error) {
    if (self->next_step > step + 1) {
        memset(self->all, 0, mc_trace_get_nodes(self->framed)->count * sizeof *self->all);
        self->all_total = 0;
        self->next_step = 0;
    }
    while (self->next_step <= step) {
        if (!mc_progress_report(progress, self->next_step, (uint64_t)step + 1))
            return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        mc_result result = add_step(self, self->next_step, error);
        if (result != MC_OK) return result;
        self->next_step++;
    }
    return MC_OK;
}

mc_result mc_method_link_read(mc_method_link *link, uint32_t heap_step, uint32_t method_step,
                              const mc_progress *progress, mc_error *error) {
    link->is_read = false;
    mc_result result =
        mc_trace_read_counts(link->heap_base, heap_step, MC_METRIC_OBJECTS, link->objects, error);
    if (result == MC_OK)
        result =
            mc_trace_read_counts(link->heap_base, heap_step, MC_METRIC_BYTES, link->bytes, error);
    if (result == MC_OK) result = read_now(link, method_step, error);
    if (result == MC_OK) result = read_all(link, method_step, progress, error);
    link->is_read = result == MC_OK;
    return result;
}

// ---- finding

// What is alive of an owner's.
typedef struct owner_sum {
    uint64_t objects, bytes, direct_bytes, whole_bytes;
    bool is_there;
} owner_sum;

// Which nodes of a trace are some of these, or below; NULL: memory is out.
static bool *mark_below(const mc_trace *trace, const uint32_t *above, uint32_t count) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    bool *is_below = mc_alloc_zero(nodes->count, sizeof *is_below);
    if (!is_below) return NULL;
    for (uint32_t i = 0; i < count; i++)
        is_below[above[i]] = true;
    for (uint32_t node = 1; node < nodes->count; node++) // parents come first
        is_below[node] |= is_below[nodes->parent[node]];
    return is_below;
}

static double get_share(double part, double whole) {
    return whole > 0 ? part / whole : 0;
}

static bool comes_before(const mc_method_link_row *a, const mc_method_link_row *b) {
    if (a->bytes != b->bytes) return a->bytes > b->bytes;
    if (a->all != b->all) return a->all > b->all;
    return a->node < b->node;
}

static int compare_rows(const void *a, const void *b) {
    return comes_before(a, b) ? -1 : 1;
}

static int compare_times(const void *first, const void *second) {
    const mc_method_link_row *a = first, *b = second;
    if (a->all != b->all) return a->all > b->all ? -1 : 1;
    return compare_rows(a, b);
}

// `from` is what the rows' nodes are of, `to` the trace as given.
static mc_result settle(const mc_method_link *self, const mc_trace *from, const mc_trace *to,
                        uint32_t most, mc_method_link_found *found, mc_error *error) {
    bool by_time = from == self->framed && self->way == MC_METHOD_LINK_BY_CLASS;
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < found->all_count; i++) {
        found->now += found->rows[i].now;
        found->all += found->rows[i].all;
    }
    if (found->all_count > 1)
        qsort(found->rows, found->all_count, sizeof *found->rows,
              by_time ? compare_times : compare_rows);
    found->count = most < found->all_count ? most : found->all_count;
    for (uint32_t i = 0; i < found->count && result == MC_OK && from != to; i++)
        result =
            mc_trace_regroup_translate(from, found->rows[i].node, to, &found->rows[i].node, error);
    return result;
}

// ---- the methods of a group

static void sum_owners(const mc_method_link *self, const bool *is_below, owner_sum *sums,
                       mc_method_link_found *found) {
    const mc_node_columns *base = mc_trace_get_nodes(self->heap_base);
    uint64_t largest = 0;
    found->unlinked_leaf = MC_NONE;
    for (uint32_t node = 0; node < base->count; node++) {
        if (base->child_count[node] > 0 || (self->objects[node] == 0 && self->bytes[node] == 0))
            continue;
        uint32_t owner = self->heap_leaves.owner[node];
        if (owner != MC_NONE) sums[owner].whole_bytes += self->bytes[node];
        if (!is_below[self->heap_leaves.shown[node]]) continue;
        if (owner == MC_NONE) {
            found->unlinked_objects += self->objects[node];
            found->unlinked_bytes += self->bytes[node];
            if (found->unlinked_leaf == MC_NONE || self->bytes[node] > largest) {
                largest = self->bytes[node];
                found->unlinked_leaf = node;
            }
            continue;
        }
        owner_sum *sum = &sums[owner];
        sum->is_there = true;
        sum->objects += self->objects[node];
        sum->bytes += self->bytes[node];
        if (self->is_direct[node]) sum->direct_bytes += self->bytes[node];
        found->objects += self->objects[node];
        found->bytes += self->bytes[node];
    }
}

// A row a method; overloads are one, in the row of the first of them.
static void make_method_rows(const mc_method_link *self, const owner_sum *sums, uint32_t *row_of,
                             mc_method_link_found *found) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->framed);
    for (uint32_t node = 0; node < nodes->count; node++) {
        uint32_t owner = self->framed_owner[node];
        if (owner == MC_NONE || !sums[owner].is_there) continue;
        double now = get_share(self->now[node], self->now_total);
        double all = get_share(self->all[node], self->all_total);
        bool is_more = self->way == MC_METHOD_LINK_BY_SITE && row_of[owner] != MC_NONE;
        mc_method_link_row *row = &found->rows[is_more ? row_of[owner] : found->all_count];
        if (is_more) {
            row->namesakes++;
            row->now += now;
            row->all += all;
            continue;
        }
        row_of[owner] = found->all_count++;
        *row = (mc_method_link_row){.node = node,
                                    .objects = sums[owner].objects,
                                    .bytes = sums[owner].bytes,
                                    .direct_bytes = sums[owner].direct_bytes,
                                    .whole_bytes = sums[owner].whole_bytes,
                                    .now = now,
                                    .all = all};
    }
}

mc_result mc_method_link_find_methods(const mc_method_link *link, const uint32_t *heap_nodes,
                                      uint32_t node_count, uint32_t most,
                                      mc_method_link_found *found, mc_error *error) {
    assert(link->is_read);
    uint32_t owners = link->names.count + 1;
    mc_method_link_found_deinit(found);
    owner_sum *sums = mc_alloc_zero(owners, sizeof *sums);
    uint32_t *row_of = mc_alloc(owners, sizeof *row_of);
    bool *is_below = mark_below(link->heap, heap_nodes, node_count);
    found->rows = mc_alloc(mc_trace_get_nodes(link->framed)->count, sizeof *found->rows);
    bool fits = sums && row_of && is_below && found->rows;
    if (fits) {
        memset(row_of, 0xff, owners * sizeof *row_of); // MC_NONE
        sum_owners(link, is_below, sums, found);
        make_method_rows(link, sums, row_of, found);
    }
    mc_free(sums);
    mc_free(row_of);
    mc_free(is_below);
    mc_result result = fits ? settle(link, link->framed, link->methods, most, found, error)
                            : mc_error_out_of_memory(error);
    if (result != MC_OK) mc_method_link_found_deinit(found);
    return result;
}

// ---- the groups of a method

// Which owners the methods below some nodes are; their times.
static void mark_owners(const mc_method_link *self, const bool *is_below, bool *is_marked,
                        bool *is_framed, mc_method_link_found *found) {
    const mc_node_columns *base = mc_trace_get_nodes(self->method_base);
    for (uint32_t node = 0; node < base->count; node++) {
        if (base->child_count[node] > 0 || !is_below[self->method_leaves.shown[node]]) continue;
        uint32_t owner = self->method_leaves.owner[node], leaf = self->framed_leaf[node];
        if (owner != MC_NONE) is_marked[owner] = true;
        if (is_framed[leaf]) continue;
        is_framed[leaf] = true;
        found->now += get_share(self->now[leaf], self->now_total);
        found->all += get_share(self->all[leaf], self->all_total);
    }
}

static void make_group_rows(const mc_method_link *self, const bool *is_marked, uint32_t *row_of,
                            mc_method_link_found *found) {
    const mc_node_columns *base = mc_trace_get_nodes(self->heap_base);
    for (uint32_t node = 0; node < base->count; node++) {
        uint32_t owner = self->heap_leaves.owner[node], leaf = self->heap_leaves.shown[node];
        if (base->child_count[node] > 0 || owner == MC_NONE || !is_marked[owner] ||
            (self->objects[node] == 0 && self->bytes[node] == 0))
            continue;
        if (row_of[leaf] == MC_NONE) {
            row_of[leaf] = found->all_count++;
            found->rows[row_of[leaf]] = (mc_method_link_row){.node = leaf};
        }
        mc_method_link_row *row = &found->rows[row_of[leaf]];
        row->objects += self->objects[node];
        row->bytes += self->bytes[node];
        if (self->is_direct[node]) row->direct_bytes += self->bytes[node];
        found->objects += self->objects[node];
        found->bytes += self->bytes[node];
    }
    for (uint32_t node = 0; node < base->count; node++) {
        uint32_t leaf = self->heap_leaves.shown[node];
        if (base->child_count[node] == 0 && row_of[leaf] != MC_NONE)
            found->rows[row_of[leaf]].whole_bytes += self->bytes[node];
    }
}

mc_result mc_method_link_find_groups(const mc_method_link *link, const uint32_t *method_nodes,
                                     uint32_t node_count, uint32_t most,
                                     mc_method_link_found *found, mc_error *error) {
    assert(link->is_read);
    uint32_t heap_count = mc_trace_get_nodes(link->heap)->count;
    mc_method_link_found_deinit(found);
    bool *is_marked = mc_alloc_zero((size_t)link->names.count + 1, sizeof *is_marked);
    bool *is_framed = mc_alloc_zero(mc_trace_get_nodes(link->framed)->count, sizeof *is_framed);
    uint32_t *row_of = mc_alloc(heap_count, sizeof *row_of);
    bool *is_below = mark_below(link->methods, method_nodes, node_count);
    found->rows = mc_alloc(heap_count, sizeof *found->rows);
    found->unlinked_leaf = MC_NONE;
    bool fits = is_marked && is_framed && row_of && is_below && found->rows;
    if (fits) {
        memset(row_of, 0xff, heap_count * sizeof *row_of); // MC_NONE
        mark_owners(link, is_below, is_marked, is_framed, found);
        make_group_rows(link, is_marked, row_of, found);
    }
    mc_free(is_marked);
    mc_free(is_framed);
    mc_free(row_of);
    mc_free(is_below);
    mc_result result = fits ? settle(link, link->heap, link->heap, most, found, error)
                            : mc_error_out_of_memory(error);
    if (result != MC_OK) mc_method_link_found_deinit(found);
    return result;
}

void mc_method_link_found_deinit(mc_method_link_found *found) {
    mc_free(found->rows);
    *found = (mc_method_link_found){.unlinked_leaf = MC_NONE};
}
