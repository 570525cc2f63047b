// What the parts have: when their steps are, which groups stand side by side, which tables.
#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/store/merge/merge_state.h"
#include <stdlib.h>
#include <string.h>

static const mc_merge_part *get_part(const mc_merge *self, const mc_merge_source *source) {
    return &self->desc->parts[source->index];
}

// ---- members

static mc_result add_name(mc_merge *self, uint32_t owner, const char *name, size_t size,
                          uint32_t *index, mc_error *error) {
    uint32_t known = self->names.count;
    *index = mc_strings_intern(&self->names, name, size);
    if (*index == MC_NONE || !mc_reserve(&self->name_owners, &self->owner_capacity,
                                         (size_t)known + 1, sizeof *self->name_owners))
        return mc_error_out_of_memory(error);
    if (*index == known) {
        self->name_owners[known] = owner;
        return MC_OK;
    }
    mc_excerpt excerpt;
    const char *other = get_part(self, &self->sources[self->name_owners[*index]])->path;
    mc_excerpt_make(&excerpt, name, size);
    if (self->desc->under)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "is called \"%s\", as is %s; NAME=FILE names a part otherwise", excerpt.text,
                       other);
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "has the group \"%s\", as has %s; --under puts each part below a group of "
                   "its own",
                   excerpt.text, other);
}

// All groups that stand side by side are of one classifier.
static mc_result check_role(mc_merge *self, const mc_trace *trace, uint32_t node, mc_error *error) {
    uint32_t role = mc_trace_get_nodes(trace)->role[node];
    size_t size = 0;
    const char *name = role == MC_NONE ? "" : mc_trace_get_classifier(trace, role, &size);
    if (!self->has_outer) {
        mc_text_append(&self->outer, name, size);
        self->has_outer = true;
        return self->outer.failed ? mc_error_out_of_memory(error) : MC_OK;
    }
    mc_excerpt a, b;
    if (self->outer.size == size && (size == 0 || memcmp(self->outer.data, name, size) == 0))
        return MC_OK;
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "its outermost groups are of \"%s\", others of \"%s\"; --under puts each "
                   "part below a group of its own",
                   mc_excerpt_make(&a, name, size),
                   mc_excerpt_make(&b, self->outer.data ? self->outer.data : "", self->outer.size));
}

static mc_result list_members(mc_merge *self, uint32_t owner, const mc_trace *trace,
                              mc_error *error) {
    mc_merge_source *source = &self->sources[owner];
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t first = nodes->child_count[0] > 0 ? nodes->first_child[0] : 0;
    uint32_t most = self->desc->under ? 1 : nodes->child_count[0] + 1;
    source->members = mc_alloc_zero(most, sizeof *source->members);
    if (!source->members) return mc_error_out_of_memory(error);
    if (self->desc->under) {
        const char *name = get_part(self, source)->name;
        source->member_count = 1;
        return add_name(self, owner, name, strlen(name), &source->members[0].name, error);
    }
    mc_merge_keys keys;
    mc_result result = mc_merge_keys_init(&keys, trace, error);
    for (uint32_t i = 0; i < nodes->child_count[0] && result == MC_OK; i++) {
        uint32_t node = first + i;
        if (nodes->flags[node] & MC_NODE_SELF) continue;
        mc_merge_member *member = &source->members[source->member_count++];
        size_t size;
        const char *key = mc_merge_keys_get(&keys, node, &size);
        member->node = node;
        result = add_name(self, owner, key, size, &member->name, error);
        if (result == MC_OK) result = check_role(self, trace, node, error);
    }
    mc_merge_keys_deinit(&keys);
    if (result == MC_OK && source->member_count == 0)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "there are no groups in it; --under makes one of each part");
    source->members[source->member_count++] = (mc_merge_member){.name = MC_NONE};
    return result;
}

// ---- steps

static mc_result list_times(mc_merge_source *source, const mc_trace *trace, mc_error *error) {
    source->step_count = mc_trace_get_step_count(trace);
    source->times_ms = mc_alloc(source->step_count, sizeof *source->times_ms);
    if (!source->times_ms) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < source->step_count; i++)
        source->times_ms[i] = mc_trace_get_step(trace, i)->time_ms;
    return MC_OK;
}

// In which steps of a merged trace a group has data of that time.
static mc_result find_data_in(mc_merge_source *source, const mc_trace *trace, uint32_t step,
                              bool *is_merged, mc_error *error) {
    uint32_t *held, held_count;
    mc_result result = mc_mct_read_held(trace, step, is_merged, &held, &held_count, error);
    for (uint32_t i = 0; i + 1 < source->member_count && result == MC_OK && *is_merged; i++) {
        mc_merge_member *member = &source->members[i];
        bool is_present = false, is_held = false;
        result = mc_trace_read_presence(trace, step, member->node, &is_present, error);
        for (uint32_t k = 0; k < held_count && is_present && !is_held; k++)
            is_held = held[k] == member->node;
        if (!is_present || is_held) continue;
        mc_bits_set(member->has_step, step);
        mc_bits_set(source->members[source->member_count - 1].has_step, step);
    }
    mc_free(held);
    return result;
}

static void forget_data(mc_merge_source *source) {
    for (uint32_t i = 0; i < source->member_count; i++) {
        mc_free(source->members[i].has_step);
        source->members[i].has_step = NULL;
    }
}

