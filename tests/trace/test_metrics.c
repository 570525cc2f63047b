// The table of metrics, what several steps say of one, and where version 1 of the file has no
// place.
#include "engine/import/import.h"
#include "engine/store/mct/mct.h"
#include "tests/trace_equal.h"
#include "tests/trace_maker.h"
#include <math.h>
#include <unistd.h>

static mc_step_tree tree;
static mc_error error;

static void test_words(void) {
    const mc_metric_info whole = {.is_real = false}, real = {.is_real = true, .scale = 40};
    const double values[] = {0, 5e-324, 1e-300, 0.1, 1, 1.5, 3e10, 1e300};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        uint64_t word = mc_metric_pack(values[i]);
        CHECK(mc_metric_unpack(word) == values[i] && word != MC_COUNT_UNKNOWN);
        CHECK(i == 0 || word > mc_metric_pack(values[i - 1])); // they sort as numbers
    }
    CHECK(mc_metric_add(&whole, MC_COUNT_MAX, 5) == MC_COUNT_MAX);
    CHECK(isfinite(
        mc_metric_unpack(mc_metric_add(&real, mc_metric_pack(1.7e308), mc_metric_pack(1.7e308)))));
    // What rounding leaves is no share.
    uint64_t sum = mc_metric_add(&real, mc_metric_pack(0.1), mc_metric_pack(0.2));
    CHECK(sum != mc_metric_pack(0.3) && mc_metric_get_rest(&real, sum, mc_metric_pack(0.3)) == 0);
    CHECK(!mc_metric_exceeds(&real, sum, mc_metric_pack(0.3)));
    CHECK(mc_metric_exceeds(&real, mc_metric_pack(0.4), mc_metric_pack(0.3)));
    CHECK(mc_metric_get_rest(&whole, 5, 7) == 0 && mc_metric_get_rest(&whole, 7, 5) == 2);
    CHECK(mc_metric_make_real(7) == mc_metric_pack(7));
    CHECK(mc_metric_make_real(MC_COUNT_UNKNOWN) == MC_COUNT_UNKNOWN);
}

static void test_scales(void) {
    const double largest[] = {1e-250, 0.003, 1, 12345, 1e200};
    for (size_t i = 0; i < sizeof largest / sizeof *largest; i++) {
        mc_metric_info info = {.is_real = true, .scale = mc_metric_choose_scale(largest[i])};
        uint64_t count = mc_metric_get_count(&info, mc_metric_pack(largest[i]));
        CHECK_MSG(count > (uint64_t)1 << 38 && count <= (uint64_t)1 << 40, "%g", largest[i]);
        CHECK(fabs(mc_metric_scale_back(&info, (double)count) - largest[i]) < 1e-11 * largest[i]);
        CHECK(mc_metric_unpack(mc_metric_get_word(&info, count)) ==
              mc_metric_scale_back(&info, (double)count));
        CHECK(mc_metric_get_count(&info, MC_COUNT_UNKNOWN) == 0);
    }
    CHECK(mc_metric_choose_scale(0) == 0);
}

static mc_metric_info make_info(const char *key, uint32_t says) {
    mc_metric_info info = mc_metric_info_of_key(key, strlen(key));
    info.says |= says;
    return info;
}

static void test_table(void) {
    mc_metrics metrics = {0}, copy = {0};
    REQUIRE(mc_metrics_add_base(&metrics));
    CHECK(mc_metrics_find(&metrics, "objects", 7) == MC_METRIC_OBJECTS);
    CHECK(mc_metrics_find(&metrics, "bytes", 5) == MC_METRIC_BYTES);
    char key[16];
    for (uint32_t i = MC_METRIC_FIRST_OWN; i < MC_METRIC_MOST; i++) {
        snprintf(key, sizeof key, "m%u", i);
        mc_metric_info info = make_info(key, 0);
        CHECK(mc_metrics_add(&metrics, &info) == i);
    }
    mc_metric_info more = make_info("more", 0);
    CHECK(mc_metrics_add(&metrics, &more) == MC_NONE);
    CHECK(mc_metrics_find(&metrics, "m61", 3) == 61 && mc_metrics_find(&metrics, "m6", 2) == 6);
    CHECK(mc_metrics_find(&metrics, "m62", 3) == MC_NONE);
    REQUIRE(mc_metrics_copy(&copy, &metrics));
    mc_metrics_forget(&metrics, 3);
    CHECK(metrics.count == 3 && mc_metrics_find(&metrics, "m3", 2) == MC_NONE);
    CHECK(copy.count == MC_METRIC_MOST && strcmp(copy.items[61].title, "m61") == 0);
    mc_metrics_deinit(&metrics);
    mc_metrics_deinit(&copy);
}

