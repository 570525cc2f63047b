// Units: a shop whose formula is known, the papers' leak, and made leaks whose groups must be told
// apart.
#include "engine/analyze/unit_shares.h"
#include "engine/analyze/units.h"
#include "engine/base/memory.h"
#include "engine/import/import.h"
#include "tests/trace_maker.h"
#include <inttypes.h>
#include <math.h>

static uint64_t random_state;

static uint32_t draw(uint32_t count) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 33) * count >> 31);
}

static double draw_normal(void) {
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)draw(1u << 20) / (1u << 20);
    return sum;
}

static mc_units find(const mc_trace *trace) {
    mc_units units;
    REQUIRE(mc_units_find(trace, mc_step_range_whole(trace), NULL, &units, NULL) == MC_OK);
    return units;
}

static const mc_unit_part *get_part(const mc_growth_unit *unit, uint32_t node) {
    for (uint32_t i = 0; i < unit->part_count; i++)
        if (unit->parts[i].node == node) return &unit->parts[i];
    return NULL;
}

// ---- a shop

enum { SHOP_STEPS = 12 };

// So many sessions and archived documents are there at each step.
static const uint32_t sessions[SHOP_STEPS] = {0,   40,  95,  130, 190, 260,
                                              285, 340, 210, 280, 350, 430};
static const uint32_t documents[SHOP_STEPS] = {0, 10, 15, 60, 70, 75, 130, 140, 190, 195, 250, 290};

static mc_trace *make_shop(uint32_t step_count) {
    test_leaf leaves[] = {{"shop", "Cart", {0}},    {"shop", "Item", {0}}, {"shop", "Session", {0}},
                          {"xml", "Document", {0}}, {"xml", "Text", {0}},  {"z", "byte[]", {0}},
                          {"z", "idle", {0}},       {"z", "saw", {0}}};
    for (uint32_t i = 0; i < step_count; i++) {
        uint64_t s = sessions[i], d = documents[i];
        const uint64_t values[] = {s,     3 * s,        s, d, 4 * d, 2 * s + 5 * d + 7000,
                                   50000, 400 * (i % 2)};
        for (size_t k = 0; k < sizeof leaves / sizeof *leaves; k++)
            leaves[k].objects[i] = values[k];
    }
    return test_make_trace(leaves, sizeof leaves / sizeof *leaves, step_count);
}

static void test_shop(void) {
    mc_trace *trace = make_shop(SHOP_STEPS);
    mc_units units = find(trace);
    uint32_t session = test_find(trace, "Heap#shop#Session");
    uint32_t text = test_find(trace, "Heap#xml#Text"), bytes = test_find(trace, "Heap#z#byte[]");
    REQUIRE(units.count == 2);
    // What stays counts: no session that ended.
    const mc_growth_unit *a = &units.items[0], *b = &units.items[1];
    CHECK(a->bytes < b->bytes && a->staying_bytes > b->staying_bytes);
    CHECK(a->count == 290 && a->own_count == 2 && a->part_count == 3);
    CHECK(a->base == test_find(trace, "Heap#xml#Document"));
    REQUIRE(get_part(a, text) && get_part(a, bytes) && get_part(b, session) && get_part(b, bytes));
    CHECK(get_part(a, text)->per_unit == 4);
    CHECK(fabs(get_part(a, bytes)->per_unit - 5) < 1e-6);
    CHECK(b->count == 430 && b->own_count == 3 && get_part(b, session)->per_unit == 1);
    CHECK(get_part(b, test_find(trace, "Heap#shop#Item"))->per_unit == 3);
    CHECK(fabs(get_part(b, bytes)->per_unit - 2) < 1e-6);
    CHECK(get_part(b, bytes)->is_shared && get_part(b, bytes)->objects == 860);
    // Bytes are 8 an object; all that grew for good is of a unit. The saw is at 400 at the end.
    CHECK(a->bytes == 290 * 10 * 8 && b->bytes == 430 * 7 * 8);
    CHECK(units.bytes == a->bytes + b->bytes + 3200 && units.own_bytes == a->bytes + b->bytes);
    CHECK(a->trend.direction > 0);
    // At step 7 there were 140 documents and 340 sessions.
    const mc_unit_part *part;
    CHECK(fabs(mc_units_get_brought(&units, a, get_part(a, bytes), 7) - 5 * 140) < 1e-6);
    CHECK(fabs(mc_units_get_brought(&units, b, get_part(b, bytes), 7) - 2 * 340) < 1e-6);
    CHECK(mc_units_get_brought(&units, b, NULL, 0) == 0);
    CHECK(mc_units_get_brought(&units, b, NULL, 99) == 430);
    CHECK(mc_units_find_part(&units, text, &part) == 0 && part == get_part(a, text));
    CHECK(mc_units_find_part(&units, bytes, &part) == 0 && part == get_part(a, bytes));
    CHECK(mc_units_find_part(&units, test_find(trace, "Heap#z#idle"), &part) == MC_NONE && !part);
    mc_units_deinit(&units);
    mc_trace_destroy(trace);
}

