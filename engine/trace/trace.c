#include "engine/trace/trace.h"

#include "engine/base/memory.h"
#include "engine/trace/trace_columns.h"
#include <string.h>

void mc_trace_step_deinit(mc_trace_step *step) {
    for (uint32_t metric = 0; metric < step->column_count; metric++)
        mc_packed_column_deinit(&step->columns[metric]);
    mc_free(step->columns);
    mc_free(step->present);
    for (int table = 0; table < MC_SIDE_OF_STEP; table++)
        mc_side_rows_deinit(&step->side[table]);
    mc_free(step->note);
    memset(step, 0, sizeof *step);
}

void mc_trace_share_nodes(mc_trace *trace, const mc_trace *other) {
    atomic_fetch_add_explicit(other->node_holders, 1, memory_order_relaxed);
    trace->node_holders = other->node_holders;
    trace->nodes = other->nodes;
    trace->parent = other->parent;
    trace->first_child = other->first_child;
    trace->child_count = other->child_count;
    trace->child_by_appearance = other->child_by_appearance;
    trace->level = other->level;
    trace->key = other->key;
    trace->name = other->name;
    trace->role = other->role;
    trace->flags = other->flags;
    trace->input_node_count = other->input_node_count;
    trace->key_kind = other->key_kind;
    trace->strings = other->strings;
    trace->classifiers = other->classifiers;
    trace->classifier_count = other->classifier_count;
}

bool mc_trace_shares_nodes(const mc_trace *a, const mc_trace *b) {
    return a == b || (a->node_holders && a->node_holders == b->node_holders);
}

bool mc_trace_goes_on(const mc_trace *a, const mc_trace *b) {
    bool goes_on = mc_trace_shares_nodes(a, b) && a->step_count <= b->step_count;
    for (uint32_t i = 0; goes_on && i < a->step_count; i++)
        goes_on = a->steps[i].info.time_ms == b->steps[i].info.time_ms;
    return goes_on;
}

mc_result mc_trace_map_nodes(const mc_trace *from, const mc_trace *to, uint32_t **map,
                             mc_error *error) {
    *map = NULL;
    if (from->source == to->source && from->source->map_nodes)
        return from->source->map_nodes(from, to, map, error);
    return mc_fail(error, MC_ERROR_UNSUPPORTED, "another trace has taken its place");
}

static void free_nodes(mc_trace *trace) {
    mc_free(trace->classifiers);
    mc_strings_deinit(&trace->strings);
    uint32_t *columns[] = {
        trace->parent, trace->first_child, trace->child_count, trace->child_by_appearance,
        trace->level,  trace->key,         trace->name,        trace->role};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        mc_free(columns[i]);
    mc_free(trace->flags);
    mc_free(trace->node_holders);
}

void mc_trace_adopt_nodes(mc_trace *trace, const mc_trace *other) {
    free_nodes(trace);
    mc_trace_share_nodes(trace, other);
}

void mc_trace_destroy(mc_trace *trace) {
    if (!trace) return;
    // What others have read of the nodes comes before what frees them.
    bool has_nodes = !trace->node_holders ||
                     atomic_fetch_sub_explicit(trace->node_holders, 1, memory_order_acq_rel) == 1;
    if (trace->source) trace->source->destroy(trace, has_nodes);
    for (uint32_t step = 0; step < trace->step_count; step++)
        mc_trace_step_deinit(&trace->steps[step]);
    mc_free(trace->steps);
    mc_free(trace->paths);
    mc_free(trace->owners);
    mc_metrics_deinit(&trace->metrics);
    if (has_nodes) free_nodes(trace);
    mc_free(trace);
}

const mc_node_columns *mc_trace_get_nodes(const mc_trace *trace) {
    return &trace->nodes;
}

uint32_t mc_trace_get_step_count(const mc_trace *trace) {
    return trace->step_count;
}

const mc_step_info *mc_trace_get_step(const mc_trace *trace, uint32_t step_index) {
    assert(step_index < trace->step_count);
    return &trace->steps[step_index].info;
}

uint32_t mc_trace_get_classifier_count(const mc_trace *trace) {
    return trace->classifier_count;
}

const char *mc_trace_get_classifier(const mc_trace *trace, uint32_t classifier_index,
                                    size_t *size) {
    assert(classifier_index < trace->classifier_count);
    return mc_strings_get(&trace->strings, trace->classifiers[classifier_index], size);
}

