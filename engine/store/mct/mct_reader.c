// Opening an .mct file: the nodes and what its steps say of themselves.
#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/store/mct/mct_opener.h"
#include "engine/store/mct/mct_side.h"
#include "engine/trace/notes.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define STEP_SIZE_MIN 16       // of a step's row
#define STEP_COUNT_FLOOR 65536 // that may not have reached the file itself yet

bool mc_mct_detect(const void *data, size_t size) {
    return size >= MC_MCT_DETECT_SIZE && memcmp(data, "SQLite format 3", MC_MCT_DETECT_SIZE) == 0;
}

mc_result mc_mct_opener_damaged(const mc_mct_opener *self, const char *what) {
    return mc_fail(self->error, MC_ERROR_BAD_DATA,
                   "%s: damaged: %s; without it nothing can be read", self->store->file.path, what);
}

// What a function that has no message of its own came back with.
mc_result mc_mct_opener_explain(const mc_mct_opener *self, mc_result result, const char *what) {
    if (result == MC_ERROR_BAD_DATA) return mc_mct_opener_damaged(self, what);
    return result == MC_OK ? MC_OK : mc_error_out_of_memory(self->error);
}

mc_result mc_mct_opener_get(mc_mct_opener *self, mc_mct_table table, int64_t key,
                            mc_mct_field *row) {
    return mc_mct_file_get(&self->store->file, table, key, row, self->error);
}

static bool is_count(const mc_mct_opener *self, int64_t number) {
    return mc_mct_file_is_count(&self->store->file, number);
}

static mc_result fail_without_step(const mc_mct_opener *self) {
    return mc_fail(self->error, MC_ERROR_BAD_DATA, "%s: no step was written to it yet",
                   self->store->file.path);
}

static mc_result read_header(mc_mct_opener *self) {
    bool has_header = false;
    mc_result result =
        mc_mct_file_has_rows(&self->store->file, MC_MCT_TRACE, &has_header, self->error);
    if (result != MC_OK) return result;
    if (!has_header) return fail_without_step(self);
    result = mc_mct_opener_get(self, MC_MCT_TRACE, 1, self->header);
    mc_mct_file_release(&self->store->file, MC_MCT_TRACE);
    if (result != MC_OK) return result;
    const mc_mct_field *header = self->header;
    for (int i = MC_MCT_TRACE_STEPS; i <= MC_MCT_TRACE_OWN; i++)
        if (!is_count(self, header[i].number))
            return mc_mct_opener_damaged(self, "impossible counts");
    // A step has a row of its own, and each that is missing is looked for.
    if ((uint64_t)header[MC_MCT_TRACE_STEPS].number >
        STEP_COUNT_FLOOR + self->store->file.size / STEP_SIZE_MIN)
        return mc_mct_opener_damaged(self, "impossible counts");
    if (header[MC_MCT_TRACE_FORM].number != MC_KEY_PATH_PART &&
        header[MC_MCT_TRACE_FORM].number != MC_KEY_FULL)
        return mc_mct_opener_damaged(self, "an unknown kind of keys");
    if (header[MC_MCT_TRACE_STEPS].number == 0 || header[MC_MCT_TRACE_NODES].number == 0)
        return fail_without_step(self);
    self->file_step_count = (uint32_t)header[MC_MCT_TRACE_STEPS].number;
    self->node_count = (uint32_t)header[MC_MCT_TRACE_NODES].number;
    self->string_count = (uint32_t)header[MC_MCT_TRACE_STRINGS].number;
    self->builder->key_kind = (mc_key_kind)header[MC_MCT_TRACE_FORM].number;
    return MC_OK;
}

mc_result mc_mct_opener_reserve_values(mc_mct_opener *self, size_t count) {
    return mc_reserve(&self->values, &self->value_capacity, count, sizeof *self->values)
               ? MC_OK
               : mc_error_out_of_memory(self->error);
}

static void find_kinds(mc_mct_opener *self) {
    const mc_metrics *metrics = &self->trace->metrics;
    for (mc_metric metric = 0; metric < metrics->count; metric++)
        self->store->kinds[metric] =
            mc_mct_find_kind(self->store->file.version, &metrics->items[metric], metric);
}

