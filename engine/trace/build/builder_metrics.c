// A step's metrics: what they are, its columns of them, and what its tree says of sums.
#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/trace/build/builder_state.h"

// ---- the table

static const char *find_source(const mc_trace_builder *builder, uint32_t step) {
    return step == MC_NONE ? "an earlier step" : builder->steps[step].source;
}

static mc_result contradict(const mc_trace_builder *builder, const mc_step_tree *tree,
                            uint32_t index, mc_metric metric, uint32_t what, mc_error *error) {
    const mc_metric_info *info = &tree->metrics.items[index],
                         *known = &builder->metrics.items[metric];
    const char *source = find_source(builder, builder->metric_steps[metric]);
    uint64_t offset = tree->columns[index].source_offset;
    mc_excerpt key, title;
    mc_excerpt_make(&key, info->key, info->key_size);
    if (what & MC_METRIC_SAYS_TITLE)
        return mc_error_set(error, MC_ERROR_BAD_DATA, offset,
                            "metrics: expected the title \"%s\", which \"%s\" has in %s, found "
                            "another one",
                            mc_excerpt_make(&title, known->title, known->title_size), key.text,
                            source);
    if (what & MC_METRIC_SAYS_UNIT)
        return mc_error_set(error, MC_ERROR_BAD_DATA, offset,
                            "metrics: expected the unit \"%s\", which \"%s\" has in %s, found "
                            "\"%s\"",
                            mc_unit_names[known->unit], key.text, source,
                            mc_unit_names[info->unit]);
    if (what & MC_METRIC_SAYS_KIND)
        return mc_error_set(error, MC_ERROR_BAD_DATA, offset,
                            "metrics: expected the kind \"%s\", which \"%s\" has in %s, found "
                            "\"%s\"",
                            mc_metric_kind_names[known->kind], key.text, source,
                            mc_metric_kind_names[info->kind]);
    return mc_error_set(error, MC_ERROR_BAD_DATA, offset,
                        "metrics: \"%s\" is%s additive in %s; all steps have to say the same",
                        key.text, known->is_additive ? "" : " not", source);
}

static mc_result merge(mc_trace_builder *builder, const mc_step_tree *tree, uint32_t index,
                       mc_metric *metric, mc_error *error) {
    mc_metrics *metrics = &builder->metrics;
    const mc_metric_info *info = &tree->metrics.items[index];
    *metric = mc_metrics_find(metrics, info->key, info->key_size);
    if (*metric != MC_NONE) {
        int what = mc_metric_info_merge(&metrics->items[*metric], info);
        if (what < 0) return mc_error_out_of_memory(error);
        return what == 0 ? MC_OK : contradict(builder, tree, index, *metric, (uint32_t)what, error);
    }
    if (metrics->count == MC_METRIC_MOST)
        return mc_error_set(error, MC_ERROR_BAD_DATA, tree->columns[index].source_offset,
                            "metrics: expected at most %d metrics in all steps together",
                            MC_METRIC_MOST);
    *metric = mc_metrics_add(metrics, info);
    if (*metric == MC_NONE) return mc_error_out_of_memory(error);
    builder->metric_steps[*metric] = (uint32_t)builder->step_count; // that is being added
    return MC_OK;
}

mc_result mc_builder_merge_metrics(mc_trace_builder *builder, const mc_step_tree *tree,
                                   mc_metric *map, mc_error *error) {
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < tree->metrics.count && result == MC_OK; i++)
        result = merge(builder, tree, i, &map[i], error);
    return result;
}

// ---- columns

static mc_result fill_column(mc_seen_step *step, mc_metric metric, const uint64_t *values,
                             size_t count, mc_error *error) {
    step->column_mask |= (uint64_t)1 << metric;
    return mc_packed_column_pack(&step->columns[metric], values, (uint32_t)count)
               ? MC_OK
               : mc_error_out_of_memory(error);
}

static bool has_values(const mc_step_column *column) {
    for (size_t i = 0; i < column->count; i++)
        if (column->values[i] != MC_COUNT_UNKNOWN) return true;
    return false;
}

