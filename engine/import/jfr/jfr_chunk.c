#include "engine/import/jfr/jfr_chunk.h"

#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/import/jfr/jfr_cursor.h"
#include <inttypes.h>
#include <string.h>

#define DEPTH_MOST 16         // of values in values
#define ELEMENT_DEPTH_MOST 32 // of the metadata
#define WORK_A_BYTE 64        // fields without a byte of their own, which no JVM writes
#define WORK_FREE (UINT64_C(1) << 20)
#define STATE_OFFSET 64 // of the header: 0 if the chunk is finished
#define FLAG_PACKED 1u
#define NS_PER_S 1000000000
#define TIME_MOST (INT64_C(1) << 62)
#define START_MOST (INT64_C(3) << 60)      // in ns
#define SECONDS_MOST (INT64_C(1) << 30)    // of a chunk
#define FREQUENCY_MOST INT64_C(9000000000) // of ticks a second

static const unsigned char magic[] = {'F', 'L', 'R', 0};

bool mc_jfr_detect(const unsigned char *data, size_t size) {
    return size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

// ---- errors

static mc_result bad_at(const mc_jfr_chunk *self, const unsigned char *at, const char *text,
                        mc_error *error) {
    return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(at - self->file),
                        "JFR recording: expected %s", text);
}

// ---- header

static mc_result check_version(const unsigned char *at, uint64_t offset, mc_error *error) {
    unsigned major = (unsigned)at[4] << 8 | at[5], minor = (unsigned)at[6] << 8 | at[7];
    if (major == MC_JFR_MAJOR && minor <= MC_JFR_MINOR) return MC_OK;
    return mc_error_set(error, MC_ERROR_BAD_DATA, offset,
                        "JFR recording: its format is version %u.%u; versions 2.0 to %d.%d can be "
                        "read",
                        major, minor, MC_JFR_MAJOR, MC_JFR_MINOR);
}

mc_result mc_jfr_header_read(const unsigned char *file, uint64_t file_size, uint64_t offset,
                             mc_jfr_header *header, mc_error *error) {
    const unsigned char *at = file + offset;
    uint64_t left = file_size - offset;
    *header = (mc_jfr_header){.offset = offset};
    if (!mc_jfr_detect(at, (size_t)left))
        return mc_error_set(error, MC_ERROR_BAD_DATA, offset,
                            "JFR recording: expected a chunk, which begins with \"FLR\"");
    if (left >= 8 && check_version(at, offset, error) != MC_OK) return MC_ERROR_BAD_DATA;
    if (left < MC_JFR_HEADER_SIZE)
        return mc_error_set(error, MC_ERROR_BAD_DATA, file_size,
                            "JFR recording: cut off in the first %d bytes of a chunk",
                            MC_JFR_HEADER_SIZE);
    mc_jfr_cursor c = {.at = at + 8, .end = at + MC_JFR_HEADER_SIZE};
    uint64_t size = mc_jfr_take_big_endian(&c, 8);
    mc_jfr_take_big_endian(&c, 8); // the last checkpoint: all are met
    header->metadata_offset = mc_jfr_take_big_endian(&c, 8);
    header->start_ns = (int64_t)mc_jfr_take_big_endian(&c, 8);
    header->duration_ns = (int64_t)mc_jfr_take_big_endian(&c, 8);
    header->start_ticks = (int64_t)mc_jfr_take_big_endian(&c, 8);
    header->ticks_per_s = (int64_t)mc_jfr_take_big_endian(&c, 8);
    header->is_packed = (at[MC_JFR_HEADER_SIZE - 1] & FLAG_PACKED) != 0;
    header->is_open = size == 0 || at[STATE_OFFSET] != 0;
    if (size > 0 && size < MC_JFR_HEADER_SIZE)
        return mc_error_set(error, MC_ERROR_BAD_DATA, offset + 8,
                            "JFR recording: expected a chunk's size, of %d bytes or more",
                            MC_JFR_HEADER_SIZE);
    if (header->ticks_per_s <= 0)
        return mc_error_set(error, MC_ERROR_BAD_DATA, offset + 56,
                            "JFR recording: expected how many ticks a second has");
    header->is_cut = size > left;
    header->size = size == 0 || size > left ? left : size;
    return MC_OK;
}

