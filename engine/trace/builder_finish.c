#include "engine/base/memory.h"
#include "engine/trace/builder_state.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// Old numbers: nodes in the order in which they were seen, then the self nodes. New numbers:
// breadth first.
typedef struct finish {
    mc_trace_builder *builder;
    mc_trace *trace;
    uint32_t old_count;      // with self nodes
    uint32_t *self;          // per seen node: its self node, or MC_NONE
    uint32_t *self_parent;   // per self node
    uint32_t *self_key;      // per self node
    uint32_t *first, *count; // per old node: its children in `children`
    uint32_t *children;
    uint32_t *order;     // old number by new
    uint32_t *new_index; // new number by old
    uint64_t *old_values, *new_values;
} finish;

static void finish_deinit(finish *f) {
    mc_free(f->self);
    mc_free(f->self_parent);
    mc_free(f->self_key);
    mc_free(f->first);
    mc_free(f->count);
    mc_free(f->children);
    mc_free(f->order);
    mc_free(f->new_index);
    mc_free(f->old_values);
    mc_free(f->new_values);
}

// ---- which nodes need a self node

static bool has_children(const finish *f, uint32_t node) {
    return f->count[node] > 0;
}

static mc_result count_children(finish *f, mc_error *error) {
    const mc_trace_builder *builder = f->builder;
    f->count = mc_alloc_zero(builder->node_count, sizeof *f->count);
    f->self = mc_alloc(builder->node_count, sizeof *f->self);
    f->old_values = mc_alloc(builder->node_count, sizeof *f->old_values);
    f->new_values = mc_alloc(builder->node_count, sizeof *f->new_values);
    if (!f->count || !f->self || !f->old_values || !f->new_values)
        return mc_error_out_of_memory(error);
    memset(f->self, 0xff, builder->node_count * sizeof *f->self);
    for (size_t node = 1; node < builder->node_count; node++)
        f->count[builder->nodes[node].parent]++;
    return MC_OK;
}

// Marks the nodes whose children explain less than all of them; counts those where they explain
// more.
static void mark_unexplained(finish *f, const mc_seen_step *step, mc_column column,
                             uint64_t *values, uint64_t *sums, uint64_t *contradictions,
                             uint32_t *example) {
    const mc_trace_builder *builder = f->builder;
    mc_packed_column_unpack(&step->columns[column], values, step->seen_count);
    memset(sums, 0, step->seen_count * sizeof *sums);
    for (uint32_t node = 1; node < step->seen_count; node++)
        sums[builder->nodes[node].parent] += values[node];
    for (uint32_t node = 0; node < step->seen_count; node++) {
        if (!has_children(f, node)) continue;
        if (values[node] > sums[node]) f->self[node] = 0;
        if (values[node] < sums[node]) {
            if ((*contradictions)++ == 0) *example = node;
        }
    }
}

static bool widen(void *column, uint32_t count, size_t element_size) {
    void *array;
    memcpy(&array, column, sizeof array);
    array = mc_realloc(array, count, element_size);
    if (array) memcpy(column, &array, sizeof array);
    return array != NULL;
}

static mc_result number_self_nodes(finish *f, mc_error *error) {
    const mc_trace_builder *builder = f->builder;
    uint32_t seen = (uint32_t)builder->node_count, self_count = 0;
    for (uint32_t node = 0; node < seen; node++)
        self_count += f->self[node] != MC_NONE;
    f->old_count = seen + self_count;
    if (self_count == 0) return MC_OK;
    f->self_parent = mc_alloc(self_count, sizeof *f->self_parent);
    f->self_key = mc_alloc(self_count, sizeof *f->self_key);
    if (!f->self_parent || !f->self_key || !widen(&f->count, f->old_count, sizeof *f->count) ||
        !widen(&f->old_values, f->old_count, sizeof *f->old_values) ||
        !widen(&f->new_values, f->old_count, sizeof *f->new_values))
        return mc_error_out_of_memory(error);
    uint32_t next = seen;
    for (uint32_t node = 0; node < seen; node++) {
        if (f->self[node] == MC_NONE) continue;
        f->self_parent[next - seen] = node;
        f->count[next] = 0;
        f->self[node] = next++;
        f->count[node]++;
    }
    return MC_OK;
}

