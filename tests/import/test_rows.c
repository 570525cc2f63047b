// Rows in and out: round trips of traces with every oddity, what wrong rows are answered with, and
// rows in any order.
#include "engine/base/memory.h"
#include "engine/import/import.h"
#include "engine/import/rows/rows_detect.h"
#include "engine/import/rows/rows_order.h"
#include "engine/import/rows/rows_steps.h"
#include "engine/import/rows/rows_values.h"
#include "engine/store/rows/row_writer.h"
#include "tests/odd_trace.h"
#include "tests/trace_equal.h"
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

// ---- a trace as rows, and back

static mc_result append(void *user, const char *bytes, size_t size, mc_error *error) {
    (void)error;
    mc_text_append(user, bytes, size);
    return MC_OK;
}

static mc_row_report write_rows(const mc_trace *trace, mc_row_form form, bool is_references,
                                mc_text *out) {
    mc_row_layout layout;
    mc_row_report report;
    REQUIRE(mc_row_layout_create(&layout, trace, NULL) == MC_OK);
    mc_row_desc desc = {.layout = &layout, .form = form, .output = {append, out}};
    REQUIRE((is_references ? mc_rows_write_references : mc_rows_write)(&desc, &report, NULL) ==
            MC_OK);
    REQUIRE(!out->failed);
    mc_row_layout_deinit(&layout);
    return report;
}

static const char rows_path[] = MC_TEST_BINARY_DIR "/test_rows.rows",
                  references_path[] = MC_TEST_BINARY_DIR "/test_rows.references";

