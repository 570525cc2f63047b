#include "engine/trace/regroup/frame_steps.h"

#include "engine/base/memory.h"
#include "engine/trace/regroup/frame.h"
#include "engine/trace/regroup/regroup_store.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEPT_MOST ((size_t)256 << 20) // bytes of steps that were read

// What a step of the base has of a metric: the leaves with a value, by number.
typedef struct sparse {
    bool is_read;
    uint32_t count;
    uint32_t *leaves;
    double *values;
    double busiest; // of the time: what the thread has that has the most
} sparse;

// The share of a step of the base that is in the frame.
typedef struct part {
    double share;      // of its values
    double busy_share; // likewise, of times, as long as a thread can have run
} part;

struct mc_frame {
    double ms;
    mc_metric elevation, threads;   // of the trace
    mc_metric base[MC_METRIC_MOST]; // by metric of the trace, the base's that is summed up
    mc_metric time;                 // of the base
    uint32_t *thread;               // per node of the base; only of leaves
    uint32_t thread_count;

    pthread_mutex_t mutex; // of what follows
    bool has_mutex;
    sparse *steps[MC_METRIC_MOST]; // by metric of the base: one a step; NULL: none was read
    size_t kept_size;
    // Of step `done_step` (MC_NONE: none), per node.
    uint32_t done_step;
    double *elevation_now;
    uint32_t *threads_now;
    // Scratch: per leaf of the base that has one, per node, per thread.
    double *leaf_sum, *node_sum, *thread_sum;
    uint32_t *order, *touched;
    uint64_t *words;
};

static mc_frame *get_frame(const mc_trace *trace) {
    return mc_regroup_get_store(trace)->frame;
}

double mc_frame_get_ms(const mc_frame *frame) {
    return frame->ms;
}

// ---- beginning and end

static uint32_t find_classifier(const mc_trace *base, const char *name) {
    for (uint32_t i = 0; i < base->classifier_count; i++)
        if (strcmp(mc_trace_get_classifier(base, i, NULL), name) == 0) return i;
    return MC_NONE;
}

// Threads of one name are one, as far as the input can tell.
static bool find_threads(mc_frame *self, const mc_trace *base) {
    uint32_t role = find_classifier(base, mc_classifier_thread);
    uint32_t *number = mc_alloc_zero((size_t)base->strings.count + 1, sizeof *number);
    if (!number) return false;
    self->thread_count = 1; // 0: not known
    for (uint32_t node = 0; node < base->nodes.count; node++) {
        self->thread[node] = node == 0 ? 0 : self->thread[base->parent[node]];
        if (role == MC_NONE || base->role[node] != role || base->flags[node] & MC_NODE_SELF)
            continue;
        uint32_t *known = &number[base->name[node]];
        if (*known == 0) *known = self->thread_count++;
        self->thread[node] = *known;
    }
    mc_free(number);
    return true;
}

static mc_metric add_metric(mc_trace *trace, const char *key, mc_unit unit, bool is_real) {
    mc_metric_info info = {.key = key,
                           .title = key,
                           .key_size = strlen(key),
                           .title_size = strlen(key),
                           .unit = unit,
                           .kind = MC_METRIC_STOCK,
                           .is_real = is_real,
                           .says = MC_METRIC_SAYS_ALL};
    mc_metric metric = mc_metrics_add(&trace->metrics, &info);
    if (metric != MC_NONE && is_real)
        trace->metrics.items[metric].scale = mc_metric_choose_scale(1);
    return metric;
}

static bool add_metrics(mc_frame *self, mc_trace *trace, const mc_trace *base) {
    for (mc_metric i = 0; i < MC_METRIC_MOST; i++)
        self->base[i] = MC_NONE;
    self->elevation = add_metric(trace, mc_metric_elevation, MC_UNIT_RATIO, true);
    self->threads = add_metric(trace, mc_metric_threads, MC_UNIT_COUNT, false);
    if (self->elevation == MC_NONE || self->threads == MC_NONE) return false;
    for (mc_metric i = MC_METRIC_FIRST_OWN; i < base->metrics.count; i++) {
        mc_metric_info info = base->metrics.items[i];
        if (!info.is_additive || info.kind != MC_METRIC_FLOW ||
            trace->metrics.count == MC_METRIC_MOST)
            continue;
        info.kind = MC_METRIC_STOCK; // frames overlap: their sum would say nothing
        mc_metric added = mc_metrics_add(&trace->metrics, &info);
        if (added == MC_NONE) return false;
        // In a frame may be more than in a step.
        trace->metrics.items[added].scale = info.scale - (info.is_real ? 8 : 0);
        self->base[added] = i;
    }
    return true;
}