static mc_result find_self_nodes(finish *f, mc_error *error) {
    mc_trace_builder *builder = f->builder;
    uint64_t contradictions = 0;
    uint32_t example = MC_NONE;
    for (size_t i = 0; i < builder->step_count; i++) {
        const mc_seen_step *step = &builder->steps[i];
        for (int column = 0; column <= MC_COLUMN_BYTES; column++)
            mark_unexplained(f, step, (mc_column)column, f->old_values, f->new_values,
                             &contradictions, &example);
        for (uint32_t k = 0; k < step->pair_count; k++) {
            if (has_children(f, step->pairs[k].from)) f->self[step->pairs[k].from] = 0;
            if (has_children(f, step->pairs[k].to)) f->self[step->pairs[k].to] = 0;
        }
    }
    if (contradictions > 0) {
        const char *key = mc_strings_get(&builder->strings, builder->nodes[example].key, NULL);
        mc_log_write(
            builder->log, MC_LOG_WARNING,
            "%" PRIu64
            " times a count is smaller than the sum of its children's, first that of \"%.200s\"; "
            "totals are the input's own, buildings show the leaves",
            contradictions, key);
    }
    return number_self_nodes(f, error);
}

// ---- order

typedef struct sibling {
    uint64_t prefix; // the first 8 bytes behind what all siblings' keys share
    uint32_t node;
    uint32_t key;
} sibling;

static int compare_prefix(const void *a, const void *b) {
    const sibling *x = a, *y = b;
    if (x->prefix != y->prefix) return x->prefix < y->prefix ? -1 : 1;
    return x->node < y->node ? -1 : x->node > y->node;
}

static size_t common_prefix(const mc_strings *strings, const sibling *siblings, uint32_t count,
                            size_t from) {
    size_t shared;
    const char *first = mc_strings_get(strings, siblings[0].key, &shared);
    for (uint32_t i = 1; i < count; i++) {
        size_t size, k = from;
        const char *key = mc_strings_get(strings, siblings[i].key, &size);
        if (size < shared) shared = size;
        while (k < shared && key[k] == first[k])
            k++;
        if (k < shared) shared = k;
    }
    return shared;
}

// Sorts by key in byte order, equal keys by node: eight bytes at a time, then within the runs that
// are equal so far. A shorter key comes first; that it ended is told by a run whose keys all end,
// which is left as it is.
static void sort_siblings(const mc_strings *strings, sibling *siblings, uint32_t count,
                          size_t from) {
    while (count > 1) {
        from = common_prefix(strings, siblings, count, from);
        bool any_left = false;
        for (uint32_t i = 0; i < count; i++) {
            size_t size;
            const char *key = mc_strings_get(strings, siblings[i].key, &size);
            uint64_t prefix = 0;
            // 7 bytes and how many of them there are, so that an ended key differs from one that
            // goes on with NUL.
            size_t rest = size - from, taken = rest < 7 ? rest : 7;
            for (size_t k = 0; k < taken; k++)
                prefix |= (uint64_t)(unsigned char)key[from + k] << (56 - 8 * k);
            siblings[i].prefix = prefix | (rest > 7 ? 8 : taken);
            any_left |= rest > 7;
        }
        qsort(siblings, count, sizeof *siblings, compare_prefix);
        if (!any_left) return;
        // Runs of equal prefixes go on behind them; the last run is done by this loop.
        uint32_t begin = 0;
        for (uint32_t i = 1; i <= count; i++) {
            if (i < count && siblings[i].prefix == siblings[begin].prefix) continue;
            if (i == count) break;
            if (i - begin > 1 && (siblings[begin].prefix & 15) == 8)
                sort_siblings(strings, siblings + begin, i - begin, from + 7);
            begin = i;
        }
        if ((siblings[begin].prefix & 15) != 8) return;
        siblings += begin;
        count -= begin;
        from += 7;
    }
}

