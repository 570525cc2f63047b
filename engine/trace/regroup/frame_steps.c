#include "engine/trace/regroup/frame_steps.h"

#include "engine/base/memory.h"
#include "engine/trace/regroup/frame_cache.h"
#include "engine/trace/regroup/regroup_store.h"
#include "engine/trace/regroup/sliding_window.h"
#include <math.h>
#include <string.h>

#define FEW 16 // where fewer than one of so many nodes are asked for, others are left out

// The share of a step of the base that is in the frame.
typedef struct part {
    double share;      // of its values
    double busy_share; // likewise, of times, as long as a thread can have run
} part;

struct mc_frame {
    double ms;
    double length_ms; // of the frame that is looked at: `ms`, or what there is of the recording
    mc_metric elevation, threads, steady; // of the trace
    mc_metric base[MC_METRIC_MOST];       // by metric of the trace, the base's that is summed up
    mc_frame_cache *cache;                // whose mutex is held for what follows
    uint64_t owner;                       // of what is known in it
    mc_risen before;                      // of another frame
    // Of whole recordings: times up to a step, per leaf of the base, so that one step more costs no
    // more than in any frame. NULL: frames are shorter.
    double *whole_sum;
    uint32_t whole_last; // MC_NONE: nothing is summed up yet
    // Scratch: per leaf of the base that has one, per node.
    double *leaf_sum, *node_sum;
    uint32_t *order, *touched;
    // Per node, whether it or a group around it is asked for, so that other methods cost nothing.
    unsigned char *asked;
    bool is_asking; // else all are
};

static mc_frame *get_frame(const mc_trace *trace) {
    return mc_regroup_get_store(trace)->frame;
}

double mc_frame_get_ms(const mc_frame *frame) {
    return frame->ms;
}

// ---- beginning and end

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
    self->steady = add_metric(trace, mc_metric_steady, MC_UNIT_RATIO, true);
    if (self->elevation == MC_NONE || self->threads == MC_NONE || self->steady == MC_NONE)
        return false;
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

static double get_time(const mc_trace *base, uint32_t step_index) {
    return (double)base->steps[step_index].info.time_ms;
}

// What was read for a trace whose nodes have other numbers, as far as the last frames want it.
static void translate_cache(mc_frame *self, const mc_trace *base, const mc_regroup_store *from) {
    mc_error ignored = {0};
    uint32_t *map, first = from->base->step_count;
    if (mc_trace_map_nodes(from->base, base, &map, &ignored) != MC_OK) return; // of something else
    double begin = get_time(base, base->step_count - 1) - self->ms * MC_SLIDING_WINDOW_STEADY_COUNT;
    while (first > 0 && get_time(base, first - 1) > begin)
        first--;
    pthread_mutex_lock(&from->frame->cache->mutex);
    mc_frame_cache_translate(self->cache, base, from->frame->cache, map, first);
    pthread_mutex_unlock(&from->frame->cache->mutex);
    mc_free(map);
}

// What was read for the trace before, if that is of the same recording; and what is known of its
// frames, if they are as long and their nodes are the same.
static mc_result get_cache(mc_frame *self, const mc_trace *trace, const mc_trace *before,
                           mc_error *error) {
    const mc_regroup_store *store = mc_regroup_get_store(trace);
    const mc_regroup_store *from = before ? mc_regroup_get_store(before) : NULL;
    const mc_trace *base = store->base;
    bool goes_on =
        from && from->frame && (from->base == base || mc_trace_goes_on(from->base, base));
    if (!goes_on) {
        mc_result result = mc_frame_cache_create(base, mc_trace_find_metric(base, mc_metric_time),
                                                 &self->cache, error);
        if (result != MC_OK) return result;
        self->owner = mc_risen_frames_add_owner(&self->cache->risen);
        if (from && from->frame) translate_cache(self, base, from);
        return MC_OK;
    }
    self->cache = mc_frame_cache_hold(from->frame->cache);
    pthread_mutex_lock(&self->cache->mutex);
    self->owner = from->leaf == store->leaf && from->frame->ms == self->ms
                      ? from->frame->owner
                      : mc_risen_frames_add_owner(&self->cache->risen);
    pthread_mutex_unlock(&self->cache->mutex);
    return MC_OK;
}

