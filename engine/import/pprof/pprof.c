#include "engine/import/pprof/pprof.h"

#include "engine/base/ascii.h"
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/import/bytes/protobuf.h"
#include <inttypes.h>
#include <string.h>

#define FRAMES_A_BYTE 8 // that stacks may come to, with what was inlined: more is what bombs do
#define FRAMES_FREE ((size_t)1 << 16)
#define NS_PER_MS 1000000
#define TYPE_MOST 64 // kinds of values
#define NAME_MOST ((size_t)60)

// The fields of a profile.
enum {
    SAMPLE_TYPE = 1,
    SAMPLE = 2,
    MAPPING = 3,
    LOCATION = 4,
    FUNCTION = 5,
    STRING = 6,
    TIME_NANOS = 9,
    PERIOD_TYPE = 11,
    PERIOD = 12
};

#define NUMBER_MOST 5 // of the fields that are numbers

// What has an id that others name: a location, function or mapping.
typedef struct record {
    uint64_t numbers[NUMBER_MOST + 1]; // by field; the first is the id
    mc_proto body;
} record;

typedef struct table {
    record *records;
    size_t count, capacity;
    mc_slots slots; // by id, of those whose id is not their ordinal
} table;

// What samples refer to. Kept for the file that is parsed next.
typedef struct tables {
    mc_span *strings;
    size_t string_count, string_capacity;
    table locations, functions, mappings;
    uint32_t *frames_begin; // of each location, and one more: its frames in the profile
    size_t frames_capacity;
} tables;

typedef struct parser {
    const mc_profile_input *input;
    mc_profile *profile;
    mc_error *error;
    tables *tables;
    struct {
        uint64_t type, unit;
        uint32_t metric; // of the profile; MC_NONE: none
        double ms;       // that one of its unit is
    } types[TYPE_MOST];
    uint32_t type_count, metric_count;
    size_t frame_limit;
    const unsigned char *samples_begin, *samples_end; // where the first begins, the last ends
    int64_t time_ns;
    uint64_t period, period_unit; // the latter's text
} parser;

// ---- errors

static mc_result fail_at(const parser *self, const unsigned char *at, const char *text) {
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, (uint64_t)(at - self->input->data),
                        "pprof profile: %s", text);
}

// What a walk through a message has come to.
static mc_result finish(const parser *self, const mc_proto *proto) {
    if (!proto->bad) return MC_OK;
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, (uint64_t)(proto->bad - self->input->data),
                        "pprof profile: expected %s", proto->expected);
}

static mc_proto begin(const parser *self) {
    return mc_proto_begin(self->input->data, self->input->data + self->input->size);
}

static mc_proto get_body(const mc_proto_field *field) {
    return mc_proto_begin(field->bytes, field->end);
}

// ---- tables

static void deinit_table(table *t) {
    mc_free(t->records);
    mc_slots_deinit(&t->slots);
}

static uint32_t hash_id(uint64_t id) {
    return (uint32_t)mc_hash_u64(id, 7);
}

static void clear_table(table *t) {
    t->count = 0;
    mc_slots_deinit(&t->slots);
}

static void destroy_tables(void *scratch) {
    tables *t = scratch;
    mc_free(t->strings);
    mc_free(t->frames_begin);
    deinit_table(&t->locations);
    deinit_table(&t->functions);
    deinit_table(&t->mappings);
    mc_free(t);
}

// Those of the file before, empty. NULL: out of memory.
static tables *get_tables(mc_profile *profile) {
    if (!profile->scratch) {
        profile->scratch = mc_alloc_zero(1, sizeof(tables));
        profile->free_scratch = destroy_tables;
    }
    tables *t = profile->scratch;
    if (!t) return NULL;
    t->string_count = 0;
    clear_table(&t->locations);
    clear_table(&t->functions);
    clear_table(&t->mappings);
    return t;
}

// Ids mostly count from 1.
static const record *find_record(const table *t, uint64_t id) {
    if (t->count == 0) return NULL;
    if (t->slots.count == 0) return id - 1 < t->count ? &t->records[id - 1] : NULL;
    if (id - 1 < t->count && t->records[id - 1].numbers[1] == id) return &t->records[id - 1];
    uint32_t hash = hash_id(id);
    for (uint32_t at = hash, found; (found = mc_slots_find(&t->slots, hash, &at)) != MC_NONE;)
        if (t->records[found].numbers[1] == id) return &t->records[found];
    return NULL;
}

