#include "app/command.h"
#include "app/node_text.h"
#include "engine/analyze/subtree.h"
#include "engine/base/memory.h"

// Everything that a layout of the trace's nodes needs, in the order in which it comes about.
typedef struct plan {
    mc_subtree part; // what is laid out; all columns below are over its nodes
    mc_max_tree tree;
    mc_pruning pruning;
    double *weight, *columns;
    uint32_t *child_count, *child_order;
    mc_treemap_columns plots;
} plan;

static void plan_deinit(plan *p) {
    mc_subtree_deinit(&p->part);
    mc_max_tree_deinit(&p->tree);
    mc_pruning_deinit(&p->pruning);
    mc_free(p->weight);
    mc_free(p->columns);
    mc_free(p->child_count);
    mc_free(p->child_order);
}

static mc_result make_plan(plan *p, const mc_trace *trace, const mc_city_desc *desc,
                           mc_error *error) {
    const mc_node_columns *nodes = &p->part.nodes;
    mc_result result =
        mc_max_tree_compute(&p->tree, trace, desc->metric, desc->window, NULL, error);
    if (result == MC_OK)
        result = mc_subtree_init(&p->part, mc_trace_get_nodes(trace), desc->root_node, error);
    if (result == MC_OK) result = mc_subtree_cut_max_tree(&p->part, &p->tree, error);
    if (result == MC_OK)
        result = mc_pruning_compute(&p->pruning, &p->tree, nodes, desc->child_limit, error);
    if (result != MC_OK) return result;
    uint32_t count = nodes->count;
    p->weight = mc_alloc(count, sizeof *p->weight);
    p->columns = mc_alloc(count, 5 * sizeof *p->columns);
    p->child_count = mc_alloc(count, sizeof *p->child_count);
    p->child_order = mc_alloc(count, sizeof *p->child_order);
    if (!p->weight || !p->columns || !p->child_count || !p->child_order)
        return mc_error_out_of_memory(error);
    for (uint32_t node = 0; node < count; node++)
        p->weight[node] = mc_scaling_apply(desc->scaling, (double)p->tree.max[node]);
    p->plots = (mc_treemap_columns){.x0 = p->columns,
                                    .y0 = p->columns + count,
                                    .x1 = p->columns + (size_t)count * 2,
                                    .y1 = p->columns + (size_t)count * 3,
                                    .value = p->columns + (size_t)count * 4,
                                    .visible_child_count = p->child_count,
                                    .child_order = p->child_order};
    mc_tree_view view = {.count = count,
                         .parent = nodes->parent,
                         .first_child = nodes->first_child,
                         .child_count = nodes->child_count,
                         .level = nodes->level,
                         .sum_order = nodes->child_by_appearance,
                         .weight = p->weight,
                         .visible = p->pruning.visible};
    result = mc_scaling_layout(desc->scaling, &desc->treemap, &view, NULL, &p->plots);
    return result == MC_OK ? MC_OK : mc_error_out_of_memory(error);
}

static void write_plots(const mc_trace *trace, const plan *p, mc_text *out) {
    const mc_treemap_columns *plots = &p->plots;
    mc_node_keys keys = {.trace = trace};
    for (uint32_t node = 0; node < p->part.nodes.count && mc_command_pass_on(out); node++) {
        if (!p->pruning.visible[node]) continue;
        mc_node_keys_append_tsv(&keys, mc_subtree_get_node(&p->part, node), out);
        mc_text_format(out, "\t%.17g\t%.17g\t%.17g\t%.17g\n", plots->x0[node], plots->y0[node],
                       plots->x1[node], plots->y1[node]);
    }
    mc_node_keys_deinit(&keys);
}

int mc_command_layout(int argc, const char **argv) {
    bool tsv = true;
    mc_input_options input = {0};
    mc_layout_options layout = mc_layout_options_default();
    layout.is_whole = true;
    mc_option_list list = {0};
    mc_option_list_add_layout(&list, &layout);
    mc_option_list_add_ground_size(&list, &layout, "size");
    mc_option_list_add_flag(&list, "tsv", &tsv, "print tab-separated values (the only format)");
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "paths");
    uint32_t path_count;
    int code;
    if (!mc_command_begin(
            &list,
            "memcity layout TRACE… [--metric M] [--scaling S] [--tiling T] [--padding P] "
            "[--size WxH] --tsv",
            "Prints the plot of every node: full key, x0, y0, x1, y1. The part of a district that "
            "belongs to\nno child has its own plot, named after the district.",
            argc, argv, &path_count, &code))
        return code;

    mc_trace *trace = NULL;
    mc_city_desc desc;
    input.groups_as_usual = true;
    code = mc_command_open_for_layout(argv, path_count, &input, &layout, &trace, &desc);
    if (code == MC_EXIT_OK) {
        plan p = {0};
        mc_error error = {0};
        mc_text out = {0};
        bool adds_up = mc_trace_get_metric(trace, desc.metric)->is_additive;
        if (make_plan(&p, trace, &desc, &error) == MC_OK) {
            mc_command_tell_hidden(p.pruning.hidden_leaf_count,
                                   adds_up ? p.pruning.hidden_share : -1);
            write_plots(trace, &p, &out);
            code = mc_command_print(&out);
        } else {
            code = mc_command_fail(&error);
        }
        plan_deinit(&p);
    }
    mc_trace_destroy(trace);
    return code;
}
