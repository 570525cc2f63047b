// Traces of Perfetto with what heapprofd wrote: what is wrong with them, and any bytes at all. Sums
// are those of tests/profiles/perfetto.py.
#include "engine/import/perfetto/heapprofd.h"
#include "engine/import/perfetto/perfetto_packets.h"
#include "tests/import/profile_case.h"
#include <string.h>
#include <zlib.h>
#include <zstd.h>

static mc_profile profile;

static void check_bad(const char *bytes, size_t size, uint64_t offset, const char *wanted) {
    mc_result result = parse_bytes(mc_heapprofd_parse, bytes, size, &profile);
    CHECK_MSG(result != MC_OK && error.byte_offset == offset && strstr(error.message, wanted),
              "%s: %d at %" PRIu64 ": %s", wanted, (int)result, error.byte_offset, error.message);
}
#define BAD(bytes, offset, wanted) check_bad(bytes, sizeof(bytes) - 1, offset, wanted)

// Two packets of one sequence: the first is marked as one before which others may be missing, as
// the service marks each sequence's first; the second one only if others are.
static void test_losses(void) {
    static const char begin[] = "\x0a\x1a\x50\x05\xd0\x02\x01\xaa\x02\x12\x12\x02\x08\x01\x1a"
                                "\x04\x08\x01\x10\x01\x2a\x06\x12\x04\x08\x01\x10\x05";
    char bytes[2 * (sizeof begin - 1)];
    memcpy(bytes, begin, sizeof begin - 1);
    memcpy(bytes + sizeof begin - 1, begin, sizeof begin - 1);
    REQUIRE(parse_bytes(mc_heapprofd_parse, bytes, sizeof begin - 1, &profile) == MC_OK);
    CHECK(!profile.warning || !strstr(profile.warning, "missed"));
    REQUIRE(parse_bytes(mc_heapprofd_parse, bytes, sizeof bytes, &profile) == MC_OK);
    CHECK(profile.warning && strstr(profile.warning, "missed"));
    bytes[sizeof begin - 1 + 6] = 0;
    REQUIRE(parse_bytes(mc_heapprofd_parse, bytes, sizeof bytes, &profile) == MC_OK);
    CHECK(!profile.warning || !strstr(profile.warning, "missed"));
}

static void test_bad(void) {
    BAD("\x0a\x04\x18\x07\x50\x05", MC_ERROR_NO_OFFSET,
        "neither allocations of heapprofd nor a Java heap graph");
    BAD("\x0a\x08\x18\x07\x50\x05\x92\x03\x01x", 6, "damaged compressed packets");
    BAD("\x0a\x05\x18\x07\x90\x03\x01", 4, "expected compressed packets");
    BAD("\x08\x04", 0, "a packet");
    BAD("\x0a\x04\x18\x07", 0, "a field that ends within its message");
    BAD("\x0a\x02\x60\x07", 2, "a message");                               // interned data
    BAD("\x0a\x05\x62\x03\x2a\x01\x80", 6, "a message that has a number"); // a function
    BAD("\x0a\x05\xaa\x02\x02\x28\x01", 5, "a message");                   // a dump
    BAD("\x0a\x07\xaa\x02\x04\x2a\x02\x10\x01", 7, "a sample");
    // Two frames of a stack, of which the second's number does not end.
    BAD("\x0a\x13\xaa\x02\x10\x1a\x06\x08\x01\x12\x02\x01\x80\x2a\x06\x12\x04\x08\x01\x10\x05", 12,
        "a number that ends");
    BAD("\x0a\x14\xaa\x02\x11\x2a\x0f\x12\x0d\x10\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x08\x01",
        7, "counts below 2^63");
    // A stack that nothing says more of.
    REQUIRE(parse_bytes(mc_heapprofd_parse, "\x0a\x0b\xaa\x02\x08\x2a\x06\x12\x04\x08\x01\x10\x05",
                        13, &profile) == MC_OK);
    CHECK(profile.step_count == 1 && profile.sample_count == 1 && profile.warning);
    CHECK(profile.sampling == MC_PROFILE_SAMPLING_UNTOLD);
    // The same, of which each sample stands for 4,096 bytes.
    REQUIRE(parse_bytes(mc_heapprofd_parse,
                        "\x0a\x0e\xaa\x02\x0b\x2a\x09\x12\x04\x08\x01\x10\x05\x60\x80\x20", 16,
                        &profile) == MC_OK);
    CHECK(profile.sample_count == 1 && profile.sampling == 4096);
    CHECK(mc_perfetto_detect("\x0a\x04\x18\x07\x50\x05", 6));
    CHECK(!mc_perfetto_detect("\x0a\x04\x08\x01\x10\x02", 6));
    CHECK(!mc_perfetto_detect("\x12\x04\x18\x07\x50\x05", 6));
    CHECK(!mc_perfetto_detect("\x0a\x04\x18", 3));
}