static uint32_t key_of(const finish *f, uint32_t old) {
    const mc_trace_builder *builder = f->builder;
    return old < builder->node_count ? builder->nodes[old].key
                                     : f->self_key[old - builder->node_count];
}

static uint32_t parent_of(const finish *f, uint32_t old) {
    const mc_trace_builder *builder = f->builder;
    return old < builder->node_count ? builder->nodes[old].parent
                                     : f->self_parent[old - builder->node_count];
}

static mc_result list_children(finish *f, mc_error *error) {
    f->first = mc_alloc(f->old_count, sizeof *f->first);
    f->children = mc_alloc(f->old_count, sizeof *f->children);
    f->order = mc_alloc(f->old_count, sizeof *f->order);
    f->new_index = mc_alloc(f->old_count, sizeof *f->new_index);
    if (!f->first || !f->children || !f->order || !f->new_index)
        return mc_error_out_of_memory(error);
    uint32_t at = 0;
    for (uint32_t old = 0; old < f->old_count; old++) {
        f->first[old] = at;
        at += f->count[old];
        f->count[old] = 0;
    }
    for (uint32_t old = 1; old < f->old_count; old++) {
        uint32_t parent = parent_of(f, old);
        f->children[f->first[parent] + f->count[parent]++] = old;
    }
    return MC_OK;
}

static mc_result sort_breadth_first(finish *f, mc_error *error) {
    mc_result result = list_children(f, error);
    if (result != MC_OK) return result;
    sibling *siblings = NULL;
    size_t capacity = 0;
    uint32_t placed = 1;
    f->order[0] = 0;
    for (uint32_t i = 0; i < placed; i++) {
        uint32_t old = f->order[i], count = f->count[old];
        f->new_index[old] = i;
        if (count == 0) continue;
        if (!mc_reserve(&siblings, &capacity, count, sizeof *siblings)) {
            mc_free(siblings);
            return mc_error_out_of_memory(error);
        }
        for (uint32_t k = 0; k < count; k++) {
            uint32_t child = f->children[f->first[old] + k];
            siblings[k] = (sibling){.node = child, .key = key_of(f, child)};
        }
        sort_siblings(&f->builder->strings, siblings, count, 0);
        for (uint32_t k = 0; k < count; k++)
            f->order[placed++] = siblings[k].node;
    }
    mc_free(siblings);
    assert(placed == f->old_count);
    return MC_OK;
}

// ---- columns

static mc_result allocate_nodes(finish *f, mc_error *error) {
    mc_trace *trace = f->trace;
    uint32_t count = f->old_count;
    uint32_t **columns[] = {
        &trace->parent, &trace->first_child, &trace->child_count, &trace->child_by_appearance,
        &trace->level,  &trace->key,         &trace->name,        &trace->role};
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        *columns[i] = mc_alloc(count, sizeof(uint32_t));
        if (!*columns[i]) return mc_error_out_of_memory(error);
    }
    trace->flags = mc_alloc_zero(count, 1);
    return trace->flags ? MC_OK : mc_error_out_of_memory(error);
}

// A self node's key is its parent's key again: as a part of the path, or at the end of the full
// key.
static mc_result make_self_keys(finish *f, mc_error *error) {
    mc_trace_builder *builder = f->builder;
    mc_text text = {0};
    for (uint32_t old = (uint32_t)builder->node_count; old < f->old_count; old++) {
        const mc_seen_node *parent = &builder->nodes[parent_of(f, old)];
        uint32_t key = parent->key;
        if (builder->key_kind == MC_KEY_FULL) {
            size_t size;
            mc_text_clear(&text);
            const char *bytes = mc_strings_get(&builder->strings, parent->key, &size);
            mc_text_append(&text, bytes, size);
            mc_text_append(&text, "#", 1);
            bytes = mc_strings_get(&builder->strings, parent->name, &size);
            mc_text_append(&text, bytes, size);
            key =
                text.failed ? MC_NONE : mc_strings_intern(&builder->strings, text.data, text.size);
        }
        f->self_key[old - builder->node_count] = key;
        if (key == MC_NONE) {
            mc_text_deinit(&text);
            return mc_error_out_of_memory(error);
        }
    }
    mc_text_deinit(&text);
    return MC_OK;
}