// Of what the step's tree says of one of the trace's own metrics.
static mc_result fill_own_column(mc_trace_builder *builder, const mc_step_tree *tree,
                                 uint32_t index, mc_metric metric, mc_seen_step *step,
                                 mc_error *error) {
    const mc_step_column *column = &tree->columns[index];
    uint64_t *values = builder->values;
    if (!has_values(column)) return MC_OK;
    if (tree->metrics.items[index].is_real) step->real_mask |= (uint64_t)1 << metric;
    if (column->count == 1 && builder->step_nodes[0] == 0) { // of the root, whose number is 0
        const uint64_t value = column->values[0] + 1;
        return fill_column(step, metric, &value, 1, error);
    }
    for (size_t entry = 0; entry < column->count; entry++) // unknown becomes 0
        values[builder->step_nodes[entry]] = column->values[entry] + 1;
    for (size_t entry = column->count; entry < tree->node_count; entry++)
        values[builder->step_nodes[entry]] = 0;
    return fill_column(step, metric, values, builder->node_count, error);
}

mc_result mc_builder_fill_columns(mc_trace_builder *builder, const mc_step_tree *tree,
                                  const mc_metric *map, mc_seen_step *step, mc_error *error) {
    size_t count = builder->node_count;
    const uint32_t *nodes = builder->step_nodes;
    if (!mc_reserve(&builder->values, &builder->value_capacity, 2 * count, sizeof *builder->values))
        return mc_error_out_of_memory(error);
    step->columns = mc_alloc_zero(builder->metrics.count, sizeof *step->columns);
    if (!step->columns) return mc_error_out_of_memory(error);
    step->column_count = builder->metrics.count;
    // Both at once: a tree is larger than the caches.
    uint64_t *objects = builder->values, *bytes = objects + count;
    memset(objects, 0, 2 * count * sizeof *objects);
    for (size_t entry = 0; entry < tree->node_count; entry++) {
        objects[nodes[entry]] = tree->nodes[entry].objects;
        bytes[nodes[entry]] = tree->nodes[entry].bytes;
    }
    mc_result result = fill_column(step, MC_METRIC_OBJECTS, objects, count, error);
    if (result == MC_OK) result = fill_column(step, MC_METRIC_BYTES, bytes, count, error);
    // Own ones go to the places of the objects: no need to clear.
    for (uint32_t i = 0; i < tree->metrics.count && result == MC_OK; i++)
        result = fill_own_column(builder, tree, i, map[i], step, error);
    // For what is noted when the step is in: that can't fail any more.
    if (result == MC_OK && tree->metrics.count > 0 &&
        !mc_reserve(&builder->words, &builder->word_capacity, tree->node_count,
                    sizeof *builder->words))
        result = mc_error_out_of_memory(error);
    return result;
}

// ---- what children leave unexplained

static void note(mc_trace_builder *builder, size_t entry, bool is_unexplained, bool is_exceeded) {
    if (is_unexplained) mc_bits_set(builder->unexplained, builder->step_nodes[entry]);
    if (is_exceeded && builder->contradiction_count++ == 0)
        builder->contradiction_node = builder->step_nodes[entry];
}

// Of a tree that says so itself.
static void note_own(mc_trace_builder *builder, const mc_step_tree *tree) {
    for (size_t entry = 0; entry < tree->node_count; entry++)
        if (tree->has_own[entry]) mc_bits_set(builder->unexplained, builder->step_nodes[entry]);
}

// Objects and bytes, from the last entry to the first, so that a node's children come before it.
static void note_base(mc_trace_builder *builder, const mc_step_tree *tree) {
    uint64_t *sums = builder->values; // there are two for every node
    size_t count = tree->node_count, first_objects = count, first_bytes = count;
    bool is_first = builder->contradiction_count == 0;
    memset(sums, 0, 2 * count * sizeof *sums);
    for (size_t entry = count; entry-- > 0;) {
        const mc_step_entry *node = &tree->nodes[entry];
        uint64_t objects = sums[2 * entry], bytes = sums[2 * entry + 1];
        if (node->objects > objects || node->bytes > bytes)
            mc_bits_set(builder->unexplained, builder->step_nodes[entry]);
        if (node->objects < objects) {
            builder->contradiction_count++;
            first_objects = entry;
        }
        if (node->bytes < bytes) {
            builder->contradiction_count++;
            first_bytes = entry;
        }
        if (entry == 0) break;
        uint64_t *parent = &sums[2 * (size_t)node->parent];
        parent[0] = mc_add_saturating(parent[0], node->objects);
        parent[1] = mc_add_saturating(parent[1], node->bytes);
    }
    size_t first = first_objects < count ? first_objects : first_bytes;
    if (is_first && first < count) builder->contradiction_node = builder->step_nodes[first];
}

