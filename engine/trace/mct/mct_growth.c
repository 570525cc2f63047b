// The table that answers in SQL what grew: one row a node, with its values in the first and in the
// last step and its largest ones, as plain numbers.
#include "engine/base/memory.h"
#include "engine/trace/mct/mct_writer_state.h"
#include <string.h>

typedef struct growth_column {
    uint64_t *first, *last;             // values
    uint64_t *first_share, *last_share; // own shares
    uint64_t *max;                      // leaves: the largest; inner nodes: the sum of the leaves'
} growth_column;

typedef struct growth {
    const mc_mct_writer *writer;
    uint32_t node_count;
    growth_column metrics[2];
    uint8_t *has_children;
    uint32_t first_step, last_step; // builder's
    sqlite3_stmt *statement;
} growth;

static void growth_deinit(growth *self) {
    sqlite3_finalize(self->statement);
    mc_free(self->has_children);
    for (int metric = 0; metric < 2; metric++) {
        growth_column *m = &self->metrics[metric];
        mc_free(m->first);
        mc_free(m->last);
        mc_free(m->first_share);
        mc_free(m->last_share);
        mc_free(m->max);
    }
}

static mc_result allocate(growth *self, mc_error *error) {
    self->has_children = mc_alloc_zero(self->node_count, 1);
    bool is_fine = self->has_children != NULL;
    for (int metric = 0; metric < 2; metric++) {
        growth_column *m = &self->metrics[metric];
        uint64_t **columns[] = {&m->first, &m->last, &m->first_share, &m->last_share, &m->max};
        for (int i = 0; i < 5; i++) {
            *columns[i] = mc_alloc_zero(self->node_count, sizeof(uint64_t));
            is_fine = is_fine && *columns[i];
        }
    }
    return is_fine ? MC_OK : mc_error_out_of_memory(error);
}

static void find_steps(growth *self) {
    const mc_trace_builder *builder = self->writer->builder;
    for (uint32_t i = 1; i < builder->step_count; i++) {
        int64_t time_ms = builder->steps[i].info.time_ms;
        if (time_ms < builder->steps[self->first_step].info.time_ms) self->first_step = i;
        if (time_ms > builder->steps[self->last_step].info.time_ms) self->last_step = i;
    }
}

static mc_result read_columns(growth *self, mc_mct_writer *writer, mc_error *error) {
    const mc_trace_builder *builder = writer->builder;
    uint32_t *counts = mc_alloc(builder->step_count, sizeof *counts);
    if (!counts) return mc_error_out_of_memory(error);
    for (size_t i = 0; i < builder->step_count; i++)
        counts[i] = builder->steps[i].seen_count;
    mc_mct_column_reader reader = {.file = &writer->file,
                                   .codec = &writer->codec,
                                   .known_node_counts = counts,
                                   .node_count = (uint32_t)builder->node_count};
    mc_result result = MC_OK;
    for (int metric = 0; metric < 2 && result == MC_OK; metric++) {
        growth_column *m = &self->metrics[metric];
        result =
            mc_mct_read_column(&reader, self->first_step + 1, (mc_column)metric, m->first, error);
        if (result == MC_OK)
            result =
                mc_mct_read_column(&reader, self->last_step + 1, (mc_column)metric, m->last, error);
    }
    mc_mct_column_reader_deinit(&reader);
    mc_free(counts);
    return result;
}

// From the last node to the first, so that children come before their parents.
static void sum_up(growth *self) {
    const mc_seen_node *nodes = self->writer->builder->nodes;
    size_t size = self->node_count * sizeof(uint64_t);
    for (uint32_t node = 1; node < self->node_count; node++)
        self->has_children[nodes[node].parent] = 1;
    for (int metric = 0; metric < 2; metric++) {
        growth_column *m = &self->metrics[metric];
        memcpy(m->first_share, m->first, size);
        memcpy(m->last_share, m->last, size);
        memcpy(m->max, self->writer->metrics[metric].max, size);
        for (uint32_t node = self->node_count; node-- > 1;) {
            uint32_t parent = nodes[node].parent;
            uint64_t *share = &m->first_share[parent];
            *share = m->first[node] < *share ? *share - m->first[node] : 0;
            share = &m->last_share[parent];
            *share = m->last[node] < *share ? *share - m->last[node] : 0;
            m->max[parent] = mc_add_saturating(m->max[parent], m->max[node]);
        }
    }
}

static int64_t clamp(uint64_t value) {
    return value > MC_COUNT_MAX ? MC_COUNT_MAX : (int64_t)value;
}