// ---- types

static uint32_t hash_id(uint64_t id, uint32_t type) {
    return (uint32_t)(mc_hash_u64(id, type) >> 16);
}

static uint32_t find_type_id(const mc_jfr_chunk *self, uint64_t id) {
    uint32_t hash = hash_id(id, MC_NONE);
    for (uint32_t at = hash, found;
         (found = mc_slots_find(&self->type_slots, hash, &at)) != MC_NONE;)
        if (self->types[found].id == id) return found;
    return MC_NONE;
}

uint32_t mc_jfr_chunk_find_type(const mc_jfr_chunk *self, const char *name) {
    uint32_t string = mc_strings_find(&self->strings, name, strlen(name));
    for (uint32_t i = 0; string != MC_NONE && i < self->type_count; i++)
        if (self->types[i].name == string) return i;
    return MC_NONE;
}

static mc_jfr_kind find_kind(const mc_jfr_chunk *self, uint32_t name) {
    static const struct {
        const char *name;
        mc_jfr_kind kind;
    } known[] = {
        {"boolean", MC_JFR_BYTE}, {"byte", MC_JFR_BYTE},     {"char", MC_JFR_SHORT},
        {"short", MC_JFR_SHORT},  {"int", MC_JFR_INT},       {"long", MC_JFR_LONG},
        {"float", MC_JFR_FLOAT},  {"double", MC_JFR_DOUBLE}, {"java.lang.String", MC_JFR_STRING}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(mc_strings_get(&self->strings, name, NULL), known[i].name) == 0)
            return known[i].kind;
    return MC_JFR_STRUCT;
}

static bool parse_id(const mc_jfr_chunk *self, uint32_t string, uint64_t *id) {
    size_t size;
    const char *text = mc_strings_get(&self->strings, string, &size);
    *id = 0;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9' || *id > UINT64_MAX / 10 - 1) return false;
        *id = *id * 10 + (uint64_t)(text[i] - '0');
    }
    return size > 0;
}

// The words of the metadata, as strings.
typedef struct words {
    uint32_t class, field, id, name, constant_pool, dimension, true_;
} words;

typedef struct metadata {
    mc_jfr_chunk *chunk;
    mc_jfr_cursor c;
    uint64_t string_count;
    words words;
    const char *expected;
    bool has_failed; // memory is out
} metadata;

static uint32_t take_word(metadata *m) {
    uint64_t index = mc_jfr_take_int(&m->c);
    if (m->c.at && index < m->string_count) return m->chunk->string_places[index];
    if (m->c.at) m->expected = "the number of a text of the metadata";
    mc_jfr_cursor_fail(&m->c);
    return MC_NONE;
}

typedef struct attributes {
    uint32_t id, name, class, constant_pool, dimension; // strings; MC_NONE
} attributes;

static attributes take_attributes(metadata *m) {
    attributes found = {MC_NONE, MC_NONE, MC_NONE, MC_NONE, MC_NONE};
    uint64_t count = mc_jfr_take_int(&m->c);
    for (uint64_t i = 0; i < count && m->c.at; i++) {
        uint32_t key = take_word(m), value = take_word(m);
        if (!m->c.at) break;
        if (key == m->words.id) found.id = value;
        if (key == m->words.name) found.name = value;
        if (key == m->words.class) found.class = value;
        if (key == m->words.constant_pool) found.constant_pool = value;
        if (key == m->words.dimension) found.dimension = value;
    }
    return found;
}

static bool add_type(metadata *m, const attributes *a) {
    mc_jfr_chunk *chunk = m->chunk;
    uint64_t id;
    if (a->name == MC_NONE || a->id == MC_NONE || !parse_id(chunk, a->id, &id)) {
        m->expected = "a type with a name and an id";
        return mc_jfr_cursor_fail(&m->c);
    }
    if (find_type_id(chunk, id) != MC_NONE) {
        m->expected = "a type with an id of its own";
        return mc_jfr_cursor_fail(&m->c);
    }
    if (chunk->type_count >= MC_NONE - 1 ||
        !mc_reserve(&chunk->types, &chunk->type_capacity, chunk->type_count + 1,
                    sizeof *chunk->types) ||
        !mc_slots_add(&chunk->type_slots, hash_id(id, MC_NONE), (uint32_t)chunk->type_count)) {
        m->has_failed = true;
        return mc_jfr_cursor_fail(&m->c);
    }
    chunk->types[chunk->type_count++] = (mc_jfr_type){.id = id,
                                                      .name = a->name,
                                                      .fields_begin = (uint32_t)chunk->field_count,
                                                      .kind = find_kind(chunk, a->name)};
    return true;
}

