// jfr_chunk.h - one chunk of a JFR recording: its header, the types that it describes, its constant
// pools, its events.
//
// Chunks 2.0 and 2.1 (JDK 11 to 25, async-profiler). A recording says itself how its events are
// laid out: each chunk describes its types, whose fields are read by their names. Constants, which
// events refer to by type and number, stay where they are in the file; only their places are kept.
// Integers are LEB128 of up to nine bytes, or big-endian ones of their type's width. Untrusted
// input: errors are MC_ERROR_BAD_DATA with the offset in the file. Memory: the types, and 36 bytes
// a constant. Threads: one object serves one thread at a time.
#pragma once
#include "engine/base/text.h"

#define MC_JFR_HEADER_SIZE 68
#define MC_JFR_MAJOR 2
#define MC_JFR_MINOR 1

typedef struct mc_jfr_header {
    uint64_t offset, size;         // in the file; size: of what is there
    uint64_t metadata_offset;      // in the chunk; 0: not said
    int64_t start_ns, duration_ns; // since 1970
    int64_t start_ticks, ticks_per_s;
    bool is_packed; // integers are LEB128
    bool is_open;   // it was not finished: its size and metadata may be those of some time before
    bool is_cut;    // less of it is there than it says
} mc_jfr_header;

typedef enum mc_jfr_kind {
    MC_JFR_STRUCT,
    MC_JFR_BYTE, // boolean, too
    MC_JFR_SHORT,
    MC_JFR_INT,
    MC_JFR_LONG,
    MC_JFR_FLOAT,
    MC_JFR_DOUBLE,
    MC_JFR_STRING
} mc_jfr_kind;

typedef struct mc_jfr_field {
    uint32_t name; // of the chunk's strings
    uint32_t type;
    bool is_pooled, is_array;
    uint64_t type_id;
} mc_jfr_field;

typedef struct mc_jfr_type {
    uint64_t id;
    uint32_t name; // of the chunk's strings
    uint32_t fields_begin, field_count;
    mc_jfr_kind kind;
} mc_jfr_type;

typedef struct mc_jfr_constant {
    const unsigned char *at;
    uint64_t id;
    uint32_t type;
} mc_jfr_constant;

// Zero-initialise; open each chunk; deinit.
typedef struct mc_jfr_chunk {
    const unsigned char *file, *begin, *end;
    mc_jfr_header header;
    mc_strings strings;      // what the types name
    uint32_t *string_places; // of the strings as the metadata numbers them
    size_t string_capacity;
    mc_jfr_type *types;
    mc_jfr_field *fields;
    mc_jfr_constant *constants;
    size_t type_count, field_count, constant_count;
    size_t type_capacity, field_capacity, constant_capacity;
    mc_slots type_slots, constant_slots;
    uint32_t string_type; // MC_NONE: the chunk has none
    uint64_t work;        // fields that may still be looked at
} mc_jfr_chunk;

// A value in the chunk. `at` NULL: there is none.
typedef struct mc_jfr_value {
    const unsigned char *at, *end; // end: behind which it can't reach
    uint32_t type;
} mc_jfr_value;

bool mc_jfr_detect(const unsigned char *data, size_t size);

// The header of the chunk at `offset`. Of one that is open, or cut off, what is there.
mc_result mc_jfr_header_read(const unsigned char *file, uint64_t file_size, uint64_t offset,
                             mc_jfr_header *header, mc_error *error);

// Reads types and places of constants. *is_there: false if what is there of the chunk does not say
// its types, and is cut off or open.
mc_result mc_jfr_chunk_open(mc_jfr_chunk *chunk, const unsigned char *file,
                            const mc_jfr_header *header, bool *is_there, mc_error *error);
void mc_jfr_chunk_deinit(mc_jfr_chunk *chunk);

// ---- events

typedef struct mc_jfr_event {
    const unsigned char *at, *end; // at: of its fields
    uint64_t type_id;
} mc_jfr_event;

// The event at *at, which moves behind it. False: there is none any more; *error has a code if
// what stands there is none.
bool mc_jfr_chunk_next_event(mc_jfr_chunk *chunk, const unsigned char **at, mc_jfr_event *event,
                             mc_error *error);
// When it began, in ns since 1970, at least 0. False: it does not say so.
bool mc_jfr_chunk_get_time(const mc_jfr_chunk *chunk, const mc_jfr_event *event, int64_t *time_ns);
int64_t mc_jfr_chunk_convert_ticks(const mc_jfr_chunk *chunk, int64_t ticks);
// MC_NONE: the chunk has no such type.
uint32_t mc_jfr_chunk_find_type(const mc_jfr_chunk *chunk, const char *name);

#define MC_JFR_PLAN_FIELDS_MOST 64
#define MC_JFR_PLAN_SLOTS_MOST 12
#define MC_JFR_NO_SLOT 255

// Which fields of a type are wanted: the first `field_count` are looked at.
typedef struct mc_jfr_plan {
    uint32_t type;
    uint32_t field_count;
    uint8_t slots[MC_JFR_PLAN_FIELDS_MOST];       // of each field, or MC_JFR_NO_SLOT
    uint8_t widths[MC_JFR_PLAN_FIELDS_MOST];      // of each that is a number; 0: it is none
    uint32_t slot_fields[MC_JFR_PLAN_SLOTS_MOST]; // of each slot, of the chunk's; or MC_NONE
} mc_jfr_plan;

// `names`: up to NULL, a slot each.
mc_jfr_plan mc_jfr_plan_make(const mc_jfr_chunk *chunk, uint32_t type, const char *const *names);
// Where each slot's field begins; NULL: the type has none.
mc_result mc_jfr_plan_read(mc_jfr_chunk *chunk, const mc_jfr_plan *plan, const mc_jfr_event *event,
                           const unsigned char *slots[MC_JFR_PLAN_SLOTS_MOST], mc_error *error);
// The same where all that is wanted are numbers, or numbers of constants, which it reads. 0: the
// type has none.
mc_result mc_jfr_plan_read_numbers(mc_jfr_chunk *chunk, const mc_jfr_plan *plan,
                                   const mc_jfr_event *event,
                                   uint64_t numbers[MC_JFR_PLAN_SLOTS_MOST], mc_error *error);
// Of a field that is a number, or the number of a constant. 0: there is none.
uint64_t mc_jfr_plan_get_number(const mc_jfr_chunk *chunk, const mc_jfr_plan *plan, uint32_t slot,
                                const unsigned char *at, const unsigned char *end);
// What a field is, or refers to.
mc_jfr_value mc_jfr_plan_get_value(const mc_jfr_chunk *chunk, const mc_jfr_plan *plan,
                                   uint32_t slot, const unsigned char *at,
                                   const unsigned char *end);

// ---- values, which may be missing

mc_jfr_value mc_jfr_get(mc_jfr_chunk *chunk, mc_jfr_value value, const char *field);
uint64_t mc_jfr_get_number(mc_jfr_chunk *chunk, mc_jfr_value value, const char *field);
// Text, or what consists of one. False: there is none.
bool mc_jfr_append_text(mc_jfr_chunk *chunk, mc_jfr_value value, mc_text *out);
// The elements of a field that is an array, one after another: begin, then next until false.
typedef struct mc_jfr_array {
    const unsigned char *at, *end;
    uint64_t left;
    uint32_t field; // of the chunk's
} mc_jfr_array;
mc_jfr_array mc_jfr_array_begin(mc_jfr_chunk *chunk, mc_jfr_value value, const char *field);
bool mc_jfr_array_next(mc_jfr_chunk *chunk, mc_jfr_array *array, mc_jfr_value *element);
