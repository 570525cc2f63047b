// Unpacking .gz, .zst and .lz4: whole, cut off, damaged, in several parts, and far too large.
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/import/bytes/inflate.h"
#include "engine/import/hprof/hprof_unpack.h"
#include "engine/import/import.h"
#include "tests/test.h"
#include <lz4frame.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

typedef struct packed_data {
    unsigned char *data;
    size_t size;
} packed_data;

static packed_data pack(mc_compression compression, const void *plain, size_t size) {
    size_t room = size + size / 8 + 1024;
    packed_data packed = {malloc(room), 0};
    REQUIRE(packed.data);
    if (compression == MC_COMPRESSION_ZSTD) {
        ZSTD_CCtx *context = ZSTD_createCCtx();
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
        packed.size = ZSTD_compress2(context, packed.data, room, plain, size);
        REQUIRE(!ZSTD_isError(packed.size));
        ZSTD_freeCCtx(context);
    } else if (compression == MC_COMPRESSION_LZ4) {
        LZ4F_preferences_t wanted = {.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled};
        packed.size = LZ4F_compressFrame(packed.data, room, plain, size, &wanted);
        REQUIRE(!LZ4F_isError(packed.size));
    } else {
        z_stream stream = {0};
        REQUIRE(deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) ==
                Z_OK);
        stream.next_in = (unsigned char *)(uintptr_t)plain;
        stream.avail_in = (uInt)size;
        stream.next_out = packed.data;
        stream.avail_out = (uInt)room;
        REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
        packed.size = stream.total_out;
        deflateEnd(&stream);
    }
    packed.data = realloc(packed.data, packed.size); // exactly: the sanitizer sees what is beyond
    REQUIRE(packed.data);
    return packed;
}

static packed_data join(packed_data a, packed_data b) {
    packed_data both = {malloc(a.size + b.size), a.size + b.size};
    REQUIRE(both.data);
    memcpy(both.data, a.data, a.size);
    memcpy(both.data + a.size, b.data, b.size);
    return both;
}

static const mc_compression compressions[] = {MC_COMPRESSION_GZIP, MC_COMPRESSION_ZSTD,
                                              MC_COMPRESSION_LZ4};
enum { COMPRESSION_COUNT = sizeof compressions / sizeof *compressions };

static char *make_plain(size_t size) {
    char *plain = malloc(size + 1);
    REQUIRE(plain);
    uint32_t state = 1;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        plain[i] = (char)('a' + (state >> 24) % 7);
    }
    return plain;
}

static void check_unpacks_to(packed_data packed, const char *plain, size_t size) {
    mc_inflate_buffer buffer = {0};
    mc_error error = {0};
    for (int round = 0; round < 2; round++) { // the second time into the same buffer
        mc_import_watch watch = {0};
        CHECK_MSG(mc_inflate(packed.data, packed.size, &buffer, &watch, &error) == MC_OK, "%s",
                  error.message);
        CHECK(buffer.size == size && memcmp(buffer.data, plain, size) == 0);
        CHECK(watch.done == packed.size);
    }
    mc_inflate_buffer_deinit(&buffer);
}

static void test_whole_data(void) {
    const size_t sizes[] = {0, 1, 1000, 300000, 9000000};
    for (size_t c = 0; c < COMPRESSION_COUNT; c++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            char *plain = make_plain(sizes[i]);
            packed_data packed = pack(compressions[c], plain, sizes[i]);
            CHECK(mc_inflate_detect(packed.data, packed.size) == compressions[c]);
            check_unpacks_to(packed, plain, sizes[i]);
            free(packed.data);
            free(plain);
        }
    }
    CHECK(mc_inflate_detect((const unsigned char *)"", 0) == MC_COMPRESSION_NONE);
    CHECK(mc_inflate_detect((const unsigned char *)"\x1f", 1) == MC_COMPRESSION_NONE);
    CHECK(mc_inflate_detect((const unsigned char *)"{\"time\"", 7) == MC_COMPRESSION_NONE);
}

static void test_several_members(void) {
    for (size_t c = 0; c < COMPRESSION_COUNT; c++) {
        char *plain = make_plain(5000);
        packed_data a = pack(compressions[c], plain, 2000);
        packed_data b = pack(compressions[c], plain + 2000, 3000);
        packed_data both = join(a, b);
        check_unpacks_to(both, plain, 5000);
        if (compressions[c] != MC_COMPRESSION_ZSTD) {
            packed_data zeros = {calloc(512, 1), 512}, filled = join(both, zeros);
            check_unpacks_to(filled, plain, 5000);
            filled.data[both.size + 100] = 'x';
            mc_inflate_buffer buffer = {0};
            mc_error error = {0};
            CHECK(mc_inflate(filled.data, filled.size, &buffer, NULL, &error) == MC_ERROR_BAD_DATA);
            CHECK(error.byte_offset == both.size + 100);
            mc_inflate_buffer_deinit(&buffer);
            free(zeros.data);
            free(filled.data);
        }
        free(a.data);
        free(b.data);
        free(both.data);
        free(plain);
    }
}

