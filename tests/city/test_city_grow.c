// A city of a trace that grows: room to grow, and nodes that get other numbers.
#include "engine/base/memory.h"
#include "engine/city/city.h"
#include "engine/city/city_layout.h"
#include "engine/import/import.h"
#include "tests/trace_maker.h"
#include <dirent.h>
#include <stdlib.h>

static mc_error error;

static mc_city *create(const mc_trace *trace, double headroom) {
    mc_city_desc desc = mc_city_desc_default(trace);
    mc_city *city = NULL;
    desc.headroom = headroom;
    desc.metric = MC_METRIC_OBJECTS;
    REQUIRE(mc_city_create(trace, &desc, NULL, &city, &error) == MC_OK);
    return city;
}

static const test_leaf small[] = {
    {"a", "x", {100, 1000}}, {"a", "y", {1, 1}}, {"b", "z", {50, 300}}, {"b", "w", {7, 0}}};
// As above, but a little larger where there is room.
static const test_leaf grown[] = {
    {"a", "x", {100, 1005}}, {"a", "y", {1, 1}}, {"b", "z", {50, 310}}, {"b", "w", {7, 0}}};

static void test_headroom(void) {
    mc_trace *before = test_make_trace(small, 4, 2), *after = test_make_trace(grown, 4, 2);
    mc_city *city = create(before, 0.25), *next = create(after, 0.25), *exact = create(before, 0);
    REQUIRE(city->building_count == 4 && next->building_count == 4);
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t max = exact->building_max[exact->node_building[city->building_node[i]]];
        CHECK(city->building_max[i] >= max &&
              (double)city->building_max[i] <= (double)max * 1.25 + 1);
        CHECK(city->building_first[i] ==
              exact->building_first[exact->node_building[city->building_node[i]]]);
        // Nothing moves while there is room.
        CHECK(memcmp(&city->building_plot[i], &next->building_plot[i], sizeof(mc_plot)) == 0);
    }
    CHECK(exact->building_max[exact->node_building[test_find(before, "Heap#a#x")]] == 1000);
    mc_city_destroy(city);
    mc_city_destroy(next);
    mc_city_destroy(exact);
    mc_trace_destroy(before);
    mc_trace_destroy(after);
}

static void test_renumber(void) {
    static const test_leaf more[] = {{"a", "x", {100, 1000}}, {"a", "xx", {0, 5}},
                                     {"a", "y", {1, 1}},      {"aa", "new", {0, 9}},
                                     {"b", "z", {50, 300}},   {"b", "w", {7, 0}}};
    mc_trace *before = test_make_trace(small, 4, 2), *after = test_make_trace(more, 6, 2);
    mc_city *city = create(before, 0), *was = create(before, 0);
    uint32_t count = mc_trace_get_nodes(before)->count;
    uint32_t *map = mc_alloc(count, sizeof *map);
    REQUIRE(map);
    for (uint32_t i = 0; i < count; i++) {
        mc_text key = {0};
        mc_trace_append_full_key(before, i, &key);
        map[i] = mc_trace_find_node(after, key.data, key.size);
        REQUIRE(map[i] != MC_NONE);
        mc_text_deinit(&key);
    }
    mc_memory_fail_after(0);
    CHECK(mc_city_renumber(city, map, count, mc_trace_get_nodes(after)->count, &error) ==
          MC_ERROR_OUT_OF_MEMORY);
    mc_memory_fail_after(UINT64_MAX);
    CHECK(city->node_count == count);
    CHECK(mc_city_renumber(city, map, count, mc_trace_get_nodes(after)->count, &error) == MC_OK);
    CHECK(city->node_count == mc_trace_get_nodes(after)->count);
    for (uint32_t i = 0; i < count; i++) {
        mc_structure a = mc_city_find_node(was, i), b = mc_city_find_node(city, map[i]);
        CHECK(a.building == b.building && a.district == b.district);
    }
    mc_structure none = mc_city_find_node(city, test_find(after, "Heap#aa#new"));
    CHECK(none.building == MC_NONE && none.district == MC_NONE);
    CHECK(city->building_node[city->node_building[test_find(after, "Heap#b#z")]] ==
          test_find(after, "Heap#b#z"));
    mc_free(map);
    mc_city_destroy(city);
    mc_city_destroy(was);
    mc_trace_destroy(before);
    mc_trace_destroy(after);
}

