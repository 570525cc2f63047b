#include "engine/store/rows/row_writer.h"

#include "engine/base/memory.h"
#include "engine/trace/trace_columns.h"
#include <inttypes.h>
#include <string.h>

#define OUTPUT_SIZE ((size_t)1 << 20)
#define ASK_ROWS 65536u // between two questions whether to go on

typedef struct cell {
    uint64_t offset; // in `cells`
    uint32_t size;
} cell;

typedef struct writer {
    const mc_row_desc *desc;
    const mc_row_layout *layout;
    const mc_trace *trace;
    const mc_node_columns *nodes;
    mc_row_report *report;
    mc_error *error;
    char separator;
    const char *null;
    size_t null_size;

    // Of names: a node's key, and what it is called where its place has names.
    mc_text cells;
    cell *node_cells;
    uint32_t *names;    // per node, in the step that the cells are of
    bool are_steps_own; // the cells are those of a step that calls nodes otherwise
    uint32_t *order;    // nodes of the input, depth first, as they appeared
    uint32_t order_count;
    uint32_t *self_of;        // per node: its share that no child explains; MC_NONE: none
    uint8_t *present, *inner; // per node, in the step
    uint64_t *values[MC_METRIC_MOST];
    uint32_t metric_count;

    // The beginning of a row up to the key of `above`, which siblings have in common.
    mc_text prefix;
    uint32_t above; // MC_NONE: none
    uint32_t *way;  // scratch
    mc_text before; // time, and the root
    char *out;
    size_t size, capacity;
    uint32_t step;
} writer;

static void writer_deinit(writer *self) {
    mc_text_deinit(&self->cells);
    mc_text_deinit(&self->prefix);
    mc_text_deinit(&self->before);
    mc_free(self->node_cells);
    mc_free(self->names);
    mc_free(self->order);
    mc_free(self->self_of);
    mc_free(self->present);
    mc_free(self->inner);
    mc_free(self->way);
    mc_free(self->out);
    for (uint32_t i = 0; i < MC_METRIC_MOST; i++)
        mc_free(self->values[i]);
}

// ---- what is the same in all steps

static void find_order(writer *self) {
    uint32_t depth = 0, *stack = self->way;
    stack[depth++] = 0;
    self->order_count = 0;
    while (depth > 0) {
        uint32_t node = stack[--depth];
        if (self->nodes->flags[node] & MC_NODE_SELF) {
            self->self_of[self->nodes->parent[node]] = node;
            continue;
        }
        self->order[self->order_count++] = node;
        for (uint32_t i = self->nodes->child_count[node]; i-- > 0;)
            stack[depth++] = self->nodes->child_by_appearance[self->nodes->first_child[node] + i];
    }
}

static mc_result make_cells(writer *self) {
    mc_text_clear(&self->cells);
    self->above = MC_NONE;
    for (uint32_t node = 0; node < self->nodes->count; node++) {
        uint32_t place = self->layout->place_of[node];
        bool has_names = node == 0 ? self->layout->has_root_name
                                   : place != MC_NONE && self->layout->places[place].has_names;
        size_t key_size, name_size;
        if (self->nodes->flags[node] & MC_NODE_SELF) continue;
        cell *own = &self->node_cells[node];
        own->offset = self->cells.size;
        const char *key = mc_row_layout_get_key(self->trace, node, &key_size);
        mc_row_append_text(&self->cells, self->desc->form, key, key_size);
        const char *name = mc_trace_get_string(self->trace, self->names[node], &name_size);
        if (has_names) mc_text_append(&self->cells, &self->separator, 1);
        if (has_names && (key_size != name_size || memcmp(key, name, key_size) != 0))
            mc_row_append_text(&self->cells, self->desc->form, name, name_size);
        else if (has_names)
            mc_text_append(&self->cells, self->null, self->null_size);
        if (self->cells.failed || self->cells.size - own->offset >= MC_NONE)
            return mc_error_out_of_memory(self->error);
        own->size = (uint32_t)(self->cells.size - own->offset);
    }
    return MC_OK;
}

