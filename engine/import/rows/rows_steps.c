#include "engine/import/rows/rows_steps.h"

#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include <inttypes.h>
#include <string.h>

#define ROOT_KEY "Heap" // of rows without a column for it

struct mc_rows_steps {
    mc_rows_reader *reader;
    mc_rows_nodes *nodes;
    uint32_t *roles; // of each place
    uint32_t metric_count;
    uint32_t step; // number of the current one
    uint32_t root; // its root, as a row has it
    mc_step_tree *tree;
    uint64_t *sums; // scratch
    size_t sum_capacity;
    uint8_t *has_children; // of each entry
    size_t child_capacity;
};

static mc_result fail(const mc_rows_steps *self, uint64_t line, const char *text, mc_error *error) {
    mc_error_set(error, MC_ERROR_BAD_DATA, line, "%s", text);
    return mc_error_prepend(error, mc_rows_reader_get_name(self->reader));
}

// "Package: java.util > Type: List"
static mc_result fail_twice(const mc_rows_steps *self, const mc_rows_row *row, mc_error *error) {
    mc_text path = {0};
    mc_excerpt shown;
    for (uint32_t node = row->node; node != 0; node = self->nodes->items[node].parent) {
        size_t size;
        const char *key =
            mc_strings_get(&self->nodes->strings, self->nodes->items[node].key, &size);
        mc_text whole = {0};
        mc_text_append(&whole, key, size);
        if (path.size > 0) {
            mc_text_append_string(&whole, " > ");
            mc_text_append(&whole, path.data, path.size);
        }
        mc_text_deinit(&path);
        path = whole;
        if (path.size > MC_EXCERPT_SIZE) break;
    }
    mc_error_set(error, MC_ERROR_BAD_DATA, row->line,
                 "expected one row of a group and time, found a second one of \"%s\" at %" PRId64
                 " (GROUP BY time and all classifiers)",
                 mc_excerpt_make(&shown, path.data ? path.data : "", path.size), row->time_ms);
    mc_text_deinit(&path);
    return mc_error_prepend(error, mc_rows_reader_get_name(self->reader));
}

mc_result mc_rows_steps_create(mc_rows_reader *reader, mc_rows_steps **steps, mc_error *error) {
    const mc_rows_columns *columns = mc_rows_reader_get_columns(reader);
    mc_rows_steps *self = mc_alloc_zero(1, sizeof *self);
    *steps = NULL;
    if (!self) return mc_error_out_of_memory(error);
    self->roles = mc_alloc((size_t)columns->place_count + 1, sizeof *self->roles);
    if (!self->roles) {
        mc_free(self);
        return mc_error_out_of_memory(error);
    }
    self->reader = reader;
    self->nodes = mc_rows_reader_get_nodes(reader);
    self->metric_count = columns->metric_count;
    for (size_t i = 0; i < columns->count; i++)
        if (columns->items[i].kind == MC_ROWS_CLASSIFIER)
            self->roles[columns->items[i].place] = columns->items[i].role;
    *steps = self;
    return MC_OK;
}

void mc_rows_steps_destroy(mc_rows_steps *self) {
    if (!self) return;
    mc_free(self->roles);
    mc_free(self->sums);
    mc_free(self->has_children);
    mc_free(self);
}

mc_result mc_rows_steps_begin(mc_rows_steps *self, int64_t time_ms, mc_step_tree *tree,
                              mc_error *error) {
    const mc_rows_columns *columns = mc_rows_reader_get_columns(self->reader);
    mc_step_tree_reset(tree);
    self->tree = tree;
    self->step++;
    self->root = MC_NONE;
    tree->time_ms = time_ms;
    if (!mc_strings_intern_all(&tree->roles, &columns->roles, NULL))
        return mc_error_out_of_memory(error);
    for (uint32_t metric = 0; metric < self->metric_count; metric++)
        for (size_t i = 0; i < columns->count; i++)
            if (columns->items[i].kind == MC_ROWS_METRIC &&
                columns->items[i].metric_index == metric &&
                mc_step_tree_add_metric(tree, &columns->items[i].metric) == MC_NONE)
                return mc_error_out_of_memory(error);
    return MC_OK;
}

// ---- entries

static uint32_t add_entry(mc_rows_steps *self, uint32_t parent, uint32_t role, const char *key,
                          size_t key_size, uint64_t line) {
    mc_step_tree *tree = self->tree;
    size_t offset = tree->text.size;
    mc_text_append(&tree->text, key, key_size);
    if (tree->text.failed || tree->text.size >= MC_NONE) return MC_NONE;
    return mc_step_tree_add_entry(tree, (mc_step_entry){.source_offset = line,
                                                        .parent = parent,
                                                        .role = role,
                                                        .key_offset = (uint32_t)offset,
                                                        .key_size = (uint32_t)key_size});
}

static bool set_name(mc_rows_steps *self, uint32_t entry, uint32_t string) {
    mc_step_tree *tree = self->tree;
    size_t size, offset = tree->text.size;
    const char *name = mc_strings_get(&self->nodes->strings, string, &size);
    mc_text_append(&tree->text, name, size);
    return !tree->text.failed && tree->text.size < MC_NONE &&
           mc_step_tree_set_name(tree, entry, (mc_step_name){(uint32_t)offset, (uint32_t)size});
}

static bool add_node(mc_rows_steps *self, uint32_t parent, uint32_t role, mc_rows_node *node,
                     uint64_t line) {
    size_t size;
    const char *key = mc_strings_get(&self->nodes->strings, node->key, &size);
    node->entry = add_entry(self, parent, role, key, size, line);
    node->step = self->step;
    return node->entry != MC_NONE &&
           (node->name == node->key || set_name(self, node->entry, node->name));
}

