// text.h - a growing string, and an interner that names each distinct string by an index.
//
// Threads: one object serves one thread at a time.
#pragma once
#include "engine/base/slots.h"

// Bytes that are built piece by piece. After a failed append `failed` stays set and the content is
// incomplete: check it once at the end. Always NUL-terminated once something was appended.
typedef struct mc_text {
    char *data;
    size_t size, capacity;
    bool failed;
} mc_text;

void mc_text_append(mc_text *text, const char *bytes, size_t size);
void mc_text_append_string(mc_text *text, const char *string);
void mc_text_format(mc_text *text, const char *format, ...) MC_PRINTF(2, 3);
void mc_text_clear(mc_text *text); // keeps the memory
// The string; empty where nothing was appended or an append has failed.
static inline const char *mc_text_get(const mc_text *text) {
    return text->data && !text->failed ? text->data : "";
}
void mc_text_deinit(mc_text *text);

// Distinct strings, stored once each, named 0, 1, 2 … in the order in which they came.
typedef struct mc_strings {
    char *bytes; // all strings, each followed by NUL
    size_t bytes_size, bytes_capacity;
    uint64_t *offsets; // count + 1 entries
    size_t offsets_capacity;
    uint32_t count;
    mc_slots slots;
} mc_strings;

// Returns the string's index, MC_NONE if memory is out. O(size), amortised.
uint32_t mc_strings_intern(mc_strings *strings, const char *bytes, size_t size);
// The same for callers that have the string's hash already: mc_strings_hash().
uint32_t mc_strings_intern_hashed(mc_strings *strings, const char *bytes, size_t size,
                                  uint32_t hash);
uint32_t mc_strings_hash(const char *bytes, size_t size);
// Interns all of `from`; where each of them is now goes to map[from->count], which may be NULL.
// False: memory is out.
bool mc_strings_intern_all(mc_strings *strings, const mc_strings *from, uint32_t *map);
// Fetches what interning will look at into the cache.
static inline void mc_strings_prefetch(const mc_strings *strings, uint32_t hash) {
    mc_slots_prefetch(&strings->slots, hash);
}
// Makes room for so many more strings of so many bytes in all. False: out of memory.
bool mc_strings_reserve(mc_strings *strings, size_t count, size_t size);
// Adds a string without checking whether it exists, also to a sealed table. It can then be got but
// not found. (Interning into a sealed table makes it whole again.)
uint32_t mc_strings_append(mc_strings *strings, const char *bytes, size_t size);
uint32_t mc_strings_find(const mc_strings *strings, const char *bytes, size_t size); // or MC_NONE
// `size` may be NULL.
static inline const char *mc_strings_get(const mc_strings *strings, uint32_t index, size_t *size) {
    assert(index < strings->count);
    uint64_t begin = strings->offsets[index];
    if (size) *size = (size_t)(strings->offsets[index + 1] - begin - 1);
    return strings->bytes + begin;
}
// Frees what only interning and finding need; get and append go on working.
void mc_strings_forget_slots(mc_strings *strings);
// The same, and the room for more strings.
void mc_strings_seal(mc_strings *strings);
// The same strings by the same numbers, sealed; `to` is zeroed. False: out of memory.
bool mc_strings_copy(mc_strings *to, const mc_strings *from);
void mc_strings_deinit(mc_strings *strings);
size_t mc_strings_memory_size(const mc_strings *strings);
