// Heap dumps: what a small one says, whatever is cut off or damaged, large ones in several threads.
#include "engine/base/memory.h"
#include "engine/heap/structures.h"
#include "engine/import/hprof/hprof.h"
#include "engine/import/hprof/hprof_ids.h"
#include "engine/import/hprof/hprof_memory.h"
#include "engine/import/hprof/hprof_open.h"
#include "engine/import/hprof/hprof_wasted_bytes.h"
#include "engine/import/import.h"
#include "tests/hprof_bytes.h"
#include <sys/mman.h>
#include <unistd.h>

static const mc_grouping package_type = {.criteria = {MC_GROUP_PACKAGE, MC_GROUP_TYPE}, .count = 2};

static mc_result read_dump(const void *data, uint64_t size, uint32_t thread_count,
                           mc_hprof_step *step, mc_error *error) {
    mc_heap_desc desc = {.grouping = &package_type,
                         .has_references = true,
                         .has_graph = true,
                         .has_owners = true,
                         .thread_count = thread_count};
    *error = (mc_error){.code = MC_OK};
    return mc_hprof_read(data, size, &desc, step, error);
}

static const mc_step_entry *find_type(const mc_step_tree *tree, const char *type) {
    for (size_t i = 0; i < tree->node_count; i++) {
        const mc_step_entry *node = &tree->nodes[i];
        if (node->key_size == strlen(type) &&
            memcmp(tree->text.data + node->key_offset, type, node->key_size) == 0)
            return node;
    }
    return NULL;
}

static void check_type(const mc_step_tree *tree, const char *type, uint64_t objects,
                       uint64_t bytes) {
    const mc_step_entry *node = find_type(tree, type);
    CHECK_MSG(node, "%s", type);
    if (!node) return;
    CHECK_MSG(node->objects == objects, "%s: %llu", type, (unsigned long long)node->objects);
    CHECK_MSG(node->bytes == bytes, "%s: %llu", type, (unsigned long long)node->bytes);
}

static bool has_full_key(const mc_step_tree *tree, uint64_t node, const char *full_key) {
    char key[256] = "", rest[256];
    for (uint32_t at = (uint32_t)node; at != MC_NONE; at = tree->nodes[at].parent) {
        const mc_step_entry *entry = &tree->nodes[at];
        snprintf(rest, sizeof rest, "%s%.200s", *key ? "#" : "", key);
        snprintf(key, sizeof key, "%.*s%.200s", (int)entry->key_size,
                 tree->text.data + entry->key_offset, rest);
    }
    return strcmp(key, full_key) == 0;
}

// The count of a pair, 0 if it is not there.
static uint64_t get_pair(const mc_step_tree *tree, const mc_reference_map *map, const char *outer,
                         const char *inner) {
    CHECK(map->is_by_node);
    for (size_t i = 0; i < map->entry_count; i++)
        if (has_full_key(tree, map->entries[i].outer_offset, outer) &&
            has_full_key(tree, map->entries[i].inner_offset, inner))
            return map->entries[i].count;
    return 0;
}

// Classes a.Node { Node next; Object value; int } and a.Wide extends Node { long }, two nodes, one
// of them wide, that both hold the same string, and an array of both. Addresses are those of
// compressed references.
static void make_small(hprof_bytes *dump, uint32_t id_size) {
    const uint64_t node = 0x1000, wide = 0x1100, array = 0x1200, string = 0x1300;
    begin_dump(dump, id_size);
    put_class_name(dump, node, "a/Node");
    put_class_name(dump, wide, "a/Wide");
    put_class_name(dump, array, "[La/Node;");
    put_class_name(dump, string, "java/lang/String");
    begin_segment(dump, 0x1c);
    put_class(dump, wide, node, 0, 0x2000, ";");
    put_class(dump, node, 0, 0x9990, 0, "22:");
    put_class(dump, string, 0, 0, 0, "");
    put_bytes(dump, 0x05, 1);
    put_id(dump, node);
    end_segment(dump);
    begin_segment(dump, 0x1c);
    put_instance(dump, 0x2000, node, 2 * id_size + 4);
    put_id(dump, 0x2018);
    put_id(dump, 0x2050);
    put_bytes(dump, 7, 4);
    put_instance(dump, 0x2018, wide, 2 * id_size + 12);
    put_bytes(dump, 1, 8);
    put_id(dump, 0x2018);
    put_id(dump, 0x2050);
    put_bytes(dump, 8, 4);
    end_segment(dump);
    begin_segment(dump, 0x1c);
    put_array(dump, 0x2038, array, 2);
    put_id(dump, 0x2000);
    put_id(dump, 0x2018);
    put_instance(dump, 0x2050, string, 0);
    put_primitives(dump, 0x2060, 8, 3);
    put_zeros(dump, 3);
    end_segment(dump);
    put_record(dump, 0x2c, 0);
}

