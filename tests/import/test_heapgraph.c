// Java heap graphs of Perfetto: a small one (tests/heapgraph_maker.py), what is wrong with others,
// and any bytes at all. Sums and references are those of tests/runtimes/test_android_heap.sh.
#include "engine/base/file.h"
#include "engine/import/perfetto/heapgraph_reader.h"
#include "tests/import/object_case.h"

// Within the heap graph of the only packet.
static void check_graph(const char *graph, size_t size, uint64_t offset, const char *wanted) {
    unsigned char data[128] = {0x0a, (unsigned char)(size + 5), 0x18, 1, 0xc2,
                               3,    (unsigned char)size};
    memcpy(data + 7, graph, size);
    (void)read_objects(&mc_heapgraph_reader, data, size + 7, NULL);
    CHECK_MSG(error.code == MC_ERROR_BAD_DATA && error.byte_offset == offset &&
                  strstr(error.message, wanted),
              "%s: %d at %" PRIu64 ": %s", wanted, (int)error.code, error.byte_offset,
              error.message);
}
#define BAD(graph, offset, wanted) check_graph(graph, sizeof(graph) - 1, offset, wanted)

// Nothing is behind the prefix of a class's type, which is short for another name.
static void test_no_class(void) {
    static const char trace[] = "\x0a\x3c\x18\x01\x50\x09\x40\xe8\x07\xc2\x03\x32\x08\xe7\x24\x4a"
                                "\x1c\x08\x01\x1a\x10\x6a\x61\x76\x61\x2e\x6c\x61\x6e\x67\x2e\x43"
                                "\x6c\x61\x73\x73\x3c\x20\x10\x28\x00\x32\x00\x38\x01\x12\x06\x08"
                                "\x08\x10\x01\x18\x10\x3a\x05\x0a\x01\x08\x10\x01\x30\x00\x0a\x21"
                                "\x18\x01\x50\x09\x82\x04\x1a\x0a\x01\x70\x1a\x15\x0a\x10\x6a\x61"
                                "\x76\x61\x2e\x6c\x61\x6e\x67\x2e\x43\x6c\x61\x73\x73\x3c\x12\x01"
                                "\x78";
    CHECK_MSG(read_objects(&mc_heapgraph_reader, trace, sizeof trace - 1, NULL) == MC_OK, "%s",
              error.message);
}

static void test_bad(void) {
    BAD("\x08\x07", 7, "has no object");
    BAD("\x12\x04\x08\x01", 7, "a field that ends within its message");
    BAD("\x10\x01", 7, "a message");
    BAD("\x12\x02\x08\x01\x12\x02\x08\x01", 11, "an object of another id");
    BAD("\x12\x04\x08\x01\x2a\x80", 12, "a number that ends");
    BAD("\x12\x05\x08\x01\x2a\x01\x80", 13, "the references of an object");
    BAD("\x12\x08\x08\x01\x22\x01\x01\x2a\x02\x01", 14, "a field that ends");
    BAD("\x12\x09\x08\x01\x22\x01\x01\x2a\x02\x01\x01", 7, "as many fields as references");
    BAD("\x12\x0d\x08\x01\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 7, "a size below 2^63");
    BAD("\x12\x02\x08\x01\x4a\x02\x08\x80", 14, "a type or the name of a field");
    BAD("\x12\x02\x08\x01\x3a\x03\x0a\x01\x80", 15, "the objects of a root");
    CHECK(read_objects(&mc_heapgraph_reader, "\x0a\x02\x18\x01", 4, NULL) == MC_ERROR_BAD_DATA);
    CHECK(strstr(error.message, "no Java heap graph"));
    static const char bad_name[] = "\x0a\x0e\x18\x01\x82\x04\x09\x1a\x07\x0a\x01"
                                   "a\x1a\x02\x0a\x80";
    CHECK(read_objects(&mc_heapgraph_reader, bad_name, sizeof bad_name - 1, NULL) ==
          MC_ERROR_BAD_DATA);
    CHECK_MSG(error.byte_offset == 15 && strstr(error.message, "names of classes and fields"),
              "%" PRIu64 ": %s", error.byte_offset, error.message);
    CHECK(mc_heapgraph_detect("\x0a\x07\x18\x01\xc2\x03\x02\x08\x01", 9));
    CHECK(!mc_heapgraph_detect("\x0a\x07\x18\x01\xaa\x02\x02\x08\x01", 9));
}

int main(void) {
    static const char *const paths[] = {MC_TEST_DATA "/objects/small.pftrace",
                                        MC_TEST_DATA "/objects/short.pftrace"};
    mc_file_map map;
    for (int i = 0; i < 2; i++) {
        REQUIRE(mc_file_map_open(&map, paths[i], &error) == MC_OK);
        try_objects(&mc_heapgraph_reader, map.data + 1, map.size - 1);
        mc_file_map_close(&map);
    }
    test_bad();
    test_no_class();
    return test_finish();
}