static mc_result init(writer *self) {
    uint32_t count = self->nodes->count;
    self->node_cells = mc_alloc_zero(count, sizeof *self->node_cells);
    self->names = mc_alloc(count, sizeof *self->names);
    self->order = mc_alloc(count, sizeof *self->order);
    self->self_of = mc_alloc(count, sizeof *self->self_of);
    self->way = mc_alloc(count, sizeof *self->way);
    self->present = mc_alloc(count, 1);
    self->inner = mc_alloc(count, 1);
    self->metric_count = mc_trace_get_metric_count(self->trace);
    bool is_fine = self->node_cells && self->names && self->order && self->self_of && self->way &&
                   self->present && self->inner &&
                   mc_reserve(&self->out, &self->capacity, OUTPUT_SIZE, 1);
    for (uint32_t i = 0; i < self->metric_count && is_fine; i++)
        is_fine = (self->values[i] = mc_alloc(count, sizeof(uint64_t))) != NULL;
    if (!is_fine) return mc_error_out_of_memory(self->error);
    memset(self->self_of, 0xff, count * sizeof *self->self_of);
    memcpy(self->names, self->nodes->name, count * sizeof *self->names);
    find_order(self);
    return make_cells(self);
}

// ---- output

static mc_result flush(writer *self) {
    const mc_row_output *output = &self->desc->output;
    mc_result result =
        self->size > 0 ? output->write(output->user, self->out, self->size, self->error) : MC_OK;
    self->size = 0;
    return result;
}

static mc_result ask(writer *self) {
    uint32_t count = mc_trace_get_step_count(self->trace);
    if (mc_progress_report(self->desc->progress, self->step, count)) return MC_OK;
    return mc_fail(self->error, MC_ERROR_CANCELLED, "cancelled");
}

// Room for so many bytes more.
static mc_result reserve(writer *self, size_t size) {
    mc_result result = self->size + size > OUTPUT_SIZE ? flush(self) : MC_OK;
    if (result == MC_OK && !mc_reserve(&self->out, &self->capacity, self->size + size, 1))
        return mc_error_out_of_memory(self->error);
    return result;
}

static char *put(char *out, const char *bytes, size_t size) {
    memcpy(out, bytes, size);
    return out + size;
}

typedef struct header {
    mc_text text;
    mc_row_form form;
} header;

static bool add_title(void *user, const mc_row_column *column) {
    header *self = user;
    if (self->text.size > 0) mc_text_append(&self->text, self->form == MC_ROW_CSV ? "," : "\t", 1);
    mc_row_append_text(&self->text, self->form, column->title, column->title_size);
    return !self->text.failed;
}

static mc_result put_header(writer *self, bool is_references) {
    header list = {.form = self->desc->form};
    bool is_fine = mc_row_layout_list(self->layout, is_references, add_title, &list);
    mc_text_append(&list.text, "\n", 1);
    mc_result result = is_fine && !list.text.failed ? reserve(self, list.text.size)
                                                    : mc_error_out_of_memory(self->error);
    if (result == MC_OK)
        self->size =
            (size_t)(put(self->out + self->size, list.text.data, list.text.size) - self->out);
    mc_text_deinit(&list.text);
    return result;
}

// ---- a step

static mc_result take_names(writer *self) {
    mc_side_rows rows = {.rows = NULL};
    mc_result result =
        mc_trace_read_side(self->trace, self->step, MC_SIDE_RENAMES, &rows, self->error);
    const mc_rename *renames = rows.rows;
    if (result == MC_OK && (rows.count > 0 || self->are_steps_own)) {
        memcpy(self->names, self->nodes->name, self->nodes->count * sizeof *self->names);
        for (uint32_t i = 0; i < rows.count; i++)
            self->names[renames[i].node] = renames[i].name;
        self->are_steps_own = rows.count > 0;
        result = make_cells(self);
    }
    mc_side_rows_deinit(&rows);
    return result;
}

