#include "engine/trace/regroup/frame_cache.h"

#include "engine/base/memory.h"
#include "engine/trace/regroup/sliding_window.h"
#include <math.h>
#include <string.h>

#define KEPT_MOST ((size_t)256 << 20) // bytes of steps that were read

static uint32_t find_classifier(const mc_trace *base, const char *name) {
    for (uint32_t i = 0; i < base->classifier_count; i++)
        if (strcmp(mc_trace_get_classifier(base, i, NULL), name) == 0) return i;
    return MC_NONE;
}

// Threads of one name are one, as far as the input can tell.
static bool find_threads(mc_frame_cache *self, const mc_trace *base) {
    uint32_t role = find_classifier(base, mc_classifier_thread);
    uint32_t *number = mc_alloc_zero((size_t)base->strings.count + 1, sizeof *number);
    self->thread_name = mc_alloc((size_t)base->strings.count + 1, sizeof *self->thread_name);
    if (!number || !self->thread_name) {
        mc_free(number);
        return false;
    }
    self->thread_count = 1; // 0: not known
    self->thread_name[0] = MC_NONE;
    for (uint32_t node = 0; node < base->nodes.count; node++) {
        self->thread[node] = node == 0 ? 0 : self->thread[base->parent[node]];
        if (role == MC_NONE || base->role[node] != role || base->flags[node] & MC_NODE_SELF)
            continue;
        uint32_t *known = &number[base->name[node]];
        if (*known == 0) {
            self->thread_name[self->thread_count] = base->name[node];
            *known = self->thread_count++;
        }
        self->thread[node] = *known;
    }
    mc_free(number);
    return true;
}

// Thread by thread, in the order of their numbers.
static bool order_by_thread(mc_frame_cache *self, uint32_t count) {
    uint32_t *next = mc_alloc_zero((size_t)self->thread_count + 1, sizeof *next);
    if (!next) return false;
    for (uint32_t node = 0; node < count; node++)
        next[self->thread[node] + 1]++;
    for (uint32_t thread = 0; thread < self->thread_count; thread++)
        next[thread + 1] += next[thread];
    for (uint32_t node = 0; node < count; node++) {
        self->place[node] = next[self->thread[node]]++;
        self->by_thread[self->place[node]] = node;
    }
    mc_free(next);
    return true;
}

mc_result mc_frame_cache_create(const mc_trace *base, mc_metric time, mc_frame_cache **cache,
                                mc_error *error) {
    size_t count = base->nodes.count;
    mc_frame_cache *self = *cache = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    atomic_init(&self->holders, 1);
    self->time = time;
    self->has_mutex = pthread_mutex_init(&self->mutex, NULL) == 0;
    self->thread = mc_alloc(count, sizeof *self->thread);
    self->order = mc_alloc(count, sizeof *self->order);
    self->words = mc_alloc(count, sizeof *self->words);
    self->by_thread = mc_alloc(count, sizeof *self->by_thread);
    self->place = mc_alloc(count, sizeof *self->place);
    self->places = mc_alloc_zero(mc_bits_word_count(base->nodes.count), sizeof *self->places);
    bool fits = self->has_mutex && self->thread && self->order && self->words && self->by_thread &&
                self->place && self->places && find_threads(self, base) &&
                order_by_thread(self, base->nodes.count);
    if (fits) self->thread_sum = mc_alloc_zero(self->thread_count, sizeof *self->thread_sum);
    if (fits && self->thread_sum) return MC_OK;
    mc_frame_cache_release(self);
    *cache = NULL;
    return mc_error_out_of_memory(error);
}

mc_frame_cache *mc_frame_cache_hold(mc_frame_cache *cache) {
    atomic_fetch_add_explicit(&cache->holders, 1, memory_order_relaxed);
    return cache;
}

static void drop(mc_frame_cache *self, mc_sparse_step *step) {
    self->kept_size -= step->count * (sizeof *step->leaves + sizeof *step->values);
    mc_free(step->leaves);
    mc_free(step->values);
    *step = (mc_sparse_step){.is_read = false};
}

void mc_frame_cache_release(mc_frame_cache *self) {
    if (!self || atomic_fetch_sub_explicit(&self->holders, 1, memory_order_acq_rel) > 1) return;
    for (mc_metric metric = 0; metric < MC_METRIC_MOST; metric++) {
        mc_sparse_steps *steps = &self->steps[metric];
        for (size_t i = 0; i < steps->capacity; i++)
            drop(self, &steps->items[i]);
        mc_free(steps->items);
    }
    mc_free(self->thread);
    mc_free(self->thread_name);
    mc_free(self->thread_sum);
    mc_free(self->order);
    mc_free(self->words);
    mc_free(self->by_thread);
    mc_free(self->place);
    mc_free(self->places);
    mc_risen_frames_deinit(&self->risen);
    if (self->has_mutex) pthread_mutex_destroy(&self->mutex);
    mc_free(self);
}

