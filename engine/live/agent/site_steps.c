#include "engine/live/agent/site_steps.h"

#include "engine/base/memory.h"
#include "engine/live/agent/site_groups.h"
#include <math.h>
#include <string.h>

#define ROWS_MOST (1u << 24)
#define SUM_MOST (INT64_C(1) << 62)
#define YEAR_9999_MS INT64_C(253402300800000)

// Of a class, a stack and a thread.
typedef struct site_row {
    int64_t objects, bytes, allocated; // allocated: since the last step
    double variance;
    int64_t fresh_objects, fresh_bytes; // of those, what no collection has looked at yet
    double fresh_variance;
    uint32_t collection; // how many there were when that was counted
    uint32_t leaf;
} site_row;

typedef struct site_sum {
    uint64_t objects, bytes, allocated;
    double variance;
    uint32_t node; // in the step's tree; MC_NONE: it is not there
} site_sum;

struct mc_site_steps {
    mc_site_desc desc;
    char *domains;
    mc_site_groups groups;
    mc_strings known; // class, stack and thread of each row, as bytes
    site_row *rows;
    size_t row_capacity;
    site_sum *sums; // one a group, while a step is made
    size_t sum_capacity;
    int64_t wall_ms;     // of HELLO
    uint64_t hello_ns;   // likewise
    uint64_t batch_ns;   // of the batch that was taken last
    uint64_t step_ns;    // and of that of the last step
    int64_t last_ms;     // of the last step; INT64_MIN: there is none
    uint32_t collection; // how many there were
    bool tells_whole;    // which of them were of the whole heap
    bool is_live;        // what there is has just outlived one
    bool is_wanted;      // a step of what is there, as soon as it is whole
    bool has_rest;       // a batch that no step has yet
    bool has_change;     // with rows
    bool is_exact;       // nothing was ever sampled
};

mc_result mc_site_steps_create(const mc_site_desc *desc, mc_site_steps **steps, mc_error *error) {
    mc_site_steps *self = *steps = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->desc = *desc;
    self->last_ms = INT64_MIN;
    self->is_wanted = self->is_exact = true;
    if (desc->domains) self->domains = mc_copy_string(desc->domains);
    if (!desc->domains || self->domains) return MC_OK;
    mc_site_steps_destroy(self);
    *steps = NULL;
    return mc_error_out_of_memory(error);
}

void mc_site_steps_destroy(mc_site_steps *steps) {
    if (!steps) return;
    mc_free(steps->domains);
    mc_site_groups_deinit(&steps->groups);
    mc_strings_deinit(&steps->known);
    mc_free(steps->rows);
    mc_free(steps->sums);
    mc_free(steps);
}

// ---- what comes

bool mc_site_steps_is_due(const mc_site_steps *steps, const mc_agent_event *event) {
    return steps->is_wanted && steps->has_rest && event->type == MC_AGENT_ALLOC &&
           event->to_ns > steps->batch_ns;
}

bool mc_site_steps_has_rest(const mc_site_steps *steps) {
    return steps->has_change;
}

static mc_result fail(const mc_agent_event *event, mc_error *error, const char *message) {
    return mc_error_set(error, MC_ERROR_BAD_DATA, event->offset, "%s", message);
}

static site_row *find_row(mc_site_steps *self, const mc_agent_alloc *row) {
    uint32_t key[3] = {row->class_number, row->stack, row->thread}, before = self->known.count;
    uint32_t index = mc_strings_intern(&self->known, (const char *)key, sizeof key);
    if (index == MC_NONE) return NULL;
    if (index < before) return &self->rows[index];
    if (!mc_reserve(&self->rows, &self->row_capacity, (size_t)index + 1, sizeof *self->rows))
        return NULL;
    uint32_t leaf = mc_site_groups_find(&self->groups, self->desc.names, self->domains, row);
    self->rows[index] = (site_row){.leaf = leaf};
    return leaf == MC_NONE ? NULL : &self->rows[index];
}

// A sum that can't be leaves what there was: who goes on after the error finds sums that hold.
static bool add_to(int64_t *sum, int64_t more) {
    int64_t total;
    if (__builtin_add_overflow(*sum, more, &total) || total < 0 || total > SUM_MOST) return false;
    *sum = total;
    return true;
}

// Most of what is allocated dies young, and that only a collection finds out.
static void take_fresh(const mc_site_steps *self, site_row *known, const mc_agent_alloc *row) {
    if (known->collection != self->collection) {
        known->fresh_objects = known->fresh_bytes = 0;
        known->fresh_variance = 0;
        known->collection = self->collection;
    }
    int64_t objects = row->allocated_objects < SUM_MOST ? (int64_t)row->allocated_objects : 0;
    if (known->fresh_objects < SUM_MOST) known->fresh_objects += objects;
    if (known->fresh_bytes < SUM_MOST) known->fresh_bytes += (int64_t)row->allocated_bytes;
    known->fresh_variance += fmax(row->variance, 0);
}