mc_result mc_frame_create(mc_trace *trace, double frame_ms, const mc_trace *before,
                          mc_frame **frame, mc_error *error) {
    const mc_trace *base = mc_regroup_get_store(trace)->base;
    mc_frame *self = *frame = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    size_t base_count = base->nodes.count, count = trace->nodes.count;
    bool is_whole = frame_ms > MC_SLIDING_WINDOW_MOST_MS;
    self->ms = is_whole
                   ? MC_FRAME_WHOLE_MS
                   : fmin(fmax(frame_ms, MC_SLIDING_WINDOW_LEAST_MS), MC_SLIDING_WINDOW_MOST_MS);
    self->whole_last = MC_NONE;
    self->before.step = MC_NONE;
    mc_result result = get_cache(self, trace, before, error);
    if (result != MC_OK) return result;
    if (!add_metrics(self, trace, base)) return mc_error_out_of_memory(error);
    self->leaf_sum = mc_alloc_zero(base_count, sizeof *self->leaf_sum);
    self->node_sum = mc_alloc_zero(count, sizeof *self->node_sum);
    self->order = mc_alloc(base_count, sizeof *self->order);
    self->touched = mc_alloc(count, sizeof *self->touched);
    self->asked = mc_alloc(count, sizeof *self->asked);
    if (is_whole) self->whole_sum = mc_alloc_zero(base_count, sizeof *self->whole_sum);
    bool fits = (self->whole_sum || !is_whole) && self->leaf_sum && self->node_sum && self->order &&
                self->touched && self->asked;
    return fits ? MC_OK : mc_error_out_of_memory(error);
}

void mc_frame_destroy(mc_frame *self) {
    if (!self) return;
    mc_frame_cache_release(self->cache);
    mc_risen_deinit(&self->before);
    mc_free(self->whole_sum);
    mc_free(self->leaf_sum);
    mc_free(self->node_sum);
    mc_free(self->order);
    mc_free(self->touched);
    mc_free(self->asked);
    mc_free(self);
}

// ---- frames; the mutex is held

// When a step begins: where the one before ends. How long the first one lasted nobody says.
static mc_result find_begin(mc_frame *self, const mc_trace *base, uint32_t step_index,
                            double *begin, double *busiest, mc_error *error) {
    const mc_sparse_step *time;
    mc_result result =
        mc_frame_cache_get(self->cache, base, step_index, self->cache->time, &time, error);
    if (result != MC_OK) return result;
    *busiest = time->busiest;
    *begin = step_index > 0 ? get_time(base, step_index - 1)
                            : get_time(base, step_index) - time->busiest;
    return MC_OK;
}

// A step's part in the frame that ends at `end_ms`. Not *is_in: it lies before it.
static mc_result find_part(mc_frame *self, const mc_trace *base, uint32_t step_index, double end_ms,
                           part *found, bool *is_in, mc_error *error) {
    double end = get_time(base, step_index), from = end_ms - self->ms, begin, busiest;
    *is_in = end > from;
    if (!*is_in) return MC_OK;
    mc_result result = find_begin(self, base, step_index, &begin, &busiest, error);
    if (result != MC_OK) return result;
    double duration = end - begin, overlap = fmax(fmin(end, end_ms) - fmax(begin, from), 0);
    *found = (part){.share = 1, .busy_share = 1};
    if (!(duration > 0)) return MC_OK; // the first one, in which no thread ran
    found->share = overlap / duration;
    found->busy_share = overlap / fmax(duration, busiest);
    return MC_OK;
}

// What is looked for next is of `nodes` and what is in them alone.
static void begin_asking(mc_frame *self, const mc_trace *trace, const uint32_t *nodes,
                         uint32_t count) {
    memset(self->asked, 0, trace->nodes.count);
    for (uint32_t i = 0; i < count; i++)
        self->asked[nodes[i]] = 1;
    for (uint32_t node = 1; node < trace->nodes.count; node++) // parents come first
        self->asked[node] |= self->asked[trace->parent[node]];
    self->is_asking = true;
}

static bool is_asked(const mc_frame *self, const mc_regroup_store *store, uint32_t leaf) {
    return !self->is_asking || self->asked[store->leaf[leaf]];
}