static void test_small(uint32_t id_size) {
    hprof_bytes dump;
    mc_hprof_step step = {0};
    mc_error error;
    make_small(&dump, id_size);
    REQUIRE(read_dump(dump.text.data, dump.text.size, 1, &step, &error) == MC_OK);
    CHECK(step.tree.time_ms == 1700000000000);
    CHECK(step.report.damage.kind == MC_HPROF_WHOLE);
    CHECK(step.report.dangling_count == 1); // the loader
    CHECK(step.tree.nodes[0].objects == 8);
    check_type(&step.tree, "Node", 1, 24);
    check_type(&step.tree, "Wide", 1, 32);
    check_type(&step.tree, "Node[]", 1, 24);
    check_type(&step.tree, "String", 1, id_size == 8 ? 16 : 8);
    check_type(&step.tree, "byte[]", 1, id_size == 8 ? 24 : 16);
    const char *const node = "Heap#a#Node", *const wide = "Heap#a#Wide",
                      *const string = "Heap#java.lang#String", *const array = "Heap#a#Node[]",
                      *const class = "Heap#java.lang#Class";
    CHECK(get_pair(&step.tree, &step.points_to, node, wide) == 1);
    CHECK(get_pair(&step.tree, &step.points_to, wide, wide) == 1);
    CHECK(get_pair(&step.tree, &step.points_to, node, string) == 1);
    CHECK(get_pair(&step.tree, &step.points_to, wide, string) == 1);
    CHECK(get_pair(&step.tree, &step.points_to, array, node) == 1);
    CHECK(get_pair(&step.tree, &step.pointed_from, wide, array) == 1);
    CHECK(get_pair(&step.tree, &step.points_to, class, node) == 1);
    CHECK(get_pair(&step.tree, &step.points_to, class, class) >= 1); // the superclass
    CHECK(step.points_to.entry_count == 8 && step.pointed_from.entry_count == 8);
    mc_hprof_step_deinit(&step);
    mc_text_deinit(&dump.text);
}

static void check_retained(const mc_hprof_step *step, const char *type, uint64_t objects,
                           uint64_t bytes) {
    const mc_step_entry *node = find_type(&step->tree, type);
    CHECK_MSG(node, "%s", type);
    if (!node) return;
    static const char *const keys[] = {"retained_objects", "retained"};
    for (int i = 0; i < 2; i++) {
        uint32_t metric = mc_metrics_find(&step->tree.metrics, keys[i], strlen(keys[i]));
        REQUIRE(metric != MC_NONE);
        uint64_t value =
            mc_step_tree_get_value(&step->tree, metric, (size_t)(node - step->tree.nodes));
        CHECK_MSG(value == (i == 0 ? objects : bytes), "%s: %llu", type, (unsigned long long)value);
    }
}

// Without memory for the graph all else is there, and it is said; what depends on it is an error.
static void test_memory_limit(void) {
    hprof_bytes dump;
    mc_hprof_step step = {0};
    mc_error error;
    mc_text text = {0};
    mc_grouping grouping;
    make_small(&dump, 8);
    REQUIRE(mc_grouping_parse("package,type", &grouping, &error) == MC_OK);
    mc_heap_desc desc = {.grouping = &grouping,
                         .has_references = true,
                         .has_graph = true,
                         .has_paths = true,
                         .thread_count = 1,
                         .memory_limit = 100};
    REQUIRE(mc_hprof_read((const unsigned char *)dump.text.data, dump.text.size, &desc, &step,
                          &error) == MC_OK);
    CHECK(step.report.lacks_memory && step.report.need.objects == 8);
    CHECK(mc_metrics_find(&step.tree.metrics, "retained", 8) == MC_NONE);
    CHECK(step.points_to.entry_count == 8 && step.paths.path_count == 0);
    check_type(&step.tree, "Node", 1, 24);
    mc_hprof_need_append(&step.report.need, &text);
    CHECK_MSG(text.data && strncmp(text.data, "the graph of 8 objects and ", 27) == 0 &&
                  strstr(text.data, " and 0.0 MB are free"),
              "%s", text.data);
    REQUIRE(mc_grouping_parse("datastructure,type", &grouping, &error) == MC_OK);
    CHECK(mc_hprof_read((const unsigned char *)dump.text.data, dump.text.size, &desc, &step,
                        &error) == MC_ERROR_OUT_OF_MEMORY);
    CHECK_MSG(strstr(error.message, "are free"), "%s", error.message);
    desc.memory_limit = 1 << 20;
    REQUIRE(mc_hprof_read((const unsigned char *)dump.text.data, dump.text.size, &desc, &step,
                          &error) == MC_OK);
    CHECK(!step.report.lacks_memory && step.report.need.free_bytes == 1 << 20);
    mc_hprof_step_deinit(&step);
    mc_text_deinit(&text);
    mc_text_deinit(&dump.text);
}

