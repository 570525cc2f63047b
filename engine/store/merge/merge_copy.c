// From a part's trace into the file: nodes, then values step by step.
#include "engine/base/memory.h"
#include "engine/store/merge/merge_state.h"
#include <string.h>

// ---- beginning and end

static void copier_deinit(mc_merge_copier *self) {
    mc_merge_keys_deinit(&self->keys);
    mc_free(self->member_of);
    mc_free(self->place);
    mc_free(self->order);
    mc_free(self->string_of);
    mc_free(self->role_of);
    mc_free(self->metric_of);
    mc_free(self->path_of);
    mc_free(self->owner_of);
    mc_free(self->choices);
    for (int i = 0; i < MC_METRIC_MOST; i++) {
        mc_free(self->values[i]);
        mc_free(self->maxima[i]);
    }
    mc_free(self->scratch);
    mc_free(self->sums);
    mc_free(self->is_present);
    mc_free(self->is_inner);
    mc_free(self->is_own);
    mc_free(self->is_there);
    mc_free(self->is_read);
}

static mc_result allocate(mc_merge_copier *self, mc_error *error) {
    const mc_merge *merge = self->merge;
    size_t count = self->nodes->count, metrics = merge->tables.metrics.count;
    self->member_of = mc_alloc(count, sizeof *self->member_of);
    self->place = mc_alloc(count, sizeof *self->place);
    self->order = mc_alloc(count, sizeof *self->order);
    self->string_of = mc_alloc((size_t)self->trace->strings.count + 1, sizeof *self->string_of);
    self->role_of = mc_alloc((size_t)self->trace->classifier_count + 1, sizeof *self->role_of);
    self->metric_of = mc_alloc(metrics, sizeof *self->metric_of);
    self->choices =
        mc_alloc((size_t)self->source->member_count * merge->step_count, sizeof *self->choices);
    self->scratch = mc_alloc(count, sizeof *self->scratch);
    self->sums = mc_alloc(count, sizeof *self->sums);
    self->is_present = mc_alloc(count, 1);
    self->is_inner = mc_alloc(count, 1);
    self->is_own = mc_alloc_zero(count, 1);
    self->is_there = mc_alloc(count, 1);
    self->is_read = mc_alloc(count, 1);
    bool is_fine = self->member_of && self->place && self->order && self->string_of &&
                   self->role_of && self->metric_of && self->choices && self->scratch &&
                   self->sums && self->is_present && self->is_inner && self->is_own &&
                   self->is_there && self->is_read;
    for (size_t i = 0; i < metrics && is_fine; i++) {
        self->values[i] = mc_alloc(count, sizeof *self->values[i]);
        self->maxima[i] = mc_alloc_zero(count, sizeof *self->maxima[i]);
        is_fine = self->values[i] && self->maxima[i];
    }
    if (!is_fine) return mc_error_out_of_memory(error);
    memset(self->string_of, 0xff,
           ((size_t)self->trace->strings.count + 1) * sizeof *self->string_of);
    return mc_merge_keys_init(&self->keys, self->trace, error);
}

static mc_result changed(mc_error *error) {
    return mc_fail(error, MC_ERROR_IO, "changed while it was merged");
}

// It was opened anew.
static mc_result check_same(const mc_merge_copier *self, mc_error *error) {
    const mc_merge_source *source = self->source;
    if (mc_trace_get_step_count(self->trace) < source->step_count) return changed(error);
    for (uint32_t i = 0; i < source->step_count; i++)
        if (mc_trace_get_step(self->trace, i)->time_ms != source->times_ms[i])
            return changed(error);
    return MC_OK;
}

static mc_result map_tables(mc_merge_copier *self, mc_error *error) {
    const mc_merge_tables *tables = &self->merge->tables;
    for (uint32_t i = 0; i < mc_trace_get_classifier_count(self->trace); i++) {
        size_t size;
        const char *name = mc_trace_get_classifier(self->trace, i, &size);
        self->role_of[i] = mc_strings_find(&tables->classifiers, name, size);
        if (self->role_of[i] == MC_NONE) return changed(error);
    }
    for (mc_metric metric = 0; metric < tables->metrics.count; metric++)
        self->metric_of[metric] =
            mc_metrics_find(&self->trace->metrics, tables->metrics.items[metric].key,
                            tables->metrics.items[metric].key_size);
    return MC_OK;
}

