#include "engine/import/jfr/jfr_steps.h"

#include "engine/base/memory.h"
#include "engine/import/stacks/profile.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LABEL_VALUES_MOST 4096 // classes, and threads, that are told apart
#define NOTES_MOST 20          // of the longest pauses
#define NOTED_PAUSE_NS 10000000
#define SHARE_TOLD 2    // a root that holds half of the samples or more is named
#define SAMPLES_TOLD 20 // of fewer no share is told
#define NS_PER_MS 1e6
#define SUMS_AT_ONCE ((size_t)1 << 16)
#define SUMS_MOST ((size_t)1 << 22)

static const mc_path_metric allocated = {MC_METRIC_ALLOCATED_SO_FAR, "allocated so far",
                                         MC_UNIT_BYTES, false, MC_METRIC_STOCK};
static const mc_path_metric old = {MC_METRIC_OLD_OBJECTS, "sampled old objects", MC_UNIT_COUNT,
                                   false, MC_METRIC_STOCK};
static const mc_path_metric totals[] = {
    {MC_METRIC_HEAP_AFTER_GC, "heap used after a collection", MC_UNIT_BYTES, false,
     MC_METRIC_STOCK},
    MC_PROFILE_RESIDENT,
    {"native", "native memory committed", MC_UNIT_BYTES, false, MC_METRIC_STOCK},
    {"gc_pause", "pauses for collections", MC_UNIT_TIME, true, MC_METRIC_FLOW}};
enum { HEAP, RESIDENT, NATIVE, PAUSE, TOTAL_COUNT };
// Of native allocations; where no frees are recorded, what is alive is not known.
static const mc_path_metric native_metrics[] = {
    MC_SITES_OBJECTS, MC_SITES_BYTES, MC_SITES_ALLOCATED_OBJECTS, MC_SITES_ALLOCATED_BYTES};
enum { LIVE_OBJECTS, LIVE_BYTES, ALLOCATED_OBJECTS, ALLOCATED_BYTES, NATIVE_COUNT };
static const mc_path_metric most = MC_PROFILE_MOST;

enum { ALLOCATED, OLD, FIRST_NATIVE, METRIC_COUNT = FIRST_NATIVE + NATIVE_COUNT };

struct mc_jfr_steps {
    const mc_jfr *jfr;
    mc_stack_sites *sites, *last_sites; // the latter with old objects
    uint32_t *frames[2];                // of each text as a frame of these; MC_NONE: not met yet
    uint32_t *cells;                    // in the order of moments
    uint32_t *begins;                   // of each moment among them, and one more
    uint64_t *sums;                     // of each kind of allocation, up to the moment; counted
    uint32_t *kind_groups[2];           // of each kind, in these; MC_NONE: not met yet
    uint32_t *native_groups[2];         // the same of kinds of native allocations
    uint32_t places[METRIC_COUNT];      // of each metric among the sites' ones; MC_NONE
    mc_film_step film;                  // of the moment, if there are native allocations
    uint32_t *groups;                   // of the old objects
    bool has_series[TOTAL_COUNT];
    uint64_t noted_pause_ns; // of moments that have a note; 0: all
    mc_text note, pause;     // of the step
};

// ---- preparing

// What is allocated, if it is known or nothing else is; then native allocations.
static void choose_metrics(mc_jfr_steps *self) {
    const mc_jfr_mallocs *mallocs = self->jfr->mallocs;
    uint32_t place = 0;
    memset(self->places, 0xff, sizeof self->places);
    // Without frees, native allocations are what is allocated in a recording of nothing else: that
    // does not grow as what is alive does.
    if (self->jfr->cell_count > 0 || !mallocs || mallocs->free_count == 0)
        self->places[ALLOCATED] = place++;
    for (uint32_t i = 0; i < NATIVE_COUNT && mallocs; i++)
        if (i >= ALLOCATED_OBJECTS || mallocs->free_count > 0)
            self->places[FIRST_NATIVE + i] = place++;
    self->places[OLD] = place;
}

