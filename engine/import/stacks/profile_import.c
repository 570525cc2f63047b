#include "engine/import/stacks/profile_import.h"

#include "engine/base/memory.h"
#include "engine/base/ordered_queue.h"
#include "engine/base/parallel.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/format/bad_input.h"
#include "engine/import/stacks/symbols.h"
#include <inttypes.h>
#include <string.h>

#define THREADS_MOST 4
#define REPORT_INTERVAL_MS 50

// A file, and what came of it.
typedef struct job {
    const mc_source_file *file;
    mc_file_map mapping;
    mc_inflate_buffer unpacked;
    mc_profile profile;
    mc_result result;
    mc_error error;
    bool is_unpacked;
} job;

typedef struct importer {
    const mc_import_context *context;
    const mc_profile_kind *kind;
    mc_ordered_queue *queue;
    job jobs[MC_ORDERED_QUEUE_THREADS_MOST + 1];
    mc_stack_sites *sites;
    mc_symbols *symbols;                             // NULL: no file has addresses
    uint64_t frame_count, unnamed_count;             // of all files, as of their steps
    bool has_told;                                   // that most have no names
    mc_path_metric metrics[MC_PATH_METRIC_MOST + 1]; // of the sites
    mc_strings times;                                // of files that say none, as bytes
    mc_step_tree tree;
    mc_text text; // scratch
} importer;

// ---- in any thread

static mc_result parse(const importer *self, job *j) {
    mc_import_watch *watch = self->context->watch;
    mc_profile_input input = {.data = j->mapping.data,
                              .size = j->mapping.size,
                              .path = j->file->path,
                              .desc = self->context->desc,
                              .watch = watch,
                              .is_of_several = self->context->step_count > 1};
    bool is_packed = mc_inflate_detect(input.data, input.size) != MC_COMPRESSION_NONE;
    if (is_packed) {
        mc_result result = mc_inflate(input.data, input.size, &j->unpacked, watch, &j->error);
        if (result != MC_OK) return result;
        j->is_unpacked = true;
        input.data = j->unpacked.data;
        input.size = j->unpacked.size;
    }
    mc_result result = self->kind->parse(&input, &j->profile, &j->error);
    if (result == MC_OK && !self->symbols && !mc_profile_identify(&j->profile))
        result = mc_error_out_of_memory(&j->error);
    if (!is_packed) mc_import_watch_add(watch, j->mapping.size);
    return result;
}

static void run(void *user, uint32_t number, uint32_t thread) {
    importer *self = user;
    job *j = &self->jobs[number];
    (void)thread;
    j->error = (mc_error){.code = MC_OK};
    j->is_unpacked = false;
    mc_profile_clear(&j->profile);
    j->result = parse(self, j);
    j->result = mc_file_map_finish(&j->mapping, j->file->path, j->result, &j->error);
}

// ---- steps

mc_stack_sites_desc mc_profile_get_sites_desc(const mc_profile *profile,
                                              const mc_import_desc *desc) {
    mc_stack_sites_desc sites = {.depth =
                                     desc->profiles.depth ? desc->profiles.depth : MC_SITES_DEPTH,
                                 .has_libraries = desc->profiles.has_libraries};
    memcpy(sites.metrics, profile->metrics, sizeof sites.metrics);
    return sites;
}

static bool is_same(const mc_path_metric *a, const mc_path_metric *b) {
    for (; a->key && b->key; a++, b++)
        if (strcmp(a->key, b->key) != 0 || strcmp(a->title, b->title) != 0 || a->unit != b->unit ||
            a->is_real != b->is_real || a->kind != b->kind)
            return false;
    return !a->key && !b->key;
}

struct mc_profile_found {
    uint32_t begin; // in `found`; of one alone the site frame itself
    uint32_t count; // MC_NONE: not met yet
};

static bool add_found(mc_profile_steps *self, const mc_site_frame *frame) {
    uint32_t number = mc_stack_sites_add_frame(self->sites, frame);
    if (number == MC_NONE ||
        !mc_reserve(&self->found, &self->found_capacity, self->found_count + 1, sizeof number))
        return false;
    self->found[self->found_count++] = number;
    return true;
}

