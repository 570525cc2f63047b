// Graphs of rows: what they are taken for, what is wrong with them, and any bytes at all.
#include "engine/base/row_text.h"
#include "engine/base/utf8.h"
#include "engine/import/graph/graph_reader.h"
#include "engine/import/graph/graph_rows.h"
#include "tests/import/object_case.h"

static const char graph[] = "#memcity graph 1\n"
                            "# time=1700000000000\n"
                            "id\tsize\tflags\tmodule\ttype\n"
                            "1\t64\t\tshop\tRegistry\n"
                            "0x2\t1000\truntime\tbuiltins\tdict\n"
                            "10\t48\t\tshop\tSession\\twith a tab\n"
                            "11\t48\t\tshop\tSession\\twith a tab\n"
                            "12\t7\t\tshop\tLost\n"
                            "from\tto\tfield\tkind\n"
                            "1\t2\tRegistry.sessions\tglobal\n"
                            "2\t10\t\t\n"
                            "2\t11\n"
                            "10\t11\tnext\t\n"
                            "10\t11\tnext\t\n"
                            "11\t1\tSession.owner\tweak\n"
                            "root\tkind\tname\n"
                            "1\tglobal\tshop.registry\n"
                            "10\tstack\tmain\n"
                            "12\tsoft\t\n";

static const char json[] =
    "{\"id\": 1, \"size\": 64, \"module\": \"shop\", \"type\": \"Registry\"}\n"
    "{\"id\":\"0x2\",\"size\":1000,\"module\":\"builtins\",\"type\":\"dict\",\"flags\":\"runtime\","
    "\"unknown\":null}\n"
    "{\"id\":10,\"size\":48,\"module\":\"shop\",\"type\":\"\\u0041\\ud83d\\ude00\\ud800\\n\"}\n"
    "{\"from\":1,\"to\":2,\"field\":\"Registry.sessions\"}\r\n"
    "{\"from\":2,\"to\":10}\n"
    "{\"root\":1,\"kind\":\"global\",\"name\":\"shop.registry\"}";

// The kind of an object's n-th edge, of all.
static mc_object_heap read_whole(const char *text) {
    mc_object_heap heap = {.texts = {0}};
    REQUIRE(read_objects(&mc_graph_reader, text, strlen(text), &heap) == MC_OK);
    return heap;
}

static void check_link(const mc_object_heap *heap, uint32_t object, uint32_t slot,
                       mc_heap_link_kind wanted_kind, const char *wanted) {
    mc_text text = {0};
    mc_heap_link_kind kind = heap->heap.words->append_link(heap, heap->object_kinds[object], slot,
                                                           MC_HEAP_WORDS_FULL, &text);
    CHECK_MSG(kind == wanted_kind && strcmp(mc_text_get(&text), wanted) == 0, "%s, not %s",
              mc_text_get(&text), wanted);
    mc_text_deinit(&text);
}

static void test_rows(void) {
    mc_object_heap heap = read_whole(graph);
    CHECK(heap.object_count == 5 && heap.object_ids[1] == 2 && heap.object_sizes[1] == 1000);
    CHECK(heap.time_ms == 1700000000000 && heap.root_count == 3);
    CHECK(heap.edge_count == 5 && heap.weak_count == 1);
    CHECK(heap.leaf_objects[2] == 2 && heap.leaf_bytes[2] == 96);
    check_link(&heap, 0, 0, MC_HEAP_LINK_STATIC, "Registry.sessions");
    check_link(&heap, 1, 0, MC_HEAP_LINK_FIELD, "dict elements");
    check_link(&heap, 2, 0, MC_HEAP_LINK_FIELD, "next"); // a list, as it has two of them
    check_link(&heap, 3, 1, MC_HEAP_LINK_WEAK, "Session.owner");
    REQUIRE(mc_object_heap_link(&heap, &error) == MC_OK);
    CHECK(heap.heap.root_count == 2 && heap.heap.lasting_root_count == 1);
    CHECK(mc_heap_count_unreached(&heap.heap) == 0); // soft references reach the last one
    CHECK(mc_heap_sum_region(&heap.heap, MC_HEAP_SOFT).size == 7);
    mc_object_heap_deinit(&heap);
    heap = read_whole(json);
    CHECK(heap.object_count == 3 && heap.edge_count == 2 && heap.root_count == 1);
    CHECK(strcmp(mc_strings_get(&heap.texts, heap.types[2].title, NULL),
                 "A\xf0\x9f\x98\x80\xef\xbf\xbd\n") == 0);
    CHECK(!(heap.types[1].flags & MC_OBJECT_PROGRAM) && heap.types[0].flags & MC_OBJECT_PROGRAM);
    mc_object_heap_deinit(&heap);
}

