// Heaps that no format wrote: objects given by arrays, with and without types, edges with names and
// without, weak ones of two kinds, roots. What is asked of them against slow references.
#include "engine/base/hash.h"
#include "engine/base/memory.h"
#include "engine/heap/content.h"
#include "engine/heap/divide.h"
#include "engine/heap/path_step.h"
#include "engine/heap/references.h"
#include "engine/heap/step.h"
#include "tests/heap_path.h"
#include "tests/test.h"

// Objects of a V8 or a Python have named edges, those of a Ruby only a class, those of a Go only a
// size and the places of their pointers.
enum {
    KIND_NOTHING,
    KIND_ROOT,
    KIND_LATE_ROOTS,
    KIND_SESSION = KIND_LATE_ROOTS + MC_GRAPH_LATE_MAX,
    KIND_MAP,
    KIND_LIST,
    KIND_CELL,
    KIND_BYTES,
    KIND_FINALIZER, // of each late root in turn
    KIND_SOFT_CACHE,
    KINDS
};
enum { OBJECTS_MAX = 40, EDGES_MAX = 6, LEAVES = 3, NONE = 0xffff };

static const struct {
    const char *name;
    const char *links[3]; // "": without a name
    mc_graph_kind graph;
    uint32_t weak; // a bit a slot
    uint32_t leaf; // in the order of its name
} made_kinds[KINDS] = {
    [KIND_NOTHING] = {"(unknown)", {""}, {.layout = MC_GRAPH_LIST}, 0, MC_NONE},
    [KIND_ROOT] = {"root", {""}, {.layout = MC_GRAPH_LIST}, 0, MC_NONE},
    [KIND_LATE_ROOTS] = {"finalizers", {""}, {.layout = MC_GRAPH_LIST}, 0, MC_NONE},
    [KIND_LATE_ROOTS + 1] = {"soft", {""}, {.layout = MC_GRAPH_LIST}, 0, MC_NONE},
    [KIND_SESSION] = {"Session",
                      {".user", ".weak_owner", ".hidden_class"},
                      {.size = 24, .slot_count = 3, .layout = MC_GRAPH_FIELDS},
                      2,
                      0},
    [KIND_MAP] =
        {"Map", {".table"}, {.size = 32, .slot_count = 1, .layout = MC_GRAPH_FIELDS}, 0, 0},
    [KIND_LIST] = {"Array", {"[]"}, {.size = MC_GRAPH_VARIES, .layout = MC_GRAPH_LIST}, 0, 1},
    [KIND_CELL] = {"16 bytes, 2 pointers",
                   {"+0", "+8 (ephemeron)"},
                   {.size = 16, .slot_count = 2, .layout = MC_GRAPH_FIELDS},
                   2,
                   2},
    [KIND_BYTES] =
        {"(no pointers)", {""}, {.size = MC_GRAPH_VARIES, .layout = MC_GRAPH_LIST}, 0, 2},
    [KIND_FINALIZER] = {"Finalizer",
                        {".next", ".object"},
                        {.size = 32, .slot_count = 2, .layout = MC_GRAPH_FIELDS},
                        2,
                        0},
    [KIND_SOFT_CACHE] =
        {"Cache", {".soft"}, {.size = 16, .slot_count = 1, .layout = MC_GRAPH_FIELDS}, 1, 2},
};
static const char *const leaf_names[LEAVES] = {"objects", "arrays", "rest"};

typedef struct made_heap {
    uint32_t count; // of objects; the root is behind them
    uint32_t kinds[OBJECTS_MAX + 1], edge_counts[OBJECTS_MAX + 1];
    uint32_t edges[OBJECTS_MAX + 1][OBJECTS_MAX]; // by slot; NONE
    uint64_t sizes[OBJECTS_MAX + 1];
} made_heap;

static mc_error error;

// ---- what a reader does

static void append_kind(const void *reader, uint32_t kind, mc_heap_wording wording, mc_text *text) {
    (void)reader;
    (void)wording;
    mc_text_append_string(text, made_kinds[kind].name);
}

