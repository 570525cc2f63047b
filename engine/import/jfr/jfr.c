#include "engine/import/jfr/jfr.h"

#include "engine/base/file.h"
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <string.h>

#define NS_PER_MS 1000000
#define EVENTS_A_REPORT 65536

static const char cut_off[] =
    "its JFR recording was not finished, or is cut off: what happened later is not known";

void mc_jfr_deinit(mc_jfr *self) {
    mc_jfr_chunk_deinit(&self->chunk);
    mc_jfr_names_deinit(&self->names);
    mc_jfr_old_objects_deinit(&self->old_objects);
    mc_jfr_mallocs_destroy(self->mallocs);
    mc_free(self->moments);
    mc_free(self->cells);
    mc_slots_deinit(&self->cell_slots);
    *self = (mc_jfr){.moments = NULL};
}

// ---- the kinds of events that tell of memory

enum { TIME, THREAD, STACK, OBJECT, VALUE, OTHER_VALUE, NAME, SLOT_COUNT };

typedef enum event_kind {
    SAMPLE,
    IN_TLAB,
    OUTSIDE_TLAB,
    OLD_OBJECT,
    LIVE_OBJECT,
    HEAP,
    COLLECTION,
    RESIDENT,
    NATIVE,
    LIMIT,
    LOSS,
    SETTING,
    MALLOC,
    FREE,
    KIND_COUNT
} event_kind;

// A name of no field: there is none of that.
static const char *const event_names[KIND_COUNT] = {"jdk.ObjectAllocationSample",
                                                    "jdk.ObjectAllocationInNewTLAB",
                                                    "jdk.ObjectAllocationOutsideTLAB",
                                                    "jdk.OldObjectSample",
                                                    "profiler.LiveObject",
                                                    "jdk.GCHeapSummary",
                                                    "jdk.GarbageCollection",
                                                    "jdk.ResidentSetSize",
                                                    "jdk.NativeMemoryUsageTotal",
                                                    "jdk.GCHeapConfiguration",
                                                    "jdk.DataLoss",
                                                    "jdk.ActiveSetting",
                                                    MC_JFR_MALLOC,
                                                    MC_JFR_FREE};
static const char *const event_fields[KIND_COUNT][SLOT_COUNT + 1] = {
    [SAMPLE] = {"startTime", "eventThread", "stackTrace", "objectClass", "weight", "-", "-"},
    [IN_TLAB] = {"startTime", "eventThread", "stackTrace", "objectClass", "tlabSize",
                 "allocationSize", "-"},
    [OUTSIDE_TLAB] = {"startTime", "eventThread", "stackTrace", "objectClass", "allocationSize",
                      "-", "-"},
    [OLD_OBJECT] = {"startTime", "eventThread", "stackTrace", "object", "objectSize", "root", "-"},
    [LIVE_OBJECT] = {"startTime", "eventThread", "stackTrace", "objectClass", "allocationSize", "-",
                     "-"},
    [HEAP] = {"startTime", "-", "-", "-", "heapUsed", "-", "when"},
    [COLLECTION] = {"startTime", "-", "-", "-", "sumOfPauses", "longestPause", "cause"},
    [RESIDENT] = {"startTime", "-", "-", "-", "size", "-", "-"},
    [NATIVE] = {"startTime", "-", "-", "-", "committed", "-", "-"},
    [LIMIT] = {"startTime", "-", "-", "-", "maxSize", "-", "-"},
    [LOSS] = {"startTime", "-", "-", "-", "amount", "-", "-"},
    [SETTING] = {"startTime", "-", "-", "id", "-", "value", "name"},
    [MALLOC] = {"startTime", NULL},
    [FREE] = {"startTime", NULL}};

typedef struct reader {
    mc_jfr *jfr;
    const mc_progress *progress;
    uint64_t size;
    mc_jfr_plan plans[KIND_COUNT];
    uint64_t ids[KIND_COUNT]; // of the types that the chunk has, and their plans
    uint32_t id_plans[KIND_COUNT], id_count;
    uint64_t interval;       // between native allocations that are recorded, in bytes
    const mc_jfr_plan *plan; // of the current event
    mc_jfr_event event;
    const unsigned char *slots[MC_JFR_PLAN_SLOTS_MOST];
} reader;

