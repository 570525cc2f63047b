// Heap dumps of Go: a small one by hand, its sizes of pointers and orders of bytes, what is wrong
// with others, and any bytes at all.
#include "engine/import/godump/go_reader.h"
#include "tests/import/object_case.h"

#define HEADER "go1.7 heap dump\n"

static unsigned char dump[1 << 20];
static size_t size;
static uint32_t word_size;
static bool is_big;

static void put(const void *bytes, size_t count) {
    REQUIRE(size + count <= sizeof dump);
    if (count > 0) memcpy(dump + size, bytes, count);
    size += count;
}

static void put_number(uint64_t value) {
    do {
        unsigned char byte = (unsigned char)(value & 0x7f);
        value >>= 7;
        if (value > 0) byte |= 0x80;
        put(&byte, 1);
    } while (value > 0);
}

static void put_text(const char *text) {
    put_number(strlen(text));
    put(text, strlen(text));
}

static void put_numbers(const uint64_t *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        put_number(values[i]);
}
#define PUT(...)                                 \
    put_numbers((const uint64_t[]){__VA_ARGS__}, \
                sizeof(const uint64_t[]){__VA_ARGS__} / sizeof(uint64_t))

// Contents of words, and a list of those that are pointers.
static void put_words(const uint64_t *words, uint32_t count) {
    put_number((uint64_t)count * word_size);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < word_size; k++) {
            uint32_t shift = 8 * (is_big ? word_size - 1 - k : k);
            unsigned char byte = (unsigned char)(words[i] >> shift);
            put(&byte, 1);
        }
}

static void put_fields(uint32_t count, uint64_t pointers) {
    for (uint32_t i = 0; i < count; i++)
        if (i < 64 && pointers >> i & 1) PUT(1, (uint64_t)i * word_size);
    put_number(0);
}

static void put_object(uint64_t address, const uint64_t *words, uint32_t count, uint64_t pointers) {
    PUT(1, address);
    put_words(words, count);
    put_fields(count, pointers);
}

static void put_frame(const char *function, const uint64_t *words, uint32_t count) {
    PUT(5, 0x7000, 0, 0);
    put_words(words, count);
    PUT(0x401000, 0x401010, 0x401010);
    put_text(function);
    put_fields(count, 0); // its pointers are not listed
}

static void put_goroutine(uint64_t address, uint64_t id, const char *reason) {
    PUT(4, address, 0x7000, id, 0x401234, 4, 0, 0, 0);
    put_text(reason);
    PUT(0, 0, 0, 0);
}

// A map in a global variable, its buckets with two objects, of which one references into the middle
// of another; a goroutine that waits; a finalizer; garbage.
static void make(const char *header, uint32_t words_of, bool big) {
    size = 0;
    word_size = words_of;
    is_big = big;
    put(header, strlen(header));
    PUT(6, big, words_of, 0x1000, 0x2000);
    put_text("amd64");
    put_text("");
    put_number(2);
    const uint64_t base = 0xa0000000;
    // The second span comes first.
    put_object(base + 0x4000, (const uint64_t[]){2, 0, base + 0x2000, 0, 0, 0}, 6, 0x2c);
    put_object(base + 0x4030, (const uint64_t[]){1, 0, 0, 0, 0, 0}, 6, 0);
    put_object(base + 0x2000, (const uint64_t[]){base + 0x6000, base + 0x6008, 0, 0}, 4, 15);
    put_object(base + 0x6000, (const uint64_t[]){base + 0x8004}, 1, 1);
    put_object(base + 0x6008, (const uint64_t[]){base + 0x5000}, 1, 1); // to none
    put_object(base + 0x8000, (const uint64_t[]){7, 7}, 2, 0);
    put_object(base + 0xa000, (const uint64_t[]){0, 0, 0}, 3, 1); // the goroutine
    put_object(base + 0xc000, (const uint64_t[]){0}, 1, 0);
    put_object(base + 0xe000, (const uint64_t[]){base + 0xc000}, 1, 1);
    PUT(3, 0x500000, 8);
    put_text("main.T");
    put_number(1);
    PUT(8, 0x500010, 0x500000);
    put_frame("", (const uint64_t[]){base + 0xe000}, 1); // of no goroutine
    put_goroutine(base + 0xa000, 18, "chan receive");
    put_frame("runtime.gopark", (const uint64_t[]){0, base + 0x4030}, 2);
    put_frame("main.handle", (const uint64_t[]){base + 0x8001}, 1);
    put_frame("runtime.goexit", (const uint64_t[]){1}, 1);
    PUT(14, 1, base + 0xa000, 3, 4, 5, 6, 7, 15, 1, base + 0xa000, 3, 4, 5, 6);
    PUT(9, 1, 2, 3);
    PUT(12, 0x600000);
    put_words((const uint64_t[]){base + 0x5000, 1}, 2);
    put_fields(2, 3);
    PUT(13, 0x700000);
    put_words((const uint64_t[]){0, base + 0x4000, base + 0x4000}, 3);
    put_fields(3, 6);
    PUT(7, base + 0xe000, 2, 3, 4, 5);
    put_number(2);
    put_text("a root");
    put_number(base + 0x4030);
    put_number(10);
    for (int i = 0; i < 24 + 256 + 1; i++)
        put_number((uint64_t)i);
    PUT(16, 99, 8, 2);
    put_text("runtime.mallocgc");
    put_text("/usr/lib/go/src/runtime/malloc.go");
    put_number(1);
    put_text("main.open");
    put_text("/src/shop.go");
    PUT(14, 5, 1);
    PUT(17, base + 0x6000, 99, 17, base + 0x6008, 98, 0);
}