static void test_every_cut(void) {
    for (size_t c = 0; c < COMPRESSION_COUNT; c++) {
        char *plain = make_plain(3000);
        packed_data packed = pack(compressions[c], plain, 3000);
        mc_inflate_buffer buffer = {0};
        size_t longest = 0;
        for (size_t size = 0; size < packed.size; size++) {
            unsigned char *cut = malloc(size);
            mc_error error = {0};
            if (size > 0) memcpy(cut, packed.data, size);
            CHECK(mc_inflate(cut, size, &buffer, NULL, &error) == MC_ERROR_BAD_DATA);
            CHECK_MSG(error.byte_offset <= size, "%s", error.message);
            unsigned char prefix[100];
            size_t prefix_size = mc_inflate_prefix(cut, size, prefix, sizeof prefix);
            CHECK(prefix_size <= sizeof prefix && memcmp(prefix, plain, prefix_size) == 0);
            longest = prefix_size > longest ? prefix_size : longest;
            free(cut);
        }
        CHECK(longest == 100);
        mc_inflate_buffer_deinit(&buffer);
        free(packed.data);
        free(plain);
    }
}

static void test_every_byte_damaged(void) {
    for (size_t c = 0; c < COMPRESSION_COUNT; c++) {
        char *plain = make_plain(1500);
        packed_data packed = pack(compressions[c], plain, 1500);
        mc_inflate_buffer buffer = {0};
        for (size_t i = 0; i < packed.size; i++) {
            mc_error error = {0};
            packed.data[i] ^= 0x55;
            mc_result result = mc_inflate(packed.data, packed.size, &buffer, NULL, &error);
            // What the checksum does not cover may change: a time stamp, say.
            CHECK(result == MC_ERROR_BAD_DATA || (result == MC_OK && buffer.size == 1500 &&
                                                  memcmp(buffer.data, plain, 1500) == 0));
            packed.data[i] ^= 0x55;
        }
        mc_inflate_buffer_deinit(&buffer);
        free(packed.data);
        free(plain);
    }
}

static void test_bombs(void) {
    static unsigned char noise[2 << 20];
    const size_t size = MC_INFLATE_FLOOR + ((size_t)8 << 20);
    char *zeros = calloc(size, 1);
    uint32_t state = 1;
    REQUIRE(zeros);
    for (size_t i = 0; i < sizeof noise; i++)
        noise[i] = (unsigned char)((state = state * 1664525 + 1013904223) >> 24);
    for (size_t c = 0; c < COMPRESSION_COUNT; c++) {
        if (compressions[c] == MC_COMPRESSION_LZ4) continue; // at most 255 times
        packed_data packed = pack(compressions[c], zeros, size);
        mc_inflate_buffer buffer = {0};
        mc_error error = {0};
        CHECK(packed.size < size / MC_INFLATE_RATIO_MAX);
        CHECK(mc_inflate(packed.data, packed.size, &buffer, NULL, &error) == MC_ERROR_BAD_DATA);
        CHECK_MSG(strstr(error.message, "at most 256 times"), "%s", error.message);
        CHECK(buffer.size <= size); // as soon as it shows
        CHECK(buffer.capacity < 2 * size);
        // What follows does not make up for it.
        packed_data rest = pack(compressions[c], noise, sizeof noise);
        packed.data = realloc(packed.data, packed.size + rest.size);
        REQUIRE(packed.data);
        memcpy(packed.data + packed.size, rest.data, rest.size);
        packed.size += rest.size;
        free(rest.data);
        CHECK(packed.size > size / MC_INFLATE_RATIO_MAX);
        CHECK(mc_inflate(packed.data, packed.size, &buffer, NULL, &error) == MC_ERROR_BAD_DATA);
        CHECK_MSG(strstr(error.message, "at most 256 times"), "%s", error.message);
        mc_inflate_buffer_deinit(&buffer);
        free(packed.data);
    }
    free(zeros);
}

// Members as HotSpot writes them, the first with a remark: each says how much comes out of it.
static packed_data pack_members(const void *plain, size_t size, uint32_t count) {
    static const char remark[] = "HPROF BLOCKSIZE=1048576";
    packed_data part = pack(MC_COMPRESSION_GZIP, plain, size), packed = {0};
    packed.data = malloc(part.size * count + sizeof remark);
    REQUIRE(packed.data);
    memcpy(packed.data, part.data, 10);
    packed.data[3] = 0x10; // there is a remark
    memcpy(packed.data + 10, remark, sizeof remark);
    memcpy(packed.data + 10 + sizeof remark, part.data + 10, part.size - 10);
    packed.size = part.size + sizeof remark;
    part.data[9] = 0; // as the members behind begin
    memset(part.data + 4, 0, 5);
    for (uint32_t i = 1; i < count; i++, packed.size += part.size)
        memcpy(packed.data + packed.size, part.data, part.size);
    free(part.data);
    return packed;
}

static void check_unpacked(packed_data packed) {
    mc_hprof_crew crew = {.worker_count = 2, .total = packed.size};
    mc_file_map unpacked;
    mc_error error = {0};
    bool is_cut;
    CHECK(mc_hprof_unpack(packed.data, packed.size, NULL, &crew, &unpacked, &is_cut, &error) ==
          MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "at most 256 times"), "%s", error.message);
    CHECK(!unpacked.data);
}

