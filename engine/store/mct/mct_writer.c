#include "engine/store/mct/mct_writer_state.h"

#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAXIMUM_INTERVAL 16 // steps between two writings of the largest values

mc_result mc_mct_writer_create(const mc_mct_writer_desc *desc, mc_mct_writer **writer,
                               mc_error *error) {
    mc_mct_writer *self = *writer = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->log = desc->log;
    self->program = desc->program;
    self->last_time_ms = INT64_MIN;
    self->first_kept = self->last_kept = MC_NONE;
    mc_result result = mc_trace_builder_create(desc->log, &self->builder, error);
    if (result == MC_OK) mc_trace_builder_set_progress(self->builder, desc->progress);
    if (result == MC_OK && !desc->append)
        result = mc_mct_file_create(&self->file, desc->path, desc->sync, error);
    if (result == MC_OK && desc->append) {
        result = mc_mct_file_open_append(&self->file, desc->path, desc->sync, error);
        if (result == MC_OK) result = mc_mct_writer_restore(self, error);
    }
    if (result != MC_OK) {
        mc_mct_writer_destroy(self);
        *writer = NULL;
    }
    return result;
}

void mc_mct_writer_destroy(mc_mct_writer *writer) {
    if (!writer) return;
    mc_mct_file_close(&writer->file); // an open transaction is rolled back
    mc_trace_builder_destroy(writer->builder);
    mc_free(writer->present_base);
    for (mc_metric metric = 0; metric < MC_METRIC_MOST; metric++) {
        mc_free(writer->bases[metric].values);
        mc_free(writer->bases[metric].blocks);
        mc_free(writer->metrics[metric].max);
        mc_free(writer->metrics[metric].shares);
    }
    mc_free(writer->is_own);
    mc_free(writer->owner_places);
    mc_free(writer->marks);
    mc_free(writer->values);
    mc_free(writer->scratch);
    for (int i = 0; i < MC_MCT_BLOB_COUNT; i++)
        mc_mct_bytes_deinit(&writer->blobs[i]);
    mc_mct_codec_deinit(&writer->codec);
    mc_mct_crew_deinit(&writer->crew);
    mc_free(writer);
}

// What is new is 0. Columns grow by an eighth: all of their memory is touched.
static bool reserve(void *array, size_t *capacity, size_t count, size_t element_size) {
    size_t known = *capacity;
    char *bytes;
    if (count <= known) return true;
    if (known > 0) count += count / 8;
    memcpy(&bytes, array, sizeof bytes);
    bytes = known > 0 ? mc_realloc(bytes, count, element_size) : mc_alloc_zero(count, element_size);
    if (!bytes) return false;
    memcpy(array, &bytes, sizeof bytes);
    *capacity = count;
    if (known > 0) memset(bytes + known * element_size, 0, (count - known) * element_size);
    return true;
}

bool mc_mct_writer_reserve_columns(mc_mct_writer *self, size_t count) {
    bool is_fine = reserve(&self->values, &self->value_capacity, count, sizeof *self->values) &&
                   reserve(&self->scratch, &self->scratch_capacity, count, sizeof *self->scratch) &&
                   reserve(&self->is_own, &self->own_capacity, count, 1) &&
                   reserve(&self->marks, &self->mark_capacity, count, 1);
    for (mc_metric metric = 0; metric < self->builder->metrics.count; metric++) {
        mc_mct_metric *m = &self->metrics[metric];
        mc_mct_base_column *base = &self->bases[metric];
        is_fine = is_fine && reserve(&m->max, &m->max_capacity, count, sizeof *m->max) &&
                  reserve(&m->shares, &m->share_capacity, count, sizeof *m->shares) &&
                  reserve(&base->values, &base->value_capacity, count, sizeof *base->values) &&
                  reserve(&base->blocks, &base->block_capacity,
                          mc_mct_get_block_count((uint32_t)count), sizeof *base->blocks);
    }
    size_t words = mc_bits_word_count((uint32_t)count);
    return is_fine &&
           reserve(&self->present_base, &self->present_capacity, words, sizeof *self->present_base);
}

mc_result mc_mct_writer_encode(mc_mct_writer *self, int blob, const uint64_t *values,
                               uint32_t count, mc_mct_base base, mc_mct_field *field,
                               mc_error *error) {
    mc_result result = mc_mct_encode_column(&self->codec, values, count, base, &self->blobs[blob]);
    if (result != MC_OK) return mc_error_out_of_memory(error);
    *field = (mc_mct_field){.data = self->blobs[blob].data, .size = self->blobs[blob].size};
    return MC_OK;
}