static void write_text(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wbe");
    REQUIRE(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

static mc_result read_files(mc_rows_options options, mc_trace **trace, mc_error *error) {
    const char *paths[] = {rows_path};
    options.is_stated = true;
    options.folder = MC_TEST_BINARY_DIR;
    mc_import_desc desc = {.paths = paths, .path_count = 1, .rows = options};
    return mc_import_trace(&desc, trace, NULL, error);
}

static mc_trace *read_text(const char *rows, mc_rows_options options) {
    mc_trace *trace = NULL;
    mc_error error = {0};
    write_text(rows_path, rows, strlen(rows));
    mc_result result = read_files(options, &trace, &error);
    CHECK_MSG(result == MC_OK, "%s", error.message);
    REQUIRE(trace);
    return trace;
}

static mc_trace *read_back(const mc_text *rows, const mc_text *references) {
    mc_trace *trace = NULL;
    mc_error error = {0};
    write_text(rows_path, rows->data, rows->size);
    if (references) write_text(references_path, references->data, references->size);
    mc_rows_options options = {.references = references ? references_path : NULL};
    mc_result result = read_files(options, &trace, &error);
    CHECK_MSG(result == MC_OK, "%s", error.message);
    REQUIRE(trace);
    return trace;
}

// ---- traces with oddities that rows can hold

// Rows say what groups have themselves: no group has less than those below it.
static void make_consistent(mc_step_tree *tree) {
    for (size_t i = 0; i < tree->node_count; i++) {
        tree->nodes[i].role = i == 0 ? MC_NONE : tree->nodes[i].key_size % 3;
        tree->nodes[i].bytes %= (uint64_t)1 << 56; // so that all together are a count
    }
    for (size_t i = tree->node_count; i-- > 1;) {
        mc_step_entry *parent = &tree->nodes[tree->nodes[i].parent];
        parent->objects += tree->nodes[i].objects;
        parent->bytes += tree->nodes[i].bytes;
    }
    for (uint32_t k = 0; k < tree->metrics.count; k++) {
        const mc_metric_info *info = &tree->metrics.items[k];
        uint64_t sums[ODD_NODE_COUNT] = {0};
        // In steps that don't declare it, too.
        bool is_additive = info->is_additive || strcmp(info->key, "time") == 0;
        for (size_t i = tree->node_count; i-- > 0 && is_additive;) {
            uint64_t value = mc_step_tree_get_value(tree, k, i);
            bool is_said = value != MC_COUNT_UNKNOWN;
            value = is_said ? mc_metric_add(info, value, sums[i]) : sums[i];
            if (is_said) REQUIRE(mc_step_tree_set_value(tree, k, (uint32_t)i, value));
            if (i == 0) break;
            uint64_t *above = &sums[tree->nodes[i].parent];
            *above = mc_metric_add(info, *above, value);
        }
    }
}

static mc_trace *make_odd(uint64_t seed, mc_key_kind kind) {
    static odd_trace odd;
    bool present[ODD_NODE_COUNT];
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    mc_reference_map map = {0};
    odd_init(&odd, seed, kind, 9);
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < 9; step++) {
        odd_fill_tree(&odd, step, &tree, present);
        make_consistent(&tree);
        if (mc_trace_builder_add_step(builder, &tree, "test", NULL) != MC_OK) continue;
        for (int direction = 0; direction < 2; direction++) {
            odd_fill_map(&odd, &tree, present, &map);
            if (!odd_has_direction(step, direction)) continue;
            if (step == 4) map.entry_count = 0;
            (void)mc_trace_builder_add_references(builder, &map, (mc_reference_direction)direction,
                                                  NULL);
        }
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    mc_reference_map_deinit(&map);
    return trace;
}

// ---- whether two traces say the same, but for how keys are put together

static void check_same_nodes(const mc_trace *a, const mc_trace *b) {
    const mc_node_columns *x = mc_trace_get_nodes(a), *y = mc_trace_get_nodes(b);
    size_t size = x->count * sizeof(uint32_t);
    REQUIRE(x->count == y->count && x->leaf_count == y->leaf_count);
    CHECK(memcmp(x->parent, y->parent, size) == 0);
    CHECK(memcmp(x->child_by_appearance, y->child_by_appearance, size) == 0);
    CHECK(memcmp(x->flags, y->flags, x->count) == 0);
    for (uint32_t node = 0; node < x->count; node++) {
        size_t left_size, right_size;
        const char *left = mc_row_layout_get_key(a, node, &left_size);
        const char *right = mc_row_layout_get_key(b, node, &right_size);
        if (x->flags[node] & MC_NODE_SELF) continue;
        CHECK(left_size == right_size && memcmp(left, right, left_size) == 0);
        REQUIRE((x->role[node] == MC_NONE) == (y->role[node] == MC_NONE));
        if (x->role[node] == MC_NONE) continue;
        left = mc_trace_get_classifier(a, x->role[node], &left_size);
        right = mc_trace_get_classifier(b, y->role[node], &right_size);
        CHECK(left_size == right_size && memcmp(left, right, left_size) == 0);
    }
}

// Sums of real numbers are made anew, perhaps in another order.
static void check_same_values(const mc_trace *a, const mc_trace *b, uint32_t step) {
    const mc_node_columns *nodes = mc_trace_get_nodes(a);
    uint64_t *x = malloc(nodes->count * sizeof *x), *y = malloc(nodes->count * sizeof *y);
    REQUIRE(x && y);
    for (mc_metric metric = 0; metric < mc_trace_get_metric_count(a); metric++) {
        const mc_metric_info *info = mc_trace_get_metric(a, metric);
        test_column(a, step, metric, x);
        test_column(b, step, metric, y);
        bool is_sum = info->is_real && info->is_additive;
        for (uint32_t node = 0; node < nodes->count; node++) {
            if (x[node] == y[node]) continue;
            double left = mc_metric_get_number(info, x[node]);
            double right = mc_metric_get_number(info, y[node]);
            CHECK_MSG(is_sum && fabs(left - right) <= 1e-12 * left, "%s of node %u at %u: %g, %g",
                      info->key, node, step, left, right);
        }
    }
    free(x);
    free(y);
}

// What the steps call their nodes; what the trace shows is of the step that was read first.
static void check_same_names(const mc_trace *a, const mc_trace *b, uint32_t step) {
    mc_step_tree x = {0}, y = {0};
    REQUIRE(mc_trace_fill_step_tree(a, step, &x, NULL) == MC_OK);
    REQUIRE(mc_trace_fill_step_tree(b, step, &y, NULL) == MC_OK);
    REQUIRE(x.node_count == y.node_count);
    for (size_t i = 0; i < x.node_count; i++) {
        mc_step_name left = mc_step_tree_get_name(&x, i), right = mc_step_tree_get_name(&y, i);
        CHECK_MSG(test_same_text(&x, left.offset, left.size, &y, right.offset, right.size),
                  "%.*s, %.*s", (int)left.size, x.text.data + left.offset, (int)right.size,
                  y.text.data + right.offset);
    }
    mc_step_tree_deinit(&x);
    mc_step_tree_deinit(&y);
}

static void check_same(const mc_trace *a, const mc_trace *b, bool has_references) {
    REQUIRE(mc_trace_get_step_count(a) == mc_trace_get_step_count(b));
    check_equal_metrics(a, b);
    check_same_nodes(a, b);
    for (uint32_t step = 0; step < mc_trace_get_step_count(a); step++) {
        const mc_step_info *x = mc_trace_get_step(a, step), *y = mc_trace_get_step(b, step);
        CHECK(x->time_ms == y->time_ms && x->node_count == y->node_count);
        CHECK(x->leaf_count == y->leaf_count && x->objects == y->objects && x->bytes == y->bytes);
        CHECK(!has_references ||
              (x->directions == y->directions && x->pair_count == y->pair_count));
        for (uint32_t node = 0; node < mc_trace_get_nodes(a)->count; node++)
            CHECK(test_is_present(a, step, node) == test_is_present(b, step, node));
        check_same_values(a, b, step);
        check_same_names(a, b, step);
        if (has_references) check_equal_references(a, b, step);
    }
}

static void go_round(const mc_trace *trace, mc_row_form form) {
    mc_text rows = {0}, references = {0};
    write_rows(trace, form, false, &rows);
    write_rows(trace, form, true, &references);
    mc_trace *back = read_back(&rows, &references);
    check_same(trace, back, true);
    mc_trace_destroy(back);
    mc_text_deinit(&rows);
    mc_text_deinit(&references);
}

static void test_round_trips(void) {
    for (uint64_t seed = 0; seed < 30; seed++) {
        mc_trace *trace = make_odd(seed, seed % 3 == 2 ? MC_KEY_FULL : MC_KEY_PATH_PART);
        go_round(trace, MC_ROW_TSV);
        go_round(trace, MC_ROW_CSV);
        mc_trace_destroy(trace);
    }
}

// Traces whose groups contradict those below them: what rows have is kept from then on.
static void test_contradictions(void) {
    uint32_t count = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        mc_text rows = {0}, again = {0};
        mc_trace *trace = odd_make_trace(seed, MC_KEY_PATH_PART), *back = NULL;
        mc_error error = {0};
        write_rows(trace, MC_ROW_TSV, false, &rows);
        write_text(rows_path, rows.data, rows.size);
        mc_result result = read_files((mc_rows_options){0}, &back, &error);
        CHECK(result == MC_OK || strstr(error.message, "sums of at most"));
        if (result == MC_OK)
            CHECK(write_rows(back, MC_ROW_TSV, false, &again).contradicting_count == 0);
        count += result == MC_OK;
        mc_trace_destroy(back);
        mc_trace_destroy(trace);
        mc_text_deinit(&rows);
        mc_text_deinit(&again);
    }
    CHECK(count > 0);
}

// ---- what rows say

static void check_path(const mc_trace *trace, const char *path, uint64_t objects, uint64_t bytes) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    mc_text text = {0};
    bool is_found = false;
    for (uint32_t node = 0; node < nodes->count; node++) {
        mc_text_clear(&text);
        mc_trace_append_path(trace, node, &text);
        if (nodes->flags[node] & MC_NODE_SELF || strcmp(text.data, path) != 0) continue;
        is_found = true;
        CHECK(test_value(trace, 0, MC_METRIC_OBJECTS, node) == objects);
        CHECK(test_value(trace, 0, MC_METRIC_BYTES, node) == bytes);
    }
    CHECK_MSG(is_found, "%s", path);
    mc_text_deinit(&text);
}