// The columns that a step may have, and those that may hold real numbers, one bit a kind.
static uint64_t get_possible_kinds(const mc_mct_opener *self, bool are_real) {
    const mc_metrics *metrics = &self->trace->metrics;
    uint64_t kinds = 0;
    if (self->store->file.version == 1) return are_real ? 0 : 15;
    for (mc_metric metric = 0; metric < metrics->count; metric++)
        if (!are_real || metrics->items[metric].is_real) kinds |= (uint64_t)1 << metric;
    return kinds;
}

// ---- steps

static bool take_step(mc_mct_opener *self, const mc_mct_field *row, mc_mct_opened_step *step) {
    for (int i = MC_MCT_STEP_OBJECTS; i <= MC_MCT_STEP_REALS; i++)
        if (row[i].number < 0) return false;
    int64_t known = row[MC_MCT_STEP_KNOWN_NODES].number;
    int64_t time_ms = row[MC_MCT_STEP_TIME].number;
    if (time_ms < MC_TIME_MIN || time_ms > MC_TIME_MAX) return false;
    if (known < 1 || known > self->node_count || row[MC_MCT_STEP_NODES].number > known ||
        row[MC_MCT_STEP_LEAVES].number > row[MC_MCT_STEP_NODES].number ||
        !is_count(self, row[MC_MCT_STEP_PAIRS].number) || row[MC_MCT_STEP_DIRECTIONS].number > 3 ||
        row[MC_MCT_STEP_RENAMES].number > known)
        return false;
    mc_mct_step_columns columns = {.known_node_count = (uint32_t)known,
                                   .column_mask = (uint64_t)row[MC_MCT_STEP_COLUMNS].number,
                                   .real_mask = (uint64_t)row[MC_MCT_STEP_REALS].number};
    if ((columns.column_mask & 3) != 3 ||
        (columns.column_mask & ~get_possible_kinds(self, false)) != 0 ||
        (columns.real_mask & ~(columns.column_mask & get_possible_kinds(self, true))) != 0)
        return false;
    *step =
        (mc_mct_opened_step){.info = {.time_ms = time_ms,
                                      .node_count = (uint32_t)row[MC_MCT_STEP_NODES].number,
                                      .leaf_count = (uint32_t)row[MC_MCT_STEP_LEAVES].number,
                                      .pair_count = (uint32_t)row[MC_MCT_STEP_PAIRS].number,
                                      .objects = (uint64_t)row[MC_MCT_STEP_OBJECTS].number,
                                      .bytes = (uint64_t)row[MC_MCT_STEP_BYTES].number,
                                      .directions = (uint32_t)row[MC_MCT_STEP_DIRECTIONS].number},
                             .rename_count = (uint32_t)row[MC_MCT_STEP_RENAMES].number,
                             .key = row[0].number};
    self->store->columns[row[0].number - 1] = columns;
    return true;
}

// A step has both rows, of fields and of roots, or none.
static mc_result find_referrers(mc_mct_opener *self, int64_t key, bool *has_referrers,
                                mc_error *error) {
    mc_mct_file *file = &self->store->file;
    bool has_fields = false, has_roots = false;
    if (!file->has_referrers) return MC_OK;
    mc_result result = mc_mct_file_has_row(file, MC_MCT_FIELDS, key, &has_fields, error);
    if (result == MC_OK) result = mc_mct_file_has_row(file, MC_MCT_ROOTS, key, &has_roots, error);
    *has_referrers = has_fields && has_roots;
    if (result != MC_OK || has_fields == has_roots) return result;
    return mc_fail(error, MC_ERROR_BAD_DATA, "%s: damaged: of step %" PRId64 " there are only %s",
                   file->path, key, has_fields ? "fields, no roots" : "roots, no fields");
}