// What was measured: the most private memory of `info`.
static void test_need(void) {
    static const struct {
        uint64_t objects, references, measured;
    } cases[] = {{58900000, 93000000, 1700000000},    // a JVM's
                 {20000043, 50000000, 968000000},     // references at random
                 {200000043, 500000000, 8500000000}}; // likewise
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t need = mc_hprof_need_measure(cases[i].objects, cases[i].references);
        CHECK_MSG(need >= cases[i].measured && need <= cases[i].measured / 4 * 5, "%zu: %llu", i,
                  (unsigned long long)need);
    }
    CHECK(mc_hprof_need_measure(100, 100) == 2800);
}

// The one root is a class that references nothing in the dump.
static void test_retained(uint32_t id_size) {
    hprof_bytes dump;
    mc_hprof_step step = {0};
    mc_error error;
    make_small(&dump, id_size);
    REQUIRE(read_dump(dump.text.data, dump.text.size, 1, &step, &error) == MC_OK);
    CHECK(step.report.root_count == 1);
    CHECK(step.report.unreached_count == 7);
    check_retained(&step, "Class", 1, 16);
    check_retained(&step, "Node", 0, 0);
    mc_hprof_step_deinit(&step);
    mc_text_deinit(&dump.text);
}

// Every allocation fails once.
static void test_graph_memory(void) {
    hprof_bytes dump;
    mc_hprof_step step = {0};
    mc_error error;
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    make_small(&dump, 8);
    for (uint64_t count = 0; result != MC_OK; count++) {
        REQUIRE(count < 1000);
        mc_memory_fail_after(count);
        result = read_dump(dump.text.data, dump.text.size, 1, &step, &error);
        mc_memory_fail_after(UINT64_MAX);
        REQUIRE(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
        mc_hprof_step_deinit(&step);
    }
    mc_text_deinit(&dump.text);
}

// The same by data structures, of which this dump has one. What comes out in the end adds up.
static void test_divided(void) {
    static const mc_grouping grouping = {.criteria = {MC_GROUP_STRUCTURE, MC_GROUP_TYPE},
                                         .count = 2};
    hprof_bytes dump;
    mc_hprof_step step = {0}, plain = {0};
    mc_error error;
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    make_small(&dump, 8);
    mc_heap_desc desc = {.grouping = &grouping, .has_references = true, .thread_count = 2};
    desc.has_waste = true;
    for (uint64_t count = 0; result != MC_OK; count++) {
        REQUIRE(count < 1000);
        mc_hprof_step_deinit(&step);
        mc_memory_fail_after(count);
        result = mc_hprof_read((const unsigned char *)dump.text.data, dump.text.size, &desc, &step,
                               &error);
        mc_memory_fail_after(UINT64_MAX);
        REQUIRE(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
    }
    REQUIRE(read_dump(dump.text.data, dump.text.size, 1, &plain, &error) == MC_OK);
    CHECK(step.tree.nodes[0].objects == plain.tree.nodes[0].objects);
    CHECK(step.tree.nodes[0].bytes == plain.tree.nodes[0].bytes);
    CHECK(step.points_to.entry_count >= plain.points_to.entry_count);
    CHECK(mc_metrics_find(&step.tree.metrics, "retained", 8) == MC_NONE);
    CHECK(mc_metrics_find(&step.tree.metrics, "waste", 5) != MC_NONE);
    CHECK(step.report.root_count == plain.report.root_count);
    mc_hprof_step_deinit(&step);
    mc_hprof_step_deinit(&plain);
    mc_text_deinit(&dump.text);
}

// Opens a dump and asks all that there is to ask.
static mc_result ask_all(const void *data, size_t size) {
    mc_hprof_dump dump;
    mc_heap_structures structures = {0};
    mc_group_sum *waste = NULL;
    mc_paths paths = {0};
    mc_error error;
    bool flags[16] = {true};
    mc_group_sum sums[16];
    mc_heap_desc desc = {.grouping = &package_type, .has_graph = true, .thread_count = 2};
    mc_result result = mc_hprof_dump_open(&dump, data, size, &desc, &error);
    if (result == MC_OK) result = mc_hprof_dump_link(&dump, &error);
    if (result == MC_OK) {
        REQUIRE(mc_heap_groups_get_group_count(dump.heap.groups) <= 16);
        result = mc_heap_structures_init(&structures, &dump.heap, &error);
    }
    if (result == MC_OK) result = mc_hprof_count_wasted_bytes(&dump, &waste, &error);
    if (result == MC_OK) result = mc_heap_retain(&dump.heap, sums, &error);
    if (result == MC_OK) result = mc_heap_demolish(&dump.heap, flags, NULL, 0, sums, &error);
    if (result == MC_OK) result = mc_heap_find_paths(&dump.heap, flags, &paths, &error);
    mc_paths_deinit(&paths);
    mc_free(waste);
    mc_heap_structures_deinit(&structures);
    mc_hprof_dump_close(&dump);
    return result;
}

static void test_asking_memory(void) {
    hprof_bytes dump;
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    make_small(&dump, 8);
    for (uint64_t count = 0; result != MC_OK; count++) {
        REQUIRE(count < 1000);
        mc_memory_fail_after(count);
        result = ask_all(dump.text.data, dump.text.size);
        mc_memory_fail_after(UINT64_MAX);
        REQUIRE(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
    }
    mc_text_deinit(&dump.text);
}

static bool stop_late(void *user, uint64_t done, uint64_t total) {
    uint32_t *left = user;
    (void)done;
    (void)total;
    return (*left)-- > 0;
}

// Whenever the user asks to stop, it ends, and nothing leaks.
static void test_cancelling(void) {
    hprof_bytes bytes;
    mc_error error;
    mc_result result = MC_ERROR_CANCELLED;
    make_small(&bytes, 8);
    for (uint32_t count = 0; result != MC_OK; count++) {
        mc_hprof_dump dump;
        uint32_t left = count;
        mc_progress progress = {stop_late, &left};
        mc_heap_desc desc = {
            .grouping = &package_type, .has_graph = true, .thread_count = 1, .progress = &progress};
        REQUIRE(count < 1000);
        result = mc_hprof_dump_open(&dump, (const unsigned char *)bytes.text.data, bytes.text.size,
                                    &desc, &error);
        if (result == MC_OK) result = mc_hprof_dump_link(&dump, &error);
        CHECK(result == MC_OK || result == MC_ERROR_CANCELLED);
        mc_hprof_dump_close(&dump);
    }
    mc_text_deinit(&bytes.text);
}

// Reads the first `size` bytes, in a heap block of that size, so that a byte too far shows under
// the address sanitizer.
static mc_result read_cut(const hprof_bytes *dump, size_t size, mc_hprof_step *step,
                          mc_error *error) {
    unsigned char *block = malloc(size + (size == 0));
    REQUIRE(block);
    memcpy(block, dump->text.data, size);
    mc_result result = read_dump(block, size, 1, step, error);
    free(block);
    return result;
}

// A dump opens with all that is there once it has an object, and says that it is not all.
static void test_cuts(uint32_t id_size) {
    hprof_bytes dump;
    mc_hprof_step step = {0};
    mc_error error;
    uint64_t object_count = 0;
    uint32_t growth_count = 0;
    make_small(&dump, id_size);
    for (size_t size = 0; size < dump.text.size; size++) {
        mc_result result = read_cut(&dump, size, &step, &error);
        if (result != MC_OK) {
            CHECK_MSG(object_count == 0, "cut at %zu: %s", size, error.message);
            CHECK(result == MC_ERROR_BAD_DATA);
            CHECK(error.message[0] != '\0' && error.byte_offset <= size);
            continue;
        }
        CHECK_MSG(step.report.damage.kind != MC_HPROF_WHOLE, "%zu", size);
        CHECK_MSG(step.tree.nodes[0].objects >= object_count, "%zu", size);
        growth_count += step.tree.nodes[0].objects > object_count;
        object_count = step.tree.nodes[0].objects;
    }
    // The last record says no more than that the heap ends.
    CHECK_MSG(growth_count >= 6 && object_count == 8, "%u, %u", growth_count,
              (uint32_t)object_count);
    CHECK(read_cut(&dump, dump.text.size, &step, &error) == MC_OK);
    CHECK(step.report.damage.kind == MC_HPROF_WHOLE && step.tree.nodes[0].objects == 8);
    mc_hprof_step_deinit(&step);
    mc_text_deinit(&dump.text);
}

static mc_result count_step(void *user, const mc_step_tree *tree, const char *source,
                            mc_error *error) {
    (void)tree, (void)source, (void)error;
    ++*(uint32_t *)user;
    return MC_OK;
}

static mc_result take_map(void *user, const mc_reference_map *map, mc_reference_direction direction,
                          mc_error *error) {
    (void)user, (void)map, (void)direction, (void)error;
    return MC_OK;
}

// Who takes whole dumps only gets nothing of others, and is told why.
static void test_whole_dumps(void) {
    hprof_bytes dump;
    make_small(&dump, 8);
    int file = memfd_create("dump", MFD_CLOEXEC);
    char path[32];
    const char *paths[] = {path};
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    REQUIRE(write(file, dump.text.data, dump.text.size) == (ssize_t)dump.text.size);
    for (size_t size = dump.text.size; size > 31; size--) {
        REQUIRE(ftruncate(file, (off_t)size) == 0);
        uint32_t count = 0;
        mc_error error = {0};
        mc_import_desc desc = {.paths = paths, .path_count = 1, .whole_dumps = true};
        mc_import_sink sink = {count_step, take_map, NULL, NULL, NULL, &count};
        mc_result result = mc_import_steps(&desc, &sink, NULL, &error);
        bool is_whole = size == dump.text.size;
        CHECK_MSG(result == (is_whole ? MC_OK : MC_ERROR_BAD_DATA), "%zu", size);
        CHECK_MSG(count == is_whole, "%zu", size);
        CHECK_MSG(is_whole || strstr(error.message, path), "%s", error.message);
    }
    close(file);
    mc_text_deinit(&dump.text);
}

static void test_damage(void) {
    static const unsigned char masks[] = {0x01, 0x80, 0xff};
    hprof_bytes dump;
    mc_hprof_step step = {0};
    mc_error error;
    uint32_t accepted_count = 0, refused_count = 0;
    make_small(&dump, 8);
    for (size_t at = 0; at < dump.text.size; at++) {
        for (size_t i = 0; i < sizeof masks; i++) {
            dump.text.data[at] = (char)(dump.text.data[at] ^ masks[i]);
            mc_result result = read_dump(dump.text.data, dump.text.size, 1, &step, &error);
            CHECK(result == MC_OK || (result == MC_ERROR_BAD_DATA && error.message[0] != '\0'));
            accepted_count += result == MC_OK;
            refused_count += result != MC_OK;
            dump.text.data[at] = (char)(dump.text.data[at] ^ masks[i]);
        }
    }
    // A changed address or value is no damage, a changed version is.
    CHECK(accepted_count > 0 && refused_count > 0);
    mc_hprof_step_deinit(&step);
    mc_text_deinit(&dump.text);
}

static void test_memory(void) {
    hprof_bytes dump;
    mc_error error;
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    make_small(&dump, 8);
    for (uint64_t i = 0; result == MC_ERROR_OUT_OF_MEMORY; i++) {
        mc_hprof_step step = {0};
        REQUIRE(i < 1000);
        mc_memory_fail_after(i);
        result = read_dump(dump.text.data, dump.text.size, 1, &step, &error);
        mc_memory_fail_after(UINT64_MAX);
        mc_hprof_step_deinit(&step);
    }
    CHECK(result == MC_OK);
    mc_text_deinit(&dump.text);
}

// Classes that are their own superclass, directly or by way of others, and one that lacks its own.
static void test_circles(void) {
    hprof_bytes dump;
    mc_hprof_step step = {0};
    mc_error error;
    begin_dump(&dump, 8);
    begin_segment(&dump, 0x0c);
    for (uint64_t i = 0; i < 4; i++)
        put_class(&dump, 0x100 + 16 * i, 0x100 + 16 * (i == 0 ? 0 : i % 3 + 1), 0, 0, "2");
    put_class(&dump, 0x200, 0x7777, 0, 0, "2");
    for (uint64_t i = 0; i < 5; i++) {
        put_instance(&dump, 0x300 + 16 * i, i == 4 ? 0x200 : 0x100 + 16 * i, 24);
        put_id(&dump, 0x300);
        put_id(&dump, 0x310);
        put_id(&dump, 0x320);
    }
    end_segment(&dump);
    REQUIRE(read_dump(dump.text.data, dump.text.size, 1, &step, &error) == MC_OK);
    CHECK(step.report.object_count == 10);
    CHECK(step.report.undescribed_count == 5);
    mc_hprof_step_deinit(&step);
    mc_text_deinit(&dump.text);
}

// A weak reference whose class has room for it and whose instance does not.
static void test_short_reference(uint32_t size) {
    hprof_bytes dump;
    mc_hprof_step step = {0};
    mc_error error;
    begin_dump(&dump, 8);
    put_string(&dump, 0, "referent");
    put_class_name(&dump, 0x1000, "java/lang/ref/Reference");
    begin_segment(&dump, 0x1c);
    put_class(&dump, 0x1000, 0, 0, 0, "22");
    put_instance(&dump, 0x2000, 0x1000, size);
    put_zeros(&dump, size);
    end_segment(&dump);
    REQUIRE(read_dump(dump.text.data, dump.text.size, 1, &step, &error) == MC_OK);
    check_type(&step.tree, "Reference", 1, 32);
    mc_hprof_step_deinit(&step);
    mc_text_deinit(&dump.text);
}

// A heap record of more than 4 GiB: its length says what remains modulo 2^32. The memory is never
// touched but for the ends of arrays.
static void test_overflow(void) {
    const uint32_t count = 0x90000000;
    const uint64_t body = 2 * (18 + (uint64_t)count);
    const uint64_t size = 31 + 9 + body;
    hprof_bytes dump;
    mc_hprof_step step = {0};
    mc_error error;
    unsigned char *data = mmap(NULL, size, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) {
        printf("not tried: this machine does not promise memory that it lacks\n");
        return;
    }
    begin_dump(&dump, 8);
    put_record(&dump, 0x0c, (uint32_t)body);
    put_primitives(&dump, 0x1000, 8, count);
    memcpy(data, dump.text.data, dump.text.size);
    size_t second = dump.text.size + count;
    mc_text_clear(&dump.text);
    put_primitives(&dump, 0x200000000, 8, count);
    memcpy(data + second, dump.text.data, dump.text.size);
    REQUIRE(read_dump(data, size, 1, &step, &error) == MC_OK);
    CHECK(step.report.object_count == 2);
    CHECK(step.report.damage.kind == MC_HPROF_WHOLE);
    check_type(&step.tree, "byte[]", 2, 2 * ((uint64_t)count + 24));
    munmap(data, size);
    mc_hprof_step_deinit(&step);
    mc_text_deinit(&dump.text);
}

// Object i of `count` references two others; every 50th object is of the same class as the first.
static void make_large(hprof_bytes *dump, uint32_t count, uint32_t class_count, uint32_t filling) {
    const uint64_t classes = 0x10000000, objects = 0x20000000;
    begin_dump(dump, 8);
    for (uint32_t i = 0; i < class_count; i++) {
        char name[32];
        snprintf(name, sizeof name, "p/C%u", i);
        put_class_name(dump, classes + 8 * i, name);
    }
    for (uint32_t i = 0; i < class_count; i++) {
        if (i % 1000 == 0) begin_segment(dump, 0x1c);
        put_class(dump, classes + 8 * i, 0, 0, objects, "22");
        if (i % 1000 == 999 || i + 1 == class_count) end_segment(dump);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i % 500 == 0) begin_segment(dump, 0x1c);
        uint64_t hash = mc_hash_u64(i, 1);
        put_instance(dump, objects + 16 * i, classes + 8 * (i % 50 ? hash % class_count : 0), 16);
        put_id(dump, objects + 16 * (hash >> 32) % (16 * (uint64_t)count) / 16 * 16);
        put_id(dump, objects + 16 * (hash >> 40 & 15));
        if (filling > 0 && i % 500 == 0) {
            put_primitives(dump, 0x40000000 + 8 * i, 8, filling);
            put_zeros(dump, filling);
        }
        if (i % 500 == 499 || i + 1 == count) end_segment(dump);
    }
    put_record(dump, 0x2c, 0);
}

static bool is_equal(const mc_reference_map *a, const mc_reference_map *b) {
    bool is_equal = a->is_by_node && b->is_by_node && a->entry_count == b->entry_count;
    for (size_t i = 0; i < a->entry_count && is_equal; i++)
        is_equal = a->entries[i].outer_offset == b->entries[i].outer_offset &&
                   a->entries[i].inner_offset == b->entries[i].inner_offset &&
                   a->entries[i].count == b->entries[i].count;
    return is_equal;
}

static void test_threads(void) {
    hprof_bytes dump;
    mc_hprof_step alone = {0}, together = {0};
    mc_error error;
    make_large(&dump, 40000, 30, 250000);
    REQUIRE(read_dump(dump.text.data, dump.text.size, 1, &alone, &error) == MC_OK);
    REQUIRE(read_dump(dump.text.data, dump.text.size, 4, &together, &error) == MC_OK);
    CHECK(alone.report.object_count == 40000 + 80 + 30);
    REQUIRE(alone.tree.node_count == together.tree.node_count);
    for (size_t i = 0; i < alone.tree.node_count; i++) {
        const mc_step_entry *a = &alone.tree.nodes[i], *b = &together.tree.nodes[i];
        CHECK(a->parent == b->parent && a->objects == b->objects && a->bytes == b->bytes);
    }
    CHECK(alone.points_to.entry_count > 800);
    CHECK(is_equal(&alone.points_to, &together.points_to));
    CHECK(is_equal(&alone.pointed_from, &together.pointed_from));
    CHECK(alone.report.reference_count == together.report.reference_count);
    mc_hprof_step_deinit(&alone);
    mc_hprof_step_deinit(&together);
    mc_text_deinit(&dump.text);
}

// More leaves than 16 bits can number.
static void test_many_leaves(void) {
    hprof_bytes dump;
    mc_hprof_step step = {0};
    mc_error error;
    const uint32_t count = 66000;
    begin_dump(&dump, 4);
    for (uint32_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "C%u", i);
        put_class_name(&dump, 0x1000000 + 8 * i, name);
    }
    begin_segment(&dump, 0x0c);
    for (uint32_t i = 0; i < count; i++)
        put_class(&dump, 0x1000000 + 8 * i, 0, 0, 0, "2");
    for (uint32_t i = 0; i < count; i++) {
        put_instance(&dump, 0x2000000 + 16 * i, 0x1000000 + 8 * i, 4);
        put_id(&dump, 0x2000000 + 16 * (i / 2));
    }
    end_segment(&dump);
    REQUIRE(read_dump(dump.text.data, dump.text.size, 2, &step, &error) == MC_OK);
    CHECK(step.points_to.entry_count == count);
    CHECK(get_pair(&step.tree, &step.points_to, "Heap#(default)#C65999", "Heap#(default)#C32999") ==
          1);
    CHECK(get_pair(&step.tree, &step.pointed_from, "Heap#(default)#C32999",
                   "Heap#(default)#C65998") == 1);
    mc_hprof_step_deinit(&step);
    mc_text_deinit(&dump.text);
}

static int compare_ids(const void *a, const void *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return x < y ? -1 : x > y;
}

// Against sorted ids. `spread`: bits of the place at which ids are.
static void test_ids(uint32_t shift, uint32_t spread) {
    enum { COUNT = 3000 };
    static uint64_t ids[COUNT];
    mc_hprof_ids sets[2] = {{.shift = shift}, {.shift = shift}}, merged = {0};
    mc_error error;
    mc_hprof_hint hint = {0};
    uint32_t got_hint = 0, rank = 0;
    uint64_t repeated = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        ids[i] = mc_hash_u64(i, spread) >> (64 - spread) << shift;
        REQUIRE(mc_hprof_ids_add(&sets[i & 1], ids[i]));
    }
    REQUIRE(mc_hprof_ids_merge(&merged, sets, 2, &error) == MC_OK);
    qsort(ids, COUNT, sizeof *ids, compare_ids);
    for (uint32_t i = 0; i < COUNT; i++) {
        repeated += i > 0 && ids[i] == ids[i - 1];
        if (i > 0 && ids[i] != ids[i - 1]) rank++;
        CHECK(mc_hprof_ids_find(&merged, ids[i], &hint) == rank);
        CHECK(mc_hprof_ids_get(&merged, rank, &got_hint) == ids[i]);
        if (i + 1 < COUNT && ids[i] + (UINT64_C(1) << shift) < ids[i + 1])
            CHECK(mc_hprof_ids_find(&merged, ids[i] + (UINT64_C(1) << shift), &hint) == MC_NONE);
        if (shift > 0) CHECK(mc_hprof_ids_find(&merged, ids[i] + 1, &hint) == MC_NONE);
    }
    CHECK(merged.object_count == rank + 1);
    CHECK(merged.repeated_count == repeated);
    mc_hprof_ids_deinit(&merged);
}