static void test_meanings(void) {
    // escapes; a level that is not there; an empty name; a group's own share
    mc_trace *trace = read_text("time\thost\tservice\tobjects\tbytes\n"
                                "5\ta\\tb\\\\\\n\t\\N\t1\t10\n5\t\\N\tx\t2\t20\n5\ta\t\t3\t30\n"
                                "5\ta\t\\N\t4\t40\n",
                                (mc_rows_options){0});
    check_path(trace, "Heap", 10, 100);
    check_path(trace, "Heap → host: a\tb\\\n", 1, 10);
    check_path(trace, "Heap → service: x", 2, 20);
    check_path(trace, "Heap → host: a", 7, 70);
    check_path(trace, "Heap → host: a → service: ", 3, 30);
    mc_trace_destroy(trace);
    // quotes; a spreadsheet's marks and line ends; the last column is a name
    trace = read_text("\xef\xbb\xbf"
                      "bytes,time,\"a,\"\"\"\r\n10,5,\"x\"\"\r\ny,\"\r\n\r\n20,5,\r\n"
                      "\"30\",\"5\",\"\"\r\n40,5,\\N2\r\n",
                      (mc_rows_options){0});
    check_path(trace, "Heap", 0, 100);
    check_path(trace, "Heap → a,\": x\"\r\ny,", 0, 10);
    check_path(trace, "Heap → a,\": ", 0, 30);
    check_path(trace, "Heap → a,\": \\N2", 0, 40);
    mc_trace_destroy(trace);
    // columns by options: another time, numbers as names, the inner one first
    trace = read_text(
        "t,port,host,bytes,more\n1,80,h,5,1\n1,81,h,6,1\n",
        (mc_rows_options){.time = "t", .classifiers = "host,port", .unit = MC_ROWS_SECONDS});
    check_path(trace, "Heap → host: h → port: 81", 0, 6);
    CHECK(mc_trace_get_step(trace, 0)->time_ms == 1000);
    CHECK(mc_trace_find_metric(trace, "more") != MC_NONE);
    mc_trace_destroy(trace);
    trace = read_text("time,port,host,bytes,more,other\n1,80,h,5,1,x\n",
                      (mc_rows_options){.classifiers = "host", .metrics = "port"});
    CHECK(mc_trace_get_metric_count(trace) == 3 && mc_trace_find_metric(trace, "port") == 2);
    check_path(trace, "Heap → host: h", 0, 5);
    mc_trace_destroy(trace);
}

