#include "engine/trace/trace_step.h"

#include "engine/base/memory.h"
#include "engine/trace/trace_columns.h"
#include <string.h>

typedef struct filler {
    const mc_trace *trace;
    const mc_node_columns *nodes;
    uint32_t step_index;
    mc_step_tree *tree;
    uint64_t *values[MC_METRIC_MOST];
    uint32_t *entries; // per node: its entry in the tree
    uint32_t *stack;
    uint32_t *names, *roles; // per node, in this step
} filler;

static void filler_deinit(filler *self) {
    for (uint32_t metric = 0; metric < MC_METRIC_MOST; metric++)
        mc_free(self->values[metric]);
    mc_free(self->entries);
    mc_free(self->stack);
    mc_free(self->names);
    mc_free(self->roles);
}

static mc_result make_places(filler *self, mc_error *error) {
    uint32_t count = self->nodes->count;
    self->entries = mc_alloc(count, sizeof *self->entries);
    self->stack = mc_alloc(count, sizeof *self->stack);
    if (!self->entries || !self->stack) return mc_error_out_of_memory(error);
    memset(self->entries, 0xff, count * sizeof *self->entries); // MC_NONE: not in the tree
    return MC_OK;
}

static mc_result read_columns(filler *self, mc_error *error) {
    uint32_t count = self->nodes->count;
    assert(self->trace->metrics.count >= MC_METRIC_FIRST_OWN);
    for (mc_metric metric = 0; metric < self->trace->metrics.count; metric++) {
        self->values[metric] = mc_alloc(count, sizeof(uint64_t));
        if (!self->values[metric]) return mc_error_out_of_memory(error);
        mc_result result = mc_trace_read_column(self->trace, self->step_index, metric,
                                                self->values[metric], error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

static mc_result add_metrics(filler *self, mc_error *error) {
    const mc_metrics *metrics = &self->trace->metrics;
    for (mc_metric metric = MC_METRIC_FIRST_OWN; metric < metrics->count; metric++) {
        // All steps together have decided what it is.
        mc_metric_info info = metrics->items[metric];
        info.says = MC_METRIC_SAYS_ALL;
        if (mc_step_tree_add_metric(self->tree, &info) == MC_NONE)
            return mc_error_out_of_memory(error);
    }
    return MC_OK;
}

static mc_result read_names(filler *self, mc_error *error) {
    uint32_t count = self->nodes->count;
    mc_side_rows rows = {.rows = NULL};
    self->names = mc_alloc(count, sizeof *self->names);
    self->roles = mc_alloc(count, sizeof *self->roles);
    if (!self->names || !self->roles) return mc_error_out_of_memory(error);
    memcpy(self->names, self->nodes->name, count * sizeof *self->names);
    memcpy(self->roles, self->nodes->role, count * sizeof *self->roles);
    mc_result result =
        mc_trace_read_side(self->trace, self->step_index, MC_SIDE_RENAMES, &rows, error);
    const mc_rename *renames = rows.rows;
    for (uint32_t i = 0; i < rows.count; i++) {
        self->names[renames[i].node] = renames[i].name;
        self->roles[renames[i].node] = renames[i].role;
    }
    mc_side_rows_deinit(&rows);
    return result;
}

// The tree has the trace's own metrics, in its order.
static bool add_own_values(const filler *self, uint32_t node, uint32_t entry) {
    for (mc_metric metric = MC_METRIC_FIRST_OWN; metric < self->trace->metrics.count; metric++) {
        const uint64_t *values = self->values[metric];
        assert(values);
        if (values[node] != MC_COUNT_UNKNOWN &&
            !mc_step_tree_set_value(self->tree, metric - MC_METRIC_FIRST_OWN, entry, values[node]))
            return false;
    }
    return true;
}

static bool add_node(filler *self, uint32_t node) {
    mc_step_tree *tree = self->tree;
    const mc_node_columns *nodes = self->nodes;
    size_t key_size, name_size;
    const char *key = mc_trace_get_string(self->trace, nodes->key[node], &key_size);
    const char *name = mc_trace_get_string(self->trace, self->names[node], &name_size);
    size_t key_offset = tree->text.size, name_offset = key_offset;
    mc_text_append(&tree->text, key, key_size);
    if (self->names[node] != nodes->key[node]) {
        name_offset = tree->text.size;
        mc_text_append(&tree->text, name, name_size);
    }
    uint32_t parent = nodes->parent[node];
    uint32_t entry = mc_step_tree_add(
        tree, (mc_step_node){.parent = parent == MC_NONE ? MC_NONE : self->entries[parent],
                             .role = self->roles[node],
                             .key_offset = key_offset,
                             .name_offset = name_offset,
                             .key_size = (uint32_t)key_size,
                             .name_size = (uint32_t)name_size,
                             .objects = self->values[MC_METRIC_OBJECTS][node],
                             .bytes = self->values[MC_METRIC_BYTES][node]});
    self->entries[node] = entry;
    return entry != MC_NONE && add_own_values(self, node, entry);
}

// The order of the tree's nodes. Without a tree they are only numbered.
static mc_result add_nodes(filler *self, mc_error *error) {
    const mc_node_columns *nodes = self->nodes;
    size_t depth = 0;
    uint32_t count = 0;
    self->stack[depth++] = 0;
    while (depth > 0) {
        uint32_t node = self->stack[--depth];
        bool is_present = false;
        mc_result result =
            mc_trace_read_presence(self->trace, self->step_index, node, &is_present, error);
        if (result != MC_OK) return result;
        if (!is_present || nodes->flags[node] & MC_NODE_SELF) continue;
        self->entries[node] = count++;
        if (self->tree && !add_node(self, node)) return mc_error_out_of_memory(error);
        for (uint32_t i = nodes->child_count[node]; i-- > 0;)
            self->stack[depth++] = nodes->child_by_appearance[nodes->first_child[node] + i];
    }
    return MC_OK;
}

mc_result mc_trace_fill_step_tree(const mc_trace *trace, uint32_t step_index, mc_step_tree *tree,
                                  mc_error *error) {
    filler self = {
        .trace = trace, .nodes = mc_trace_get_nodes(trace), .step_index = step_index, .tree = tree};
    mc_step_tree_reset(tree);
    tree->time_ms = mc_trace_get_step(trace, step_index)->time_ms;
    tree->heap_limit = mc_trace_get_step(trace, step_index)->heap_limit;
    tree->liveness = mc_trace_get_step(trace, step_index)->liveness;
    const mc_step_info *info = mc_trace_get_step(trace, step_index);
    if (info->is_incomplete) tree->missing = mc_trace_get_string(trace, info->missing, NULL);
    tree->note = mc_trace_get_note(trace, step_index);
    tree->key_kind = mc_trace_get_key_kind(trace);
    mc_result result = make_places(&self, error);
    if (result == MC_OK) result = read_columns(&self, error);
    if (result == MC_OK) result = read_names(&self, error);
    if (result == MC_OK) result = add_metrics(&self, error);
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(trace) && result == MC_OK; i++) {
        size_t size;
        const char *name = mc_trace_get_classifier(trace, i, &size);
        if (mc_strings_intern(&tree->roles, name, size) == MC_NONE)
            result = mc_error_out_of_memory(error);
    }
    if (result == MC_OK) result = add_nodes(&self, error);
    if (result == MC_OK && tree->text.failed) result = mc_error_out_of_memory(error);
    filler_deinit(&self);
    return result;
}

// ---- references

// Appends the full key of a leaf as the input knows it.
static void append_input_key(const mc_trace *trace, uint32_t node, mc_text *text) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    if (nodes->flags[node] & MC_NODE_SELF) node = nodes->parent[node];
    mc_trace_append_full_key(trace, node, text);
}

static bool add_entry(const mc_trace *trace, mc_reference_map *map, uint32_t outer, uint32_t inner,
                      uint64_t count) {
    mc_reference_entry entry = {.outer_offset = map->text.size, .count = count};
    append_input_key(trace, outer, &map->text);
    entry.inner_offset = map->text.size;
    entry.outer_size = (uint32_t)(entry.inner_offset - entry.outer_offset);
    append_input_key(trace, inner, &map->text);
    entry.inner_size = (uint32_t)(map->text.size - entry.inner_offset);
    return !map->text.failed && mc_reference_map_add(map, entry);
}

mc_result mc_trace_fill_reference_map(const mc_trace *trace, uint32_t step_index,
                                      mc_reference_direction direction, mc_reference_map *map,
                                      mc_error *error) {
    const mc_step_info *step = mc_trace_get_step(trace, step_index);
    mc_reference_rows all = {0};
    mc_reference_map_reset(map);
    map->time_ms = step->time_ms;
    if (!(step->directions & 1u << direction)) return MC_OK;
    mc_result result = mc_trace_read_references(trace, step_index, &all, error);
    for (uint32_t i = 0; i < all.count && result == MC_OK; i++) {
        bool is_points_to = direction == MC_POINTS_TO;
        uint64_t count = is_points_to ? all.items[i].points_to : all.items[i].pointed_from;
        uint64_t other = is_points_to ? all.items[i].pointed_from : all.items[i].points_to;
        // A pair that the other map alone has. One without any count is in some map all the same.
        if (count == 0 && other > 0) continue;
        uint32_t outer = is_points_to ? all.items[i].from : all.items[i].to;
        uint32_t inner = is_points_to ? all.items[i].to : all.items[i].from;
        if (!add_entry(trace, map, outer, inner, count)) result = mc_error_out_of_memory(error);
    }
    mc_reference_rows_deinit(&all);
    return result;
}

// ---- fields and roots

// The node of the step's tree whose objects a leaf of the trace has.
static uint32_t get_entry(const filler *self, uint32_t leaf) {
    if (self->nodes->flags[leaf] & MC_NODE_SELF) leaf = self->nodes->parent[leaf];
    return self->entries[leaf];
}

static bool add_name(const filler *self, mc_strings *names, uint32_t *string) {
    size_t size;
    const char *name = mc_trace_get_string(self->trace, *string, &size);
    *string = mc_strings_intern(names, name, size);
    return *string != MC_NONE;
}

// From the trace's numbers to the step's own. `places`: by path or owner, the step's; NULL: none is
// meant.
static bool convert_row(const filler *self, mc_side_table table, const uint32_t *places,
                        mc_strings *names, void *row) {
    const mc_side_desc *desc = &mc_side_tables[table];
    bool fits = true;
    for (int i = 0; i < desc->column_count && fits; i++) {
        const mc_side_column *column = &desc->columns[i];
        uint32_t *number = (uint32_t *)row + column->offset / sizeof(uint32_t);
        if (column->size != sizeof *number || (column->may_lack && *number == MC_NONE)) continue;
        if (column->kind == MC_COLUMN_LEAF) *number = get_entry(self, *number);
        if (column->kind == MC_COLUMN_NODE) *number = self->entries[*number];
        if (column->kind == MC_COLUMN_PATH || column->kind == MC_COLUMN_OWNER) {
            assert(places);
            *number = places[*number];
        }
        if (column->kind == MC_COLUMN_STRING) fits = add_name(self, names, number);
    }
    return fits;
}

// Reads a table of the step, in its own numbers.
static mc_result read_converted(const filler *self, mc_side_table table, const uint32_t *places,
                                mc_strings *names, mc_side_rows *rows, mc_error *error) {
    mc_result result = mc_trace_read_side(self->trace, self->step_index, table, rows, error);
    for (uint32_t i = 0; i < rows->count && result == MC_OK; i++)
        if (!convert_row(self, table, places, names, mc_side_rows_get(table, rows, i)))
            result = mc_error_out_of_memory(error);
    return result;
}

static mc_result fill_referrers(const filler *self, mc_step_referrers *referrers, mc_error *error) {
    mc_side_rows fields = {.rows = NULL}, roots = {.rows = NULL};
    mc_result result =
        read_converted(self, MC_SIDE_FIELDS, NULL, &referrers->names, &fields, error);
    if (result == MC_OK)
        result = read_converted(self, MC_SIDE_ROOTS, NULL, &referrers->names, &roots, error);
    if (result != MC_OK) {
        mc_side_rows_deinit(&fields);
        mc_side_rows_deinit(&roots);
        return result;
    }
    mc_free(referrers->fields);
    mc_free(referrers->roots);
    referrers->fields = fields.rows;
    referrers->roots = roots.rows;
    referrers->field_count = referrers->field_capacity = fields.count;
    referrers->root_count = referrers->root_capacity = roots.count;
    return MC_OK;
}

mc_result mc_trace_fill_step_referrers(const mc_trace *trace, uint32_t step_index,
                                       mc_step_referrers *referrers, mc_error *error) {
    filler self = {.trace = trace, .nodes = mc_trace_get_nodes(trace), .step_index = step_index};
    const mc_step_info *step = mc_trace_get_step(trace, step_index);
    mc_step_referrers_reset(referrers);
    referrers->time_ms = step->time_ms;
    if (!step->has_referrers) return MC_OK;
    mc_result result = make_places(&self, error);
    if (result == MC_OK) result = add_nodes(&self, error);
    if (result == MC_OK) result = fill_referrers(&self, referrers, error);
    filler_deinit(&self);
    return result;
}

// ---- retaining paths

// A path that a step has an entry of, and all that it goes on from.
static void mark_used(const mc_retaining_path *paths, uint32_t path, bool *is_used) {
    for (; path != MC_NONE && !is_used[path]; path = paths[path].parent)
        is_used[path] = true;
}

// The paths that are used. `numbers`: of each its number in the step.
static bool fill_paths(const filler *self, const bool *is_used, uint32_t *numbers,
                       mc_step_paths *paths) {
    for (uint32_t i = 0; i < self->trace->path_count; i++) {
        mc_retaining_path path = self->trace->paths[i];
        if (!is_used[i]) continue;
        numbers[i] = (uint32_t)paths->path_count;
        if (!convert_row(self, MC_SIDE_PATHS, numbers, &paths->names, &path) ||
            !mc_step_paths_add(paths, path))
            return false;
    }
    return true;
}

static mc_result fill_sums(const filler *self, mc_step_paths *paths, mc_error *error) {
    uint32_t count = self->trace->path_count;
    mc_side_rows rows = {.rows = NULL};
    bool *is_used = mc_alloc_zero((size_t)count + 1, sizeof *is_used);
    uint32_t *numbers = mc_alloc((size_t)count + 1, sizeof *numbers);
    bool fits = is_used && numbers;
    mc_result result =
        fits ? mc_trace_read_side(self->trace, self->step_index, MC_SIDE_SUMS, &rows, error)
             : mc_error_out_of_memory(error);
    mc_path_sum *sums = rows.rows;
    for (uint32_t i = 0; i < rows.count; i++)
        mark_used(self->trace->paths, sums[i].path, is_used);
    if (result == MC_OK) fits = fill_paths(self, is_used, numbers, paths);
    for (uint32_t i = 0; i < rows.count && fits; i++)
        fits = convert_row(self, MC_SIDE_SUMS, numbers, &paths->names, &sums[i]) &&
               mc_step_paths_add_sum(paths, sums[i]);
    mc_side_rows_deinit(&rows);
    mc_free(is_used);
    mc_free(numbers);
    return fits ? result : mc_error_out_of_memory(error);
}

mc_result mc_trace_fill_step_paths(const mc_trace *trace, uint32_t step_index, mc_step_paths *paths,
                                   mc_error *error) {
    filler self = {.trace = trace, .nodes = mc_trace_get_nodes(trace), .step_index = step_index};
    const mc_step_info *step = mc_trace_get_step(trace, step_index);
    mc_step_paths_reset(paths);
    paths->time_ms = step->time_ms;
    if (!step->has_paths) return MC_OK;
    mc_result result = make_places(&self, error);
    if (result == MC_OK) result = add_nodes(&self, error);
    if (result == MC_OK) result = fill_sums(&self, paths, error);
    filler_deinit(&self);
    return result;
}

// ---- owners

// An owner that a step has an entry of, and all above it.
static void mark_owner(const mc_owner *owners, uint32_t owner, bool *is_used) {
    for (; owner != MC_NONE && !is_used[owner]; owner = owners[owner].parent)
        is_used[owner] = true;
}

// The owners that are used. `numbers`: of each its number in the step.
static bool fill_owners(const filler *self, const bool *is_used, uint32_t *numbers,
                        mc_step_owners *owners) {
    for (uint32_t i = 0; i < self->trace->owner_count; i++) {
        mc_owner owner = self->trace->owners[i];
        if (!is_used[i]) continue;
        numbers[i] = (uint32_t)owners->owner_count;
        while (owner.place != MC_NONE && self->entries[owner.place] == MC_NONE)
            owner.place = self->nodes->parent[owner.place];
        if (!convert_row(self, MC_SIDE_OWNERS, numbers, &owners->names, &owner) ||
            !mc_step_owners_add(owners, owner))
            return false;
    }
    return true;
}

static bool fill_owner_rows(const filler *self, const mc_owner_rows *sums,
                            const mc_owner_way_rows *ways, mc_step_owners *owners) {
    uint32_t count = self->trace->owner_count;
    bool *is_used = mc_alloc_zero((size_t)count + 1, sizeof *is_used);
    uint32_t *numbers = mc_alloc((size_t)count + 1, sizeof *numbers);
    bool fits = is_used && numbers;
    for (uint32_t i = 0; i < sums->count && fits; i++)
        mark_owner(self->trace->owners, sums->items[i].owner, is_used);
    for (uint32_t i = 0; i < ways->count && fits; i++) {
        mark_owner(self->trace->owners, ways->items[i].owner, is_used);
        mark_owner(self->trace->owners, ways->items[i].from, is_used);
    }
    if (fits) fits = fill_owners(self, is_used, numbers, owners);
    for (uint32_t i = 0; i < sums->count && fits; i++)
        fits = convert_row(self, MC_SIDE_OWNER_SUMS, numbers, &owners->names, &sums->items[i]) &&
               mc_step_owners_add_sum(owners, sums->items[i]);
    for (uint32_t i = 0; i < ways->count && fits; i++)
        fits = convert_row(self, MC_SIDE_OWNER_WAYS, numbers, &owners->names, &ways->items[i]) &&
               mc_step_owners_add_way(owners, ways->items[i]);
    mc_free(is_used);
    mc_free(numbers);
    return fits;
}

static mc_result fill_all_owners(const filler *self, mc_step_owners *owners, mc_error *error) {
    mc_owner_rows sums = {0};
    mc_owner_way_rows ways = {0};
    mc_result result = mc_trace_read_owners(self->trace, self->step_index, &sums, error);
    if (result == MC_OK)
        result = mc_trace_read_owner_ways(self->trace, self->step_index, &ways, error);
    if (result == MC_OK && !fill_owner_rows(self, &sums, &ways, owners))
        result = mc_error_out_of_memory(error);
    mc_owner_rows_deinit(&sums);
    mc_owner_way_rows_deinit(&ways);
    return result;
}

mc_result mc_trace_fill_step_owners(const mc_trace *trace, uint32_t step_index,
                                    mc_step_owners *owners, mc_error *error) {
    filler self = {.trace = trace, .nodes = mc_trace_get_nodes(trace), .step_index = step_index};
    const mc_step_info *step = mc_trace_get_step(trace, step_index);
    mc_step_owners_reset(owners);
    owners->time_ms = step->time_ms;
    if (!step->has_owners) return MC_OK;
    mc_result result = make_places(&self, error);
    if (result == MC_OK) result = add_nodes(&self, error);
    if (result == MC_OK) result = fill_all_owners(&self, owners, error);
    filler_deinit(&self);
    return result;
}