static uint64_t get_number(const reader *self, uint32_t slot) {
    return mc_jfr_plan_get_number(&self->jfr->chunk, self->plan, slot, self->slots[slot],
                                  self->event.end);
}

static mc_jfr_value get_value(const reader *self, uint32_t slot) {
    return mc_jfr_plan_get_value(&self->jfr->chunk, self->plan, slot, self->slots[slot],
                                 self->event.end);
}

// By which a value is known again in the chunk: the number of a constant, or where it stands.
static uint64_t get_id(const reader *self, uint32_t slot) {
    uint32_t field = self->plan->slot_fields[slot];
    if (field == MC_NONE || !self->slots[slot]) return 0;
    if (self->jfr->chunk.fields[field].is_pooled) return get_number(self, slot);
    return (uint64_t)(self->slots[slot] - self->jfr->chunk.file) | UINT64_C(1) << 63;
}

static int64_t get_time(const reader *self) {
    return mc_jfr_chunk_convert_ticks(&self->jfr->chunk, (int64_t)get_number(self, TIME));
}

static uint64_t convert_span(const reader *self, uint64_t ticks) {
    double ns = (double)ticks * 1e9 / (double)self->jfr->chunk.header.ticks_per_s;
    return (int64_t)ticks < 0 ? 0 : ns < 9e18 ? (uint64_t)ns : 0;
}

static uint32_t find_moment(const mc_jfr *self, int64_t time_ns) {
    __extension__ typedef __int128 wide;
    if (time_ns <= self->start_ns || self->end_ns <= self->start_ns) return 0;
    wide at = ((wide)time_ns - self->start_ns) * self->moment_count /
              ((wide)self->end_ns - self->start_ns);
    return at < self->moment_count ? (uint32_t)at : self->moment_count - 1;
}

// ---- what each kind tells

static uint32_t find_kind(const reader *self) {
    mc_jfr_names *names = &self->jfr->names;
    uint64_t stack = get_id(self, STACK), object = get_id(self, OBJECT);
    uint64_t thread = get_id(self, THREAD);
    uint32_t kind = mc_jfr_names_find_known_kind(names, stack, object, thread);
    if (kind != MC_NONE) return kind;
    return mc_jfr_names_find_kind(names, &self->jfr->chunk, get_value(self, STACK), stack,
                                  get_value(self, OBJECT), object, get_value(self, THREAD), thread);
}

// MC_NONE: out of memory.
static uint32_t find_cell(mc_jfr *self, uint32_t moment, uint32_t kind) {
    uint32_t hash = (uint32_t)(mc_hash_u64((uint64_t)moment << 32 | kind, 5) >> 20);
    for (uint32_t at = hash, found;
         (found = mc_slots_find(&self->cell_slots, hash, &at)) != MC_NONE;)
        if (self->cells[found].moment == moment && self->cells[found].kind == kind) return found;
    if (self->cell_count >= MC_NONE - 1 ||
        !mc_reserve(&self->cells, &self->cell_capacity, self->cell_count + 1,
                    sizeof *self->cells) ||
        !mc_slots_add(&self->cell_slots, hash, (uint32_t)self->cell_count))
        return MC_NONE;
    self->cells[self->cell_count] = (mc_jfr_cell){.moment = moment, .kind = kind};
    return (uint32_t)self->cell_count++;
}

static mc_result fail_too_much(const reader *self, mc_error *error) {
    return mc_error_set(error, MC_ERROR_BAD_DATA,
                        (uint64_t)(self->event.at - self->jfr->chunk.file),
                        "JFR recording: expected an allocation of bytes that are, with all "
                        "others, at most 2^63 - 1");
}