static void test_metrics(void) {
    mc_trace *trace =
        read_text("time\tn\tload\tcpu[time flow title=CPU (all)]\tretained\tr[additive "
                  "real]\n1\ta\t3\t4\t\\N\t0.5\n1\tb\t0.25\t5\t\\N\t2\n",
                  (mc_rows_options){0});
    const mc_metric_info *load = mc_trace_get_metric(trace, mc_trace_find_metric(trace, "load"));
    const mc_metric_info *cpu = mc_trace_get_metric(trace, mc_trace_find_metric(trace, "cpu"));
    const mc_metric_info *sum = mc_trace_get_metric(trace, mc_trace_find_metric(trace, "r"));
    CHECK(load->is_real && !load->is_additive && sum->is_real && sum->is_additive);
    CHECK(cpu->unit == MC_UNIT_TIME && cpu->kind == MC_METRIC_FLOW && cpu->is_additive);
    CHECK(strcmp(cpu->title, "CPU (all)") == 0 && !cpu->is_real);
    CHECK(mc_trace_find_metric(trace, "retained") != MC_NONE);
    CHECK(test_value(trace, 0, mc_trace_find_metric(trace, "r"), 0) == mc_metric_pack(2.5));
    CHECK(test_value(trace, 0, mc_trace_find_metric(trace, "cpu"), 0) == 9);
    mc_trace_destroy(trace);
}

// One column of numbers is a metric; of several nobody knows which are.
static void test_several_numbers(void) {
    static const char rows[] = "time,host,port,pid,objects\n1,a,80,7,5\n";
    mc_error error = {0};
    mc_trace *trace = NULL;
    write_text(rows_path, rows, strlen(rows));
    CHECK(read_files((mc_rows_options){0}, &trace, &error) == MC_ERROR_BAD_DATA && !trace);
    CHECK_MSG(strstr(error.message, "\"port\", \"pid\"") &&
                  strstr(error.message, "--metrics port,pid"),
              "%s", error.message);
    trace = read_text("time,host,port,retained,objects\n1,a,80,7,5\n", (mc_rows_options){0});
    CHECK(mc_trace_find_metric(trace, "port") != MC_NONE);
    mc_trace_destroy(trace);
    trace = read_text("time,host,port[1],pid,objects\n1,a,80,7,5\n", (mc_rows_options){0});
    CHECK(mc_trace_get_metric_count(trace) == 3 && mc_trace_find_metric(trace, "pid") != MC_NONE);
    mc_trace_destroy(trace);
    trace = read_text(rows, (mc_rows_options){.metrics = ""});
    check_path(trace, "Heap → host: a → port: 80 → pid: 7", 5, 0);
    mc_trace_destroy(trace);
    trace = read_text(rows, (mc_rows_options){.metrics = "port,pid"});
    CHECK(mc_trace_get_metric_count(trace) == 4);
    mc_trace_destroy(trace);
}

