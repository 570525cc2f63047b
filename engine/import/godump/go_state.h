// go_state.h - what the parts of the reader of Go's heap dumps share.
//
// Threads: one.
#pragma once
#include "engine/import/format/heap_format.h"
#include "engine/import/godump/go_program.h"
#include "engine/import/godump/go_records.h"
#include "engine/import/godump/go_spans.h"
#include "engine/import/objects/object_heap.h"
#include <string.h>

// A stack that allocated.
typedef struct mc_go_bucket {
    uint64_t id;
    uint32_t site; // of texts
    bool is_program;
} mc_go_bucket;

typedef struct mc_go_sample {
    uint64_t address;
    uint32_t bucket;
} mc_go_sample;

typedef struct mc_go_goroutine {
    uint64_t address;     // of what describes it
    mc_span begun, inner; // functions: its first, and the innermost that is not the runtime's
} mc_go_goroutine;

// What object_types have until sites are known: how many pointers an object has, or
#define MC_GO_SHAPE_MANY 0x7fffffffu // so many at least
#define MC_GO_SHAPE_MAP 0x80000000u
#define MC_GO_SHAPE_BUCKETS 0x80000001u // of a map
#define MC_GO_SHAPE_GOROUTINE 0x80000002u

// Objects whose references are read at once.
typedef struct mc_go_part {
    const unsigned char *at;    // its first record
    uint32_t begin;             // object
    uint64_t edge_begin;        // if all fields of objects were references
    uint64_t edge_count;        // that are
    const unsigned char *wrong; // a record that has pointers behind its end; NULL: none
} mc_go_part;

// Where buckets of maps are: addresses, in the order of the file.
typedef struct mc_go_maps {
    uint64_t *buckets;
    size_t count, capacity;
} mc_go_maps;

#define MC_GO_PART_OBJECTS 0x8000u // at least
#define MC_GO_OBJECTS_MOST (MC_NONE / 4)
#define MC_GO_MAP_WORDS 6u
#define MC_GO_SLOT_LABELS 64u // words of an object that have a label of their own

typedef struct mc_go_state {
    mc_object_heap *heap;
    const mc_heap_desc *desc;
    mc_go_cursor cursor;
    uint64_t size; // of the data
    mc_go_clues clues;
    mc_go_program *program; // NULL: not found
    mc_go_spans spans;
    const unsigned char *first_root; // a record; NULL: there is none
    bool has_parameters, is_big_endian;
    uint64_t arena_begin, arena_end; // as the parameters have them; mostly objects lie within
    uint32_t pointer_size;
    size_t id_capacity, size_capacity, type_capacity, edge_capacity;
    uint64_t edge_count; // of fields, then of references
    mc_go_part *parts;
    size_t part_count, part_capacity;
    mc_go_bucket *buckets;
    mc_slots bucket_slots;
    uint32_t bucket_count;
    mc_go_sample *samples;
    size_t bucket_capacity, sample_count, sample_capacity;
    mc_go_goroutine *goroutines; // in the order of the file
    size_t goroutine_count, goroutine_capacity;
    mc_go_maps maps;
    uint32_t map_title, buckets_title; // of texts
    uint32_t slot_labels[MC_GO_SLOT_LABELS];
    uint32_t map_labels[MC_GO_MAP_WORDS]; // by word of a map
    uint64_t report_at;                   // bytes of data
    uint64_t kept_at;                     // likewise: before it pages were given back
    mc_text text;                         // scratch
    mc_error *error;
} mc_go_state;

static inline uint64_t mc_go_read_word(const mc_go_state *self, const unsigned char *at) {
    uint64_t value = 0;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (self->pointer_size == sizeof value && !self->is_big_endian) { // nearly always
        memcpy(&value, at, sizeof value);
        return value;
    }
#endif
    if (self->is_big_endian)
        for (uint32_t i = 0; i < self->pointer_size; i++)
            value = value << 8 | at[i];
    else
        for (uint32_t i = self->pointer_size; i-- > 0;)
            value = value << 8 | at[i];
    return value;
}

// Takes the fields off a record whose contents come first, up to the end; false: there is none, or
// *is_wrong: it is not in the contents.
bool mc_go_pointer_take(const mc_go_state *self, mc_go_record *record, uint64_t *offset,
                        uint64_t *pointer, bool *is_wrong);
mc_result mc_go_fail(const mc_go_state *self, const unsigned char *at, const char *wanted);
mc_result mc_go_report(mc_go_state *self, uint32_t phase);

// Begins a part with the next object, which is at `at`, if the last one is large enough. False:
// out of memory.
bool mc_go_begin_part(mc_go_state *self, const unsigned char *at);

// ---- go_ahead.c: several threads read objects

// Reads objects that stand one behind another at the cursor, up to another record, or what is
// wrong; *is_worth_it: they were many.
mc_result mc_go_read_ahead(mc_go_state *self, bool *is_worth_it);

// ---- go_types.c: what objects are called

// Buckets of maps are added to `maps`. MC_NONE: out of memory.
uint32_t mc_go_find_shape(const mc_go_state *self, const mc_go_record *object, mc_go_maps *maps);
mc_result mc_go_add_bucket(mc_go_state *self, const mc_go_record *record);
mc_result mc_go_add_sample(mc_go_state *self, const mc_go_record *record);
// Turns shapes into types.
mc_result mc_go_find_types(mc_go_state *self);

// ---- go_roots.c: what keeps them

// Reads all records behind the objects.
mc_result mc_go_read_roots(mc_go_state *self);