// A class of the program that brings nothing but what others bring, too.
static void test_alone(void) {
    test_leaf leaves[] = {{"shop", "Cart", {0}},    {"shop", "Log", {0}}, {"shop", "Saw", {0}},
                          {"shop", "Session", {0}}, {"z", "byte[]", {0}}, {"z", "int[]", {0}}};
    for (uint32_t i = 0; i < SHOP_STEPS; i++) {
        uint64_t s = sessions[i], d = documents[i], saw = 3000 * (i * 7 % 5);
        const uint64_t values[] = {s, d, saw + i, s, 5 * s + 3 * d, 7 * s + saw};
        for (size_t k = 0; k < sizeof leaves / sizeof *leaves; k++)
            leaves[k].objects[i] = values[k] + 100;
    }
    mc_trace *trace = test_make_trace(leaves, sizeof leaves / sizeof *leaves, SHOP_STEPS);
    mc_units units = find(trace);
    uint32_t log = mc_units_get_own(&units, test_find(trace, "Heap#shop#Log"));
    uint32_t session = mc_units_get_own(&units, test_find(trace, "Heap#shop#Session"));
    uint32_t bytes = test_find(trace, "Heap#z#byte[]"), ints = test_find(trace, "Heap#z#int[]");
    REQUIRE(log != MC_NONE && session != MC_NONE && log != session);
    const mc_unit_part *of_log = get_part(&units.items[log], bytes);
    const mc_unit_part *of_session = get_part(&units.items[session], bytes);
    REQUIRE(of_log && of_session && of_log->is_shared);
    CHECK(fabs(of_log->per_unit - 3) < 1e-6 && fabs(of_session->per_unit - 5) < 1e-6);
    CHECK(fabs(of_log->share - 870.0 / 3020) < 1e-6);
    CHECK(mc_units_get_own(&units, bytes) == MC_NONE);
    // What comes and goes by itself is no basis: nobody says that int[] are of saws.
    CHECK(!get_part(&units.items[session], ints) && !get_part(&units.items[log], ints));
    mc_units_deinit(&units);
    mc_trace_destroy(trace);
}

// Healthy things that come and go, thirty times as many as those that leak.
static void test_churn(void) {
    enum { TRIALS = 200 };
    uint32_t first = 0, accused = 0;
    random_state = 3;
    for (int trial = 0; trial < TRIALS; trial++) {
        test_leaf leaves[] = {{"a", "Leak", {0}},
                              {"a", "LeakEntry", {0}},
                              {"b", "Request", {0}},
                              {"b", "Response", {0}}};
        uint64_t leaked = 0;
        for (uint32_t i = 0; i < 24; i++) {
            uint64_t busy = 2000 + draw(3000);
            leaked += 40 + draw(40);
            const uint64_t values[] = {leaked, 3 * leaked, busy, 2 * busy};
            for (size_t k = 0; k < sizeof leaves / sizeof *leaves; k++)
                leaves[k].objects[i] = values[k];
        }
        // The last step is a busy one.
        leaves[2].objects[23] = 6000;
        leaves[3].objects[23] = 12000;
        mc_trace *trace = test_make_trace(leaves, 4, 24);
        mc_units units = find(trace);
        uint32_t leak = mc_units_get_own(&units, test_find(trace, "Heap#a#Leak"));
        uint32_t busy = mc_units_get_own(&units, test_find(trace, "Heap#b#Request"));
        REQUIRE(leak != MC_NONE && leak != busy);
        first += leak == 0 && units.items[leak].trend.direction > 0;
        accused += busy != MC_NONE && units.items[busy].trend.direction > 0;
        mc_units_deinit(&units);
        mc_trace_destroy(trace);
    }
    CHECK_MSG(first >= TRIALS - 10 && accused <= 10, "%u %u", first, accused);
}