// ---- members and their steps

// Where a member's nodes begin is told by its name: a trace that has grown numbers them anew.
static mc_result find_members(mc_merge_copier *self, mc_error *error) {
    const mc_merge *merge = self->merge;
    const mc_node_columns *nodes = self->nodes;
    bool is_whole = merge->desc->under != NULL;
    uint32_t found = 0;
    self->member_of[0] = is_whole ? 0 : self->source->member_count - 1;
    for (uint32_t node = 1; node < nodes->count; node++) {
        uint32_t parent = nodes->parent[node];
        if (is_whole || parent != 0) {
            self->member_of[node] = self->member_of[parent];
            continue;
        }
        self->member_of[node] = self->member_of[0]; // the root's own share
        if (nodes->flags[node] & MC_NODE_SELF) continue;
        size_t size;
        const char *key = mc_merge_keys_get(&self->keys, node, &size);
        uint32_t name = mc_strings_find(&merge->names, key, size);
        self->member_of[node] = MC_NONE; // it came later
        for (; found + 1 < self->source->member_count; found++)
            if (self->source->members[found].name == name) break;
        if (found + 1 == self->source->member_count) return changed(error);
        self->source->members[found].node = node;
        self->member_of[node] = found;
    }
    return MC_OK;
}

static void choose_steps(mc_merge_copier *self) {
    for (uint32_t i = 0; i < self->source->member_count; i++)
        mc_merge_choose(self->merge, self->source, &self->source->members[i],
                        mc_merge_get_choices(self, i));
}

// What a step of the result needs of one of the part's.
typedef enum use { USE_NOTHING = 0, USE_RANGE = 1, USE_CHOSEN = 2 } use;

static use get_use(const mc_merge_copier *self, uint32_t member, uint32_t step, uint32_t from) {
    const mc_merge_choice *choice = &mc_merge_get_choices(self, member)[step];
    const uint64_t *has_step = self->source->members[member].has_step;
    if (choice->first == MC_NONE || from < choice->first || from > choice->last) return USE_NOTHING;
    if (has_step && !mc_bits_get(has_step, from)) return USE_NOTHING;
    return from == choice->chosen ? USE_RANGE | USE_CHOSEN : USE_RANGE;
}

// Whether groups are there that only steps have which were not chosen.
static bool takes_ranges(const mc_merge_copier *self) {
    if (self->merge->take == MC_MERGE_MEAN) return true;
    for (mc_metric metric = MC_METRIC_FIRST_OWN; metric < self->trace->metrics.count; metric++)
        if (self->trace->metrics.items[metric].kind == MC_METRIC_FLOW) return true;
    return false;
}

// The part's steps that any member needs for a step of the result.
static void find_range(const mc_merge_copier *self, uint32_t step, uint32_t *first, uint32_t *end) {
    *first = MC_NONE;
    *end = 0;
    for (uint32_t i = 0; i < self->source->member_count; i++) {
        const mc_merge_choice *choice = &mc_merge_get_choices(self, i)[step];
        if (choice->first == MC_NONE) continue;
        if (choice->first < *first) *first = choice->first;
        if (choice->last + 1 > *end) *end = choice->last + 1;
    }
    if (*first == MC_NONE) *first = *end;
}

static bool is_used(const mc_merge_copier *self, uint32_t step, uint32_t from) {
    for (uint32_t i = 0; i < self->source->member_count; i++)
        if (get_use(self, i, step, from) != USE_NOTHING) return true;
    return false;
}