static bool add_field(metadata *m, const attributes *a) {
    mc_jfr_chunk *chunk = m->chunk;
    mc_jfr_field field = {.name = a->name,
                          .is_pooled =
                              a->constant_pool == m->words.true_ && a->constant_pool != MC_NONE,
                          .is_array = a->dimension != MC_NONE};
    if (a->name == MC_NONE || a->class == MC_NONE || !parse_id(chunk, a->class, &field.type_id)) {
        m->expected = "a field with a name and a type";
        return mc_jfr_cursor_fail(&m->c);
    }
    if (chunk->field_count >= MC_NONE - 1 ||
        !mc_reserve(&chunk->fields, &chunk->field_capacity, chunk->field_count + 1,
                    sizeof *chunk->fields)) {
        m->has_failed = true;
        return mc_jfr_cursor_fail(&m->c);
    }
    chunk->fields[chunk->field_count++] = field;
    return true;
}

// `is_type`: what is above it is one, whose fields are its children.
static void take_element(metadata *m, bool is_in_type, uint32_t depth) {
    uint32_t name = take_word(m);
    attributes a = take_attributes(m);
    bool is_type = m->c.at && name == m->words.class && !is_in_type;
    size_t type = m->chunk->type_count;
    if (m->c.at && depth == ELEMENT_DEPTH_MOST) {
        m->expected = "metadata that is less deep";
        mc_jfr_cursor_fail(&m->c);
    }
    if (is_type && !add_type(m, &a)) return;
    if (m->c.at && is_in_type && name == m->words.field && !add_field(m, &a)) return;
    uint64_t count = mc_jfr_take_int(&m->c);
    for (uint64_t i = 0; i < count && m->c.at; i++)
        take_element(m, is_type, depth + 1);
    if (is_type && m->c.at)
        m->chunk->types[type].field_count =
            (uint32_t)(m->chunk->field_count - m->chunk->types[type].fields_begin);
}

static bool take_strings(metadata *m) {
    mc_jfr_chunk *chunk = m->chunk;
    mc_text text = {0};
    m->string_count = mc_jfr_take_int(&m->c);
    if (!m->c.at || m->string_count > (uint64_t)(m->c.end - m->c.at))
        return mc_jfr_cursor_fail(&m->c);
    m->has_failed =
        m->string_count > 0 && !mc_reserve(&chunk->string_places, &chunk->string_capacity,
                                           (size_t)m->string_count, sizeof *chunk->string_places);
    for (uint64_t i = 0; i < m->string_count && m->c.at && !m->has_failed; i++) {
        uint64_t pooled;
        bool is_null;
        mc_text_clear(&text);
        if (!mc_jfr_take_string(&m->c, &text, &pooled, &is_null)) break;
        chunk->string_places[i] = mc_strings_intern(&chunk->strings, mc_text_get(&text), text.size);
        m->has_failed = text.failed || chunk->string_places[i] == MC_NONE;
    }
    mc_text_deinit(&text);
    return m->c.at && !m->has_failed;
}

static uint32_t find_word(const mc_jfr_chunk *chunk, const char *word) {
    return mc_strings_find(&chunk->strings, word, strlen(word));
}

static mc_result resolve_fields(mc_jfr_chunk *self, const unsigned char *at, mc_error *error) {
    self->string_type = MC_NONE;
    for (uint32_t i = 0; i < self->type_count; i++)
        if (self->types[i].kind == MC_JFR_STRING) self->string_type = i;
    for (size_t i = 0; i < self->field_count; i++) {
        self->fields[i].type = find_type_id(self, self->fields[i].type_id);
        if (self->fields[i].type == MC_NONE)
            return bad_at(self, at, "metadata that describes the types of all fields", error);
    }
    return MC_OK;
}