// `is_share`: the row of the share of `node` that no child explains.
static mc_result insert(growth *self, uint32_t node, bool is_share, mc_error *error) {
    const mc_trace_builder *builder = self->writer->builder;
    const mc_seen_node *seen = &builder->nodes[node];
    sqlite3_stmt *statement = self->statement;
    size_t size;
    const char *name = mc_strings_get(&builder->strings, seen->name, &size);
    sqlite3_bind_int64(statement, 1, is_share ? -1 - (int64_t)node : (int64_t)node);
    if (is_share)
        sqlite3_bind_int64(statement, 2, node);
    else if (seen->parent != MC_NONE)
        sqlite3_bind_int64(statement, 2, seen->parent);
    else
        sqlite3_bind_null(statement, 2);
    sqlite3_bind_text64(statement, 3, name, size, SQLITE_STATIC, SQLITE_UTF8);
    if (seen->role != MC_NONE)
        sqlite3_bind_int64(statement, 4, seen->role);
    else
        sqlite3_bind_null(statement, 4);
    sqlite3_bind_int64(statement, 5, is_share || !self->has_children[node]);
    for (int i = 0; i < 2; i++) {
        int metric = i == 0 ? MC_METRIC_BYTES : MC_METRIC_OBJECTS;
        const growth_column *m = &self->metrics[metric];
        const uint64_t *max = is_share ? self->writer->metrics[metric].max : m->max;
        sqlite3_bind_int64(statement, 6 + 3 * i,
                           clamp((is_share ? m->first_share : m->first)[node]));
        sqlite3_bind_int64(statement, 7 + 3 * i, clamp((is_share ? m->last_share : m->last)[node]));
        sqlite3_bind_int64(statement, 8 + 3 * i, clamp(max[node]));
    }
    int code = sqlite3_step(statement);
    sqlite3_reset(statement);
    return code == SQLITE_DONE ? MC_OK : mc_mct_file_fail(&self->writer->file, code, error);
}

static mc_result write_state(growth *self, mc_mct_writer *writer, mc_error *error) {
    const mc_seen_step *steps = writer->builder->steps;
    sqlite3_finalize(self->statement);
    self->statement = NULL;
    int code =
        sqlite3_prepare_v2(writer->file.db, "INSERT OR REPLACE INTO node_state VALUES(1, ?, ?, ?)",
                           -1, &self->statement, NULL);
    if (code != SQLITE_OK) return mc_mct_file_fail(&writer->file, code, error);
    sqlite3_bind_int64(self->statement, 1, (int64_t)writer->builder->step_count);
    sqlite3_bind_int64(self->statement, 2, steps[self->first_step].info.time_ms);
    sqlite3_bind_int64(self->statement, 3, steps[self->last_step].info.time_ms);
    code = sqlite3_step(self->statement);
    return code == SQLITE_DONE ? MC_OK : mc_mct_file_fail(&writer->file, code, error);
}

static mc_result write_rows(growth *self, mc_mct_writer *writer, mc_error *error) {
    int code = sqlite3_prepare_v2(
        writer->file.db,
        "INSERT INTO node(id, parent, name, classifier, is_leaf, bytes_first, bytes_last, "
        "bytes_max, objects_first, objects_last, objects_max) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?)",
        -1, &self->statement, NULL);
    if (code != SQLITE_OK) return mc_mct_file_fail(&writer->file, code, error);
    mc_result result = MC_OK;
    // In the order of their keys: each row goes to the end of the table.
    for (uint32_t node = self->node_count; node-- > 0 && result == MC_OK;)
        if (self->has_children[node] && writer->is_own[node])
            result = insert(self, node, true, error);
    for (uint32_t node = 0; node < self->node_count && result == MC_OK; node++) {
        result = insert(self, node, false, error);
        if (result == MC_OK && (node + 1) % MC_BUILDER_ASK_COUNT == 0)
            result = mc_builder_ask(writer->builder, node, self->node_count, error);
    }
    return result == MC_OK ? write_state(self, writer, error) : result;
}

mc_result mc_mct_write_growth(mc_mct_writer *writer, mc_error *error) {
    growth self = {.writer = writer, .node_count = (uint32_t)writer->builder->node_count};
    find_steps(&self);
    mc_result result = allocate(&self, error);
    if (result == MC_OK) result = read_columns(&self, writer, error);
    if (result == MC_OK) sum_up(&self);
    if (result == MC_OK) result = mc_mct_file_run(&writer->file, "DELETE FROM node", error);
    if (result == MC_OK) result = write_rows(&self, writer, error);
    growth_deinit(&self);
    return result;
}