static mc_result read_presence(mc_merge_copier *self, uint32_t from, mc_error *error) {
    mc_result result = MC_OK;
    for (uint32_t node = 0; node < self->nodes->count && result == MC_OK; node++) {
        bool is_present = false;
        if (!(self->nodes->flags[node] & MC_NODE_SELF))
            result = mc_trace_read_presence(self->trace, from, node, &is_present, error);
        self->is_read[node] = is_present;
    }
    return result;
}

// ---- nodes

// Which nodes are there in any step of the result.
static mc_result find_nodes(mc_merge_copier *self, mc_error *error) {
    use needed = takes_ranges(self) ? USE_RANGE : USE_CHOSEN;
    mc_result result = MC_OK;
    memset(self->is_there, 0, self->nodes->count);
    for (uint32_t from = 0; from < self->source->step_count && result == MC_OK; from++) {
        use *uses = mc_alloc_zero(self->source->member_count, sizeof *uses);
        if (!uses) return mc_error_out_of_memory(error);
        bool any = false;
        for (uint32_t i = 0; i < self->source->member_count; i++) {
            for (uint32_t step = 0; step < self->merge->step_count; step++)
                uses[i] |= get_use(self, i, step, from);
            any |= (uses[i] & needed) != 0;
        }
        if (any) result = read_presence(self, from, error);
        for (uint32_t node = 0; node < self->nodes->count && result == MC_OK && any; node++)
            if (self->is_read[node] && uses[self->member_of[node]] & needed)
                self->is_there[node] = 1;
        mc_free(uses);
    }
    return result;
}

// Breadth first, siblings in the order in which they appeared. Side by side the part's root is the
// file's.
static void list_order(mc_merge_copier *self) {
    const mc_node_columns *nodes = self->nodes;
    bool is_whole = self->merge->desc->under != NULL;
    uint32_t count = 0;
    memset(self->place, 0xff, nodes->count * sizeof *self->place);
    if (is_whole && self->is_there[0]) self->order[count++] = 0;
    for (uint32_t at = 0, node = 0; is_whole ? at < count : true; at++) {
        if (is_whole) node = self->order[at];
        for (uint32_t i = 0; i < nodes->child_count[node]; i++) {
            uint32_t child = nodes->child_by_appearance[nodes->first_child[node] + i];
            if (self->is_there[child]) self->order[count++] = child;
        }
        if (is_whole) continue;
        if (at == count) break;
        node = self->order[at];
    }
    for (uint32_t i = 0; i < count; i++)
        self->place[self->order[i]] = i;
    self->count = count;
}

mc_result mc_merge_get_string(mc_merge_copier *self, uint32_t string, uint32_t *index,
                              mc_error *error) {
    mc_result result = MC_OK;
    if (self->string_of[string] == MC_NONE) {
        size_t size;
        const char *bytes = mc_trace_get_string(self->trace, string, &size);
        result = mc_merge_file_add_string(self->merge->file, bytes, size, &self->string_of[string],
                                          error);
    }
    *index = self->string_of[string];
    return result;
}

static mc_result make_node(mc_merge_copier *self, uint32_t node, mc_merge_node *made,
                           mc_error *error) {
    const mc_merge *merge = self->merge;
    const mc_node_columns *nodes = self->nodes;
    uint32_t parent = nodes->parent[node];
    if (node == 0) { // below a group of its own: the part as a whole
        const char *name = merge->desc->parts[self->source->index].name;
        made->parent = 0;
        made->role = 0;
        mc_result result =
            mc_merge_file_add_string(merge->file, name, strlen(name), &made->key, error);
        made->name = made->key;
        return result;
    }
    made->parent = self->place[parent] == MC_NONE ? 0 : self->begin + self->place[parent];
    made->role = nodes->role[node] == MC_NONE ? MC_NONE : self->role_of[nodes->role[node]];
    mc_result result = mc_merge_get_string(self, nodes->name[node], &made->name, error);
    if (result != MC_OK) return result;
    if (!self->keys.strips) return mc_merge_get_string(self, nodes->key[node], &made->key, error);
    size_t size;
    const char *key = mc_merge_keys_get(&self->keys, node, &size);
    return mc_merge_file_add_string(merge->file, key, size, &made->key, error);
}