// A slot is a field, so that kinds are few.
static void test_kinds(void) {
    mc_text text = {0};
    mc_text_append_string(&text, "id\ttype\n0\tMap\n");
    for (int i = 1; i <= 600; i++)
        mc_text_format(&text, "%d\tSession\n", i);
    mc_text_append_string(&text, "from\tto\tfield\n");
    for (int i = 1; i <= 600; i++) // names of a map are data
        mc_text_format(&text, "0\t%d\tkey %d\n%d\t%d\t%s\n", i, i, i, i % 600 + 1,
                       i % 3 == 0 ? "a" : "b");
    mc_object_heap heap = read_whole(mc_text_get(&text));
    CHECK_MSG(heap.heap.kind_count == 4 + 3, "%" PRIu32, heap.heap.kind_count);
    check_link(&heap, 0, 0, MC_HEAP_LINK_FIELD, "Map elements");
    mc_object_heap_deinit(&heap);
    mc_text_deinit(&text);
}

// What a writer of rows escapes comes back as it was; other backslashes stay.
static void test_escapes(void) {
    static const char names[] = "a\0b\t\n\r\b\f\\";
    mc_text text = {0};
    mc_text_append_string(&text, "id\ttype\n1\t");
    mc_row_append_text(&text, MC_ROW_TSV, names, sizeof names - 1);
    mc_text_append_string(&text, "\n2\tC:\\dir\n");
    mc_object_heap heap = {.texts = {0}};
    REQUIRE(read_objects(&mc_graph_reader, text.data, text.size, &heap) == MC_OK);
    size_t size;
    const char *title = mc_strings_get(&heap.texts, heap.types[0].title, &size);
    CHECK_MSG(size == sizeof names - 1 && memcmp(title, names, size) == 0, "%s", title);
    title = mc_strings_get(&heap.texts, heap.types[1].title, NULL);
    CHECK_MSG(strcmp(title, "C:\\dir") == 0, "%s", title);
    mc_object_heap_deinit(&heap);
    mc_text_deinit(&text);
}

// What is no UTF-8 could not be written again.
static void test_odd_bytes(void) {
    mc_object_heap heap = read_whole("id\tmodule\ttype\n1\ta\xff\tb\xc3\n2\ta\xff\tb\xc3\n"
                                     "from\tto\tfield\tkind\n1\t2\tx\xe2\x82y\t\n"
                                     "root\tkind\tname\n1\tglobal\t\x80\n");
    CHECK(heap.type_count == 1);
    for (uint32_t i = 0; i < heap.texts.count; i++) {
        size_t size;
        const char *text = mc_strings_get(&heap.texts, i, &size);
        CHECK_MSG(mc_utf8_is_valid(text, size), "%s", text);
    }
    mc_text key = {0};
    mc_heap_groups_append_key(heap.heap.groups, mc_heap_groups_get_group(heap.heap.groups, 0),
                              &key);
    CHECK_MSG(strcmp(mc_text_get(&key), "Heap#a\xef\xbf\xbd#b\xef\xbf\xbd") == 0, "%s",
              mc_text_get(&key));
    check_link(&heap, 0, 0, MC_HEAP_LINK_FIELD, "x\xef\xbf\xbd\xef\xbf\xbdy");
    mc_text_deinit(&key);
    mc_object_heap_deinit(&heap);
}

