// Traces of Perfetto with what heapprofd wrote: what is wrong with them, and any bytes at all. Sums
// are those of tests/profiles/perfetto.py.
#include "engine/import/perfetto/heapprofd.h"
#include "engine/import/perfetto/perfetto_packets.h"
#include "tests/import/profile_case.h"

static mc_profile profile;

static void check_bad(const char *bytes, size_t size, uint64_t offset, const char *wanted) {
    mc_result result = parse_bytes(mc_heapprofd_parse, bytes, size, &profile);
    CHECK_MSG(result != MC_OK && error.byte_offset == offset && strstr(error.message, wanted),
              "%s: %d at %" PRIu64 ": %s", wanted, (int)result, error.byte_offset, error.message);
}
#define BAD(bytes, offset, wanted) check_bad(bytes, sizeof(bytes) - 1, offset, wanted)

static void test_bad(void) {
    BAD("\x0a\x04\x18\x07\x50\x05", MC_ERROR_NO_OFFSET,
        "neither allocations of heapprofd nor a Java heap graph");
    BAD("\x0a\x08\x18\x07\x50\x05\x92\x03\x01x", MC_ERROR_NO_OFFSET, "are compressed");
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

int main(void) {
    test_bad();
    try_profile(mc_heapprofd_parse, "heapprofd.pftrace");
    mc_profile_deinit(&profile);
    return test_finish();
}
