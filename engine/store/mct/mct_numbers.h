// mct_numbers.h - short codes of a column, and its numbers, many at a time.
//
// Method: which bytes go on selects a row of a table, by which a shuffle brings each code of one or
// two bytes into a lane of its own; as in Plaisance, Kurz, Lemire, "Vectorized VByte Decoding",
// 2015. Threads: any.
#pragma once
#include "engine/base/base.h"

// Decodes codes from `*at` on as differences, as far as whole words of eight bytes, and eight more
// values, have room, and no code is longer than two bytes. Returns their number, and moves `*at`
// behind them; 0 on processors that lack the instructions.
uint32_t mc_mct_decode_short(const unsigned char **at, const unsigned char *end, uint64_t *values,
                             uint32_t count);

// values[i] = base[i] + differences[i], modulo 2^64. `values` may be the base.
void mc_mct_add_base(uint64_t *values, const uint64_t *base, const uint64_t *differences,
                     uint32_t count);
// Each bit that is set in at least one of the numbers.
uint64_t mc_mct_unite_bits(const uint64_t *values, uint32_t count);
