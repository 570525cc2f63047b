// Merged traces hold what their parts do, to the last value, name and reference; also where groups
// cross blocks and steps the interval of those in full. Spools, cancelling, memory that runs out,
// and files that say wrong things of what is held. What comes of merging as a whole, in all
// alignments, is compared with another program in test_merge_cli.sh.
#include "engine/base/memory.h"
#include "engine/store/mct/mct_file.h"
#include "engine/store/merge/merge.h"
#include "engine/store/merge/spool.h"
#include "tests/odd_trace.h"
#include "tests/trace_equal.h"
#include <unistd.h>

enum { PART_COUNT = 3, NAME_SIZE = 80 };

static char folder[] = "/tmp/memcity-merge-XXXXXX";
static char paths[PART_COUNT + 1][NAME_SIZE], names[PART_COUNT][NAME_SIZE]; // the last: merged
static mc_error error;

// ---- parts

static void write_odd_part(uint32_t part, uint64_t seed, mc_key_kind kind) {
    static odd_trace odd;
    static mc_step_tree tree;
    static mc_reference_map map;
    static mc_step_referrers referrers;
    static mc_step_paths held;
    static mc_step_owners owners;
    bool present[ODD_NODE_COUNT];
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = paths[part], .sync = MC_MCT_SYNC_NEVER};
    unlink(paths[part]);
    REQUIRE(mc_mct_writer_create(&desc, &writer, NULL) == MC_OK);
    odd_init(&odd, seed, kind, 6);
    for (uint32_t step = 0; step < 6; step++) {
        odd_fill_tree(&odd, step, &tree, present);
        if (mc_mct_writer_add_step(writer, &tree, "odd", NULL) != MC_OK) continue;
        if (odd_has_referrers(step)) {
            odd_fill_referrers(&odd, &tree, &referrers);
            REQUIRE(mc_mct_writer_add_referrers(writer, &referrers, NULL) == MC_OK);
            odd_fill_paths(&odd, &tree, &held);
            REQUIRE(mc_mct_writer_add_paths(writer, &held, NULL) == MC_OK);
            odd_trace other = odd; // all else is as it was without owners
            odd_fill_owners(&other, &tree, &owners);
            REQUIRE(mc_mct_writer_add_owners(writer, &owners, NULL) == MC_OK);
        }
        for (int i = 0; i < 2; i++) {
            if (!odd_has_direction(step, i)) continue;
            odd_fill_map(&odd, &tree, present, &map);
            (void)mc_mct_writer_add_references(writer, &map, (mc_reference_direction)i, NULL);
        }
    }
    REQUIRE(mc_mct_writer_finish(writer, NULL) == MC_OK);
    mc_mct_writer_destroy(writer);
    mc_step_tree_deinit(&tree);
    mc_reference_map_deinit(&map);
    mc_step_referrers_deinit(&referrers);
    mc_step_paths_deinit(&held);
    mc_step_owners_deinit(&owners);
}

static uint32_t add_node(mc_step_tree *tree, uint32_t parent, const char *key) {
    size_t offset = tree->text.size, size = strlen(key);
    mc_text_append(&tree->text, key, size);
    return mc_step_tree_add(tree, (mc_step_node){.parent = parent,
                                                 .role = MC_NONE,
                                                 .key_offset = offset,
                                                 .name_offset = offset,
                                                 .key_size = (uint32_t)size,
                                                 .name_size = (uint32_t)size});
}

// More groups than a block has, more steps than stand as differences to one.
static void write_wide_part(uint32_t part, uint32_t leaf_count, uint32_t step_count) {
    mc_step_tree tree = {0};
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = paths[part], .sync = MC_MCT_SYNC_NEVER};
    unlink(paths[part]);
    REQUIRE(mc_mct_writer_create(&desc, &writer, NULL) == MC_OK);
    for (uint32_t step = 0; step < step_count; step++) {
        char key[16];
        mc_step_tree_reset(&tree);
        tree.time_ms = step;
        uint32_t root = add_node(&tree, MC_NONE, "Heap");
        for (uint32_t i = 0; i < leaf_count; i++) {
            if ((i + step + part) % 11 == 0) continue; // not there now
            snprintf(key, sizeof key, "leaf%u", i);
            uint32_t node = add_node(&tree, root, key);
            uint64_t objects = (uint64_t)(i % 7 == 0 ? step : 3) * (i + part + 1);
            tree.nodes[node].objects = objects;
            tree.nodes[node].bytes = objects << (i % 20);
            tree.nodes[root].objects += objects;
            tree.nodes[root].bytes += tree.nodes[node].bytes;
        }
        REQUIRE(mc_mct_writer_add_step(writer, &tree, "wide", NULL) == MC_OK);
    }
    REQUIRE(mc_mct_writer_finish(writer, NULL) == MC_OK);
    mc_mct_writer_destroy(writer);
    mc_step_tree_deinit(&tree);
}