static mc_result take_allocation(reader *self, bool is_sample, mc_error *error) {
    mc_jfr *jfr = self->jfr;
    uint64_t bytes = get_number(self, VALUE);
    if (bytes == 0) bytes = get_number(self, OTHER_VALUE); // a profiler's, which knows no TLABs
    uint64_t *sum = is_sample ? &jfr->sampled_bytes : &jfr->tlab_bytes;
    if (bytes > MC_COUNT_MAX || bytes > MC_COUNT_MAX - *sum) return fail_too_much(self, error);
    *sum += bytes;
    *(is_sample ? &jfr->sample_count : &jfr->tlab_count) += 1;
    uint32_t kind = find_kind(self);
    uint32_t cell =
        kind == MC_NONE ? MC_NONE : find_cell(jfr, find_moment(jfr, get_time(self)), kind);
    if (cell == MC_NONE) return mc_error_out_of_memory(error);
    *(is_sample ? &jfr->cells[cell].sampled_bytes : &jfr->cells[cell].tlab_bytes) += bytes;
    return MC_OK;
}

// The class is that of the object, of which the event names the address.
static mc_result take_old_object(reader *self, mc_error *error) {
    mc_jfr *jfr = self->jfr;
    mc_jfr_value object = get_value(self, OBJECT);
    uint64_t size = get_number(self, VALUE), class_id = get_id(self, OBJECT) | UINT64_C(1) << 62;
    mc_jfr_old_object item = {
        .kind = mc_jfr_names_find_kind(&jfr->names, &jfr->chunk, get_value(self, STACK),
                                       get_id(self, STACK), mc_jfr_get(&jfr->chunk, object, "type"),
                                       class_id, get_value(self, THREAD), get_id(self, THREAD)),
        .size_bytes = size <= INT32_MAX ? size : 0};
    if (item.kind == MC_NONE ||
        !mc_jfr_old_objects_add(&jfr->old_objects, &jfr->names, &jfr->chunk, get_time(self), item,
                                object, get_value(self, OTHER_VALUE)))
        return mc_error_out_of_memory(error);
    return MC_OK;
}

// A profiler's: each has the time at which it was allocated; all are of one batch.
static mc_result take_live_object(reader *self, mc_error *error) {
    mc_jfr *jfr = self->jfr;
    uint64_t size = get_number(self, VALUE);
    mc_jfr_old_object item = {.kind = find_kind(self), .size_bytes = size <= INT32_MAX ? size : 0};
    const mc_jfr_value none = {.at = NULL};
    if (item.kind == MC_NONE || !mc_jfr_old_objects_add(&jfr->old_objects, &jfr->names, &jfr->chunk,
                                                        jfr->end_ns, item, none, none))
        return mc_error_out_of_memory(error);
    return MC_OK;
}

static void take_series(const reader *self, mc_jfr_series *series, int64_t time_ns) {
    uint64_t value = get_number(self, VALUE);
    if (value > MC_COUNT_MAX || (series->value != MC_COUNT_UNKNOWN && series->time_ns > time_ns))
        return;
    *series = (mc_jfr_series){value, time_ns};
}

static mc_result take_heap(reader *self, mc_jfr_moment *moment, mc_error *error) {
    mc_text *text = &self->jfr->names.text;
    mc_text_clear(text);
    mc_jfr_append_text(&self->jfr->chunk, get_value(self, NAME), text);
    if (text->failed) return mc_error_out_of_memory(error);
    uint64_t used = get_number(self, VALUE);
    if (strcmp(mc_text_get(text), "After GC") == 0 && used < moment->heap_used.value)
        moment->heap_used.value = used;
    return MC_OK;
}

static void take_limit(reader *self) {
    uint64_t limit = get_number(self, VALUE);
    if (limit <= MC_COUNT_MAX) self->jfr->heap_limit = limit;
}

