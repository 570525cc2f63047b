// Heap snapshots of V8: a small one by hand, what is wrong with others, and any bytes at all.
#include "engine/import/v8/v8_file.h"
#include "engine/import/v8/v8_ints.h"
#include "engine/import/v8/v8_reader.h"
#include "tests/import/object_case.h"

#define META                                                                                      \
    "{\"snapshot\":{\"meta\":{\"node_fields\":[\"type\",\"name\",\"id\",\"self_size\","           \
    "\"edge_count\",\"trace_node_id\",\"detachedness\"],\"node_types\":[[\"hidden\",\"array\","   \
    "\"string\",\"object\",\"code\",\"closure\",\"regexp\",\"number\",\"native\",\"synthetic\"]," \
    "\"string\",\"number\"],\"edge_fields\":[\"type\",\"name_or_index\",\"to_node\"],"            \
    "\"edge_types\":[[\"context\",\"element\",\"property\",\"internal\",\"hidden\",\"shortcut\"," \
    "\"weak\"],\"string_or_number\",\"node\"],\"location_fields\":[\"object_index\","             \
    "\"script_id\",\"line\",\"column\"]},\"node_count\":1,\"unknown\":[{\"a\":\"]}\"}]},"

// 0 root, 1 (GC roots), 2 global, 3 context, 4 handle, 5 shared, 6 script, 7 Map, 8 table,
// 9, 10 plain objects, 11 a table of a WeakMap, 12 its key, 13 its value, 14 a page's element
static const char snapshot[] =
    META "\"nodes\":[9,0,1,0,3,0,0\n,9,1,3,0,2,0,0\n,3,2,5,40,1,0,0\n,3,3,7,48,1,0,0\n"
         ",5,4,9,64,2,0,0\n,4,4,11,56,1,0,0\n,4,5,13,8,0,0,0\n,3,6,15,32,1,0,0\n,1,0,17,100,2,0,0\n"
         ",3,7,19,24,1,0,0\n,3,7,21,24,2,0,0\n,1,0,23,16,1,0,0\n,3,7,25,16,1,0,0\n"
         ",3,8,27,16,0,0,0\n,8,9,29,80,0,0,2\n],"
         "\"edges\":[1,1,7\n,5,2,14\n,1,3,98\n,1,1,28\n,3,10,77\n" // root, (GC roots)
         ",2,11,84\n"                                              // global.store
         ",0,12,49\n"                                              // closure variable cache
         ",3,13,21\n,3,14,35\n,3,15,42\n"                          // of handle (leak.js:7)
         ",3,16,56\n,3,17,63\n,3,18,70\n"                          // its table, and its elements
         ",2,19,70\n,2,19,63\n,6,20,21\n" // two {next}; one has a weak edge
         ",3,21,91\n,3,21,91\n],"         // the table's copy, the key's copy
         "\"trace_function_infos\":[],\"trace_tree\":[1,[2,[]]],\"samples\":[],"
         "\"locations\":[28,5,6,9],"
         "\"strings\":[\"\",\"(GC roots)\",\"global\",\"system / Context\",\"handle\","
         "\"file:///srv/app/leak.js\",\"Map\",\"Object\",\"Value\\u00e9\\ud83d\\ude00\\ud800\\n\","
         "\"<div class=\\\"a\\\">\",\"5\",\"store\",\"cache\",\"context\",\"shared\","
         "\"script_or_debug_info\",\"table\",\"0\",\"1\",\"next\",\"2\","
         "\"3 / part of key (Object @25) -> value (Value @27) pair in WeakMap (table @23)\"]}\n";

static void check_link(const mc_object_heap *heap, uint32_t object, uint32_t slot,
                       mc_heap_link_kind wanted_kind, const char *wanted) {
    mc_text text = {0};
    mc_heap_link_kind kind = heap->heap.words->append_link(heap, heap->object_kinds[object], slot,
                                                           MC_HEAP_WORDS_FULL, &text);
    CHECK_MSG(kind == wanted_kind && strcmp(mc_text_get(&text), wanted) == 0, "%s, not %s",
              mc_text_get(&text), wanted);
    mc_text_deinit(&text);
}

// With two samples: what has an id up to 17 was there at the first, with what has an even one.
static void test_births(void) {
    mc_object_heap heap = {.texts = {0}};
    mc_text text = {0};
    const char *samples = strstr(snapshot, "\"samples\":[") + 11;
    mc_text_append(&text, snapshot, (size_t)(samples - snapshot));
    mc_text_append_string(&text, "0,17,900,17,\n52000,29");
    mc_text_append_string(&text, samples);
    REQUIRE(read_objects(&mc_v8_reader, text.data, text.size, &heap) == MC_OK);
    REQUIRE(heap.births.moment_count == 2); // the first two are within a millisecond
    CHECK(heap.births.moments[0].last_birth == 17 && heap.births.moments[0].time_ms == 0);
    CHECK(heap.births.moments[1].last_birth == 29 && heap.births.moments[1].time_ms == 52);
    REQUIRE(mc_object_heap_link(&heap, &error) == MC_OK);
    uint32_t count = 0;
    for (uint32_t i = 0; i < heap.heap.tree.count; i++)
        count += heap.heap.is_new[i];
    CHECK_MSG(count == 6, "%" PRIu32, count); // 19, 21, 23, 25, 27, 29
    mc_object_heap_deinit(&heap);
    try_objects(&mc_v8_reader, text.data, text.size);
    mc_text_deinit(&text);
}

