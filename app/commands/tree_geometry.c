#include "app/commands/tree_geometry.h"

#include "app/node_text.h"
#include "app/pair.h"
#include "app/print/print.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdio.h>

enum { MOST_COLUMNS = MC_VERSUS_SIDES };

// What groups are: of one trace one column, of two one a side.
typedef struct geometry {
    const mc_stage *stage;
    const mc_flat_pane *pane;
    const mc_tree *tree;
    uint32_t step;
    const mc_metric_info *metric;
    uint32_t column_count;
    uint64_t *words[MOST_COLUMNS];  // per node
    uint64_t *others[MOST_COLUMNS]; // per entry, counts
    mc_node_keys keys;
    mc_text key; // of an entry
    mc_print print;
    mc_text out;
} geometry;

static void deinit(geometry *g) {
    for (uint32_t i = 0; i < MOST_COLUMNS; i++) {
        mc_free(g->words[i]);
        mc_free(g->others[i]);
    }
    mc_node_keys_deinit(&g->keys);
    mc_text_deinit(&g->key);
}

static mc_result read_column(geometry *g, uint32_t index, mc_metric metric, mc_error *error) {
    const mc_stage *stage = g->stage;
    uint32_t node_count = mc_trace_get_nodes(stage->trace)->count;
    uint64_t *words = g->words[index] = mc_alloc(node_count, sizeof *words);
    uint64_t *counts = mc_alloc(node_count, sizeof *counts);
    g->others[index] = mc_alloc(g->tree->count, sizeof *g->others[index]);
    mc_result result = words && counts && g->others[index] ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK) result = mc_trace_read_column(stage->trace, g->step, metric, words, error);
    if (result == MC_OK)
        result = mc_trace_read_counts(stage->trace, g->step, metric, counts, error);
    if (result == MC_OK) mc_tree_gather(g->tree, counts, g->others[index]);
    mc_free(counts);
    return result;
}

static mc_result init(geometry *g, const mc_stage *stage, mc_error *error) {
    const mc_trace *trace = stage->trace;
    bool is_pair = mc_trace_is_versus(trace);
    const mc_flat_pane *pane = mc_flat_view_get_pane(stage->session->view);
    *g = (geometry){.stage = stage,
                    .pane = pane,
                    .tree = pane->tree,
                    .step = stage->session->counts.step,
                    .metric = mc_trace_get_metric(trace, stage->layout.metric),
                    .column_count = is_pair ? MC_VERSUS_SIDES : 1,
                    .keys = {.trace = trace}};
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < g->column_count && result == MC_OK; i++) {
        mc_metric metric = stage->layout.metric;
        if (is_pair) metric = mc_versus_get_metric(trace, metric, (mc_versus_values)i);
        result = read_column(g, i, metric, error);
    }
    return result;
}

static mc_cell get_value(const geometry *g, uint32_t column, uint32_t entry) {
    const mc_tree *tree = g->tree;
    if (column >= g->column_count) return mc_cell_absent();
    uint64_t word = mc_tree_is_other(tree, entry)
                        ? mc_metric_get_word(g->metric, g->others[column][entry])
                        : g->words[column][tree->node[entry]];
    return mc_cell_value(g->metric, word);
}

static uint32_t get_other_count(const mc_tree *tree, uint32_t entry) {
    return mc_tree_is_other(tree, entry) ? tree->other_group_count[tree->other[entry]] : 0;
}

// Of an Other nothing is said: its groups may be of either.
static const char *get_state(const geometry *g, uint32_t entry) {
    const mc_stage *stage = g->stage;
    uint32_t node = g->tree->node[entry];
    if (mc_tree_is_other(g->tree, entry)) return "";
    if (!mc_versus_has_node(stage->trace, MC_BEFORE, node)) return "new";
    if (!mc_versus_has_node(stage->trace, MC_AFTER, node)) return "gone";
    return mc_versus_find_move(stage->trace, node, NULL) ? "moved" : "both";
}

