#include "app/commands/tree_geometry.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/pair.h"
#include "engine/base/memory.h"
#include <inttypes.h>

enum { MOST_COLUMNS = MC_VERSUS_SIDES };

// What groups are: of one trace one column, of two one a side.
typedef struct geometry {
    const mc_flat_stage *stage;
    const mc_metric_info *metric;
    uint32_t column_count;
    uint64_t *words[MOST_COLUMNS];  // per node
    uint64_t *others[MOST_COLUMNS]; // per entry, counts
    mc_node_keys keys;
    mc_text out;
} geometry;

static void deinit(geometry *g) {
    for (uint32_t i = 0; i < MOST_COLUMNS; i++) {
        mc_free(g->words[i]);
        mc_free(g->others[i]);
    }
    mc_node_keys_deinit(&g->keys);
}

static mc_result read_column(geometry *g, uint32_t index, mc_metric metric, mc_error *error) {
    const mc_flat_stage *stage = g->stage;
    uint32_t node_count = mc_trace_get_nodes(stage->trace)->count;
    uint64_t *words = g->words[index] = mc_alloc(node_count, sizeof *words);
    uint64_t *counts = mc_alloc(node_count, sizeof *counts);
    g->others[index] = mc_alloc(stage->tree->count, sizeof *g->others[index]);
    mc_result result = words && counts && g->others[index] ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK)
        result = mc_trace_read_column(stage->trace, stage->step, metric, words, error);
    if (result == MC_OK)
        result = mc_trace_read_counts(stage->trace, stage->step, metric, counts, error);
    if (result == MC_OK) mc_tree_gather(stage->tree, counts, g->others[index]);
    mc_free(counts);
    return result;
}

static mc_result init(geometry *g, const mc_flat_stage *stage, mc_error *error) {
    const mc_trace *trace = stage->trace;
    bool is_pair = mc_trace_is_versus(trace);
    *g = (geometry){.stage = stage,
                    .metric = stage->metric,
                    .column_count = is_pair ? MC_VERSUS_SIDES : 1,
                    .keys = {.trace = trace}};
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < g->column_count && result == MC_OK; i++) {
        mc_metric metric = stage->desc.metric;
        if (is_pair) metric = mc_versus_get_metric(trace, metric, (mc_versus_values)i);
        result = read_column(g, i, metric, error);
    }
    return result;
}

static const char *format_value(const geometry *g, uint32_t column, uint32_t entry,
                                char text[MC_FORMAT_SIZE]) {
    const mc_tree *tree = g->stage->tree;
    uint64_t word = mc_tree_is_other(tree, entry)
                        ? mc_metric_get_word(g->metric, g->others[column][entry])
                        : g->words[column][tree->node[entry]];
    return mc_format_exact(text, g->metric, word);
}

static uint32_t get_other_count(const mc_tree *tree, uint32_t entry) {
    return mc_tree_is_other(tree, entry) ? tree->other_group_count[tree->other[entry]] : 0;
}

// Of an Other nothing is said: its groups may be of either.
static const char *get_state(const geometry *g, uint32_t entry) {
    const mc_flat_stage *stage = g->stage;
    uint32_t node = stage->tree->node[entry];
    if (mc_tree_is_other(stage->tree, entry)) return "";
    if (!mc_versus_has_node(stage->trace, MC_BEFORE, node)) return "new";
    if (!mc_versus_has_node(stage->trace, MC_AFTER, node)) return "gone";
    return mc_versus_find_move(stage->trace, node, NULL) ? "moved" : "both";
}

// "Heap#java.util" of an Other's parent, and how many groups it stands for.
static void append_tsv(geometry *g, uint32_t entry, uint32_t level) {
    const mc_interval *at = &g->stage->pane.now.intervals[entry];
    const mc_tree *tree = g->stage->tree;
    char text[MC_FORMAT_SIZE];
    mc_node_keys_append_tsv(&g->keys, tree->node[entry], &g->out);
    mc_text_append_string(&g->out, "\t");
    if (mc_tree_is_other(tree, entry))
        mc_text_format(&g->out, "Other (%" PRIu32 " groups)", get_other_count(tree, entry));
    mc_text_format(&g->out, "\t%" PRIu32 "\t%.17g\t%.17g", level, at->from, at->to);
    for (uint32_t i = 0; i < g->column_count && g->column_count > 1; i++)
        mc_text_format(&g->out, "\t%s", format_value(g, i, entry, text));
    if (g->column_count > 1) mc_text_format(&g->out, "\t%s", get_state(g, entry));
    mc_text_append_string(&g->out, "\n");
}