static bool add_root(mc_rows_steps *self, const mc_rows_row *row) {
    mc_rows_node *top = &self->nodes->items[0];
    self->root = row->root;
    top->step = self->step;
    top->entry = 0;
    if (row->root != MC_NONE)
        return add_node(self, MC_NONE, MC_NONE, &self->nodes->items[row->root], row->line);
    return add_entry(self, MC_NONE, MC_NONE, ROOT_KEY, sizeof ROOT_KEY - 1, row->line) != MC_NONE;
}

// A node and those above it that the step lacks, from above.
static bool add_path(mc_rows_steps *self, uint32_t node, uint64_t line) {
    while (self->nodes->items[node].step != self->step) {
        uint32_t lacking = node, parent = self->nodes->items[node].parent;
        while (self->nodes->items[parent].step != self->step) {
            lacking = parent;
            parent = self->nodes->items[lacking].parent;
        }
        mc_rows_node *found = &self->nodes->items[lacking];
        if (!add_node(self, self->nodes->items[parent].entry, self->roles[found->place], found,
                      line))
            return false;
    }
    return true;
}

static bool set_values(mc_rows_steps *self, uint32_t entry, const mc_rows_row *row) {
    mc_step_tree *tree = self->tree;
    tree->nodes[entry].objects = row->values[MC_METRIC_OBJECTS];
    tree->nodes[entry].bytes = row->values[MC_METRIC_BYTES];
    for (uint32_t i = 0; i < self->metric_count; i++) {
        uint64_t value = row->values[MC_METRIC_FIRST_OWN + i];
        bool is_real = row->reals >> (MC_METRIC_FIRST_OWN + i) & 1;
        if (value == MC_COUNT_UNKNOWN) continue;
        if (is_real && !tree->metrics.items[i].is_real) mc_step_tree_make_real(tree, i);
        if (!is_real && tree->metrics.items[i].is_real) value = mc_metric_make_real(value);
        if (!mc_step_tree_set_value(tree, i, entry, value)) return false;
    }
    return true;
}

mc_result mc_rows_steps_add(mc_rows_steps *self, const mc_rows_row *row, mc_error *error) {
    bool is_first = self->tree->node_count == 0;
    if (is_first && !add_root(self, row)) return mc_error_out_of_memory(error);
    if (row->root != self->root)
        return fail(self, row->line, "expected the same root in all rows of a time", error);
    if (!add_path(self, row->node, row->line)) return mc_error_out_of_memory(error);
    mc_rows_node *node = &self->nodes->items[row->node];
    if (node->row == self->step) return fail_twice(self, row, error);
    node->row = self->step;
    return set_values(self, node->entry, row) ? MC_OK : mc_error_out_of_memory(error);
}

// ---- sums

static mc_result sum_counts(mc_rows_steps *self, mc_error *error) {
    mc_step_tree *tree = self->tree;
    for (size_t entry = tree->node_count; entry-- > 1;) {
        const mc_step_entry *node = &tree->nodes[entry];
        mc_step_entry *parent = &tree->nodes[node->parent];
        parent->objects += node->objects;
        parent->bytes += node->bytes;
        if (parent->objects > MC_COUNT_MAX || parent->bytes > MC_COUNT_MAX)
            return fail(self, node->source_offset, "expected sums of at most 9223372036854775807",
                        error);
    }
    return MC_OK;
}

// Of what a group has itself and what others below it have; where it has nothing itself, nothing is
// said of it.
static mc_result sum_metric(mc_rows_steps *self, uint32_t index, mc_error *error) {
    mc_step_tree *tree = self->tree;
    const mc_metric_info *info = &tree->metrics.items[index];
    size_t count = tree->node_count;
    if (!mc_reserve(&self->sums, &self->sum_capacity, count, sizeof *self->sums) ||
        !mc_reserve(&self->has_children, &self->child_capacity, count, 1))
        return mc_error_out_of_memory(error);
    memset(self->sums, 0, count * sizeof *self->sums); // also the bits of 0.0
    memset(self->has_children, 0, count);
    for (size_t entry = count; entry-- > 0;) {
        uint64_t value = mc_step_tree_get_value(tree, index, entry);
        if (value == MC_COUNT_UNKNOWN) value = 0;
        uint64_t whole = mc_metric_add(info, value, self->sums[entry]);
        if (!info->is_real && value + self->sums[entry] > MC_COUNT_MAX)
            return fail(self, tree->nodes[entry].source_offset,
                        "expected sums of at most 9223372036854775807", error);
        if (self->has_children[entry] &&
            !mc_step_tree_set_value(tree, index, (uint32_t)entry,
                                    value > 0 ? whole : MC_COUNT_UNKNOWN))
            return mc_error_out_of_memory(error);
        uint32_t parent = tree->nodes[entry].parent;
        if (parent == MC_NONE) continue;
        self->has_children[parent] = 1;
        self->sums[parent] = mc_metric_add(info, self->sums[parent], whole);
    }
    return MC_OK;
}

mc_result mc_rows_steps_end(mc_rows_steps *self, mc_error *error) {
    mc_result result = sum_counts(self, error);
    for (uint32_t i = 0; i < self->metric_count && result == MC_OK; i++)
        if (self->tree->metrics.items[i].is_additive) result = sum_metric(self, i, error);
    return result;
}

uint32_t mc_rows_steps_get_entry(const mc_rows_steps *self, uint32_t node) {
    const mc_rows_node *found = &self->nodes->items[node];
    return found->step == self->step ? found->entry : MC_NONE;
}
