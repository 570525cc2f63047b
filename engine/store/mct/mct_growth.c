// The tables that answer in SQL what grew: one row a node, with its values in the first and in the
// last step and its largest ones, as plain numbers; and which leaves grew the most.
#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/store/mct/mct_made_rows.h"
#include "engine/store/mct/mct_schema.h"
#include "engine/store/mct/mct_top.h"
#include "engine/store/mct/mct_writer_state.h"
#include <string.h>

// A metric's numbers, MC_COUNT_UNKNOWN where there are none. Shares are what children do not
// explain, as in mc_mct_metric.
typedef struct growth_column {
    uint64_t *first, *last;
    uint64_t *first_share, *last_share;
    uint64_t *max; // leaves: the largest; inner nodes: the sum of the leaves', if there is one
    uint64_t *sum; // of a flow over all steps; else NULL
    uint64_t *sum_share;
} growth_column;

// A node's row, or that of its share that no child explains.
typedef struct growth_row {
    uint32_t node;
    bool is_share;
} growth_row;

typedef struct growth growth;

struct growth {
    mc_mct_writer *writer;
    mc_mct_column_reader reader;
    uint32_t node_count;
    growth_column metrics[MC_METRIC_FIRST_OWN], own; // `own`: of one at a time
    uint64_t *base;                                  // the columns of `metrics`, in one block
    mc_mct_top tops[MC_METRIC_FIRST_OWN];
    uint8_t *has_children;
    bool has_shares;                // some node has a row of its share
    uint64_t *present, *inner;      // bits of a step
    uint32_t first_step, last_step; // builder's
    sqlite3_stmt *statement;
    mc_error *error;

    // rows that go to a table
    growth_row row;               // the one that is made
    uint32_t share_end;           // nodes below it may have a share that is still to come
    uint32_t next_node, end_node; // still to come behind the shares
    bool (*counts)(growth *self); // whether `row` goes to the table
    mc_metric metric;             // whose rows they are
};

#define COLUMN_COUNT 7
#define BASE_COUNT 5 // without sums

static uint64_t **get_column(growth_column *m, int index) {
    uint64_t **columns[COLUMN_COUNT] = {&m->first, &m->last, &m->first_share, &m->last_share,
                                        &m->max,   &m->sum,  &m->sum_share};
    return columns[index];
}

static void column_deinit(growth_column *m) {
    for (int i = 0; i < COLUMN_COUNT; i++)
        mc_free(*get_column(m, i));
    memset(m, 0, sizeof *m);
}

static void growth_deinit(growth *self) {
    sqlite3_finalize(self->statement);
    mc_free((mc_mct_step_columns *)self->reader.steps);
    mc_mct_column_reader_deinit(&self->reader);
    mc_free(self->has_children);
    mc_free(self->present);
    mc_free(self->inner);
    mc_free(self->base);
    column_deinit(&self->own);
}

// Without rows of shares, the first and the last values are all that is needed: where children
// explain all of their parents, these have no largest share in the writer's columns, which take the
// sums instead, as nobody needs them any more.
static mc_result allocate_base(growth *self) {
    size_t count = self->node_count;
    int column_count = self->has_shares ? BASE_COUNT : 2;
    self->base =
        mc_alloc_zero((size_t)(MC_METRIC_FIRST_OWN * column_count) * count, sizeof *self->base);
    if (!self->base) return mc_error_out_of_memory(self->error);
    for (int i = 0; i < MC_METRIC_FIRST_OWN * column_count; i++)
        *get_column(&self->metrics[i / column_count], i % column_count) =
            self->base + (size_t)i * count;
    for (int i = 0; i < MC_METRIC_FIRST_OWN && !self->has_shares; i++)
        self->metrics[i].max = self->writer->metrics[i].max;
    return MC_OK;
}

static mc_result allocate_column(growth *self, growth_column *m, bool is_flow) {
    for (int i = 0; i < (is_flow ? COLUMN_COUNT : BASE_COUNT); i++) {
        uint64_t **column = get_column(m, i);
        if (!*column) *column = mc_alloc_zero(self->node_count, sizeof **column);
        if (!*column) return mc_error_out_of_memory(self->error);
    }
    return MC_OK;
}

static bool has_share_row(const growth *self, uint32_t node) {
    return self->has_children[node] && self->writer->is_own[node];
}