static mc_heap_link_kind append_link(const void *reader, uint32_t kind, uint32_t slot,
                                     mc_heap_wording wording, mc_text *text) {
    append_kind(reader, kind, wording, text);
    mc_text_append_string(text, made_kinds[kind].links[slot]);
    if (made_kinds[kind].weak >> slot & 1) return MC_HEAP_LINK_WEAK;
    return MC_HEAP_LINK_FIELD;
}

static mc_result list_roles(const void *reader, mc_heap_role *roles, uint32_t *fields,
                            mc_error *failure) {
    (void)reader;
    (void)fields;
    (void)failure;
    roles[KIND_MAP] = (mc_heap_role){.may_be_structure = true, .inside = 1};
    roles[KIND_LIST] = (mc_heap_role){.may_be_structure = true, .is_array = true};
    return MC_OK;
}

static mc_result name_roots(const void *reader, const uint32_t *positions, size_t count,
                            uint32_t *names, mc_strings *strings, mc_error *failure) {
    (void)reader;
    (void)positions;
    for (size_t i = 0; i < count; i++) {
        names[i] = mc_strings_intern(strings, "main.sessions", 13);
        if (names[i] == MC_NONE) return mc_error_out_of_memory(failure);
    }
    return MC_OK;
}

static const mc_heap_words words = {.append_kind = append_kind,
                                    .append_link = append_link,
                                    .list_roles = list_roles,
                                    .name_roots = name_roots};

static bool is_weak(const made_heap *made, uint32_t object, uint32_t slot) {
    const mc_graph_kind *kind = &made_kinds[made->kinds[object]].graph;
    return kind->layout == MC_GRAPH_FIELDS && made_kinds[made->kinds[object]].weak >> slot & 1;
}

static bool is_edge(const made_heap *made, uint32_t object, uint32_t slot) {
    return made->edges[object][slot] != NONE && !is_weak(made, object, slot);
}

static mc_graph_entry get_entry(const made_heap *made, uint32_t object) {
    mc_graph_entry entry = {.kind = made->kinds[object], .size = made->sizes[object]};
    for (uint32_t i = 0; i < made->edge_counts[object]; i++) {
        if (!is_edge(made, object, i)) continue;
        if (i < 32) entry.mask |= 1u << i;
        entry.edge_count++;
    }
    return entry;
}

// Late roots are between the objects and the root.
static uint32_t get_vertex(const made_heap *made, uint32_t object) {
    return object == made->count ? object + MC_GRAPH_LATE_MAX : object;
}

static void put_object(const made_heap *made, mc_graph *graph, uint32_t object) {
    mc_graph_entry entry = get_entry(made, object);
    uint32_t *edges = mc_graph_put(graph, get_vertex(made, object), &entry), at = 0;
    bool is_by_slot = graph->kinds[entry.kind].packing == MC_GRAPH_PACKED_INDEXED;
    if (entry.edge_count == 0) return;
    REQUIRE(edges);
    for (uint32_t i = 0; i < made->edge_counts[object]; i++)
        if (is_edge(made, object, i))
            edges[is_by_slot ? i : at++] |= mc_graph_get_place(graph, made->edges[object][i]);
}

static bool add_weak(const made_heap *made, mc_heap *heap) {
    bool is_done = true;
    for (uint32_t i = 0; i < made->count; i++)
        for (uint32_t k = 0; k < made->edge_counts[i] && is_done; k++)
            if (made->edges[i][k] != NONE && is_weak(made, i, k))
                is_done = mc_heap_weak_edges_add(
                    &heap->weak,
                    (mc_heap_weak_edge){mc_graph_get_place(&heap->graph, i),
                                        mc_graph_get_place(&heap->graph, made->edges[i][k]), k});
    return is_done;
}

// The region into which a weak edge leads.
static uint32_t get_late(const made_heap *made, uint32_t object) {
    uint32_t kind = made->kinds[object];
    return kind == KIND_FINALIZER ? 1 : kind == KIND_SOFT_CACHE ? 2 : 0;
}