static mc_result create_sites(const mc_jfr_steps *self, const mc_profile_options *options,
                              bool has_old, mc_stack_sites **sites, mc_error *error) {
    mc_stack_sites_desc desc = {.depth = options->depth ? options->depth : MC_SITES_DEPTH,
                                .has_libraries = options->has_libraries,
                                .label_value_most = LABEL_VALUES_MOST};
    if (self->places[ALLOCATED] != MC_NONE) desc.metrics[self->places[ALLOCATED]] = allocated;
    for (uint32_t i = 0; i < NATIVE_COUNT; i++)
        if (self->places[FIRST_NATIVE + i] != MC_NONE)
            desc.metrics[self->places[FIRST_NATIVE + i]] = native_metrics[i];
    if (has_old) desc.metrics[self->places[OLD]] = old;
    return mc_stack_sites_create(&desc, sites, error);
}

static void sort_cells(mc_jfr_steps *self) {
    const mc_jfr *jfr = self->jfr;
    for (size_t i = 0; i < jfr->cell_count; i++)
        self->begins[jfr->cells[i].moment + 1]++;
    for (uint32_t i = 0; i < jfr->moment_count; i++)
        self->begins[i + 1] += self->begins[i];
    for (size_t i = jfr->cell_count; i-- > 0;)
        self->cells[--self->begins[jfr->cells[i].moment + 1]] = (uint32_t)i;
    // each entry is now where its moment begins, one entry further on
    memmove(self->begins, self->begins + 1, jfr->moment_count * sizeof *self->begins);
    self->begins[jfr->moment_count] = (uint32_t)jfr->cell_count;
}

static int compare_falling(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? 1 : x > y ? -1 : 0;
}

static bool choose_notes(mc_jfr_steps *self) {
    const mc_jfr *jfr = self->jfr;
    uint64_t *pauses = mc_alloc(jfr->moment_count, sizeof *pauses);
    if (!pauses) return false;
    for (uint32_t i = 0; i < jfr->moment_count; i++)
        pauses[i] = jfr->moments[i].longest_ns;
    qsort(pauses, jfr->moment_count, sizeof *pauses, compare_falling);
    if (jfr->moment_count > NOTES_MOST) self->noted_pause_ns = pauses[NOTES_MOST - 1];
    if (self->noted_pause_ns < NOTED_PAUSE_NS) self->noted_pause_ns = NOTED_PAUSE_NS;
    mc_free(pauses);
    return true;
}

static void find_series(mc_jfr_steps *self) {
    for (uint32_t i = 0; i < self->jfr->moment_count; i++) {
        const mc_jfr_moment *moment = &self->jfr->moments[i];
        self->has_series[HEAP] |= moment->heap_used.value != MC_COUNT_UNKNOWN;
        self->has_series[RESIDENT] |= moment->resident.value != MC_COUNT_UNKNOWN;
        self->has_series[NATIVE] |= moment->native.value != MC_COUNT_UNKNOWN;
        self->has_series[PAUSE] |= moment->pause_count > 0;
    }
}

static bool prepare(mc_jfr_steps *self) {
    size_t text_count = (size_t)self->jfr->names.texts.count + 1;
    for (int i = 0; i < 2; i++) {
        self->frames[i] = mc_alloc(text_count, sizeof *self->frames[i]);
        if (!self->frames[i]) return false;
        memset(self->frames[i], 0xff, text_count * sizeof *self->frames[i]);
    }
    size_t kind_count = (size_t)self->jfr->names.kinds.count + 1;
    for (int i = 0; i < 2; i++) {
        self->kind_groups[i] = mc_alloc(kind_count, sizeof *self->kind_groups[i]);
        if (!self->kind_groups[i]) return false;
        memset(self->kind_groups[i], 0xff, kind_count * sizeof *self->kind_groups[i]);
    }
    size_t native_count = (size_t)self->jfr->names.native_kinds.count + 1;
    for (int i = 0; i < 2; i++) {
        self->native_groups[i] = mc_alloc(native_count, sizeof *self->native_groups[i]);
        if (!self->native_groups[i]) return false;
        memset(self->native_groups[i], 0xff, native_count * sizeof *self->native_groups[i]);
    }
    self->sums = mc_alloc_zero(kind_count, sizeof *self->sums);
    self->cells = mc_alloc(self->jfr->cell_count + 1, sizeof *self->cells);
    self->begins = mc_alloc_zero((size_t)self->jfr->moment_count + 1, sizeof *self->begins);
    self->groups = mc_alloc(self->jfr->old_objects.count + 1, sizeof *self->groups);
    if (!self->sums || !self->cells || !self->begins || !self->groups) return false;
    sort_cells(self);
    find_series(self);
    return choose_notes(self);
}