static mc_result copy_nodes(mc_merge_copier *self, mc_error *error) {
    mc_result result = find_nodes(self, error);
    if (result != MC_OK) return result;
    list_order(self);
    self->begin = mc_merge_file_get_node_count(self->merge->file);
    mc_merge_node *made = mc_alloc((size_t)self->count + 1, sizeof *made);
    if (!made) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < self->count && result == MC_OK; i++)
        result = make_node(self, self->order[i], &made[i], error);
    if (result == MC_OK)
        result = mc_merge_file_add_nodes(self->merge->file, made, self->count, error);
    mc_free(made);
    return result;
}

// ---- a step's values, over the part's nodes

static const mc_metric_info *get_info(const mc_merge_copier *self, mc_metric metric) {
    return &self->merge->tables.metrics.items[metric];
}

static bool is_flow(const mc_merge_copier *self, mc_metric metric) {
    return get_info(self, metric)->kind == MC_METRIC_FLOW;
}

static bool is_mean(const mc_merge_copier *self, mc_metric metric) {
    return self->merge->take == MC_MERGE_MEAN && get_info(self, metric)->is_additive &&
           !is_flow(self, metric);
}

static uint64_t add(const mc_metric_info *info, uint64_t a, uint64_t b) {
    if (a == MC_COUNT_UNKNOWN) return b;
    return b == MC_COUNT_UNKNOWN ? a : mc_metric_add(info, a, b);
}

// A column of the part, in the kind of numbers that the result has.
static mc_result read_column(mc_merge_copier *self, uint32_t from, mc_metric metric,
                             mc_error *error) {
    mc_metric own = self->metric_of[metric];
    mc_result result = mc_trace_read_column(self->trace, from, own, self->scratch, error);
    bool converts = get_info(self, metric)->is_real && !self->trace->metrics.items[own].is_real;
    for (uint32_t node = 0; converts && node < self->nodes->count; node++)
        if (self->scratch[node] != MC_COUNT_UNKNOWN)
            self->scratch[node] = mc_metric_make_real(self->scratch[node]);
    // Side by side the root stands for its own share.
    if (result == MC_OK && !self->merge->desc->under && get_info(self, metric)->is_additive) {
        const mc_node_columns *nodes = self->nodes;
        uint64_t parts = 0;
        for (uint32_t i = 0; i < nodes->child_count[0]; i++)
            if (!(nodes->flags[nodes->first_child[0] + i] & MC_NODE_SELF))
                parts = mc_metric_add(get_info(self, metric), parts,
                                      self->scratch[nodes->first_child[0] + i]);
        self->scratch[0] = mc_metric_get_rest(get_info(self, metric), self->scratch[0], parts);
    }
    return result;
}

// What one of the part's steps brings to a step of the result.
static mc_result take_column(mc_merge_copier *self, uint32_t step, uint32_t from, mc_metric metric,
                             mc_error *error) {
    if (self->metric_of[metric] == MC_NONE) return MC_OK;
    mc_result result = read_column(self, from, metric, error);
    if (result != MC_OK) return result;
    bool adds = is_flow(self, metric) || is_mean(self, metric);
    uint64_t *values = self->values[metric];
    uint32_t member = MC_NONE;
    bool takes = false;
    for (uint32_t node = 0; node < self->nodes->count; node++) {
        if (self->member_of[node] != member) {
            member = self->member_of[node];
            const mc_merge_choice *choice = &mc_merge_get_choices(self, member)[step];
            use used = get_use(self, member, step, from);
            takes = adds ? used != USE_NOTHING && !(choice->is_held && is_flow(self, metric))
                         : (used & USE_CHOSEN) != 0;
        }
        if (!takes || !self->is_read[node]) continue;
        values[node] = adds ? add(get_info(self, metric), values[node], self->scratch[node])
                            : self->scratch[node];
    }
    return MC_OK;
}

