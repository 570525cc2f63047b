// Going on behind the steps of an .mct file: the writer gets to know again what it knew when it
// wrote them.
#include "engine/base/memory.h"
#include "engine/store/mct/mct_store.h"
#include "engine/store/mct/mct_writer_state.h"
#include <string.h>

typedef struct restorer {
    mc_mct_writer *writer;
    mc_trace_builder *builder;
    mc_trace *trace; // the file as readers see it
    mc_mct_store *store;
    mc_error *error;
    uint32_t step_count, node_count, string_count;
} restorer;

static mc_result damaged(const restorer *self, const char *what) {
    return mc_fail(self->error, MC_ERROR_BAD_DATA, "%s: damaged: %s; nothing can be added to it",
                   self->writer->file.path, what);
}

// Strings keep their numbers: what a file has twice was not written by this program's rules.
static mc_result restore_strings(restorer *self) {
    mc_strings *strings = &self->builder->strings;
    for (uint32_t i = 0; i < self->string_count; i++) {
        size_t size;
        const char *bytes = mc_trace_get_string(self->trace, i, &size);
        uint32_t index = mc_strings_intern(strings, bytes, size);
        if (index == MC_NONE) return mc_error_out_of_memory(self->error);
        if (index != i) return damaged(self, "a string that is there twice");
    }
    return MC_OK;
}

static mc_result restore_classifiers(restorer *self) {
    mc_trace_builder *builder = self->builder;
    uint32_t count = mc_trace_get_classifier_count(self->trace);
    if (!mc_reserve(&builder->classifiers, &builder->classifier_capacity, count,
                    sizeof *builder->classifiers))
        return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < count; i++) {
        size_t size;
        const char *name =
            mc_trace_get_classifier(self->trace, self->store->classifier_rank[i], &size);
        builder->classifiers[i] = mc_strings_intern(&builder->strings, name, size);
        if (builder->classifiers[i] == MC_NONE) return mc_error_out_of_memory(self->error);
    }
    builder->classifier_count = count;
    return MC_OK;
}

// In the order of the file, which is about that of the steps' trees.
static mc_result restore_nodes(restorer *self) {
    mc_trace_builder *builder = self->builder;
    const mc_trace *trace = self->trace;
    const mc_mct_store *store = self->store;
    uint32_t classifier_count = mc_trace_get_classifier_count(trace);
    uint32_t *file_role = mc_alloc((size_t)classifier_count + 1, sizeof *file_role);
    if (!file_role ||
        !mc_reserve(&builder->nodes, &builder->node_capacity, self->node_count,
                    sizeof *builder->nodes) ||
        !mc_reserve(&builder->places, &builder->place_capacity, self->node_count,
                    sizeof *builder->places)) {
        mc_free(file_role);
        return mc_error_out_of_memory(self->error);
    }
    for (uint32_t i = 0; i < classifier_count; i++)
        file_role[store->classifier_rank[i]] = i;
    for (uint32_t i = 0; i < self->node_count; i++) {
        uint32_t node = store->node_of[i], parent = trace->parent[node];
        builder->nodes[i] = (mc_seen_node){
            .parent = parent == MC_NONE ? MC_NONE : store->order[parent],
            .key = trace->key[node],
            .name = trace->name[node],
            .role = trace->role[node] == MC_NONE ? MC_NONE : file_role[trace->role[node]]};
        builder->places[i] = (mc_seen_place){.next = i + 1 < self->node_count ? i + 1 : MC_NONE,
                                             .first_entry = i,
                                             .first_time_ms = INT64_MIN};
    }
    builder->node_count = self->node_count;
    mc_free(file_role);
    return MC_OK;
}