static void check_time(const char *text, int64_t expected) {
    int64_t time_ms = 0;
    CHECK_MSG(mc_rows_read_time(text, strlen(text), MC_ROWS_MILLISECONDS, &time_ms), "%s", text);
    CHECK_MSG(time_ms == expected, "%s: %lld", text, (long long)time_ms);
}

static void test_times(void) {
    static const char *const wrong[] = {"",
                                        "x",
                                        "2024-13-01",
                                        "2023-02-29",
                                        "2024-05-01 24:00",
                                        "2024-05-01 1:00",
                                        "2024-05-01 10:00:",
                                        "2024-05-01 10:00:00.",
                                        "2024-05-01 10:00:00+2",
                                        "9999999999999999999",
                                        "1.5",
                                        "2024-05-01 10:00:00 "};
    int64_t time_ms;
    check_time("1714564800123", 1714564800123);
    check_time("-5", -5);
    check_time("2024-05-01 12:00:00", 1714564800000);
    check_time("2024-05-01T12:00:00Z", 1714564800000);
    check_time("2024-05-01T14:00:00.123999+02:00", 1714564800123);
    check_time("2024-05-01 12:00:00.5+00", 1714564800500);
    check_time("2024-02-29", 1709164800000);
    check_time("1969-12-31 23:59:59.999", -1);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_MSG(!mc_rows_read_time(wrong[i], strlen(wrong[i]), MC_ROWS_MILLISECONDS, &time_ms),
                  "%s", wrong[i]);
    CHECK(mc_rows_read_time("-1", 2, MC_ROWS_MICROSECONDS, &time_ms) && time_ms == -1);
    CHECK(mc_rows_read_time("1999", 4, MC_ROWS_MICROSECONDS, &time_ms) && time_ms == 1);
    CHECK(mc_rows_read_time("7", 1, MC_ROWS_SECONDS, &time_ms) && time_ms == 7000);
}

// ---- wrong rows

typedef struct wrong {
    const char *rows, *place, *message;
} wrong;

static void test_wrong_rows(void) {
    static const wrong all[] = {
        {"", "", "header line"},
        {"time\tobjects", "1:", "header line"},
        {"time\tobjects\n", "", "rows behind the header"},
        {"a\tobjects\n1\t2\n", "1:", "\"time\""},
        {"time\ta\ta\n", "1:", "twice"},
        {"time\ta\tobjects\n1\tx\t-1\n", "2:", "column \"objects\": expected a whole number"},
        {"time\ta\tobjects\n1\tx\t9223372036854775808\n", "2:", "column \"objects\""},
        {"time\ta\tobjects\n1\tx\t1.0\n", "2:", "whole number"},
        {"time\ta\tobjects\nx\tx\t1\n", "2:", "column \"time\": expected a time"},
        {"time\ta\tobjects\n1\tx\n", "2:", "a further column"},
        {"time\ta\tobjects\n1\tx\t1\t\n", "2:", "line's end"},
        {"time\ta\tobjects\n1\tx\\q\t1\n", "2:", "column \"a\""},
        {"time\ta\tobjects\n1\tx\xff\t1\n", "2:", "UTF-8"},
        {"time\ta\tobjects\n1\tx\t1\n1\tx\t2\n", "3:", "one row of a group and time"},
        {"time\ta\tobjects\n1\tx\t1\n1\ty\t2", "3:", "cut off"},
        {"time\ta\tobjects\n1\tx\t9223372036854775807\n1\ty\t1\n", "2:", "sums of at most"},
        {"time,a,objects\n1,\"x\ny\" z,1\n", "3:", "comma or the line's end"},
        {"time,a,objects\n1,x\"y,1\n", "2:", "quotes around"},
        {"time,a,objects\n1,\"x,1\n", "2:", "cut off"},
        {"time,root,objects\n1,r,1\n1,s,1\n", "3:", "same root"},
        {"time,root,objects\n1,,1\n", "2:", "root's name"},
        {"time,a,b,objects\n1,,x,1\n1,x,,1\n", "", "x"}, // one key, two classifiers
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        mc_trace *trace = NULL;
        mc_error error = {0};
        char place[128];
        write_text(rows_path, all[i].rows, strlen(all[i].rows));
        CHECK_MSG(read_files((mc_rows_options){0}, &trace, &error) == MC_ERROR_BAD_DATA, "%zu", i);
        snprintf(place, sizeof place, "test_rows.rows:%s", all[i].place);
        CHECK_MSG(strstr(error.message, all[i].message) != NULL, "%zu: %s", i, error.message);
        CHECK_MSG(!all[i].place[0] || strstr(error.message, place) != NULL, "%zu: %s", i,
                  error.message);
        mc_trace_destroy(trace);
    }
}