static void append_was(geometry *g, uint32_t node) {
    const mc_trace *trace = g->stage->trace;
    mc_text_append_string(&g->out, ",\"was\":");
    mc_node_append_key_json(mc_versus_get_side(trace, MC_BEFORE),
                            mc_versus_get_node(trace, MC_BEFORE, node), &g->out);
}

static void append_json(geometry *g, uint32_t entry, uint32_t level) {
    const mc_interval *at = &g->stage->pane.now.intervals[entry];
    const mc_tree *tree = g->stage->tree;
    char text[MC_FORMAT_SIZE], after[MC_FORMAT_SIZE];
    mc_text_append_string(&g->out,
                          entry == g->stage->pane.now.root ? "\n{\"key\":" : ",\n{\"key\":");
    mc_node_append_key_json(g->stage->trace, tree->node[entry], &g->out);
    if (mc_tree_is_other(tree, entry))
        mc_text_format(&g->out, ",\"other\":%" PRIu32, get_other_count(tree, entry));
    mc_text_format(&g->out, ",\"level\":%" PRIu32 ",\"from\":%.17g,\"to\":%.17g", level, at->from,
                   at->to);
    if (g->column_count == 1) {
        mc_text_format(&g->out, ",\"value\":%s}", format_value(g, 0, entry, text));
        return;
    }
    mc_text_format(&g->out, ",\"values\":[%s,%s]", format_value(g, MC_BEFORE, entry, text),
                   format_value(g, MC_AFTER, entry, after));
    const char *state = get_state(g, entry);
    if (state[0]) mc_text_format(&g->out, ",\"state\":\"%s\"", state);
    if (state[0] == 'm') append_was(g, tree->node[entry]);
    mc_text_append_string(&g->out, "}");
}

static void append_all(geometry *g, void (*append)(geometry *, uint32_t entry, uint32_t level)) {
    const mc_flat_pane *pane = &g->stage->pane;
    mc_partition_tree partition = mc_tree_get_partition(g->stage->tree);
    mc_node_span span = {pane->now.root, pane->now.root + 1};
    for (uint32_t level = 0; level < pane->now.row_count; level++) {
        for (uint32_t i = span.first; i < span.end && mc_command_pass_on(&g->out); i++)
            append(g, i, level);
        span = mc_partition_get_children(&partition, span);
    }
}

int mc_tree_geometry_print_tsv(const mc_flat_stage *stage) {
    geometry g;
    mc_error error = {0};
    mc_result result = init(&g, stage, &error);
    if (result == MC_OK) {
        mc_text_format(&g.out, "key\tother\tlevel\tfrom\tto%s\n",
                       g.column_count > 1 ? "\tbefore\tafter\tstate" : "");
        append_all(&g, append_tsv);
    }
    deinit(&g);
    if (result == MC_OK) return mc_command_print(&g.out);
    mc_text_deinit(&g.out);
    return mc_command_fail(&error);
}

static void append_head(geometry *g) {
    const mc_trace *trace = g->stage->trace;
    const mc_metric_info *info =
        mc_trace_get_metric(trace, mc_pair_get_plain(trace, g->stage->desc.metric));
    mc_text_append_string(&g->out, "{\"metric\":");
    mc_format_append_json(&g->out, info->key, info->key_size);
    mc_text_format(&g->out, ",\"step\":%" PRIu32, g->stage->step);
    if (g->column_count > 1)
        mc_text_format(&g->out, ",\"steps\":[%" PRIu32 ",%" PRIu32 "]",
                       mc_versus_get_step(trace, MC_BEFORE, g->stage->step),
                       mc_versus_get_step(trace, MC_AFTER, g->stage->step));
    mc_text_append_string(&g->out, ",\"groups\":[");
}

int mc_tree_geometry_print_json(const mc_flat_stage *stage) {
    geometry g;
    mc_error error = {0};
    mc_result result = init(&g, stage, &error);
    if (result == MC_OK) {
        append_head(&g);
        append_all(&g, append_json);
        mc_text_append_string(&g.out, "]}\n");
    }
    deinit(&g);
    if (result == MC_OK) return mc_command_print(&g.out);
    mc_text_deinit(&g.out);
    return mc_command_fail(&error);
}