static mc_result read_limit(mc_mct_opener *self, int64_t key, uint64_t *heap_limit,
                            mc_error *error) {
    mc_mct_file *file = &self->store->file;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    bool is_there = false;
    if (!file->has_limits) return MC_OK;
    mc_result result = mc_mct_file_has_row(file, MC_MCT_LIMIT, key, &is_there, error);
    if (result != MC_OK || !is_there) return result;
    result = mc_mct_file_get(file, MC_MCT_LIMIT, key, row, error);
    if (result == MC_OK && row[MC_MCT_LIMIT_BYTES].number < 1)
        result =
            mc_fail(error, MC_ERROR_BAD_DATA,
                    "%s: damaged: step %" PRId64 " has an impossible heap limit", file->path, key);
    if (result == MC_OK) *heap_limit = (uint64_t)row[MC_MCT_LIMIT_BYTES].number;
    mc_mct_file_release(file, MC_MCT_LIMIT);
    return result;
}

// What a later program may say beyond that is not known.
static mc_result read_liveness(mc_mct_opener *self, int64_t key, mc_liveness *liveness,
                               mc_error *error) {
    mc_mct_file *file = &self->store->file;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    bool is_there = false;
    if (!file->has_liveness) return MC_OK;
    mc_result result = mc_mct_file_has_row(file, MC_MCT_LIVE, key, &is_there, error);
    if (result != MC_OK || !is_there) return result;
    result = mc_mct_file_get(file, MC_MCT_LIVE, key, row, error);
    int64_t live = result == MC_OK ? row[MC_MCT_LIVE_LIVE].number : 0;
    *liveness = live > 0 && live < MC_LIVENESS_COUNT ? (mc_liveness)live : MC_LIVENESS_UNKNOWN;
    mc_mct_file_release(file, MC_MCT_LIVE);
    return result;
}

static mc_result read_damage(mc_mct_opener *self, int64_t key, mc_step_info *info,
                             mc_error *error) {
    mc_mct_file *file = &self->store->file;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    if (!file->has_damages) return MC_OK;
    mc_result result = mc_mct_file_has_row(file, MC_MCT_DAMAGE, key, &info->is_incomplete, error);
    if (result != MC_OK || !info->is_incomplete) return result;
    result = mc_mct_file_get(file, MC_MCT_DAMAGE, key, row, error);
    if (result == MC_OK) {
        const mc_mct_field *reason = &row[MC_MCT_DAMAGE_REASON];
        info->missing = mc_strings_append(&self->builder->strings, reason->data, reason->size);
        if (info->missing == MC_NONE) result = mc_error_out_of_memory(error);
    }
    mc_mct_file_release(file, MC_MCT_DAMAGE);
    return result;
}

static mc_result read_note(mc_mct_opener *self, int64_t key, char **note, mc_error *error) {
    mc_mct_file *file = &self->store->file;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    bool is_there = false;
    if (!file->has_notes) return MC_OK;
    mc_result result = mc_mct_file_has_row(file, MC_MCT_NOTE, key, &is_there, error);
    if (result != MC_OK || !is_there) return result;
    result = mc_mct_file_get(file, MC_MCT_NOTE, key, row, error);
    const mc_mct_field *text = &row[MC_MCT_NOTE_TEXT];
    if (result == MC_OK && !mc_note_copy(note, text->data, text->size))
        result = mc_error_out_of_memory(error);
    mc_mct_file_release(file, MC_MCT_NOTE);
    return result;
}

static mc_result find_paths(mc_mct_opener *self, int64_t key, mc_step_info *info, mc_error *error) {
    mc_mct_file *file = &self->store->file;
    mc_result result = MC_OK;
    if (file->has_paths)
        result = mc_mct_file_has_row(file, MC_MCT_SUMS, key, &info->has_paths, error);
    if (file->has_owners && result == MC_OK)
        result = mc_mct_file_has_row(file, MC_MCT_OWNER_SUMS, key, &info->has_owners, error);
    return result;
}

