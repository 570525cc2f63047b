// Dumps of .NET: a small one (tests/gcdump_maker.py), what is wrong with others, and any bytes at
// all. Sums and references are those of tests/runtimes/test_dotnet_heap.sh.
#include "engine/base/file.h"
#include "engine/import/gcdump/gcdump_file.h"
#include "engine/import/gcdump/gcdump_reader.h"
#include "tests/import/object_case.h"

static unsigned char *dump;
static size_t size;

static void check_changed(size_t at, unsigned char byte, const char *wanted) {
    unsigned char kept = dump[at];
    dump[at] = byte;
    mc_result result = read_objects(&mc_gcdump_reader, dump, size, NULL);
    CHECK_MSG(result != MC_OK && strstr(error.message, wanted), "%zu: %d %s", at, (int)result,
              error.message);
    dump[at] = kept;
}

static size_t find(const char *text) {
    const unsigned char *at = memmem(dump, size, text, strlen(text));
    REQUIRE(at);
    return (size_t)(at - dump);
}

static void test_bad(void) {
    const size_t graph = find("Graphs.MemoryGraph"); // behind two tags, two versions and its size
    check_changed(0, 19, "!FastSerialization.1");
    check_changed(5, 'f', "!FastSerialization.1");
    check_changed(24, 3, "a GCHeapDump");
    check_changed(26, 2, "an object's type");
    check_changed(27, 8, "version 8, for readers of version 8 or later; memcity reads 9 to 10");
    check_changed(31, 11, "version 10, for readers of version 11 or later");
    check_changed(graph - 8, 1, "addresses of modules alone");
    check_changed(graph - 8, 2, "for readers of version 2 or later");
    check_changed(graph + 7, 'X', "a Graphs.MemoryGraph");
    const size_t root = graph + 18 + 1 + 8;
    check_changed(root + 3, 1, "the root's node");
    check_changed(root + 7, 0x7f, "types with names, sizes and modules");
    check_changed(root + 7, 0x80, "types with names, sizes and modules");
    mc_gcdump_file file = {.data = NULL};
    REQUIRE(mc_gcdump_file_read(dump, size, &file, &error) == MC_OK && !file.is_cut);
    const size_t blob = (size_t)(file.blob - dump), offsets = (size_t)(file.offsets - dump);
    const size_t end = (size_t)(file.addresses - dump) + (size_t)file.address_count * 8;
    CHECK(file.address_count == file.node_count);
    check_changed(offsets - 1, 0x40, "as many nodes as it says");
    check_changed(blob - 1, 0x40, "as many bytes of nodes as it says");
    check_changed(offsets + 3, 0x40, "where a node is");
    check_changed(blob + file.blob_size - 1, 0xff, "a node");
    check_changed(end + 2, 5, "the end of the graph");
    mc_gcdump_node node;
    REQUIRE(mc_gcdump_read_node(&file, file.root, &node, &error) == MC_OK && node.child_count > 2);
    const size_t children = (size_t)(node.at - dump);
    check_changed(children - 1, 0x3f, "a node");
    check_changed(children - 2, 0xbf, "a node's type");
    check_changed(children, 0x40, "a node's child");
    mc_gcdump_file_deinit(&file);
    CHECK(mc_gcdump_detect(dump, 64) && !mc_gcdump_detect(dump, 23));
    static const char nettrace[] =
        "\x14\0\0\0!FastSerialization.1\5\5\1\2\0\0\0\2\0\0\0\5\0\0\0Trace";
    CHECK(!mc_gcdump_detect(nettrace, sizeof nettrace));
}

// Nodes that share their bytes, so that there are more references than bytes.
static void test_shared(void) {
    mc_gcdump_file file = {.data = NULL};
    unsigned char *shared = malloc(size);
    REQUIRE(shared && mc_gcdump_file_read(dump, size, &file, &error) == MC_OK);
    mc_gcdump_node node;
    uint32_t largest = 0, most = 0;
    for (uint32_t i = 0; i < file.node_count; i++)
        if (mc_gcdump_read_node(&file, i, &node, &error) == MC_OK && node.child_count > most) {
            largest = i;
            most = node.child_count;
        }
    memcpy(shared, dump, size);
    unsigned char *offsets = shared + (file.offsets - dump);
    for (uint32_t i = 0; i < file.node_count; i++)
        memcpy(offsets + (size_t)i * 4, file.offsets + (size_t)largest * 4, 4);
    (void)read_objects(&mc_gcdump_reader, shared, size, NULL);
    CHECK(error.code == MC_ERROR_BAD_DATA);
    mc_gcdump_file_deinit(&file);
    free(shared);
}

int main(void) {
    mc_file_map map;
    REQUIRE(mc_file_map_open(&map, MC_TEST_DATA "/objects/small.gcdump", &error) == MC_OK);
    size = map.size - 1; // behind the byte that chooses the reader
    dump = malloc(size);
    REQUIRE(dump);
    memcpy(dump, map.data + 1, size);
    mc_file_map_close(&map);
    try_objects(&mc_gcdump_reader, dump, size);
    test_bad();
    test_shared();
    free(dump);
    return test_finish();
}