static mc_result read_metadata(mc_jfr_chunk *self, const mc_jfr_event *event, mc_error *error) {
    metadata m = {.chunk = self,
                  .c = {event->at, event->end, self->header.is_packed},
                  .expected = "metadata that ends within its event"};
    mc_jfr_take_long(&m.c); // when, how long
    mc_jfr_take_long(&m.c);
    mc_jfr_take_long(&m.c); // its number
    if (take_strings(&m)) {
        m.words = (words){.class = find_word(self, "class"),
                          .field = find_word(self, "field"),
                          .id = find_word(self, "id"),
                          .name = find_word(self, "name"),
                          .constant_pool = find_word(self, "constantPool"),
                          .dimension = find_word(self, "dimension"),
                          .true_ = find_word(self, "true")};
        if (m.words.class == MC_NONE || m.words.id == MC_NONE || m.words.name == MC_NONE) {
            m.expected = "metadata that describes types";
            mc_jfr_cursor_fail(&m.c);
        }
        if (m.c.at) take_element(&m, false, 0);
    }
    if (m.has_failed) return mc_error_out_of_memory(error);
    if (!m.c.at) return bad_at(self, event->at, m.expected, error);
    return resolve_fields(self, event->at, error);
}

// ---- skipping values

static void skip_value(mc_jfr_chunk *self, mc_jfr_cursor *c, uint32_t type, uint32_t depth);

static void skip_field(mc_jfr_chunk *self, mc_jfr_cursor *c, const mc_jfr_field *field,
                       uint32_t depth) {
    uint64_t count = field->is_array ? mc_jfr_take_int(c) : 1;
    if (field->is_array && c->at && count > (uint64_t)(c->end - c->at)) mc_jfr_cursor_fail(c);
    for (uint64_t i = 0; i < count && c->at; i++) {
        if (field->is_pooled)
            mc_jfr_take_long(c);
        else
            skip_value(self, c, field->type, depth);
    }
}

static void skip_value(mc_jfr_chunk *self, mc_jfr_cursor *c, uint32_t type, uint32_t depth) {
    const mc_jfr_type *t = &self->types[type];
    uint64_t pooled;
    bool is_null;
    if (depth == DEPTH_MOST || self->work == 0) {
        mc_jfr_cursor_fail(c);
        return;
    }
    self->work--;
    switch (t->kind) {
    case MC_JFR_BYTE: mc_jfr_cursor_skip(c, 1); break;
    case MC_JFR_SHORT: mc_jfr_take_number(c, 2); break;
    case MC_JFR_INT: mc_jfr_take_number(c, 4); break;
    case MC_JFR_LONG: mc_jfr_take_number(c, 8); break;
    case MC_JFR_FLOAT: mc_jfr_cursor_skip(c, 4); break;
    case MC_JFR_DOUBLE: mc_jfr_cursor_skip(c, 8); break;
    case MC_JFR_STRING: mc_jfr_take_string(c, NULL, &pooled, &is_null); break;
    case MC_JFR_STRUCT:
        for (uint32_t i = 0; i < t->field_count && c->at; i++)
            skip_field(self, c, &self->fields[t->fields_begin + i], depth + 1);
        break;
    }
}

// ---- constants

static bool add_constant(mc_jfr_chunk *self, mc_jfr_constant constant) {
    if (self->constant_count >= MC_NONE - 1 ||
        !mc_reserve(&self->constants, &self->constant_capacity, self->constant_count + 1,
                    sizeof constant) ||
        !mc_slots_add(&self->constant_slots, hash_id(constant.id, constant.type),
                      (uint32_t)self->constant_count))
        return false;
    self->constants[self->constant_count++] = constant;
    return true;
}

static const mc_jfr_constant *find_constant(const mc_jfr_chunk *self, uint32_t type, uint64_t id) {
    uint32_t hash = hash_id(id, type);
    for (uint32_t at = hash, found;
         (found = mc_slots_find(&self->constant_slots, hash, &at)) != MC_NONE;)
        if (self->constants[found].id == id && self->constants[found].type == type)
            return &self->constants[found];
    return NULL;
}