static mc_result read_step(mc_mct_opener *self, uint32_t index, mc_error *error) {
    mc_mct_store *store = self->store;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    mc_mct_opened_step *step = &self->steps[self->step_count];
    mc_result result = mc_mct_file_get(&store->file, MC_MCT_STEP, index, row, error);
    if (result == MC_OK && !take_step(self, row, step))
        result = mc_fail(error, MC_ERROR_BAD_DATA,
                         "%s: damaged: step %" PRIu32 " has impossible numbers", store->file.path,
                         index);
    mc_mct_file_release(&store->file, MC_MCT_STEP);
    if (result == MC_OK) result = read_limit(self, index, &step->info.heap_limit, error);
    if (result == MC_OK) result = read_liveness(self, index, &step->info.liveness, error);
    if (result == MC_OK) result = read_damage(self, index, &step->info, error);
    if (result == MC_OK) result = read_note(self, index, &step->note, error);
    if (result == MC_OK) result = find_paths(self, index, &step->info, error);
    return result == MC_OK ? find_referrers(self, index, &step->info.has_referrers, error) : result;
}

static void leave_out(mc_mct_opener *self, const mc_error *error) {
    self->skipped_count++;
    mc_log_write(self->desc->log, MC_LOG_WARNING, "left out: %s", error->message);
}

// Without the paths or owners that are damaged steps have none.
static mc_result read_places(mc_mct_opener *self, mc_side_table table, bool *has_places,
                             mc_side_rows *places) {
    mc_mct_store *store = self->store;
    mc_mct_limits limits = {.node_count = self->node_count, .string_count = self->string_count};
    mc_error error = {0};
    *places = (mc_side_rows){.rows = NULL};
    if (!*has_places) return MC_OK;
    mc_result result =
        mc_mct_read_places(&store->file, &store->codec, table, limits, places, &error);
    if (result == MC_ERROR_BAD_DATA && self->desc->skip_bad_steps) {
        leave_out(self, &error);
        *has_places = false;
        places->count = 0;
        return MC_OK;
    }
    if (result != MC_OK && self->error) *self->error = error;
    return result;
}

static mc_result read_paths(mc_mct_opener *self) {
    mc_side_rows rows;
    mc_trace *trace = self->trace;
    mc_mct_file *file = &self->store->file;
    mc_result result = read_places(self, MC_SIDE_PATHS, &file->has_paths, &rows);
    trace->paths = rows.rows;
    trace->path_count = rows.count;
    if (result != MC_OK) return result;
    result = read_places(self, MC_SIDE_OWNERS, &file->has_owners, &rows);
    trace->owners = rows.rows;
    trace->owner_count = rows.count;
    return result;
}

// Without the settings to leave bad steps out, the first one ends it; the message then says how
// many others there are.
static mc_result read_steps(mc_mct_opener *self) {
    mc_mct_store *store = self->store;
    mc_error first = {0};
    uint32_t bad_count = 0;
    self->steps = mc_alloc_zero(self->file_step_count, sizeof *self->steps);
    store->columns = mc_alloc_zero(self->file_step_count, sizeof *store->columns);
    if (!self->steps || !store->columns) return mc_error_out_of_memory(self->error);
    for (uint32_t i = 1; i <= self->file_step_count; i++) {
        mc_error error = {0};
        mc_result result = read_step(self, i, &error);
        if (result == MC_OK) self->step_count++;
        if (result == MC_OK) continue;
        mc_free(self->steps[self->step_count].note);
        if (result != MC_ERROR_BAD_DATA) {
            if (self->error) *self->error = error;
            return result;
        }
        if (bad_count++ == 0) first = error;
        if (self->desc->skip_bad_steps) leave_out(self, &error);
    }
    if (bad_count == 0 || (self->desc->skip_bad_steps && self->step_count > 0)) return MC_OK;
    return mc_fail(self->error, MC_ERROR_BAD_DATA,
                   "%.700s; %" PRIu32 " of %" PRIu32
                   " steps are there, and can be read with --skip-bad-steps",
                   first.message, self->step_count, self->file_step_count);
}

static int compare_times(const void *a, const void *b) {
    const mc_mct_opened_step *x = a, *y = b;
    return x->info.time_ms < y->info.time_ms ? -1 : x->info.time_ms > y->info.time_ms;
}