static void test_wrong_references(void) {
    static const wrong all[] = {
        {"time\tfrom_a\tto_a\n", "1:", "points_to"},
        {"time\tfrom_a\tpoints_to\n", "1:", "from_ and to_"},
        {"time\tfrom_a\tto_a\tpoints_to\n1\tx\tz\t1\n", "2:", "go to"},
        {"time\tfrom_a\tto_a\tpoints_to\n2\tx\ty\t1\n", "2:", "no rows have the time 2"},
        {"time\tfrom_a\tto_a\tpoints_to\n0\tx\ty\t1\n", "2:", "no rows have the time 0"},
        {"time\tfrom_a\tto_a\tpoints_to\n1\tx\ty\t1\n1\tx\ty\t1\n", "", "twice"},
        {"time\tfrom_a\tto_a\tpoints_to\n1\tx\ty\tz\n", "2:", "column \"points_to\""},
    };
    static const char rows[] = "time\ta\tobjects\n1\tx\t1\n1\ty\t2\n";
    write_text(rows_path, rows, strlen(rows));
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        mc_trace *trace = NULL;
        mc_error error = {0};
        write_text(references_path, all[i].rows, strlen(all[i].rows));
        mc_rows_options options = {.references = references_path};
        CHECK_MSG(read_files(options, &trace, &error) == MC_ERROR_BAD_DATA, "%zu", i);
        CHECK_MSG(strstr(error.message, all[i].message) != NULL, "%zu: %s", i, error.message);
        mc_trace_destroy(trace);
    }
}

// ---- any order

static mc_rows_reader *open_memory(const char *data, size_t size, const mc_rows_options *options,
                                   mc_error *error) {
    mc_rows_reader *reader = NULL;
    mc_rows_reader_desc desc = {
        .source = {.name = "memory", .fd = -1, .data = (const unsigned char *)data, .size = size},
        .options = options};
    return mc_rows_reader_create(&desc, &reader, error) == MC_OK ? reader : NULL;
}

// Many times in a shuffled order, with few rows in memory: sorted, those of a time as they came.
static void test_order(uint32_t most, bool is_stated) {
    mc_text text = {0};
    mc_error error = {0};
    const mc_rows_options options = {0};
    mc_text_append_string(&text, "time\ta\tobjects\n");
    for (uint32_t i = 0; i < 5000; i++)
        mc_text_format(&text, "%u\tn%u\t%u\n", i * 7919 % 97, i, i);
    mc_rows_reader *reader = open_memory(text.data, text.size, &options, &error);
    REQUIRE(reader);
    mc_rows_order *order = NULL;
    mc_rows_order_desc desc = {
        .reader = reader, .folder = MC_TEST_BINARY_DIR, .is_unordered = is_stated, .most = most};
    REQUIRE(mc_rows_order_create(&desc, &order, &error) == MC_OK);
    const mc_rows_row *row;
    int64_t last_time = -1;
    uint64_t last_objects = 0;
    uint32_t count = 0;
    for (;; count++) {
        REQUIRE(mc_rows_order_next(order, &row, &error) == MC_OK);
        if (!row) break;
        CHECK(row->time_ms >= last_time);
        CHECK(row->time_ms > last_time || row->values[MC_METRIC_OBJECTS] > last_objects);
        CHECK(row->line == row->values[MC_METRIC_OBJECTS] + 2);
        last_time = row->time_ms;
        last_objects = row->values[MC_METRIC_OBJECTS];
    }
    CHECK(count == 5000);
    mc_rows_order_destroy(order);
    mc_rows_reader_destroy(reader);
    mc_text_deinit(&text);
}

// A time that comes again behind those that were held back.
static void test_late_disorder(void) {
    static const char text[] = "time\tobjects\n1\t1\n2\t1\n3\t1\n1\t1\n";
    mc_error error = {0};
    const mc_rows_options options = {0};
    mc_rows_reader *reader = open_memory(text, strlen(text), &options, &error);
    mc_rows_order *order = NULL;
    mc_rows_order_desc desc = {.reader = reader, .folder = MC_TEST_BINARY_DIR, .most = 2};
    const mc_rows_row *row = NULL;
    REQUIRE(reader && mc_rows_order_create(&desc, &order, &error) == MC_OK);
    for (int i = 0; i < 3; i++)
        CHECK(mc_rows_order_next(order, &row, &error) == MC_OK && row && row->time_ms == i + 1);
    CHECK(mc_rows_order_next(order, &row, &error) == MC_ERROR_BAD_DATA);
    CHECK_MSG(strstr(error.message, "memory:5:") && strstr(error.message, "--unordered"), "%s",
              error.message);
    mc_rows_order_destroy(order);
    mc_rows_reader_destroy(reader);
}