static bool has_classifier(const mc_trace *trace, const char *name) {
    for (uint32_t i = 0; i < trace->classifier_count; i++) {
        size_t size;
        const char *known = mc_trace_get_classifier(trace, i, &size);
        if (size == strlen(name) && memcmp(known, name, size) == 0) return true;
    }
    return false;
}

bool mc_trace_is_of_sites(const mc_trace *trace) {
    return trace->is_of_sites || (has_classifier(trace, "Site") && has_classifier(trace, "Caller"));
}

bool mc_trace_is_of_typed_sites(const mc_trace *trace) {
    return trace->is_of_typed_sites ||
           (mc_trace_is_of_sites(trace) && has_classifier(trace, "Type"));
}

mc_key_kind mc_trace_get_key_kind(const mc_trace *trace) {
    return trace->key_kind;
}

bool mc_trace_has_references(const mc_trace *trace) {
    return trace->has_references;
}

bool mc_trace_has_fields(const mc_trace *trace) {
    return trace->has_referrers;
}

bool mc_trace_has_roots(const mc_trace *trace) {
    return trace->has_referrers;
}

bool mc_trace_has_paths(const mc_trace *trace) {
    return trace->has_paths;
}

bool mc_trace_has_owners(const mc_trace *trace) {
    return trace->has_owners;
}

uint32_t mc_trace_get_metric_count(const mc_trace *trace) {
    return trace->metrics.count;
}

const mc_metric_info *mc_trace_get_metric(const mc_trace *trace, mc_metric metric) {
    assert(metric < trace->metrics.count);
    return &trace->metrics.items[metric];
}

mc_metric mc_trace_get_usual_metric(const mc_trace *trace) {
    if (trace->metrics.count <= MC_METRIC_FIRST_OWN || mc_trace_is_of_typed_sites(trace))
        return MC_METRIC_BYTES;
    const mc_metric allocated = mc_trace_find_metric(trace, MC_METRIC_ALLOCATED_SO_FAR);
    if (allocated != MC_NONE && mc_trace_find_metric(trace, MC_METRIC_HEAP_AFTER_GC) != MC_NONE)
        return allocated;
    for (uint32_t i = 0; i < trace->step_count; i++)
        if (trace->steps[i].info.objects > 0 || trace->steps[i].info.bytes > 0)
            return MC_METRIC_BYTES;
    return MC_METRIC_FIRST_OWN;
}

bool mc_trace_counts_objects(const mc_trace *trace) {
    for (uint32_t i = 0; i < trace->step_count; i++)
        if (trace->steps[i].info.objects > 0) return true;
    return false;
}

mc_metric mc_trace_find_metric(const mc_trace *trace, const char *key) {
    return mc_metrics_find(&trace->metrics, key, strlen(key));
}

uint32_t mc_trace_get_input_node_count(const mc_trace *trace) {
    return trace->input_node_count;
}

// ---- values

void mc_trace_fill_self_nodes(const mc_trace *trace, mc_self_nodes self, uint64_t *values) {
    for (uint32_t i = 0; i < self.count; i++) {
        uint32_t node = self.nodes[i], parent = trace->parent[node];
        uint32_t child = trace->first_child[parent], end = child + trace->child_count[parent];
        uint64_t rest = values[parent];
        for (; child < end && rest > 0; child++)
            if (child != node) rest = values[child] < rest ? rest - values[child] : 0;
        values[node] = rest;
    }
}

// Of the children that the input has.
static uint64_t sum_children(const mc_trace *trace, const mc_metric_info *info, uint32_t parent,
                             const uint64_t *values) {
    uint32_t child = trace->first_child[parent], end = child + trace->child_count[parent];
    uint64_t sum = 0; // of real numbers, too
    for (; child < end; child++)
        if (!(trace->flags[child] & MC_NODE_SELF)) sum = mc_metric_add(info, sum, values[child]);
    return sum;
}

void mc_trace_complete_column(const mc_trace *trace, const mc_metric_info *info, mc_self_nodes self,
                              const uint64_t *is_inner, uint64_t *values) {
    // Children come behind their parents.
    for (uint32_t node = trace->nodes.count; info->is_additive && node-- > 0;)
        if (values[node] == MC_COUNT_UNKNOWN)
            values[node] =
                trace->child_count[node] > 0 ? sum_children(trace, info, node, values) : 0;
    for (uint32_t i = 0; i < self.count; i++) {
        uint32_t node = self.nodes[i], parent = trace->parent[node];
        uint64_t own = info->is_additive
                           ? mc_metric_get_rest(info, values[parent],
                                                sum_children(trace, info, parent, values))
                       : mc_bits_get(is_inner, parent) ? MC_COUNT_UNKNOWN
                                                       : values[parent];
        values[node] = own;
    }
}