// An address may be that of several frames.
static bool find_frames(mc_profile_steps *self, uint32_t index) {
    const mc_site_frame *frame = &self->profile->frames[index];
    mc_site_frame named[MC_SYMBOLS_MOST];
    uint32_t count = 0;
    self->places[index].begin = (uint32_t)self->found_count;
    if (self->symbols) count = mc_symbols_find(self->symbols, self->path, frame, named);
    if (count == MC_NONE) return false;
    self->frame_count++;
    self->unnamed_count += self->symbols && count == 0 && frame->address > 0 &&
                           frame->function.size == 0 && frame->file.size == 0;
    for (uint32_t i = 0; i < count; i++)
        if (!add_found(self, &named[i])) return false;
    if (count == 0 && !add_found(self, frame)) return false;
    struct mc_profile_found *place = &self->places[index];
    place->count = (uint32_t)(self->found_count - place->begin);
    if (place->count == 1) place->begin = self->found[--self->found_count];
    return true;
}

static bool push_frames(mc_profile_steps *self, uint32_t index, uint32_t *count) {
    const struct mc_profile_found *place = &self->places[index];
    if (place->count == MC_NONE && !find_frames(self, index)) return false;
    size_t needed = (size_t)*count + place->count;
    if (needed > self->stack_capacity &&
        !mc_reserve(&self->stack, &self->stack_capacity, needed, sizeof *self->stack))
        return false;
    if (place->count == 1) {
        self->stack[(*count)++] = place->begin;
        return true;
    }
    for (uint32_t i = 0; i < place->count; i++)
        self->stack[(*count)++] = self->found[place->begin + i];
    return true;
}

// Of a sample's frames. MC_NONE: out of memory.
static uint32_t find_frames_group(mc_profile_steps *self, size_t index) {
    const mc_profile *profile = self->profile;
    const mc_profile_sample *sample = &profile->samples[index];
    mc_stack_id id = {{0, 0}};
    uint32_t group = MC_NONE, count = 0;
    if (profile->has_ids) {
        id = profile->ids[index];
        group = mc_stack_sites_find_known(self->sites, &id);
        if (group != MC_NONE) return group;
    }
    for (uint32_t i = 0; i < sample->frame_count; i++)
        if (!push_frames(self, profile->stack_frames[sample->frames_begin + i], &count))
            return MC_NONE;
    for (uint32_t i = 0; i < count && !profile->has_ids; i++) {
        mc_stack_id frame = mc_stack_id_of_number(self->stack[i]);
        mc_stack_id_add_frame(&id, i, &frame);
    }
    if (!profile->has_ids) group = mc_stack_sites_find_known(self->sites, &id);
    if (group != MC_NONE) return group;
    group = mc_stack_sites_find(self->sites, self->stack, count, NULL, 0);
    return group == MC_NONE || mc_stack_sites_note(self->sites, &id, group) ? group : MC_NONE;
}

// MC_NONE: out of memory.
static uint32_t find_group(mc_profile_steps *self, size_t index) {
    const mc_profile *profile = self->profile;
    const mc_profile_sample *sample = &profile->samples[index];
    bool has_frames = !sample->name || sample->frame_count > 0;
    uint32_t group = has_frames ? find_frames_group(self, index) : 0;
    if (has_frames && group != MC_NONE && sample->label_count > 0)
        group = mc_stack_sites_find_labels(
            self->sites, group, profile->labels + sample->labels_begin, sample->label_count);
    if (!sample->name || group == MC_NONE) return group;
    return mc_stack_sites_find_named(self->sites, group, sample->name);
}

static mc_result count_samples(mc_profile_steps *self, uint32_t step, mc_error *error) {
    const mc_profile *profile = self->profile;
    size_t metric_count = 0, end = profile->sample_count;
    while (profile->metrics[metric_count].key)
        metric_count++;
    if (step + 1 < profile->step_count) end = profile->steps[step + 1].first_sample;
    for (size_t i = profile->steps[step].first_sample; i < end; i++) {
        const mc_profile_sample *sample = &profile->samples[i];
        uint32_t group = find_group(self, i);
        if (group == MC_NONE) return mc_error_out_of_memory(error);
        if (!mc_stack_sites_count(self->sites, group, profile->values + i * metric_count,
                                  sample->offset))
            return mc_error_set(error, MC_ERROR_BAD_DATA, sample->offset,
                                "all values together are more than 2^63 - 1");
    }
    return MC_OK;
}