static mc_result find_data(mc_merge_source *source, const mc_trace *trace, mc_error *error) {
    size_t words = mc_bits_word_count(source->step_count);
    for (uint32_t i = 0; i < source->member_count; i++) {
        source->members[i].has_step = mc_alloc_zero(words, sizeof(uint64_t));
        if (!source->members[i].has_step) return mc_error_out_of_memory(error);
    }
    bool is_merged = true;
    for (uint32_t step = 0; step < source->step_count && is_merged; step++) {
        mc_result result = find_data_in(source, trace, step, &is_merged, error);
        if (result != MC_OK) return result;
    }
    if (!is_merged) forget_data(source); // where there is nothing, there was nothing
    return MC_OK;
}

// ---- parts that are damaged

static mc_result read_links(const mc_trace *trace, uint32_t step, mc_error *error) {
    static const mc_side_table tables[] = {MC_SIDE_REFERENCES, MC_SIDE_FIELDS, MC_SIDE_ROOTS,
                                           MC_SIDE_SUMS};
    mc_side_rows rows = {.rows = NULL};
    mc_result result = MC_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && result == MC_OK; i++)
        result = mc_trace_read_side(trace, step, tables[i], &rows, error);
    mc_side_rows_deinit(&rows);
    return result;
}

// What is damaged has to be known before any of the part is copied.
static mc_result read_all(const mc_trace *trace, mc_error *error) {
    uint64_t *values = mc_alloc(mc_trace_get_nodes(trace)->count, sizeof *values);
    mc_result result = values ? MC_OK : mc_error_out_of_memory(error);
    for (uint32_t step = 0; step < mc_trace_get_step_count(trace) && result == MC_OK; step++) {
        uint32_t count = mc_trace_get_metric_count(trace);
        bool is_present;
        for (mc_metric metric = 0; metric < count && result == MC_OK; metric++)
            result = mc_trace_read_column(trace, step, metric, values, error);
        if (result == MC_OK) result = mc_trace_read_presence(trace, step, 0, &is_present, error);
        if (result == MC_OK) result = read_links(trace, step, error);
    }
    mc_free(values);
    return result;
}

// ---- all

static void source_deinit(mc_merge_source *source) {
    forget_data(source);
    mc_free(source->members);
    mc_free(source->times_ms);
    *source = (mc_merge_source){.index = source->index};
}

// Only what can't be taken back comes last.
static mc_result survey_part(mc_merge *self, uint32_t index, bool *is_part, mc_error *error) {
    mc_merge_source *source = &self->sources[index];
    mc_trace *trace = NULL;
    *is_part = false;
    mc_result result = self->desc->open(self->desc->user, source->index, &trace, error);
    if (result == MC_OK) result = list_times(source, trace, error);
    if (result == MC_OK && self->desc->skip_bad) result = read_all(trace, error);
    *is_part = result == MC_OK; // what is wrong from here on is wrong between parts
    if (result == MC_OK) result = list_members(self, index, trace, error);
    if (result == MC_OK && !self->desc->under) result = find_data(source, trace, error);
    if (result == MC_OK) result = mc_merge_tables_add(&self->tables, trace, error);
    if (*is_part && result != MC_OK) mc_error_prepend(error, get_part(self, source)->path);
    mc_trace_destroy(trace);
    return result;
}

static int compare_parts(const void *a, const void *b) {
    const mc_merge_part *x = *(const mc_merge_part *const *)a,
                        *y = *(const mc_merge_part *const *)b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->path, y->path);
}

static mc_result list_sources(mc_merge *self, mc_error *error) {
    const mc_merge_desc *desc = self->desc;
    // Pointers are meant. NOLINTBEGIN(bugprone-sizeof-expression)
    const mc_merge_part **parts = mc_alloc(desc->part_count, sizeof *parts);
    self->sources = mc_alloc_zero(desc->part_count, sizeof *self->sources);
    if (!parts || !self->sources) {
        mc_free(parts);
        return mc_error_out_of_memory(error);
    }
    for (uint32_t i = 0; i < desc->part_count; i++)
        parts[i] = &desc->parts[i];
    qsort(parts, desc->part_count, sizeof *parts, compare_parts);
    // NOLINTEND(bugprone-sizeof-expression)
    for (uint32_t i = 0; i < desc->part_count; i++)
        self->sources[i].index = (uint32_t)(parts[i] - desc->parts);
    mc_free(parts);
    return MC_OK;
}

mc_result mc_merge_survey(mc_merge *self, mc_error *error) {
    uint32_t count = self->desc->part_count;
    mc_error unseen;
    if (!error) error = &unseen;
    mc_result result = list_sources(self, error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++) {
        uint32_t index = self->source_count, from = self->sources[i].index;
        bool is_part = false;
        self->sources[index].index = from;
        result = survey_part(self, index, &is_part, error);
        if (result == MC_OK) self->source_count++;
        if (result != MC_OK) source_deinit(&self->sources[index]);
        bool is_bad = result == MC_ERROR_BAD_DATA || result == MC_ERROR_IO;
        if (is_bad && !is_part && self->desc->skip_bad) {
            mc_log_write(self->desc->log, MC_LOG_WARNING, "left out: %s", error->message);
            result = MC_OK;
        }
        if (result == MC_OK && !mc_progress_report(self->desc->progress, i, 2 * (uint64_t)count))
            result = mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
    if (result == MC_OK && self->source_count == 0)
        return mc_fail(error, MC_ERROR_BAD_DATA, "none of the parts can be read");
    return result == MC_OK ? mc_merge_tables_finish(&self->tables, self->desc->under, error)
                           : result;
}