static mc_result add_late_roots(const made_heap *made, mc_graph *graph) {
    mc_result result = MC_OK;
    for (uint32_t region = 1; region <= MC_GRAPH_LATE_MAX && result == MC_OK; region++) {
        const uint32_t vertex = made->count + region - 1;
        mc_graph_late_edge edges[OBJECTS_MAX];
        uint32_t count = 0;
        for (uint32_t i = 0; i < made->count; i++)
            for (uint32_t k = 0; k < made->edge_counts[i] && get_late(made, i) == region; k++)
                if (made->edges[i][k] != NONE && is_weak(made, i, k))
                    edges[count++] = (mc_graph_late_edge){
                        mc_graph_get_place(graph, i), mc_graph_get_place(graph, made->edges[i][k])};
        mc_graph_entry entry = {.kind = KIND_LATE_ROOTS + region - 1, .edge_count = OBJECTS_MAX};
        REQUIRE(mc_graph_put(graph, vertex, &entry));
        result = mc_graph_add_late_root(graph, vertex, edges, count, &error);
    }
    return result;
}

static bool add_kinds(mc_heap *heap) {
    bool is_done = true;
    for (uint32_t i = 0; i < KINDS && is_done; i++) {
        uint32_t leaf = MC_NONE;
        mc_heap_key key = {NULL, 0};
        if (made_kinds[i].leaf != MC_NONE) {
            key.text = leaf_names[made_kinds[i].leaf];
            key.size = strlen(key.text);
            leaf = mc_heap_groups_find(heap->groups, &key);
            is_done = leaf != MC_NONE;
        }
        is_done = is_done && mc_heap_add_kind(heap, made_kinds[i].graph, leaf,
                                              i == KIND_SESSION ? 2 : MC_NONE) != MC_NONE;
    }
    return is_done;
}

static bool sum_leaves(const made_heap *made, mc_heap *heap) {
    mc_heap_leaves *leaves = &heap->leaves;
    leaves->count = mc_heap_groups_get_count(heap->groups);
    uint64_t *objects = mc_alloc_zero(LEAVES + 1, sizeof *objects);
    uint64_t *bytes = mc_alloc_zero(LEAVES + 1, sizeof *bytes);
    for (uint32_t i = 0; objects && bytes && i < made->count; i++) {
        objects[heap->kinds[made->kinds[i]].leaf]++;
        bytes[heap->kinds[made->kinds[i]].leaf] += made->sizes[i];
    }
    leaves->objects = objects;
    leaves->bytes = bytes;
    return objects && bytes;
}

static mc_result fill_graph(const made_heap *made, mc_heap *heap) {
    mc_graph *graph = &heap->graph;
    const uint32_t root = get_vertex(made, made->count);
    mc_result result = mc_graph_init(graph, root + 1, heap->graph_kinds, KINDS, &error);
    for (uint32_t i = made->count; i < root && result == MC_OK; i++)
        atomic_store(&graph->places[i], MC_GRAPH_HEAD + OBJECTS_MAX);
    for (uint32_t i = 0; i <= made->count && result == MC_OK; i++)
        atomic_store(
            &graph->places[get_vertex(made, i)],
            mc_graph_measure(&graph->kinds[made->kinds[i]], get_entry(made, i).edge_count));
    if (result == MC_OK) result = mc_graph_place(graph, 2, &error);
    for (uint32_t i = 0; i <= made->count && result == MC_OK; i++)
        put_object(made, graph, i);
    if (result == MC_OK && !add_weak(made, heap)) result = mc_error_out_of_memory(&error);
    if (result == MC_OK) result = add_late_roots(made, graph);
    return result == MC_OK ? mc_graph_set_root(graph, root, &error) : result;
}

static mc_result read_heap(const made_heap *made, mc_heap *heap) {
    static const char *const classifiers[] = {"What"};
    *heap = (mc_heap){.words = &words, .reader = made, .thread_count = 2};
    mc_result result = mc_heap_groups_create(classifiers, 1, &heap->groups, &error);
    if (result == MC_OK && (!add_kinds(heap) || !sum_leaves(made, heap)))
        result = mc_error_out_of_memory(&error);
    if (result == MC_OK) result = fill_graph(made, heap);
    heap->root_count = heap->lasting_root_count = made->edge_counts[made->count];
    if (result == MC_OK) result = mc_heap_link(heap, NULL, &error);
    return result == MC_OK ? mc_heap_list_groups(heap, &error) : result;
}