static bool make_room(mc_profile_steps *self) {
    size_t size = (self->profile->frame_count + 1) * sizeof *self->places;
    if (self->places) return true;
    self->places = mc_alloc(size, 1);
    if (!self->places) return false;
    memset(self->places, 0xff, size);
    return true;
}

void mc_profile_steps_deinit(mc_profile_steps *steps) {
    mc_free(steps->places);
    mc_free(steps->found);
    mc_free(steps->stack);
    *steps = (mc_profile_steps){.profile = NULL};
}

static bool add_totals(const mc_profile *profile, const mc_profile_step *step, mc_step_tree *tree) {
    if (!mc_profile_add_sampling(tree, profile->sampling)) return false;
    for (size_t i = 0; profile->totals[i].key; i++)
        if (!mc_profile_add_total(tree, &profile->totals[i], step->totals[i])) return false;
    return true;
}

mc_result mc_profile_steps_fill_tree(mc_profile_steps *steps, uint32_t step_index,
                                     mc_step_tree *tree, mc_error *error) {
    const mc_profile_step *step = &steps->profile->steps[step_index];
    mc_result result =
        make_room(steps) ? count_samples(steps, step_index, error) : mc_error_out_of_memory(error);
    if (result == MC_OK)
        result = mc_stack_sites_fill_tree(steps->sites, tree, error);
    else
        mc_stack_sites_clear(steps->sites);
    if (result == MC_OK && !add_totals(steps->profile, step, tree))
        result = mc_error_out_of_memory(error);
    if (result == MC_OK) tree->note = step->note;
    return result;
}

// Groups go on from file to file as long as their metrics are the same.
static mc_result prepare_sites(importer *self, const mc_profile *profile, mc_error *error) {
    if (self->sites && is_same(self->metrics, profile->metrics)) return MC_OK;
    mc_stack_sites_destroy(self->sites);
    mc_stack_sites_desc desc = mc_profile_get_sites_desc(profile, self->context->desc);
    memcpy(self->metrics, profile->metrics, sizeof self->metrics);
    return mc_stack_sites_create(&desc, &self->sites, error);
}

// Dumps that were written at once, or copied since, have one time of change: they are a millisecond
// apart.
static mc_result set_time(importer *self, const char *path, uint32_t index,
                          const mc_profile_step *step, mc_error *error) {
    mc_time_origin origin;
    int64_t *time_ms = &self->tree.time_ms;
    mc_result result =
        mc_step_clock_get(self->context->clock, path, index, step->has_time ? &step->time_ms : NULL,
                          time_ms, &origin, error);
    if (result != MC_OK || origin != MC_TIME_FROM_CHANGE) return result;
    while (mc_strings_find(&self->times, (const char *)time_ms, sizeof *time_ms) != MC_NONE)
        ++*time_ms;
    return mc_strings_intern(&self->times, (const char *)time_ms, sizeof *time_ms) == MC_NONE
               ? mc_error_out_of_memory(error)
               : MC_OK;
}

static mc_result add_step(importer *self, const job *j, mc_profile_steps *steps, uint32_t index,
                          mc_error *error) {
    const mc_import_sink *sink = self->context->sink;
    const mc_profile_step *step = &j->profile.steps[index];
    mc_result result = mc_profile_steps_fill_tree(steps, index, &self->tree, error);
    if (result == MC_OK && self->kind->complete) result = self->kind->complete(&self->tree, error);
    if (result == MC_OK) result = set_time(self, j->file->path, index, step, error);
    mc_text_clear(&self->text);
    mc_text_append_string(&self->text, j->file->path);
    if (j->profile.step_count > 1) mc_text_format(&self->text, "[%" PRIu32 "]", index);
    if (result == MC_OK && self->text.failed) result = mc_error_out_of_memory(error);
    if (result == MC_OK) result = sink->add_step(sink->user, &self->tree, self->text.data, error);
    if (result == MC_OK) self->context->report->step_count++;
    return result;
}

static mc_result add_steps(importer *self, job *j) {
    const mc_profile *profile = &j->profile;
    if (j->result != MC_OK) return j->result;
    if (profile->warning)
        mc_log_write(self->context->desc->log, MC_LOG_WARNING, "%s: %s", j->file->path,
                     profile->warning);
    mc_result result = prepare_sites(self, profile, &j->error);
    mc_profile_steps steps = {
        .profile = profile, .sites = self->sites, .symbols = self->symbols, .path = j->file->path};
    for (uint32_t i = 0; i < profile->step_count && result == MC_OK; i++)
        result = add_step(self, j, &steps, i, &j->error);
    self->frame_count += steps.frame_count;
    self->unnamed_count += steps.unnamed_count;
    mc_profile_steps_deinit(&steps);
    return result;
}