// Of whole numbers of which each is said, as note_additive().
static void note_whole(mc_trace_builder *builder, const mc_step_tree *tree, uint32_t index) {
    uint64_t *sums = builder->values;
    const uint64_t *values = tree->columns[index].values;
    size_t count = tree->node_count;
    memset(sums, 0, count * sizeof *sums);
    for (size_t entry = count; entry-- > 1;) {
        uint64_t *parent = &sums[tree->nodes[entry].parent], value = values[entry];
        *parent = mc_count_add(*parent, value);
    }
    for (size_t entry = 0; entry < count; entry++)
        if (values[entry] != sums[entry])
            note(builder, entry, values[entry] > sums[entry], values[entry] < sums[entry]);
}

static bool is_whole(const mc_step_tree *tree, uint32_t index, const mc_metric_info *info) {
    const mc_step_column *column = &tree->columns[index];
    if (info->is_real || column->count != tree->node_count) return false;
    for (size_t i = 0; i < column->count; i++)
        if (column->values[i] > MC_COUNT_MAX) return false;
    return true;
}

// As mc_trace_complete_column(): what is not said is the sum of the children.
static void note_additive(mc_trace_builder *builder, const mc_step_tree *tree, uint32_t index,
                          const mc_metric_info *info) {
    uint64_t *sums = builder->values, *values = builder->words;
    size_t count = tree->node_count;
    bool converts = info->is_real && !tree->metrics.items[index].is_real;
    memset(sums, 0, count * sizeof *sums);
    for (size_t entry = count; entry-- > 0;) {
        uint64_t value = mc_step_tree_get_value(tree, index, entry);
        if (converts) value = mc_metric_make_real(value);
        values[entry] = value == MC_COUNT_UNKNOWN ? sums[entry] : value;
        uint32_t parent = tree->nodes[entry].parent;
        if (parent != MC_NONE) sums[parent] = mc_metric_add(info, sums[parent], values[entry]);
    }
    for (size_t entry = 0; entry < count; entry++)
        note(builder, entry, mc_metric_get_rest(info, values[entry], sums[entry]) > 0,
             mc_metric_exceeds(info, sums[entry], values[entry]));
}

// Where the step has a leaf with a value, and another one has children, the value needs a place.
static void note_leaves(mc_trace_builder *builder, const mc_step_tree *tree, uint32_t index,
                        const mc_seen_step *step) {
    for (size_t entry = 0; entry < tree->node_count; entry++) {
        uint64_t value = mc_step_tree_get_value(tree, index, entry);
        bool is_inner = mc_bits_get(step->inner, builder->step_nodes[entry]);
        note(builder, entry, value != MC_COUNT_UNKNOWN && value > 0 && !is_inner, false);
    }
}

void mc_builder_note_unexplained(mc_trace_builder *builder, const mc_step_tree *tree,
                                 const mc_metric *map, const mc_seen_step *step) {
    if (tree->is_summed)
        note_own(builder, tree);
    else
        note_base(builder, tree);
    for (uint32_t i = 0; i < tree->metrics.count; i++) {
        const mc_metric_info *info = &builder->metrics.items[map[i]];
        if (tree->is_summed && i < tree->summed_count && info->is_additive && !info->is_real)
            continue;
        if (!(step->column_mask >> map[i] & 1)) continue;
        if (info->is_additive && is_whole(tree, i, info))
            note_whole(builder, tree, i);
        else if (info->is_additive)
            note_additive(builder, tree, i, info);
        else
            note_leaves(builder, tree, i, step);
    }
}