// As many weak labels as edges: each edge has its own slot, found in no time.
static void test_weak_labels(void) {
    enum { COUNT = 100000 };
    mc_text text = {0};
    mc_text_append_string(&text, "id\n0\n1\nfrom\tto\tfield\tkind\n");
    for (int i = 0; i < COUNT; i++)
        mc_text_format(&text, "0\t1\t%d\tweak\n", i);
    mc_object_heap heap = read_whole(mc_text_get(&text));
    check_link(&heap, 0, 1, MC_HEAP_LINK_WEAK, "0");
    check_link(&heap, 0, COUNT, MC_HEAP_LINK_WEAK, "99999");
    REQUIRE(mc_object_heap_link(&heap, &error) == MC_OK && heap.heap.weak.count == COUNT);
    uint64_t sum = 0;
    for (size_t i = 0; i < COUNT; i++)
        sum += heap.heap.weak.items[i].slot;
    CHECK_MSG(sum == (uint64_t)COUNT * (COUNT + 1) / 2, "%" PRIu64, sum);
    mc_object_heap_deinit(&heap);
    mc_text_deinit(&text);
}

static void test_bad(void) {
    check_bad(&mc_graph_reader, "", "no row of an object");
    check_bad(&mc_graph_reader, "1\t2\n", "expected column names");
    check_bad(&mc_graph_reader, "id\tsize\n1\t8\n1\t8\n", "two objects have one id");
    check_bad(&mc_graph_reader, "id\tsize\n-1\t8\n", "the id of an object");
    check_bad(&mc_graph_reader, "id\tsize\n18446744073709551616\t8\n", "the id of an object");
    check_bad(&mc_graph_reader, "id\tsize\n1\t8 kB\n", "the size of an object");
    check_bad(&mc_graph_reader, "id\tsize\n1\t9223372036854775807\n2\t1\n", "more than 2^63 - 1");
    check_bad(&mc_graph_reader, "id\tsize\n1\t8\t9\n", "more cells than");
    check_bad(&mc_graph_reader, "id\tsize\n1\t8\nfrom\tto\nx\t1\n", "that a row refers to");
    check_bad(&mc_graph_reader, "id\n1\nfrom\tto\tkind\n1\t1\tstrange\n", "none of strong, weak");
    check_bad(&mc_graph_reader, "id\ta\tb\tc\td\te\tf\tg\th\ti\n", "more than 8");
    check_bad(&mc_graph_reader, "{\"id\":1", "expected , or }");
    check_bad(&mc_graph_reader, "{\"id\":{}}", "texts or numbers");
    check_bad(&mc_graph_reader, "{\"a\":1}", "none of \"id\"");
    check_bad(&mc_graph_reader, "{\"id\":1} x", "behind an object");
    mc_object_heap heap = {.texts = {0}};
    static const char lost[] = "id\n1\nfrom\tto\n1\t7\nroot\n9\n"; // objects that it lacks
    CHECK(read_objects(&mc_graph_reader, lost, sizeof lost - 1, &heap) == MC_OK);
    CHECK(heap.edge_count == 0 && heap.root_count == 0);
    mc_object_heap_deinit(&heap);
}

// ---- many lines, which several threads read

enum { OBJECTS = 3000, EDGES = 9000 };

typedef struct written {
    uint64_t ids[OBJECTS], sizes[OBJECTS];
    uint32_t types[OBJECTS];
    uint32_t from[EDGES], to[EDGES], fields[EDGES]; // fields: 0: none
    mc_text text;
    size_t rows[OBJECTS + EDGES]; // where they begin
    size_t row_count;
} written;

static uint32_t draw(uint32_t *state, uint32_t below) {
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t)(((uint64_t)*state * below) >> 32);
}

static void write_object(written *w, uint32_t i, bool is_json) {
    static const char *const forms[] = {"%" PRIu64 "\ttype %" PRIu32 "\t%" PRIu64 "\n",
                                        "{\"id\":%" PRIu64 ",\"type\":\"type %" PRIu32
                                        "\",\"size\":%" PRIu64 "}\n"};
    w->rows[w->row_count++] = w->text.size;
    mc_text_format(&w->text, forms[is_json], w->ids[i], w->types[i], w->sizes[i]);
}