// ---- sampled objects

// Pairs of groups, by whether they belong together and whether that was said.
typedef struct pairs {
    uint32_t right, wrong, missed;
} pairs;

enum { SAMPLED_STEPS = 20, SAMPLED_GROUPS = 5, SAMPLED_ONE_OF = 50 };

// Objects of 8 bytes; what came is multiplied by how many one stands for. Without the variance they
// seem to have been counted.
static mc_trace *make_sampled(bool has_variance) {
    static const uint32_t per_unit[SAMPLED_GROUPS] = {1, 1, 3, 1, 2}; // two units
    const mc_metric_info info = {.key = "variance",
                                 .title = "variance",
                                 .key_size = 8,
                                 .title_size = 8,
                                 .kind = MC_METRIC_STOCK,
                                 .is_real = true,
                                 .is_additive = true};
    const double p = 1.0 / SAMPLED_ONE_OF;
    uint64_t samples[SAMPLED_GROUPS] = {0};
    mc_trace_builder *builder = NULL;
    mc_trace *trace = NULL;
    mc_step_tree tree = {0};
    REQUIRE(mc_trace_builder_create(NULL, &builder, NULL) == MC_OK);
    for (uint32_t step = 0; step < SAMPLED_STEPS; step++) {
        const uint32_t came[] = {2000 + draw(3000), 1000 + draw(5000)};
        mc_step_tree_reset(&tree);
        tree.time_ms = 1000 * step;
        uint32_t root = test_add_node(&tree, MC_NONE, "Heap", 0);
        uint32_t metric = has_variance ? mc_step_tree_add_metric(&tree, &info) : 0;
        for (uint32_t i = 0; i < SAMPLED_GROUPS; i++) {
            char key[] = {(char)('A' + i), 0};
            for (uint32_t n = came[i / 3] * per_unit[i]; n > 0 && step > 0; n--)
                samples[i] += draw(SAMPLED_ONE_OF) == 0;
            uint64_t objects = samples[i] * SAMPLED_ONE_OF;
            uint32_t leaf = test_add_node(&tree, root, key, objects);
            double variance = (double)samples[i] * 64 * (1 - p) / (p * p);
            if (has_variance)
                REQUIRE(mc_step_tree_set_value(&tree, metric, leaf, mc_metric_pack(variance)));
            test_add_objects(&tree, root, objects);
        }
        REQUIRE(mc_trace_builder_add_step(builder, &tree, "test", NULL) == MC_OK);
    }
    REQUIRE(mc_trace_builder_finish(builder, &trace, NULL) == MC_OK);
    mc_trace_builder_destroy(builder);
    mc_step_tree_deinit(&tree);
    return trace;
}