// All of one type. Of those that come again, as JVMs write some, the first counts.
static mc_result read_pool(mc_jfr_chunk *self, mc_jfr_cursor *c, mc_error *error) {
    const unsigned char *begin = c->at;
    uint32_t type = find_type_id(self, mc_jfr_take_long(c));
    uint64_t count = mc_jfr_take_int(c);
    if (c->at && type == MC_NONE)
        return bad_at(self, begin, "constants of a type that is described", error);
    for (uint64_t i = 0; i < count && c->at; i++) {
        mc_jfr_constant constant = {.id = mc_jfr_take_long(c), .type = type};
        begin = constant.at = c->at;
        if (c->at) skip_value(self, c, type, 0);
        if (c->at && !find_constant(self, type, constant.id) && !add_constant(self, constant))
            return mc_error_out_of_memory(error);
    }
    return c->at ? MC_OK
                 : bad_at(self, begin ? begin : c->end, "a constant within its checkpoint", error);
}

static mc_result read_checkpoint(mc_jfr_chunk *self, const mc_jfr_event *event, mc_error *error) {
    mc_jfr_cursor c = {event->at, event->end, self->header.is_packed};
    mc_jfr_take_long(&c); // when, how long, where the one before is
    mc_jfr_take_long(&c);
    mc_jfr_take_long(&c);
    mc_jfr_cursor_skip(&c, 1); // its kind
    uint64_t count = mc_jfr_take_int(&c);
    mc_result result = MC_OK;
    for (uint64_t i = 0; i < count && c.at && result == MC_OK; i++)
        result = read_pool(self, &c, error);
    if (result != MC_OK || c.at) return result;
    return bad_at(self, event->at, "a checkpoint of constants", error);
}

// ---- events

enum { TYPE_METADATA, TYPE_CHECKPOINT };

bool mc_jfr_chunk_next_event(mc_jfr_chunk *self, const unsigned char **at, mc_jfr_event *event,
                             mc_error *error) {
    const unsigned char *begin = *at;
    mc_jfr_cursor c = {begin, self->end, self->header.is_packed};
    if (begin == self->end) return false;
    uint64_t size = mc_jfr_take_int(&c);
    event->type_id = mc_jfr_take_long(&c);
    event->at = c.at;
    if (!c.at || size > (uint64_t)(self->end - begin) || size < (uint64_t)(c.at - begin)) {
        if (self->header.is_cut || self->header.is_open)
            self->header.is_cut = true; // as far as it was written
        else
            bad_at(self, begin, "an event, with its size, that ends within the chunk", error);
        return false;
    }
    event->end = *at = begin + size;
    return true;
}

bool mc_jfr_chunk_get_time(const mc_jfr_chunk *self, const mc_jfr_event *event, int64_t *time_ns) {
    uint32_t type = event->type_id > TYPE_CHECKPOINT ? find_type_id(self, event->type_id) : MC_NONE;
    mc_jfr_cursor c = {event->at, event->end, self->header.is_packed};
    if (type == MC_NONE || self->types[type].field_count == 0) return false;
    const mc_jfr_field *field = &self->fields[self->types[type].fields_begin];
    if (strcmp(mc_strings_get(&self->strings, field->name, NULL), "startTime") != 0 ||
        self->types[field->type].kind != MC_JFR_LONG || field->is_array)
        return false;
    int64_t ticks = (int64_t)mc_jfr_take_long(&c);
    *time_ns = mc_jfr_chunk_convert_ticks(self, ticks);
    return c.at != NULL;
}

int64_t mc_jfr_chunk_convert_ticks(const mc_jfr_chunk *self, int64_t ticks) {
    __extension__ typedef __int128 wide;
    const int64_t per_s = self->header.ticks_per_s, begin = self->header.start_ticks;
    int64_t since;
    // The same as below, of times that a recording has, without a division of 128 bits.
    if (per_s <= FREQUENCY_MOST && self->header.start_ns >= 0 &&
        self->header.start_ns < START_MOST && !__builtin_sub_overflow(ticks, begin, &since) &&
        since >= 0 && since / per_s < SECONDS_MOST)
        return since / per_s * NS_PER_S + since % per_s * NS_PER_S / per_s + self->header.start_ns;
    wide time = ((wide)ticks - self->header.start_ticks) * NS_PER_S / self->header.ticks_per_s +
                self->header.start_ns;
    return time > TIME_MOST ? TIME_MOST : time < 0 ? 0 : (int64_t)time;
}

