#include "engine/trace/packed_column.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include <assert.h>
#include <string.h>

static uint8_t width_of(uint64_t largest) {
    if (largest == 0) return 0;
    if (largest <= UINT8_MAX) return 1;
    if (largest <= UINT16_MAX) return 2;
    return largest <= UINT32_MAX ? 4 : 8;
}

static uint32_t block_count(uint32_t count) {
    return count / MC_PACKED_BLOCK_SIZE + (count % MC_PACKED_BLOCK_SIZE != 0);
}

static uint32_t block_length(uint32_t count, uint32_t block) {
    uint32_t begin = block * MC_PACKED_BLOCK_SIZE, rest = count - begin;
    return rest < MC_PACKED_BLOCK_SIZE ? rest : MC_PACKED_BLOCK_SIZE;
}

// One loop a width, so that the compiler can use vectors.
static inline void store_values(unsigned char *restrict at, const uint64_t *restrict values,
                                uint32_t length, uint8_t width) {
    if (width == 1) {
        for (uint32_t i = 0; i < length; i++)
            at[i] = (unsigned char)values[i];
    } else if (width == 2) {
        for (uint32_t i = 0; i < length; i++) {
            uint16_t value = (uint16_t)values[i];
            memcpy(at + (size_t)2 * i, &value, 2);
        }
    } else if (width == 4) {
        for (uint32_t i = 0; i < length; i++) {
            uint32_t value = (uint32_t)values[i];
            memcpy(at + (size_t)4 * i, &value, 4);
        }
    } else if (width == 8) {
        memcpy(at, values, (size_t)8 * length);
    }
}

static inline uint64_t join_bits(const uint64_t *values, uint32_t length) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < length; i++)
        bits |= values[i];
    return bits;
}

// Of whole blocks, whose length the compiler knows, it makes vectors.
static void store(unsigned char *at, const uint64_t *values, uint32_t length, uint8_t width) {
    if (length == MC_PACKED_BLOCK_SIZE)
        store_values(at, values, MC_PACKED_BLOCK_SIZE, width);
    else
        store_values(at, values, length, width);
}

static uint64_t join(const uint64_t *values, uint32_t length) {
    return length == MC_PACKED_BLOCK_SIZE ? join_bits(values, MC_PACKED_BLOCK_SIZE)
                                          : join_bits(values, length);
}

bool mc_packed_column_pack(mc_packed_column *column, const uint64_t *values, uint32_t count) {
    memset(column, 0, sizeof *column);
    if (count == 0) return true;
    uint32_t blocks = block_count(count);
    column->widths = mc_alloc(blocks, sizeof *column->widths);
    column->offsets = mc_alloc(blocks, sizeof *column->offsets);
    if (!column->widths || !column->offsets) goto fail;
    uint64_t size = 0;
    for (uint32_t block = 0; block < blocks; block++) {
        const uint64_t *from = values + (size_t)block * MC_PACKED_BLOCK_SIZE;
        uint32_t length = block_length(count, block);
        column->widths[block] = width_of(join(from, length));
        column->offsets[block] = size;
        size += (uint64_t)length * column->widths[block];
    }
    if (size > 0) {
        column->data = mc_alloc(size, 1);
        if (!column->data) goto fail;
        for (uint32_t block = 0; block < blocks; block++)
            store(column->data + column->offsets[block],
                  values + (size_t)block * MC_PACKED_BLOCK_SIZE, block_length(count, block),
                  column->widths[block]);
    }
    column->count = count;
    column->data_size = size;
    return true;
fail:
    mc_packed_column_deinit(column);
    return false;
}

void mc_packed_column_deinit(mc_packed_column *column) {
    mc_free(column->widths);
    mc_free(column->offsets);
    mc_free(column->data);
    memset(column, 0, sizeof *column);
}

static uint64_t load(const unsigned char *at, uint8_t width) {
    uint32_t four;
    uint16_t two;
    uint64_t eight;
    switch (width) {
    case 1: return *at;
    case 2: memcpy(&two, at, 2); return two;
    case 4: memcpy(&four, at, 4); return four;
    case 8: memcpy(&eight, at, 8); return eight;
    default: return 0;
    }
}

uint64_t mc_packed_column_get(const mc_packed_column *column, uint32_t index) {
    if (index >= column->count) return 0;
    uint32_t block = index / MC_PACKED_BLOCK_SIZE;
    uint8_t width = column->widths[block];
    if (width == 0) return 0;
    return load(column->data + column->offsets[block] +
                    (size_t)(index % MC_PACKED_BLOCK_SIZE) * width,
                width);
}

void mc_packed_column_unpack_range(const mc_packed_column *column, uint32_t begin,
                                   uint64_t *restrict values, uint32_t count) {
    assert(begin % MC_PACKED_BLOCK_SIZE == 0);
    uint32_t rest = begin < column->count ? column->count - begin : 0;
    uint32_t stored = count < rest ? count : rest, first = begin / MC_PACKED_BLOCK_SIZE;
    for (uint32_t at = 0; at < block_count(stored); at++) {
        uint64_t *to = values + (size_t)at * MC_PACKED_BLOCK_SIZE;
        uint32_t length = block_length(stored, at), block = first + at;
        uint8_t width = column->widths[block];
        if (width == 0) {
            memset(to, 0, length * sizeof *to);
            continue;
        }
        const unsigned char *restrict from = column->data + column->offsets[block];
        // One loop a width, so that the compiler can use vectors.
        if (width == 1) {
            for (uint32_t i = 0; i < length; i++)
                to[i] = from[i];
        } else if (width == 2) {
            for (uint32_t i = 0; i < length; i++)
                to[i] = load(from + (size_t)i * 2, 2);
        } else if (width == 4) {
            for (uint32_t i = 0; i < length; i++)
                to[i] = load(from + (size_t)i * 4, 4);
        } else {
            memcpy(to, from, length * sizeof *to);
        }
    }
    if (count > stored) memset(values + stored, 0, (size_t)(count - stored) * sizeof *values);
}

typedef struct unpack_task {
    const mc_packed_column *column;
    uint64_t *values;
} unpack_task;

enum { VALUES_PER_RANGE = 1 << 18 };
_Static_assert(VALUES_PER_RANGE % MC_PACKED_BLOCK_SIZE == 0, "ranges begin with a block");

static void unpack(void *user, uint32_t begin, uint32_t end, uint32_t thread) {
    const unpack_task *task = user;
    (void)thread;
    mc_packed_column_unpack_range(task->column, begin, task->values + begin, end - begin);
}

void mc_packed_column_unpack(const mc_packed_column *column, uint64_t *values, uint32_t count) {
    unpack_task task = {.column = column};
    task.values = values;
    mc_parallel_run_ranges(count, VALUES_PER_RANGE, mc_parallel_get_core_count(), unpack, &task);
}

size_t mc_packed_column_memory_size(const mc_packed_column *column) {
    return column->data_size +
           block_count(column->count) * (sizeof *column->widths + sizeof *column->offsets);
}