// Most lie in one place, some far before and behind it.
static void test_ids_apart(void) {
    enum { COUNT = 30000 };
    mc_hprof_ids set = {.shift = 3}, merged = {0};
    mc_hprof_hint hint = {0};
    uint32_t got_hint = 0;
    mc_error error;
    static uint64_t ids[COUNT];
    for (uint64_t i = 0; i < COUNT; i++) {
        const uint64_t base = i < 100           ? 0x1000
                              : i < COUNT - 100 ? UINT64_C(0x700000000)
                                                : UINT64_C(0x7f0000000000);
        ids[i] = base + i * (8 + i % 5 * 8) / 40 * 40;
        REQUIRE(mc_hprof_ids_add(&set, ids[i]));
    }
    REQUIRE(mc_hprof_ids_merge(&merged, &set, 1, &error) == MC_OK);
    qsort(ids, COUNT, sizeof *ids, compare_ids);
    CHECK(merged.direct_count > 0 && merged.direct_count < merged.line_count);
    uint32_t rank = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        if (i > 0 && ids[i] != ids[i - 1]) rank++;
        CHECK(mc_hprof_ids_find(&merged, ids[i], &hint) == rank);
        CHECK(mc_hprof_ids_get(&merged, rank, &got_hint) == ids[i]);
    }
    CHECK(merged.object_count == rank + 1);
    CHECK(mc_hprof_ids_find(&merged, UINT64_C(0x80000000), &hint) == MC_NONE);
    CHECK(mc_hprof_ids_find(&merged, 0, &hint) == MC_NONE);
    mc_hprof_ids_deinit(&merged);
}