// ---- classifiers

static mc_result write_classifiers(mc_mct_writer *self, mc_error *error) {
    const mc_trace_builder *builder = self->builder;
    while (self->written.classifier_count < builder->classifier_count) {
        uint32_t index = self->written.classifier_count;
        mc_mct_field row[] = {{.number = index}, {0}};
        row[1].data = mc_strings_get(&builder->strings, builder->classifiers[index], &row[1].size);
        mc_result result = mc_mct_file_put(&self->file, MC_MCT_CLASSIFIER, row, error);
        if (result != MC_OK) return result;
        self->written.classifier_count++;
    }
    return MC_OK;
}

// ---- which nodes may have a share of their own

mc_result mc_mct_writer_put_own(mc_mct_writer *self, const uint64_t *nodes, uint32_t count,
                                mc_error *error) {
    if (count == 0) return MC_OK;
    mc_mct_field row[] = {{.number = self->written.own_count}, {.number = count}, {0}};
    mc_result result =
        mc_mct_writer_encode(self, 0, nodes, count, MC_MCT_CHAIN, &row[MC_MCT_OWN_NODES], error);
    if (result == MC_OK) result = mc_mct_file_put(&self->file, MC_MCT_OWN, row, error);
    if (result == MC_OK) self->written.own_count++;
    return result;
}

static bool has_share(const mc_mct_writer *self, uint64_t metrics, uint32_t node) {
    for (mc_metric metric = 0; metric < self->builder->metrics.count; metric++)
        if (metrics >> metric & 1 && self->metrics[metric].shares[node] > 0) return true;
    return false;
}

static mc_result write_own_of_step(mc_mct_writer *self, const mc_seen_step *step, mc_error *error) {
    uint32_t count = 0;
    mc_mct_writer_compute_shares(self, step);
    for (uint32_t node = 0; node < step->seen_count; node++)
        if (!self->is_own[node] && has_share(self, step->column_mask, node))
            self->scratch[count++] = node;
    return mc_mct_writer_put_own(self, self->scratch, count, error);
}

// ---- metrics

static bool is_written(const mc_mct_writer *self, mc_metric metric) {
    const mc_mct_metric *m = &self->metrics[metric];
    const mc_metric_info *info = &self->builder->metrics.items[metric];
    return metric < self->written.metric_count && m->written.says == info->says &&
           m->written.is_real == info->is_real && m->written.is_additive == info->is_additive &&
           m->written_largest == m->largest;
}

static mc_result write_metric(mc_mct_writer *self, mc_metric metric, mc_error *error) {
    mc_mct_metric *m = &self->metrics[metric];
    const mc_metric_info *info = &self->builder->metrics.items[metric];
    mc_result result =
        mc_mct_file_put_metric(&self->file, metric, info, (int64_t)m->largest, error);
    m->written = *info;
    m->written_largest = m->largest;
    return result;
}

// Those that are new, or of which more is known.
static mc_result write_metrics(mc_mct_writer *self, mc_error *error) {
    mc_result result = MC_OK;
    if (self->file.version == 1) return MC_OK;
    for (mc_metric metric = 0; metric < self->builder->metrics.count && result == MC_OK; metric++)
        if (!is_written(self, metric)) result = write_metric(self, metric, error);
    self->written.metric_count = self->builder->metrics.count;
    return result;
}

// The first values are whole numbers, a later one is not: then all that is known of the metric's
// largest values is so of another kind of numbers.
static mc_result update_kinds(mc_mct_writer *self, mc_error *error) {
    uint64_t changed = 0;
    size_t step_count = self->builder->step_count - 1; // without the one that is being written
    for (mc_metric metric = MC_METRIC_FIRST_OWN; metric < self->written.metric_count; metric++) {
        mc_mct_metric *m = &self->metrics[metric];
        const mc_metric_info *info = &self->builder->metrics.items[metric];
        if (m->written.is_real == info->is_real && m->written.is_additive == info->is_additive)
            continue;
        changed |= (uint64_t)1 << metric;
        m->largest = 0;
        memset(m->max, 0, m->max_capacity * sizeof *m->max);
    }
    if (changed == 0) return MC_OK;
    self->has_stale_maxima = true;
    return mc_mct_writer_add_to_maxima(self, changed, 0, step_count, error);
}

// ---- a step's columns