static void check_imported(packed_data packed) {
    static const char path[] = MC_TEST_BINARY_DIR "/bomb.hprof.gz";
    const char *paths[] = {path};
    mc_error error = {0};
    mc_trace *trace = NULL;
    mc_import_report report = {0};
    mc_import_desc desc = {.paths = paths, .path_count = 1, .skip_bad_steps = true};
    CHECK(mc_file_write(path, packed.data, packed.size, &error) == MC_OK);
    CHECK(mc_import_trace(&desc, &trace, &report, &error) == MC_ERROR_BAD_DATA && !trace);
    CHECK(report.skipped_count == 1);
    desc.skip_bad_steps = false;
    CHECK(mc_import_trace(&desc, &trace, &report, &error) == MC_ERROR_BAD_DATA && !trace);
    CHECK_MSG(strstr(error.message, path) == error.message &&
                  strstr(error.message, "at most 256 times"),
              "%s", error.message);
    unlink(path);
}

// A temporary file is filled as quickly as memory.
static void test_bombs_of_dumps(void) {
    const size_t size = MC_INFLATE_FLOOR + ((size_t)8 << 20), member_size = (size_t)16 << 20;
    char *zeros = calloc(size, 1);
    REQUIRE(zeros);
    memcpy(zeros, "JAVA PROFILE 1.0.2", 18);
    for (size_t c = 0; c < 3; c++) {
        packed_data packed =
            c < 2 ? pack(compressions[c], zeros, size)
                  : pack_members(zeros, member_size, (uint32_t)(size / member_size) + 2);
        check_unpacked(packed);
        if (c == 2) check_imported(packed);
        free(packed.data);
    }
    free(zeros);
}

static void test_bit_by_bit(void) {
    const size_t size = 70000;
    char *plain = make_plain(size);
    static const size_t steps[] = {1, 63, 4096, 70000, 100000};
    for (size_t c = 0; c < COMPRESSION_COUNT; c++) {
        packed_data packed = pack(compressions[c], plain, size);
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            mc_inflate_stream *stream;
            mc_error error = {0};
            size_t total = 0, produced;
            REQUIRE(mc_inflate_stream_create(packed.data, packed.size, NULL, &stream, &error) ==
                    MC_OK);
            while (!mc_inflate_stream_is_done(stream)) {
                unsigned char *out = malloc(steps[i]); // its end is watched by the sanitizer
                REQUIRE(out);
                CHECK(mc_inflate_stream_read(stream, out, steps[i], &produced, &error) == MC_OK);
                CHECK(total + produced <= size && memcmp(out, plain + total, produced) == 0);
                total += produced;
                free(out);
            }
            CHECK(total == size);
            mc_inflate_stream_destroy(stream);
        }
        free(packed.data);
    }
    free(plain);
}

static void test_prefix(void) {
    char *plain = make_plain(100000);
    unsigned char prefix[1000];
    for (size_t c = 0; c < COMPRESSION_COUNT; c++) {
        packed_data packed = pack(compressions[c], plain, 100000);
        CHECK(mc_inflate_prefix(packed.data, packed.size, prefix, sizeof prefix) == sizeof prefix);
        CHECK(memcmp(prefix, plain, sizeof prefix) == 0);
        free(packed.data);
        packed = pack(compressions[c], plain, 10);
        CHECK(mc_inflate_prefix(packed.data, packed.size, prefix, sizeof prefix) == 10);
        free(packed.data);
    }
    CHECK(mc_inflate_prefix((const unsigned char *)"plain", 5, prefix, sizeof prefix) == 0);
    free(plain);
}

static void test_stop_and_failing_allocations(void) {
    char *plain = make_plain(100000);
    for (size_t c = 0; c < COMPRESSION_COUNT; c++) {
        packed_data packed = pack(compressions[c], plain, 100000);
        mc_inflate_buffer buffer = {0};
        mc_error error = {0};
        mc_import_watch watch = {.stop = true};
        CHECK(mc_inflate(packed.data, packed.size, &buffer, &watch, &error) == MC_ERROR_CANCELLED);
        mc_inflate_buffer_deinit(&buffer);
        mc_result result = MC_ERROR_OUT_OF_MEMORY;
        for (uint64_t n = 0; n < 100 && result != MC_OK; n++) {
            mc_memory_fail_after(n);
            result = mc_inflate(packed.data, packed.size, &buffer, NULL, &error);
            mc_memory_fail_after(UINT64_MAX);
            CHECK(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
            mc_inflate_buffer_deinit(&buffer);
        }
        CHECK(result == MC_OK);
        free(packed.data);
    }
    free(plain);
}

int main(void) {
    test_whole_data();
    test_several_members();
    test_every_cut();
    test_every_byte_damaged();
    test_bombs();
    test_bombs_of_dumps();
    test_bit_by_bit();
    test_prefix();
    test_stop_and_failing_allocations();
    return test_finish();
}