// Some names have a backslash, so that they are no spans of the file.
static void write_edge(written *w, uint32_t i) {
    w->rows[w->row_count++] = w->text.size;
    mc_text_format(&w->text, "%" PRIu64 "\t0x%" PRIx64 "\t", w->ids[w->from[i]], w->ids[w->to[i]]);
    if (w->fields[i] > 0)
        mc_text_format(&w->text, "field%s%" PRIu32, w->fields[i] % 7 == 0 ? "\\t" : " ",
                       w->fields[i]);
    mc_text_append_string(&w->text, "\n");
}

// Sections of some lines up to thousands, as they come. Where references to an object are is the
// same for all `is_mixed`.
static void write_many(written *w, bool is_mixed, bool is_row) {
    uint32_t state = 7, object = 0, edge = 0;
    for (uint32_t i = 0; i < OBJECTS; i++) {
        w->ids[i] = is_row ? 1000 + (uint64_t)i : (uint64_t)(i * 2654435761u) << 4;
        w->sizes[i] = draw(&state, 5000);
        w->types[i] = draw(&state, i % 100 == 0 ? OBJECTS : 20);
    }
    for (uint32_t i = 0; i < EDGES; i++) {
        w->from[i] = draw(&state, OBJECTS);
        w->to[i] = draw(&state, OBJECTS);
        w->fields[i] = draw(&state, 90);
    }
    w->row_count = 0;
    mc_text_clear(&w->text);
    while (object < OBJECTS || edge < EDGES) {
        uint32_t objects = is_mixed ? draw(&state, 300) : OBJECTS;
        uint32_t edges = is_mixed ? draw(&state, 900) : EDGES;
        const bool is_json = is_mixed && draw(&state, 3) == 0;
        if (!is_json && objects > 0) mc_text_append_string(&w->text, "id\ttype\tsize\n");
        for (; objects > 0 && object < OBJECTS; objects--)
            write_object(w, object++, is_json);
        mc_text_append_string(&w->text, "# a remark\n\nfrom\tto\tfield\n");
        for (; edges > 0 && edge < EDGES; edges--)
            write_edge(w, edge++);
    }
}

static mc_result read_by_threads(const mc_text *text, uint32_t threads, mc_object_heap *heap) {
    const mc_heap_desc desc = {.has_references = true, .has_graph = true, .thread_count = threads};
    mc_text damage = {0};
    error = (mc_error){.code = MC_OK};
    mc_result result = mc_graph_reader.read((const unsigned char *)text->data, text->size, &desc,
                                            heap, &damage, &error);
    mc_text_deinit(&damage);
    return result;
}

// An object's edges, of which those with a name that it has once come first.
static uint64_t sum_up_edge(uint32_t to, const char *name) {
    return ((uint64_t)to + 1) * (mc_strings_hash(name, strlen(name)) | 1u);
}

static void check_many(const written *w, const mc_object_heap *heap) {
    static uint64_t sums[OBJECTS];
    static uint32_t counts[OBJECTS];
    memset(sums, 0, sizeof sums);
    memset(counts, 0, sizeof counts);
    REQUIRE(heap->object_count == OBJECTS && heap->edge_count == EDGES);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        char title[32];
        (void)snprintf(title, sizeof title, "type %" PRIu32, w->types[i]);
        CHECK(heap->object_ids[i] == w->ids[i] && heap->object_sizes[i] == w->sizes[i]);
        CHECK(strcmp(mc_strings_get(&heap->texts, heap->types[heap->object_types[i]].title, NULL),
                     title) == 0);
    }
    for (uint32_t i = 0; i < EDGES; i++) {
        char name[32] = "";
        if (w->fields[i] > 0)
            (void)snprintf(name, sizeof name, "field%c%" PRIu32, w->fields[i] % 7 == 0 ? '\t' : ' ',
                           w->fields[i]);
        sums[w->from[i]] += sum_up_edge(w->to[i], name);
        counts[w->from[i]]++;
    }
    for (uint32_t i = 0; i < OBJECTS; i++) {
        uint64_t sum = 0;
        for (uint64_t k = heap->edge_begins[i]; k < heap->edge_begins[i + 1]; k++) {
            const mc_object_label *label = &heap->labels[heap->edges[k].label];
            sum +=
                sum_up_edge(heap->edges[k].target, mc_strings_get(&heap->texts, label->text, NULL));
        }
        CHECK(sum == sums[i] && heap->edge_begins[i + 1] - heap->edge_begins[i] == counts[i]);
    }
}