static mc_result write_present(mc_mct_writer *self, const mc_seen_step *step, int64_t step_key,
                               mc_error *error) {
    size_t words = mc_bits_word_count(step->seen_count);
    bool is_full = self->present_step == 0 || step_key - self->present_step >= MC_MCT_FULL_INTERVAL;
    for (size_t i = 0; i < words; i++)
        self->values[i] = step->present[i] ^ (is_full ? 0 : self->present_base[i]);
    if (mc_mct_encode_bytes(&self->codec, self->values, words * sizeof *self->values,
                            &self->blobs[0]) != MC_OK)
        return mc_error_out_of_memory(error);
    int version = self->file.version, kind = mc_mct_get_present_kind(version);
    mc_mct_field row[] = {{.number = mc_mct_column_key(version, step_key, kind, 0)},
                          {.number = is_full ? 0 : self->present_step},
                          {.data = self->blobs[0].data, .size = self->blobs[0].size}};
    mc_result result = mc_mct_file_put(&self->file, MC_MCT_COLUMN, row, error);
    if (result != MC_OK || !is_full) return result;
    memcpy(self->present_base, step->present, words * sizeof *self->present_base);
    self->present_step = step_key;
    return MC_OK;
}

uint64_t mc_mct_writer_get_kinds(const mc_mct_writer *self, uint64_t metrics) {
    uint64_t kinds = 0;
    for (mc_metric metric = 0; metric < self->builder->metrics.count; metric++)
        if (metrics >> metric & 1)
            kinds |= (uint64_t)1 << mc_mct_find_kind(self->file.version,
                                                     &self->builder->metrics.items[metric], metric);
    return kinds;
}

mc_result mc_mct_writer_put_step(mc_mct_writer *self, const mc_seen_step *step, int64_t step_key,
                                 mc_error *error) {
    mc_mct_field row[] = {{.number = step_key},
                          {.number = step->info.time_ms},
                          {.number = (int64_t)step->info.objects},
                          {.number = (int64_t)step->info.bytes},
                          {.number = step->info.node_count},
                          {.number = step->info.leaf_count},
                          {.number = step->side[MC_SIDE_REFERENCES].count},
                          {.number = step->seen_count},
                          {.number = (int64_t)mc_mct_writer_get_kinds(self, step->column_mask)},
                          {.number = step->info.directions},
                          {.number = step->side[MC_SIDE_RENAMES].count},
                          {.number = (int64_t)mc_mct_writer_get_kinds(self, step->real_mask)}};
    return mc_mct_file_put(&self->file, MC_MCT_STEP, row, error);
}

mc_result mc_mct_writer_put_trace(mc_mct_writer *self, bool is_finished, mc_error *error) {
    const mc_trace_builder *builder = self->builder;
    mc_mct_field row[] = {{.number = 1},
                          {.number = builder->key_kind},
                          {.number = (int64_t)builder->step_count},
                          {.number = self->written.node_count},
                          {.number = self->written.string_count},
                          {.number = self->written.classifier_count},
                          {.number = self->written.own_count},
                          {.number = self->is_reordered},
                          {.number = is_finished},
                          {.number = self->written.metric_count}};
    return mc_mct_file_put(&self->file, MC_MCT_TRACE, row, error);
}

// ---- steps

mc_result mc_mct_writer_fail(mc_mct_writer *self, mc_result result) {
    self->is_failed = true;
    mc_mct_file_run(&self->file, "ROLLBACK", NULL);
    return result;
}

// Somebody else who writes would have the same numbers for other steps.
static mc_result check_alone(mc_mct_writer *self, mc_error *error) {
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    int64_t count = (int64_t)self->builder->step_count;
    int64_t written_count = 0;
    bool has_steps = false;
    mc_result result = mc_mct_file_has_rows(&self->file, MC_MCT_TRACE, &has_steps, error);
    if (result == MC_OK && has_steps) {
        result = mc_mct_file_get(&self->file, MC_MCT_TRACE, 1, row, error);
        if (result == MC_OK) written_count = row[MC_MCT_TRACE_STEPS].number;
    }
    if (result == MC_OK && count != written_count)
        result = mc_fail(error, MC_ERROR_IO, "%s: another program writes to it", self->file.path);
    mc_mct_file_release(&self->file, MC_MCT_TRACE);
    if (result != MC_OK) mc_mct_writer_fail(self, result);
    return result;
}