static mc_result take_step(mc_merge_copier *self, uint32_t step, uint32_t from, mc_error *error) {
    bool has_ranges = takes_ranges(self);
    mc_result result = read_presence(self, from, error);
    for (uint32_t node = 0; node < self->nodes->count && result == MC_OK; node++) {
        if (!self->is_read[node]) continue;
        use used = get_use(self, self->member_of[node], step, from);
        if (used & (has_ranges ? USE_RANGE : USE_CHOSEN)) self->is_there[node] = 1;
    }
    for (mc_metric metric = 0; metric < self->merge->tables.metrics.count && result == MC_OK;
         metric++)
        result = take_column(self, step, from, metric, error);
    return result;
}

static uint64_t divide(const mc_metric_info *info, uint64_t value, uint32_t count) {
    if (info->is_real) return mc_metric_pack(mc_metric_unpack(value) / count);
    return value / count + (value % count >= count - count / 2); // to the nearest
}

// Shares that no child explains are divided, so that what is above them is their sum to the last
// object.
static void divide_sums(mc_merge_copier *self, uint32_t step, mc_metric metric) {
    const mc_metric_info *info = get_info(self, metric);
    const mc_node_columns *nodes = self->nodes;
    uint64_t *values = self->values[metric], *before = self->sums, *after = self->scratch;
    memset(before, 0, nodes->count * sizeof *before);
    memset(after, 0, nodes->count * sizeof *after);
    for (uint32_t node = nodes->count; node-- > 0;) {
        const mc_merge_choice *choice = &mc_merge_get_choices(self, self->member_of[node])[step];
        if (values[node] == MC_COUNT_UNKNOWN) continue;
        uint32_t count = choice->count;
        uint64_t share = mc_metric_get_rest(info, values[node], before[node]);
        uint64_t mean = add(info, divide(info, share, count), after[node]);
        uint32_t parent = nodes->parent[node];
        bool has_parent = parent != MC_NONE && (parent != 0 || self->merge->desc->under);
        if (has_parent) before[parent] = add(info, before[parent], values[node]);
        if (has_parent) after[parent] = add(info, after[parent], mean);
        values[node] = mean;
    }
}

// ---- from there into the file

static uint64_t store(mc_metric metric, uint64_t value) {
    if (metric >= MC_METRIC_FIRST_OWN) return value + 1; // unknown becomes 0
    return value == MC_COUNT_UNKNOWN ? 0 : value;
}

// Own shares, the largest of all steps; what is not said of an additive metric is its children's.
static void note_shares(mc_merge_copier *self, mc_metric metric) {
    const mc_metric_info *info = get_info(self, metric);
    uint64_t *sums = self->sums, *maxima = self->maxima[metric];
    uint64_t *largest = &self->merge->largest[metric];
    memset(sums, 0, self->count * sizeof *sums);
    for (uint32_t i = self->count; i-- > 0;) {
        uint32_t node = self->order[i];
        uint64_t value = self->values[metric][node], share = 0;
        if (value == MC_COUNT_UNKNOWN) value = info->is_additive ? sums[i] : 0;
        if (value > *largest) *largest = value;
        if (info->is_additive) {
            uint32_t above = self->nodes->parent[node];
            if (above != MC_NONE && self->place[above] != MC_NONE)
                sums[self->place[above]] = mc_metric_add(info, sums[self->place[above]], value);
            share = mc_metric_get_rest(info, value, sums[i]);
        } else if (!self->is_inner[i]) {
            share = value;
        }
        if (share > maxima[i]) maxima[i] = share;
        self->is_own[i] |= share > 0;
    }
}

static mc_result put_column(mc_merge_copier *self, uint32_t step, mc_metric metric,
                            mc_error *error) {
    note_shares(self, metric);
    for (uint32_t i = 0; i < self->count; i++)
        self->scratch[i] = store(metric, self->values[metric][self->order[i]]);
    return mc_merge_file_add_values(self->merge->file, step, metric, self->scratch, error);
}