static mc_result read_step(writer *self) {
    mc_result result = take_names(self);
    for (mc_metric i = 0; i < self->metric_count && result == MC_OK; i++)
        result = mc_trace_read_column(self->trace, self->step, i, self->values[i], self->error);
    memset(self->inner, 0, self->nodes->count);
    for (uint32_t node = self->nodes->count; node-- > 0 && result == MC_OK;) {
        bool is_present = false;
        self->present[node] = 0;
        if (self->nodes->flags[node] & MC_NODE_SELF) continue;
        result = mc_trace_read_presence(self->trace, self->step, node, &is_present, self->error);
        self->present[node] = is_present;
        if (is_present && node > 0) self->inner[self->nodes->parent[node]] = 1;
    }
    return result;
}

// What begins all rows of the step.
static mc_result make_beginning(writer *self) {
    mc_text_clear(&self->before);
    self->above = MC_NONE;
    mc_text_format(&self->before, "%" PRId64, mc_trace_get_step(self->trace, self->step)->time_ms);
    if (self->layout->has_root) {
        mc_text_append(&self->before, &self->separator, 1);
        mc_text_append(&self->before, self->cells.data + self->node_cells[0].offset,
                       self->node_cells[0].size);
    }
    return self->before.failed ? mc_error_out_of_memory(self->error) : MC_OK;
}

static int get_column_count(const writer *self, uint32_t place) {
    return self->layout->places[place].has_names ? 2 : 1;
}

// Fields of places that a path does not have.
static void append_nulls(const writer *self, mc_text *out, uint32_t begin, uint32_t end) {
    for (uint32_t place = begin; place < end; place++)
        for (int i = 0; i < get_column_count(self, place); i++) {
            mc_text_append(out, &self->separator, 1);
            mc_text_append(out, self->null, self->null_size);
        }
}

// The fields of a node and all above it, up to its own place.
static void append_way(const writer *self, mc_text *out, uint32_t node) {
    uint32_t depth = 0, next = 0;
    for (; node != 0; node = self->nodes->parent[node])
        self->way[depth++] = node;
    while (depth > 0) {
        const cell *own = &self->node_cells[self->way[--depth]];
        uint32_t place = self->layout->place_of[self->way[depth]];
        append_nulls(self, out, next, place);
        mc_text_append(out, &self->separator, 1);
        mc_text_append(out, self->cells.data + own->offset, own->size);
        next = place + 1;
    }
}

static uint32_t get_next_place(const writer *self, uint32_t node) {
    return node == 0 ? 0 : self->layout->place_of[node] + 1;
}

// What siblings have in common is made once.
static mc_result take_prefix(writer *self, uint32_t parent) {
    if (self->above == parent && self->prefix.size > 0) return MC_OK;
    mc_text_clear(&self->prefix);
    mc_text_append(&self->prefix, self->before.data, self->before.size);
    append_way(self, &self->prefix, parent);
    self->above = parent;
    return self->prefix.failed ? mc_error_out_of_memory(self->error) : MC_OK;
}

static char *put_nulls(const writer *self, char *out, uint32_t begin, uint32_t end) {
    for (uint32_t place = begin; place < end; place++)
        for (int i = 0; i < get_column_count(self, place); i++) {
            *out++ = self->separator;
            out = put(out, self->null, self->null_size);
        }
    return out;
}

static char *put_value(const writer *self, char *out, mc_metric metric, uint64_t value) {
    *out++ = self->separator;
    if (value == MC_COUNT_UNKNOWN) return put(out, self->null, self->null_size);
    if (!mc_trace_get_metric(self->trace, metric)->is_real) return mc_row_put_number(out, value);
    return mc_row_put_real(out, mc_metric_unpack(value));
}