static mc_result order_steps(mc_mct_opener *self) {
    mc_trace *trace = self->trace;
    qsort(self->steps, self->step_count, sizeof *self->steps, compare_times);
    for (uint32_t i = 1; i < self->step_count; i++)
        if (self->steps[i].info.time_ms == self->steps[i - 1].info.time_ms)
            return mc_mct_opener_damaged(self, "two steps have one time");
    trace->steps = mc_alloc_zero(self->step_count, sizeof *trace->steps);
    self->store->step_keys = mc_alloc(self->step_count, sizeof *self->store->step_keys);
    if (!trace->steps || !self->store->step_keys) return mc_error_out_of_memory(self->error);
    trace->step_count = self->step_count;
    for (uint32_t i = 0; i < self->step_count; i++) {
        trace->steps[i].info = self->steps[i].info;
        trace->steps[i].side[MC_SIDE_RENAMES].count = self->steps[i].rename_count;
        self->store->step_keys[i] = self->steps[i].key;
        trace->steps[i].note = self->steps[i].note;
        self->steps[i].note = NULL;
        trace->has_references |= self->steps[i].info.directions != 0;
        trace->has_referrers |= self->steps[i].info.has_referrers;
        trace->has_paths |= self->steps[i].info.has_paths;
        trace->has_owners |= self->steps[i].info.has_owners;
    }
    return MC_OK;
}

// ---- the trace

// From the order of the file to the trace's, and back.
static mc_result translate(mc_mct_opener *self) {
    mc_trace *trace = self->trace;
    mc_mct_store *store = self->store;
    mc_node_order *order = &self->order;
    uint32_t seen = self->node_count, self_count = order->old_count - seen;
    store->seen_count = seen;
    store->self_count = self_count;
    if (self_count > 0) store->leaf_of = mc_node_order_list_leaves(order);
    store->self_nodes = mc_alloc((size_t)self_count + 1, sizeof *store->self_nodes);
    trace->node_holders = mc_alloc(1, sizeof *trace->node_holders);
    if (trace->node_holders) atomic_init(trace->node_holders, 1);
    if ((self_count > 0 && !store->leaf_of) || !store->self_nodes || !trace->node_holders)
        return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < self_count; i++)
        store->self_nodes[i] = order->new_index[seen + i];
    store->order = order->order;
    store->node_of = order->new_index;
    if (self_count == 0) store->leaf_of = store->node_of;
    store->classifier_rank = order->classifier_rank;
    order->order = order->new_index = order->classifier_rank = NULL;
    trace->key_kind = self->builder->key_kind;
    trace->strings = self->builder->strings;
    memset(&self->builder->strings, 0, sizeof self->builder->strings);
    mc_strings_seal(&trace->strings);
    return MC_OK;
}

// Paths and owners are the trace's own, also where it shares its nodes.
static void translate_places(mc_mct_opener *self) {
    mc_trace *trace = self->trace;
    const uint32_t *node_of = self->store->node_of;
    for (uint32_t i = 0; i < trace->path_count; i++)
        if (trace->paths[i].place != MC_NONE)
            trace->paths[i].place = node_of[trace->paths[i].place];
    for (uint32_t i = 0; i < trace->owner_count; i++)
        if (trace->owners[i].place != MC_NONE)
            trace->owners[i].place = node_of[trace->owners[i].place];
}

// Whether the trace of before has the nodes that the file says now.
static bool has_same_nodes(const mc_mct_opener *self) {
    const mc_trace *before = self->desc->before;
    if (!before || before->source != &mc_steps_in_file || !before->node_holders) return false;
    const mc_mct_store *store = before->store;
    return store->fingerprint != 0 && store->fingerprint == self->store->fingerprint &&
           store->seen_count == self->node_count && before->key_kind == self->builder->key_kind;
}

static void share_nodes(mc_mct_opener *self) {
    const mc_trace *before = self->desc->before;
    const mc_mct_store *from = before->store;
    mc_mct_store *store = self->store;
    mc_trace_share_nodes(self->trace, before);
    store->seen_count = from->seen_count;
    store->order = from->order;
    store->node_of = from->node_of;
    store->leaf_of = from->leaf_of;
    store->classifier_rank = from->classifier_rank;
    store->self_nodes = from->self_nodes;
    store->self_count = from->self_count;
}