static mc_result take_collection(reader *self, mc_jfr_moment *moment, mc_error *error) {
    uint64_t sum = convert_span(self, get_number(self, VALUE));
    uint64_t longest = convert_span(self, get_number(self, OTHER_VALUE));
    mc_text *text = &self->jfr->names.text;
    if (sum == 0) return MC_OK;
    moment->pause_count++;
    moment->pause_ns =
        sum > UINT64_MAX / 2 - moment->pause_ns ? UINT64_MAX / 2 : moment->pause_ns + sum;
    if (longest < moment->longest_ns) return MC_OK;
    moment->longest_ns = longest;
    mc_text_clear(text);
    mc_jfr_append_text(&self->jfr->chunk, get_value(self, NAME), text);
    moment->cause = mc_jfr_names_add_text(&self->jfr->names, text);
    return moment->cause == MC_NONE ? mc_error_out_of_memory(error) : MC_OK;
}

// ---- native allocations

static bool take_number_text(const reader *self, uint32_t slot, uint64_t *number) {
    mc_text *text = &self->jfr->names.text;
    mc_text_clear(text);
    mc_jfr_append_text(&self->jfr->chunk, get_value(self, slot), text);
    *number = 0;
    for (size_t i = 0; i < text->size && !text->failed; i++) {
        const char digit = text->data[i];
        if (digit < '0' || digit > '9' || *number > MC_COUNT_MAX / 10 - 1) return false;
        *number = *number * 10 + (uint64_t)(digit - '0');
    }
    return text->size > 0 && !text->failed;
}

// Of what the profiler was asked for: how often mallocs are recorded, and how many at most.
static mc_result take_setting(reader *self, mc_error *error) {
    const mc_jfr_chunk *chunk = &self->jfr->chunk;
    const uint32_t type = self->plans[MALLOC].type;
    mc_text *text = &self->jfr->names.text;
    uint64_t number;
    if (type == MC_NONE || get_number(self, OBJECT) != chunk->types[type].id) return MC_OK;
    mc_text_clear(text);
    mc_jfr_append_text(&self->jfr->chunk, get_value(self, NAME), text);
    const bool is_interval = strcmp(mc_text_get(text), "nativemem") == 0;
    const bool is_limit = strcmp(mc_text_get(text), "ratelimit") == 0;
    if (is_interval && take_number_text(self, OTHER_VALUE, &number)) self->interval = number;
    if (is_limit && take_number_text(self, OTHER_VALUE, &number)) self->jfr->rate_limit = number;
    return text->failed ? mc_error_out_of_memory(error) : MC_OK;
}

static mc_result take_malloc(reader *self, bool is_free, mc_error *error) {
    mc_jfr *jfr = self->jfr;
    uint64_t numbers[MC_JFR_PLAN_SLOTS_MOST];
    mc_result result =
        mc_jfr_plan_read_numbers(&jfr->chunk, self->plan, &self->event, numbers, error);
    if (result != MC_OK) return result;
    const mc_jfr_span span = {jfr->start_ns, jfr->end_ns, jfr->moment_count};
    if (!jfr->mallocs) jfr->mallocs = mc_jfr_mallocs_create(span);
    const int64_t time_ns = mc_jfr_chunk_convert_ticks(&jfr->chunk, (int64_t)numbers[TIME]);
    if (!jfr->mallocs || !mc_jfr_mallocs_survey(jfr->mallocs, &jfr->chunk.header, time_ns, is_free))
        return mc_error_out_of_memory(error);
    jfr->event_count++;
    return MC_OK;
}

static mc_result read_mallocs(reader *self, const unsigned char *data, mc_error *error) {
    mc_jfr *jfr = self->jfr;
    const mc_jfr_mallocs_input input = {data, &jfr->chunk, &jfr->names, self->progress, self->size};
    return jfr->mallocs ? mc_jfr_mallocs_read(jfr->mallocs, &input, error) : MC_OK;
}

// ---- all kinds

static mc_result take_event(reader *self, event_kind kind, mc_error *error) {
    mc_jfr *jfr = self->jfr;
    mc_jfr_moment *moment = &jfr->moments[find_moment(jfr, get_time(self))];
    jfr->event_count += kind != LOSS && kind != LIMIT && kind != SETTING;
    switch (kind) {
    case SAMPLE: return take_allocation(self, true, error);
    case IN_TLAB:
    case OUTSIDE_TLAB: return take_allocation(self, false, error);
    case OLD_OBJECT: return take_old_object(self, error);
    case LIVE_OBJECT: return take_live_object(self, error);
    case HEAP: return take_heap(self, moment, error);
    case COLLECTION: return take_collection(self, moment, error);
    case RESIDENT: take_series(self, &moment->resident, get_time(self)); return MC_OK;
    case NATIVE: take_series(self, &moment->native, get_time(self)); return MC_OK;
    case LIMIT: take_limit(self); return MC_OK;
    case SETTING: return take_setting(self, error);
    default: jfr->lost_bytes |= get_number(self, VALUE); return MC_OK;
    }
}