// What a row says of a node: what it has itself. False: nothing that others don't explain.
static bool get_own(const writer *self, uint32_t node, uint64_t *own) {
    uint32_t self_node = self->self_of[node];
    bool is_inner = self->inner[node], is_told = !is_inner;
    for (mc_metric i = 0; i < self->metric_count; i++) {
        own[i] = self->values[i][node];
        if (mc_trace_get_metric(self->trace, i)->is_additive) {
            if (is_inner) own[i] = self_node == MC_NONE ? 0 : self->values[i][self_node];
            is_told |= own[i] > 0;
        } else {
            is_told |= own[i] != MC_COUNT_UNKNOWN;
        }
    }
    return is_told;
}

static mc_result put_row(writer *self, uint32_t node, const uint64_t *own) {
    const mc_row_layout *layout = self->layout;
    uint32_t parent = node == 0 ? 0 : self->nodes->parent[node], next = 0;
    mc_result result = take_prefix(self, parent);
    const cell *name = &self->node_cells[node];
    size_t most = self->prefix.size + name->size + 2 +
                  2 * (size_t)layout->place_count * (self->null_size + 1) +
                  self->metric_count * (size_t)(MC_ROW_NUMBER_SIZE + 1);
    if (result == MC_OK) result = reserve(self, most);
    if (result != MC_OK) return result;
    char *out = put(self->out + self->size, self->prefix.data, self->prefix.size);
    if (node != 0) {
        out = put_nulls(self, out, get_next_place(self, parent), layout->place_of[node]);
        *out++ = self->separator;
        out = put(out, self->cells.data + name->offset, name->size);
        next = layout->place_of[node] + 1;
    }
    out = put_nulls(self, out, next, layout->place_count);
    for (mc_metric i = 0; i < self->metric_count; i++)
        out = put_value(self, out, i, own[i]);
    *out++ = '\n';
    self->size = (size_t)(out - self->out);
    return MC_OK;
}

static mc_result put_step(writer *self) {
    const mc_step_info *info = mc_trace_get_step(self->trace, self->step);
    uint64_t own[MC_METRIC_MOST] = {0}, objects = 0, bytes = 0;
    mc_result result = read_step(self);
    if (result == MC_OK) result = make_beginning(self);
    for (uint32_t i = 0; i < self->order_count && result == MC_OK; i++) {
        uint32_t node = self->order[i];
        if (!self->present[node] || !get_own(self, node, own)) continue;
        result = put_row(self, node, own);
        objects += own[MC_METRIC_OBJECTS];
        bytes += own[MC_METRIC_BYTES];
        if (result == MC_OK && ++self->report->row_count % ASK_ROWS == 0) result = ask(self);
    }
    if (result == MC_OK)
        self->report->contradicting_count += objects != info->objects || bytes != info->bytes;
    return result;
}

// ---- references

// What the input has in the place of a leaf of the trace.
static uint32_t get_input_node(const writer *self, uint32_t leaf) {
    return self->nodes->flags[leaf] & MC_NODE_SELF ? self->nodes->parent[leaf] : leaf;
}

static void append_end(const writer *self, mc_text *out, uint32_t node) {
    append_way(self, out, node);
    append_nulls(self, out, get_next_place(self, node), self->layout->place_count);
}

static void append_count(const writer *self, mc_text *out, bool is_there, uint64_t count) {
    char number[MC_ROW_NUMBER_SIZE];
    mc_text_append(out, &self->separator, 1);
    if (is_there)
        mc_text_append(out, number, (size_t)(mc_row_put_number(number, count) - number));
    else
        mc_text_append(out, self->null, self->null_size);
}

typedef struct pair {
    uint32_t from, to;
    bool is_there[2]; // by mc_reference_direction: its map has the pair
    uint64_t counts[2];
} pair;

