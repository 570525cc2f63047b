// packed_column.h - a column of counts in as few bytes as each block of it needs.
//
// Blocks of 256 values hold 0, 1, 2, 4 or 8 bytes a value, by the largest value of the block (0:
// all are zero). Any value is read in O(1), a whole column at memory speed. Immutable once packed.
// Threads: reading from any thread.
#pragma once
#include "engine/base/base.h"

#define MC_PACKED_BLOCK_SIZE 256

typedef struct mc_packed_column {
    uint32_t count;
    uint8_t *widths;   // bytes a value, one per block
    uint64_t *offsets; // where a block's values begin in `data`
    unsigned char *data;
    size_t data_size;
} mc_packed_column;

// Returns false if memory is out; `column` is then zeroed. Count 0 is fine.
bool mc_packed_column_pack(mc_packed_column *column, const uint64_t *values, uint32_t count);
void mc_packed_column_deinit(mc_packed_column *column);
// Values from `count` on read as 0: a column may be shorter than the table it belongs to.
uint64_t mc_packed_column_get(const mc_packed_column *column, uint32_t index);
// Several threads unpack a wide one.
void mc_packed_column_unpack(const mc_packed_column *column, uint64_t *values, uint32_t count);
// Of the values from `begin` on, a multiple of the block's size.
void mc_packed_column_unpack_range(const mc_packed_column *column, uint32_t begin, uint64_t *values,
                                   uint32_t count);
size_t mc_packed_column_memory_size(const mc_packed_column *column);