static mc_result add_record(parser *self, table *t, const mc_proto_field *field) {
    record added = {.body = get_body(field)};
    mc_proto body = added.body;
    mc_proto_field part;
    while (mc_proto_next(&body, &part))
        if (part.number <= NUMBER_MOST && part.wire == MC_PROTO_VARINT)
            added.numbers[part.number] = part.value;
    if (body.bad) return finish(self, &body);
    if (find_record(t, added.numbers[1])) return fail_at(self, field->begin, "an id comes twice");
    if (t->count >= MC_NONE - 1 ||
        !mc_reserve(&t->records, &t->capacity, t->count + 1, sizeof *t->records))
        return mc_error_out_of_memory(self->error);
    if (added.numbers[1] != t->count + 1 &&
        !mc_slots_add(&t->slots, hash_id(added.numbers[1]), (uint32_t)t->count))
        return mc_error_out_of_memory(self->error);
    t->records[t->count++] = added;
    return MC_OK;
}

// ---- first pass: what others refer to

static mc_result add_string(parser *self, const mc_proto_field *field) {
    if (!mc_reserve(&self->tables->strings, &self->tables->string_capacity,
                    self->tables->string_count + 1, sizeof *self->tables->strings))
        return mc_error_out_of_memory(self->error);
    self->tables->strings[self->tables->string_count++] =
        (mc_span){(const char *)field->bytes, (size_t)(field->end - field->bytes)};
    return MC_OK;
}

static mc_result add_type(parser *self, const mc_proto_field *field) {
    mc_proto body = get_body(field);
    mc_proto_field part;
    if (self->type_count == TYPE_MOST)
        return fail_at(self, field->begin, "more than 64 kinds of values");
    self->types[self->type_count].type = self->types[self->type_count].unit = 0;
    while (mc_proto_next(&body, &part)) {
        if (part.wire != MC_PROTO_VARINT) continue;
        if (part.number == 1) self->types[self->type_count].type = part.value;
        if (part.number == 2) self->types[self->type_count].unit = part.value;
    }
    self->type_count++;
    return finish(self, &body);
}

// What is wrong with it makes nothing else wrong.
static void take_period(parser *self, const mc_proto_field *field) {
    mc_proto_field part;
    if (field->number == PERIOD && field->wire == MC_PROTO_VARINT) self->period = field->value;
    if (field->number != PERIOD_TYPE || field->wire != MC_PROTO_BYTES) return;
    for (mc_proto body = get_body(field); mc_proto_next(&body, &part);)
        if (part.number == 2 && part.wire == MC_PROTO_VARINT) self->period_unit = part.value;
}

static mc_result take_field(parser *self, const mc_proto_field *field) {
    take_period(self, field);
    bool is_number = field->number == TIME_NANOS;
    if (field->number < SAMPLE_TYPE || (field->number > STRING && !is_number)) return MC_OK;
    if (field->wire != (is_number ? MC_PROTO_VARINT : MC_PROTO_BYTES))
        return fail_at(self, field->begin, "a field is of the wrong kind");
    switch (field->number) {
    case SAMPLE_TYPE: return add_type(self, field);
    case SAMPLE:
        if (!self->samples_begin) self->samples_begin = field->begin;
        self->samples_end = field->end;
        return MC_OK;
    case MAPPING: return add_record(self, &self->tables->mappings, field);
    case LOCATION: return add_record(self, &self->tables->locations, field);
    case FUNCTION: return add_record(self, &self->tables->functions, field);
    case STRING: return add_string(self, field);
    case TIME_NANOS: self->time_ns = (int64_t)field->value; return MC_OK;
    default: return MC_OK;
    }
}

static mc_result read_tables(parser *self) {
    mc_proto profile = begin(self);
    mc_proto_field field;
    while (mc_proto_next(&profile, &field)) {
        mc_result result = take_field(self, &field);
        if (result != MC_OK) return result;
    }
    if (profile.bad) return finish(self, &profile);
    if (self->type_count == 0)
        return fail_at(self, self->input->data, "it says of no kind of values what they are");
    if (self->tables->string_count == 0) return fail_at(self, self->input->data, "it has no texts");
    return MC_OK;
}