// ---- chunks

static void make_plans(reader *self) {
    const mc_jfr_chunk *chunk = &self->jfr->chunk;
    const bool has_mallocs = mc_jfr_chunk_find_type(chunk, event_names[MALLOC]) != MC_NONE;
    self->id_count = 0;
    for (uint32_t kind = 0; kind < KIND_COUNT; kind++) {
        uint32_t type = mc_jfr_chunk_find_type(chunk, event_names[kind]);
        self->plans[kind] = mc_jfr_plan_make(chunk, type, event_fields[kind]);
        if (type == MC_NONE || (kind == SETTING && !has_mallocs)) continue;
        self->ids[self->id_count] = chunk->types[type].id;
        self->id_plans[self->id_count++] = kind;
    }
}

static const mc_jfr_plan *find_plan(const reader *self, uint64_t type_id) {
    for (uint32_t i = 0; i < self->id_count; i++)
        if (self->ids[i] == type_id) return &self->plans[self->id_plans[i]];
    return NULL;
}

static bool report(const reader *self, const unsigned char *at) {
    return mc_progress_report(self->progress, (uint64_t)(at - self->jfr->chunk.file), self->size);
}

static mc_result read_events(reader *self, mc_error *error) {
    mc_jfr_chunk *chunk = &self->jfr->chunk;
    const unsigned char *at = chunk->begin + MC_JFR_HEADER_SIZE;
    mc_error own = {.code = MC_OK};
    mc_result result = MC_OK;
    uint32_t until_report = EVENTS_A_REPORT;
    while (result == MC_OK && mc_jfr_chunk_next_event(chunk, &at, &self->event, &own)) {
        if (--until_report == 0) {
            until_report = EVENTS_A_REPORT;
            if (!report(self, at)) result = mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
        }
        self->plan = find_plan(self, self->event.type_id);
        if (!self->plan || result != MC_OK) continue;
        const event_kind kind = (event_kind)(self->plan - self->plans);
        if (kind == MALLOC || kind == FREE) {
            result = take_malloc(self, kind == FREE, error);
            continue;
        }
        result = mc_jfr_plan_read(chunk, self->plan, &self->event, self->slots, error);
        if (result == MC_OK) result = take_event(self, kind, error);
    }
    return result;
}

// How far what is there of a chunk that was not finished goes.
static int64_t find_end(mc_jfr_chunk *chunk, int64_t end_ns) {
    const unsigned char *at = chunk->begin + MC_JFR_HEADER_SIZE;
    mc_error own = {.code = MC_OK};
    mc_jfr_event event;
    int64_t time_ns;
    while (mc_jfr_chunk_next_event(chunk, &at, &event, &own))
        if (mc_jfr_chunk_get_time(chunk, &event, &time_ns) && time_ns > end_ns) end_ns = time_ns;
    return end_ns;
}

static mc_result measure_chunk(mc_jfr *self, const unsigned char *data, const mc_jfr_header *header,
                               mc_error *error) {
    int64_t start = header->start_ns > 0 ? header->start_ns : 0;
    int64_t span = header->duration_ns > 0 ? header->duration_ns : 0;
    int64_t end = start > INT64_MAX / 2 - span / 2 ? start : start + span;
    if (header->is_open || header->is_cut) {
        bool is_there;
        mc_result result = mc_jfr_chunk_open(&self->chunk, data, header, &is_there, error);
        if (result != MC_OK) return result;
        if (is_there) end = find_end(&self->chunk, end);
    }
    if (header->offset == 0 || start < self->start_ns) self->start_ns = start;
    if (header->offset == 0 || end > self->end_ns) self->end_ns = end;
    return MC_OK;
}