// ---- merging

static mc_trace *open_path(const char *path) {
    mc_mct_open_desc desc = {.path = path};
    mc_trace *trace = NULL;
    CHECK_MSG(mc_mct_open(&desc, &trace, NULL, &error) == MC_OK, "%s", error.message);
    REQUIRE(trace);
    return trace;
}

static mc_result open_part(void *user, uint32_t part, mc_trace **trace, mc_error *into) {
    (void)user;
    mc_mct_open_desc desc = {.path = paths[part]};
    return mc_mct_open(&desc, trace, NULL, into);
}

static mc_result merge(uint32_t part_count, const char *under, const mc_progress *progress) {
    mc_merge_part parts[PART_COUNT];
    for (uint32_t i = 0; i < PART_COUNT; i++)
        parts[i] = (mc_merge_part){.name = names[i], .path = paths[i]};
    mc_merge_desc desc = {.parts = parts,
                          .part_count = part_count,
                          .open = open_part,
                          .under = under,
                          .alignment = MC_MERGE_STEPS,
                          .hold_ms = 0,
                          .path = paths[PART_COUNT],
                          .progress = progress};
    unlink(paths[PART_COUNT]);
    return mc_trace_merge(&desc, NULL, &error);
}

// ---- what a part was, and is in the whole

// Per node of the part: the merged one. Both have siblings by key.
static uint32_t *map_nodes(const mc_trace *part, const mc_trace *merged, uint32_t host) {
    const mc_node_columns *x = mc_trace_get_nodes(part), *y = mc_trace_get_nodes(merged);
    uint32_t *map = malloc(x->count * sizeof *map);
    REQUIRE(map);
    map[0] = host;
    for (uint32_t node = 0; node < x->count; node++) {
        uint32_t other = map[node];
        REQUIRE(x->child_count[node] == y->child_count[other]);
        for (uint32_t i = 0; i < x->child_count[node]; i++) {
            uint32_t child = x->first_child[node] + i, same = y->first_child[other] + i;
            map[child] = same;
            CHECK(x->flags[child] == y->flags[same]);
            bool is_whole = node == 0 && x->flags[child] & MC_NODE_SELF; // called as the part is
            if (!is_whole && mc_trace_get_key_kind(part) == MC_KEY_PATH_PART)
                check_equal_strings(part, merged, x->key[child], y->key[same]);
            if (!is_whole) check_equal_strings(part, merged, x->name[child], y->name[same]);
            // In the same order of appearance.
            uint32_t a = x->child_by_appearance[x->first_child[node] + i] - x->first_child[node];
            uint32_t b = y->child_by_appearance[y->first_child[other] + i] - y->first_child[other];
            CHECK(a == b);
        }
    }
    return map;
}

static void check_columns(const mc_trace *part, const mc_trace *merged, const uint32_t *map,
                          uint32_t step, uint64_t *x, uint64_t *y) {
    uint32_t count = mc_trace_get_nodes(part)->count;
    for (mc_metric metric = 0; metric < mc_trace_get_metric_count(part); metric++) {
        const mc_metric_info *info = mc_trace_get_metric(part, metric);
        mc_metric other = mc_trace_find_metric(merged, info->key);
        REQUIRE(other != MC_NONE);
        bool is_real = mc_trace_get_metric(merged, other)->is_real;
        test_column(part, step, metric, x);
        test_column(merged, step, other, y);
        for (uint32_t node = 0; node < count; node++) {
            uint64_t value = x[node];
            if (value != MC_COUNT_UNKNOWN && is_real && !info->is_real)
                value = mc_metric_make_real(value);
            // Whole numbers here, others elsewhere: then it adds up no more, and what a step does
            // not have of it is not known.
            bool is_other = info->is_additive && !mc_trace_get_metric(merged, other)->is_additive;
            if (is_other && (!test_is_present(part, step, node) ||
                             mc_trace_get_nodes(part)->flags[node] & MC_NODE_SELF))
                continue;
            CHECK_MSG(value == y[map[node]], "%s of %u at %u: %llx, not %llx", info->key, node,
                      step, (unsigned long long)y[map[node]], (unsigned long long)value);
        }
    }
    for (uint32_t node = 0; node < count; node++)
        CHECK(test_is_present(part, step, node) == test_is_present(merged, step, map[node]));
}