static void count_sampled(bool has_variance, pairs *sum) {
    mc_trace *trace = make_sampled(has_variance);
    mc_units units = find(trace);
    uint32_t unit_of[SAMPLED_GROUPS];
    for (uint32_t i = 0; i < SAMPLED_GROUPS; i++) {
        char full_key[] = "Heap#A";
        full_key[5] = (char)('A' + i);
        unit_of[i] = mc_units_get_own(&units, test_find(trace, full_key));
    }
    for (uint32_t i = 0; i < units.count; i++)
        CHECK(units.items[i].is_sampled == has_variance);
    for (uint32_t a = 0; a < SAMPLED_GROUPS; a++)
        for (uint32_t b = 0; b < a; b++) {
            bool is_said = unit_of[a] == unit_of[b] && unit_of[a] != MC_NONE;
            bool is_true = a / 3 == b / 3;
            sum->right += is_said && is_true;
            sum->wrong += is_said && !is_true;
            sum->missed += is_true && !is_said;
        }
    mc_units_deinit(&units);
    mc_trace_destroy(trace);
}

static void test_sampled(void) {
    pairs sum = {0}, counted = {0};
    random_state = 5;
    for (int trial = 0; trial < 40; trial++) {
        count_sampled(true, &sum);
        count_sampled(false, &counted);
    }
    printf("sampled: %u right, %u wrong, %u missed; as if counted: %u right, %u missed\n",
           sum.right, sum.wrong, sum.missed, counted.right, counted.missed);
    CHECK(sum.wrong == 0 && sum.right >= 9 * (sum.right + sum.missed) / 10);
    CHECK(counted.right < (counted.right + counted.missed) / 10);
}

static void test_short_windows(void) {
    // Of two steps only equal numbers, and large ones, say anything.
    test_leaf leaves[] = {{"a", "A", {0, 5250}},
                          {"a", "B", {10, 5260}},
                          {"a", "C", {0, 10500}},
                          {"a", "D", {0, 12}},
                          {"a", "E", {0, 12}}};
    mc_trace *trace = test_make_trace(leaves, 5, 2);
    mc_units units = find(trace);
    REQUIRE(units.count >= 2);
    uint32_t told_pairs = 0;
    for (uint32_t i = 0; i < units.count; i++) {
        if (units.items[i].own_count < 2) continue;
        told_pairs++;
        CHECK(units.items[i].own_count == 2 && units.items[i].count == 5250);
    }
    CHECK(told_pairs == 1);
    mc_units_deinit(&units);
    mc_trace_destroy(trace);

    trace = make_shop(1);
    units = find(trace);
    CHECK(units.count == 0 && !units.items && units.mover_count == 0);
    mc_units_deinit(&units);
    mc_trace_destroy(trace);
}

static bool cancel(void *user, uint64_t done, uint64_t total) {
    (void)user;
    return done < total / 2;
}

static void test_failures(void) {
    mc_trace *trace = make_shop(SHOP_STEPS);
    for (uint64_t n = 0;; n++) {
        mc_units units;
        mc_error error = {0};
        mc_memory_fail_after(n);
        mc_result result = mc_units_find(trace, mc_step_range_whole(trace), NULL, &units, &error);
        mc_memory_fail_after(UINT64_MAX);
        CHECK(result == MC_OK ? units.count == 2 : result == MC_ERROR_OUT_OF_MEMORY);
        CHECK(result == MC_OK || (!units.items && !units.parts));
        mc_units_deinit(&units);
        if (result == MC_OK) break;
    }
    const mc_progress progress = {.report = cancel};
    mc_units units;
    mc_error error = {0};
    CHECK(mc_units_find(trace, mc_step_range_whole(trace), &progress, &units, &error) ==
          MC_ERROR_CANCELLED);
    mc_trace_destroy(trace);
}

// ---- the papers' leak