static mc_result init(growth *self) {
    const mc_seen_node *nodes = self->writer->builder->nodes;
    size_t words = mc_bits_word_count(self->node_count);
    self->has_children = mc_alloc_zero(self->node_count, 1);
    self->present = mc_alloc(words, sizeof *self->present);
    self->inner = mc_alloc(words, sizeof *self->inner);
    self->reader = (mc_mct_column_reader){.file = &self->writer->file,
                                          .codec = &self->writer->codec,
                                          .steps = mc_mct_writer_list_columns(self->writer),
                                          .metrics = &self->writer->builder->metrics,
                                          .node_count = self->node_count};
    if (!self->has_children || !self->present || !self->inner || !self->reader.steps)
        return mc_error_out_of_memory(self->error);
    for (uint32_t node = 1; node < self->node_count; node++)
        self->has_children[nodes[node].parent] = 1;
    for (uint32_t node = 0; node < self->node_count && !self->has_shares; node++)
        self->has_shares = has_share_row(self, node);
    return MC_OK;
}

static void find_steps(growth *self) {
    const mc_trace_builder *builder = self->writer->builder;
    for (uint32_t i = 1; i < builder->step_count; i++) {
        int64_t time_ms = builder->steps[i].info.time_ms;
        if (time_ms < builder->steps[self->first_step].info.time_ms) self->first_step = i;
        if (time_ms > builder->steps[self->last_step].info.time_ms) self->last_step = i;
    }
}

// ---- objects and bytes

// What the writer kept of the step; NULL: it is to be read from the file.
static const mc_packed_column *get_kept(const growth *self, uint32_t step, mc_metric metric) {
    const mc_seen_step *seen = &self->writer->builder->steps[step];
    return metric < seen->column_count ? &seen->columns[metric] : NULL;
}

static mc_result read_base(growth *self) {
    mc_result result = allocate_base(self);
    for (mc_metric metric = 0; metric < MC_METRIC_FIRST_OWN && result == MC_OK; metric++) {
        const growth_column *m = &self->metrics[metric];
        if (!get_kept(self, self->first_step, metric))
            result = mc_mct_read_column(&self->reader, (int64_t)self->first_step + 1, (int)metric,
                                        m->first, self->error);
        if (result == MC_OK && !get_kept(self, self->last_step, metric))
            result = mc_mct_read_column(&self->reader, (int64_t)self->last_step + 1, (int)metric,
                                        m->last, self->error);
    }
    return result;
}

// From the last node to the first, so that children come before their parents.
static void sum_up(const growth *self, mc_metric metric) {
    const mc_seen_node *nodes = self->writer->builder->nodes;
    size_t size = self->node_count * sizeof(uint64_t);
    const growth_column *m = &self->metrics[metric];
    if (self->has_shares) memcpy(m->max, self->writer->metrics[metric].max, size);
    for (uint32_t node = self->node_count; node-- > 1;) {
        uint32_t parent = nodes[node].parent;
        m->max[parent] = mc_add_saturating(m->max[parent], m->max[node]);
    }
    if (!self->has_shares) return;
    memcpy(m->first_share, m->first, size);
    memcpy(m->last_share, m->last, size);
    for (uint32_t node = self->node_count; node-- > 1;) {
        uint32_t parent = nodes[node].parent;
        uint64_t *share = &m->first_share[parent];
        *share = m->first[node] < *share ? *share - m->first[node] : 0;
        share = &m->last_share[parent];
        *share = m->last[node] < *share ? *share - m->last[node] : 0;
    }
}

// ---- rows

// Objects and bytes are added up in 64 bits, of which SQL knows 63.
static int64_t clamp(uint64_t value) {
    return value > MC_COUNT_MAX ? MC_COUNT_MAX : (int64_t)value;
}

// The row of a node, or of its share that no child explains.
static int64_t get_row(uint32_t node, bool is_share) {
    return is_share ? -1 - (int64_t)node : (int64_t)node;
}

static mc_result step(growth *self) {
    int code = sqlite3_step(self->statement);
    sqlite3_reset(self->statement);
    return code == SQLITE_DONE ? MC_OK : mc_mct_file_fail(&self->writer->file, code, self->error);
}

static mc_result prepare(growth *self, const char *sql) {
    sqlite3_finalize(self->statement);
    self->statement = NULL;
    int code = sqlite3_prepare_v2(self->writer->file.db, sql, -1, &self->statement, NULL);
    return code == SQLITE_OK ? MC_OK : mc_mct_file_fail(&self->writer->file, code, self->error);
}

