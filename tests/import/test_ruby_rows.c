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

static void test_bad(void) {
    static const char *const wrong[] = {"", "{}\n", "x\n{\n", "{\"type\":\"ROOT\"}\n",
                                        "{\"address\":\"0x0\", \"type\":\"HASH\"}\n"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        check_bad(&mc_ruby_reader, wrong[i], "no line has an object of Ruby");
}

int main(void) {
    test_dump();
    test_bad();
    try_objects(&mc_ruby_reader, dump, sizeof dump - 1);
    return test_finish();
}