mc_result mc_jfr_steps_create(const mc_jfr *jfr, const mc_profile_options *options,
                              mc_jfr_steps **steps, mc_error *error) {
    mc_jfr_steps *self = *steps = mc_alloc_zero(1, sizeof *self);
    if (!self) return mc_error_out_of_memory(error);
    self->jfr = jfr;
    choose_metrics(self);
    mc_result result = create_sites(self, options, false, &self->sites, error);
    if (result == MC_OK) result = create_sites(self, options, true, &self->last_sites, error);
    if (result == MC_OK && !prepare(self)) result = mc_error_out_of_memory(error);
    if (result == MC_OK) return MC_OK;
    mc_jfr_steps_destroy(self);
    *steps = NULL;
    return result;
}

void mc_jfr_steps_destroy(mc_jfr_steps *self) {
    if (!self) return;
    mc_stack_sites_destroy(self->sites);
    mc_stack_sites_destroy(self->last_sites);
    mc_free(self->frames[0]);
    mc_free(self->frames[1]);
    mc_free(self->kind_groups[0]);
    mc_free(self->kind_groups[1]);
    mc_free(self->native_groups[0]);
    mc_free(self->native_groups[1]);
    mc_free(self->sums);
    mc_free(self->cells);
    mc_free(self->begins);
    mc_free(self->groups);
    mc_text_deinit(&self->note);
    mc_text_deinit(&self->pause);
    mc_free(self);
}

// ---- groups

static mc_span get_text(const mc_jfr_steps *self, uint32_t text) {
    mc_span span;
    span.at = mc_strings_get(&self->jfr->names.texts, text, &span.size);
    return span;
}

static mc_site_frame get_frame(const mc_jfr_steps *self, uint32_t text) {
    const mc_span all = get_text(self, text);
    const char *end = memchr(all.at, 0, all.size);
    if (!end) return (mc_site_frame){.function = all};
    const size_t size = (size_t)(end - all.at);
    return (mc_site_frame){.function = {all.at, size}, .module = {end + 1, all.size - size - 1}};
}

// MC_NONE: out of memory.
static uint32_t find_group(mc_jfr_steps *self, bool is_last, const mc_jfr_kind_key *key) {
    static const char class[] = "Class", thread[] = "Thread";
    mc_stack_sites *sites = is_last ? self->last_sites : self->sites;
    uint32_t stack[MC_JFR_FRAMES_MOST];
    uint32_t count = mc_jfr_names_get_stack(&self->jfr->names, key->stack, stack);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t *frame = &self->frames[is_last][stack[i]];
        const mc_site_frame named = get_frame(self, stack[i]);
        if (*frame == MC_NONE) *frame = mc_stack_sites_add_frame(sites, &named);
        if (*frame == MC_NONE) return MC_NONE;
        stack[i] = *frame;
    }
    mc_site_label labels[2];
    uint32_t label_count = 0;
    if (key->class != MC_NONE)
        labels[label_count++] =
            (mc_site_label){{class, sizeof class - 1}, get_text(self, key->class)};
    labels[label_count++] =
        (mc_site_label){{thread, sizeof thread - 1}, get_text(self, key->thread)};
    return mc_stack_sites_find(sites, stack, count, labels, label_count);
}

// `values`: of all metrics, of which the sites have some.
static mc_result count(mc_jfr_steps *self, bool is_last, uint32_t group,
                       const uint64_t values[METRIC_COUNT], mc_error *error) {
    uint64_t placed[METRIC_COUNT];
    if (group == MC_NONE) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < METRIC_COUNT; i++)
        if (self->places[i] != MC_NONE) placed[self->places[i]] = values[i];
    return mc_stack_sites_count(is_last ? self->last_sites : self->sites, group, placed, 0)
               ? MC_OK
               : mc_fail(error, MC_ERROR_BAD_DATA,
                         "JFR recording: all together is more than 2^63 - 1");
}