// Once, if half of them or more tell nobody which code it is.
static void tell_unnamed(importer *self) {
    const mc_import_desc *desc = self->context->desc;
    if (self->has_told || self->unnamed_count == 0 || self->unnamed_count * 2 < self->frame_count)
        return;
    self->has_told = true;
    mc_log_write(desc->log, MC_LOG_WARNING, "most frames are addresses without names; %s",
                 desc->profiles.symbols
                     ? "the files that --symbols names have none for them"
                     : "--symbols FILE,FOLDER finds these in the program and its libraries, built "
                       "with -g");
}

// The oldest of the files that are being read, once it is.
static mc_result merge_next(importer *self, mc_error *error) {
    uint32_t number;
    do {
        mc_result result = mc_import_report_progress(self->context, error);
        if (result != MC_OK) return result;
        number = mc_ordered_queue_wait(self->queue, REPORT_INTERVAL_MS);
    } while (number == MC_NONE);
    job *j = &self->jobs[number];
    mc_result result = add_steps(self, j);
    if (result != MC_OK) {
        mc_bad_input_add_place(&j->error, j->file->path, MC_BAD_INPUT_NO_ELEMENT, j->is_unpacked);
        result = mc_bad_input_skip(self->context->desc, self->context->report, &j->error);
        if (result != MC_OK && error) *error = j->error;
    }
    mc_file_map_close(&j->mapping);
    mc_ordered_queue_release(self->queue);
    return result;
}

// ---- as of mc_format

mc_result mc_profile_importer_read(void *reader, const mc_source_file *file, mc_file_map *mapping,
                                   mc_error *error) {
    importer *self = reader;
    uint32_t number;
    while ((number = mc_ordered_queue_get_free(self->queue)) == MC_NONE) {
        mc_result result = merge_next(self, error);
        if (result != MC_OK) return result;
    }
    self->jobs[number].file = file;
    self->jobs[number].mapping = *mapping;
    *mapping = (mc_file_map){.data = NULL};
    mc_ordered_queue_submit(self->queue);
    return MC_OK;
}

mc_result mc_profile_importer_flush(void *reader, mc_error *error) {
    importer *self = reader;
    mc_result result = MC_OK;
    while (result == MC_OK && mc_ordered_queue_get_count(self->queue) > 0)
        result = merge_next(self, error);
    if (result == MC_OK) tell_unnamed(self);
    return result;
}

// The calling thread makes steps of what the others parse.
static uint32_t choose_thread_count(void) {
    uint32_t count = mc_parallel_get_core_count();
    return count <= 1 ? 0 : count < THREADS_MOST ? count : THREADS_MOST;
}

mc_result mc_profile_importer_create(const mc_import_context *context, const mc_profile_kind *kind,
                                     void **reader, mc_error *error) {
    importer *self = *reader = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->context = context;
    self->kind = kind;
    mc_result result =
        mc_ordered_queue_create(choose_thread_count(), run, self, &self->queue, error);
    if (result == MC_OK && kind->has_addresses)
        result = mc_symbols_create(context->desc->profiles.symbols, context->desc->log,
                                   &self->symbols, error);
    if (result == MC_OK) return MC_OK;
    mc_profile_importer_destroy(self);
    *reader = NULL;
    return result;
}

void mc_profile_importer_destroy(void *reader) {
    importer *self = reader;
    if (!self) return;
    mc_ordered_queue_destroy(self->queue);
    for (size_t i = 0; i < sizeof self->jobs / sizeof *self->jobs; i++) {
        mc_file_map_close(&self->jobs[i].mapping);
        mc_inflate_buffer_deinit(&self->jobs[i].unpacked);
        mc_profile_deinit(&self->jobs[i].profile);
    }
    mc_stack_sites_destroy(self->sites);
    mc_symbols_destroy(self->symbols);
    mc_step_tree_deinit(&self->tree);
    mc_strings_deinit(&self->times);
    mc_text_deinit(&self->text);
    mc_free(self);
}