static void check_root(const mc_object_heap *heap, size_t at, uint32_t object, mc_root_kind kind,
                       const char *name) {
    REQUIRE(at < heap->root_count);
    const mc_object_root *root = &heap->roots[at];
    const char *found = mc_strings_get(&heap->texts, root->name, NULL);
    CHECK_MSG(root->object == object && root->kind == kind && strcmp(found, name) == 0,
              "root %zu: %u %d %s", at, root->object, (int)root->kind, found);
}

static void test_dump(const char *header, uint32_t words_of, bool big) {
    mc_object_heap heap = {.texts = {0}};
    make(header, words_of, big);
    REQUIRE(mc_go_dump_detect(dump, size) && !mc_go_dump_detect(dump, 15));
    mc_result result = read_objects(&mc_go_reader, dump, size, &heap);
    CHECK_MSG(result == MC_OK, "%s", error.message);
    if (result != MC_OK) return;
    const bool has_maps = words_of == 8; // elsewhere they are laid out otherwise
    CHECK(heap.object_count == 9 && heap.edge_count == 5 && heap.root_count == 8);
    CHECK(heap.object_ids[0] == 0xa0004000 && heap.object_sizes[0] == 6 * words_of);
    check_group(&heap, 0,
                has_maps ? "Heap#(not sampled)#map" : "Heap#(not sampled)#24 B with 3 pointers");
    check_group(&heap, 2,
                has_maps ? "Heap#(not sampled)#map buckets"
                         : "Heap#(not sampled)#16 B with 4 pointers");
    check_group(&heap, 3,
                words_of == 8 ? "Heap#main.open (shop.go:14)#8 B with 1 pointer"
                              : "Heap#main.open (shop.go:14)#4 B with 1 pointer");
    check_group(&heap, 4,
                words_of == 8 ? "Heap#(not sampled)#8 B with 1 pointer"
                              : "Heap#(not sampled)#4 B with 1 pointer");
    check_group(&heap, 5,
                words_of == 8 ? "Heap#(not sampled)#16 B without pointers"
                              : "Heap#(not sampled)#8 B without pointers");
    check_group(&heap, 6, "Heap#(not sampled)#goroutine");
    check_root(&heap, 0, 8, MC_ROOT_STACK, "a stack");
    check_root(&heap, 1, 6, MC_ROOT_THREAD,
               "goroutine started in main.handle, waits in chan receive");
    check_root(&heap, 2, 1, MC_ROOT_STACK,
               "main.handle (goroutine started in main.handle, waits in chan receive)");
    check_root(&heap, 3, 5, MC_ROOT_STACK,
               "main.handle (goroutine started in main.handle, waits in chan receive)");
    check_root(&heap, 4, 0, MC_ROOT_GLOBAL, words_of == 8 ? "global bss+0x8" : "global bss+0x4");
    check_root(&heap, 5, 0, MC_ROOT_GLOBAL, words_of == 8 ? "global bss+0x10" : "global bss+0x8");
    check_root(&heap, 6, 8, MC_ROOT_FINALIZING, "a finalizer");
    check_root(&heap, 7, 1, MC_ROOT_VM_INTERNAL, "a root");
    CHECK(strcmp(mc_strings_get(&heap.texts, heap.roots[1].example, NULL),
                 "goroutine 18, started in main.handle, waits in chan receive") == 0);
    REQUIRE(mc_object_heap_link(&heap, &error) == MC_OK);
    CHECK(mc_heap_count_unreached(&heap.heap) == 0);
    mc_object_heap_deinit(&heap);
}