// ---- cut off, and out of memory

static mc_result read_memory(const char *data, size_t size, uint32_t *row_count) {
    mc_error error = {0};
    const mc_rows_options options = {0};
    mc_rows_steps *steps = NULL;
    mc_step_tree tree = {0};
    const mc_rows_row *row = NULL;
    int64_t time_ms = INT64_MIN;
    *row_count = 0;
    mc_rows_reader *reader = open_memory(data, size, &options, &error);
    if (!reader) return error.code;
    mc_result result = mc_rows_steps_create(reader, &steps, &error);
    while (result == MC_OK) {
        result = mc_rows_reader_next(reader, &row, &error);
        if (result != MC_OK || !row) break;
        if (row->time_ms != time_ms) {
            if (time_ms != INT64_MIN) result = mc_rows_steps_end(steps, &error);
            time_ms = row->time_ms;
            if (result == MC_OK) result = mc_rows_steps_begin(steps, time_ms, &tree, &error);
        }
        if (result == MC_OK) result = mc_rows_steps_add(steps, row, &error);
        ++*row_count;
    }
    CHECK(result == MC_OK || error.message[0]);
    mc_rows_steps_destroy(steps);
    mc_rows_reader_destroy(reader);
    mc_step_tree_deinit(&tree);
    return result;
}

static const char *const samples[] = {
    "time\thost\tt[name]\tt\tobjects\tbytes\tload\n1\th\\t1\tN\ta\t1\t10\t0.5\n"
    "1\t\\N\t\\N\tb\t2\t20\t\\N\n2\th\\t1\tN\ta\t1\t10\t2\n2\t\\N\t\\N\tb\t3\t20\t\\N\n",
    "time,root,\"a,\",objects\r\n1,\"r\"\"\n\",\"x\ny\",5\r\n1,\"r\"\"\n\",,6\r\n2,r,\"x\ny\","
    "7\r\n"};

static void test_cuts(void) {
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        size_t size = strlen(samples[i]);
        uint32_t count;
        for (size_t cut = 0; cut < size; cut++) {
            char *block = malloc(cut + 1);
            REQUIRE(block);
            memcpy(block, samples[i], cut);
            mc_result result = read_memory(block, cut, &count);
            bool is_line = cut > 0 && samples[i][cut - 1] == '\n';
            CHECK(result == MC_ERROR_BAD_DATA || (result == MC_OK && is_line));
            free(block);
        }
        CHECK(read_memory(samples[i], size, &count) == MC_OK && count > 0);
    }
}

static void test_memory(void) {
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        for (uint64_t n = 0;; n++) {
            uint32_t count;
            mc_memory_fail_after(n);
            mc_result result = read_memory(samples[i], strlen(samples[i]), &count);
            mc_memory_fail_after(UINT64_MAX);
            REQUIRE(result == MC_OK || result == MC_ERROR_OUT_OF_MEMORY);
            if (result == MC_OK) break;
        }
}

// ---- through a pipe

// Rows of which there is a header, some `middle` again and again, and an `end`.
typedef struct piped {
    const char *header, *middle, *end;
    size_t middle_count, piece; // bytes that are written at a time
} piped;

static void write_pieces(int fd, const char *text, size_t size, size_t piece) {
    for (size_t at = 0; at < size; at += piece)
        if (write(fd, text + at, size - at < piece ? size - at : piece) <= 0) _exit(0);
}

static mc_rows_reader *open_pipe(const piped *rows, pid_t *writer, int *fd, mc_error *error) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    *writer = fork();
    REQUIRE(*writer >= 0);
    if (*writer == 0) {
        signal(SIGPIPE, SIG_IGN);
        close(ends[0]);
        write_pieces(ends[1], rows->header, strlen(rows->header), SIZE_MAX);
        for (size_t i = 0; i < rows->middle_count; i++)
            write_pieces(ends[1], rows->middle, strlen(rows->middle), rows->piece);
        write_pieces(ends[1], rows->end, strlen(rows->end), rows->piece);
        _exit(0);
    }
    close(ends[1]);
    *fd = ends[0];
    static const mc_rows_options options = {0};
    mc_rows_reader *reader = NULL;
    mc_rows_reader_desc desc = {.source = {.name = "pipe", .fd = ends[0]}, .options = &options};
    REQUIRE(mc_rows_reader_create(&desc, &reader, error) == MC_OK);
    return reader;
}