static uint32_t find_kind_group(mc_jfr_steps *self, bool is_last, uint32_t kind) {
    uint32_t *group = &self->kind_groups[is_last][kind];
    const mc_jfr_kind_key key = mc_jfr_names_get_kind(&self->jfr->names, kind);
    if (*group == MC_NONE) *group = find_group(self, is_last, &key);
    return *group;
}

// What was allocated up to the moment: sites differ by far more than moments do.
static mc_result count_allocated(mc_jfr_steps *self, uint32_t moment, bool is_last,
                                 mc_error *error) {
    const mc_jfr *jfr = self->jfr;
    mc_result result = MC_OK;
    for (uint32_t i = self->begins[moment]; i < self->begins[moment + 1]; i++) {
        const mc_jfr_cell *cell = &jfr->cells[self->cells[i]];
        uint64_t bytes = jfr->sample_count > 0 ? cell->sampled_bytes : cell->tlab_bytes;
        uint64_t *sum = &self->sums[cell->kind];
        *sum = bytes > MC_COUNT_MAX - *sum ? MC_COUNT_MAX : *sum + bytes;
    }
    const uint32_t kind_count = self->jfr->names.kinds.count;
    for (uint32_t kind = 0; kind < kind_count && result == MC_OK; kind++)
        if (self->sums[kind] > 0)
            result = count(self, is_last, find_kind_group(self, is_last, kind),
                           (const uint64_t[METRIC_COUNT]){[ALLOCATED] = self->sums[kind]}, error);
    // A step has a group, so that its metrics are known.
    if (result == MC_OK && jfr->cell_count > 0)
        result = count(self, is_last, find_kind_group(self, is_last, jfr->cells[0].kind),
                       (const uint64_t[METRIC_COUNT]){0}, error);
    return result;
}

static uint32_t find_native_group(mc_jfr_steps *self, bool is_last, uint32_t kind) {
    uint32_t *group = &self->native_groups[is_last][kind];
    const mc_jfr_kind_key key = mc_jfr_names_get_native_kind(&self->jfr->names, kind);
    if (*group == MC_NONE) *group = find_group(self, is_last, &key);
    return *group;
}

// Native allocations, of which the film's next step is this one.
static mc_result count_native(mc_jfr_steps *self, bool is_last, mc_error *error) {
    const bool is_alone = self->jfr->cell_count == 0;
    mc_result result = MC_OK;
    if (!self->jfr->mallocs || !mc_film_next_step(&self->jfr->mallocs->film, &self->film))
        return MC_OK;
    const uint32_t kind_count = self->jfr->names.native_kinds.count;
    for (uint32_t kind = 0; kind < kind_count && result == MC_OK; kind++) {
        const mc_film_counts *now = &self->film.kinds[kind].now;
        const uint64_t values[METRIC_COUNT] = {[ALLOCATED] = is_alone ? now->alloc_bytes : 0,
                                               [FIRST_NATIVE + LIVE_OBJECTS] = now->objects,
                                               [FIRST_NATIVE + LIVE_BYTES] = now->bytes,
                                               [FIRST_NATIVE + ALLOCATED_OBJECTS] =
                                                   now->alloc_objects,
                                               [FIRST_NATIVE + ALLOCATED_BYTES] = now->alloc_bytes};
        // The first one in any case, so that the step's metrics are known.
        if (kind == 0 || now->alloc_objects > 0)
            result = count(self, is_last, find_native_group(self, is_last, kind), values, error);
    }
    return result;
}

static mc_result count_old_objects(mc_jfr_steps *self, mc_error *error) {
    const mc_jfr_old_objects *objects = &self->jfr->old_objects;
    mc_result result = MC_OK;
    for (size_t i = 0; i < objects->count && result == MC_OK; i++) {
        self->groups[i] = find_kind_group(self, true, objects->items[i].kind);
        result =
            count(self, true, self->groups[i], (const uint64_t[METRIC_COUNT]){[OLD] = 1}, error);
    }
    return result;
}

// ---- totals and notes