static void test_choice(void) {
    mc_object_moment all[10];
    mc_object_births births = {.births = NULL};
    for (uint64_t i = 0; i < 10; i++)
        all[i] = (mc_object_moment){i * 2, (int64_t)i};
    CHECK(mc_object_births_choose(&births, all, 10, 4) && births.moment_count == 4);
    CHECK(births.moments[0].last_birth == 2 && births.moments[3].last_birth == 18);
    CHECK(mc_object_births_choose(&births, all, 10, 99) && births.moment_count == 10);
    CHECK(mc_object_births_choose(&births, all, 0, 4) && births.moment_count == 0);
    mc_object_births_deinit(&births);
}

// Objects are the nodes without the two that are roots.
static void test_snapshot(void) {
    mc_object_heap heap = {.texts = {0}};
    REQUIRE(mc_v8_detect(snapshot, sizeof snapshot - 1) && !mc_v8_detect(snapshot, 12));
    REQUIRE(read_objects(&mc_v8_reader, snapshot, sizeof snapshot - 1, &heap) == MC_OK);
    CHECK(heap.object_count == 13 && heap.object_ids[1] == 7 && heap.object_sizes[6] == 100);
    CHECK(heap.edge_count == 11 && heap.weak_count == 1 && heap.root_count == 4);
    check_group(&heap, 0, "Heap#(built in)#global");
    check_group(&heap, 1, "Heap#/srv/app/leak.js#system / Context");
    check_group(&heap, 2, "Heap#/srv/app/leak.js#handle()");
    check_group(&heap, 3, "Heap#(engine)#(compiled code)");
    check_group(&heap, 6, "Heap#(built in)#(array)");
    check_group(&heap, 7, "Heap#(objects)#{next}");
    check_group(&heap, 10, "Heap#(objects)#Object");
    check_group(&heap, 11, "Heap#(built in)#Value\xc3\xa9\xf0\x9f\x98\x80\xef\xbf\xbd\n");
    check_group(&heap, 12, "Heap#(native)#<div class=\"a\">");
    check_link(&heap, 0, 0, MC_HEAP_LINK_STATIC, "global.store");
    check_link(&heap, 1, 0, MC_HEAP_LINK_STATIC, "closure variable cache of handle (leak.js:7)");
    check_link(&heap, 5, 0, MC_HEAP_LINK_FIELD, "Map.table");
    check_link(&heap, 6, 0, MC_HEAP_LINK_FIELD, "(array) elements");
    check_link(&heap, 8, 2, MC_HEAP_LINK_WEAK, "weak reference");
    check_link(&heap, 10, 0, MC_HEAP_LINK_FIELD, "value in a WeakMap");
    REQUIRE(mc_object_heap_link(&heap, &error) == MC_OK);
    CHECK(mc_heap_count_unreached(&heap.heap) == 0);
    mc_object_heap_deinit(&heap);
}

// Functions of one line, as all of a program that was minified: the first by its column names the
// variables that they share, whichever the snapshot has first.
static void test_columns(void) {
    for (int first = 0; first < 2; first++) {
        mc_object_heap heap = {.texts = {0}};
        mc_text text = {0};
        // root, context, both functions, what the variable has
        mc_text_format(&text,
                       META
                       "\"nodes\":[9,0,1,0,3,0,0,3,6,3,48,1,0,0,5,%d,5,64,1,0,0,5,%d,7,64,1,0,0"
                       ",3,5,9,32,0,0,0],\"edges\":[1,1,7,1,1,14,1,1,21,0,1,28,3,2,7,3,2,7],"
                       "\"locations\":[14,1,6,%d,21,1,6,%d],\"strings\":[\"\",\"cache\","
                       "\"context\",\"early\",\"late\",\"Map\",\"system / Context\"]}",
                       3 + first, 4 - first, first == 0 ? 10 : 400, first == 0 ? 400 : 10);
        REQUIRE(read_objects(&mc_v8_reader, text.data, text.size, &heap) == MC_OK);
        check_link(&heap, 0, 0, MC_HEAP_LINK_STATIC, "closure variable cache of early (native)");
        mc_object_heap_deinit(&heap);
        mc_text_deinit(&text);
    }
}