// In which order the nodes appeared, where their numbers don't say it.
static mc_result restore_appearance(restorer *self) {
    mc_mct_writer *writer = self->writer;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    if (!writer->is_reordered) return MC_OK;
    mc_result result = mc_mct_file_get(&writer->file, MC_MCT_APPEARANCE, 1, row, self->error);
    if (result != MC_OK) return result;
    int64_t count = row[MC_MCT_APPEARANCE_COUNT].number;
    if (count < 0 || count > self->node_count) return damaged(self, "the order of appearance");
    result = mc_mct_decode_column(&writer->codec, row[MC_MCT_APPEARANCE_RANKS].data,
                                  row[MC_MCT_APPEARANCE_RANKS].size, writer->values,
                                  (uint32_t)count, MC_MCT_CHAIN);
    mc_mct_file_release(&writer->file, MC_MCT_APPEARANCE);
    if (result == MC_ERROR_BAD_DATA) return damaged(self, "the order of appearance");
    if (result != MC_OK) return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < count; i++)
        self->builder->places[i].first_entry = (uint32_t)writer->values[i];
    return MC_OK;
}

// One bit a kind of column as one bit a metric.
static uint64_t get_metrics(const restorer *self, uint64_t kinds) {
    uint64_t metrics = 0;
    for (mc_metric metric = 0; metric < self->trace->metrics.count; metric++)
        metrics |= (kinds >> self->store->kinds[metric] & 1) << metric;
    return metrics;
}

// In the order of the file, as nodes and strings.
static mc_result restore_metrics(restorer *self) {
    mc_mct_writer *writer = self->writer;
    mc_metrics *metrics = &self->builder->metrics;
    mc_metrics_deinit(metrics);
    if (!mc_metrics_copy(metrics, &self->trace->metrics))
        return mc_error_out_of_memory(self->error);
    for (mc_metric metric = 0; metric < metrics->count && writer->file.version > 1; metric++) {
        mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
        mc_result result = mc_mct_file_get(&writer->file, MC_MCT_METRIC, metric, row, self->error);
        mc_mct_file_release(&writer->file, MC_MCT_METRIC);
        if (result != MC_OK) return result;
        mc_mct_metric *m = &writer->metrics[metric];
        m->written = metrics->items[metric];
        m->largest = m->written_largest = (uint64_t)row[MC_MCT_METRIC_LARGEST].number;
    }
    writer->written.metric_count = metrics->count;
    return MC_OK;
}

static mc_result restore_steps(restorer *self) {
    mc_trace_builder *builder = self->builder;
    const char *path = self->writer->file.path;
    size_t path_size = strlen(path) + 1;
    if (!mc_reserve(&builder->steps, &builder->step_capacity, self->step_count,
                    sizeof *builder->steps))
        return mc_error_out_of_memory(self->error);
    memset(builder->steps, 0, self->step_count * sizeof *builder->steps);
    builder->step_count = self->step_count;
    for (uint32_t i = 0; i < self->step_count; i++) {
        int64_t key = self->store->step_keys[i];
        mc_seen_step *step = &builder->steps[key - 1];
        const mc_trace_step *known = &self->trace->steps[i];
        const mc_mct_step_columns *columns = &self->store->columns[key - 1];
        step->info = known->info;
        step->info.missing = MC_NONE; // it is in the file
        step->seen_count = columns->known_node_count;
        step->column_mask = get_metrics(self, columns->column_mask);
        step->real_mask = get_metrics(self, columns->real_mask);
        step->side[MC_SIDE_REFERENCES].count = known->info.pair_count;
        step->side[MC_SIDE_RENAMES].count = known->side[MC_SIDE_RENAMES].count;
        step->source = mc_alloc(path_size, 1);
        if (!step->source) return mc_error_out_of_memory(self->error);
        memcpy(step->source, path, path_size);
    }
    builder->has_references = self->trace->has_references;
    builder->has_referrers = self->trace->has_referrers;
    builder->has_paths = self->trace->has_paths;
    builder->has_owners = self->trace->has_owners;
    self->writer->last_time_ms = self->trace->steps[self->step_count - 1].info.time_ms;
    builder->latest_time_ms = self->writer->last_time_ms;
    return MC_OK;
}

