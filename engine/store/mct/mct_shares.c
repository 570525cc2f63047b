// What children do not explain of their parents' values, and how much that is at most in any step.
#include "engine/base/bits.h"
#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/store/mct/mct_writer_state.h"
#include <string.h>

// A step's values, as they are stored, in a metric's `shares`.
typedef struct step_values {
    uint32_t count;        // nodes that the step knows
    bool is_real;          // the values are
    const uint64_t *inner; // one bit a node; of metrics that are not additive
} step_values;

// They become own shares; the metric's largest value rises. By one thread at a time.
typedef struct share_task {
    mc_mct_writer *writer;
    mc_metric metric;
    step_values values;
    uint64_t *sums; // scratch
    uint64_t contradiction_count;
    uint32_t contradiction_node; // the first one
} share_task;

static void note_contradiction(share_task *self, uint32_t node, bool is_exceeded) {
    if (is_exceeded && self->contradiction_count++ == 0) self->contradiction_node = node;
}

// A node's own share: its value less those of its children, never less than 0.
static void compute_base_shares(share_task *self) {
    const mc_seen_node *nodes = self->writer->builder->nodes;
    uint64_t *restrict shares = self->writer->metrics[self->metric].shares;
    uint64_t *restrict sums = self->sums;
    uint32_t count = self->values.count;
    memset(sums, 0, count * sizeof *sums);
    for (uint32_t node = 1; node < count; node++)
        sums[nodes[node].parent] = mc_add_saturating(sums[nodes[node].parent], shares[node]);
    for (uint32_t node = 0; node < count; node++) {
        uint64_t children = sums[node];
        note_contradiction(self, node, children > shares[node]);
        shares[node] = children < shares[node] ? shares[node] - children : 0;
    }
}

// What is not said is the sum of the children, which come behind their parents.
static void compute_additive_shares(share_task *self) {
    const mc_seen_node *nodes = self->writer->builder->nodes;
    const mc_metric_info *info = &self->writer->builder->metrics.items[self->metric];
    mc_mct_metric *m = &self->writer->metrics[self->metric];
    uint64_t *sums = self->sums;
    memset(sums, 0, self->values.count * sizeof *sums);
    for (uint32_t node = self->values.count; node-- > 0;) {
        uint64_t value = m->shares[node] == MC_COUNT_UNKNOWN ? sums[node] : m->shares[node];
        uint32_t parent = nodes[node].parent;
        if (parent != MC_NONE) sums[parent] = mc_metric_add(info, sums[parent], value);
        if (value > m->largest) m->largest = value;
        note_contradiction(self, node, mc_metric_exceeds(info, sums[node], value));
        m->shares[node] = mc_metric_get_rest(info, value, sums[node]);
    }
}

static void compute_leaf_shares(const share_task *self) {
    mc_mct_metric *m = &self->writer->metrics[self->metric];
    for (uint32_t node = 0; node < self->values.count; node++) {
        uint64_t value = m->shares[node];
        if (value == MC_COUNT_UNKNOWN) value = 0;
        if (value > m->largest) m->largest = value;
        m->shares[node] = mc_bits_get(self->values.inner, node) ? 0 : value;
    }
}

static void compute_shares(share_task *self) {
    const mc_metric_info *info = &self->writer->builder->metrics.items[self->metric];
    uint64_t *shares = self->writer->metrics[self->metric].shares;
    if (self->metric < MC_METRIC_FIRST_OWN) {
        compute_base_shares(self);
        return;
    }
    for (uint32_t node = 0; node < self->values.count; node++) {
        shares[node]--; // 0 becomes MC_COUNT_UNKNOWN
        if (info->is_real && !self->values.is_real)
            shares[node] = mc_metric_make_real(shares[node]);
    }
    if (info->is_additive)
        compute_additive_shares(self);
    else
        compute_leaf_shares(self);
}

static void add_contradictions(const share_task *task) {
    mc_mct_writer *self = task->writer;
    if (self->contradiction_count == 0) self->contradiction_node = task->contradiction_node;
    self->contradiction_count += task->contradiction_count;
}

// Of the metrics that a step has, by two threads: there is scratch for as many.
typedef struct step_shares {
    const mc_seen_step *step;
    share_task tasks[MC_METRIC_MOST];
} step_shares;

static void run_share_task(void *user, uint32_t part, uint32_t thread) {
    step_shares *self = user;
    share_task *task = &self->tasks[part];
    mc_mct_writer *writer = task->writer;
    if (!(self->step->column_mask >> part & 1)) return;
    task->sums = thread == 0 ? writer->scratch : writer->values;
    mc_packed_column_unpack(&self->step->columns[part], writer->metrics[part].shares,
                            self->step->seen_count);
    compute_shares(task);
}