// What reading a step takes beside the nodes.
static mc_result begin_store(mc_mct_opener *self) {
    const mc_trace *trace = self->trace;
    mc_mct_store *store = self->store;
    uint32_t seen = store->seen_count, count = trace->nodes.count;
    store->old_values = mc_alloc((size_t)seen + 1, sizeof *store->old_values);
    store->new_values = mc_alloc(count, sizeof *store->new_values);
    store->present = mc_alloc(mc_bits_word_count(seen), sizeof *store->present);
    store->inner = mc_alloc(mc_bits_word_count(count), sizeof *store->inner);
    store->is_loaded = mc_alloc(mc_mct_get_block_count(seen), 1);
    if (!store->old_values || !store->new_values || !store->present || !store->inner ||
        !store->is_loaded)
        return mc_error_out_of_memory(self->error);
    store->old_values[seen] = 0;
    store->loaded_step = store->present_step = store->inner_step = MC_NONE;
    store->reader = (mc_mct_column_reader){.file = &store->file,
                                           .codec = &store->codec,
                                           .steps = store->columns,
                                           .metrics = &trace->metrics,
                                           .node_count = seen,
                                           .base_lock = &store->base_lock};
    return MC_OK;
}

static mc_result read_tables(mc_mct_opener *self) {
    mc_result result = read_header(self);
    if (result == MC_OK && (self->desc->is_live || self->desc->before))
        self->store->fingerprint = mc_mct_file_get_fingerprint(&self->store->file);
    if (result == MC_OK && has_same_nodes(self))
        share_nodes(self);
    else if (result == MC_OK)
        result = mc_mct_opener_read_nodes(self);
    if (result == MC_OK) result = mc_mct_opener_read_metrics(self);
    if (result == MC_OK) result = read_paths(self);
    if (result == MC_OK) result = read_steps(self);
    if (result == MC_OK && self->store->file.version == 1)
        result = mc_mct_opener_make_metrics(self);
    if (result == MC_OK) find_kinds(self);
    return result;
}

// ---- leaving damaged steps out

static mc_result check_step(mc_mct_opener *self, uint32_t step_index, mc_error *error) {
    mc_mct_store *store = self->store;
    store->loaded_step = store->present_step = MC_NONE; // their places are used
    int64_t key = store->step_keys[step_index];
    uint64_t kinds = store->columns[key - 1].column_mask;
    mc_result result = MC_OK;
    for (int kind = 0; kind < MC_MCT_KIND_COUNT && result == MC_OK; kind++)
        if (kinds >> kind & 1)
            result = mc_mct_read_column(&store->reader, key, kind, store->old_values, error);
    return result == MC_OK ? mc_mct_read_present(&store->reader, key, store->present, error)
                           : result;
}

// Whether the step can do without what is damaged of a table.
static mc_result check_table(mc_mct_opener *self, uint32_t step_index, mc_side_table table,
                             mc_error *error) {
    mc_side_rows rows = {.rows = NULL};
    mc_step_info *info = &self->trace->steps[step_index].info;
    mc_result result = mc_trace_read_side(self->trace, step_index, table, &rows, error);
    mc_side_rows_deinit(&rows);
    if (result != MC_ERROR_BAD_DATA) return result;
    leave_out(self, error);
    switch (table) {
    case MC_SIDE_REFERENCES: info->pair_count = info->directions = 0; break;
    case MC_SIDE_SUMS: info->has_paths = false; break;
    case MC_SIDE_OWNER_SUMS:
    case MC_SIDE_OWNER_WAYS: info->has_owners = false; break;
    default: info->has_referrers = false;
    }
    return MC_OK;
}

static mc_result check_links(mc_mct_opener *self, uint32_t step_index, mc_error *error) {
    static const mc_side_table tables[] = {MC_SIDE_REFERENCES, MC_SIDE_FIELDS,
                                           MC_SIDE_ROOTS,      MC_SIDE_SUMS,
                                           MC_SIDE_OWNER_SUMS, MC_SIDE_OWNER_WAYS};
    mc_result result = MC_OK;
    for (size_t i = 0; i < sizeof tables / sizeof *tables && result == MC_OK; i++)
        result = check_table(self, step_index, tables[i], error);
    return result;
}