mc_result mc_frame_create(mc_trace *trace, double frame_ms, mc_frame **frame, mc_error *error) {
    const mc_trace *base = mc_regroup_get_store(trace)->base;
    mc_frame *self = *frame = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    size_t base_count = base->nodes.count, count = trace->nodes.count;
    self->ms = fmin(fmax(frame_ms, MC_FRAME_LEAST_MS), MC_FRAME_MOST_MS);
    self->time = mc_trace_find_metric(base, mc_metric_time);
    self->done_step = MC_NONE;
    self->thread = mc_alloc(base_count, sizeof *self->thread);
    if (!self->thread || !find_threads(self, base) || !add_metrics(self, trace, base))
        return mc_error_out_of_memory(error);
    self->elevation_now = mc_alloc_zero(count, sizeof *self->elevation_now);
    self->threads_now = mc_alloc_zero(count, sizeof *self->threads_now);
    self->leaf_sum = mc_alloc_zero(base_count, sizeof *self->leaf_sum);
    self->node_sum = mc_alloc_zero(count, sizeof *self->node_sum);
    self->thread_sum = mc_alloc_zero(self->thread_count, sizeof *self->thread_sum);
    self->order = mc_alloc(base_count, sizeof *self->order);
    self->touched = mc_alloc(count, sizeof *self->touched);
    self->words = mc_alloc(base_count, sizeof *self->words);
    self->has_mutex = pthread_mutex_init(&self->mutex, NULL) == 0;
    bool fits = self->elevation_now && self->threads_now && self->leaf_sum && self->node_sum &&
                self->thread_sum && self->order && self->touched && self->words && self->has_mutex;
    return fits ? MC_OK : mc_error_out_of_memory(error);
}

static void drop(mc_frame *self, sparse *step) {
    self->kept_size -= step->count * (sizeof *step->leaves + sizeof *step->values);
    mc_free(step->leaves);
    mc_free(step->values);
    *step = (sparse){.is_read = false};
}

void mc_frame_destroy(mc_frame *self) {
    if (!self) return;
    for (mc_metric metric = 0; metric < MC_METRIC_MOST; metric++) {
        sparse *steps = self->steps[metric];
        for (size_t i = 0; steps && steps[i].count != MC_NONE; i++)
            drop(self, &steps[i]);
        mc_free(steps);
    }
    mc_free(self->thread);
    mc_free(self->elevation_now);
    mc_free(self->threads_now);
    mc_free(self->leaf_sum);
    mc_free(self->node_sum);
    mc_free(self->thread_sum);
    mc_free(self->order);
    mc_free(self->touched);
    mc_free(self->words);
    if (self->has_mutex) pthread_mutex_destroy(&self->mutex);
    mc_free(self);
}

// ---- steps of the base; the mutex is held

static double find_busiest(mc_frame *self, const sparse *step) {
    double busiest = 0;
    for (uint32_t i = 0; i < step->count; i++) {
        double *sum = &self->thread_sum[self->thread[step->leaves[i]]];
        *sum += step->values[i];
        busiest = fmax(busiest, *sum);
    }
    for (uint32_t i = 0; i < step->count; i++)
        self->thread_sum[self->thread[step->leaves[i]]] = 0;
    return busiest;
}

static mc_result read_sparse(mc_frame *self, const mc_trace *base, uint32_t step_index,
                             mc_metric metric, sparse *step, mc_error *error) {
    const mc_metric_info *info = &base->metrics.items[metric];
    mc_result result = base->source->read_column(base, step_index, metric, self->words, error);
    if (result != MC_OK) return result;
    uint32_t count = 0;
    for (uint32_t node = 0; node < base->nodes.count; node++)
        if (base->child_count[node] == 0 && self->words[node] != 0) self->order[count++] = node;
    *step = (sparse){.count = count};
    step->leaves = mc_alloc((size_t)count + 1, sizeof *step->leaves);
    step->values = mc_alloc((size_t)count + 1, sizeof *step->values);
    if (!step->leaves || !step->values) {
        mc_free(step->leaves);
        mc_free(step->values);
        *step = (sparse){.is_read = false};
        return mc_error_out_of_memory(error);
    }
    for (uint32_t i = 0; i < count; i++) {
        step->leaves[i] = self->order[i];
        step->values[i] = mc_metric_get_number(info, self->words[self->order[i]]);
    }
    if (metric == self->time) step->busiest = find_busiest(self, step);
    step->is_read = true;
    self->kept_size += count * (sizeof *step->leaves + sizeof *step->values);
    return MC_OK;
}