// They keep their numbers, as strings do.
static mc_result restore_paths(restorer *self) {
    mc_trace_builder *builder = self->builder;
    for (uint32_t i = 0; i < self->trace->path_count; i++) {
        mc_retaining_path path = self->trace->paths[i];
        if (path.place != MC_NONE) path.place = self->store->order[path.place];
        uint32_t index = mc_strings_intern(&builder->paths, (const char *)&path, sizeof path);
        if (index == MC_NONE) return mc_error_out_of_memory(self->error);
        if (index != i) return damaged(self, "a retaining path that is there twice");
    }
    self->writer->written.path_count = self->trace->path_count;
    return MC_OK;
}

static mc_result restore_owners(restorer *self) {
    for (uint32_t i = 0; i < self->trace->owner_count; i++) {
        mc_owner owner = self->trace->owners[i];
        if (owner.place != MC_NONE) owner.place = self->store->order[owner.place];
        uint32_t index = mc_builder_find_or_add_owner(self->builder, &owner);
        if (index == MC_NONE) return mc_error_out_of_memory(self->error);
        if (index != i) return damaged(self, "an owner that is there twice");
    }
    return mc_mct_writer_note_owners(self->writer, self->error);
}

static mc_result restore_own(restorer *self) {
    mc_mct_writer *writer = self->writer;
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < writer->written.own_count && result == MC_OK; i++) {
        mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
        result = mc_mct_file_get(&writer->file, MC_MCT_OWN, i, row, self->error);
        if (result != MC_OK) return result;
        int64_t count = row[MC_MCT_OWN_COUNT].number;
        if (count <= 0 || count > self->node_count) return damaged(self, "the own shares");
        result = mc_mct_decode_column(&writer->codec, row[MC_MCT_OWN_NODES].data,
                                      row[MC_MCT_OWN_NODES].size, writer->values, (uint32_t)count,
                                      MC_MCT_CHAIN);
        for (uint32_t k = 0; k < count && result == MC_OK; k++) {
            if (writer->values[k] < self->node_count)
                writer->is_own[writer->values[k]] = 1;
            else
                result = MC_ERROR_BAD_DATA;
        }
        mc_mct_file_release(&writer->file, MC_MCT_OWN);
        if (result == MC_ERROR_BAD_DATA) return damaged(self, "the own shares");
        if (result != MC_OK) return mc_error_out_of_memory(self->error);
    }
    return result;
}

// What the file says of the largest values; *step_count steps are in it.
static mc_result read_maxima(restorer *self, mc_metric metric, uint32_t *step_count) {
    mc_mct_writer *writer = self->writer;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    *step_count = 0;
    mc_result result = mc_mct_file_get(&writer->file, MC_MCT_MAXIMUM, metric, row, NULL);
    if (result != MC_OK) return MC_OK; // then all steps are looked at
    int64_t steps = row[MC_MCT_MAXIMUM_STEPS].number, count = row[MC_MCT_MAXIMUM_NODES].number;
    uint64_t *max = writer->metrics[metric].max;
    if (steps > 0 && steps <= self->step_count && count > 0 && count <= self->node_count) {
        result = mc_mct_decode_column(&writer->codec, row[MC_MCT_MAXIMUM_DATA].data,
                                      row[MC_MCT_MAXIMUM_DATA].size, max, (uint32_t)count,
                                      MC_MCT_NO_BASE);
        for (int64_t i = 0; i < count && result == MC_OK; i++)
            if (max[i] > mc_metric_get_most(&self->builder->metrics.items[metric]))
                result = MC_ERROR_BAD_DATA;
        if (result == MC_OK)
            *step_count = (uint32_t)steps;
        else
            memset(max, 0, (size_t)count * sizeof *max);
    }
    mc_mct_file_release(&writer->file, MC_MCT_MAXIMUM);
    return result == MC_ERROR_OUT_OF_MEMORY ? mc_error_out_of_memory(self->error) : MC_OK;
}