// The last description of types: the header's, or, where that is not there, one that is met.
static mc_result find_metadata(mc_jfr_chunk *self, mc_jfr_event *found, bool *is_there,
                               mc_error *error) {
    mc_error own = {.code = MC_OK};
    mc_jfr_event event;
    uint64_t place = self->header.metadata_offset;
    *is_there = false;
    if (place >= MC_JFR_HEADER_SIZE && place < (uint64_t)(self->end - self->begin)) {
        const unsigned char *at = self->begin + place;
        *is_there =
            mc_jfr_chunk_next_event(self, &at, found, &own) && found->type_id == TYPE_METADATA;
        if (*is_there) return MC_OK;
    }
    own.code = MC_OK;
    for (const unsigned char *at = self->begin + MC_JFR_HEADER_SIZE;
         mc_jfr_chunk_next_event(self, &at, &event, &own);)
        if (event.type_id == TYPE_METADATA) {
            *found = event;
            *is_there = true;
        }
    if (*is_there || self->header.is_cut || self->header.is_open) return MC_OK;
    if (own.code == MC_OK)
        return bad_at(self, self->begin, "a chunk that describes its types", error);
    if (error) *error = own;
    return own.code;
}

mc_result mc_jfr_chunk_open(mc_jfr_chunk *self, const unsigned char *file,
                            const mc_jfr_header *header, bool *is_there, mc_error *error) {
    mc_jfr_event event;
    mc_error own = {.code = MC_OK};
    self->file = file;
    self->begin = file + header->offset;
    self->end = self->begin + header->size;
    self->header = *header;
    self->work = header->size * WORK_A_BYTE + WORK_FREE;
    self->type_count = self->field_count = self->constant_count = 0;
    mc_strings_deinit(&self->strings);
    mc_slots_deinit(&self->type_slots);
    mc_slots_deinit(&self->constant_slots);
    mc_result result = find_metadata(self, &event, is_there, error);
    if (result != MC_OK || !*is_there) return result;
    result = read_metadata(self, &event, error);
    for (const unsigned char *at = self->begin + MC_JFR_HEADER_SIZE;
         result == MC_OK && mc_jfr_chunk_next_event(self, &at, &event, &own);)
        if (event.type_id == TYPE_CHECKPOINT) result = read_checkpoint(self, &event, error);
    if (result == MC_OK && own.code != MC_OK) {
        result = own.code;
        if (error) *error = own;
    }
    return result;
}

void mc_jfr_chunk_deinit(mc_jfr_chunk *self) {
    mc_strings_deinit(&self->strings);
    mc_free(self->string_places);
    mc_free(self->types);
    mc_free(self->fields);
    mc_free(self->constants);
    mc_slots_deinit(&self->type_slots);
    mc_slots_deinit(&self->constant_slots);
    *self = (mc_jfr_chunk){.file = NULL};
}

// ---- plans

// Of a number that is one byte, or an array, 0.
static uint8_t get_width(const mc_jfr_chunk *self, const mc_jfr_field *field) {
    static const uint8_t widths[] = {[MC_JFR_SHORT] = 2, [MC_JFR_INT] = 4, [MC_JFR_LONG] = 8};
    mc_jfr_kind kind = self->types[field->type].kind;
    if (field->is_array) return 0;
    if (field->is_pooled) return 8;
    return kind >= MC_JFR_SHORT && kind <= MC_JFR_LONG ? widths[kind] : 0;
}

mc_jfr_plan mc_jfr_plan_make(const mc_jfr_chunk *self, uint32_t type, const char *const *names) {
    mc_jfr_plan plan = {.type = type};
    memset(plan.slots, MC_JFR_NO_SLOT, sizeof plan.slots);
    memset(plan.slot_fields, 0xff, sizeof plan.slot_fields);
    if (type == MC_NONE) return plan;
    const mc_jfr_type *t = &self->types[type];
    for (uint32_t slot = 0; names[slot]; slot++) {
        uint32_t name = find_word(self, names[slot]);
        for (uint32_t i = 0; i < t->field_count && i < MC_JFR_PLAN_FIELDS_MOST; i++) {
            if (name == MC_NONE || self->fields[t->fields_begin + i].name != name) continue;
            plan.slots[i] = (uint8_t)slot;
            plan.slot_fields[slot] = t->fields_begin + i;
            if (i >= plan.field_count) plan.field_count = i + 1;
            break;
        }
    }
    for (uint32_t i = 0; i < plan.field_count; i++)
        plan.widths[i] = get_width(self, &self->fields[t->fields_begin + i]);
    return plan;
}