static void close_heap(mc_heap *heap) {
    const uint64_t *objects = heap->leaves.own_objects ? NULL : heap->leaves.objects;
    const uint64_t *bytes = heap->leaves.own_objects ? NULL : heap->leaves.bytes;
    mc_heap_deinit(heap);
    mc_free((void *)objects);
    mc_free((void *)bytes);
}

// ---- heaps at random

static uint32_t draw(uint64_t *state, uint32_t count) {
    return (uint32_t)(mc_hash_u64(++*state, 5) % count);
}

static void make_heap(made_heap *made, uint64_t state) {
    made->count = 1 + draw(&state, OBJECTS_MAX - 1);
    for (uint32_t i = 0; i <= made->count; i++) {
        uint32_t kind =
            i == made->count ? KIND_ROOT : KIND_SESSION + draw(&state, KINDS - KIND_SESSION);
        const mc_graph_kind *graph = &made_kinds[kind].graph;
        bool is_list = graph->layout == MC_GRAPH_LIST && kind != KIND_BYTES;
        made->kinds[i] = kind;
        made->sizes[i] = graph->size != MC_GRAPH_VARIES ? graph->size : 8 + draw(&state, 300);
        made->edge_counts[i] = is_list ? 1 + draw(&state, EDGES_MAX) : graph->slot_count;
        for (uint32_t k = 0; k < made->edge_counts[i]; k++)
            made->edges[i][k] = !is_list && draw(&state, 3) == 0 ? NONE : draw(&state, made->count);
    }
}

// ---- slow references

// The region of each object: the first from which it can be reached. Weak edges from there or an
// earlier one may lead into it. MC_NONE: none.
static void find_regions(const made_heap *made, uint32_t *regions) {
    memset(regions, 0xff, (OBJECTS_MAX + 1) * sizeof *regions);
    regions[made->count] = 0;
    for (bool has_news = true; has_news;) {
        has_news = false;
        for (uint32_t i = 0; i <= made->count; i++)
            for (uint32_t k = 0; regions[i] != MC_NONE && k < made->edge_counts[i]; k++) {
                uint32_t target = made->edges[i][k], region = regions[i];
                if (is_weak(made, i, k)) region = get_late(made, i);
                if (target == NONE || region < regions[i] || region >= regions[target] ||
                    (is_weak(made, i, k) && region == 0))
                    continue;
                regions[target] = region;
                has_news = true;
            }
    }
}

// What the roots reach without some objects. What is kept by a late root needs no one else.
static void reach(const made_heap *made, const bool *is_gone, bool *is_reached) {
    uint32_t regions[OBJECTS_MAX + 1];
    find_regions(made, regions);
    memset(is_reached, 0, OBJECTS_MAX + 1);
    is_reached[made->count] = true;
    for (bool has_news = true; has_news;) {
        has_news = false;
        for (uint32_t i = 0; i <= made->count; i++)
            for (uint32_t k = 0; regions[i] != MC_NONE && k < made->edge_counts[i]; k++) {
                uint32_t target = made->edges[i][k];
                if (target == NONE || is_gone[target] || is_reached[target]) continue;
                bool is_there = is_weak(made, i, k)
                                    ? get_late(made, i) > 0 && regions[i] <= get_late(made, i) &&
                                          regions[target] == get_late(made, i)
                                    : is_reached[i] && regions[i] == regions[target];
                if (is_there) is_reached[target] = has_news = true;
            }
    }
}

static uint32_t get_leaf(const mc_heap *heap, const made_heap *made, uint32_t object) {
    return heap->kinds[made->kinds[object]].leaf;
}

static mc_group_sum sum_lost(const made_heap *made, const bool *before, const bool *after) {
    mc_group_sum sum = {0, 0};
    for (uint32_t i = 0; i < made->count; i++)
        if (before[i] && !after[i]) sum.count++, sum.size += made->sizes[i];
    return sum;
}