static mc_result put_pair(writer *self, const pair *own) {
    mc_text *row = &self->prefix; // of no other use here
    mc_text_clear(row);
    mc_text_append(row, self->before.data, self->before.size);
    append_end(self, row, own->from);
    append_end(self, row, own->to);
    for (int i = 0; i < 2; i++)
        append_count(self, row, own->is_there[i], own->counts[i]);
    mc_text_append(row, "\n", 1);
    if (row->failed) return mc_error_out_of_memory(self->error);
    mc_result result = reserve(self, row->size);
    if (result != MC_OK) return result;
    self->size = (size_t)(put(self->out + self->size, row->data, row->size) - self->out);
    self->report->row_count++;
    return self->report->row_count % ASK_ROWS == 0 ? ask(self) : MC_OK;
}

static mc_result put_pairs(writer *self, const mc_reference_rows *all) {
    uint32_t directions = mc_trace_get_step(self->trace, self->step)->directions;
    bool is_given[2] = {directions & 1u << MC_POINTS_TO, directions & 1u << MC_POINTED_FROM};
    bool has_pairs[2] = {false, false};
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < all->count && result == MC_OK; i++) {
        pair own = {.from = get_input_node(self, all->items[i].from),
                    .to = get_input_node(self, all->items[i].to),
                    .counts = {all->items[i].points_to, all->items[i].pointed_from}};
        for (int k = 0; k < 2; k++) {
            // A pair that the other map alone has. One without any count is in some map all the
            // same.
            own.is_there[k] = is_given[k] && (own.counts[k] > 0 || own.counts[1 - k] == 0);
            has_pairs[k] |= own.is_there[k];
        }
        result = put_pair(self, &own);
    }
    // A map without any pair is known to be empty.
    pair none = {.is_there = {is_given[0] && !has_pairs[0], is_given[1] && !has_pairs[1]}};
    if (result == MC_OK && (none.is_there[0] || none.is_there[1])) result = put_pair(self, &none);
    return result;
}

static mc_result put_references(writer *self) {
    mc_reference_rows all = {0};
    if (mc_trace_get_step(self->trace, self->step)->directions == 0) return MC_OK;
    mc_result result = take_names(self);
    mc_text_clear(&self->before);
    mc_text_format(&self->before, "%" PRId64, mc_trace_get_step(self->trace, self->step)->time_ms);
    if (self->before.failed) result = mc_error_out_of_memory(self->error);
    if (result == MC_OK)
        result = mc_trace_read_references(self->trace, self->step, &all, self->error);
    if (result == MC_OK) result = put_pairs(self, &all);
    mc_reference_rows_deinit(&all);
    return result;
}

// ---- all steps

static mc_result write_all(const mc_row_desc *desc, mc_row_report *report, bool is_references,
                           mc_error *error) {
    writer self = {.desc = desc,
                   .layout = desc->layout,
                   .trace = desc->layout->trace,
                   .nodes = mc_trace_get_nodes(desc->layout->trace),
                   .report = report,
                   .error = error,
                   .separator = desc->form == MC_ROW_CSV ? ',' : '\t',
                   .null = mc_row_get_null(desc->form),
                   .null_size = strlen(mc_row_get_null(desc->form)),
                   .above = MC_NONE};
    *report = (mc_row_report){0};
    mc_result result = init(&self);
    if (result == MC_OK) result = put_header(&self, is_references);
    uint32_t count = mc_trace_get_step_count(self.trace);
    for (; self.step < count && result == MC_OK; self.step++) {
        result = is_references ? put_references(&self) : put_step(&self);
        if (result == MC_OK) result = ask(&self);
    }
    if (result == MC_OK) result = flush(&self);
    writer_deinit(&self);
    return result;
}

mc_result mc_rows_write(const mc_row_desc *desc, mc_row_report *report, mc_error *error) {
    return write_all(desc, report, false, error);
}

mc_result mc_rows_write_references(const mc_row_desc *desc, mc_row_report *report,
                                   mc_error *error) {
    return write_all(desc, report, true, error);
}