// Reads all; *row_count: those that were read.
static mc_result read_pipe(const piped *rows, uint32_t *row_count, uint64_t *last_line,
                           mc_error *error) {
    pid_t writer;
    int fd;
    const mc_rows_row *row = NULL;
    mc_rows_reader *reader = open_pipe(rows, &writer, &fd, error);
    mc_result result;
    *row_count = 0;
    while ((result = mc_rows_reader_next(reader, &row, error)) == MC_OK && row) {
        CHECK(row->values[MC_METRIC_OBJECTS] == 7);
        *last_line = row->line;
        ++*row_count;
    }
    mc_rows_reader_destroy(reader);
    close(fd);
    kill(writer, SIGKILL);
    waitpid(writer, NULL, 0);
    return result;
}

// Rows that come a few bytes at a time, of every form that a row's end can have.
static void test_pieces(void) {
    static const char csv[] = "time,a,objects\r\n",
                      middle[] = "1,\"x\"\"\ny,\",7\r\n1,,7\n\r\n1,\"\",\"7\"\r\n1,b c,7\n";
    char header[1 << 20];
    mc_error error;
    uint32_t count;
    uint64_t line;
    // What is read to tell metrics comes before: one long row.
    snprintf(header, sizeof header, "%s1,\"%*s\",7\r\n", csv, (1 << 20) - 100, "x");
    for (size_t piece = 1; piece < 9; piece++) {
        piped rows = {header, middle, "1,z,7\r\n", 50, piece};
        CHECK(read_pipe(&rows, &count, &line, &error) == MC_OK);
        CHECK(count == 202 && line == 2 + 50 * 6 + 1);
        rows.end = "1,\"z\"z,7\r\n";
        CHECK(read_pipe(&rows, &count, &line, &error) == MC_ERROR_BAD_DATA && count == 201);
        CHECK_MSG(strstr(error.message, "pipe:303: column \"a\""), "%s", error.message);
        rows.end = "1,\"z";
        CHECK(read_pipe(&rows, &count, &line, &error) == MC_ERROR_BAD_DATA && count == 201);
    }
}

// A row that has no end is refused where it is too long, and looked at once until then: what begins
// anew with every piece does not come to an end before the test is stopped.
static void test_endless_row(void) {
    static char middle[1 << 20];
    mc_error error;
    uint32_t count;
    uint64_t line = 0;
    memset(middle, 'x', sizeof middle - 1);
    const char *const headers[] = {"time\ta\tobjects\n1\tb\t7\n1\t", "time,a,objects\n1,b,7\n1,\""};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        piped rows = {headers[i], middle, "", 1000, 1 << 16};
        if (i == 1) middle[0] = middle[1000] = '\n';
        CHECK(read_pipe(&rows, &count, &line, &error) == MC_ERROR_BAD_DATA);
        CHECK_MSG(strstr(error.message, "256 MB"), "%s", error.message);
        CHECK(count == 1 && line == 2);
    }
}

static void test_detect(void) {
    static const char *const rows[] = {"time\tobjects\n", "a,\"time\",bytes\r\n1,2,3\r\n"};
    static const char *const others[] = {"time\tobjects", "time,a\n1,2\n", "", "a;b 1\n",
                                         " num     #instances         #bytes\n"};
    for (size_t i = 0; i < 2; i++)
        CHECK(mc_rows_detect((const unsigned char *)rows[i], strlen(rows[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        CHECK(!mc_rows_detect((const unsigned char *)others[i], strlen(others[i])));
}

int main(void) {
    test_round_trips();
    test_contradictions();
    test_meanings();
    test_metrics();
    test_several_numbers();
    test_times();
    test_wrong_rows();
    test_wrong_references();
    test_order(0, false);
    test_order(700, true);
    test_late_disorder();
    test_cuts();
    test_memory();
    test_pieces();
    test_endless_row();
    test_detect();
    unlink(rows_path);
    unlink(references_path);
    return test_finish();
}