// Of a leaf: what goes without all of its objects, and what each of them keeps by itself.
static void measure_leaf(const mc_heap *heap, const made_heap *made, uint32_t leaf,
                         mc_group_sum *freed, mc_group_sum *retained) {
    bool none[OBJECTS_MAX + 1] = {false}, gone[OBJECTS_MAX + 1] = {false};
    bool all[OBJECTS_MAX + 1], left[OBJECTS_MAX + 1], rest[OBJECTS_MAX + 1];
    reach(made, none, all);
    memcpy(rest, all, sizeof rest);
    for (uint32_t i = 0; i < made->count; i++) {
        if (get_leaf(heap, made, i) != leaf) continue;
        gone[i] = none[i] = true;
        reach(made, none, left);
        none[i] = false;
        for (uint32_t k = 0; k < made->count; k++)
            rest[k] = rest[k] && left[k];
    }
    *retained = sum_lost(made, all, rest);
    reach(made, gone, left);
    *freed = sum_lost(made, all, left);
}

// ---- what one object of a leaf retains

// The owner whose object each is: of those without which it is not reached, the one that all others
// dominate, too. OBJECTS_MAX: nobody's.
static uint32_t find_owner(const made_heap *made, const bool *is_owner, const bool *is_reached,
                           bool lost[OBJECTS_MAX + 1][OBJECTS_MAX + 1], uint32_t object) {
    uint32_t found = OBJECTS_MAX;
    if (is_owner[object]) return object;
    for (uint32_t i = 0; i < made->count; i++)
        if (is_owner[i] && is_reached[i] && lost[i][object] &&
            (found == OBJECTS_MAX || lost[found][i]))
            found = i;
    return found;
}