void mc_mct_writer_compute_shares(mc_mct_writer *writer, const mc_seen_step *step) {
    uint32_t count = writer->builder->metrics.count;
    step_shares self = {.step = step};
    for (mc_metric metric = 0; metric < count; metric++)
        self.tasks[metric] =
            (share_task){.writer = writer,
                         .metric = metric,
                         .values = {step->seen_count, step->real_mask >> metric & 1, step->inner}};
    bool is_large = mc_builder_choose_thread_count(step->seen_count) > 1;
    mc_parallel_run(count, is_large ? 2 : 1, run_share_task, &self);
    for (mc_metric metric = 0; metric < count; metric++)
        add_contradictions(&self.tasks[metric]);
}

void mc_mct_writer_take_shares(mc_mct_writer *self, uint64_t metrics, uint32_t count) {
    for (mc_metric metric = 0; metric < self->builder->metrics.count; metric++) {
        if (!(metrics >> metric & 1)) continue;
        uint64_t *restrict max = self->metrics[metric].max;
        const uint64_t *restrict shares = self->metrics[metric].shares;
        for (uint32_t node = 0; node < count; node++) {
            max[node] = shares[node] > max[node] ? shares[node] : max[node];
            self->is_own[node] |= shares[node] > 0;
        }
    }
}

// ---- steps that are in the file

mc_mct_step_columns *mc_mct_writer_list_columns(const mc_mct_writer *self) {
    const mc_trace_builder *builder = self->builder;
    mc_mct_step_columns *columns = mc_alloc(builder->step_count, sizeof *columns);
    for (size_t i = 0; columns && i < builder->step_count; i++)
        columns[i] = (mc_mct_step_columns){
            .known_node_count = builder->steps[i].seen_count,
            .column_mask = mc_mct_writer_get_kinds(self, builder->steps[i].column_mask),
            .real_mask = mc_mct_writer_get_kinds(self, builder->steps[i].real_mask)};
    return columns;
}

// Which nodes have children in a step's tree.
static mc_result read_inner(const mc_mct_writer *self, mc_mct_column_reader *reader, size_t step,
                            uint64_t *present, uint64_t *inner, mc_error *error) {
    const mc_seen_node *nodes = self->builder->nodes;
    uint32_t count = self->builder->steps[step].seen_count;
    mc_result result = mc_mct_read_present(reader, (int64_t)step + 1, present, error);
    memset(inner, 0, mc_bits_word_count(count) * sizeof *inner);
    for (uint32_t node = 1; node < count && result == MC_OK; node++)
        if (mc_bits_get(present, node)) mc_bits_set(inner, nodes[node].parent);
    return result;
}

static mc_result add_step_to_maxima(mc_mct_writer *self, mc_mct_column_reader *reader,
                                    uint64_t metrics, size_t step, const uint64_t *inner,
                                    mc_error *error) {
    const mc_seen_step *seen = &self->builder->steps[step];
    metrics &= seen->column_mask;
    for (mc_metric metric = 0; metric < self->builder->metrics.count; metric++) {
        if (!(metrics >> metric & 1)) continue;
        const mc_metric_info *info = &self->builder->metrics.items[metric];
        int kind = mc_mct_find_kind(self->file.version, info, metric);
        mc_result result = mc_mct_read_column(reader, (int64_t)step + 1, kind,
                                              self->metrics[metric].shares, error);
        if (result != MC_OK) return result;
        share_task task = {.writer = self,
                           .metric = metric,
                           .values = {seen->seen_count, seen->real_mask >> metric & 1, inner},
                           .sums = self->scratch};
        compute_shares(&task); // contradictions are told already
    }
    mc_mct_writer_take_shares(self, metrics, seen->seen_count);
    return MC_OK;
}

mc_result mc_mct_writer_add_to_maxima(mc_mct_writer *self, uint64_t metrics, size_t first_step,
                                      size_t end_step, mc_error *error) {
    uint32_t node_count = (uint32_t)self->builder->node_count;
    size_t words = mc_bits_word_count(node_count);
    bool needs_inner = metrics >> MC_METRIC_FIRST_OWN != 0;
    uint64_t *bits = mc_alloc(2 * words, sizeof *bits);
    mc_mct_step_columns *columns = mc_mct_writer_list_columns(self);
    mc_mct_column_reader reader = {.file = &self->file,
                                   .codec = &self->codec,
                                   .steps = columns,
                                   .metrics = &self->builder->metrics,
                                   .node_count = node_count};
    mc_result result = bits && columns ? MC_OK : mc_error_out_of_memory(error);
    for (size_t step = first_step; step < end_step && result == MC_OK; step++) {
        if (needs_inner) result = read_inner(self, &reader, step, bits, bits + words, error);
        if (result == MC_OK)
            result = add_step_to_maxima(self, &reader, metrics, step, bits + words, error);
    }
    mc_mct_column_reader_deinit(&reader);
    mc_free(columns);
    mc_free(bits);
    return result;
}