// ---- step by step

enum { STEP_COUNT = 32 };

// Leaves that rest, that grow, that fall, that come late and that come and go, in a chain of steps.
static void make_leaves(test_leaf *leaves, uint32_t *count) {
    static char names[16][12];
    *count = 16;
    for (uint32_t i = 0; i < *count; i++) {
        snprintf(names[i], sizeof names[i], "n%u", i);
        leaves[i] = (test_leaf){i < 5 ? "a" : "b", names[i], {0}};
        for (uint32_t step = 0; step < STEP_COUNT; step++) {
            uint64_t values[] = {100 + i, 1000 + 3 * i + step / 8 * i, 50 - step,
                                 step < 25 ? 0 : 7 + i, step % 5 == 2 ? 0 : 3 + step % 2};
            leaves[i].objects[step] = values[i % 5];
        }
    }
}

static void check_same(const mc_city *a, const mc_city *b) {
    uint32_t buildings = a->building_count, districts = a->district_count;
    REQUIRE(buildings == b->building_count && districts == b->district_count);
    REQUIRE(a->node_count == b->node_count);
#define CHECK_COLUMN(name, count) \
    CHECK_MSG(memcmp(a->name, b->name, (count) * sizeof *a->name) == 0, "%s", #name)
    CHECK_COLUMN(building_node, buildings);
    CHECK_COLUMN(building_plot, buildings);
    CHECK_COLUMN(building_base, buildings);
    CHECK_COLUMN(building_max, buildings);
    CHECK_COLUMN(building_first, buildings);
    CHECK_COLUMN(building_growth_rank, buildings);
    CHECK_COLUMN(building_district, buildings);
    CHECK_COLUMN(district_node, districts);
    CHECK_COLUMN(district_plot, districts);
    CHECK_COLUMN(district_top, districts);
    CHECK_COLUMN(district_building_count, districts);
    CHECK_COLUMN(district_item_first, districts);
    CHECK_COLUMN(items, buildings + districts - 1);
    CHECK_COLUMN(node_building, a->node_count);
    CHECK_COLUMN(node_district, a->node_count);
    CHECK_COLUMN(leaf_room, a->node_count);
#undef CHECK_COLUMN
    CHECK(a->largest_growth == b->largest_growth && a->highest_top == b->highest_top);
    CHECK(a->hidden_leaf_count == b->hidden_leaf_count && a->hidden_share == b->hidden_share);
}

// From step to step, from the city of the step before or all at once: the same city, and one plan
// unless something outgrows it. `root`: of one district.
static void test_next(const char *root, uint32_t child_limit, uint32_t first_step) {
    test_leaf leaves[16];
    uint32_t count, shared = 0, moved = 0;
    make_leaves(leaves, &count);
    mc_trace *trace = test_make_trace(leaves, count, STEP_COUNT);
    mc_city_desc desc = mc_city_desc_default(trace);
    mc_city *city = NULL;
    desc.metric = MC_METRIC_OBJECTS;
    desc.headroom = 0.25;
    desc.child_limit = child_limit;
    desc.root_node = root ? test_find(trace, root) : 0;
    desc.keeps_shape = false; // which is that of the first one
    for (uint32_t step = first_step + 1; step < STEP_COUNT; step += 1 + step % 2) {
        mc_city *next, *anew;
        desc.window = (mc_step_range){first_step, step};
        REQUIRE(mc_city_create_next(city, trace, &desc, NULL, &next, &error) == MC_OK);
        REQUIRE(mc_city_create(trace, &desc, NULL, &anew, &error) == MC_OK);
        check_same(next, anew);
        bool shares = city && mc_city_shares_plan(city, next);
        if (city)
            CHECK(shares == (memcmp(city->leaf_room, next->leaf_room,
                                    city->node_count * sizeof *city->leaf_room) == 0));
        shared += shares;
        moved += city && !shares;
        mc_city_destroy(city); // what it shared stays
        mc_city_destroy(anew);
        city = next;
    }
    CHECK_MSG(shared > 5 && moved > 0, "%u shared, %u moved", shared, moved);
    // Of other settings nothing is taken over.
    mc_city *other;
    desc.scaling = MC_SCALING_SQRT;
    REQUIRE(mc_city_create_next(city, trace, &desc, NULL, &other, &error) == MC_OK);
    CHECK(!mc_city_shares_plan(city, other));
    mc_city_destroy(other);
    mc_city_destroy(city);
    mc_trace_destroy(trace);
}

// The ground of a district that grows is always the same, though its plot in the whole city is not.
static void test_shape_stays(void) {
    test_leaf leaves[16];
    uint32_t count, other_shapes = 0;
    make_leaves(leaves, &count);
    mc_trace *trace = test_make_trace(leaves, count, STEP_COUNT);
    mc_city_desc desc = mc_city_desc_default(trace);
    mc_city *city = NULL;
    desc.metric = MC_METRIC_OBJECTS;
    desc.headroom = 0.25;
    desc.root_node = test_find(trace, "Heap#b");
    for (uint32_t step = 1; step < STEP_COUNT; step++) {
        mc_city *next, *anew;
        desc.window = (mc_step_range){0, step};
        REQUIRE(mc_city_create_next(city, trace, &desc, NULL, &next, &error) == MC_OK);
        REQUIRE(mc_city_create(trace, &desc, NULL, &anew, &error) == MC_OK);
        CHECK(!city || (city->width == next->width && city->depth == next->depth));
        other_shapes += anew->width != next->width;
        mc_city_destroy(city);
        mc_city_destroy(anew);
        city = next;
    }
    CHECK(city->width != city->depth && other_shapes > 0);
    mc_city_destroy(city);
    mc_trace_destroy(trace);
}

// One of two cities of a plan gets other numbers; the other one keeps its own. Memory may end.
static void test_unshare(void) {
    mc_trace *trace = test_make_trace(small, 4, 2);
    mc_city *city = create(trace, 0.25), *next = NULL, *was = create(trace, 0.25);
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != MC_OK; n++) {
        mc_memory_fail_after(n);
        result = mc_city_create_next(city, trace, &city->desc, NULL, &next, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK || (result == MC_ERROR_OUT_OF_MEMORY && !next));
    }
    CHECK(mc_city_shares_plan(city, next));
    uint32_t map[16], count = city->node_count;
    for (uint32_t i = 0; i < count; i++)
        map[i] = count - i;
    result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != MC_OK; n++) {
        mc_memory_fail_after(n);
        result = mc_city_renumber(next, map, count, count + 1, &error);
        mc_memory_fail_after(UINT64_MAX);
        if (result != MC_OK) check_same(next, was);
    }
    check_same(city, was);
    CHECK(next->building_node[0] == count - city->building_node[0]);
    CHECK(!mc_city_shares_plan(city, next));
    mc_city_destroy(city);
    mc_city_destroy(next);
    mc_city_destroy(was);
    mc_trace_destroy(trace);
}