// Those that are no longer near go where there are too many.
static void make_room(mc_frame *self, const mc_trace *base, uint32_t first, uint32_t last) {
    if (self->kept_size < KEPT_MOST) return;
    for (mc_metric metric = 0; metric < MC_METRIC_MOST; metric++)
        for (uint32_t i = 0; self->steps[metric] && i < base->step_count; i++)
            if (i < first || i > last) drop(self, &self->steps[metric][i]);
}

static mc_result get_sparse(mc_frame *self, const mc_trace *base, uint32_t step_index,
                            mc_metric metric, const sparse **step, mc_error *error) {
    sparse **steps = &self->steps[metric];
    if (!*steps) {
        *steps = mc_alloc_zero((size_t)base->step_count + 1, sizeof **steps);
        if (!*steps) return mc_error_out_of_memory(error);
        (*steps)[base->step_count].count = MC_NONE; // the end
    }
    *step = &(*steps)[step_index];
    if ((*step)->is_read) return MC_OK;
    return read_sparse(self, base, step_index, metric, &(*steps)[step_index], error);
}

// ---- frames; the mutex is held

// A step's part in the frame that ends at `end_ms`. Not *is_in: it lies before it.
static mc_result find_part(mc_frame *self, const mc_trace *base, uint32_t step_index, double end_ms,
                           part *found, bool *is_in, mc_error *error) {
    const sparse *time;
    double end = (double)base->steps[step_index].info.time_ms, from = end_ms - self->ms;
    *is_in = end > from;
    if (!*is_in) return MC_OK;
    mc_result result = get_sparse(self, base, step_index, self->time, &time, error);
    if (result != MC_OK) return result;
    double begin =
        step_index > 0 ? (double)base->steps[step_index - 1].info.time_ms : end - time->busiest;
    double duration = end - begin, overlap = end - fmax(begin, from);
    *found = (part){.share = 1, .busy_share = 1};
    if (!(duration > 0)) return MC_OK; // the first one, in which no thread ran
    found->share = overlap / duration;
    found->busy_share = overlap / fmax(duration, time->busiest);
    return MC_OK;
}

// Adds up a metric over the frame that ends at a step, by leaf of the base, into leaf_sum; *count
// leaves, which are in `order`, have some. `is_busy`: as long as threads can have run.
static mc_result sum_frame(mc_frame *self, const mc_trace *base, uint32_t step_index,
                           mc_metric metric, bool is_busy, uint32_t *count, mc_error *error) {
    double end = (double)base->steps[step_index].info.time_ms;
    *count = 0;
    // `order` is scratch of reading, too: what is read first stays.
    uint32_t first = step_index;
    for (bool is_in = true; is_in; first--) {
        part found;
        const sparse *step;
        mc_result result = find_part(self, base, first, end, &found, &is_in, error);
        if (result == MC_OK && is_in) result = get_sparse(self, base, first, metric, &step, error);
        if (result != MC_OK) return result;
        if (first == 0) break;
    }
    make_room(self, base, first, step_index);
    for (uint32_t at = step_index;; at--) {
        part found = {.share = 0};
        bool is_in = false;
        const sparse *step = NULL;
        mc_result result = find_part(self, base, at, end, &found, &is_in, error);
        if (result == MC_OK && is_in) result = get_sparse(self, base, at, metric, &step, error);
        if (result != MC_OK) return result;
        double share = is_busy ? found.busy_share : found.share;
        for (uint32_t i = 0; is_in && i < step->count; i++) {
            double *sum = &self->leaf_sum[step->leaves[i]];
            if (*sum == 0) self->order[(*count)++] = step->leaves[i];
            *sum += step->values[i] * share;
        }
        if (!is_in || at == 0) return MC_OK;
    }
}

static void forget_sums(mc_frame *self, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        self->leaf_sum[self->order[i]] = 0;
}

// ---- elevation and threads; the mutex is held

typedef struct by_thread {
    uint32_t thread, leaf;
} by_thread;

static int compare_threads(const void *a, const void *b) {
    const by_thread *x = a, *y = b;
    if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
    return x->leaf < y->leaf ? -1 : x->leaf > y->leaf;
}

// What one thread has in all groups around its leaves; each group's longest thread counts.
static void take_thread(mc_frame *self, const mc_trace *trace, const by_thread *rows,
                        uint32_t count) {
    const mc_regroup_store *store = mc_regroup_get_store(trace);
    uint32_t touched = 0;
    for (uint32_t i = 0; i < count; i++) {
        double time = self->leaf_sum[rows[i].leaf];
        for (uint32_t node = store->leaf[rows[i].leaf]; node != MC_NONE;
             node = trace->parent[node]) {
            if (self->node_sum[node] == 0) self->touched[touched++] = node;
            self->node_sum[node] += time;
        }
    }
    for (uint32_t i = 0; i < touched; i++) {
        uint32_t node = self->touched[i];
        double elevation = fmin(self->node_sum[node] / self->ms, 1); // what rounding leaves
        self->elevation_now[node] = fmax(self->elevation_now[node], elevation);
        self->threads_now[node]++;
        self->node_sum[node] = 0;
    }
}

