// Recordings of memray: what is wrong with them, where they end, and lines of older Pythons. Sums
// are those of tests/profiles/memray.py.
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/import/memray/memray.h"
#include "engine/import/memray/memray_records.h"
#include "tests/random.h"
#include "tests/test.h"

static mc_error error;
static mc_step_tree tree;

// In pieces that lie in blocks of their own size.
static mc_result read_all(const void *bytes, size_t size, size_t piece, uint32_t *step_count,
                          bool *is_cut) {
    static const mc_profile_options options = {.depth = 100, .moment_count = 5};
    const unsigned char *data = bytes;
    static const mc_memray_desc desc = {.options = &options, .memory_most = 1 << 20};
    mc_memray *reader;
    *step_count = 0;
    mc_result result = mc_memray_create(&desc, &reader, &error);
    for (size_t at = 0; at < size && result == MC_OK; at += piece) {
        size_t count = size - at < piece ? size - at : piece;
        unsigned char *block = malloc(count);
        REQUIRE(block);
        memcpy(block, data + at, count);
        result = mc_memray_feed(reader, block, count, &error);
        free(block);
    }
    if (result == MC_OK) result = mc_memray_finish(reader, is_cut, &error);
    for (bool is_there = true; result == MC_OK && is_there; *step_count += is_there)
        result = mc_memray_next_step(reader, NULL, &tree, &is_there, &error);
    mc_memray_destroy(reader);
    return result;
}

// Version 13, without anything in it.
static const unsigned char header[] = {
    'm', 'e', 'm', 'r', 'a', 'y', 0, 13, 0, 0, 0, 0xf0, 0, 0x0b, 3, 0, 0, // Python 3.11
    1,   0,   0,   0,   0,   0,   0, 0,  1, 0, 0, 0,    0, 0,    0, 0,    // numbers
    0,   1,   0,   0,   0,   0,   0, 0,  9, 1, 0, 0,    0, 0,    0, 0,    // times
    'x', 0,   1,   0,   0,   0,   7, 0,  0, 0, 0, 0,    0, 0,    0, 0, 0,
    0,   0,   0,   0,   0,   1,   1, 0,  0, 0, 0};

// `kind`: 0 all allocations, 1 their sums; 2 is added where native frames are recorded.
static void check_bad_of(unsigned char kind, const char *records, size_t size, uint64_t offset,
                         const char *message) {
    unsigned char data[300];
    uint32_t step_count;
    bool is_cut;
    memcpy(data, header, sizeof header);
    data[15] = kind >> 1;
    data[16] = kind & 1;
    memcpy(data + sizeof header, records, size);
    error = (mc_error){.code = MC_OK};
    mc_result result = read_all(data, sizeof header + size, 200, &step_count, &is_cut);
    CHECK_MSG(result == MC_ERROR_BAD_DATA && error.byte_offset == sizeof header + offset &&
                  strstr(error.message, message),
              "%s: %d at %zu: %s", message, (int)result, (size_t)error.byte_offset, error.message);
}

static void check_bad(const char *records, size_t size, uint64_t offset, const char *message) {
    check_bad_of(0, records, size, offset, message);
}