static void check_wrong(const void *bytes, size_t count, const char *wanted, uint64_t offset) {
    make(HEADER, 8, false);
    size--; // the end
    const uint64_t begin = size;
    put(bytes, count);
    mc_result result = read_objects(&mc_go_reader, dump, size, NULL);
    CHECK_MSG(result == MC_ERROR_BAD_DATA && strstr(error.message, wanted) &&
                  (offset == MC_ERROR_NO_OFFSET || error.byte_offset == begin + offset),
              "%s: %d %s, at %" PRIu64 " of %" PRIu64, wanted, (int)result, error.message,
              error.byte_offset, begin);
}

static void test_bad(void) {
    check_bad(&mc_go_reader, "", "expected \"go1.7 heap dump\"");
    check_bad(&mc_go_reader, "go1.4 heap dump\n", "expected \"go1.7 heap dump\"");
    check_bad(&mc_go_reader, HEADER, "it has no object");
    static const char first[] = HEADER "\1\1\1x"; // and its NUL
    CHECK(read_objects(&mc_go_reader, first, sizeof first, NULL) == MC_ERROR_BAD_DATA &&
          strstr(error.message, "parameters (record 6) before objects"));
    check_bad(&mc_go_reader, HEADER "\6\1\3\1\1\1x\1x\1", "pointers of 4 or 8 bytes");
    check_wrong("\x12", 1, "the number of a kind of record", 0);
    check_wrong("\x11\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02", 11, "at most 64 bits", 11);
    check_wrong("\1\1\0\2\0", 5, "the place of a pointer", 4);
    check_wrong("\1\1\7xxxxxxx\1\0\0", 13, "pointers within the object", 0);
    check_wrong("\x0d\1\7xxxxxxx\1\0\0", 13, "pointers within the segment", 0);
    check_wrong("\1\x80\x80\x81\x80\x0a\1x\0", 9, "begins within another one", MC_ERROR_NO_OFFSET);
}

// ---- many objects, which several threads read

enum { MANY = 3000, ARENA_SIZE = 1 << 24 };
#define ARENA UINT64_C(0xc000000000)

static struct {
    uint64_t addresses[MANY], sizes[MANY];
    uint32_t targets[MANY][2]; // of two fields; MC_NONE: none
    size_t begins[MANY];       // of records
} many;

static uint32_t draw(uint32_t below) {
    static uint32_t state = 3;
    state = state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)state * below) >> 32);
}

// Contents that are records of objects, one behind another, with addresses as objects have them.
static void put_false_records(void) {
    unsigned char contents[144];
    const size_t kept = size;
    for (int i = 0; i < 16; i++) {
        PUT(1, ARENA + 64 * (uint64_t)draw(1000), 0, 0);
    }
    REQUIRE(size - kept <= sizeof contents);
    memset(contents, 0, sizeof contents);
    memcpy(contents, dump + kept, size - kept);
    size = kept;
    put_number(sizeof contents);
    put(contents, sizeof contents);
    put_number(0);
}

static void put_random_object(uint32_t i) {
    uint64_t words[40] = {0};
    const uint32_t count = 2 + draw(38);
    many.targets[i][0] = many.targets[i][1] = MC_NONE;
    many.begins[i] = size;
    PUT(1, many.addresses[i]);
    if (draw(4) == 0) {
        many.sizes[i] = 144;
        put_false_records();
        return;
    }
    many.sizes[i] = (uint64_t)count * 8;
    for (uint32_t k = 0; k < 2; k++) {
        if (draw(3) == 0) continue;
        many.targets[i][k] = draw(MANY);
        words[k] = many.addresses[many.targets[i][k]] + draw(16);
    }
    put_words(words, count);
    put_fields(count, 3);
}