// "Heap#java.util" of an Other's parent, and how many groups it stands for.
static void print_entry(geometry *g, uint32_t entry, uint32_t level) {
    const mc_trace *trace = g->stage->trace;
    const mc_interval *at = &g->pane->now.intervals[entry];
    uint32_t node = g->tree->node[entry], count = get_other_count(g->tree, entry);
    bool is_pair = g->column_count > 1, is_other = mc_tree_is_other(g->tree, entry);
    const char *state = is_pair ? get_state(g, entry) : "";
    mc_cell values[] = {get_value(g, MC_BEFORE, entry), get_value(g, MC_AFTER, entry)};
    mc_cell was = mc_cell_absent(), key = mc_cell_node(trace, node);
    char other[48];
    snprintf(other, sizeof other, "Other (%" PRIu32 " groups)", count);
    if (state[0] == 'm')
        was = mc_cell_node(mc_versus_get_side(trace, MC_BEFORE),
                           mc_versus_get_node(trace, MC_BEFORE, node));
    mc_text_clear(&g->key);
    if (g->print.form == MC_PRINT_TSV) {
        mc_node_keys_append_tsv(&g->keys, node, &g->key);
        key = mc_cell_ready(&g->key);
    }
    MC_PRINT_ROW(&g->print, key, mc_cell_if(is_other, mc_cell_text(other)),
                 mc_cell_if(is_other, mc_cell_count(count)), mc_cell_count(level),
                 mc_cell_real(at->from, 17), mc_cell_real(at->to, 17), values[MC_BEFORE],
                 mc_cell_list(values, 2), values[MC_BEFORE], values[MC_AFTER], mc_cell_text(state),
                 mc_cell_if(state[0], mc_cell_text(state)), was);
}

static void print_entries(geometry *g) {
    const mc_flat_pane *pane = g->pane;
    mc_partition_tree partition = mc_tree_get_partition(g->tree);
    mc_node_span span = {pane->now.root, pane->now.root + 1};
    bool is_pair = g->column_count > 1;
    const mc_column columns[] = {{.key = "key"},
                                 {.key = "other", .forms = MC_IN_TSV},
                                 {.key = "other", .forms = MC_IN_JSON},
                                 {.key = "level"},
                                 {.key = "from"},
                                 {.key = "to"},
                                 {.key = "value", .forms = MC_IN_JSON, .is_off = is_pair},
                                 {.key = "values", .forms = MC_IN_JSON, .is_off = !is_pair},
                                 {.key = "before", .forms = MC_IN_TSV, .is_off = !is_pair},
                                 {.key = "after", .forms = MC_IN_TSV, .is_off = !is_pair},
                                 {.key = "state", .forms = MC_IN_TSV, .is_off = !is_pair},
                                 {.key = "state", .forms = MC_IN_JSON, .is_off = !is_pair},
                                 {.key = "was", .forms = MC_IN_JSON}};
    MC_PRINT_BEGIN_ROWS(&g->print, "groups", columns);
    for (uint32_t level = 0; level < pane->now.row_count; level++) {
        for (uint32_t i = span.first; i < span.end && mc_command_pass_on(&g->out); i++)
            print_entry(g, i, level);
        span = mc_partition_get_children(&partition, span);
    }
    mc_print_end_rows(&g->print);
}

static void print_all(geometry *g) {
    const mc_trace *trace = g->stage->trace;
    uint32_t step = g->step;
    const mc_metric_info *info =
        mc_trace_get_metric(trace, mc_pair_get_plain(trace, g->stage->layout.metric));
    mc_print_begin_object(&g->print, NULL);
    MC_PRINT(&g->print, {"metric", mc_cell_metric(info)}, {"step", mc_cell_count(step)});
    if (g->column_count > 1)
        MC_PRINT(&g->print,
                 {"steps", MC_LIST(mc_cell_count(mc_versus_get_step(trace, MC_BEFORE, step)),
                                   mc_cell_count(mc_versus_get_step(trace, MC_AFTER, step)))});
    print_entries(g);
    mc_print_end_object(&g->print);
    mc_print_end(&g->print);
}

int mc_tree_geometry_print(const mc_stage *stage, bool json) {
    geometry g;
    mc_error error = {0};
    mc_result result = init(&g, stage, &error);
    g.print = mc_print_to(&g.out, json, !json);
    if (result == MC_OK) print_all(&g);
    deinit(&g);
    return result == MC_OK ? mc_command_print(&g.out) : mc_command_fail(&error);
}