// The whole's value: the sum of the groups below, and what no group explains.
static void add_to_total(mc_merge_copier *self, uint32_t step, mc_metric metric) {
    const mc_metric_info *info = get_info(self, metric);
    mc_merge *merge = self->merge;
    uint64_t *total = &merge->steps[step].totals[metric];
    if (!info->is_additive) return;
    for (uint32_t i = 0; i < self->source->member_count; i++) {
        uint64_t value = self->values[metric][self->source->members[i].node];
        if (value != MC_COUNT_UNKNOWN) *total = mc_metric_add(info, *total, value);
    }
    if (merge->desc->under || self->values[metric][0] == MC_COUNT_UNKNOWN) return;
    uint64_t *rest = &merge->root_rests[(size_t)step * merge->tables.metrics.count + metric];
    *rest = mc_metric_add(info, *rest, self->values[metric][0]);
}

static mc_result put_presence(mc_merge_copier *self, uint32_t step, mc_error *error) {
    mc_merge_step *made = &self->merge->steps[step];
    memset(self->is_inner, 0, self->count);
    for (uint32_t i = self->count; i-- > 0;) {
        uint32_t node = self->order[i], parent = self->nodes->parent[node];
        self->is_present[i] = self->is_there[node];
        if (!self->is_present[i]) continue;
        made->node_count++;
        made->leaf_count += !self->is_inner[i];
        if (parent != MC_NONE && self->place[parent] != MC_NONE)
            self->is_inner[self->place[parent]] = 1;
    }
    return mc_merge_file_add_presence(self->merge->file, step, self->is_present, error);
}

static mc_result put_held(mc_merge_copier *self, uint32_t step, mc_error *error) {
    uint32_t count = 0, *held = mc_alloc(self->source->member_count, sizeof *held);
    if (!held) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < self->source->member_count; i++) {
        uint32_t place = self->place[self->source->members[i].node];
        if (mc_merge_get_choices(self, i)[step].is_held && place != MC_NONE &&
            self->is_present[place])
            held[count++] = self->begin + place;
    }
    mc_side_rows rows = {held, count};
    mc_side_rows_sort(MC_SIDE_HELD, &rows);
    self->merge->held_count += count;
    mc_result result = mc_merge_file_add_rows(self->merge->file, step, MC_SIDE_HELD, &rows, error);
    mc_side_rows_deinit(&rows);
    return result;
}

// ---- what is said of a step as a whole

static mc_result add_info(mc_merge_copier *self, uint32_t step, mc_error *error) {
    mc_merge_step *made = &self->merge->steps[step];
    uint32_t chosen = mc_merge_get_chosen(self, step);
    if (chosen == MC_NONE) return MC_OK;
    const mc_step_info *info = mc_trace_get_step(self->trace, chosen);
    uint64_t limit = info->heap_limit;
    if (limit == 0) self->merge->lacks_limit[step] = true;
    made->heap_limit =
        limit > MC_COUNT_MAX - made->heap_limit ? MC_COUNT_MAX : made->heap_limit + limit;
    // Garbage of one part is garbage of the whole.
    bool is_first = made->liveness == MC_LIVENESS_UNKNOWN;
    if (is_first || info->liveness == MC_LIVENESS_GARBAGE) made->liveness = info->liveness;
    made->directions |= info->directions;
    made->has_referrers |= info->has_referrers;
    made->has_paths |= info->has_paths;
    made->has_owners |= info->has_owners;
    if (!info->is_incomplete) return MC_OK;
    size_t size;
    const char *reason = mc_trace_get_string(self->trace, info->missing, &size);
    return mc_merge_add_remark(self->merge, &self->merge->reasons, step, self->source, reason, size,
                               error);
}

