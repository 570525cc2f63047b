// Columns of an .mct file: numbers of all sizes come back, held against a slow reader of their
// format; damaged ones are refused.
#include "engine/store/mct/mct_codec.h"
#include "engine/store/mct/mct_numbers.h"
#include "tests/random.h"
#include "tests/test.h"
#include <stdlib.h>
#include <string.h>

enum { COUNT_MOST = 5000 };

static mc_mct_codec codec;
static uint64_t values[COUNT_MOST], base[COUNT_MOST], read[COUNT_MOST];

// What docs/reference/mct.md says, a bit at a time. False: not as many, or more.
static bool decode_slowly(const unsigned char *at, size_t size, uint32_t count, bool is_chain,
                          const uint64_t *from, uint32_t from_count, uint64_t *to) {
    size_t used = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t code = 0;
        unsigned bit = 0;
        for (bool goes_on = true; goes_on; used++) {
            if (used == size) return false;
            for (unsigned k = 0; k < 7; k++, bit++)
                if (at[used] >> k & 1) {
                    if (bit >= 64) return false;
                    code |= (uint64_t)1 << bit;
                }
            goes_on = at[used] >> 7;
            if (goes_on && bit >= 64) return false;
        }
        uint64_t difference = code & 1 ? ~(code >> 1) : code >> 1;
        uint64_t before = is_chain ? (i > 0 ? to[i - 1] : 0) : i < from_count ? from[i] : 0;
        to[i] = before + difference;
    }
    return used == size;
}

// Runs of one difference, small ones, ones of several bytes and full ones, as `mix` says.
static void make_values(uint32_t count, uint32_t mix, mc_mct_base from, uint64_t *state) {
    uint64_t before = 0, difference = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t kind = test_random(state) % 64;
        if (kind < mix) difference = test_random(state) % 64;
        if (mix > 2 && kind >= 60) difference = test_random(state) >> (test_random(state) % 64);
        // Codes of one and of two bytes, and a few of three, in any order.
        if (mix >= 30) difference = test_random(state) % (kind % 3 == 0 ? 64 : 9000);
        if (!from.is_chain) before = from.base && i < from.base_count ? from.base[i] : 0;
        if (kind % 5 == 0 && mix > 1) difference = 0 - difference;
        before = values[i] = before + difference;
    }
}

static void check(uint32_t count, uint32_t mix, mc_mct_base from, uint64_t *state) {
    static uint64_t expected[COUNT_MOST];
    mc_mct_bytes blob = {0};
    const unsigned char *content;
    size_t size;
    make_values(count, mix, from, state);
    REQUIRE(mc_mct_encode_column(&codec, values, count, from, &blob) == MC_OK);
    memset(read, 0xee, sizeof read);
    REQUIRE(mc_mct_decode_column(&codec, blob.data, blob.size, read, count, from) == MC_OK);
    CHECK(memcmp(read, values, count * sizeof *read) == 0);
    REQUIRE(mc_mct_decode_bytes(&codec, blob.data, blob.size, SIZE_MAX, &content, &size) == MC_OK);
    REQUIRE(
        decode_slowly(content, size, count, from.is_chain, from.base, from.base_count, expected));
    CHECK(memcmp(expected, values, count * sizeof *expected) == 0);
    // Piece by piece.
    mc_mct_cursor cursor;
    if (!from.base) {
        REQUIRE(mc_mct_cursor_init(&cursor, &codec, blob.data, blob.size, count, from.is_chain) ==
                MC_OK);
        memset(read, 0xee, sizeof read);
        for (uint32_t at = 0, length; at < count; at += length) {
            length = 1 + (uint32_t)(test_random(state) % 20);
            if (length > count - at) length = count - at;
            REQUIRE(mc_mct_cursor_read(&cursor, read + at, length));
        }
        CHECK(mc_mct_cursor_is_at_end(&cursor));
        CHECK(memcmp(read, values, count * sizeof *read) == 0);
    }
    // One number less or more than there are.
    CHECK(mc_mct_decode_column(&codec, blob.data, blob.size, read, count + 1, from) ==
          MC_ERROR_BAD_DATA);
    if (count > 0)
        CHECK(mc_mct_decode_column(&codec, blob.data, blob.size, read, count - 1, from) ==
              MC_ERROR_BAD_DATA);
    mc_mct_bytes_deinit(&blob);
}

// Bytes of any kind, stored as they are, in a block of exactly their size. Returns how often they
// are a column.
static uint32_t check_damaged(uint64_t *state) {
    static uint64_t expected[64];
    uint32_t count = (uint32_t)(test_random(state) % 20), right_count = 0;
    size_t size = (size_t)(test_random(state) % 40);
    unsigned char *blob = malloc(size + 1);
    REQUIRE(blob != NULL);
    blob[0] = 0;
    uint64_t long_ones = test_random(state) % 4;
    for (size_t i = 1; i <= size; i++)
        blob[i] = (unsigned char)((test_random(state) & 0x7f) |
                                  (test_random(state) % 4 < long_ones ? 0x80 : 0));
    for (uint32_t i = 0; i < 2; i++) {
        mc_mct_base from = i == 0 ? MC_MCT_NO_BASE : MC_MCT_CHAIN;
        bool is_right = size <= (size_t)count * 10 &&
                        decode_slowly(blob + 1, size, count, from.is_chain, NULL, 0, expected);
        mc_result result = mc_mct_decode_column(&codec, blob, size + 1, read, count, from);
        REQUIRE(result == (is_right ? MC_OK : MC_ERROR_BAD_DATA));
        if (is_right) CHECK(memcmp(read, expected, count * sizeof *read) == 0);
        right_count += is_right;
    }
    free(blob);
    return right_count;
}

// The largest number that a column may have is checked by its bits: none may be missed.
static void check_bits(void) {
    for (uint32_t count = 0; count <= 9; count++) {
        CHECK(mc_mct_unite_bits(values, count) == 0 || count > 0);
        for (uint32_t i = 0; i < count; i++) {
            memset(values, 0, sizeof values);
            values[count] = 1; // behind the last
            values[i] = (uint64_t)1 << 63 | 2;
            CHECK(mc_mct_unite_bits(values, count) == values[i]);
        }
    }
}

int main(void) {
    check_bits();
    static const uint32_t counts[] = {0, 1, 7, 8, 9, 100, 1023, 1024, 1025, COUNT_MOST - 1};
    uint64_t state = 1;
    for (uint32_t i = 0; i < COUNT_MOST; i++)
        base[i] = test_random(&state) >> (test_random(&state) % 64);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        for (uint32_t mix = 0; mix < 34; mix++) {
            check(counts[i], mix, MC_MCT_NO_BASE, &state);
            check(counts[i], mix, MC_MCT_CHAIN, &state);
            check(counts[i], mix, (mc_mct_base){base, COUNT_MOST, false, 0}, &state);
            check(counts[i], mix, (mc_mct_base){base, counts[i] / 2, false, 0}, &state);
        }
    uint32_t right_count = 0;
    for (int i = 0; i < 200000; i++)
        right_count += check_damaged(&state);
    CHECK(right_count > 1000 && right_count < 300000); // both kinds were there
    mc_mct_codec_deinit(&codec);
    return test_finish();
}