// Adds up a metric over the frame that ends at `end_ms`, in step `last` or at its end, by leaf of
// the base, into leaf_sum; *count leaves, which are in `order`, have some. `is_busy`: as long as
// threads can have run.
static mc_result sum_frame(mc_frame *self, const mc_regroup_store *store, uint32_t last,
                           double end_ms, mc_metric metric, bool is_busy, uint32_t *count,
                           mc_error *error) {
    const mc_trace *base = store->base;
    *count = 0;
    for (uint32_t at = last;; at--) {
        part found = {.share = 0};
        bool is_in = false;
        const mc_sparse_step *step = NULL;
        mc_result result = find_part(self, base, at, end_ms, &found, &is_in, error);
        if (result == MC_OK && is_in)
            result = mc_frame_cache_get(self->cache, base, at, metric, &step, error);
        if (result != MC_OK) return result;
        double share = is_busy ? found.busy_share : found.share;
        for (uint32_t i = 0; is_in && share > 0 && i < step->count; i++) {
            if (!is_asked(self, store, step->leaves[i])) continue;
            double *sum = &self->leaf_sum[step->leaves[i]];
            if (*sum == 0) self->order[(*count)++] = step->leaves[i];
            *sum += step->values[i] * share;
        }
        if (is_in && at > 0) continue;
        mc_frame_cache_make_room(self->cache, at, last);
        return MC_OK;
    }
}

// Likewise of times, from the recording's beginning to a step's end.
static mc_result sum_whole(mc_frame *self, const mc_regroup_store *store, uint32_t last,
                           uint32_t *count, mc_error *error) {
    const mc_trace *base = store->base;
    uint32_t from =
        self->whole_last == MC_NONE || self->whole_last > last ? 0 : self->whole_last + 1;
    *count = 0;
    if (from == 0) memset(self->whole_sum, 0, base->nodes.count * sizeof *self->whole_sum);
    self->whole_last = MC_NONE; // where this fails
    for (uint32_t at = from; at <= last; at++) {
        part found = {.share = 0};
        bool is_in;
        const mc_sparse_step *step;
        mc_result result = find_part(self, base, at, get_time(base, last), &found, &is_in, error);
        if (result == MC_OK)
            result = mc_frame_cache_get(self->cache, base, at, self->cache->time, &step, error);
        if (result != MC_OK) return result;
        for (uint32_t i = 0; i < step->count; i++)
            self->whole_sum[step->leaves[i]] += step->values[i] * found.busy_share;
        mc_frame_cache_make_room(self->cache, at, last);
    }
    self->whole_last = last;
    for (uint32_t leaf = 0; leaf < base->nodes.count; leaf++) {
        if (!(self->whole_sum[leaf] > 0) || !is_asked(self, store, leaf)) continue;
        self->leaf_sum[leaf] = self->whole_sum[leaf];
        self->order[(*count)++] = leaf;
    }
    return MC_OK;
}

static void forget_sums(mc_frame *self, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        self->leaf_sum[self->order[i]] = 0;
}

// ---- elevation and threads; the mutex is held

// What one thread has in all groups around its leaves; each group's longest thread counts.
static void take_thread(mc_frame *self, const mc_trace *trace, const uint32_t *leaves,
                        uint32_t count, mc_risen *to) {
    const mc_regroup_store *store = mc_regroup_get_store(trace);
    uint32_t touched = 0;
    for (uint32_t i = 0; i < count; i++) {
        double time = self->leaf_sum[leaves[i]];
        for (uint32_t node = store->leaf[leaves[i]]; node != MC_NONE; node = trace->parent[node]) {
            if (self->node_sum[node] == 0) self->touched[touched++] = node;
            self->node_sum[node] += time;
        }
    }
    for (uint32_t i = 0; i < touched; i++) {
        uint32_t node = self->touched[i];
        double elevation = fmin(self->node_sum[node] / self->length_ms, 1); // what rounding leaves
        self->node_sum[node] = 0;
        if (to->threads[node]++ == 0) to->nodes[to->count++] = node;
        if (!(elevation > to->elevation[node])) continue;
        to->elevation[node] = elevation;
        to->longest[node] = self->cache->thread[leaves[0]];
    }
}

