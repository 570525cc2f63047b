#include "engine/live/perf_data.h"

#include <stdio.h>
#include <string.h>

// The file's format is that of jvmstat (sun.jvmstat.perfdata.monitor.v2_0): a prologue, then
// entries, each with a name and a value.
#define MAGIC UINT32_C(0xcafec0c0) // as bytes in this order, whatever the machine's
#define PROLOGUE_SIZE 32u
#define ENTRY_SIZE 20u
#define LITTLE_ENDIAN_DATA 1
#define VERSION 2

static uint32_t read_u32(const uint8_t *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint64_t read_u64(const uint8_t *at) {
    return read_u32(at) | (uint64_t)read_u32(at + 4) << 32;
}

// "sun.gc.generation.1.space.0.used". The third generation of older JVMs holds no objects.
static bool is_used_space(const char *name, size_t size) {
    char text[64];
    unsigned generation, space;
    int end = 0;
    if (size >= sizeof text) return false;
    memcpy(text, name, size);
    text[size] = '\0';
    (void)sscanf(text, "sun.gc.generation.%1u.space.%2u.used%n", &generation, &space, &end);
    return end > 0 && text[end] == '\0' && generation < 2;
}

uint64_t mc_perf_data_get_heap_used(const void *bytes, size_t size) {
    const uint8_t *data = bytes;
    if (size < PROLOGUE_SIZE || data[4] != LITTLE_ENDIAN_DATA || data[5] != VERSION) return 0;
    uint32_t magic =
        (uint32_t)data[0] << 24 | (uint32_t)data[1] << 16 | (uint32_t)data[2] << 8 | data[3];
    if (magic != MAGIC) return 0;
    uint64_t used = 0;
    size_t at = read_u32(data + 24);
    uint32_t count = read_u32(data + 28);
    for (uint32_t i = 0; i < count && at <= size && size - at >= ENTRY_SIZE; i++) {
        const uint8_t *entry = data + at;
        uint32_t length = read_u32(entry), name_at = read_u32(entry + 4);
        uint32_t vector_length = read_u32(entry + 8), value_at = read_u32(entry + 16);
        if (length < ENTRY_SIZE || length > size - at) break;
        bool is_whole = name_at < length && value_at <= length - sizeof(uint64_t);
        if (is_whole && vector_length == 0 && entry[12] == 'J') {
            const char *name = (const char *)entry + name_at;
            size_t name_size = strnlen(name, length - name_at);
            if (is_used_space(name, name_size)) used += read_u64(entry + value_at);
        }
        at += length;
    }
    return used;
}