// Now and then one is larger than what a thread reads at a time, and there are other records.
static void make_many(void) {
    static const uint64_t large[8192];
    size = 0;
    word_size = 8;
    is_big = false;
    put(HEADER, strlen(HEADER));
    PUT(6, 0, 8, ARENA, ARENA + ARENA_SIZE);
    put_text("amd64");
    put_text("");
    put_number(2);
    for (uint32_t i = 0; i < MANY; i++) // spans in another order than by address
        many.addresses[i] = ARENA + (((uint64_t)i ^ 64) << 9) + (i == 2000 ? 1 << 22 : 0);
    for (uint32_t i = 0; i < MANY; i++) {
        if (i % 700 == 699 || (i > 2500 && i < 2600)) {
            PUT(3, 0x500000, 8);
            put_text("main.T");
            put_number(1);
        }
        if (i != 2000) {
            put_random_object(i);
            continue;
        }
        many.targets[i][0] = many.targets[i][1] = MC_NONE;
        many.sizes[i] = sizeof large;
        many.begins[i] = size;
        put_object(many.addresses[i], large, 8192, 0);
    }
    put_number(0);
}

static mc_result read_many(size_t read_size, uint32_t threads, mc_object_heap *heap) {
    const mc_heap_desc desc = {.has_references = true, .has_graph = true, .thread_count = threads};
    mc_text damage = {0};
    error = (mc_error){.code = MC_OK};
    mc_result result = mc_go_reader.read(dump, read_size, &desc, heap, &damage, &error);
    CHECK_MSG((damage.size > 0) == (result == MC_OK && read_size < size), "%s",
              mc_text_get(&damage));
    mc_text_deinit(&damage);
    return result;
}

// The first `count` objects, and their references to one another.
static void check_objects(const mc_object_heap *heap, uint32_t count) {
    REQUIRE(heap->object_count == count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK(heap->object_ids[i] == many.addresses[i] && heap->object_sizes[i] == many.sizes[i]);
        uint64_t at = heap->edge_begins[i];
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t target = many.targets[i][k];
            if (target == MC_NONE || target >= count) continue;
            CHECK(at < heap->edge_begins[i + 1] && heap->edges[at].target == target);
            at++;
        }
        CHECK(at == heap->edge_begins[i + 1]);
    }
}

static void check_threads(uint32_t threads) {
    mc_object_heap heap = {.texts = {0}};
    REQUIRE(read_many(size, threads, &heap) == MC_OK);
    check_objects(&heap, MANY);
    mc_object_heap_deinit(&heap);
    for (uint32_t i = 1; i < MANY; i += 97) { // cut off in a record
        heap = (mc_object_heap){.texts = {0}};
        CHECK(read_many(many.begins[i] + 1 + i % 9, threads, &heap) == MC_OK);
        check_objects(&heap, i);
        mc_object_heap_deinit(&heap);
    }
    for (uint32_t i = 1; i < MANY; i += 97) { // wrong where a record begins
        heap = (mc_object_heap){.texts = {0}};
        dump[many.begins[i]] = 99;
        CHECK(read_many(size, threads, &heap) == MC_ERROR_BAD_DATA);
        CHECK_MSG(error.byte_offset == many.begins[i], "%" PRIu64 ", not %zu", error.byte_offset,
                  many.begins[i]);
        dump[many.begins[i]] = 1;
        mc_object_heap_deinit(&heap);
    }
}

static void test_threads(void) {
    make_many();
    check_threads(1);
    check_threads(2);
    check_threads(5);
}

int main(void) {
    test_threads();
    test_dump(HEADER, 8, false);
    test_dump("go1.6 heap dump\n", 8, true);
    test_dump("go1.5 heap dump\n", 4, false);
    test_dump(HEADER, 4, true);
    test_bad();
    make(HEADER, 8, false);
    try_objects(&mc_go_reader, dump, size);
    return test_finish();
}