mc_result mc_jfr_plan_read(mc_jfr_chunk *self, const mc_jfr_plan *plan, const mc_jfr_event *event,
                           const unsigned char *slots[MC_JFR_PLAN_SLOTS_MOST], mc_error *error) {
    mc_jfr_cursor c = {event->at, event->end, self->header.is_packed};
    for (uint32_t i = 0; i < MC_JFR_PLAN_SLOTS_MOST; i++)
        slots[i] = NULL;
    for (uint32_t i = 0; i < plan->field_count; i++) {
        if (plan->slots[i] != MC_JFR_NO_SLOT) slots[plan->slots[i]] = c.at;
        skip_field(self, &c, &self->fields[self->types[plan->type].fields_begin + i], 0);
        if (!c.at) return bad_at(self, event->at, "an event with the fields of its type", error);
    }
    return MC_OK;
}

mc_result mc_jfr_plan_read_numbers(mc_jfr_chunk *self, const mc_jfr_plan *plan,
                                   const mc_jfr_event *event,
                                   uint64_t numbers[MC_JFR_PLAN_SLOTS_MOST], mc_error *error) {
    mc_jfr_cursor c = {event->at, event->end, self->header.is_packed};
    for (uint32_t i = 0; i < MC_JFR_PLAN_SLOTS_MOST; i++)
        numbers[i] = 0;
    for (uint32_t i = 0; i < plan->field_count && c.at; i++) {
        const uint8_t width = plan->widths[i], slot = plan->slots[i];
        const uint64_t number = width > 0 ? mc_jfr_take_number(&c, width) : 0;
        if (width == 0)
            skip_field(self, &c, &self->fields[self->types[plan->type].fields_begin + i], 0);
        if (slot != MC_JFR_NO_SLOT) numbers[slot] = number;
    }
    return c.at ? MC_OK : bad_at(self, event->at, "an event with the fields of its type", error);
}

static uint64_t read_number(const mc_jfr_chunk *self, const mc_jfr_field *field,
                            const unsigned char *at, const unsigned char *end) {
    static const uint32_t widths[] = {[MC_JFR_SHORT] = 2, [MC_JFR_INT] = 4, [MC_JFR_LONG] = 8};
    mc_jfr_cursor c = {at, end, self->header.is_packed};
    mc_jfr_kind kind = self->types[field->type].kind;
    if (!at || field->is_array) return 0;
    if (field->is_pooled) return mc_jfr_take_long(&c);
    if (kind == MC_JFR_BYTE) return at < end ? *at : 0;
    if (kind < MC_JFR_SHORT || kind > MC_JFR_LONG) return 0;
    return mc_jfr_take_number(&c, widths[kind]);
}

static mc_jfr_value get_constant(const mc_jfr_chunk *self, uint32_t type, uint64_t id) {
    const mc_jfr_constant *found = find_constant(self, type, id);
    return found ? (mc_jfr_value){found->at, self->end, type} : (mc_jfr_value){NULL, NULL, type};
}

// What a field that begins there is, or refers to.
static mc_jfr_value get_value(const mc_jfr_chunk *self, const mc_jfr_field *field,
                              const unsigned char *at, const unsigned char *end) {
    if (!at || field->is_array) return (mc_jfr_value){NULL, NULL, field->type};
    if (!field->is_pooled) return (mc_jfr_value){at, end, field->type};
    mc_jfr_cursor c = {at, end, self->header.is_packed};
    uint64_t id = mc_jfr_take_long(&c);
    return c.at ? get_constant(self, field->type, id) : (mc_jfr_value){NULL, NULL, field->type};
}