// In the frame that ends at `end_ms`, in step `last` or at its end; nobody did so far.
static mc_result rise(mc_frame *self, const mc_trace *trace, uint32_t last, double end_ms,
                      mc_risen *to, mc_error *error) {
    const uint32_t *thread = self->cache->thread;
    const mc_regroup_store *store = mc_regroup_get_store(trace);
    uint32_t count = 0, *order = self->order;
    double begin_ms = 0, busiest;
    mc_result result = find_begin(self, store->base, 0, &begin_ms, &busiest, error);
    self->length_ms = self->whole_sum ? fmax(end_ms - begin_ms, 1e-6) : self->ms;
    if (result == MC_OK)
        result = self->whole_sum
                     ? sum_whole(self, store, last, &count, error)
                     : sum_frame(self, store, last, end_ms, self->cache->time, true, &count, error);
    if (result == MC_OK) {
        mc_frame_cache_sort(self->cache, order, count);
        for (uint32_t begin = 0, end; begin < count; begin = end) {
            for (end = begin + 1; end < count && thread[order[end]] == thread[order[begin]];)
                end++;
            take_thread(self, trace, order + begin, end - begin, to);
        }
    }
    forget_sums(self, count);
    return result;
}

// In one that is not kept.
static mc_result rise_before(mc_frame *self, const mc_trace *trace, uint32_t last, double end_ms,
                             mc_error *error) {
    if (!mc_risen_clear(&self->before, trace->nodes.count)) return mc_error_out_of_memory(error);
    return rise(self, trace, last, end_ms, &self->before, error);
}

static mc_result rise_now(mc_frame *self, const mc_trace *trace, uint32_t step_index,
                          mc_risen **now, mc_error *error) {
    mc_risen_frames *frames = &self->cache->risen;
    *now = mc_risen_frames_find(frames, self->owner, step_index);
    if (*now) return MC_OK;
    *now = mc_risen_frames_begin(frames, self->owner, trace->nodes.count);
    if (!*now) return mc_error_out_of_memory(error);
    double end = get_time(mc_regroup_get_store(trace)->base, step_index);
    mc_result result = rise(self, trace, step_index, end, *now, error);
    if (result == MC_OK) (*now)->step = step_index;
    return result;
}

// A frame before another one.
typedef struct earlier {
    double begin_ms, end_ms; // of the recording; of the frame
    uint32_t last, number;   // the step that it ends in; how many frames it is before the first one
} earlier;

static mc_result find_first(mc_frame *self, const mc_trace *base, uint32_t step_index,
                            earlier *frame, mc_error *error) {
    double busiest;
    *frame = (earlier){.end_ms = get_time(base, step_index), .last = step_index};
    return find_begin(self, base, 0, &frame->begin_ms, &busiest, error);
}

// The one behind which `frame` lies. False: it counts no more, or would begin before the recording.
static bool go_back(const mc_frame *self, const mc_trace *base, earlier *frame) {
    frame->end_ms -= self->ms;
    if (++frame->number >= MC_SLIDING_WINDOW_STEADY_COUNT ||
        frame->end_ms - self->ms < frame->begin_ms)
        return false;
    while (frame->last > 0 && get_time(base, frame->last - 1) >= frame->end_ms)
        frame->last--;
    return true;
}

// The least elevation in the last frames, one behind another, as far as the recording goes back.
static mc_result settle(mc_frame *self, const mc_trace *trace, uint32_t step_index, mc_risen **now,
                        mc_error *error) {
    const mc_trace *base = mc_regroup_get_store(trace)->base;
    earlier frame;
    mc_result result = rise_now(self, trace, step_index, now, error);
    if (result != MC_OK || (*now)->has_least) return result;
    mc_risen *risen = *now;
    result = find_first(self, base, step_index, &frame, error);
    for (uint32_t i = 0; i < risen->count; i++)
        risen->least[risen->nodes[i]] = risen->elevation[risen->nodes[i]];
    while (result == MC_OK && go_back(self, base, &frame)) {
        result = rise_before(self, trace, frame.last, frame.end_ms, error);
        for (uint32_t i = 0; i < risen->count && result == MC_OK; i++) {
            double *least = &risen->least[risen->nodes[i]];
            *least = fmin(*least, self->before.elevation[risen->nodes[i]]);
        }
    }
    risen->has_least = result == MC_OK;
    return result;
}