// Sums over counts that no other pair, field or root would bring.
static uint64_t sum_links(const mc_trace *trace, uint32_t step, const uint32_t *map) {
    uint64_t sum = 0;
    mc_reference_rows pairs = test_read_references(trace, step);
    mc_field_rows fields = {0};
    mc_root_rows roots = {0};
    mc_path_sums sums = {0};
    REQUIRE(mc_trace_read_fields(trace, step, &fields, NULL) == MC_OK);
    REQUIRE(mc_trace_read_roots(trace, step, &roots, NULL) == MC_OK);
    REQUIRE(mc_trace_read_paths(trace, step, &sums, NULL) == MC_OK);
#define NODE(node) (map ? map[node] : (node))
    for (uint32_t i = 0; i < pairs.count; i++)
        sum += (uint64_t)NODE(pairs.items[i].from) * 31 * (NODE(pairs.items[i].to) + 1) +
               pairs.items[i].points_to * 7 + pairs.items[i].pointed_from * 13;
    for (uint32_t i = 0; i < fields.count; i++)
        sum += (uint64_t)NODE(fields.items[i].from) * 17 * (NODE(fields.items[i].to) + 1) +
               fields.items[i].count * 19 + fields.items[i].is_weak;
    for (uint32_t i = 0; i < roots.count; i++)
        sum += (uint64_t)NODE(roots.items[i].node) * 23 + roots.items[i].kind * 5 +
               roots.items[i].count;
    for (uint32_t i = 0; i < sums.count; i++) {
        const mc_path_sum *p = &sums.items[i];
        sum += (uint64_t)NODE(p->node) * 29 + p->objects + p->bytes * 3 + p->rest_objects * 11 +
               p->rest_bytes * 37 + p->is_folded;
    }
#undef NODE
    mc_reference_rows_deinit(&pairs);
    mc_field_rows_deinit(&fields);
    mc_root_rows_deinit(&roots);
    mc_path_sums_deinit(&sums);
    return sum;
}

static uint32_t count_links(const mc_trace *trace, uint32_t step) {
    mc_field_rows fields = {0};
    mc_root_rows roots = {0};
    mc_path_sums sums = {0};
    REQUIRE(mc_trace_read_fields(trace, step, &fields, NULL) == MC_OK);
    REQUIRE(mc_trace_read_roots(trace, step, &roots, NULL) == MC_OK);
    REQUIRE(mc_trace_read_paths(trace, step, &sums, NULL) == MC_OK);
    uint32_t count = fields.count + roots.count + sums.count + test_reference_count(trace, step);
    mc_field_rows_deinit(&fields);
    mc_root_rows_deinit(&roots);
    mc_path_sums_deinit(&sums);
    return count;
}

// Whether both are reached by the same fields and classes, wherever they lie.
static bool is_same_way(const mc_trace *a, uint32_t x, const mc_trace *b, uint32_t y) {
    uint32_t count;
    const mc_owner *left = mc_trace_get_owners(a, &count), *right = mc_trace_get_owners(b, &count);
    for (; x != MC_NONE && y != MC_NONE; x = left[x].parent, y = right[y].parent)
        if (!test_same_string(a, left[x].field, b, right[y].field) ||
            !test_same_string(a, left[x].class, b, right[y].class) || left[x].root != right[y].root)
            return false;
    return x == y;
}

// What all parts have of the same owner is added up. Its place is the whole, if theirs differ.
typedef struct owner_sum {
    uint64_t objects, retained_objects, retained_bytes, program_objects;
    uint32_t part_count;
} owner_sum;