static mc_result leave_out_bad_steps(mc_mct_opener *self) {
    mc_trace *trace = self->trace;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < trace->step_count; i++) {
        mc_error error = {0};
        mc_result result = check_step(self, i, &error);
        if (result == MC_ERROR_BAD_DATA) {
            leave_out(self, &error);
            continue;
        }
        if (result == MC_OK) {
            trace->steps[kept].info = trace->steps[i].info;
            trace->steps[kept].side[MC_SIDE_RENAMES] = trace->steps[i].side[MC_SIDE_RENAMES];
            char *note = trace->steps[i].note;
            trace->steps[i].note = trace->steps[kept].note;
            trace->steps[kept].note = note;
            self->store->step_keys[kept] = self->store->step_keys[i];
            result = check_links(self, kept, &error);
            kept++;
        }
        if (result != MC_OK) {
            if (self->error) *self->error = error;
            return result;
        }
        if (!mc_progress_report(self->desc->progress, i + 1, trace->step_count))
            return mc_fail(self->error, MC_ERROR_CANCELLED, "cancelled");
    }
    for (uint32_t i = kept; i < trace->step_count; i++)
        mc_trace_step_deinit(&trace->steps[i]);
    trace->step_count = kept;
    if (kept > 0) return MC_OK;
    return mc_fail(self->error, MC_ERROR_BAD_DATA, "%s: damaged: no step can be read",
                   self->store->file.path);
}

static mc_result open_file(mc_mct_opener *self) {
    mc_mct_file *file = &self->store->file;
    mc_result result = self->desc->memory
                           ? mc_mct_file_open_memory(file, self->desc->memory,
                                                     self->desc->memory_size, self->error)
                           : mc_mct_file_open(file, self->desc->path, self->error);
    if (result != MC_OK) return result;
    // One transaction, so that a step which is committed meanwhile is there wholly or not at all.
    result = mc_mct_file_begin_reading(file, self->error);
    if (result == MC_OK) result = read_tables(self);
    if (mc_mct_file_run(file, "COMMIT", NULL) != MC_OK && result == MC_OK)
        result = mc_mct_file_fail(file, sqlite3_extended_errcode(file->db), self->error);
    return result;
}

static mc_result run(mc_mct_opener *self) {
    self->trace = mc_alloc_zero(1, sizeof *self->trace);
    if (!self->trace) return mc_error_out_of_memory(self->error);
    self->trace->source = &mc_steps_in_file;
    self->store = self->trace->store = mc_alloc_zero(1, sizeof *self->store);
    if (!self->store) return mc_error_out_of_memory(self->error);
    self->store->has_mutex = pthread_mutex_init(&self->store->mutex, NULL) == 0;
    self->store->has_base_lock = pthread_rwlock_init(&self->store->base_lock, NULL) == 0;
    self->store->has_maxima_mutex = pthread_mutex_init(&self->store->maxima_mutex, NULL) == 0;
    if (!self->store->has_mutex || !self->store->has_base_lock || !self->store->has_maxima_mutex)
        return mc_error_out_of_memory(self->error);
    mc_result result = mc_trace_builder_create(NULL, &self->builder, self->error);
    if (result == MC_OK) mc_trace_builder_set_progress(self->builder, self->desc->progress);
    if (result == MC_OK) result = open_file(self);
    bool is_shared = self->trace->node_holders != NULL;
    if (result == MC_OK && !is_shared) result = mc_node_order_run(&self->order, self->error);
    if (result == MC_OK && !is_shared) result = translate(self);
    if (result == MC_OK) translate_places(self);
    if (result == MC_OK) result = begin_store(self);
    if (result == MC_OK) result = order_steps(self);
    if (result == MC_OK && self->desc->skip_bad_steps) result = leave_out_bad_steps(self);
    // The maxima are of all steps; they are worth nothing once one of them is left out.
    if (self->skipped_count == 0) self->store->maxima_step_count = self->file_step_count;
    return result;
}

