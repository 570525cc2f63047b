// hprof_bytes.h - writes heap dumps byte by byte, for tests.
#pragma once
#include "engine/base/text.h"
#include "tests/test.h"

typedef struct hprof_bytes {
    mc_text text;
    uint32_t id_size;
    size_t segment; // where the open segment's body begins
} hprof_bytes;

static inline void put_bytes(hprof_bytes *dump, uint64_t value, uint32_t size) {
    unsigned char bytes[8];
    for (uint32_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(value >> 8 * (size - 1 - i));
    mc_text_append(&dump->text, (const char *)bytes, size);
}

static inline void put_id(hprof_bytes *dump, uint64_t id) {
    put_bytes(dump, id, dump->id_size);
}

static inline void put_zeros(hprof_bytes *dump, size_t count) {
    for (size_t i = 0; i < count; i++)
        mc_text_append(&dump->text, "", 1);
}

static inline void begin_dump(hprof_bytes *dump, uint32_t id_size) {
    *dump = (hprof_bytes){.id_size = id_size};
    mc_text_append(&dump->text, "JAVA PROFILE 1.0.2", 19);
    put_bytes(dump, id_size, 4);
    put_bytes(dump, 1700000000000, 8);
}

static inline void put_record(hprof_bytes *dump, uint8_t tag, uint32_t size) {
    put_bytes(dump, tag, 1);
    put_bytes(dump, 0, 4);
    put_bytes(dump, size, 4);
}

static inline void put_string(hprof_bytes *dump, uint64_t id, const char *string) {
    put_record(dump, 0x01, dump->id_size + (uint32_t)strlen(string));
    put_id(dump, id);
    mc_text_append_string(&dump->text, string);
}

// The string's id is the class's.
static inline void put_class_name(hprof_bytes *dump, uint64_t id, const char *name) {
    put_string(dump, id, name);
    put_record(dump, 0x02, 8 + 2 * dump->id_size);
    put_bytes(dump, 1, 4);
    put_id(dump, id);
    put_bytes(dump, 0, 4);
    put_id(dump, id);
}

static inline void begin_segment(hprof_bytes *dump, uint8_t tag) {
    put_record(dump, tag, 0);
    dump->segment = dump->text.size;
}

static inline void end_segment(hprof_bytes *dump) {
    uint32_t size = (uint32_t)(dump->text.size - dump->segment);
    for (uint32_t i = 0; i < 4; i++)
        dump->text.data[dump->segment - 4 + i] = (char)(unsigned char)(size >> 8 * (3 - i));
}

// `fields` are types, one a character: "22:" are two references and an int. One static reference.
static inline void put_class(hprof_bytes *dump, uint64_t id, uint64_t super_id, uint64_t loader_id,
                             uint64_t static_id, const char *fields) {
    put_bytes(dump, 0x20, 1);
    put_id(dump, id);
    put_bytes(dump, 0, 4);
    put_id(dump, super_id);
    put_id(dump, loader_id);
    for (int i = 0; i < 4; i++)
        put_id(dump, 0);
    put_bytes(dump, 0, 4 + 2);
    put_bytes(dump, 1, 2);
    put_id(dump, 0);
    put_bytes(dump, 2, 1);
    put_id(dump, static_id);
    put_bytes(dump, strlen(fields), 2);
    for (; *fields; fields++) {
        put_id(dump, 0);
        put_bytes(dump, (uint64_t)(*fields - '0'), 1);
    }
}

// The caller then puts `size` bytes of fields.
static inline void put_instance(hprof_bytes *dump, uint64_t id, uint64_t class_id, uint32_t size) {
    put_bytes(dump, 0x21, 1);
    put_id(dump, id);
    put_bytes(dump, 0, 4);
    put_id(dump, class_id);
    put_bytes(dump, size, 4);
}

static inline void put_array(hprof_bytes *dump, uint64_t id, uint64_t class_id, uint32_t count) {
    put_bytes(dump, 0x22, 1);
    put_id(dump, id);
    put_bytes(dump, 0, 4);
    put_bytes(dump, count, 4);
    put_id(dump, class_id);
}

static inline void put_primitives(hprof_bytes *dump, uint64_t id, uint8_t type, uint32_t count) {
    put_bytes(dump, 0x23, 1);
    put_id(dump, id);
    put_bytes(dump, 0, 4);
    put_bytes(dump, count, 4);
    put_bytes(dump, type, 1);
}