// ---- steps

// A heap of one group with a leaf.
static void begin_tree(int64_t time_ms) {
    mc_step_tree_reset(&tree);
    tree.time_ms = time_ms;
    test_add_node(&tree, MC_NONE, "Heap", 3);
    test_add_node(&tree, 0, "group", 3);
    test_add_node(&tree, 1, "leaf", 3);
}

static uint32_t add_metric(mc_metric_info info) {
    uint32_t index = mc_step_tree_add_metric(&tree, &info);
    REQUIRE(index != MC_NONE);
    return index;
}

static void set_real(uint32_t metric, uint32_t node, double value) {
    mc_step_tree_make_real(&tree, metric);
    REQUIRE(mc_step_tree_set_value(&tree, metric, node, mc_metric_pack(value)));
}

static mc_result add_step(mc_trace_builder *builder) {
    error = (mc_error){0};
    return mc_trace_builder_add_step(builder, &tree, "a file", &error);
}

static mc_trace *finish(mc_trace_builder *builder) {
    mc_trace *trace = NULL;
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    return trace;
}

// Whole numbers first, then a real one: not additive after all, and all of them real.
static void test_becomes_real(void) {
    mc_trace_builder *builder = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    begin_tree(1);
    uint32_t metric = add_metric(make_info("load", 0));
    REQUIRE(mc_step_tree_set_value(&tree, metric, 2, 4));
    CHECK(add_step(builder) == MC_OK);
    begin_tree(2);
    set_real(add_metric(make_info("load", 0)), 2, 0.5);
    CHECK(add_step(builder) == MC_OK);
    mc_trace *trace = finish(builder);
    mc_metric load = mc_trace_find_metric(trace, "load");
    REQUIRE(load == MC_METRIC_FIRST_OWN);
    const mc_metric_info *info = mc_trace_get_metric(trace, load);
    CHECK(info->is_real && !info->is_additive);
    uint32_t leaf = test_find(trace, "Heap#group#leaf");
    CHECK(test_value(trace, 0, load, leaf) == mc_metric_pack(4));
    CHECK(test_value(trace, 1, load, leaf) == mc_metric_pack(0.5));
    CHECK(test_value(trace, 1, load, 0) == MC_COUNT_UNKNOWN);
    mc_trace_destroy(trace);
}

// What is not said of an additive metric is the sum of the children.
static void test_sums(void) {
    mc_trace_builder *builder = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    begin_tree(1);
    uint32_t lines = add_metric(make_info("lines", 0)), rest = add_metric(make_info("rest", 0));
    REQUIRE(mc_step_tree_set_value(&tree, lines, 2, 40));
    REQUIRE(mc_step_tree_set_value(&tree, rest, 1, 9) && mc_step_tree_set_value(&tree, rest, 2, 4));
    CHECK(add_step(builder) == MC_OK);
    mc_trace *trace = finish(builder);
    CHECK(test_value(trace, 0, 2, 0) == 40 && test_value(trace, 0, 2, 1) == 40);
    CHECK(test_value(trace, 0, 3, 0) == 9);
    CHECK(test_value(trace, 0, 3, test_find(trace, "Heap#group#group")) == 5); // unexplained
    mc_trace_destroy(trace);
}