// Shares come first, from the last node on: in the order of their keys, so that each row goes to
// the end of the table.
static mc_result go_on(void *user, bool *is_there) {
    growth *self = user;
    *is_there = true;
    while (self->share_end > 0) {
        self->row = (growth_row){--self->share_end, true};
        if (has_share_row(self, self->row.node) && self->counts(self)) return MC_OK;
    }
    while (self->next_node < self->end_node) {
        uint32_t node = self->next_node++;
        self->row = (growth_row){node, false};
        mc_result result = MC_OK;
        if ((node + 1) % MC_BUILDER_ASK_COUNT == 0)
            result = mc_builder_ask(self->writer->builder, node, self->node_count, self->error);
        if (result != MC_OK || self->counts(self)) return result;
    }
    *is_there = false;
    return MC_OK;
}

static bool counts_always(growth *self) {
    (void)self;
    return true;
}

static void put_base_value(const growth *self, sqlite3_context *context, int metric, int which) {
    const growth_column *m = &self->metrics[metric];
    uint32_t node = self->row.node;
    bool is_share = self->row.is_share;
    const uint64_t *values = which == 0   ? (is_share ? m->first_share : m->first)
                             : which == 1 ? (is_share ? m->last_share : m->last)
                                          : (is_share ? self->writer->metrics[metric].max : m->max);
    sqlite3_result_int64(context, clamp(values[node]));
}

static void put_index(sqlite3_context *context, uint32_t index) {
    if (index != MC_NONE) sqlite3_result_int64(context, index);
}

static void put_base(void *user, sqlite3_context *context, int column) {
    const growth *self = user;
    const mc_trace_builder *builder = self->writer->builder;
    uint32_t node = self->row.node;
    const mc_seen_node *seen = &builder->nodes[node];
    const char *name;
    size_t size;
    switch (column) {
    case 0: sqlite3_result_int64(context, get_row(node, self->row.is_share)); return;
    case 1: put_index(context, self->row.is_share ? node : seen->parent); return;
    case 2:
        name = mc_strings_get(&builder->strings, seen->name, &size);
        sqlite3_result_text64(context, name, size, SQLITE_STATIC, SQLITE_UTF8);
        return;
    case 3: put_index(context, seen->role); return;
    case 4: sqlite3_result_int64(context, self->row.is_share || !self->has_children[node]); return;
    default:
        put_base_value(self, context, column < 8 ? MC_METRIC_BYTES : MC_METRIC_OBJECTS,
                       (column - 5) % 3);
    }
}

#define BASE_COLUMNS                                                                         \
    "parent, name, classifier, is_leaf, bytes_first, bytes_last, bytes_max, objects_first, " \
    "objects_last, objects_max"
#define BASE_VALUES "c1, c2, c3, c4, c5, c6, c7, c8, c9, c10"

// The table of a file that was created now is filled as one without constraints, types and computed
// columns, all of which SQLite would go through for each row; these are declared afterwards. Both
// have the same content: where a column is the key, records hold NULL in its place
// (https://sqlite.org/fileformat2.html, "Representation Of SQL Tables").
static mc_result begin_table(growth *self) {
    mc_mct_file *file = &self->writer->file;
    if (!file->is_created) return mc_mct_file_run(file, "DELETE FROM node", self->error);
    return mc_mct_file_run(file, "DROP TABLE node; CREATE TABLE node(id, " BASE_COLUMNS ")",
                           self->error);
}