static void add_owner(const mc_trace *merged, uint32_t owner, const mc_trace *part, uint32_t step,
                      const uint32_t *map, owner_sum *sum, uint64_t *references) {
    mc_owner_rows rows = {0};
    mc_owner_way_rows ways = {0};
    uint32_t count;
    const mc_owner *all = mc_trace_get_owners(part, &count);
    const mc_owner *made = &mc_trace_get_owners(merged, &count)[owner];
    REQUIRE(mc_trace_read_owners(part, step, &rows, NULL) == MC_OK);
    REQUIRE(mc_trace_read_owner_ways(part, step, &ways, NULL) == MC_OK);
    for (uint32_t i = 0; i < rows.count; i++) {
        const mc_owner_sum *row = &rows.items[i];
        if (!is_same_way(merged, owner, part, row->owner)) continue;
        uint32_t place = all[row->owner].place;
        CHECK(made->place == MC_NONE || made->place == 0 ||
              (place != MC_NONE && made->place == map[place]));
        sum->objects += row->objects;
        sum->retained_objects += row->retained_objects;
        sum->retained_bytes += row->retained_bytes;
        sum->program_objects += row->program_objects;
        sum->part_count++;
    }
    for (uint32_t i = 0; i < ways.count; i++)
        if (is_same_way(merged, owner, part, ways.items[i].owner))
            *references += ways.items[i].references;
    mc_owner_rows_deinit(&rows);
    mc_owner_way_rows_deinit(&ways);
}

static void check_owners(const mc_trace *merged, mc_trace *const *parts, uint32_t *const *maps,
                         uint32_t part_count, uint32_t step) {
    mc_owner_rows rows = {0};
    mc_owner_way_rows ways = {0};
    uint32_t count, found = 0, expected = 0;
    mc_trace_get_owners(merged, &count);
    REQUIRE(mc_trace_read_owners(merged, step, &rows, NULL) == MC_OK);
    REQUIRE(mc_trace_read_owner_ways(merged, step, &ways, NULL) == MC_OK);
    for (uint32_t owner = 0, i = 0; owner < count; owner++) {
        owner_sum sum = {0};
        uint64_t references = 0, merged_references = 0;
        for (uint32_t part = 0; part < part_count; part++)
            if (step < mc_trace_get_step_count(parts[part]))
                add_owner(merged, owner, parts[part], step, maps[part], &sum, &references);
        for (uint32_t k = 0; k < ways.count; k++)
            if (ways.items[k].owner == owner) merged_references += ways.items[k].references;
        CHECK(references == merged_references);
        bool is_there = i < rows.count && rows.items[i].owner == owner;
        CHECK(is_there == (sum.part_count > 0));
        if (!is_there) continue;
        const mc_owner_sum *row = &rows.items[i++];
        CHECK(row->objects == sum.objects && row->retained_objects == sum.retained_objects);
        CHECK(row->retained_bytes == sum.retained_bytes);
        CHECK(row->program_objects == sum.program_objects);
        found += sum.part_count;
    }
    mc_owner_rows_deinit(&rows);
    for (uint32_t part = 0; part < part_count; part++) {
        if (step >= mc_trace_get_step_count(parts[part])) continue;
        REQUIRE(mc_trace_read_owners(parts[part], step, &rows, NULL) == MC_OK);
        expected += rows.count;
        mc_owner_rows_deinit(&rows);
    }
    CHECK(found == expected);
    mc_owner_way_rows_deinit(&ways);
}

static void check_maxima(const mc_trace *part, const mc_trace *merged, const uint32_t *map) {
    for (mc_metric metric = 0; metric < MC_METRIC_FIRST_OWN; metric++) {
        uint64_t *x = malloc(mc_trace_get_nodes(part)->count * sizeof *x);
        uint64_t *y = malloc(mc_trace_get_nodes(merged)->count * sizeof *y);
        REQUIRE(x && y && mc_trace_has_maximum(part, metric));
        REQUIRE(mc_trace_has_maximum(merged, metric));
        mc_trace_get_maximum(part, metric, x);
        mc_trace_get_maximum(merged, metric, y);
        for (uint32_t node = 0; node < mc_trace_get_nodes(part)->count; node++)
            CHECK(x[node] == y[map[node]]);
        free(x);
        free(y);
    }
}