static bool add_totals(const mc_jfr_steps *self, const mc_jfr_moment *moment, mc_step_tree *tree) {
    const uint64_t values[TOTAL_COUNT] = {[HEAP] = moment->heap_used.value,
                                          [RESIDENT] = moment->resident.value,
                                          [NATIVE] = moment->native.value,
                                          [PAUSE] =
                                              mc_metric_pack((double)moment->pause_ns / NS_PER_MS)};
    for (int i = 0; i < TOTAL_COUNT; i++)
        if (self->has_series[i] && !mc_profile_add_total(tree, &totals[i], values[i])) return false;
    const mc_jfr_mallocs *mallocs = self->jfr->mallocs;
    return !mallocs || ((mallocs->free_count == 0 ||
                         mc_profile_add_total(tree, &most, self->film.most_bytes)) &&
                        mc_profile_add_sampling(tree, mallocs->interval));
}

static void append_pauses(const mc_jfr_steps *self, const mc_jfr_moment *moment, mc_text *out) {
    if (moment->pause_count == 0 || moment->longest_ns < self->noted_pause_ns) return;
    mc_text_format(out, "%" PRIu32 " %s for collections, %.0f ms", moment->pause_count,
                   moment->pause_count == 1 ? "pause" : "pauses",
                   (double)moment->pause_ns / NS_PER_MS);
    if (moment->pause_count > 1)
        mc_text_format(out, ", the longest %.0f ms", (double)moment->longest_ns / NS_PER_MS);
    mc_span cause = get_text(self, moment->cause);
    if (cause.size > 0) mc_text_format(out, " (%.*s)", (int)cause.size, cause.at);
}

static void append_old_objects(const mc_jfr_steps *self, mc_text *out) {
    const mc_jfr_old_objects *objects = &self->jfr->old_objects;
    uint32_t root = MC_NONE;
    if (objects->count == 0) return;
    size_t held = mc_jfr_old_objects_find_root(objects, &self->jfr->names, &root, NULL);
    size_t rooted = 0;
    for (size_t i = 0; i < objects->count; i++)
        rooted += objects->items[i].root != MC_NONE;
    if (out->size > 0) mc_text_append_string(out, "; ");
    if (rooted < SAMPLES_TOLD || held * SHARE_TOLD < rooted) {
        mc_text_format(out, "%zu old objects are sampled", objects->count);
        return;
    }
    mc_span text = get_text(self, root);
    mc_text_format(out, "%zu of %zu sampled old objects are held by %.*s", held, rooted,
                   (int)text.size, text.at);
}

// What can't be told of native allocations.
static void append_unknown(const mc_jfr_steps *self, mc_text *out) {
    const mc_jfr_mallocs *mallocs = self->jfr->mallocs;
    if (!mallocs) return;
    // Most allocations are not recorded where they are sampled, but all frees are.
    const uint64_t unknown_count = mallocs->interval > 1 ? 0 : mallocs->unknown_count;
    if (unknown_count + mallocs->lost_count == 0) return;
    if (out->size > 0) mc_text_append_string(out, "; ");
    if (unknown_count > 0)
        mc_text_format(out, "%" PRIu64 " %s of native blocks whose allocation is not recorded",
                       unknown_count, unknown_count == 1 ? "free" : "frees");
    if (mallocs->lost_count > 0)
        mc_text_format(out, "%s%" PRIu64 " native %s whose free is not recorded",
                       unknown_count > 0 ? ", " : "", mallocs->lost_count,
                       mallocs->lost_count == 1 ? "block" : "blocks");
}

// ---- paths

static bool add_names(const mc_jfr_steps *self, mc_step_paths *paths) {
    const mc_jfr_old_objects *objects = &self->jfr->old_objects;
    for (uint32_t i = 0; i < objects->paths.count; i++) {
        mc_jfr_path path = mc_jfr_old_objects_get_path(objects, i);
        mc_span field = path.field == MC_NONE ? (mc_span){NULL, 0} : get_text(self, path.field);
        mc_span class = get_text(self, path.class);
        mc_retaining_path added = {
            .parent = path.parent,
            .field = field.at ? mc_strings_intern(&paths->names, field.at, field.size) : MC_NONE,
            .class = mc_strings_intern(&paths->names, class.at, class.size),
            .place = MC_NONE};
        if ((field.at && added.field == MC_NONE) || added.class == MC_NONE ||
            !mc_step_paths_add(paths, added))
            return false;
    }
    return true;
}