// ---- a dump that changes while it is read: each walk finds something else

typedef struct changer {
    unsigned char *data;
    size_t size;
    uint64_t state, change_at, asked;
} changer;

static uint32_t draw(changer *self) {
    self->state = self->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(self->state >> 33);
}

// Called between the tasks of one thread.
static bool change(void *user, uint64_t done, uint64_t total) {
    changer *self = user;
    (void)done;
    (void)total;
    if (++self->asked < self->change_at) return true;
    size_t begin = draw(self) % self->size, count = draw(self) % (self->size - begin) + 1;
    int kind = (int)(draw(self) % 3);
    if (kind == 2) count = count < 16 ? count : 16;
    for (size_t i = 0; i < count; i++)
        self->data[begin + i] = kind == 0 ? 0 : kind == 1 ? 0xff : (unsigned char)draw(self);
    return true;
}

static void test_changes(uint32_t id_size) {
    static const mc_group_criterion criteria[] = {
        MC_GROUP_MODULE, MC_GROUP_LOADER, MC_GROUP_PACKAGE, MC_GROUP_STRUCTURE, MC_GROUP_TYPE};
    mc_grouping grouping = {.count = 5};
    hprof_bytes dump;
    memcpy(grouping.criteria, criteria, sizeof criteria);
    make_small(&dump, id_size);
    for (uint64_t seed = 0; seed < 4000; seed++) {
        mc_hprof_step step = {0};
        mc_error error;
        changer self = {
            .size = dump.text.size, .state = seed * 2654435761u, .change_at = 1 + seed % 12};
        self.data = malloc(self.size); // of its exact size
        REQUIRE(self.data);
        memcpy(self.data, dump.text.data, self.size);
        mc_progress progress = {change, &self};
        mc_heap_desc desc = {.grouping = &grouping,
                             .has_references = true,
                             .has_graph = true,
                             .has_owners = true,
                             .thread_count = 1,
                             .progress = &progress};
        mc_result result = mc_hprof_read(self.data, self.size, &desc, &step, &error);
        CHECK(result == MC_OK || result == MC_ERROR_BAD_DATA);
        mc_hprof_step_deinit(&step);
        free(self.data);
    }
    mc_text_deinit(&dump.text);
}

int main(void) {
    test_memory_limit();
    test_need();
    test_changes(8);
    test_changes(4);
    test_small(8);
    test_small(4);
    test_retained(8);
    test_retained(4);
    test_graph_memory();
    test_divided();
    test_asking_memory();
    test_cancelling();
    test_cuts(8);
    test_cuts(4);
    test_whole_dumps();
    test_damage();
    test_memory();
    test_circles();
    test_short_reference(0);
    test_short_reference(7);
    test_overflow();
    test_threads();
    test_many_leaves();
    test_ids(3, 12);
    test_ids(3, 40);
    test_ids(0, 63);
    test_ids(0, 14);
    test_ids_apart();
    return test_finish();
}