static void check_merged(uint32_t part_count) {
    mc_trace *merged = open_path(paths[PART_COUNT]);
    const mc_node_columns *nodes = mc_trace_get_nodes(merged);
    uint64_t *x = malloc(nodes->count * sizeof *x), *y = malloc(nodes->count * sizeof *y);
    uint64_t sums[64] = {0}, objects[64] = {0}, links[64] = {0};
    mc_trace *parts[PART_COUNT];
    uint32_t *maps[PART_COUNT];
    uint32_t steps = mc_trace_get_step_count(merged);
    REQUIRE(x && y && steps <= 64 && nodes->child_count[0] == part_count);
    for (uint32_t i = 0; i < part_count; i++) {
        mc_trace *part = parts[i] = open_path(paths[i]);
        uint32_t *map = maps[i] = map_nodes(part, merged, nodes->first_child[0] + i);
        for (uint32_t step = 0; step < mc_trace_get_step_count(part); step++) {
            check_columns(part, merged, map, step, x, y);
            sums[step] += sum_links(part, step, map);
            links[step] += count_links(part, step);
            objects[step] += mc_trace_get_step(part, step)->objects;
        }
        check_maxima(part, merged, map);
    }
    for (uint32_t step = 0; step < steps; step++) {
        CHECK(mc_trace_get_step(merged, step)->time_ms == step);
        CHECK(mc_trace_get_step(merged, step)->objects == objects[step]);
        CHECK(sum_links(merged, step, NULL) == sums[step]);
        CHECK(count_links(merged, step) == links[step]);
        check_owners(merged, parts, maps, part_count, step);
    }
    for (uint32_t i = 0; i < part_count; i++) {
        free(maps[i]);
        mc_trace_destroy(parts[i]);
    }
    free(x);
    free(y);
    mc_trace_destroy(merged);
}

static void test_odd(void) {
    for (uint64_t seed = 0; seed < 8; seed++) {
        for (uint32_t i = 0; i < PART_COUNT; i++)
            write_odd_part(i, seed * PART_COUNT + i,
                           (seed + i) % 4 == 3 ? MC_KEY_FULL : MC_KEY_PATH_PART);
        CHECK_MSG(merge(PART_COUNT, "host", NULL) == MC_OK, "%llu: %s", (unsigned long long)seed,
                  error.message);
        check_merged(PART_COUNT);
    }
}

static void test_wide(void) {
    for (uint32_t i = 0; i < PART_COUNT; i++)
        write_wide_part(i, 9000 + i * 3000, 35);
    CHECK_MSG(merge(PART_COUNT, "host", NULL) == MC_OK, "%s", error.message);
    check_merged(PART_COUNT);
    // Exactly a block, with the root and the host: 16384 nodes.
    write_wide_part(0, 16382, 12);
    CHECK_MSG(merge(1, "host", NULL) == MC_OK, "%s", error.message);
    check_merged(1);
}

// ---- spools

static void test_spool(void) {
    enum { STREAMS = 20, MOST = 4000 };
    static unsigned char known[STREAMS][MOST];
    size_t sizes[STREAMS] = {0};
    mc_spool *spool = NULL;
    odd_trace odd = {.state = 7};
    REQUIRE(mc_spool_create(paths[PART_COUNT], STREAMS, 500, &spool, &error) == MC_OK);
    for (uint32_t round = 0; round < 6000; round++) {
        uint32_t stream = odd_random(&odd, STREAMS), size = odd_random(&odd, 40);
        unsigned char bytes[40];
        if (odd_random(&odd, 100) == 0 || sizes[stream] + size > MOST) {
            mc_mct_bytes taken = {0};
            CHECK(mc_spool_get_size(spool, stream) == sizes[stream]);
            REQUIRE(mc_spool_take(spool, stream, &taken, &error) == MC_OK);
            CHECK(taken.size == sizes[stream] &&
                  (taken.size == 0 || memcmp(taken.data, known[stream], taken.size) == 0));
            mc_mct_bytes_deinit(&taken);
            sizes[stream] = 0;
        }
        for (uint32_t i = 0; i < size; i++)
            known[stream][sizes[stream]++] = bytes[i] = (unsigned char)odd_random(&odd, 256);
        REQUIRE(mc_spool_append(spool, stream, bytes, size, &error) == MC_OK);
    }
    mc_spool_destroy(spool);
}