mc_result mc_mct_writer_begin(mc_mct_writer *self, mc_error *error) {
    if (self->is_failed)
        return mc_fail(error, MC_ERROR_IO, "%s: can't go on after what could not be written",
                       self->file.path);
    if (self->is_open) return MC_OK;
    mc_result result = mc_mct_file_run(&self->file, "BEGIN IMMEDIATE", error);
    if (result == MC_OK) result = check_alone(self, error);
    self->is_open = result == MC_OK;
    return result;
}

static mc_result write_limit(mc_mct_writer *self, const mc_seen_step *step, int64_t step_key,
                             mc_error *error) {
    mc_mct_field row[] = {{.number = step_key}, {.number = (int64_t)step->info.heap_limit}};
    if (step->info.heap_limit == 0) return MC_OK;
    mc_result result = mc_mct_file_add_limits(&self->file, error);
    return result == MC_OK ? mc_mct_file_put(&self->file, MC_MCT_LIMIT, row, error) : result;
}

static mc_result write_liveness(mc_mct_writer *self, const mc_seen_step *step, int64_t step_key,
                                mc_error *error) {
    mc_mct_field row[] = {{.number = step_key}, {.number = step->info.liveness}};
    if (step->info.liveness == MC_LIVENESS_UNKNOWN) return MC_OK;
    mc_result result = mc_mct_file_add_liveness(&self->file, error);
    return result == MC_OK ? mc_mct_file_put(&self->file, MC_MCT_LIVE, row, error) : result;
}

static mc_result write_damage(mc_mct_writer *self, const mc_seen_step *step, int64_t step_key,
                              mc_error *error) {
    if (!step->info.is_incomplete) return MC_OK;
    size_t size;
    const char *reason = mc_strings_get(&self->builder->strings, step->info.missing, &size);
    mc_mct_field row[] = {{.number = step_key}, {.data = reason, .size = size}};
    mc_result result = mc_mct_file_add_damages(&self->file, error);
    return result == MC_OK ? mc_mct_file_put(&self->file, MC_MCT_DAMAGE, row, error) : result;
}

static mc_result put_note(mc_mct_writer *self, int64_t step_key, const char *note,
                          mc_error *error) {
    if (!note) return MC_OK;
    mc_mct_field row[] = {{.number = step_key}, {.data = note, .size = strlen(note)}};
    mc_result result = mc_mct_file_add_notes(&self->file, error);
    return result == MC_OK ? mc_mct_file_put(&self->file, MC_MCT_NOTE, row, error) : result;
}

// With the first of its steps.
static mc_result write_program(mc_mct_writer *self, int64_t step_key, mc_error *error) {
    const mc_mct_program *program = self->program;
    if (!program) return MC_OK;
    mc_mct_field row[] = {{.number = step_key},
                          {.number = program->pid},
                          {.number = program->start_ms},
                          {.data = program->name, .size = strlen(program->name)}};
    mc_result result = mc_mct_file_add_programs(&self->file, error);
    if (result == MC_OK) result = mc_mct_file_put(&self->file, MC_MCT_PROGRAM, row, error);
    if (result == MC_OK) self->program = NULL;
    return result;
}

static mc_result write_step(mc_mct_writer *self, mc_error *error) {
    mc_trace_builder *builder = self->builder;
    const mc_seen_step *step = &builder->steps[builder->step_count - 1];
    int64_t step_key = (int64_t)builder->step_count;
    if (!mc_mct_writer_reserve_columns(self, builder->node_count))
        return mc_error_out_of_memory(error);
    mc_result result = write_classifiers(self, error);
    if (result == MC_OK) result = update_kinds(self, error);
    if (result == MC_OK) result = write_own_of_step(self, step, error);
    if (result == MC_OK) result = write_metrics(self, error);
    if (result == MC_OK) result = mc_mct_writer_put_columns(self, step, step_key, error);
    if (result == MC_OK) result = write_present(self, step, step_key, error);
    if (result == MC_OK && step->side[MC_SIDE_RENAMES].count > 0)
        result = mc_mct_writer_put_side(self, MC_SIDE_RENAMES, &step->side[MC_SIDE_RENAMES],
                                        step_key, error);
    if (result == MC_OK) result = write_limit(self, step, step_key, error);
    if (result == MC_OK) result = write_liveness(self, step, step_key, error);
    if (result == MC_OK) result = write_damage(self, step, step_key, error);
    if (result == MC_OK) result = put_note(self, step_key, step->note, error);
    if (result == MC_OK) result = write_program(self, step_key, error);
    if (result == MC_OK) result = mc_mct_writer_put_step(self, step, step_key, error);
    return result == MC_OK ? mc_mct_writer_put_trace(self, false, error) : result;
}