// ---- a recorded run, as it grew

#define RECORDING MC_TEST_BINARY_DIR "/traces/httpclient-3.0.1/anttracks-format"
enum { MOST_FILES = 64, HEADROOM_PERCENT = 25 };

typedef struct recording {
    char *paths[MOST_FILES];
    uint32_t count;
} recording;

static int compare_paths(const void *a, const void *b) { // files bear their times
    const char *x = strrchr(*(char *const *)a, '/') + 1, *y = strrchr(*(char *const *)b, '/') + 1;
    long long left = atoll(x), right = atoll(y);
    return (left > right) - (left < right);
}

static recording list_files(void) {
    recording files = {.count = 0};
    DIR *folder = opendir(RECORDING);
    REQUIRE(folder);
    for (struct dirent *entry; (entry = readdir(folder)) && files.count < MOST_FILES;) {
        if (entry->d_name[0] == '.') continue;
        mc_text path = {0};
        mc_text_format(&path, "%s/%s", RECORDING, entry->d_name);
        REQUIRE(!path.failed);
        files.paths[files.count++] = path.data;
    }
    closedir(folder);
    qsort(files.paths, files.count, sizeof *files.paths, compare_paths);
    return files;
}

static mc_trace *import(const recording *files, uint32_t count) {
    mc_import_desc desc = {.paths = (const char *const *)files->paths, .path_count = count};
    mc_import_report report = {0};
    mc_trace *trace = NULL;
    REQUIRE(mc_import_trace(&desc, &trace, &report, &error) == MC_OK);
    return trace;
}