mc_result mc_trace_read_column(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               uint64_t *values, mc_error *error) {
    assert(step_index < trace->step_count && metric < trace->metrics.count);
    const mc_metric_info *info = &trace->metrics.items[metric];
    mc_result result = trace->source->read_column(trace, step_index, metric, values, error);
    if (result != MC_OK) return result;
    for (uint32_t node = 0; !info->is_additive && node < trace->nodes.count; node++)
        values[node] = mc_value_load(info, values[node]);
    return MC_OK;
}

mc_result mc_trace_read_counts(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               uint64_t *counts, mc_error *error) {
    mc_result result = mc_trace_read_column(trace, step_index, metric, counts, error);
    if (result == MC_OK)
        mc_metric_get_counts(&trace->metrics.items[metric], counts, trace->nodes.count);
    return result;
}

mc_result mc_trace_read_value(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                              uint32_t node_index, uint64_t *value, mc_error *error) {
    return mc_trace_read_values(trace, step_index, metric, &node_index, 1, value, error);
}

mc_result mc_trace_read_values(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               const uint32_t *nodes, uint32_t count, uint64_t *values,
                               mc_error *error) {
    assert(step_index < trace->step_count && metric < trace->metrics.count);
    const mc_metric_info *info = &trace->metrics.items[metric];
    mc_result result =
        trace->source->read_values(trace, step_index, metric, nodes, count, values, error);
    for (uint32_t i = 0; result == MC_OK && !info->is_additive && i < count; i++)
        values[i] = mc_value_load(info, values[i]);
    return result;
}

mc_result mc_trace_read_total(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                              uint64_t *value, mc_error *error) {
    const mc_step_info *step = mc_trace_get_step(trace, step_index);
    if (metric >= MC_METRIC_FIRST_OWN)
        return mc_trace_read_value(trace, step_index, metric, 0, value, error);
    *value = metric == MC_METRIC_BYTES ? step->bytes : step->objects;
    return MC_OK;
}

mc_result mc_trace_read_size(const mc_trace *trace, uint32_t step_index, mc_step_size *size,
                             mc_error *error) {
    const mc_step_info *info = mc_trace_get_step(trace, step_index);
    *size = (mc_step_size){info->node_count, info->leaf_count, info->pair_count};
    return trace->source->read_size ? trace->source->read_size(trace, step_index, size, error)
                                    : MC_OK;
}

mc_result mc_trace_read_presence(const mc_trace *trace, uint32_t step_index, uint32_t node_index,
                                 bool *is_present, mc_error *error) {
    assert(step_index < trace->step_count && node_index < trace->nodes.count);
    return trace->source->read_presence(trace, step_index, node_index, is_present, error);
}

// ---- the largest values

bool mc_trace_has_maximum(const mc_trace *trace, mc_metric metric) {
    return trace->source->get_maxima(trace, metric) != NULL;
}

void mc_trace_get_maximum(const mc_trace *trace, mc_metric metric, uint64_t *values) {
    const mc_packed_column *maxima = trace->source->get_maxima(trace, metric);
    assert(maxima);
    mc_packed_column_unpack(maxima, values, trace->nodes.count);
}

// ---- notes

const char *mc_trace_get_note(const mc_trace *trace, uint32_t step_index) {
    return trace->steps[step_index].note;
}

// ---- names

const char *mc_trace_get_string(const mc_trace *trace, uint32_t string_index, size_t *size) {
    return mc_strings_get(&trace->strings, string_index, size);
}

const char *mc_trace_get_name(const mc_trace *trace, uint32_t node_index, size_t *size) {
    return mc_strings_get(&trace->strings, trace->name[node_index], size);
}

static void append_key(const mc_trace *trace, uint32_t node_index, mc_text *text) {
    size_t size;
    const char *key = mc_strings_get(&trace->strings, trace->key[node_index], &size);
    mc_text_append(text, key, size);
}

static void append_step_of_path(const mc_trace *trace, uint32_t node_index, mc_text *text) {
    size_t size;
    if (node_index != 0) mc_text_append_string(text, " → ");
    if (trace->role[node_index] != MC_NONE) {
        const char *role = mc_trace_get_classifier(trace, trace->role[node_index], &size);
        mc_text_append(text, role, size);
        mc_text_append_string(text, ": ");
    }
    const char *name = mc_trace_get_name(trace, node_index, &size);
    mc_text_append(text, name, size);
}