// A dump of one allocation of 4,096 bytes, written by somebody.
static const char one_dump[] =
    "\x0a\x12\x18\x07\x50\x05\xaa\x02\x0b\x2a\x09\x12\x04\x08\x01\x10\x05"
    "\x60\x80\x20";

// Packets as the only packet of a trace, which holds them compressed. Returns its size.
static size_t pack(const void *packets, size_t size, bool has_zstd, unsigned char *trace) {
    unsigned char packed[4096];
    uLongf packed_size = sizeof packed;
    if (has_zstd)
        packed_size = ZSTD_compress(packed, sizeof packed, packets, size, 3);
    else
        REQUIRE(compress(packed, &packed_size, packets, size) == Z_OK);
    REQUIRE(!ZSTD_isError(packed_size) && packed_size < 4000);
    const size_t inner = packed_size + 4;
    const unsigned char head[] = {0x0a,
                                  (unsigned char)(inner & 127) | 128,
                                  (unsigned char)(inner >> 7),
                                  has_zstd ? 0xaa : 0x92,
                                  has_zstd ? 0x08 : 0x03,
                                  (unsigned char)(packed_size & 127) | 128,
                                  (unsigned char)(packed_size >> 7)};
    memcpy(trace, head, sizeof head);
    memcpy(trace + sizeof head, packed, packed_size);
    return sizeof head + packed_size;
}

static void test_compressed(void) {
    unsigned char trace[4096], zeros[4096] = {0};
    for (int has_zstd = 0; has_zstd < 2; has_zstd++) {
        size_t size = pack(one_dump, sizeof one_dump - 1, has_zstd, trace);
        CHECK(mc_perfetto_detect(trace, size));
        REQUIRE(parse_bytes(mc_heapprofd_parse, trace, size, &profile) == MC_OK);
        CHECK(profile.sample_count == 1 && profile.sampling == 4096);
        // Cut off, and with any byte changed: the same, or an error.
        for (size_t i = 0; i < size; i++) {
            (void)parse_bytes(mc_heapprofd_parse, trace, i, &profile);
            for (unsigned bit = 1; bit < 256; bit <<= 1) {
                trace[i] ^= (unsigned char)bit;
                (void)mc_perfetto_detect(trace, size);
                (void)parse_bytes(mc_heapprofd_parse, trace, size, &profile);
                trace[i] ^= (unsigned char)bit;
            }
        }
    }
    // What is wrong in there has no offset in the file; packets do not go on from one to the next.
    size_t size = pack("\x0a\x05\x62\x03\x2a\x01\x80", 7, false, trace);
    check_bad((char *)trace, size, MC_ERROR_NO_OFFSET, "a message that has a number");
    size = pack(one_dump, sizeof one_dump - 2, false, trace);
    check_bad((char *)trace, size, 3, "expected whole packets");
    size = pack(zeros, sizeof zeros, false, trace);
    check_bad((char *)trace, size, 3, "expected whole packets");
    // Compressed packets within compressed ones are not looked into.
    size = pack(one_dump, sizeof one_dump - 1, false, zeros);
    size = pack(zeros, size, false, trace);
    check_bad((char *)trace, size, MC_ERROR_NO_OFFSET, "neither allocations");
}

int main(void) {
    test_bad();
    test_compressed();
    test_losses();
    try_profile(mc_heapprofd_parse, "heapprofd.pftrace");
    mc_profile_deinit(&profile);
    return test_finish();
}