static mc_result take_row(mc_site_steps *self, const mc_agent_event *event,
                          const mc_agent_alloc *row, mc_error *error) {
    if (self->known.count >= ROWS_MOST)
        return fail(event, error, "more allocation sites than a program can have");
    site_row *known = find_row(self, row);
    if (!known) return mc_error_out_of_memory(error);
    if (row->allocated_bytes > SUM_MOST || !add_to(&known->objects, row->objects) ||
        !add_to(&known->bytes, row->bytes) ||
        !add_to(&known->allocated, (int64_t)row->allocated_bytes))
        return fail(event, error, "fewer objects than none are alive, or more than there can be");
    // What rounding leaves where nothing is alive is nothing.
    known->variance = known->objects > 0 ? fmax(known->variance + row->variance, 0) : 0;
    if (!isfinite(known->variance) || known->variance > 1e100)
        return fail(event, error, "a variance that is larger than a heap can have");
    take_fresh(self, known, row);
    return MC_OK;
}

static mc_result take_batch(mc_site_steps *self, const mc_agent_event *event, mc_error *error) {
    uint64_t span_ms = (event->to_ns - self->hello_ns) / 1000000;
    if (event->to_ns < self->batch_ns || event->to_ns < self->hello_ns ||
        span_ms > (uint64_t)YEAR_9999_MS)
        return fail(event, error, "a batch from before the last one, or from no time");
    self->batch_ns = event->to_ns;
    if (event->value > 0) self->is_exact = false;
    for (uint32_t i = 0; i < event->count; i++) {
        mc_result result = take_row(self, event, &event->allocs[i], error);
        if (result != MC_OK) return result;
    }
    self->has_rest = true;
    self->has_change |= event->count > 0;
    if (self->last_ms == INT64_MIN || event->to_ns - self->step_ns >= self->desc.every_ns)
        self->is_wanted = true;
    return MC_OK;
}

mc_result mc_site_steps_take(mc_site_steps *steps, const mc_agent_event *event, mc_error *error) {
    if (event->type == MC_AGENT_HELLO) {
        if (event->wall_ms < -YEAR_9999_MS || event->wall_ms > YEAR_9999_MS)
            return fail(event, error, "a wall clock that shows no time");
        steps->wall_ms = event->wall_ms;
        steps->hello_ns = steps->batch_ns = event->to_ns;
        steps->tells_whole = event->flags & MC_AGENT_HELLO_TELLS_WHOLE;
    } else if (event->type == MC_AGENT_ALLOC) {
        return take_batch(steps, event, error);
    } else if (event->type == MC_AGENT_GC) {
        steps->collection++;
        if (steps->has_rest && steps->batch_ns - steps->step_ns >= steps->desc.least_ns)
            steps->is_wanted = true;
        if (event->flags & MC_AGENT_GC_WHOLE) steps->is_live = steps->is_wanted = true;
    }
    return MC_OK;
}

// ---- steps

static bool add_sum(uint64_t *sum, uint64_t more) {
    return !__builtin_add_overflow(*sum, more, sum) && *sum <= MC_COUNT_MAX;
}

static bool add_to_sum(site_sum *sum, const site_sum *more) {
    sum->variance += more->variance;
    return add_sum(&sum->objects, more->objects) && add_sum(&sum->bytes, more->bytes) &&
           add_sum(&sum->allocated, more->allocated);
}

// What the last collection has left; before the first one, all.
static site_sum get_sum(const mc_site_steps *self, const site_row *row) {
    bool has_fresh = self->collection > 0 && row->collection == self->collection;
    int64_t objects = row->objects - (has_fresh ? row->fresh_objects : 0);
    int64_t bytes = row->bytes - (has_fresh ? row->fresh_bytes : 0);
    double variance = row->variance - (has_fresh ? row->fresh_variance : 0);
    return (site_sum){.objects = objects > 0 ? (uint64_t)objects : 0,
                      .bytes = objects > 0 && bytes > 0 ? (uint64_t)bytes : 0,
                      .allocated = (uint64_t)row->allocated,
                      .variance = objects > 0 ? fmax(variance, 0) : 0};
}

static mc_result sum_up(mc_site_steps *self, mc_error *error) {
    uint32_t count = self->groups.count;
    bool is_fine = true;
    if (!mc_reserve(&self->sums, &self->sum_capacity, count ? count : 1, sizeof *self->sums))
        return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count; i++)
        self->sums[i] = (site_sum){.node = MC_NONE};
    for (uint32_t i = 0; i < self->known.count && is_fine; i++) {
        const site_row *row = &self->rows[i];
        site_sum sum = get_sum(self, row);
        is_fine = add_to_sum(&self->sums[row->leaf], &sum);
    }
    for (uint32_t i = count; i-- > 1 && is_fine;)
        is_fine = add_to_sum(&self->sums[self->groups.items[i].parent], &self->sums[i]);
    if (is_fine) return MC_OK;
    return mc_fail(error, MC_ERROR_BAD_DATA, "the agent's sums are larger than a count can be");
}