// The nodes from the root down to `node_index`. Walking up anew for each of them would be quadratic
// in the depth, which an input chooses.
static bool collect_way(const mc_trace *trace, uint32_t node_index, uint32_t **way) {
    uint32_t length = trace->level[node_index] + 1;
    *way = mc_alloc(length, sizeof **way);
    if (!*way) return false;
    for (uint32_t i = length; i-- > 0; node_index = trace->parent[node_index])
        (*way)[i] = node_index;
    return true;
}

void mc_trace_append_full_key(const mc_trace *trace, uint32_t node_index, mc_text *text) {
    assert(node_index < trace->nodes.count);
    if (trace->key_kind == MC_KEY_FULL) {
        append_key(trace, node_index, text);
        return;
    }
    uint32_t *way;
    if (!collect_way(trace, node_index, &way)) {
        text->failed = true;
        return;
    }
    for (uint32_t i = 0; i <= trace->level[node_index]; i++) {
        if (i > 0) mc_text_append(text, "#", 1);
        append_key(trace, way[i], text);
    }
    mc_free(way);
}

void mc_trace_append_path(const mc_trace *trace, uint32_t node_index, mc_text *text) {
    assert(node_index < trace->nodes.count);
    uint32_t *way;
    if (!collect_way(trace, node_index, &way)) {
        text->failed = true;
        return;
    }
    for (uint32_t i = 0; i <= trace->level[node_index]; i++)
        append_step_of_path(trace, way[i], text);
    mc_free(way);
}

static uint32_t find_whole_key(const mc_trace *trace, const char *full_key, size_t size) {
    for (uint32_t node = 0; node < trace->nodes.count; node++) {
        size_t key_size;
        const char *key = mc_strings_get(&trace->strings, trace->key[node], &key_size);
        if (key_size == size && memcmp(full_key, key, size) == 0) return node;
    }
    return MC_NONE;
}

#define NO_PREFIX SIZE_MAX

// How much of the full key is that of `node`, if its first `begin` bytes are what stands before the
// node's own key; NO_PREFIX: none of it.
static size_t measure_prefix(const mc_trace *trace, uint32_t node, const char *full_key,
                             size_t size, size_t begin) {
    size_t key_size;
    const char *key = mc_strings_get(&trace->strings, trace->key[node], &key_size);
    if (key_size > size - begin || memcmp(full_key + begin, key, key_size) != 0) return NO_PREFIX;
    size_t end = begin + key_size;
    return end == size || full_key[end] == '#' ? end : NO_PREFIX;
}

// The node behind `node` and its siblings in a walk that goes down only where a full key can go on;
// takes back what is too much of `*end`, which is where the full key of the walk's place ends.
static uint32_t find_next(const mc_trace *trace, uint32_t node, size_t *end) {
    for (;;) {
        uint32_t parent = trace->parent[node];
        if (parent == MC_NONE) return MC_NONE;
        if (node + 1 < trace->first_child[parent] + trace->child_count[parent]) return node + 1;
        size_t key_size;
        mc_strings_get(&trace->strings, trace->key[parent], &key_size);
        *end -= key_size + (parent != 0);
        node = parent;
    }
}

// Depth first, from the root: a key that holds a '#' may be where two others are, so that there may
// be more ways than one. No node is looked at twice.
static uint32_t find_path(const mc_trace *trace, const char *full_key, size_t size) {
    uint32_t node = 0, found = MC_NONE;
    size_t end = 0; // of the parent's full key
    while (node != MC_NONE) {
        size_t begin = end + (node != 0);
        size_t own = begin <= size ? measure_prefix(trace, node, full_key, size, begin) : NO_PREFIX;
        if (own == size && node < found) found = node;
        if (own != NO_PREFIX && own < size && trace->child_count[node] > 0) {
            end = own;
            node = trace->first_child[node];
        } else {
            node = find_next(trace, node, &end);
        }
    }
    return found;
}

uint32_t mc_trace_find_node(const mc_trace *trace, const char *full_key, size_t size) {
    return trace->key_kind == MC_KEY_FULL ? find_whole_key(trace, full_key, size)
                                          : find_path(trace, full_key, size);
}

size_t mc_trace_memory_size(const mc_trace *trace) {
    size_t size = sizeof *trace + mc_strings_memory_size(&trace->strings) +
                  (size_t)trace->nodes.count * (8 * sizeof(uint32_t) + 1);
    return size + trace->source->get_memory_size(trace);
}