// ---- what ends early

typedef struct patience {
    uint32_t left, asked;
} patience;

static bool ask(void *user, uint64_t done, uint64_t total) {
    patience *self = user;
    CHECK(done <= total);
    self->asked++;
    return self->left-- > 0;
}

static void test_cancel(void) {
    mc_result result = MC_ERROR_CANCELLED;
    for (uint32_t i = 0; result != MC_OK; i++) {
        patience p = {.left = i};
        mc_progress progress = {ask, &p};
        result = merge(PART_COUNT, "host", &progress);
        if (result != MC_OK) REQUIRE(result == MC_ERROR_CANCELLED);
        CHECK(p.asked <= i + 1);
    }
    check_merged(PART_COUNT);
}

static void test_memory(void) {
    mc_result result = MC_ERROR_OUT_OF_MEMORY;
    for (uint64_t n = 0; result != MC_OK; n += n < 60 ? 1 : 9) {
        mc_memory_fail_after(n);
        result = merge(2, "host", NULL);
        mc_memory_fail_after(UINT64_MAX);
        if (result != MC_OK) REQUIRE(result == MC_ERROR_OUT_OF_MEMORY);
    }
    check_merged(2);
}

// ---- a file that says wrong things of what is held

static void test_wrong_held(void) {
    static const uint64_t wrong[] = {1, 100000000};
    mc_mct_file file;
    mc_mct_codec codec = {0};
    mc_mct_bytes blob = {0};
    REQUIRE(merge(2, "host", NULL) == MC_OK);
    REQUIRE(rename(paths[PART_COUNT], paths[2]) == 0);
    REQUIRE(merge(2, "rack", NULL) == MC_OK); // is a file of its own
    REQUIRE(mc_mct_file_open_append(&file, paths[2], MC_MCT_SYNC_NEVER, &error) == MC_OK);
    REQUIRE(mc_mct_encode_column(&codec, wrong, 2, MC_MCT_CHAIN, &blob) == MC_OK);
    mc_mct_field row[] = {{.number = 1}, {.number = 2}, {.data = blob.data, .size = blob.size}};
    REQUIRE(mc_mct_file_put(&file, MC_MCT_HELD, row, &error) == MC_OK);
    mc_mct_file_close(&file);
    mc_mct_bytes_deinit(&blob);
    mc_mct_codec_deinit(&codec);
    uint32_t *held = NULL, count;
    bool is_merged;
    mc_trace *trace = open_path(paths[2]);
    CHECK(mc_mct_read_held(trace, 0, &is_merged, &held, &count, &error) == MC_ERROR_BAD_DATA);
    CHECK(!held && strstr(error.message, paths[2]));
    CHECK(mc_mct_read_held(trace, 1, &is_merged, &held, &count, &error) == MC_OK);
    CHECK(is_merged && count == 0);
    mc_free(held);
    mc_trace_destroy(trace);
    snprintf(paths[0], NAME_SIZE, "%s", paths[2]);
    CHECK(merge(1, NULL, NULL) == MC_ERROR_BAD_DATA && strstr(error.message, paths[0]));
}

int main(void) {
    REQUIRE(mkdtemp(folder));
    for (uint32_t i = 0; i <= PART_COUNT; i++)
        snprintf(paths[i], NAME_SIZE, "%s/%u.mct", folder, i);
    for (uint32_t i = 0; i < PART_COUNT; i++)
        snprintf(names[i], NAME_SIZE, "h%u", i);
    test_odd();
    test_cancel();
    test_memory();
    test_spool();
    test_wide();
    for (uint32_t i = 0; i < 2; i++)
        write_odd_part(i, i, MC_KEY_PATH_PART);
    test_wrong_held();
    for (uint32_t i = 0; i <= PART_COUNT; i++)
        unlink(paths[i]);
    snprintf(paths[0], NAME_SIZE, "%s/0.mct", folder);
    unlink(paths[0]);
    CHECK(rmdir(folder) == 0); // nothing is left beside
    return test_finish();
}