static mc_result get_string(const parser *self, uint64_t index, const unsigned char *at,
                            mc_span *text) {
    if (index >= self->tables->string_count)
        return mc_error_set(self->error, MC_ERROR_BAD_DATA, (uint64_t)(at - self->input->data),
                            "pprof profile: text %" PRIu64 " is named, and there are %zu", index,
                            self->tables->string_count);
    *text = self->tables->strings[index];
    return MC_OK;
}

// ---- metrics

static bool is_text(mc_span text, const char *wanted) {
    return text.size == strlen(wanted) && memcmp(text.at, wanted, text.size) == 0;
}

static bool is_any(mc_span text, const char *const *wanted) {
    for (; *wanted; wanted++)
        if (is_text(text, *wanted)) return true;
    return false;
}

static const mc_path_metric usual[] = {MC_SITES_OBJECTS, MC_SITES_BYTES, MC_SITES_ALLOCATED_OBJECTS,
                                       MC_SITES_ALLOCATED_BYTES};
enum { OBJECTS, BYTES, ALLOCATED_OBJECTS, ALLOCATED_BYTES, OTHER };

static int find_usual(mc_span type, mc_span unit) {
    static const char *const objects[] = {"inuse_objects", "objects", "live_objects", NULL};
    static const char *const bytes[] = {"inuse_space", "space",      "inuse_bytes", "live_space",
                                        "heap_space",  "live_bytes", "bytes",       NULL};
    static const char *const allocated_objects[] = {"alloc_objects", "allocations", NULL};
    static const char *const allocated_bytes[] = {"alloc_space", "alloc_bytes", NULL};
    if (is_text(unit, "count") && is_any(type, objects)) return OBJECTS;
    if (is_text(unit, "bytes") && is_any(type, bytes)) return BYTES;
    if (is_text(unit, "count") && is_any(type, allocated_objects)) return ALLOCATED_OBJECTS;
    if (is_text(unit, "bytes") && is_any(type, allocated_bytes)) return ALLOCATED_BYTES;
    return OTHER;
}