static mc_result declare_table(growth *self) {
    mc_mct_file *file = &self->writer->file;
    sqlite3_db_config(file->db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    mc_result result = mc_mct_file_run(file, "PRAGMA writable_schema = ON", self->error);
    if (result == MC_OK)
        result = prepare(self, "UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = "
                               "'node'");
    if (result != MC_OK) return result;
    sqlite3_bind_text(self->statement, 1, mc_mct_node_table, -1, SQLITE_STATIC);
    result = step(self);
    mc_result end_result = mc_mct_file_run(file, "PRAGMA writable_schema = RESET", self->error);
    return result == MC_OK ? end_result : result;
}

// Behind the root's row, whose key is 0, the others get the keys that come next by themselves,
// which spares a look for each of them; that columns are named in their order spares a copy.
static mc_result put_base_rows(growth *self) {
    const mc_mct_made_rows rows = {self, go_on, put_base};
    mc_mct_file *file = &self->writer->file;
    self->counts = counts_always;
    self->share_end = self->node_count;
    self->next_node = 0;
    self->end_node = 1;
    const char *first = file->is_created ? "INSERT INTO node(rowid, " BASE_COLUMNS
                                           ") SELECT c0, " BASE_VALUES " FROM " MC_MCT_MADE_ROWS
                                         : "INSERT INTO node(id, " BASE_COLUMNS
                                           ") SELECT c0, " BASE_VALUES " FROM " MC_MCT_MADE_ROWS;
    mc_result result = mc_mct_file_run_made(file, &rows, first, self->error);
    self->end_node = self->node_count;
    if (result == MC_OK)
        result = mc_mct_file_run_made(file, &rows,
                                      "INSERT INTO node(id, " BASE_COLUMNS
                                      ") SELECT NULL, " BASE_VALUES " FROM " MC_MCT_MADE_ROWS,
                                      self->error);
    // A file that goes on may have come with another table of that name.
    if (result == MC_OK && sqlite3_last_insert_rowid(file->db) + 1 != self->node_count)
        result = mc_fail(self->error, MC_ERROR_BAD_DATA,
                         "%s: damaged: its table of nodes is not as it should be", file->path);
    return result;
}

static mc_result write_state(growth *self) {
    const mc_seen_step *steps = self->writer->builder->steps;
    mc_result result = prepare(self, "INSERT OR REPLACE INTO node_state VALUES(1, ?, ?, ?)");
    if (result != MC_OK) return result;
    sqlite3_bind_int64(self->statement, 1, (int64_t)self->writer->builder->step_count);
    sqlite3_bind_int64(self->statement, 2, steps[self->first_step].info.time_ms);
    sqlite3_bind_int64(self->statement, 3, steps[self->last_step].info.time_ms);
    return step(self);
}

static void offer(const growth *self, const growth_column *m, const mc_metric_info *info,
                  const uint64_t *own_max, mc_mct_top *top) {
    for (uint32_t node = 0; node < self->node_count; node++) {
        if (has_share_row(self, node))
            mc_mct_top_offer(top, info, get_row(node, true), m->first_share[node],
                             m->last_share[node], own_max[node]);
        if (!self->has_children[node])
            mc_mct_top_offer(top, info, get_row(node, false), m->first[node], m->last[node],
                             m->max[node]);
    }
}

// All of a metric that needs nothing of the file, which is one thread's at a time.
static void complete_base(void *user, uint32_t part, uint32_t thread) {
    growth *self = user;
    (void)thread;
    const growth_column *m = &self->metrics[part];
    const mc_packed_column *first = get_kept(self, self->first_step, part);
    const mc_packed_column *last = get_kept(self, self->last_step, part);
    if (first) mc_packed_column_unpack(first, m->first, self->node_count);
    if (last) mc_packed_column_unpack(last, m->last, self->node_count);
    sum_up(self, part);
    offer(self, m, &self->writer->builder->metrics.items[part], self->writer->metrics[part].max,
          &self->tops[part]);
}

static mc_result write_base(growth *self) {
    mc_result result = read_base(self);
    if (result != MC_OK) return result;
    mc_parallel_run(MC_METRIC_FIRST_OWN, mc_builder_choose_thread_count(self->node_count),
                    complete_base, self);
    result = begin_table(self);
    if (result == MC_OK) result = put_base_rows(self);
    if (result == MC_OK && self->writer->file.is_created) result = declare_table(self);
    return result == MC_OK ? write_state(self) : result;
}

// ---- the trace's own metrics

static mc_result read_inner(growth *self, uint32_t step_index) {
    const mc_seen_node *nodes = self->writer->builder->nodes;
    uint32_t count = self->writer->builder->steps[step_index].seen_count;
    memset(self->inner, 0, mc_bits_word_count(self->node_count) * sizeof *self->inner);
    mc_result result =
        mc_mct_read_present(&self->reader, (int64_t)step_index + 1, self->present, self->error);
    for (uint32_t node = 1; node < count && result == MC_OK; node++)
        if (mc_bits_get(self->present, node)) mc_bits_set(self->inner, nodes[node].parent);
    return result;
}

// From what is said to all values and shares, as mc_trace_complete_column(); `shares` is scratch
// first.
static void complete(const growth *self, const mc_metric_info *info, uint64_t *values,
                     uint64_t *shares) {
    const mc_seen_node *nodes = self->writer->builder->nodes;
    uint32_t count = self->node_count;
    if (!info->is_additive) {
        for (uint32_t node = 0; node < count; node++)
            shares[node] = mc_bits_get(self->inner, node) ? MC_COUNT_UNKNOWN : values[node];
        return;
    }
    memset(shares, 0, count * sizeof *shares); // sums
    for (uint32_t node = count; node-- > 0;) {
        uint32_t parent = nodes[node].parent;
        if (values[node] == MC_COUNT_UNKNOWN) values[node] = shares[node];
        if (parent != MC_NONE) shares[parent] = mc_metric_add(info, shares[parent], values[node]);
        shares[node] = mc_metric_get_rest(info, values[node], shares[node]);
    }
}

static mc_result read_own(growth *self, mc_metric metric, uint32_t step_index, uint64_t *values,
                          uint64_t *shares) {
    const mc_metric_info *info = &self->writer->builder->metrics.items[metric];
    const mc_seen_step *seen = &self->writer->builder->steps[step_index];
    uint32_t count = seen->column_mask >> metric & 1 ? seen->seen_count : 0;
    mc_result result = count == 0 ? MC_OK
                                  : mc_mct_read_column(&self->reader, (int64_t)step_index + 1,
                                                       (int)metric, values, self->error);
    for (uint32_t node = 0; node < self->node_count && result == MC_OK; node++) {
        values[node] = node < count ? values[node] - 1 : MC_COUNT_UNKNOWN;
        if (info->is_real && !(seen->real_mask >> metric & 1))
            values[node] = mc_metric_make_real(values[node]);
    }
    if (result == MC_OK && !info->is_additive) result = read_inner(self, step_index);
    if (result == MC_OK) complete(self, info, values, shares);
    return result;
}

static void add_to_sums(const growth *self, const mc_metric_info *info, const uint64_t *values,
                        uint64_t *sums) {
    for (uint32_t node = 0; node < self->node_count; node++)
        if (values[node] != MC_COUNT_UNKNOWN)
            sums[node] = mc_metric_add(info, sums[node], values[node]);
}

static mc_result read_sums(growth *self, mc_metric metric) {
    const mc_metric_info *info = &self->writer->builder->metrics.items[metric];
    growth_column *m = &self->own;
    size_t size = self->node_count * sizeof *m->sum;
    mc_result result = MC_OK;
    memset(m->sum, 0, size);
    memset(m->sum_share, 0, size);
    // The places of the last step's values serve all steps; they are read again below.
    for (uint32_t i = 0; i < self->writer->builder->step_count && result == MC_OK; i++) {
        result = read_own(self, metric, i, m->last, m->last_share);
        if (result != MC_OK) break;
        add_to_sums(self, info, m->last, m->sum);
        add_to_sums(self, info, m->last_share, m->sum_share);
    }
    return result;
}

// What is largest: of inner nodes there is only a sum of it, if that means anything.
static void sum_up_maxima(growth *self, mc_metric metric) {
    const mc_seen_node *nodes = self->writer->builder->nodes;
    const mc_metric_info *info = &self->writer->builder->metrics.items[metric];
    uint64_t *max = self->own.max;
    memcpy(max, self->writer->metrics[metric].max, self->node_count * sizeof *max);
    for (uint32_t node = self->node_count; node-- > 1 && info->is_additive;)
        max[nodes[node].parent] = mc_metric_add(info, max[nodes[node].parent], max[node]);
}

static void put_value(sqlite3_context *context, const mc_metric_info *info, uint64_t value) {
    if (value == MC_COUNT_UNKNOWN) return;
    if (info->is_real)
        sqlite3_result_double(context, mc_metric_unpack(value));
    else
        sqlite3_result_int64(context, (int64_t)value);
}

static bool says_anything(uint64_t value) {
    return value != 0 && value != MC_COUNT_UNKNOWN;
}

// What a row says: the first value, the last, the largest and the sum.
static void get_own(const growth *self, growth_row row, uint64_t values[4]) {
    const growth_column *m = &self->own;
    uint32_t node = row.node;
    values[0] = (row.is_share ? m->first_share : m->first)[node];
    values[1] = (row.is_share ? m->last_share : m->last)[node];
    values[2] = (row.is_share ? self->writer->metrics[self->metric].max : m->max)[node];
    values[3] = m->sum ? (row.is_share ? m->sum_share : m->sum)[node] : MC_COUNT_UNKNOWN;
}

static void put_own(void *user, sqlite3_context *context, int column) {
    const growth *self = user;
    const mc_metric_info *info = &self->writer->builder->metrics.items[self->metric];
    uint64_t values[4];
    if (column == 0) {
        sqlite3_result_int64(context, self->metric);
    } else if (column == 1) {
        sqlite3_result_int64(context, get_row(self->row.node, self->row.is_share));
    } else {
        get_own(self, self->row, values);
        if (!info->is_additive && self->has_children[self->row.node] && !self->row.is_share)
            values[2] = MC_COUNT_UNKNOWN;
        put_value(context, info, values[column - 2]);
    }
}

static bool counts_own(growth *self) {
    uint64_t values[4];
    get_own(self, self->row, values);
    return says_anything(values[0]) || says_anything(values[1]) || says_anything(values[2]);
}

static mc_result write_own(growth *self, mc_metric metric) {
    const mc_metric_info *info = &self->writer->builder->metrics.items[metric];
    bool is_flow = info->kind == MC_METRIC_FLOW;
    growth_column *m = &self->own;
    if (!is_flow) {
        mc_free(m->sum);
        mc_free(m->sum_share);
        m->sum = m->sum_share = NULL;
    }
    mc_result result = allocate_column(self, m, is_flow);
    if (result == MC_OK && is_flow) result = read_sums(self, metric);
    if (result == MC_OK)
        result = read_own(self, metric, self->first_step, m->first, m->first_share);
    if (result == MC_OK) result = read_own(self, metric, self->last_step, m->last, m->last_share);
    if (result != MC_OK) return result;
    sum_up_maxima(self, metric);
    self->metric = metric;
    self->counts = counts_own;
    self->share_end = self->end_node = self->node_count;
    self->next_node = 0;
    const mc_mct_made_rows rows = {self, go_on, put_own};
    return mc_mct_file_run_made(&self->writer->file, &rows,
                                "INSERT INTO node_metric(metric, node, first, last, max, sum) "
                                "SELECT c0, c1, c2, c3, c4, c5 FROM " MC_MCT_MADE_ROWS,
                                self->error);
}

// ---- what grew the most

static mc_result write_top(growth *self, mc_metric metric, mc_mct_top *top) {
    mc_mct_top_sort(top);
    mc_result result = prepare(self, "INSERT INTO top(metric, rank, node) VALUES(?, ?, ?)");
    for (uint32_t i = 0; i < top->count && result == MC_OK; i++) {
        sqlite3_bind_int64(self->statement, 1, metric);
        sqlite3_bind_int64(self->statement, 2, (int64_t)i + 1);
        sqlite3_bind_int64(self->statement, 3, top->items[i].row);
        result = step(self);
    }
    return result;
}

static mc_result write_own_top(growth *self, mc_metric metric) {
    mc_mct_top top = {.count = 0};
    offer(self, &self->own, &self->writer->builder->metrics.items[metric],
          self->writer->metrics[metric].max, &top);
    return write_top(self, metric, &top);
}

static mc_result write_more(growth *self) {
    mc_result result = mc_mct_file_run(&self->writer->file,
                                       "DELETE FROM node_metric; DELETE FROM top", self->error);
    for (mc_metric metric = 0; metric < MC_METRIC_FIRST_OWN && result == MC_OK; metric++)
        result = write_top(self, metric, &self->tops[metric]);
    for (mc_metric metric = MC_METRIC_FIRST_OWN;
         metric < self->writer->builder->metrics.count && result == MC_OK; metric++) {
        result = write_own(self, metric);
        if (result == MC_OK) result = write_own_top(self, metric);
    }
    return result;
}

mc_result mc_mct_write_growth(mc_mct_writer *writer, mc_error *error) {
    growth self = {
        .writer = writer, .node_count = (uint32_t)writer->builder->node_count, .error = error};
    find_steps(&self);
    mc_result result = init(&self);
    if (result == MC_OK) result = write_base(&self);
    if (result == MC_OK && writer->file.version > 1) result = write_more(&self);
    if (result == MC_OK &&
        (writer->file.has_referrers || writer->file.has_paths || writer->file.has_owners))
        result = mc_mct_write_side_answers(writer, self.first_step, self.last_step,
                                           self.has_children, error);
    growth_deinit(&self);
    return result;
}