typedef struct appearance {
    int64_t time_ms;
    uint32_t entry;
    uint32_t node;
} appearance;

static int compare_appearances(const void *a, const void *b) {
    const appearance *x = a, *y = b;
    if (x->time_ms != y->time_ms) return x->time_ms < y->time_ms ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

// Fills `out` with the children of `old`, by new numbers; a self node is the last one.
static void list_by_appearance(const finish *f, uint32_t old, appearance *scratch, uint32_t *out) {
    const mc_trace_builder *builder = f->builder;
    uint32_t count = f->count[old];
    bool sorted = true;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t child = f->children[f->first[old] + i];
        scratch[i] =
            (appearance){.time_ms = INT64_MAX, .entry = MC_NONE, .node = f->new_index[child]};
        if (child < builder->node_count) {
            scratch[i].time_ms = builder->nodes[child].first_time_ms;
            scratch[i].entry = builder->nodes[child].first_entry;
        }
        sorted = sorted && (i == 0 || compare_appearances(&scratch[i - 1], &scratch[i]) <= 0);
    }
    // Steps that came in the order of time have left them in this order.
    if (!sorted) qsort(scratch, count, sizeof *scratch, compare_appearances);
    for (uint32_t i = 0; i < count; i++)
        out[i] = scratch[i].node;
}

static mc_result order_by_appearance(finish *f, mc_error *error) {
    mc_trace *trace = f->trace;
    appearance *scratch = mc_alloc(f->old_count, sizeof *scratch);
    if (!scratch) return mc_error_out_of_memory(error);
    trace->child_by_appearance[0] = 0; // the root is nobody's child
    for (uint32_t i = 0; i < f->old_count; i++)
        if (trace->child_count[i] > 0)
            list_by_appearance(f, f->order[i], scratch,
                               trace->child_by_appearance + trace->first_child[i]);
    mc_free(scratch);
    return MC_OK;
}

static void fill_nodes(finish *f) {
    const mc_trace_builder *builder = f->builder;
    mc_trace *trace = f->trace;
    uint32_t next_child = 1, leaf_count = 0, depth = 0;
    uint32_t self_begin = (uint32_t)builder->node_count;
    for (uint32_t i = 0; i < f->old_count; i++) {
        uint32_t old = f->order[i];
        bool is_self = old >= self_begin;
        const mc_seen_node *seen = &builder->nodes[is_self ? parent_of(f, old) : old];
        uint32_t parent = is_self ? parent_of(f, old) : seen->parent;
        trace->parent[i] = parent == MC_NONE ? MC_NONE : f->new_index[parent];
        trace->first_child[i] = next_child;
        trace->child_count[i] = f->count[old];
        trace->level[i] = is_self ? seen->level + 1 : seen->level;
        trace->key[i] = key_of(f, old);
        trace->name[i] = seen->name;
        trace->role[i] = seen->role;
        trace->flags[i] = is_self ? MC_NODE_SELF : 0;
        next_child += f->count[old];
        leaf_count += f->count[old] == 0;
        if (trace->level[i] > depth) depth = trace->level[i];
    }
    trace->input_node_count = self_begin;
    trace->nodes = (mc_node_columns){.count = f->old_count,
                                     .leaf_count = leaf_count,
                                     .depth = depth,
                                     .parent = trace->parent,
                                     .first_child = trace->first_child,
                                     .child_count = trace->child_count,
                                     .child_by_appearance = trace->child_by_appearance,
                                     .level = trace->level,
                                     .key = trace->key,
                                     .name = trace->name,
                                     .role = trace->role,
                                     .flags = trace->flags};
}