// Calls for each chunk. Behind one that was not finished there may be part of what came next.
typedef mc_result (*chunk_function)(void *user, const unsigned char *data,
                                    const mc_jfr_header *header, mc_error *error);

static mc_result walk_chunks(mc_jfr *self, const unsigned char *data, uint64_t size,
                             chunk_function function, void *user, mc_error *error) {
    bool was_open = false;
    for (uint64_t at = 0; at < size || at == 0;) {
        mc_jfr_header header;
        bool is_chunk = mc_jfr_detect(data + at, (size_t)(size - at));
        bool is_stump = at > 0 && size - at < MC_JFR_HEADER_SIZE && is_chunk;
        if (is_stump || (was_open && !is_chunk)) {
            self->missing = cut_off;
            break;
        }
        mc_result result = mc_jfr_header_read(data, size, at, &header, error);
        if (result != MC_OK) return result;
        was_open = header.is_open;
        if (header.is_cut || header.is_open) self->missing = cut_off;
        result = function(user, data, &header, error);
        if (result != MC_OK) return result;
        at += header.size;
    }
    return MC_OK;
}

static mc_result measure(void *user, const unsigned char *data, const mc_jfr_header *header,
                         mc_error *error) {
    return measure_chunk(user, data, header, error);
}

static mc_result read_chunk(void *user, const unsigned char *data, const mc_jfr_header *header,
                            mc_error *error) {
    reader *self = user;
    bool is_there;
    mc_jfr_names_begin_chunk(&self->jfr->names);
    mc_result result = mc_jfr_chunk_open(&self->jfr->chunk, data, header, &is_there, error);
    if (result == MC_OK && is_there) {
        make_plans(self);
        result = read_events(self, error);
    }
    if (self->jfr->mallocs) mc_jfr_mallocs_set_interval(self->jfr->mallocs, header, self->interval);
    mc_file_map_give_back(data, header->offset, header->offset + header->size);
    return result;
}

static mc_result make_moments(mc_jfr *self, uint32_t wanted, mc_error *error) {
    int64_t span_ms = (self->end_ns - self->start_ns) / NS_PER_MS;
    __extension__ typedef __int128 wide;
    self->moment_count = wanted > 0 ? wanted : MC_PROFILE_MOMENTS;
    if (self->moment_count > span_ms) self->moment_count = span_ms > 0 ? (uint32_t)span_ms : 1;
    self->moments = mc_alloc_zero(self->moment_count, sizeof *self->moments);
    if (!self->moments) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < self->moment_count; i++) {
        mc_jfr_moment *moment = &self->moments[i];
        wide end =
            self->start_ns + (wide)(self->end_ns - self->start_ns) * (i + 1) / self->moment_count;
        moment->time_ms = (int64_t)(end / NS_PER_MS);
        moment->cause = MC_NONE;
        moment->heap_used.value = moment->resident.value = moment->native.value = MC_COUNT_UNKNOWN;
    }
    return MC_OK;
}

mc_result mc_jfr_read(mc_jfr *self, const unsigned char *data, uint64_t size,
                      const mc_profile_options *options, const mc_progress *progress,
                      mc_error *error) {
    reader r = {.jfr = self, .progress = progress, .size = size};
    mc_result result = walk_chunks(self, data, size, measure, self, error);
    if (result == MC_OK) result = make_moments(self, options->moment_count, error);
    if (result == MC_OK) result = walk_chunks(self, data, size, read_chunk, &r, error);
    if (result == MC_OK) result = read_mallocs(&r, data, error);
    mc_jfr_chunk_deinit(&self->chunk);
    if (result != MC_OK || self->event_count > 0) return result;
    return mc_error_set(error, MC_ERROR_BAD_DATA, 0,
                        self->missing
                            ? "JFR recording: cut off before anything that tells of memory"
                            : "JFR recording: expected events that tell of memory: sampled "
                              "allocations, old objects, collections, or resident memory");
}