// Sums of one node and path are next to each other, and become one.
static void merge_sums(mc_step_paths *paths) {
    size_t count = 0;
    if (paths->sum_count == 0) return;
    qsort(paths->sums, paths->sum_count, sizeof *paths->sums, mc_path_sum_compare);
    for (size_t i = 0; i < paths->sum_count; i++) {
        mc_path_sum *to = count > 0 ? &paths->sums[count - 1] : NULL;
        const mc_path_sum *from = &paths->sums[i];
        if (!to || to->node != from->node || to->path != from->path) {
            paths->sums[count++] = *from;
            continue;
        }
        to->objects += from->objects;
        to->bytes += from->bytes;
    }
    paths->sum_count = count;
}

// Of the object's group and all above it: its path, and all above that.
static bool add_sums(const mc_jfr_steps *self, const mc_step_tree *tree, size_t object,
                     mc_step_paths *paths) {
    const mc_jfr_old_objects *objects = &self->jfr->old_objects;
    const mc_jfr_old_object *item = &objects->items[object];
    uint32_t node = mc_stack_sites_get_node(self->last_sites, self->groups[object]);
    for (; node != MC_NONE; node = tree->nodes[node].parent)
        for (uint32_t path = item->path; path != MC_NONE;
             path = mc_jfr_old_objects_get_path(objects, path).parent) {
            bool is_end = path == item->path;
            const mc_path_sum sum = {.node = node,
                                     .path = path,
                                     .objects = is_end,
                                     .bytes = is_end ? item->size_bytes : 0};
            if (!mc_step_paths_add_sum(paths, sum)) return false;
        }
    return true;
}

static mc_result fill_paths(const mc_jfr_steps *self, const mc_step_tree *tree,
                            mc_step_paths *paths, mc_error *error) {
    size_t merge_at = SUMS_AT_ONCE;
    if (self->jfr->old_objects.paths.count == 0) return MC_OK;
    if (!add_names(self, paths)) return mc_error_out_of_memory(error);
    for (size_t i = 0; i < self->jfr->old_objects.count; i++) {
        if (!add_sums(self, tree, i, paths)) return mc_error_out_of_memory(error);
        if (paths->sum_count < merge_at) continue;
        merge_sums(paths);
        merge_at = paths->sum_count * 2 + SUMS_AT_ONCE;
        if (paths->sum_count > SUMS_MOST)
            return mc_error_set(error, MC_ERROR_BAD_DATA, 0,
                                "JFR recording: its old objects have more chains of references "
                                "than a JVM samples");
    }
    merge_sums(paths);
    return MC_OK;
}

mc_result mc_jfr_steps_fill(mc_jfr_steps *self, uint32_t index, mc_step_tree *tree,
                            mc_step_paths *paths, mc_error *error) {
    const mc_jfr *jfr = self->jfr;
    const mc_jfr_moment *moment = &jfr->moments[index];
    const bool is_end = index + 1 == jfr->moment_count;
    const bool is_last = is_end && jfr->old_objects.count > 0;
    mc_step_paths_reset(paths);
    mc_text_clear(&self->note);
    mc_result result = count_allocated(self, index, is_last, error);
    if (result == MC_OK) result = count_native(self, is_last, error);
    if (result == MC_OK && is_last) result = count_old_objects(self, error);
    if (result == MC_OK)
        result = mc_stack_sites_fill_tree(is_last ? self->last_sites : self->sites, tree, error);
    if (result != MC_OK) return result;
    if (!add_totals(self, moment, tree)) return mc_error_out_of_memory(error);
    result = is_last ? fill_paths(self, tree, paths, error) : MC_OK;
    if (result != MC_OK) return result;
    append_pauses(self, moment, &self->note);
    if (is_last) append_old_objects(self, &self->note);
    if (is_end) append_unknown(self, &self->note);
    if (self->note.failed) return mc_error_out_of_memory(error);
    tree->time_ms = paths->time_ms = moment->time_ms;
    tree->note = self->note.size > 0 ? self->note.data : NULL;
    tree->missing = is_end ? jfr->missing : NULL;
    return MC_OK;
}