// What was said when the steps were imported is said again, as who opens the file may be another.
static void tell_incomplete(const mc_mct_opener *self) {
    const mc_trace *trace = self->trace;
    uint32_t first = MC_NONE, count = 0;
    for (uint32_t i = 0; i < trace->step_count; i++) {
        if (!trace->steps[i].info.is_incomplete) continue;
        if (count++ == 0) first = i;
    }
    if (count == 0) return;
    size_t size;
    const char *reason = mc_trace_get_string(trace, trace->steps[first].info.missing, &size);
    mc_excerpt excerpt;
    mc_log_write(self->desc->log, MC_LOG_WARNING,
                 "%s: incomplete: %" PRIu32 " of %" PRIu32
                 " steps, as their input was; step %" PRIu32 ": %s",
                 self->store->file.path, count, trace->step_count, first,
                 mc_excerpt_make(&excerpt, reason, size));
}

mc_result mc_mct_open(const mc_mct_open_desc *desc, mc_trace **trace, mc_mct_open_report *report,
                      mc_error *error) {
    mc_mct_opener self = {.desc = desc, .error = error};
    *trace = NULL;
    mc_result result = run(&self);
    mc_node_order_deinit(&self.order);
    mc_trace_builder_destroy(self.builder);
    for (uint32_t i = 0; i < self.step_count && self.steps; i++)
        mc_free(self.steps[i].note);
    mc_free(self.steps);
    mc_free(self.values);
    bool is_finished = self.header[MC_MCT_TRACE_FINISHED].number != 0;
    if (report)
        *report =
            (mc_mct_open_report){.skipped_count = self.skipped_count, .is_finished = is_finished};
    if (result != MC_OK) {
        mc_trace_destroy(self.trace);
        return result;
    }
    if (!is_finished && !desc->is_live)
        mc_log_write(
            desc->log, MC_LOG_WARNING,
            "%s: its writer has not finished, or was stopped; steps written so far: %" PRIu32,
            self.store->file.path, self.step_count);
    if (!desc->is_live) tell_incomplete(&self);
    *trace = self.trace;
    return MC_OK;
}

mc_result mc_mct_peek(const char *path, mc_mct_state *state, mc_error *error) {
    mc_mct_file file;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    *state = (mc_mct_state){.step_count = 0};
    mc_result result = mc_mct_file_open(&file, path, error);
    if (result != MC_OK) return result;
    bool has_steps = false;
    result = mc_mct_file_has_rows(&file, MC_MCT_TRACE, &has_steps, error);
    if (has_steps && result == MC_OK) result = mc_mct_file_get(&file, MC_MCT_TRACE, 1, row, error);
    int64_t count = has_steps && result == MC_OK ? row[MC_MCT_TRACE_STEPS].number : 0;
    if (count > 0 && count < MC_NONE)
        *state = (mc_mct_state){.step_count = (uint32_t)count,
                                .is_finished = row[MC_MCT_TRACE_FINISHED].number != 0};
    mc_mct_file_close(&file);
    return result;
}

mc_result mc_mct_read_program(const char *path, mc_mct_program *program, mc_error *error) {
    mc_mct_file file;
    mc_mct_field row[MC_MCT_FIELD_COUNT_MAX];
    int64_t last = 0;
    *program = (mc_mct_program){.pid = 0};
    mc_result result = mc_mct_file_open(&file, path, error);
    if (result != MC_OK) return result;
    if (file.has_programs) result = mc_mct_file_find_last(&file, MC_MCT_PROGRAM, &last, error);
    if (last > 0 && result == MC_OK) {
        result = mc_mct_file_get(&file, MC_MCT_PROGRAM, last, row, error);
        int64_t pid = result == MC_OK ? row[MC_MCT_PROGRAM_PID].number : 0;
        if (pid > 0 && pid <= UINT32_MAX) {
            const mc_mct_field *name = &row[MC_MCT_PROGRAM_NAME];
            *program = (mc_mct_program){.pid = (uint32_t)pid,
                                        .start_ms = row[MC_MCT_PROGRAM_START].number};
            size_t size = name->size < sizeof program->name ? name->size : sizeof program->name - 1;
            if (size > 0) memcpy(program->name, name->data, size);
        }
    }
    mc_mct_file_close(&file);
    return result;
}