// Of all of the part's steps that came in here.
static mc_result add_notes(mc_merge_copier *self, uint32_t step, mc_error *error) {
    mc_result result = MC_OK;
    uint32_t first = MC_NONE, last = 0;
    for (uint32_t i = 0; i < self->source->member_count; i++) {
        const mc_merge_choice *choice = &mc_merge_get_choices(self, i)[step];
        if (choice->first == MC_NONE || choice->is_held) continue;
        if (first == MC_NONE || choice->first < first) first = choice->first;
        if (choice->last > last) last = choice->last;
    }
    for (uint32_t i = first; first != MC_NONE && i <= last && result == MC_OK; i++) {
        const char *note = mc_trace_get_note(self->trace, i);
        if (note)
            result = mc_merge_add_remark(self->merge, &self->merge->notes, step, self->source, note,
                                         strlen(note), error);
    }
    return result;
}

static mc_result copy_step(mc_merge_copier *self, uint32_t step, mc_error *error) {
    uint32_t metrics = self->merge->tables.metrics.count, first, end;
    mc_result result = MC_OK;
    memset(self->is_there, 0, self->nodes->count);
    for (mc_metric metric = 0; metric < metrics; metric++)
        memset(self->values[metric], 0xff, self->nodes->count * sizeof(uint64_t)); // unknown
    find_range(self, step, &first, &end);
    for (uint32_t from = first; from < end && result == MC_OK; from++)
        if (is_used(self, step, from)) result = take_step(self, step, from, error);
    if (result == MC_OK) result = put_presence(self, step, error);
    for (mc_metric metric = 0; metric < metrics && result == MC_OK; metric++) {
        if (is_mean(self, metric)) divide_sums(self, step, metric);
        add_to_total(self, step, metric);
        result = put_column(self, step, metric, error);
    }
    if (result == MC_OK) result = put_held(self, step, error);
    if (result == MC_OK) result = add_info(self, step, error);
    if (result == MC_OK) result = add_notes(self, step, error);
    return result == MC_OK ? mc_merge_copy_links(self, step, error) : result;
}

static mc_result put_rest(mc_merge_copier *self, mc_error *error) {
    mc_result result = MC_OK;
    for (mc_metric metric = 0; metric < self->merge->tables.metrics.count && result == MC_OK;
         metric++)
        result = mc_merge_file_add_maxima(self->merge->file, metric, self->maxima[metric], error);
    memset(self->is_inner, 0, self->count);
    for (uint32_t i = 0; i < self->count; i++) {
        uint32_t parent = self->nodes->parent[self->order[i]];
        if (parent != MC_NONE && self->place[parent] != MC_NONE)
            self->is_inner[self->place[parent]] = 1;
    }
    for (uint32_t i = 0; i < self->count && result == MC_OK; i++)
        if (self->is_own[i] && self->is_inner[i])
            result = mc_merge_file_add_own(self->merge->file, self->begin + i, error);
    return result;
}

mc_result mc_merge_copy(mc_merge *merge, mc_merge_source *source, const mc_trace *trace,
                        mc_error *error) {
    mc_merge_copier self = {
        .merge = merge, .source = source, .trace = trace, .nodes = mc_trace_get_nodes(trace)};
    mc_result result = check_same(&self, error);
    if (result == MC_OK) result = allocate(&self, error);
    if (result == MC_OK) result = map_tables(&self, error);
    if (result == MC_OK) result = find_members(&self, error);
    if (result == MC_OK) choose_steps(&self);
    if (result == MC_OK) result = copy_nodes(&self, error);
    if (result == MC_OK) result = mc_merge_copy_paths(&self, error);
    if (result == MC_OK) result = mc_merge_copy_owners(&self, error);
    for (uint32_t step = 0; step < merge->step_count && result == MC_OK; step++) {
        result = copy_step(&self, step, error);
        if (result == MC_OK &&
            !mc_progress_report(merge->desc->progress,
                                merge->source_count + (uint64_t)(source - merge->sources),
                                2 * (uint64_t)merge->source_count))
            result = mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
    if (result == MC_OK) result = put_rest(&self, error);
    for (uint32_t i = 0; i < source->member_count && result == MC_OK; i++) {
        mc_merge_member *member = &source->members[i];
        uint32_t place = self.place[member->node];
        member->node = place == MC_NONE ? MC_NONE : self.begin + place; // of the file from now on
    }
    copier_deinit(&self);
    return result;
}
