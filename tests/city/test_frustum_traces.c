// References of the recorded heaps as frustums: at every step, every pair of every leaf has the
// radii that the formula gives from the pointer maps' counts, or a reason why it is not drawn.
#include "engine/analyze/link_finder.h"
#include "engine/base/memory.h"
#include "engine/city/city_layout.h"
#include "engine/city/frustum.h"
#include "engine/import/import.h"
#include "tests/trace_values.h"

typedef struct fixture {
    mc_trace *trace;
    const mc_node_columns *nodes;
    mc_city *city;
    mc_link_finder *finder;
    mc_reference_rows pairs;
    uint64_t *objects, *counts; // by node, by building
    uint32_t *index;            // [A * nodes + B]: one more than the pair A -> B
    mc_update_params params;
} fixture;

// height / 2 * 0.175 * objects involved / objects
static void check_radius(const fixture *f, uint32_t node, uint64_t involved, float radius) {
    uint32_t building = f->city->node_building[node];
    mc_box box = mc_city_evaluate_building(f->city, &f->params, building, f->counts[building],
                                           f->counts[building], NULL);
    double expected = (double)box.height / 2 * 0.175 * (double)involved / (double)f->objects[node];
    CHECK_MSG(fabs((double)radius - expected) <= 1e-4 * expected + 1e-6, "%g, not %g",
              (double)radius, expected);
}

// Returns how many frustums there are.
static uint32_t check_leaf(const fixture *f, uint32_t step, uint32_t node) {
    mc_links links = {0};
    REQUIRE(mc_link_finder_find(f->finder, step, node, &links, NULL) == MC_OK);
    mc_frustum_link *ends = mc_alloc((size_t)links.count + 1, sizeof *ends);
    REQUIRE(ends);
    for (uint32_t i = 0; i < links.count; i++)
        ends[i] = mc_frustum_get_link(node, &links.links[i]);
    mc_frustums frustums = {0};
    REQUIRE(mc_frustums_make(&frustums, f->city, f->nodes, &f->params, f->counts, f->counts, ends,
                             links.count, MC_FRUSTUM_ARCS_NONE, NULL) == MC_OK);
    // What has objects is drawn; what references itself has nowhere to go.
    uint32_t self_count = 0;
    for (uint32_t i = 0; i < links.count; i++)
        self_count += links.links[i].partner == node;
    CHECK(frustums.inside_count == self_count);
    CHECK(frustums.undrawn_count + frustums.outside_count + frustums.hidden_end_count == 0);
    CHECK(frustums.count + self_count == links.count);
    for (uint32_t i = 0; i < frustums.count; i++) {
        const mc_frustum_link *end = &ends[frustums.items[i].link];
        mc_frustum_shape shape =
            mc_frustum_get_shape(f->city, &f->params, f->counts, f->counts, &frustums.items[i]);
        uint32_t pair = f->index[(size_t)end->from_node * f->nodes->count + end->to_node];
        REQUIRE(pair > 0 && shape.is_drawn);
        check_radius(f, end->from_node, f->pairs.items[pair - 1].pointed_from, shape.from_radius);
        check_radius(f, end->to_node, f->pairs.items[pair - 1].points_to, shape.to_radius);
    }
    uint32_t count = frustums.count;
    mc_frustums_deinit(&frustums);
    mc_links_deinit(&links);
    mc_free(ends);
    return count;
}

static void check_trace(const char *name) {
    char path[1024];
    fixture f = {0};
    snprintf(path, sizeof path, "%s/traces/%s", MC_TEST_BINARY_DIR, name);
    const char *pointer = path;
    const mc_import_desc import = {.paths = &pointer, .path_count = 1};
    REQUIRE(mc_import_trace(&import, &f.trace, NULL, NULL) == MC_OK);
    REQUIRE(mc_link_finder_create(f.trace, &f.finder, NULL) == MC_OK);
    f.nodes = mc_trace_get_nodes(f.trace);
    mc_city_desc desc = mc_city_desc_default(f.trace);
    desc.metric = MC_METRIC_OBJECTS;
    REQUIRE(mc_city_create(f.trace, &desc, NULL, &f.city, NULL) == MC_OK);
    f.params = mc_update_params_default(f.city);
    f.objects = mc_alloc(f.nodes->count, sizeof *f.objects);
    f.counts = mc_alloc_zero((size_t)f.city->building_count + 1, sizeof *f.counts);
    f.index = mc_alloc_zero((size_t)f.nodes->count * f.nodes->count, sizeof *f.index);
    REQUIRE(f.objects && f.counts && f.index);
    for (uint32_t step = 0; step < mc_trace_get_step_count(f.trace); step++) {
        f.pairs = test_read_references(f.trace, step);
        test_column(f.trace, step, MC_METRIC_OBJECTS, f.objects);
        mc_city_gather(f.city, f.objects, f.counts);
        uint32_t self_count = 0, frustum_count = 0;
        for (uint32_t i = 0; i < f.pairs.count; i++) {
            f.index[(size_t)f.pairs.items[i].from * f.nodes->count + f.pairs.items[i].to] = i + 1;
            self_count += f.pairs.items[i].from == f.pairs.items[i].to;
        }
        for (uint32_t node = 0; node < f.nodes->count; node++)
            if (f.nodes->child_count[node] == 0) frustum_count += check_leaf(&f, step, node);
        CHECK(frustum_count == 2 * (f.pairs.count - self_count) && frustum_count > 1000);
        for (uint32_t i = 0; i < f.pairs.count; i++)
            f.index[(size_t)f.pairs.items[i].from * f.nodes->count + f.pairs.items[i].to] = 0;
        mc_reference_rows_deinit(&f.pairs);
    }
    mc_free(f.objects);
    mc_free(f.counts);
    mc_free(f.index);
    mc_city_destroy(f.city);
    mc_link_finder_destroy(f.finder);
    mc_trace_destroy(f.trace);
}

int main(void) {
    check_trace("httpclient-3.0.1");
    check_trace("javac-daemon");
    return test_finish();
}