// ---- of few nodes; the mutex is held

// Whether they are looked for by themselves: not where all are known, or are not much more.
static bool are_few(mc_frame *self, const mc_trace *trace, uint32_t step_index, mc_metric metric,
                    const uint32_t *nodes, uint32_t count) {
    const mc_risen *known = mc_risen_frames_find(&self->cache->risen, self->owner, step_index);
    bool is_known = known && (metric != self->steady || known->has_least);
    if (is_known || count > trace->nodes.count / FEW) return false;
    for (uint32_t i = 0; i < count; i++)
        if (nodes[i] == 0) return false;
    return true;
}

// The frame at a step's end, into `before`, of the nodes that are asked for.
static mc_result rise_few(mc_frame *self, const mc_trace *trace, uint32_t step_index,
                          const uint32_t *nodes, uint32_t count, mc_error *error) {
    double end_ms = get_time(mc_regroup_get_store(trace)->base, step_index);
    begin_asking(self, trace, nodes, count);
    mc_result result = rise_before(self, trace, step_index, end_ms, error);
    self->is_asking = false;
    return result;
}

// The least elevations, which are there in `values`, as numbers.
static mc_result settle_few(mc_frame *self, const mc_trace *trace, uint32_t step_index,
                            const uint32_t *nodes, uint32_t count, double *least, mc_error *error) {
    const mc_trace *base = mc_regroup_get_store(trace)->base;
    earlier frame;
    mc_result result = find_first(self, base, step_index, &frame, error);
    self->is_asking = true; // still for the same
    while (result == MC_OK && go_back(self, base, &frame)) {
        result = rise_before(self, trace, frame.last, frame.end_ms, error);
        for (uint32_t i = 0; i < count && result == MC_OK; i++)
            least[i] = fmin(least[i], self->before.elevation[nodes[i]]);
    }
    self->is_asking = false;
    return result;
}

static mc_result read_few(mc_frame *self, const mc_trace *trace, uint32_t step_index,
                          mc_metric metric, const uint32_t *nodes, uint32_t count, uint64_t *values,
                          mc_error *error) {
    double *elevations = mc_alloc((size_t)count + 1, sizeof *elevations);
    if (!elevations) return mc_error_out_of_memory(error);
    mc_result result = rise_few(self, trace, step_index, nodes, count, error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        elevations[i] = self->before.elevation[nodes[i]];
        values[i] = self->before.threads[nodes[i]];
    }
    if (result == MC_OK && metric == self->steady)
        result = settle_few(self, trace, step_index, nodes, count, elevations, error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        values[i] = 1 + (metric == self->threads ? values[i] : mc_metric_pack(elevations[i]));
    mc_free(elevations);
    return result;
}

// ---- sums; the mutex is held

// Of `nodes` alone, of which `values` are 0: what is not in one of them or below costs its depth.
static mc_result add_up(mc_frame *self, const mc_trace *trace, uint32_t step_index,
                        mc_metric metric, const uint32_t *nodes, uint32_t node_count,
                        uint64_t *values, mc_error *error) {
    const mc_regroup_store *store = mc_regroup_get_store(trace);
    const mc_metric_info *info = &trace->metrics.items[metric];
    uint32_t count, *place = nodes ? mc_alloc_zero(trace->nodes.count, sizeof *place) : NULL;
    if (nodes && !place) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; nodes && i < node_count; i++)
        place[nodes[i]] = i + 1; // of a node that is asked for twice, the last
    if (nodes) begin_asking(self, trace, nodes, node_count);
    mc_result result = sum_frame(self, store, step_index, get_time(store->base, step_index),
                                 self->base[metric], false, &count, error);
    self->is_asking = false;
    for (uint32_t i = 0; result == MC_OK && i < count; i++) {
        uint32_t leaf = self->order[i];
        double sum = self->leaf_sum[leaf];
        uint64_t word = info->is_real ? mc_metric_pack(sum) : (uint64_t)llround(fmin(sum, 9e18));
        for (uint32_t node = store->leaf[leaf]; node != MC_NONE; node = trace->parent[node]) {
            uint64_t *value = nodes ? place[node] ? &values[place[node] - 1] : NULL : &values[node];
            if (value) *value = mc_metric_add(info, *value, word);
        }
    }
    for (uint32_t i = 0; nodes && i < node_count; i++)
        values[i] = values[place[nodes[i]] - 1];
    forget_sums(self, count);
    mc_free(place);
    return result;
}