// Version 1 has no place for metrics beyond sizes.
static mc_result check_metrics(const mc_mct_writer *self, const mc_step_tree *tree,
                               mc_error *error) {
    mc_excerpt key;
    for (uint32_t i = 0; i < tree->metrics.count; i++) {
        const mc_metric_info *info = &tree->metrics.items[i];
        if (mc_mct_find_kind(self->file.version, info, MC_METRIC_FIRST_OWN + i) >= 0) continue;
        return mc_error_set(error, MC_ERROR_BAD_DATA, tree->columns[i].source_offset,
                            "the metric \"%s\" has no place in %s, a file of version 1; memcity "
                            "import %s -o NEW.mct makes one of version %d of it",
                            mc_excerpt_make(&key, info->key, info->key_size), self->file.path,
                            self->file.path, MC_MCT_VERSION);
    }
    return MC_OK;
}

// Of the first and of the last step the table of all nodes will need objects and bytes: these stay.
static void forget_columns(mc_mct_writer *self, uint32_t added) {
    mc_seen_step *steps = self->builder->steps;
    uint32_t *ends[] = {&self->first_kept, &self->last_kept};
    for (int i = 0; i < 2; i++) {
        uint32_t kept = *ends[i];
        bool is_beyond =
            kept == MC_NONE || (i == 0 ? steps[added].info.time_ms < steps[kept].info.time_ms
                                       : steps[added].info.time_ms > steps[kept].info.time_ms);
        if (!is_beyond) continue;
        *ends[i] = added;
        if (kept != MC_NONE && kept != *ends[1 - i]) mc_seen_step_forget_columns(&steps[kept]);
    }
    if (added != self->first_kept && added != self->last_kept)
        mc_seen_step_forget_columns(&steps[added]);
    mc_seen_step *step = &steps[added];
    for (; step->column_count > MC_METRIC_FIRST_OWN; step->column_count--)
        mc_packed_column_deinit(&step->columns[step->column_count - 1]);
}

mc_result mc_mct_writer_add_step(mc_mct_writer *self, const mc_step_tree *tree, const char *source,
                                 mc_error *error) {
    mc_result result = mc_builder_check_time(tree->time_ms, error);
    if (result != MC_OK) return result;
    if (tree->time_ms <= self->last_time_ms)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "time %" PRId64 " is not behind %" PRId64 ", that of the last step in %s",
                       tree->time_ms, self->last_time_ms, self->file.path);
    result = check_metrics(self, tree, error);
    if (result == MC_OK) result = mc_mct_writer_begin(self, error);
    if (result == MC_OK) result = mc_trace_builder_add_step(self->builder, tree, source, error);
    if (result != MC_OK) return result;
    result = write_step(self, error);
    if (result != MC_OK) return mc_mct_writer_fail(self, result);
    mc_seen_step *step = &self->builder->steps[self->builder->step_count - 1];
    mc_side_rows *renames = &step->side[MC_SIDE_RENAMES];
    mc_mct_writer_take_shares(self, step->column_mask, step->seen_count);
    forget_columns(self, (uint32_t)self->builder->step_count - 1);
    mc_free(renames->rows);
    renames->rows = NULL; // their count stays: the step's row may be written again
    return MC_OK;
}

// ---- the end of a step, and of all

static mc_result write_maxima(mc_mct_writer *self, mc_error *error) {
    mc_result result = mc_mct_writer_put_maxima(self, error);
    if (result == MC_OK) self->maximum_step_count = self->builder->step_count;
    if (result == MC_OK) self->has_stale_maxima = false;
    return result;
}

typedef struct timed_step {
    int64_t time_ms, key;
} timed_step;

typedef struct ranked {
    int64_t time_ms;
    uint32_t entry, node;
} ranked;

static int compare_places(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->time_ms != y->time_ms) return x->time_ms < y->time_ms ? -1 : 1;
    return x->entry < y->entry ? -1 : x->entry > y->entry;
}