static bool add_metrics(const mc_site_steps *self, mc_step_tree *tree) {
    mc_metric_info allocated = {.key = MC_SITE_METRIC_ALLOCATED,
                                .title = "allocated bytes",
                                .key_size = sizeof MC_SITE_METRIC_ALLOCATED - 1,
                                .title_size = strlen("allocated bytes"),
                                .unit = MC_UNIT_BYTES,
                                .kind = MC_METRIC_FLOW,
                                .is_additive = true,
                                .says = MC_METRIC_SAYS_ALL};
    mc_metric_info variance = {.key = MC_SITE_METRIC_VARIANCE,
                               .title = "variance of bytes",
                               .key_size = sizeof MC_SITE_METRIC_VARIANCE - 1,
                               .title_size = strlen("variance of bytes"),
                               .unit = MC_UNIT_NONE,
                               .kind = MC_METRIC_STOCK,
                               .is_additive = true,
                               .is_real = true,
                               .says = MC_METRIC_SAYS_ALL};
    return mc_step_tree_add_metric(tree, &allocated) != MC_NONE &&
           (self->is_exact || mc_step_tree_add_metric(tree, &variance) != MC_NONE);
}

static bool add_node(mc_site_steps *self, uint32_t group, const uint32_t *roles,
                     mc_step_tree *tree) {
    const mc_site_group *item = &self->groups.items[group];
    site_sum *sum = &self->sums[group];
    size_t size, offset = tree->text.size;
    const char *key = mc_strings_get(&self->groups.keys, item->key, &size);
    mc_text_append(&tree->text, key, size);
    bool is_root = item->parent == MC_NONE;
    sum->node = mc_step_tree_add(
        tree, (mc_step_node){.parent = is_root ? MC_NONE : self->sums[item->parent].node,
                             .role = is_root ? MC_NONE : roles[item->role],
                             .key_offset = offset,
                             .name_offset = offset,
                             .key_size = (uint32_t)size,
                             .name_size = (uint32_t)size,
                             .objects = sum->objects,
                             .bytes = sum->bytes,
                             .source_offset = MC_ERROR_NO_OFFSET});
    return sum->node != MC_NONE && !tree->text.failed &&
           mc_step_tree_set_value(tree, 0, sum->node, sum->allocated) &&
           (self->is_exact ||
            mc_step_tree_set_value(tree, 1, sum->node, mc_metric_pack(sum->variance)));
}

// Groups of which nothing is alive, and nothing was allocated, are left out.
static bool add_nodes(mc_site_steps *self, mc_step_tree *tree) {
    uint32_t roles[MC_SITE_ROLE_COUNT];
    for (int i = 0; i < MC_SITE_ROLE_COUNT; i++) {
        roles[i] = 0;
        if (i == MC_SITE_DOMAIN && !self->domains) continue;
        roles[i] =
            mc_strings_intern(&tree->roles, mc_site_role_names[i], strlen(mc_site_role_names[i]));
        if (roles[i] == MC_NONE) return false;
    }
    for (uint32_t i = 0; i < self->groups.count; i++) {
        const site_sum *sum = &self->sums[i];
        bool is_there = i == 0 || sum->objects > 0 || sum->bytes > 0 || sum->allocated > 0;
        if (is_there && !add_node(self, i, roles, tree)) return false;
    }
    return true;
}

static int64_t choose_time(const mc_site_steps *self) {
    int64_t time_ms = self->wall_ms + (int64_t)((self->batch_ns - self->hello_ns) / 1000000);
    return time_ms > self->last_ms ? time_ms : self->last_ms + 1;
}

static bool add_empty_root(mc_step_tree *tree) {
    mc_text_append_string(&tree->text, "Heap");
    return !tree->text.failed &&
           mc_step_tree_add(tree, (mc_step_node){.parent = MC_NONE,
                                                 .role = MC_NONE,
                                                 .key_size = 4,
                                                 .name_size = 4,
                                                 .source_offset = MC_ERROR_NO_OFFSET}) != MC_NONE;
}

mc_result mc_site_steps_fill_tree(mc_site_steps *steps, mc_step_tree *tree, mc_error *error) {
    mc_result result = sum_up(steps, error);
    if (result != MC_OK) return result;
    mc_step_tree_reset(tree);
    tree->time_ms = choose_time(steps);
    if (steps->tells_whole)
        tree->liveness = steps->is_live ? MC_LIVENESS_LIVE : MC_LIVENESS_GARBAGE;
    if (!add_metrics(steps, tree) || !add_nodes(steps, tree) ||
        (steps->groups.count == 0 && !add_empty_root(tree)))
        return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < steps->known.count; i++)
        steps->rows[i].allocated = 0;
    steps->last_ms = tree->time_ms;
    steps->step_ns = steps->batch_ns;
    steps->is_wanted = steps->has_rest = steps->has_change = steps->is_live = false;
    return MC_OK;
}