// Steps have to agree; one that does not leaves nothing behind.
static void test_contradictions(void) {
    static const struct {
        uint32_t says;
        const char *message;
    } cases[] = {
        {MC_METRIC_SAYS_UNIT, "expected the unit \"none\", which \"lines\" has in a file, found "
                              "\"bytes\""},
        {MC_METRIC_SAYS_KIND, "expected the kind \"stock\""},
        {MC_METRIC_SAYS_ADDITIVE, "\"lines\" is additive in a file"},
        {MC_METRIC_SAYS_TITLE, "expected the title \"lines\""},
    };
    mc_trace_builder *builder = NULL;
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    begin_tree(1);
    add_metric(make_info("lines", MC_METRIC_SAYS_ALL));
    CHECK(add_step(builder) == MC_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        begin_tree(2);
        add_metric(make_info("new", 0));
        mc_metric_info info = make_info("lines", cases[i].says);
        info.unit = MC_UNIT_BYTES;
        info.kind = MC_METRIC_FLOW;
        info.is_additive = false;
        info.title = "other";
        info.title_size = 5;
        tree.columns[add_metric(info)].source_offset = 77;
        CHECK(add_step(builder) == MC_ERROR_BAD_DATA && error.byte_offset == 77);
        CHECK_MSG(strstr(error.message, cases[i].message), "%s", error.message);
    }
    mc_trace *trace = finish(builder);
    CHECK(mc_trace_get_metric_count(trace) == 3 && mc_trace_find_metric(trace, "new") == MC_NONE);
    mc_trace_destroy(trace);
}

// ---- a file of version 1

static void copy_file(const char *from, const char *to) {
    char bytes[65536];
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    REQUIRE(in && out);
    for (size_t size; (size = fread(bytes, 1, sizeof bytes, in)) > 0;)
        REQUIRE(fwrite(bytes, 1, size, out) == size);
    fclose(in);
    REQUIRE(fclose(out) == 0);
}

static mc_trace *open_file(const char *path) {
    mc_mct_open_desc desc = {.path = path};
    mc_trace *trace = NULL;
    CHECK_MSG(mc_mct_open(&desc, &trace, NULL, &error) == MC_OK, "%s", error.message);
    REQUIRE(trace);
    return trace;
}

// It goes on with what version 1 knows; other metrics have no place, and nothing is lost for that.
static void test_append_to_version_1(void) {
    char path[] = "/tmp/memcity-metrics-XXXXXX";
    int descriptor = mkstemp(path);
    REQUIRE(descriptor >= 0);
    close(descriptor);
    copy_file(MC_TEST_DATA "/mct/v1-anttracks.mct", path);
    mc_trace *before = open_file(path);
    uint32_t count = mc_trace_get_step_count(before);
    CHECK(mc_trace_get_metric_count(before) == 4);
    mc_mct_writer *writer = NULL;
    mc_mct_writer_desc desc = {.path = path, .append = true};
    CHECK_MSG(mc_mct_writer_create(&desc, &writer, &error) == MC_OK, "%s", error.message);
    REQUIRE(writer);
    REQUIRE(mc_trace_fill_step_tree(before, count - 1, &tree, NULL) == MC_OK);
    tree.time_ms += 1000;
    uint32_t lines = add_metric(make_info("lines", 0));
    REQUIRE(mc_step_tree_set_value(&tree, lines, 0, 1));
    CHECK(mc_mct_writer_add_step(writer, &tree, "a file", &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "the metric \"lines\" has no place in ") &&
                  strstr(error.message, "a file of version 1"),
              "%s", error.message);
    REQUIRE(mc_trace_fill_step_tree(before, count - 1, &tree, NULL) == MC_OK);
    tree.time_ms += 1000;
    CHECK_MSG(mc_mct_writer_add_step(writer, &tree, "a file", &error) == MC_OK, "%s",
              error.message);
    CHECK_MSG(mc_mct_writer_finish(writer, &error) == MC_OK, "%s", error.message);
    mc_mct_writer_destroy(writer);
    mc_trace *after = open_file(path);
    CHECK(mc_trace_get_step_count(after) == count + 1);
    uint32_t node_count = mc_trace_get_nodes(after)->count;
    REQUIRE(node_count == mc_trace_get_nodes(before)->count);
    for (mc_metric metric = 0; metric < 4; metric++)
        for (uint32_t node = 0; node < node_count; node++)
            for (uint32_t step = 0; step <= count; step++)
                CHECK(test_value(after, step, metric, node) ==
                      test_value(before, step < count ? step : count - 1, metric, node));
    mc_trace_destroy(before);
    mc_trace_destroy(after);
    unlink(path);
}

int main(void) {
    test_words();
    test_scales();
    test_table();
    test_becomes_real();
    test_sums();
    test_contradictions();
    test_append_to_version_1();
    mc_step_tree_deinit(&tree);
    return test_finish();
}