// The steps that were written since the largest values were are looked at. Version 1 has those
// values of objects and bytes alone.
static mc_result restore_maxima(restorer *self) {
    mc_mct_writer *writer = self->writer;
    uint32_t first = self->step_count;
    uint32_t count = writer->file.version == 1 ? MC_METRIC_FIRST_OWN : self->builder->metrics.count;
    mc_result result = MC_OK;
    for (mc_metric metric = 0; metric < count && result == MC_OK; metric++) {
        uint32_t covered = 0;
        result = read_maxima(self, metric, &covered);
        if (covered < first) first = covered;
    }
    if (result != MC_OK) return result;
    writer->maximum_step_count = first;
    return mc_mct_writer_add_to_maxima(writer, ((uint64_t)1 << count) - 1, first, self->step_count,
                                       self->error);
}

static mc_result check_counts(restorer *self, const mc_mct_field *header) {
    mc_mct_writer *writer = self->writer;
    self->step_count = mc_trace_get_step_count(self->trace);
    self->node_count = self->store->seen_count;
    uint32_t classifier_count = mc_trace_get_classifier_count(self->trace);
    writer->written =
        (mc_mct_written){.string_count = (uint32_t)header[MC_MCT_TRACE_STRINGS].number,
                         .node_count = self->node_count,
                         .classifier_count = classifier_count,
                         .own_count = (uint32_t)header[MC_MCT_TRACE_OWN].number};
    writer->is_reordered = header[MC_MCT_TRACE_REORDERED].number != 0;
    self->string_count = writer->written.string_count;
    self->builder->key_kind = mc_trace_get_key_kind(self->trace);
    bool is_same = header[MC_MCT_TRACE_STEPS].number == self->step_count &&
                   header[MC_MCT_TRACE_NODES].number == self->node_count;
    return is_same ? MC_OK : damaged(self, "its counts");
}

static mc_result restore(restorer *self) {
    mc_mct_field header[MC_MCT_FIELD_COUNT_MAX];
    mc_mct_writer *writer = self->writer;
    mc_result result = mc_mct_file_get(&writer->file, MC_MCT_TRACE, 1, header, self->error);
    mc_mct_file_release(&writer->file, MC_MCT_TRACE);
    if (result == MC_OK) result = check_counts(self, header);
    if (result == MC_OK) result = restore_metrics(self);
    if (result == MC_OK && !mc_mct_writer_reserve_columns(writer, self->node_count))
        result = mc_error_out_of_memory(self->error);
    if (result == MC_OK) result = restore_strings(self);
    if (result == MC_OK) result = restore_classifiers(self);
    if (result == MC_OK) result = restore_nodes(self);
    if (result == MC_OK) result = restore_appearance(self);
    if (result == MC_OK) result = restore_steps(self);
    if (result == MC_OK) result = restore_paths(self);
    if (result == MC_OK) result = restore_owners(self);
    if (result == MC_OK) result = restore_own(self);
    return result == MC_OK ? restore_maxima(self) : result;
}

// Another writer has to wait until this one knows what is there; what it adds later is noticed when
// the first step is written.
mc_result mc_mct_writer_restore(mc_mct_writer *writer, mc_error *error) {
    restorer self = {.writer = writer, .builder = writer->builder, .error = error};
    mc_mct_open_desc desc = {.path = writer->file.path};
    bool has_trace = false, has_steps = false;
    mc_result result = mc_mct_file_run(&writer->file, "BEGIN IMMEDIATE", error);
    if (result != MC_OK) return result;
    result = mc_mct_file_has_rows(&writer->file, MC_MCT_TRACE, &has_trace, error);
    if (result == MC_OK)
        result = mc_mct_file_has_rows(&writer->file, MC_MCT_STEP, &has_steps, error);
    // A writer that was killed before its first step: there is nothing to restore.
    bool is_new = result == MC_OK && !has_trace && !has_steps;
    if (result == MC_OK && !is_new) result = mc_mct_open(&desc, &self.trace, NULL, error);
    if (result == MC_OK && !is_new) {
        self.store = self.trace->store;
        result = restore(&self);
    }
    mc_trace_destroy(self.trace);
    mc_mct_file_run(&writer->file, "ROLLBACK", NULL);
    return result;
}