// Texts, types and labels have the same numbers, whoever reads them.
static void check_same(const mc_object_heap *a, const mc_object_heap *b) {
    CHECK(a->texts.bytes_size == b->texts.bytes_size &&
          memcmp(a->texts.bytes, b->texts.bytes, a->texts.bytes_size) == 0);
    CHECK(a->type_count == b->type_count && a->label_count == b->label_count);
    CHECK(memcmp(a->object_types, b->object_types, OBJECTS * sizeof *a->object_types) == 0);
    CHECK(memcmp(a->edges, b->edges, EDGES * sizeof *a->edges) == 0);
}

// The row that is wrong is named, be it in the middle of what a thread reads.
static void check_wrong_rows(written *w, uint32_t threads) {
    for (size_t i = 0; i < w->row_count; i += 173) {
        mc_object_heap heap = {.texts = {0}};
        char *at = w->text.data + w->rows[i];
        const char kept = at[0];
        const bool is_json = kept == '{';
        at[0] = is_json ? '}' : 'x'; // "x" of no column, or a number that is none
        CHECK(read_by_threads(&w->text, threads, &heap) == MC_ERROR_BAD_DATA);
        CHECK_MSG(error.byte_offset == w->rows[i], "%" PRIu64 ", not %zu: %s", error.byte_offset,
                  w->rows[i], error.message);
        at[0] = kept;
        mc_object_heap_deinit(&heap);
    }
}

// The second of two objects with one id, though what is wrong behind it is seen at once.
static void check_twice(written *w, uint32_t threads) {
    static const size_t others[] = {700, 2000, 2999}; // rows
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        mc_object_heap heap = {.texts = {0}};
        char *at = w->text.data + w->rows[others[i]], *last = w->text.data + w->rows[2999],
             kept[20];
        memcpy(kept, at, 4);
        memcpy(at, w->text.data + w->rows[50], 4); // "1050"
        if (last != at) last[0] = 'x';
        CHECK(read_by_threads(&w->text, threads, &heap) == MC_ERROR_BAD_DATA);
        CHECK_MSG(error.byte_offset == w->rows[others[i]] && strstr(error.message, "one id"),
                  "%" PRIu64 ": %s", error.byte_offset, error.message);
        memcpy(at, kept, 4);
        if (last != at) last[0] = '3';
        mc_object_heap_deinit(&heap);
    }
}

static void test_threads(void) {
    static written w;
    for (int form = 0; form < 4; form++) {
        mc_object_heap heaps[3] = {{.texts = {0}}};
        write_many(&w, form & 1, form & 2);
        for (uint32_t i = 0; i < 3; i++) {
            REQUIRE(read_by_threads(&w.text, 2 * i + 1, &heaps[i]) == MC_OK);
            check_many(&w, &heaps[i]);
            check_same(&heaps[0], &heaps[i]);
        }
        for (uint32_t i = 0; i < 3; i++)
            mc_object_heap_deinit(&heaps[i]);
        check_wrong_rows(&w, 1 + (uint32_t)form);
    }
    write_many(&w, false, true);
    check_twice(&w, 1);
    check_twice(&w, 3);
    mc_text_deinit(&w.text);
}

int main(void) {
    test_rows();
    test_threads();
    test_kinds();
    test_escapes();
    test_odd_bytes();
    test_weak_labels();
    test_bad();
    try_objects(&mc_graph_reader, graph, sizeof graph - 1);
    try_objects(&mc_graph_reader, json, sizeof json - 1);
    return test_finish();
}