static void test_recorded(void) {
    const char *path = MC_TEST_BINARY_DIR "/traces/httpclient-3.0.1";
    const mc_import_desc desc = {.paths = &path, .path_count = 1};
    mc_trace *trace;
    mc_units units;
    REQUIRE(mc_import_trace(&desc, &trace, NULL, NULL) == MC_OK);
    REQUIRE(mc_units_find(trace, (mc_step_range){0, 25}, NULL, &units, NULL) == MC_OK);
    REQUIRE(units.count > 0);
    const mc_growth_unit *leak = &units.items[0];
    static const struct {
        const char *end;
        int per_unit;
    } formula[] = {{"HttpHost", 1},
                   {"MultiThreadedHttpConnectionManager$HostConnectionPool", 1},
                   {"HostConfiguration", 1},
                   {"HostParams", 1},
                   {"LinkedList", 2}};
    CHECK(leak->count == 80001 && leak->part_count == 5 && leak->own_count == 5);
    CHECK((leak->bytes + 40000) / 80001 == 176 && leak->trend.direction > 0);
    for (uint32_t i = 0; i < leak->part_count; i++) {
        const char *name = mc_trace_get_name(trace, leak->parts[i].node, NULL);
        bool is_there = false;
        for (size_t k = 0; k < sizeof formula / sizeof *formula; k++)
            is_there = is_there || (strcmp(name, formula[k].end) == 0 &&
                                    fabs(leak->parts[i].per_unit - formula[k].per_unit) < 0.01);
        CHECK_MSG(is_there, "%s %f", name, leak->parts[i].per_unit);
    }
    mc_units_deinit(&units);
    mc_trace_destroy(trace);
}

// ---- made leaks

enum { MOST_LEAKS = 5, MOST_GROUPS = 64, SHARED_COUNT = 4 };

typedef struct leaks {
    uint32_t count, steps, noise;
    double brought[MOST_LEAKS][32]; // units, at each step
    char keys[MOST_GROUPS][8];
    test_leaf leaves[MOST_GROUPS];
    uint32_t leak_of[MOST_GROUPS], group_count; // MC_NONE: several leaks bring it
} leaks;

static void add_group(leaks *l, uint32_t leak) {
    static const uint32_t usual[] = {1, 1, 1, 2, 3, 5};
    uint32_t factors[MOST_LEAKS], group = l->group_count++;
    for (uint32_t k = 0; k < l->count; k++)
        factors[k] = leak == MC_NONE ? draw(5) : k == leak ? usual[draw(6)] : 0;
    uint64_t value = 3000 + draw(1000);
    for (uint32_t i = 0; i < l->steps; i++) {
        for (uint32_t k = 0; k < l->count && i > 0; k++)
            value += factors[k] * (uint64_t)l->brought[k][i];
        l->leaves[group].objects[i] = value + (l->noise > 0 ? draw(2 * l->noise + 1) : 0);
    }
    snprintf(l->keys[group], sizeof l->keys[group], "g%02" PRIu32, group);
    l->leaves[group].district = "a";
    l->leaves[group].key = l->keys[group];
    l->leak_of[group] = leak;
}

// Three to eight groups of each leak's own, and four that several bring.
static void make_leaks(leaks *l, double variation) {
    l->group_count = 0;
    for (uint32_t k = 0; k < l->count; k++) {
        double rate = 50 + draw(450);
        for (uint32_t i = 0; i < l->steps; i++)
            l->brought[k][i] = fmax(0, round(rate + variation * rate * draw_normal()));
    }
    for (uint32_t k = 0; k < l->count; k++)
        for (uint32_t i = 3 + draw(6); i > 0; i--)
            add_group(l, k);
    for (uint32_t i = 0; i < SHARED_COUNT; i++)
        add_group(l, MC_NONE);
}

static uint32_t find_unit(const mc_units *units, uint32_t node) {
    for (uint32_t i = 0; i < units->count; i++)
        for (uint32_t k = 0; k < units->items[i].own_count; k++)
            if (units->items[i].parts[k].node == node) return i;
    return MC_NONE;
}

static void count_pairs(const leaks *l, pairs *sum) {
    mc_trace *trace = test_make_trace(l->leaves, l->group_count, l->steps);
    mc_units units = find(trace);
    uint32_t unit_of[MOST_GROUPS];
    for (uint32_t i = 0; i < l->group_count; i++) {
        char full_key[32];
        snprintf(full_key, sizeof full_key, "Heap#a#%s", l->keys[i]);
        unit_of[i] = find_unit(&units, test_find(trace, full_key));
    }
    for (uint32_t a = 0; a < l->group_count; a++)
        for (uint32_t b = 0; b < a; b++) {
            if (l->leak_of[a] == MC_NONE || l->leak_of[b] == MC_NONE) continue;
            bool is_said = unit_of[a] == unit_of[b] && unit_of[a] != MC_NONE;
            bool is_true = l->leak_of[a] == l->leak_of[b];
            sum->right += is_said && is_true;
            sum->wrong += is_said && !is_true;
            sum->missed += is_true && !is_said;
        }
    mc_units_deinit(&units);
    mc_trace_destroy(trace);
}