// How many milliseconds one of a unit is; 0: it is none of time.
static double get_ms(mc_span unit) {
    static const struct {
        const char *name;
        double ms;
    } units[] = {{"nanoseconds", 1e-6}, {"microseconds", 1e-3}, {"milliseconds", 1},
                 {"seconds", 1e3},      {"ns", 1e-6},           {"ms", 1}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (is_text(unit, units[i].name)) return units[i].ms;
    return 0;
}

// Of another name than the usual ones, and one that a command line can have.
static mc_path_metric get_other(mc_profile *profile, mc_span type, mc_span unit) {
    mc_path_metric metric = {.unit = get_ms(unit) > 0         ? MC_UNIT_TIME
                                     : is_text(unit, "bytes") ? MC_UNIT_BYTES
                                     : is_text(unit, "count") ? MC_UNIT_COUNT
                                                              : MC_UNIT_NONE,
                             .is_real = get_ms(unit) > 0,
                             .kind = MC_METRIC_STOCK};
    size_t size = type.size < NAME_MOST ? type.size : NAME_MOST;
    char *name = mc_profile_store(profile, size + 1);
    if (!name) return metric;
    for (size_t i = 0; i < size; i++) {
        char byte = mc_to_lower(type.at[i]);
        name[i] = mc_is_digit(byte) || (byte >= 'a' && byte <= 'z') ? byte : '_';
    }
    name[size] = '\0';
    metric.key = metric.title = name;
    return metric;
}

// Whether a metric is there, or has the name of one that means something else.
static bool is_taken(const parser *self, const char *key, int kind) {
    for (int i = 0; i < OTHER; i++)
        if (i != kind && strcmp(usual[i].key, key) == 0) return true;
    for (uint32_t i = 0; i < self->metric_count; i++)
        if (strcmp(self->profile->metrics[i].key, key) == 0) return true;
    return false;
}

// Of two types that come to the same metric the first counts.
static mc_result choose_metrics(parser *self) {
    mc_profile *profile = self->profile;
    bool is_of_heap = false;
    for (uint32_t i = 0; i < self->type_count; i++) {
        mc_span type = {NULL, 0}, unit = {NULL, 0};
        mc_result result = get_string(self, self->types[i].type, self->input->data, &type);
        if (result == MC_OK)
            result = get_string(self, self->types[i].unit, self->input->data, &unit);
        if (result != MC_OK) return result;
        int kind = find_usual(type, unit);
        is_of_heap |= kind != OTHER;
        mc_path_metric metric = kind == OTHER ? get_other(profile, type, unit) : usual[kind];
        if (!metric.key) return mc_error_out_of_memory(self->error);
        self->types[i].metric = MC_NONE;
        self->types[i].ms = get_ms(unit);
        if (metric.key[0] == '\0' || self->metric_count == MC_PATH_METRIC_MOST ||
            is_taken(self, metric.key, kind))
            continue;
        self->types[i].metric = self->metric_count;
        profile->metrics[self->metric_count++] = metric;
    }
    profile->metrics[self->metric_count].key = NULL;
    const bool is_told = self->period > 0 && self->period_unit < self->tables->string_count &&
                         is_text(self->tables->strings[self->period_unit], "bytes");
    if (is_of_heap) profile->sampling = is_told ? self->period : MC_PROFILE_SAMPLING_UNTOLD;
    if (self->metric_count > 0) return MC_OK;
    return fail_at(self, self->input->data, "none of its values has a name");
}

// ---- frames

static mc_result read_function(const parser *self, uint64_t id, const unsigned char *at,
                               mc_site_frame *frame) {
    const record *function = find_record(&self->tables->functions, id);
    if (!function)
        return mc_error_set(self->error, MC_ERROR_BAD_DATA, (uint64_t)(at - self->input->data),
                            "pprof profile: there is no function with the id %" PRIu64, id);
    const uint64_t *numbers = function->numbers;
    mc_result result = get_string(self, numbers[2] ? numbers[2] : numbers[3], at, &frame->function);
    return result == MC_OK ? get_string(self, numbers[4], at, &frame->file) : result;
}

static mc_result add_frame(parser *self, mc_site_frame frame) {
    return mc_profile_add_frame(self->profile, frame) == MC_NONE
               ? mc_error_out_of_memory(self->error)
               : MC_OK;
}

static mc_result read_line(parser *self, const mc_proto_field *field, mc_site_frame frame) {
    mc_proto body = get_body(field);
    mc_proto_field part;
    uint64_t function = 0, line = 0;
    while (mc_proto_next(&body, &part)) {
        if (part.wire != MC_PROTO_VARINT) continue;
        if (part.number == 1) function = part.value;
        if (part.number == 2) line = part.value;
    }
    if (body.bad) return finish(self, &body);
    frame.line = line < MC_NONE ? (uint32_t)line : 0;
    mc_result result = function ? read_function(self, function, field->begin, &frame) : MC_OK;
    return result == MC_OK ? add_frame(self, frame) : result;
}

// The frames of a location: what was inlined first. Profiles may have no mappings.
static mc_result read_location(parser *self, const record *location) {
    mc_proto body = location->body;
    mc_proto_field part;
    mc_site_frame frame = {.address = location->numbers[3]};
    const record *mapping = find_record(&self->tables->mappings, location->numbers[2]);
    size_t before = self->profile->frame_count;
    mc_result result =
        mapping ? get_string(self, mapping->numbers[5], body.at, &frame.module) : MC_OK;
    while (result == MC_OK && mc_proto_next(&body, &part))
        if (part.number == 4 && part.wire == MC_PROTO_BYTES) result = read_line(self, &part, frame);
    if (result == MC_OK && self->profile->frame_count == before) result = add_frame(self, frame);
    return result;
}

static mc_result read_locations(parser *self) {
    if (!mc_reserve(&self->tables->frames_begin, &self->tables->frames_capacity,
                    self->tables->locations.count + 1, sizeof *self->tables->frames_begin))
        return mc_error_out_of_memory(self->error);
    for (uint32_t i = 0; i < self->tables->locations.count; i++) {
        self->tables->frames_begin[i] = (uint32_t)self->profile->frame_count;
        mc_result result = read_location(self, &self->tables->locations.records[i]);
        if (result != MC_OK) return result;
    }
    self->tables->frames_begin[self->tables->locations.count] =
        (uint32_t)self->profile->frame_count;
    return MC_OK;
}

// ---- second pass: samples

static mc_result fail_location(const parser *self, uint64_t id, const unsigned char *at) {
    return mc_error_set(self->error, MC_ERROR_BAD_DATA, (uint64_t)(at - self->input->data),
                        "pprof profile: there is no location with the id %" PRIu64, id);
}

static inline mc_result push_location(parser *self, uint64_t id, const unsigned char *at) {
    size_t index = (size_t)id - 1;
    if (self->tables->locations.slots.count > 0 || id - 1 >= self->tables->locations.count) {
        const record *location = find_record(&self->tables->locations, id);
        if (!location) return fail_location(self, id, at);
        index = (size_t)(location - self->tables->locations.records);
    }
    uint32_t end = self->tables->frames_begin[index + 1];
    if (end - self->tables->frames_begin[index] >
        self->frame_limit - self->profile->stack_frame_count)
        return fail_at(self, at, "its stacks have many more frames than a file of its size");
    for (uint32_t frame = self->tables->frames_begin[index]; frame < end; frame++)
        if (!mc_profile_push_frame(self->profile, frame))
            return mc_error_out_of_memory(self->error);
    return MC_OK;
}

// As many of packed locations as have ids from 1 on in the order in which they come, and one frame
// each. There is room.
static void push_plain(const parser *self, mc_proto *numbers) {
    const uint32_t *begins = self->tables->frames_begin;
    const uint64_t count = self->tables->locations.count;
    uint32_t *frames = self->profile->stack_frames + self->profile->stack_frame_count;
    size_t pushed = 0;
    const unsigned char *at = numbers->at, *end = numbers->end;
    while (at < end) {
        uint64_t id = at[0];
        size_t size = 1;
        if (id >= 128) {
            if (end - at < 2 || at[1] >= 128) break;
            id = (id & 127) | (uint64_t)at[1] << 7;
            size = 2;
        }
        if (id - 1 >= count || begins[id] - begins[id - 1] != 1) break;
        frames[pushed++] = begins[id - 1];
        at += size;
    }
    numbers->at = at;
    self->profile->stack_frame_count += pushed;
}

static mc_result push_locations(parser *self, const mc_proto_field *part) {
    mc_proto numbers = mc_proto_begin_numbers(part);
    mc_result result = MC_OK;
    size_t most = part->wire == MC_PROTO_BYTES ? (size_t)(part->end - part->bytes) : 0;
    if (self->tables->locations.slots.count == 0 && most > 0 &&
        most <= self->frame_limit - self->profile->stack_frame_count) {
        if (!mc_profile_grow_stacks(self->profile, most))
            return mc_error_out_of_memory(self->error);
        push_plain(self, &numbers);
    }
    for (uint64_t id; result == MC_OK && mc_proto_next_number(&numbers, part, &id);)
        result = push_location(self, id, part->begin);
    return result == MC_OK ? finish(self, &numbers) : result;
}

// Texts alone; numbers split a stack by the size of its objects.
static mc_result push_label(parser *self, const mc_proto_field *field) {
    mc_proto body = get_body(field);
    mc_proto_field part;
    mc_site_label label = {.key = {NULL, 0}};
    uint64_t key = 0, value = 0;
    while (mc_proto_next(&body, &part)) {
        if (part.wire != MC_PROTO_VARINT) continue;
        if (part.number == 1) key = part.value;
        if (part.number == 2) value = part.value;
    }
    if (body.bad) return finish(self, &body);
    if (!key || !value) return MC_OK;
    mc_result result = get_string(self, key, field->begin, &label.key);
    if (result == MC_OK) result = get_string(self, value, field->begin, &label.value);
    if (result == MC_OK && !mc_profile_push_label(self->profile, label))
        result = mc_error_out_of_memory(self->error);
    return result;
}

static mc_result take_value(const parser *self, uint64_t word, uint32_t type,
                            const unsigned char *at, uint64_t *values) {
    uint32_t metric = self->types[type].metric;
    if (word > MC_COUNT_MAX)
        return fail_at(self, at,
                       "a negative value, as in a profile of the difference of two; give both "
                       "profiles instead, which are a trace");
    if (metric == MC_NONE) return MC_OK;
    values[metric] = self->profile->metrics[metric].is_real
                         ? mc_metric_pack((double)word * self->types[type].ms)
                         : word;
    return MC_OK;
}

static mc_result read_sample_part(parser *self, const mc_proto_field *part, uint64_t *values,
                                  uint32_t *value_count) {
    mc_result result = MC_OK;
    uint64_t number;
    if (part->number == 3)
        return part->wire == MC_PROTO_BYTES ? push_label(self, part)
                                            : fail_at(self, part->begin, "a label of wrong kind");
    if (part->number > 2) return MC_OK;
    if (part->wire != MC_PROTO_BYTES && part->wire != MC_PROTO_VARINT)
        return fail_at(self, part->begin, "a sample's field is of the wrong kind");
    if (part->number == 1) return push_locations(self, part);
    mc_proto numbers = mc_proto_begin_numbers(part);
    while (result == MC_OK && mc_proto_next_number(&numbers, part, &number)) {
        if (*value_count == self->type_count)
            result = fail_at(self, part->begin, "a sample has more values than there are kinds");
        else
            result = take_value(self, number, (*value_count)++, part->begin, values);
    }
    return result == MC_OK ? finish(self, &numbers) : result;
}

static mc_result read_sample(parser *self, const mc_proto_field *field) {
    mc_proto body = get_body(field);
    mc_proto_field part;
    uint64_t values[MC_PATH_METRIC_MOST] = {0};
    uint32_t value_count = 0;
    while (mc_proto_next(&body, &part)) {
        mc_result result = read_sample_part(self, &part, values, &value_count);
        if (result != MC_OK) return result;
    }
    if (body.bad) return finish(self, &body);
    if (value_count < self->type_count)
        return fail_at(self, field->begin, "a sample has fewer values than there are kinds");
    return mc_profile_add_sample(self->profile, values, NULL,
                                 (uint64_t)(field->begin - self->input->data))
               ? MC_OK
               : mc_error_out_of_memory(self->error);
}

static mc_result read_samples(parser *self) {
    mc_profile_step step = {.time_ms = self->time_ns / NS_PER_MS, .has_time = self->time_ns > 0};
    mc_proto profile = mc_proto_begin(self->samples_begin, self->samples_end);
    mc_proto_field field;
    if (!mc_profile_add_step(self->profile, step)) return mc_error_out_of_memory(self->error);
    if (!self->samples_begin) return MC_OK;
    while (mc_proto_next(&profile, &field)) {
        mc_result result = field.number == SAMPLE ? read_sample(self, &field) : MC_OK;
        if (result != MC_OK) return result;
        if (mc_import_watch_should_stop(self->input->watch))
            return mc_fail(self->error, MC_ERROR_CANCELLED, "cancelled");
    }
    return MC_OK;
}

mc_result mc_pprof_parse(const mc_profile_input *input, mc_profile *profile, mc_error *error) {
    mc_error own = {.code = MC_OK};
    parser self = {.input = input,
                   .profile = profile,
                   .error = error ? error : &own,
                   .tables = get_tables(profile),
                   .frame_limit = FRAMES_FREE + input->size * FRAMES_A_BYTE};
    if (!self.tables) return mc_error_out_of_memory(self.error);
    mc_result result = read_tables(&self);
    if (result == MC_OK) result = choose_metrics(&self);
    if (result == MC_OK) result = read_locations(&self);
    if (result == MC_OK) result = read_samples(&self);
    return result;
}

// ---- detection

static bool is_value_type(const mc_proto_field *field) {
    mc_proto body = get_body(field);
    mc_proto_field part;
    while (mc_proto_next(&body, &part))
        if (part.number > 2 || part.wire != MC_PROTO_VARINT) return false;
    return !body.bad && field->end > field->bytes;
}

bool mc_pprof_detect(const unsigned char *data, size_t size) {
    // Up to doc_url; a profile's texts begin with the empty one.
    static const char kinds[] = {0, 2, 2, 2, 2, 2, 2, 0, 0, 0, 0, 2, 0, 2, 0, 0};
    mc_proto profile = mc_proto_begin(data, data + size);
    mc_proto_field field;
    bool has_type = false, has_string = false;
    while (mc_proto_next(&profile, &field)) {
        bool is_comment = field.number == 13 && field.wire == MC_PROTO_VARINT;
        if (field.number >= sizeof kinds ||
            (field.wire != (mc_proto_wire)kinds[field.number] && !is_comment))
            return false;
        if (field.number == SAMPLE_TYPE && !is_value_type(&field)) return false;
        if (field.number == STRING && !has_string && field.end > field.bytes) return false;
        has_type |= field.number == SAMPLE_TYPE;
        has_string |= field.number == STRING;
    }
    return has_type; // the beginning of a file ends anywhere
}