// In the default form roles only stand at nodes: outermost is what occurs nearest to the root.
static mc_result order_classifiers(finish *f, mc_error *error) {
    mc_trace *trace = f->trace;
    const mc_trace_builder *builder = f->builder;
    uint32_t count = (uint32_t)builder->classifier_count;
    if (count == 0) return MC_OK;
    trace->classifiers = mc_alloc(count, sizeof *trace->classifiers);
    uint32_t *rank = mc_alloc(count, sizeof *rank), *level = mc_alloc(count, sizeof *level);
    if (!trace->classifiers || !rank || !level) {
        mc_free(rank);
        mc_free(level);
        return mc_error_out_of_memory(error);
    }
    memset(level, builder->key_kind == MC_KEY_FULL ? 0xff : 0, count * sizeof *level);
    if (builder->key_kind == MC_KEY_FULL) {
        for (uint32_t node = 0; node < trace->nodes.count; node++) {
            uint32_t role = trace->role[node];
            if (role != MC_NONE && trace->level[node] < level[role])
                level[role] = trace->level[node];
        }
    }
    for (uint32_t role = 0; role < count; role++) {
        rank[role] = 0;
        for (uint32_t other = 0; other < count; other++) {
            bool ties = level[other] == level[role];
            rank[role] += level[other] < level[role] || (ties && other < role);
        }
        trace->classifiers[rank[role]] = builder->classifiers[role];
    }
    for (uint32_t node = 0; node < trace->nodes.count; node++)
        if (trace->role[node] != MC_NONE) trace->role[node] = rank[trace->role[node]];
    trace->classifier_count = count;
    mc_free(rank);
    mc_free(level);
    return MC_OK;
}

// The column by new numbers, with the self nodes' shares.
static bool renumber_column(finish *f, const mc_seen_step *from, mc_column column,
                            mc_packed_column *to) {
    if (from->columns[column].count == 0 && column > MC_COLUMN_BYTES) return true;
    uint32_t seen = (uint32_t)f->builder->node_count;
    mc_packed_column_unpack(&from->columns[column], f->old_values, seen);
    for (uint32_t old = seen; old < f->old_count; old++) {
        uint32_t parent = parent_of(f, old);
        uint64_t rest = column <= MC_COLUMN_BYTES ? f->old_values[parent] : 0;
        for (uint32_t k = 0; k < f->count[parent] && rest > 0; k++) {
            uint32_t child = f->children[f->first[parent] + k];
            if (child >= seen) continue;
            uint64_t value = f->old_values[child];
            rest = value < rest ? rest - value : 0;
        }
        f->old_values[old] = rest;
    }
    for (uint32_t i = 0; i < f->old_count; i++)
        f->new_values[i] = f->old_values[f->order[i]];
    return mc_packed_column_pack(to, f->new_values, f->old_count);
}

static bool renumber_bits(finish *f, const mc_seen_step *from, mc_trace_step *to) {
    to->present = mc_alloc_zero(mc_bits_word_count(f->old_count), sizeof *to->present);
    if (!to->present) return false;
    for (uint32_t i = 0; i < f->old_count; i++) {
        uint32_t old = f->order[i];
        bool present = old < f->builder->node_count
                           ? old < from->seen_count && mc_bits_get(from->present, old)
                           : mc_packed_column_get(&to->columns[MC_COLUMN_OBJECTS], i) > 0 ||
                                 mc_packed_column_get(&to->columns[MC_COLUMN_BYTES], i) > 0;
        if (present) mc_bits_set(to->present, i);
    }
    return true;
}

static uint32_t new_leaf(const finish *f, uint32_t old) {
    return f->new_index[f->self[old] != MC_NONE ? f->self[old] : old];
}