uint64_t mc_jfr_plan_get_number(const mc_jfr_chunk *self, const mc_jfr_plan *plan, uint32_t slot,
                                const unsigned char *at, const unsigned char *end) {
    uint32_t field = plan->slot_fields[slot];
    return field == MC_NONE ? 0 : read_number(self, &self->fields[field], at, end);
}

mc_jfr_value mc_jfr_plan_get_value(const mc_jfr_chunk *self, const mc_jfr_plan *plan, uint32_t slot,
                                   const unsigned char *at, const unsigned char *end) {
    uint32_t field = plan->slot_fields[slot];
    return field == MC_NONE ? (mc_jfr_value){NULL, NULL, 0}
                            : get_value(self, &self->fields[field], at, end);
}

// ---- values

// Where a field of a struct begins. NULL: it has none.
static const unsigned char *find_field(mc_jfr_chunk *self, mc_jfr_value value, const char *name,
                                       uint32_t *field) {
    if (!value.at || self->types[value.type].kind != MC_JFR_STRUCT) return NULL;
    const mc_jfr_type *t = &self->types[value.type];
    uint32_t word = find_word(self, name);
    mc_jfr_cursor c = {value.at, value.end, self->header.is_packed};
    for (uint32_t i = 0; i < t->field_count && c.at && word != MC_NONE; i++) {
        *field = t->fields_begin + i;
        if (self->fields[*field].name == word) return c.at;
        skip_field(self, &c, &self->fields[*field], 0);
    }
    return NULL;
}

mc_jfr_value mc_jfr_get(mc_jfr_chunk *self, mc_jfr_value value, const char *name) {
    uint32_t field = MC_NONE;
    const unsigned char *at = find_field(self, value, name, &field);
    return at ? get_value(self, &self->fields[field], at, value.end)
              : (mc_jfr_value){NULL, NULL, 0};
}

uint64_t mc_jfr_get_number(mc_jfr_chunk *self, mc_jfr_value value, const char *name) {
    uint32_t field = MC_NONE;
    const unsigned char *at = find_field(self, value, name, &field);
    return at ? read_number(self, &self->fields[field], at, value.end) : 0;
}

bool mc_jfr_append_text(mc_jfr_chunk *self, mc_jfr_value value, mc_text *out) {
    for (uint32_t depth = 0; value.at && depth < DEPTH_MOST; depth++) {
        const mc_jfr_type *t = &self->types[value.type];
        mc_jfr_cursor c = {value.at, value.end, self->header.is_packed};
        uint64_t pooled;
        bool is_null;
        if (t->kind == MC_JFR_STRUCT) {
            if (t->field_count == 0) return false;
            value = get_value(self, &self->fields[t->fields_begin], value.at, value.end);
            continue;
        }
        if (t->kind != MC_JFR_STRING || !mc_jfr_take_string(&c, out, &pooled, &is_null))
            return false;
        if (pooled == MC_JFR_NOT_POOLED) return !is_null;
        value = get_constant(self, self->string_type, pooled);
    }
    return false;
}

mc_jfr_array mc_jfr_array_begin(mc_jfr_chunk *self, mc_jfr_value value, const char *name) {
    mc_jfr_array array = {.field = MC_NONE};
    const unsigned char *at = find_field(self, value, name, &array.field);
    mc_jfr_cursor c = {at, value.end, self->header.is_packed};
    if (!at || !self->fields[array.field].is_array) return (mc_jfr_array){.field = MC_NONE};
    array.left = mc_jfr_take_int(&c);
    array.at = c.at;
    array.end = value.end;
    return array;
}

bool mc_jfr_array_next(mc_jfr_chunk *self, mc_jfr_array *array, mc_jfr_value *element) {
    if (!array->at || array->left == 0) return false;
    const mc_jfr_field *field = &self->fields[array->field];
    mc_jfr_cursor c = {array->at, array->end, self->header.is_packed};
    array->left--;
    if (field->is_pooled) {
        uint64_t id = mc_jfr_take_long(&c);
        *element = get_constant(self, field->type, id);
    } else {
        *element = (mc_jfr_value){array->at, array->end, field->type};
        skip_value(self, &c, field->type, 0);
    }
    array->at = c.at;
    return c.at != NULL;
}