// If steps came in another order than that of time, the nodes' numbers don't say in which order
// they appeared.
static mc_result write_appearance(mc_mct_writer *self, mc_error *error) {
    const mc_trace_builder *builder = self->builder;
    uint32_t count = (uint32_t)builder->node_count;
    ranked *places = mc_alloc(count, sizeof *places);
    if (!places) return mc_error_out_of_memory(error);
    self->is_reordered = false;
    for (uint32_t i = 0; i < count; i++) {
        const mc_seen_place *place = &builder->places[i];
        places[i] =
            (ranked){.time_ms = place->first_time_ms, .entry = place->first_entry, .node = i};
        self->is_reordered |= i > 0 && compare_places(&places[i - 1], &places[i]) > 0;
    }
    mc_result result = MC_OK;
    if (self->is_reordered) {
        qsort(places, count, sizeof *places, compare_places);
        for (uint32_t i = 0; i < count; i++)
            self->values[places[i].node] = i;
        mc_mct_field row[] = {{.number = 1}, {.number = count}, {0}};
        result = mc_mct_writer_encode(self, 0, self->values, count, MC_MCT_CHAIN,
                                      &row[MC_MCT_APPEARANCE_RANKS], error);
        if (result == MC_OK) result = mc_mct_file_put(&self->file, MC_MCT_APPEARANCE, row, error);
    }
    mc_free(places);
    return result;
}

void mc_mct_writer_measure(const mc_mct_writer *self, size_t *node_count, size_t *name_size) {
    *node_count = self->builder->node_count;
    *name_size = self->builder->strings.bytes_size;
}

mc_result mc_mct_writer_commit(mc_mct_writer *self, mc_error *error) {
    if (!self->is_open && !self->is_failed) return MC_OK;
    mc_result result = mc_mct_writer_begin(self, error);
    if (result != MC_OK) return result;
    if (self->has_stale_maxima ||
        self->builder->step_count >= self->maximum_step_count + MAXIMUM_INTERVAL)
        result = write_maxima(self, error);
    if (result == MC_OK) result = mc_mct_file_run(&self->file, "COMMIT", error);
    if (result != MC_OK) return mc_mct_writer_fail(self, result);
    self->is_open = false;
    return MC_OK;
}

static void warn(const mc_mct_writer *self) {
    const mc_trace_builder *builder = self->builder;
    if (builder->renamed_count > 0)
        mc_log_write(self->log, MC_LOG_WARNING, MC_WARNING_RENAMED, builder->renamed_count);
    if (self->contradiction_count == 0) return;
    size_t size;
    const char *key =
        mc_strings_get(&builder->strings, builder->nodes[self->contradiction_node].key, &size);
    mc_excerpt excerpt;
    mc_log_write(self->log, MC_LOG_WARNING, MC_WARNING_CONTRADICTIONS, self->contradiction_count,
                 mc_excerpt_make(&excerpt, key, size));
}

static int compare_keys_by_time(const void *a, const void *b) {
    const timed_step *x = a, *y = b;
    return x->time_ms < y->time_ms ? -1 : x->time_ms > y->time_ms;
}

mc_result mc_mct_writer_take_notes(mc_mct_writer *self, const mc_note_list *notes,
                                   mc_error *error) {
    uint32_t count = (uint32_t)self->builder->step_count;
    timed_step *steps = mc_alloc((size_t)count + 1, sizeof *steps);
    int64_t *times_ms = mc_alloc((size_t)count + 1, sizeof *times_ms);
    char **texts = mc_alloc_zero((size_t)count + 1, sizeof *texts);
    mc_result result = steps && times_ms && texts ? MC_OK : mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        steps[i] = (timed_step){self->builder->steps[i].info.time_ms, (int64_t)i + 1};
    if (result == MC_OK && count > 0) qsort(steps, count, sizeof *steps, compare_keys_by_time);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        times_ms[i] = steps[i].time_ms;
    if (result == MC_OK) result = mc_note_list_place(notes, times_ms, count, texts, error);
    if (result == MC_OK) result = mc_mct_writer_begin(self, error);
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        result = put_note(self, steps[i].key, texts[i], error);
    for (uint32_t i = 0; i < count && texts; i++)
        mc_free(texts[i]);
    mc_free(texts);
    mc_free(times_ms);
    mc_free(steps);
    return result;
}

mc_result mc_mct_writer_finish(mc_mct_writer *self, mc_error *error) {
    if (self->builder->step_count == 0)
        return mc_fail(error, MC_ERROR_BAD_DATA, "a trace needs a step");
    mc_result result = mc_mct_writer_begin(self, error);
    if (result != MC_OK) return result;
    result = write_maxima(self, error);
    if (result == MC_OK) result = write_appearance(self, error);
    if (result == MC_OK) result = mc_mct_write_growth(self, error);
    if (result == MC_OK) result = mc_mct_writer_put_trace(self, true, error);
    if (result != MC_OK) return mc_mct_writer_fail(self, result);
    result = mc_mct_writer_commit(self, error);
    if (result == MC_OK) warn(self);
    return result;
}