static int compare_pairs(const void *a, const void *b) {
    const mc_pair *x = a, *y = b;
    if (x->from != y->from) return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static bool renumber_pairs(finish *f, mc_seen_step *from, mc_trace_step *to) {
    uint32_t count = from->pair_count;
    if (count == 0) return true;
    for (uint32_t i = 0; i < count; i++) {
        from->pairs[i].from = new_leaf(f, from->pairs[i].from);
        from->pairs[i].to = new_leaf(f, from->pairs[i].to);
    }
    qsort(from->pairs, count, sizeof *from->pairs, compare_pairs);
    to->from = mc_alloc(count, sizeof *to->from);
    to->to = mc_alloc(count, sizeof *to->to);
    to->points_to = mc_alloc(count, sizeof *to->points_to);
    to->pointed_from = mc_alloc(count, sizeof *to->pointed_from);
    if (!to->from || !to->to || !to->points_to || !to->pointed_from) return false;
    for (uint32_t i = 0; i < count; i++) {
        to->from[i] = from->pairs[i].from;
        to->to[i] = from->pairs[i].to;
        to->points_to[i] = from->pairs[i].points_to;
        to->pointed_from[i] = from->pairs[i].pointed_from;
    }
    to->reference_count = to->info.pair_count = count;
    return true;
}

static int compare_times(const void *a, const void *b) {
    const mc_seen_step *x = a, *y = b;
    return x->info.time_ms < y->info.time_ms ? -1 : x->info.time_ms > y->info.time_ms;
}

// Step by step, so that at most one step is held in both numberings.
static mc_result renumber_steps(finish *f, mc_error *error) {
    mc_trace_builder *builder = f->builder;
    mc_trace *trace = f->trace;
    trace->steps = mc_alloc_zero(builder->step_count, sizeof *trace->steps);
    if (!trace->steps) return mc_error_out_of_memory(error);
    trace->step_count = (uint32_t)builder->step_count;
    qsort(builder->steps, builder->step_count, sizeof *builder->steps, compare_times);
    for (uint32_t i = 0; i < trace->step_count; i++) {
        mc_seen_step *from = &builder->steps[i];
        mc_trace_step *to = &trace->steps[i];
        to->info = from->info;
        for (int column = 0; column < MC_COLUMN_COUNT; column++) {
            if (!renumber_column(f, from, (mc_column)column, &to->columns[column]))
                return mc_error_out_of_memory(error);
            trace->has_column[column] |= to->columns[column].count > 0;
        }
        if (!renumber_bits(f, from, to) || !renumber_pairs(f, from, to))
            return mc_error_out_of_memory(error);
        mc_seen_step_deinit(from);
    }
    return MC_OK;
}

static mc_result run(finish *f, mc_error *error) {
    mc_trace_builder *builder = f->builder;
    mc_result result = count_children(f, error);
    if (result == MC_OK) result = find_self_nodes(f, error);
    if (result == MC_OK) result = allocate_nodes(f, error);
    if (result == MC_OK) result = make_self_keys(f, error);
    if (result == MC_OK) result = sort_breadth_first(f, error);
    if (result != MC_OK) return result;
    fill_nodes(f);
    // What only looking nodes up needs goes before the columns are held twice.
    mc_free(builder->slots);
    builder->slots = NULL;
    result = order_by_appearance(f, error);
    if (result == MC_OK) result = order_classifiers(f, error);
    if (result == MC_OK) result = renumber_steps(f, error);
    return result;
}

mc_result mc_trace_builder_finish(mc_trace_builder *builder, mc_trace **trace, mc_error *error) {
    *trace = NULL;
    if (builder->step_count == 0)
        return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET, "a trace needs a step");
    if (builder->renamed_count > 0)
        mc_log_write(builder->log, MC_LOG_WARNING,
                     "%" PRIu64
                     " times a node has another name or role than before; the first one is shown",
                     builder->renamed_count);
    finish f = {.builder = builder, .trace = mc_alloc_zero(1, sizeof(mc_trace))};
    if (!f.trace) return mc_error_out_of_memory(error);
    mc_result result = run(&f, error);
    finish_deinit(&f);
    if (result != MC_OK) {
        mc_trace_destroy(f.trace);
        return result;
    }
    f.trace->key_kind = builder->key_kind;
    f.trace->has_references = builder->has_references;
    f.trace->strings = builder->strings;
    memset(&builder->strings, 0, sizeof builder->strings);
    mc_strings_seal(&f.trace->strings);
    *trace = f.trace;
    return MC_OK;
}