static mc_result rise(mc_frame *self, const mc_trace *trace, uint32_t step_index, mc_error *error) {
    const mc_trace *base = mc_regroup_get_store(trace)->base;
    uint32_t count;
    if (self->done_step == step_index) return MC_OK;
    self->done_step = MC_NONE;
    mc_result result = sum_frame(self, base, step_index, self->time, true, &count, error);
    by_thread *rows = result == MC_OK ? mc_alloc((size_t)count + 1, sizeof *rows) : NULL;
    if (result == MC_OK && !rows) result = mc_error_out_of_memory(error);
    if (result == MC_OK) {
        memset(self->elevation_now, 0, trace->nodes.count * sizeof *self->elevation_now);
        memset(self->threads_now, 0, trace->nodes.count * sizeof *self->threads_now);
        for (uint32_t i = 0; i < count; i++)
            rows[i] = (by_thread){self->thread[self->order[i]], self->order[i]};
        qsort(rows, count, sizeof *rows, compare_threads);
        for (uint32_t begin = 0, end; begin < count; begin = end) {
            for (end = begin + 1; end < count && rows[end].thread == rows[begin].thread;)
                end++;
            take_thread(self, trace, rows + begin, end - begin);
        }
        self->done_step = step_index;
    }
    forget_sums(self, count);
    mc_free(rows);
    return result;
}

// ---- sums; the mutex is held

static mc_result add_up(mc_frame *self, const mc_trace *trace, uint32_t step_index,
                        mc_metric metric, uint64_t *values, mc_error *error) {
    const mc_regroup_store *store = mc_regroup_get_store(trace);
    const mc_metric_info *info = &trace->metrics.items[metric];
    uint32_t count;
    mc_result result =
        sum_frame(self, store->base, step_index, self->base[metric], false, &count, error);
    memset(values, 0, trace->nodes.count * sizeof *values);
    for (uint32_t i = 0; result == MC_OK && i < count; i++) {
        uint32_t leaf = self->order[i];
        double sum = self->leaf_sum[leaf];
        uint64_t word = info->is_real ? mc_metric_pack(sum) : (uint64_t)llround(fmin(sum, 9e18));
        uint64_t *value = &values[store->leaf[leaf]];
        *value = mc_metric_add(info, *value, word);
    }
    for (uint32_t node = trace->nodes.count; result == MC_OK && node-- > 1;) {
        uint64_t *above = &values[trace->parent[node]];
        *above = mc_metric_add(info, *above, values[node]);
    }
    forget_sums(self, count);
    return result;
}

// ---- values, as they are stored

static uint64_t get_risen(const mc_frame *self, mc_metric metric, uint32_t node) {
    return 1 + (metric == self->elevation ? mc_metric_pack(self->elevation_now[node])
                                          : self->threads_now[node]);
}

mc_result mc_frame_read_column(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               uint64_t *values, mc_error *error) {
    mc_frame *self = get_frame(trace);
    bool is_summed = self->base[metric] != MC_NONE;
    pthread_mutex_lock(&self->mutex);
    mc_result result = is_summed ? add_up(self, trace, step_index, metric, values, error)
                                 : rise(self, trace, step_index, error);
    for (uint32_t node = 0; node < trace->nodes.count && result == MC_OK && !is_summed; node++)
        values[node] = get_risen(self, metric, node);
    pthread_mutex_unlock(&self->mutex);
    return result;
}

mc_result mc_frame_read_values(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               const uint32_t *nodes, uint32_t count, uint64_t *values,
                               mc_error *error) {
    mc_frame *self = get_frame(trace);
    if (self->base[metric] != MC_NONE) {
        uint64_t *all = mc_alloc(trace->nodes.count, sizeof *all);
        if (!all) return mc_error_out_of_memory(error);
        mc_result result = mc_frame_read_column(trace, step_index, metric, all, error);
        for (uint32_t i = 0; i < count && result == MC_OK; i++)
            values[i] = all[nodes[i]];
        mc_free(all);
        return result;
    }
    pthread_mutex_lock(&self->mutex);
    mc_result result = rise(self, trace, step_index, error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        values[i] = get_risen(self, metric, nodes[i]);
    pthread_mutex_unlock(&self->mutex);
    return result;
}
