// hprof_scan.h - iterates over the records within a heap dump's segments: roots, classes, objects.
//
// Reads no byte outside of the cursor's range, whatever lengths the data declares. Pure functions,
// any thread. Numbers are big-endian; ids have 4 or 8 bytes.
#pragma once
#include "engine/base/base.h"
#include <string.h>

typedef enum mc_hprof_kind {
    MC_HPROF_END,        // of the range
    MC_HPROF_ROOT,       // nothing that is counted
    MC_HPROF_CLASS,      // a class object: see mc_hprof_class_record
    MC_HPROF_INSTANCE,   // `data`: the fields, own ones first
    MC_HPROF_OBJECTS,    // an array of ids
    MC_HPROF_PRIMITIVES, // an array of `type`
    MC_HPROF_CUT,        // the range ends within a record
    MC_HPROF_BAD         // no such record
} mc_hprof_kind;

enum {
    MC_HPROF_TYPE_OBJECT = 2,
    MC_HPROF_TYPE_BOOLEAN = 4, // then char, float, double, byte, short, int
    MC_HPROF_TYPE_LONG = 11,
    MC_HPROF_TYPE_COUNT
};

typedef struct mc_hprof_item {
    const unsigned char *begin; // of the record; its tag
    uint64_t id, class_id;      // INSTANCE, OBJECTS; CLASS and PRIMITIVES have no class id
    const unsigned char *data;
    uint64_t data_size;
    uint32_t count; // elements
    uint8_t type;   // of the elements
} mc_hprof_item;

typedef struct mc_hprof_cursor {
    const unsigned char *at, *end;
    uint32_t id_size;
} mc_hprof_cursor;

// Memory is asked for so many bytes before it is read: by itself the processor does so only within
// a page, and waits at each new one.
#define MC_HPROF_AHEAD 2048

// A class as a dump describes it. The three lists were measured and lie within the record.
typedef struct mc_hprof_class_record {
    uint64_t id, super_id, loader_id, signers_id, domain_id;
    uint32_t instance_size; // of all fields, with ids at full width
    uint32_t constant_count, static_count, field_count;
    const unsigned char *constants, *statics, *fields;
    size_t size; // of the record, with its tag
} mc_hprof_class_record;

// `at` is behind the tag; returns MC_HPROF_CLASS, MC_HPROF_CUT or MC_HPROF_BAD. Whatever it
// returns, the record's lists lie before `end`: what was whole before may have changed in the file
// since.
mc_hprof_kind mc_hprof_parse_class(const unsigned char *at, const unsigned char *end,
                                   uint32_t id_size, mc_hprof_class_record *record);

// What a value of this type takes in a dump; 0: there is no such type.
uint32_t mc_hprof_measure_type(uint8_t type, uint32_t id_size);
// What follows the tag of a root; 0: no root.
uint32_t mc_hprof_measure_root(uint8_t tag, uint32_t id_size);

static inline uint16_t mc_hprof_read_u2(const unsigned char *at) {
    return (uint16_t)(at[0] << 8 | at[1]);
}

static inline uint32_t mc_hprof_read_u4(const unsigned char *at) {
    uint32_t value;
    memcpy(&value, at, sizeof value);
    return __builtin_bswap32(value);
}

static inline uint64_t mc_hprof_read_u8(const unsigned char *at) {
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return __builtin_bswap64(value);
}

static inline uint64_t mc_hprof_read_id(const unsigned char *at, uint32_t id_size) {
    return id_size == 8 ? mc_hprof_read_u8(at) : mc_hprof_read_u4(at);
}

// What is no object, or rare.
mc_hprof_kind mc_hprof_take_other(mc_hprof_cursor *cursor, mc_hprof_item *item);

// Takes the next record. At MC_HPROF_CUT and MC_HPROF_BAD the cursor stays before it.
static inline mc_hprof_kind mc_hprof_next(mc_hprof_cursor *cursor, mc_hprof_item *item) {
    const unsigned char *at = cursor->at;
    const size_t left = (size_t)(cursor->end - at), id_size = cursor->id_size;
    if (left == 0) return MC_HPROF_END;
    mc_hprof_kind kind;
    size_t head;
    item->begin = at;
    __builtin_prefetch((const void *)((uintptr_t)at + MC_HPROF_AHEAD));
    switch (*at) {
    case 0x21:
        head = 9 + 2 * id_size;
        if (left < head) return MC_HPROF_CUT;
        item->class_id = mc_hprof_read_id(at + 5 + id_size, cursor->id_size);
        item->data_size = mc_hprof_read_u4(at + head - 4);
        kind = MC_HPROF_INSTANCE;
        break;
    case 0x22:
        head = 9 + 2 * id_size;
        if (left < head) return MC_HPROF_CUT;
        item->count = mc_hprof_read_u4(at + 5 + id_size);
        item->class_id = mc_hprof_read_id(at + 9 + id_size, cursor->id_size);
        item->data_size = (uint64_t)item->count * id_size;
        kind = MC_HPROF_OBJECTS;
        break;
    case 0x23: {
        head = 10 + id_size;
        if (left < head) return MC_HPROF_CUT;
        item->count = mc_hprof_read_u4(at + 5 + id_size);
        item->type = at[9 + id_size];
        uint32_t width = mc_hprof_measure_type(item->type, 0); // no ids here
        if (width == 0) return MC_HPROF_BAD;
        item->data_size = (uint64_t)item->count * width;
        kind = MC_HPROF_PRIMITIVES;
        break;
    }
    default: return mc_hprof_take_other(cursor, item);
    }
    if (item->data_size > left - head) return MC_HPROF_CUT;
    item->id = mc_hprof_read_id(at + 1, cursor->id_size);
    item->data = at + head;
    cursor->at = item->data + item->data_size;
    return kind;
}