static int compare_numbers(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static void check_part(const made_heap *made, const mc_heap *heap, uint32_t leaf,
                       const uint32_t *owner_of, const bool *is_owner_reached,
                       const mc_heap_content *content) {
    uint64_t counts[OBJECTS_MAX] = {0}, sorted[OBJECTS_MAX], objects = 0, bytes = 0;
    uint32_t group = mc_heap_groups_get_group(heap->groups, leaf), count = 0;
    const mc_heap_content_part *part = NULL;
    for (uint32_t i = 0; i < made->count; i++) {
        if (get_leaf(heap, made, i) != leaf || owner_of[i] == OBJECTS_MAX) continue;
        counts[owner_of[i]]++;
        objects++;
        bytes += made->sizes[i];
    }
    for (uint32_t i = 0; i < made->count; i++)
        if (is_owner_reached[i]) sorted[count++] = counts[i];
    for (uint32_t i = 0; i < content->part_count; i++)
        if (content->parts[i].group == group) part = &content->parts[i];
    CHECK((objects > 0) == (part != NULL));
    if (!part) return;
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    CHECK(part->objects == objects && part->bytes == bytes && part->least == sorted[0] &&
          part->median == sorted[count / 2] && part->most == sorted[count - 1]);
}

static void check_content(const mc_heap *heap, const made_heap *made, uint32_t leaf) {
    bool none[OBJECTS_MAX + 1] = {false}, all[OBJECTS_MAX + 1], left[OBJECTS_MAX + 1];
    bool lost[OBJECTS_MAX + 1][OBJECTS_MAX + 1] = {{false}}, is_owner[OBJECTS_MAX + 1] = {false};
    bool is_owner_reached[OBJECTS_MAX + 1] = {false}, flags[LEAVES + 1] = {false};
    uint32_t owner_of[OBJECTS_MAX], owner_count = 0;
    uint64_t bytes = 0;
    reach(made, none, all);
    for (uint32_t i = 0; i < made->count; i++) {
        is_owner[i] = get_leaf(heap, made, i) == leaf;
        is_owner_reached[i] = is_owner[i] && all[i];
        owner_count += is_owner_reached[i];
        none[i] = true;
        reach(made, none, left);
        none[i] = false;
        for (uint32_t k = 0; k < made->count; k++)
            lost[i][k] = all[k] && !left[k];
    }
    for (uint32_t i = 0; i < made->count; i++) {
        owner_of[i] = all[i] ? find_owner(made, is_owner, all, lost, i) : OBJECTS_MAX;
        if (owner_of[i] != OBJECTS_MAX) bytes += made->sizes[i];
    }
    mc_heap_content content;
    flags[mc_heap_groups_get_group(heap->groups, leaf)] = true;
    REQUIRE(mc_heap_content_find(heap, flags, &content, &error) == MC_OK);
    CHECK(content.owner_count == owner_count && content.bytes == bytes);
    for (uint32_t other = 0; other < heap->leaves.count; other++)
        check_part(made, heap, other, owner_of, is_owner_reached, &content);
    mc_heap_content_deinit(&content);
}

static void check_sums(const mc_heap *heap, const made_heap *made) {
    mc_group_sum retained[LEAVES + 1], freed[LEAVES + 1], slow_freed, slow_retained;
    REQUIRE(mc_heap_retain(heap, retained, &error) == MC_OK);
    for (uint32_t leaf = 0; leaf < heap->leaves.count; leaf++) {
        uint32_t group = mc_heap_groups_get_group(heap->groups, leaf);
        bool is_gone[LEAVES + 1] = {false};
        mc_paths paths;
        measure_leaf(heap, made, leaf, &slow_freed, &slow_retained);
        CHECK(retained[group].count == slow_retained.count &&
              retained[group].size == slow_retained.size);
        check_content(heap, made, leaf);
        is_gone[group] = true;
        REQUIRE(mc_heap_demolish(heap, is_gone, NULL, 0, freed, &error) == MC_OK);
        CHECK(freed[0].count == slow_freed.count && freed[0].size == slow_freed.size);
        REQUIRE(mc_heap_find_paths(heap, is_gone, &paths, &error) == MC_OK);
        CHECK(paths.nodes[0].whole.size == slow_retained.size);
        mc_paths_deinit(&paths);
    }
}

static void check_regions(const mc_heap *heap, const made_heap *made) {
    uint32_t regions[OBJECTS_MAX + 1], unreached = 0;
    mc_group_sum sums[MC_HEAP_REGION_COUNT] = {{0, 0}};
    find_regions(made, regions);
    uint32_t at = MC_GRAPH_HEAD;
    for (uint32_t i = 0; i < made->count; i++, at = mc_graph_skip(&heap->graph, at)) {
        uint32_t number = mc_graph_get_number(&heap->graph, at);
        CHECK((number >= heap->tree.reachable) == (regions[i] == MC_NONE));
        unreached += regions[i] == MC_NONE;
        if (regions[i] == MC_NONE) continue;
        CHECK(mc_heap_get_region(heap, number) == (mc_heap_region)regions[i]);
        sums[regions[i]].count++;
        sums[regions[i]].size += made->sizes[i];
    }
    CHECK(mc_heap_count_unreached(heap) == unreached);
    for (uint32_t i = 0; i < MC_HEAP_REGION_COUNT; i++) {
        mc_group_sum sum = mc_heap_sum_region(heap, (mc_heap_region)i);
        CHECK(sum.count == sums[i].count && sum.size == sums[i].size);
    }
}

// How many references by one link there are between two leaves, and how many objects are involved.
static void check_references(mc_heap *heap, const made_heap *made) {
    mc_heap_references references = {0};
    uint64_t strong[LEAVES][LEAVES] = {{0}}, fields = 0, counted = 0;
    for (uint32_t i = 0; i < made->count; i++)
        for (uint32_t k = 0; k < made->edge_counts[i]; k++) {
            uint32_t target = made->edges[i][k];
            if (target == NONE) continue;
            fields++;
            if (made->kinds[i] != KIND_SESSION || k != 2) counted++;
        }
    for (uint32_t to = 0; to < made->count; to++)
        for (uint32_t leaf = 0; leaf < heap->leaves.count; leaf++) {
            bool is_there = false;
            for (uint32_t i = 0; i < made->count; i++)
                for (uint32_t k = 0; get_leaf(heap, made, i) == leaf && k < made->edge_counts[i];
                     k++)
                    is_there |=
                        made->edges[i][k] == to && (made->kinds[i] != KIND_SESSION || k != 2);
            strong[leaf][get_leaf(heap, made, to)] += is_there;
        }
    REQUIRE(mc_heap_count_references(heap, &references, &error) == MC_OK);
    CHECK(references.report.count == counted);
    for (size_t i = 0; i < references.fields.count; i++)
        fields -= references.fields.slots[i].points_to;
    CHECK(fields == 0);
    for (size_t i = 0; i < references.pairs.count; i++) {
        const mc_heap_pair *pair = &references.pairs.slots[i];
        CHECK(pair->points_to == strong[pair->key >> 32][(uint32_t)pair->key]);
        strong[pair->key >> 32][(uint32_t)pair->key] = 0;
    }
    for (uint32_t i = 0; i < LEAVES * LEAVES; i++)
        CHECK(strong[i / LEAVES][i % LEAVES] == 0);
    mc_heap_references_deinit(&references);
}

static void test_random(void) {
    made_heap made;
    for (uint64_t seed = 0; seed < 600; seed++) {
        mc_heap heap;
        make_heap(&made, seed << 16);
        REQUIRE(read_heap(&made, &heap) == MC_OK);
        check_regions(&heap, &made);
        check_sums(&heap, &made);
        check_references(&heap, &made); // which overwrites numbers
        close_heap(&heap);
    }
}

// ---- one by hand

// root -> Map -> list -> three sessions, each -> a cell -> bytes; the last two share theirs.
// Nothing but a weak edge leads to object 9.
static const made_heap shop = {
    .count = 10,
    .kinds = {KIND_MAP, KIND_LIST, KIND_SESSION, KIND_SESSION, KIND_SESSION, KIND_CELL, KIND_CELL,
              KIND_BYTES, KIND_BYTES, KIND_BYTES, KIND_ROOT},
    .edge_counts = {1, 3, 3, 3, 3, 2, 2, 0, 0, 0, 1},
    .edges = {{1},
              {2, 3, 4},
              {5, 9, NONE},
              {6, NONE, NONE},
              {6, NONE, NONE},
              {7, 0},
              {8, NONE},
              {0},
              {0},
              {0},
              {0}},
    .sizes = {32, 40, 24, 24, 24, 16, 16, 100, 200, 400},
};

static uint32_t find_group(const mc_heap *heap, const char *key) {
    return mc_heap_groups_find_key(heap->groups, key, strlen(key));
}

static void test_names(void) {
    static const char *const expected[] = {"root",
                                           "Map",
                                           "Map.table -> Array",
                                           "Array[] -> Session",
                                           "Session.user -> 16 bytes, 2 pointers",
                                           "16 bytes, 2 pointers+0 -> (no pointers)"};
    mc_heap heap;
    mc_paths paths;
    mc_text text = {0};
    bool is_target[LEAVES + 1] = {false};
    mc_group_sum retained[LEAVES + 1];
    REQUIRE(read_heap(&shop, &heap) == MC_OK);
    CHECK(mc_heap_count_unreached(&heap) == 1);
    is_target[find_group(&heap, "Heap#rest")] = true;
    REQUIRE(mc_heap_find_paths(&heap, is_target, &paths, &error) == MC_OK);
    CHECK(paths.count == 6);
    for (uint32_t i = 0; i < paths.count && i < 6; i++) {
        mc_text_clear(&text);
        test_append_path_node(&heap, &paths, i, &text);
        CHECK_MSG(strcmp(text.data, expected[i]) == 0, "%s", text.data);
    }
    CHECK(paths.nodes[0].whole.count == 4 && paths.nodes[0].whole.size == 332);
    REQUIRE(mc_heap_retain(&heap, retained, &error) == MC_OK);
    CHECK(retained[find_group(&heap, "Heap#objects")].size == 476); // but for the weakly held one
    CHECK(retained[find_group(&heap, "Heap#arrays")].size == 40 + 72 + 332);
    mc_paths_deinit(&paths);
    mc_text_deinit(&text);
    close_heap(&heap);
}

static void test_structures(void) {
    static const char *const classifiers[] = {"Data Structure", "What"};
    static const char key[] = "Heap#Map in main.sessions";
    mc_heap heap;
    mc_heap_groups *groups;
    mc_group_sum retained[16];
    REQUIRE(read_heap(&shop, &heap) == MC_OK);
    const void *columns[] = {heap.leaves.objects, heap.leaves.bytes};
    mc_free(heap.group_of);
    heap.group_of = NULL;
    REQUIRE(mc_heap_groups_create(classifiers, 2, &groups, &error) == MC_OK);
    REQUIRE(mc_heap_divide(&heap, groups, 0, &error) == MC_OK);
    mc_free((void *)columns[0]);
    mc_free((void *)columns[1]);
    REQUIRE(mc_heap_groups_get_group_count(heap.groups) <= 16);
    REQUIRE(find_group(&heap, key) != MC_NONE && find_group(&heap, "Heap#(none)#rest") != MC_NONE);
    REQUIRE(mc_heap_retain(&heap, retained, &error) == MC_OK);
    CHECK(retained[find_group(&heap, key)].count == 9 &&
          retained[find_group(&heap, key)].size == 476);
    REQUIRE(mc_heap_list_leaves(&heap, &error) == MC_OK);
    for (uint32_t i = 0; i < shop.count; i++)
        CHECK((heap.leaves.of[i] == heap.leaves.of[9]) == (i == 9));
    CHECK(heap.leaves.of[7] == heap.leaves.of[8] && heap.leaves.of[2] == heap.leaves.of[4]);
    close_heap(&heap);
}

// ---- a step

static mc_result fill_step(mc_step_tree *tree, mc_step_referrers *referrers, mc_step_paths *paths) {
    mc_heap heap;
    uint32_t nodes[LEAVES + 1];
    mc_heap_references references = {0};
    mc_heap_leaf_roots roots = {0};
    mc_reference_map maps[2] = {{0}, {0}};
    mc_heap_step step = {&maps[0], &maps[1], referrers};
    mc_result result = read_heap(&shop, &heap);
    if (result == MC_OK)
        result = mc_heap_groups_fill_tree(heap.groups, heap.leaves.objects, heap.leaves.bytes, NULL,
                                          tree, nodes, &error);
    if (result == MC_OK) result = mc_heap_add_retained(&heap, nodes, tree, &error);
    if (result == MC_OK) result = mc_heap_add_paths(&heap, nodes, paths, &error);
    if (result == MC_OK) result = mc_heap_count_references(&heap, &references, &error);
    if (result == MC_OK)
        result = mc_heap_add_references(&heap, &references, &roots, nodes, &step, &error);
    if (result == MC_OK) CHECK(maps[0].entry_count == maps[1].entry_count);
    mc_heap_references_deinit(&references);
    mc_heap_leaf_roots_deinit(&roots);
    mc_reference_map_deinit(&maps[0]);
    mc_reference_map_deinit(&maps[1]);
    close_heap(&heap);
    return result;
}

static void check_step(const mc_step_tree *tree, const mc_step_referrers *referrers,
                       const mc_step_paths *paths) {
    uint32_t weak_count = 0;
    CHECK(tree->node_count == 4 && tree->nodes[0].objects == 10 && tree->nodes[0].bytes == 876);
    CHECK(mc_step_tree_get_value(tree, 0, 0) == 476);
    for (size_t i = 0; i < referrers->field_count; i++) {
        const char *name = mc_strings_get(&referrers->names, referrers->fields[i].name, NULL);
        CHECK(!referrers->fields[i].is_weak || strcmp(name, "Session.weak_owner") == 0 ||
              strcmp(name, "16 bytes, 2 pointers+8 (ephemeron)") == 0);
        weak_count += referrers->fields[i].is_weak;
    }
    CHECK(weak_count == 2);
    CHECK(paths->path_count == 5);
}

// With less and less memory, too.
static void test_step(void) {
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t count = 0; result != MC_OK; count++) {
        mc_step_tree tree = {0};
        mc_step_referrers referrers = {0};
        mc_step_paths paths = {0};
        REQUIRE(count < 1000);
        mc_memory_fail_after(count);
        result = fill_step(&tree, &referrers, &paths);
        mc_memory_fail_after(UINT64_MAX);
        REQUIRE(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
        if (result == MC_OK) check_step(&tree, &referrers, &paths);
        mc_step_tree_deinit(&tree);
        mc_step_referrers_deinit(&referrers);
        mc_step_paths_deinit(&paths);
    }
}

int main(void) {
    test_random();
    test_names();
    test_structures();
    test_step();
    return test_finish();
}