static void test_bad(void) {
    uint32_t step_count;
    bool is_cut;
    unsigned char data[sizeof header];
    REQUIRE(read_all(header, sizeof header, 3, &step_count, &is_cut) == MC_OK);
    CHECK(is_cut && step_count == 1);
    check_bad("\x03", 1, 0, "a record's first byte");
    check_bad("\x00\x10", 2, 1, "the end of no more frames than there are");
    check_bad("\x40\x05\x00", 3, 0, "code that was described before");
    check_bad("\xf8\x02\x20", 3, 0, "an allocator, 1 to 15");
    check_bad("\xfe\x02\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 12, 2, "at most 64 bits");
    check_bad("\xfe\x02\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 11, 0, "an address space has room");
    check_bad("\x02\x01\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 11, 0, "a time");
    memcpy(data, header, sizeof header);
    data[7] = 14;
    CHECK(read_all(data, sizeof data, 99, &step_count, &is_cut) == MC_ERROR_BAD_DATA);
    CHECK(error.byte_offset == 7 && strstr(error.message, "file format 11 to 13"));
    data[7] = 13;
    data[16] = 2;
    CHECK(read_all(data, sizeof data, 99, &step_count, &is_cut) == MC_ERROR_BAD_DATA);
    CHECK(error.byte_offset == 16 &&
          strstr(error.message, "all allocations (0) or their sums (1)"));
    CHECK(mc_memray_detect(header, 7) && !mc_memray_detect(header, 6));
    CHECK(!mc_memray_detect((const unsigned char *)"memrays", 7));
}

// Of native frames, and of sums.
static void test_bad_native(void) {
    static const char segment[] = "\x06\x07/lib/a\0\x01\0\0\0\0\0\0\0\xff\x08\0\0\0\0\0\0\0\x7f\1";
    static const char stray[] = "\x06\x08\0\0\0\0\0\0\0\0\1";
    check_bad_of(2, "\x05\x02\x02", 3, 0, "a native frame that was described before");
    check_bad_of(2, "\xfe\x02\x04\x20", 4, 0, "a native frame that was described before");
    check_bad_of(2, segment, sizeof segment - 1, 18, "that an address space has room for");
    check_bad_of(2, stray, sizeof stray - 1, 1, "a segment of a file");
    check_bad_of(1, "\x00", 1, 0, "a record's first byte");
    check_bad_of(1, "\x09", 1, 0, "a record's first byte");
    check_bad_of(1, "\x04\x00\x05\x00\x01", 5, 0, "code that was described before");
    check_bad_of(1, "\x03\x00\x00", 3, 0, "a frame that was described before");
    check_bad_of(1, "\x0e\5f\0p\0\2\0\4\0\5\0\1\3\0\1", 16, 13,
                 "a stack that was described before");
    check_bad_of(1, "\x0e\5f\0p\0\2\0\4\0\5\0\1\4\0\5\2\1", 18, 13, "a frame of another number");
    char total[73] = {2};
    total[17] = 1;
    check_bad_of(1, total, sizeof total, 0, "a native frame that was described before");
    total[17] = 0;
    total[25] = 1;
    check_bad_of(1, total, sizeof total, 0, "a stack that was described before");
    total[25] = 0;
    memset(total + 57, 0xff, 8);
    check_bad_of(1, total, sizeof total, 0, "bytes that an address space has room for");
}

static void put(unsigned char **at, const void *bytes, size_t size) {
    memcpy(*at, bytes, size);
    *at += size;
}

static void put_long(unsigned char **at, uint64_t number) {
    for (int i = 0; i < 8; i++)
        *(*at)++ = (unsigned char)(number >> (8 * i));
}

// Two stacks' sums: with two measurements, and without.
static void test_sums(void) {
    unsigned char data[600], *at = data;
    uint32_t step_count;
    bool is_cut;
    put(&at, header, sizeof header);
    data[16] = 1;
    for (uint64_t i = 0; i < 2; i++) {
        *at++ = 1;
        put_long(&at, 256 + 3 + i);
        put_long(&at, 1000 + i);
        put_long(&at, 90 - i);
    }
    const unsigned char *records = at;
    put(&at, "\x0e\5f\0p.py\0\2\0\4\0\5\0\1\3\0\0", 19);
    for (uint64_t i = 0; i < 2; i++) {
        static const uint64_t totals[2][4] = {{3, 1, 60, 20}, {2, 0, 40, 0}};
        *at++ = 2;
        put_long(&at, 7);
        put_long(&at, UINT64_C(0xabababababababab) << 8 | 6);
        put_long(&at, 0);
        put_long(&at, i);
        put_long(&at, 0);
        for (int k = 0; k < 4; k++)
            put_long(&at, totals[i][k]);
    }
    *at++ = 15;
    size_t size = (size_t)(at - data);
    REQUIRE(read_all(data, size, 7, &step_count, &is_cut) == MC_OK);
    CHECK(!is_cut && step_count == 2 && tree.nodes[0].bytes == 20 && tree.nodes[0].objects == 1);
    CHECK(tree.time_ms == 0x109);
    for (size_t cut = sizeof header; cut < size; cut++) {
        CHECK(read_all(data, cut, 99, &step_count, &is_cut) == MC_OK && is_cut);
        CHECK(cut + 74 > size ? step_count == 2 : step_count >= 1);
    }
    size_t head = sizeof header, left = size - (size_t)(records - data);
    memmove(data + head, records, left);
    REQUIRE(read_all(data, head + left, 99, &step_count, &is_cut) == MC_OK);
    CHECK(!is_cut && step_count == 2 && tree.nodes[0].bytes == 20);
}

// Whatever byte is changed: an answer.
static void test_changed(void) {
    mc_file_map map;
    uint32_t step_count;
    bool is_cut;
    REQUIRE(mc_file_map_open(&map, MC_TEST_DATA "/profiles/memray-sums.bin", &error) == MC_OK);
    unsigned char *data = malloc(map.size);
    REQUIRE(data);
    for (size_t i = 0; i < map.size; i++) {
        memcpy(data, map.data, map.size);
        data[i] ^= (unsigned char)(1u << i % 8);
        mc_result result = read_all(data, map.size, 4096, &step_count, &is_cut);
        CHECK(result == MC_OK || (result == MC_ERROR_BAD_DATA && error.message[0]));
        if (i + 101 > map.size) continue; // zeros behind the end
        result = read_all(map.data, i, 4096, &step_count, &is_cut);
        CHECK(result == MC_OK ? is_cut : result == MC_ERROR_BAD_DATA && i < 200);
    }
    free(data);
    mc_file_map_close(&map);
}

// Wherever it is cut, and in whatever pieces it comes.
static void test_cut(void) {
    mc_file_map map;
    uint32_t step_count, whole;
    bool is_cut;
    REQUIRE(mc_file_map_open(&map, MC_TEST_DATA "/profiles/memray-leak.bin", &error) == MC_OK);
    REQUIRE(read_all(map.data, map.size, map.size, &whole, &is_cut) == MC_OK);
    CHECK(!is_cut && whole >= 5);
    uint64_t bytes = tree.nodes[0].bytes;
    CHECK(bytes == (uint64_t)600 * (512 + 232));
    for (size_t piece = 1; piece < 40; piece += 6) {
        CHECK(read_all(map.data, map.size, piece, &step_count, &is_cut) == MC_OK);
        CHECK(!is_cut && step_count == whole && tree.nodes[0].bytes == bytes);
    }
    for (size_t size = 0; size < map.size - 120; size += size < 1000 ? 1 : 97) {
        mc_result result = read_all(map.data, size, 4096, &step_count, &is_cut);
        CHECK(result == MC_OK ? is_cut : result == MC_ERROR_BAD_DATA && size < 200);
    }
    mc_file_map_close(&map);
}

static void put_number(unsigned char **at, uint64_t number) {
    for (; number >= 128; number >>= 7)
        *(*at)++ = (unsigned char)(number | 128);
    *(*at)++ = (unsigned char)number;
}

// More events than are handed to the other thread at once, and measurements in between: blocks at
// a few thousand addresses, some of which are freed twice, or allocated again before.
static void test_many(void) {
    enum { EVENTS = 100000, PLACES = 4096, EVENT_MOST = 16 };
    static uint64_t sizes[PLACES];
    unsigned char *data = malloc(sizeof header + (size_t)EVENTS * EVENT_MOST), *at = data;
    uint64_t state = 1, last = 0, bytes = 0, objects = 0;
    uint32_t step_count, whole;
    bool is_cut;
    REQUIRE(data);
    put(&at, header, sizeof header);
    for (uint32_t i = 0; i < EVENTS; i++) {
        uint64_t number = test_random(&state), place = number % PLACES;
        bool is_free = number >> 60 < 6;
        int64_t delta = (int64_t)(2 * place + 1) - (int64_t)last;
        last = 2 * place + 1;
        *at++ = (unsigned char)(128 | 15 << 3 | (is_free ? 5 : 6));
        put_number(&at, (uint64_t)delta << 1 ^ (uint64_t)(delta >> 63));
        uint64_t size = is_free ? 0 : 8 + (number >> 20) % 50;
        if (!is_free) put_number(&at, size);
        sizes[place] = size;
        if (i % 9000 != 8999) continue;
        *at++ = 2;
        put_number(&at, 1000 + i);
        put_number(&at, 1000 + i / 10);
    }
    *at++ = 1;
    for (uint32_t i = 0; i < PLACES; i++) {
        bytes += sizes[i];
        objects += sizes[i] > 0;
    }
    size_t size = (size_t)(at - data);
    REQUIRE(read_all(data, size, size, &whole, &is_cut) == MC_OK);
    CHECK(!is_cut && whole >= 5 && tree.nodes[0].bytes == bytes &&
          tree.nodes[0].objects == objects);
    REQUIRE(read_all(data, size, 777, &step_count, &is_cut) == MC_OK);
    CHECK(!is_cut && step_count == whole && tree.nodes[0].bytes == bytes &&
          tree.nodes[0].objects == objects);
    // Memory that runs out wherever it does, also in the other thread.
    for (uint64_t n = 0;; n += 1 + n / 8) {
        mc_memory_fail_after(n);
        mc_result result = read_all(data, size, size, &step_count, &is_cut);
        mc_memory_fail_after(UINT64_MAX);
        if (result == MC_OK) break;
        CHECK(result == MC_ERROR_OUT_OF_MEMORY);
        REQUIRE(n < 100000);
    }
    free(data);
}

static void check_line(uint32_t python, const char *table, size_t size, int64_t instruction,
                       int64_t wanted) {
    mc_span span = {table, size};
    int64_t line = mc_memray_find_line(python, span, 10, instruction);
    CHECK_MSG(line == wanted, "%x at %d: line %d", python, (int)instruction, (int)line);
}

static void test_lines(void) {
    // Python 3.9: 6 bytes on, a line down; 4 on, one up; 2 on, 100 down.
    static const char lnotab[] = "\x06\x01\x04\xff\x02\x64";
    check_line(0x03090000, lnotab, 6, 0, 10);
    check_line(0x03090000, lnotab, 6, 5, 10);
    check_line(0x03090000, lnotab, 6, 6, 11);
    check_line(0x03090000, lnotab, 6, 10, 10);
    check_line(0x03090000, lnotab, 6, 12, 110);
    // Python 3.10: 4 bytes of line 10, 6 of 12, 2 of none, the rest 11.
    static const char pairs[] = "\x04\x00\x06\x02\x02\x80\x08\xff";
    check_line(0x030a0000, pairs, 8, 0, 10);
    check_line(0x030a0000, pairs, 8, 1, 10);
    check_line(0x030a0000, pairs, 8, 2, 12);
    check_line(0x030a0000, pairs, 8, 4, 12);
    check_line(0x030a0000, pairs, 8, 6, 11);
    // Python 3.11: 2 units 3 further down (no columns), 1 unit one down, 4 units without a line.
    static const char locations[] = "\xe9\x06\xd8\x01\x02\xfb";
    check_line(0x030b00f0, locations, 6, 0, 13);
    check_line(0x030b00f0, locations, 6, 2, 13);
    check_line(0x030b00f0, locations, 6, 4, 14);
    check_line(0x030b00f0, locations, 6, 100, 10);
    for (size_t size = 0; size < 6; size++)
        (void)mc_memray_find_line(0x030b00f0, (mc_span){locations, size}, 10, 4);
    check_line(0x030b00f0, locations, 6, -1, 10);
    check_line(0x030b00f0, "", 0, 4, 10);
}

int main(void) {
    test_bad();
    test_bad_native();
    test_sums();
    test_changed();
    test_cut();
    test_many();
    test_lines();
    mc_step_tree_deinit(&tree);
    return test_finish();
}