// The building of the same group in another trace's city; MC_NONE: it has none.
static uint32_t find_same(const mc_trace *trace, const mc_city *city, uint32_t building,
                          const mc_trace *other_trace, const mc_city *other) {
    mc_text key = {0};
    mc_trace_append_full_key(trace, city->building_node[building], &key);
    uint32_t node = mc_trace_find_node(other_trace, key.data, key.size);
    mc_text_deinit(&key);
    return node == MC_NONE ? MC_NONE : other->node_building[node];
}

// Whether all that stands in `next` has had a place, and room in it, before; and whether any plot
// is another one.
static bool has_room(const mc_trace *trace, const mc_city *city, const mc_trace *next_trace,
                     const mc_city *next, bool *moves) {
    bool fits = next->building_count == city->building_count;
    *moves = !fits;
    for (uint32_t i = 0; i < next->building_count; i++) {
        uint32_t before = find_same(next_trace, next, i, trace, city);
        fits = fits && before != MC_NONE && next->building_max[i] == city->building_max[before];
        if (before == MC_NONE) continue;
        *moves = *moves || memcmp(&next->building_plot[i], &city->building_plot[before],
                                  sizeof(mc_plot)) != 0;
    }
    return fits;
}

// Step by step, plots stay where they are unless one of them overflows or a new group comes, though
// many groups grow in each of these steps.
static void test_recording(void) {
    recording files = list_files();
    REQUIRE(files.count > 20);
    mc_trace *trace = import(&files, 1);
    mc_city *city = create(trace, HEADROOM_PERCENT / 100.0);
    uint32_t rests = 0;
    for (uint32_t count = 2; count <= files.count; count++) {
        mc_trace *next_trace = import(&files, count);
        mc_city *next = create(next_trace, HEADROOM_PERCENT / 100.0);
        bool moves, fits = has_room(trace, city, next_trace, next, &moves);
        CHECK_MSG(!fits || !moves, "plots move at step %u, and none has to", count - 1);
        rests += !moves;
        mc_city_destroy(city);
        mc_trace_destroy(trace);
        city = next;
        trace = next_trace;
    }
    CHECK_MSG(rests > 0, "in none of %u steps all plots stay", files.count);
    mc_city_destroy(city);
    mc_trace_destroy(trace);
    for (uint32_t i = 0; i < files.count; i++)
        mc_free(files.paths[i]);
}

int main(void) {
    test_recording();
    test_headroom();
    test_renumber();
    test_next(NULL, 0, 0);
    test_next(NULL, 4, 2);
    test_next("Heap#b", 0, 0);
    test_shape_stays();
    test_unshare();
    return test_finish();
}