static void test_made(void) {
    static const struct {
        uint32_t leaks, steps;
        double variation;
        uint32_t noise;
        double least_precision, least_recall;
    } rows[] = {{1, 6, 0.05, 0, 0.99, 0.99}, {2, 12, 0.05, 0, 0.97, 0.97},
                {2, 12, 0.2, 0, 0.99, 0.97}, {5, 12, 0.2, 0, 0.98, 0.97},
                {5, 25, 1, 0, 0.98, 0.97},   {2, 12, 0.2, 3, 0.99, 0.92}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        pairs sum = {0};
        leaks l = {.count = rows[i].leaks, .steps = rows[i].steps, .noise = rows[i].noise};
        random_state = 1 + i;
        for (int trial = 0; trial < 1000; trial++) {
            make_leaks(&l, rows[i].variation);
            count_pairs(&l, &sum);
        }
        double precision = (double)sum.right / (sum.right + sum.wrong);
        double recall = (double)sum.right / (sum.right + sum.missed);
        printf("%u leaks, %u steps, variation %g, noise %u: precision %.3f recall %.3f\n",
               rows[i].leaks, rows[i].steps, rows[i].variation, rows[i].noise, precision, recall);
        CHECK(precision >= rows[i].least_precision && recall >= rows[i].least_recall);
    }
}

// ---- shares

// The conditions of Karush, Kuhn and Tucker: the error neither rises nor falls with a number above
// 0, and does not fall with one at 0. The problem is convex, so there is no better answer.
static void check_optimum(const double *const *units, uint32_t count, const double *values,
                          uint32_t length, const double *found) {
    for (uint32_t k = 0; k < count; k++) {
        double gradient = 0, scale = 0;
        for (uint32_t i = 0; i < length; i++) {
            double rest = values[i];
            for (uint32_t m = 0; m < count; m++)
                rest -= found[m] * units[m][i];
            gradient += units[k][i] * rest;
            scale += units[k][i] * units[k][i];
        }
        CHECK(found[k] >= 0 && gradient <= 1e-6 * scale);
        CHECK(found[k] == 0 || fabs(gradient) <= 1e-6 * scale);
    }
}

static void test_shares(void) {
    enum { COUNT = 6, LENGTH = 20 };
    double units[COUNT][LENGTH], found[COUNT];
    const double *rows[COUNT];
    random_state = 9;
    for (int trial = 0; trial < 500; trial++) {
        double values[LENGTH] = {0};
        for (int k = 0; k < COUNT; k++) {
            rows[k] = units[k];
            double factor = draw(2) * draw(7);
            for (int i = 0; i < LENGTH; i++) {
                units[k][i] = draw(100);
                values[i] += factor * units[k][i];
            }
        }
        for (int i = 0; i < LENGTH && trial % 2 == 1; i++)
            values[i] += 200 * draw_normal();
        double left = mc_unit_shares_find(rows, COUNT, values, LENGTH, found);
        CHECK(trial % 2 == 1 || left < 1e-9);
        check_optimum(rows, COUNT, values, LENGTH, found);
    }
    // Two that are the same can't be told apart; one of them has it all.
    rows[1] = rows[0];
    CHECK(mc_unit_shares_find(rows, 2, units[0], LENGTH, found) < 1e-9);
    CHECK(fabs(found[0] + found[1] - 1) < 1e-9);
}

int main(void) {
    test_shop();
    test_alone();
    test_churn();
    test_sampled();
    test_short_windows();
    test_failures();
    test_recorded();
    test_made();
    test_shares();
    return test_finish();
}
