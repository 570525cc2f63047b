// Ruby's ObjectSpace.dump_all: a few lines by hand, what is wrong with others, and any bytes at
// all.
#include "engine/import/ruby/ruby_reader.h"
#include "tests/import/object_case.h"

static const char dump[] =
    "{\"type\":\"ROOT\", \"root\":\"global_tbl\", \"references\":[\"0x10\", \"0x99\"]}\n"
    "{\"type\":\"ROOT\", \"root\":\"machine_context\", \"references\":[\"0x30\"]}\n"
    "{\"address\":\"0x10\", \"type\":\"HASH\", \"class\":\"0xf0\", \"size\":2, "
    "\"references\":[\"0x20\", \"0x30\"], \"file\":\"/srv/leak.rb\", \"line\":5, \"memsize\":192}\n"
    "{\"address\":\"0x20\", \"type\":\"OBJECT\", \"class\":\"0x40\", \"ivars\":1, "
    "\"references\":[\"0x50\"], \"memsize\":40, \"flags\":{\"old\":true, \"a\":[{\"b\":\"]}\"}]}}\n"
    "{\"address\":\"0x30\", \"type\":\"OBJECT\", \"class\":\"0x40\", \"memsize\":40}\n"
    "{\"address\":\"0x40\", \"type\":\"CLASS\", \"name\":\"Session\", \"memsize\":824}\n"
    "{\"address\":\"0x50\", \"type\":\"STRING\", \"value\":\"\\\"]}\xff\", \"memsize\":40}\n"
    "{\"address\":\"0x60\", \"type\":\"IMEMO\", \"imemo_type\":\"env\", \"memsize\":40}\n"
    "{\"address\":\"0x60\", \"type\":\"NONE\"}\n"
    "{\"type\":\"SHAPE\", \"id\":7}\n";

static void test_dump(void) {
    mc_object_heap heap = {.texts = {0}};
    REQUIRE(mc_ruby_detect(dump, sizeof dump - 1) && !mc_ruby_detect(dump, 9));
    REQUIRE(read_objects(&mc_ruby_reader, dump, sizeof dump - 1, &heap) == MC_OK);
    CHECK(heap.object_count == 6 && heap.edge_count == 3 && heap.root_count == 2);
    CHECK(heap.object_sizes[0] == 192 && heap.object_ids[4] == 0x50);
    CHECK(heap.roots[0].kind == MC_ROOT_GLOBAL && heap.roots[1].kind == MC_ROOT_STACK);
    check_group(&heap, 0, "Heap#/srv/leak.rb:5#HASH");
    check_group(&heap, 1, "Heap#(unknown)#Session");
    check_group(&heap, 3, "Heap#(unknown)#class Session");
    check_group(&heap, 4, "Heap#(unknown)#STRING");
    check_group(&heap, 5, "Heap#(unknown)#IMEMO env");
    CHECK(strcmp(mc_strings_get(&heap.texts, heap.types[heap.object_types[0]].title, NULL),
                 "HASH made at leak.rb:5") == 0);
    REQUIRE(mc_object_heap_link(&heap, &error) == MC_OK);
    CHECK(mc_heap_count_unreached(&heap.heap) == 2); // the class and the scope
    mc_object_heap_deinit(&heap);
}

enum { ARRAYS = 12000, FIRST = 0x1000 };

// Many slices, one of them a single line; texts with escapes, lines that are no JSON, addresses
// that come again, and references that lead nowhere. Every array has the one before it and the
// next one; the first has all.
static void append_array(mc_text *text, uint32_t i) {
    mc_text_format(text, "{\"address\":\"0x%x\", \"references\":[", FIRST + i);
    if (i == 0)
        for (uint32_t k = 0; k < ARRAYS; k++)
            mc_text_format(text, "%s\"0x%x\",\"0x%x\"", k > 0 ? ", " : "", FIRST + k,
                           FIRST + ARRAYS + k);
    else
        mc_text_format(text, "\"0x%x\", \"0x%x\"", FIRST + i - 1, FIRST + i + 1);
    mc_text_append_string(text, "], \"type\":\"ARRAY\", \"value\":\"");
    for (uint32_t k = 0; k < i % 50; k++)
        mc_text_append_string(text, k % 3 == 0 ? "\\\\" : k % 3 == 1 ? "\\\"]}" : "a");
    mc_text_format(text, "\", \"memsize\":%u}\n", i);
    if (i % 100 == 7) mc_text_append_string(text, "{x}\n\n");
    if (i % 100 == 8)
        mc_text_format(text, "{\"address\":\"0x%x\", \"references\":[\"0x%x\"]}\n", FIRST + i,
                       FIRST);
}

static void check_arrays(const mc_object_heap *heap) {
    const mc_object_edge *edges = heap->edges;
    bool is_right = heap->edge_begins[0] == 0 && heap->edge_begins[1] == ARRAYS;
    for (uint32_t k = 0; k < ARRAYS && is_right; k++)
        is_right = edges[k].target == k;
    for (uint32_t i = 1; i < ARRAYS && is_right; i++) {
        const mc_object_edge *of = edges + heap->edge_begins[i];
        const uint64_t count = heap->edge_begins[i + 1] - heap->edge_begins[i];
        is_right = heap->object_ids[i] == FIRST + i && heap->object_sizes[i] == i &&
                   count == (i + 1 < ARRAYS ? 2 : 1) && of[0].target == i - 1 &&
                   (count == 1 || of[1].target == i + 1);
    }
    CHECK(is_right);
}

static void test_slices(void) {
    const mc_heap_desc desc = {.has_references = true};
    mc_text text = {0};
    mc_text_append_string(&text, "{\"type\":\"ROOT\", \"root\":\"vm\", "
                                 "\"references\":[\"0x1000\"]}\n");
    for (uint32_t i = 0; i < ARRAYS; i++)
        append_array(&text, i);
    mc_text_append_string(&text, "{\"address\":\"0x1");
    REQUIRE(!text.failed && text.size > 3 << 19);
    for (uint32_t threads = 0; threads < 6; threads++) {
        mc_heap_desc with = desc;
        mc_object_heap heap = {.texts = {0}};
        mc_text damage = {0};
        with.thread_count = threads;
        REQUIRE(mc_ruby_reader.read((const unsigned char *)text.data, text.size, &with, &heap,
                                    &damage, &error) == MC_OK);
        CHECK(heap.object_count == ARRAYS && heap.root_count == 1);
        CHECK(strcmp(mc_text_get(&damage), "its last line is cut off; 120 lines are no JSON") == 0);
        check_arrays(&heap);
        mc_object_heap_deinit(&heap);
        mc_text_deinit(&damage);
    }
    mc_text_deinit(&text);
}

static void test_bad(void) {
    static const char *const wrong[] = {"", "{}\n", "x\n{\n", "{\"type\":\"ROOT\"}\n",
                                        "{\"address\":\"0x0\", \"type\":\"HASH\"}\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_bad(&mc_ruby_reader, wrong[i], "no line has an object of Ruby");
}

int main(void) {
    test_dump();
    test_slices();
    test_bad();
    try_objects(&mc_ruby_reader, dump, sizeof dump - 1);
    return test_finish();
}