static double find_busiest(mc_frame_cache *self, const mc_sparse_step *step) {
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

static mc_result read_step(mc_frame_cache *self, const mc_trace *base, uint32_t step_index,
                           mc_metric metric, mc_sparse_step *step, mc_error *error) {
    const mc_metric_info *info = &base->metrics.items[metric];
    mc_result result = base->source->read_column(base, step_index, metric, self->words, error);
    if (result != MC_OK) return result;
    uint32_t count = 0;
    for (uint32_t node = 0; node < base->nodes.count; node++)
        if (base->child_count[node] == 0 && self->words[node] != 0) self->order[count++] = node;
    *step = (mc_sparse_step){.count = count};
    step->leaves = mc_alloc((size_t)count + 1, sizeof *step->leaves);
    step->values = mc_alloc((size_t)count + 1, sizeof *step->values);
    if (!step->leaves || !step->values) {
        mc_free(step->leaves);
        mc_free(step->values);
        *step = (mc_sparse_step){.is_read = false};
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

static bool reserve(mc_sparse_steps *steps, size_t count) {
    size_t before = steps->capacity;
    if (count <= before) return true;
    if (!mc_reserve(&steps->items, &steps->capacity, count, sizeof *steps->items)) return false;
    memset(steps->items + before, 0, (steps->capacity - before) * sizeof *steps->items);
    return true;
}

mc_result mc_frame_cache_get(mc_frame_cache *self, const mc_trace *base, uint32_t step_index,
                             mc_metric metric, const mc_sparse_step **step, mc_error *error) {
    mc_sparse_steps *steps = &self->steps[metric];
    if (!reserve(steps, (size_t)step_index + 1)) return mc_error_out_of_memory(error);
    mc_sparse_step *found = &steps->items[step_index];
    *step = found;
    return found->is_read ? MC_OK : read_step(self, base, step_index, metric, found, error);
}

void mc_frame_cache_sort(mc_frame_cache *self, uint32_t *leaves, uint32_t count) {
    uint32_t first = UINT32_MAX, last = 0, sorted = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t place = self->place[leaves[i]], word = place / 64;
        mc_bits_set(self->places, place);
        first = word < first ? word : first;
        last = word > last ? word : last;
    }
    for (uint32_t word = first; count > 0 && word <= last; word++) {
        for (uint64_t bits = self->places[word]; bits; bits &= bits - 1)
            leaves[sorted++] = self->by_thread[word * 64 + (uint32_t)__builtin_ctzll(bits)];
        self->places[word] = 0;
    }
}

// Sums are added up in the order of leaves: where that is another one, they may differ.
static bool translate_leaves(const mc_trace *base, const mc_sparse_step *from, const uint32_t *map,
                             uint32_t *leaves) {
    bool is_fine = true;
    for (uint32_t i = 0; i < from->count && is_fine; i++) {
        leaves[i] = map[from->leaves[i]];
        is_fine = leaves[i] != MC_NONE && base->child_count[leaves[i]] == 0 &&
                  (i == 0 || leaves[i] > leaves[i - 1]);
    }
    return is_fine;
}

static void translate_step(mc_frame_cache *self, const mc_trace *base, const mc_sparse_step *from,
                           const uint32_t *map, mc_sparse_step *to) {
    *to = *from;
    to->leaves = mc_alloc((size_t)from->count + 1, sizeof *to->leaves);
    to->values = mc_alloc((size_t)from->count + 1, sizeof *to->values);
    self->kept_size += from->count * (sizeof *to->leaves + sizeof *to->values);
    if (!to->leaves || !to->values || !translate_leaves(base, from, map, to->leaves))
        drop(self, to);
    else
        memcpy(to->values, from->values, from->count * sizeof *to->values);
}

void mc_frame_cache_translate(mc_frame_cache *self, const mc_trace *base,
                              const mc_frame_cache *from, const uint32_t *map, uint32_t first) {
    if (self->time != from->time) return;
    for (mc_metric metric = 0; metric < base->metrics.count; metric++) {
        const mc_sparse_steps *steps = &from->steps[metric];
        if (!reserve(&self->steps[metric], steps->capacity)) return;
        for (size_t i = first; i < steps->capacity && self->kept_size < KEPT_MOST / 4; i++)
            if (steps->items[i].is_read)
                translate_step(self, base, &steps->items[i], map, &self->steps[metric].items[i]);
    }
}

void mc_frame_cache_make_room(mc_frame_cache *self, uint32_t first, uint32_t last) {
    if (self->kept_size < KEPT_MOST) return;
    for (mc_metric metric = 0; metric < MC_METRIC_MOST; metric++)
        for (size_t i = 0; i < self->steps[metric].capacity; i++)
            if (i < first || i > last) drop(self, &self->steps[metric].items[i]);
}