// ---- values, as they are stored

static uint64_t get_risen(const mc_frame *self, const mc_risen *now, mc_metric metric,
                          uint32_t node) {
    if (metric == self->threads) return 1 + now->threads[node];
    double value = metric == self->elevation ? now->elevation[node]
                   : now->threads[node] > 0  ? now->least[node]
                                             : 0;
    return 1 + mc_metric_pack(value);
}

static mc_result find_risen(mc_frame *self, const mc_trace *trace, uint32_t step_index,
                            mc_metric metric, mc_risen **now, mc_error *error) {
    return metric == self->steady ? settle(self, trace, step_index, now, error)
                                  : rise_now(self, trace, step_index, now, error);
}

mc_result mc_frame_read_column(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               uint64_t *values, mc_error *error) {
    mc_frame *self = get_frame(trace);
    bool is_summed = self->base[metric] != MC_NONE;
    mc_risen *now = NULL;
    if (is_summed) memset(values, 0, trace->nodes.count * sizeof *values);
    pthread_mutex_lock(&self->cache->mutex);
    mc_result result = is_summed ? add_up(self, trace, step_index, metric, NULL, 0, values, error)
                                 : find_risen(self, trace, step_index, metric, &now, error);
    for (uint32_t node = 0; node < trace->nodes.count && result == MC_OK && !is_summed; node++)
        values[node] = get_risen(self, now, metric, node);
    pthread_mutex_unlock(&self->cache->mutex);
    return result;
}

mc_result mc_frame_read_values(const mc_trace *trace, uint32_t step_index, mc_metric metric,
                               const uint32_t *nodes, uint32_t count, uint64_t *values,
                               mc_error *error) {
    mc_frame *self = get_frame(trace);
    bool is_summed = self->base[metric] != MC_NONE;
    mc_risen *now = NULL;
    memset(values, 0, count * sizeof *values);
    pthread_mutex_lock(&self->cache->mutex);
    bool is_found = is_summed || are_few(self, trace, step_index, metric, nodes, count);
    mc_result result =
        is_summed  ? add_up(self, trace, step_index, metric, nodes, count, values, error)
        : is_found ? read_few(self, trace, step_index, metric, nodes, count, values, error)
                   : find_risen(self, trace, step_index, metric, &now, error);
    for (uint32_t i = 0; i < count && result == MC_OK && !is_found; i++)
        values[i] = get_risen(self, now, metric, nodes[i]);
    pthread_mutex_unlock(&self->cache->mutex);
    return result;
}

static mc_result read_longest(const mc_trace *trace, uint32_t step_index, const uint32_t *nodes,
                              uint32_t count, uint32_t *names, mc_error *error) {
    mc_frame *self = get_frame(trace);
    mc_risen *now = NULL;
    pthread_mutex_lock(&self->cache->mutex);
    bool is_few = are_few(self, trace, step_index, self->elevation, nodes, count);
    mc_result result = is_few ? rise_few(self, trace, step_index, nodes, count, error)
                              : rise_now(self, trace, step_index, &now, error);
    const mc_risen *found = is_few ? &self->before : now;
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        names[i] = found->threads[nodes[i]] > 0 ? self->cache->thread_name[found->longest[nodes[i]]]
                                                : MC_NONE;
    pthread_mutex_unlock(&self->cache->mutex);
    return result;
}

mc_result mc_trace_read_longest_threads(const mc_trace *trace, uint32_t step_index,
                                        const uint32_t *nodes, uint32_t count, uint32_t *names,
                                        mc_error *error) {
    if (mc_regroup_get_store(trace))
        return read_longest(trace, step_index, nodes, count, names, error);
    for (uint32_t i = 0; i < count; i++)
        names[i] = MC_NONE;
    return MC_OK;
}