// Cut in its strings, names are missing; cut before, it is none.
static void test_cut(void) {
    const mc_heap_desc desc = {.thread_count = 1};
    const char *strings = strstr(snapshot, "\"strings\"");
    for (int i = 0; i < 2; i++) {
        mc_object_heap heap = {.texts = {0}};
        mc_text damage = {0};
        size_t size = (size_t)(strings - snapshot) + (i == 0 ? 40 : 0);
        mc_result result =
            mc_v8_reader.read((const unsigned char *)snapshot, size, &desc, &heap, &damage, &error);
        CHECK(result == (i == 0 ? MC_OK : MC_ERROR_BAD_DATA));
        CHECK((damage.size > 0) == (i == 0));
        mc_object_heap_deinit(&heap);
        mc_text_deinit(&damage);
    }
}

#define BAD(nodes, edges, wanted)                                                                \
    check_bad(&mc_v8_reader, META "\"nodes\":[" nodes "],\"edges\":[" edges "],\"strings\":[]}", \
              wanted)

static void test_bad(void) {
    check_bad(&mc_v8_reader, "", "ends too early");
    check_bad(&mc_v8_reader, "[]", "expected {");
    check_bad(&mc_v8_reader, "{\"snapshot\":{\"meta\":{}},\"nodes\":[],\"edges\":[]}",
              "what fields its nodes");
    check_bad(&mc_v8_reader, META "\"strings\":[]}", "before its nodes");
    BAD("", "", "no whole number of nodes");
    BAD("9,0,1,0,0,0", "", "no whole number of nodes");
    BAD("9,0,1,0,0,0,x", "", "expected a number");
    BAD("9,0,1,0,0,0,99999999999999999999", "", "expected a number");
    BAD("9,0,1,0,1,0,0", "", "more edges than");
    BAD("9,0,1,0,0,0,0", "1,1,0", "fewer edges than");
    BAD("9,0,1,0,1,0,0", "1,1", "no whole number of edges");
    BAD("9,0,1,0,1,0,0", "1,1,3", "leads to no node");
    BAD("9,0,1,0,1,0,0", "1,1,7", "leads to no node");
    BAD("9,0,1,0,0,0,0", "", "it has no object");
    check_bad(&mc_v8_reader,
              META "\"nodes\":[9,0,1,0,0,0,0],\"edges\":[],\"samples\":[0,5,1],\"strings\":[]}",
              "pairs of a time and an id");
    check_bad(&mc_v8_reader,
              META "\"nodes\":[9,0,1,0,0,0,0],\"edges\":[],\"samples\":[0,5,1,4],\"strings\":[]}",
              "both of which grow");
}

typedef struct sum {
    uint64_t *values;
    uint64_t count;
} sum;

static void store(void *user, uint64_t first, const uint64_t *values, size_t count) {
    sum *into = user;
    for (size_t i = 0; i < count; i++)
        if (first + i < into->count) into->values[first + i] = values[i];
}

// Blocks end wherever they do; each number is read once.
static void test_ints(void) {
    enum { COUNT = 700000 };
    mc_text text = {0};
    uint64_t seed = 7;
    uint64_t *wanted = malloc(COUNT * sizeof *wanted), *found = calloc(COUNT, sizeof *found);
    REQUIRE(wanted && found);
    for (size_t i = 0; i < COUNT; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        wanted[i] = seed >> 20 >> (seed & 31);
        mc_text_format(&text, "%s%" PRIu64, i == 0 ? " " : i % 7 == 0 ? "\n," : ",", wanted[i]);
    }
    mc_text_append_string(&text, " ],]");
    mc_v8_ints ints = {.begin = NULL};
    sum into = {found, COUNT};
    const char *wrong;
    REQUIRE(mc_v8_ints_find(&ints, text.data, text.data + text.size - 4, 2));
    CHECK(!ints.end); // there is no bracket
    REQUIRE(mc_v8_ints_find(&ints, text.data, text.data + text.size, 2));
    CHECK(ints.count == COUNT && ints.end == text.data + text.size - 3);
    CHECK(mc_v8_ints_read(&ints, 3, store, &into, &wrong) == MC_OK);
    CHECK(memcmp(wanted, found, COUNT * sizeof *wanted) == 0);
    text.data[text.size / 2] = 'x';
    CHECK(mc_v8_ints_read(&ints, 3, store, &into, &wrong) == MC_ERROR_BAD_DATA);
    CHECK(wrong <= text.data + text.size / 2 && wrong + 25 > text.data + text.size / 2);
    mc_text_deinit(&text);
    free(wanted);
    free(found);
    mc_v8_ints_deinit(&ints);
}

int main(void) {
    test_snapshot();
    test_columns();
    test_births();
    test_choice();
    test_cut();
    test_bad();
    test_ints();
    try_objects(&mc_v8_reader, snapshot, sizeof snapshot - 1);
    return test_finish();
}
