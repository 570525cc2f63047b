#include "app/node_text.h"
#include "app/picture/flat_stage.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct tree_command {
    uint32_t step;
    bool is_tsv;
    const char *output;
} tree_command;

// ---- geometry as text

// "Heap#java.util" of an Other's parent, and how many groups it stands for.
static void append_key(mc_flat_stage *stage, mc_node_keys *keys, uint32_t entry, mc_text *out) {
    const mc_tree *tree = stage->tree;
    mc_node_keys_append_tsv(keys, tree->node[entry], out);
    if (mc_tree_is_other(tree, entry))
        mc_text_format(out, "\tOther (%" PRIu32 " groups)",
                       tree->other_group_count[tree->other[entry]]);
    else
        mc_text_append_string(out, "\t");
}

static int print_geometry(mc_flat_stage *stage) {
    const mc_flat_pane *pane = &stage->pane;
    mc_partition_tree partition = mc_tree_get_partition(stage->tree);
    mc_node_keys keys = {.trace = stage->trace};
    mc_text out = {0};
    mc_node_span span = {pane->now.root, pane->now.root + 1};
    mc_text_append_string(&out, "key\tother\tlevel\tfrom\tto\n");
    for (uint32_t level = 0; level < pane->now.row_count; level++) {
        for (uint32_t i = span.first; i < span.end && mc_command_pass_on(&out); i++) {
            append_key(stage, &keys, i, &out);
            mc_text_format(&out, "\t%" PRIu32 "\t%.17g\t%.17g\n", level,
                           pane->now.intervals[i].from, pane->now.intervals[i].to);
        }
        span = mc_partition_get_children(&partition, span);
    }
    mc_node_keys_deinit(&keys);
    return mc_command_print(&out);
}

static int run(mc_flat_stage *stage, tree_command *command) {
    int code = mc_command_get_step(stage->trace, &stage->desc, &command->step);
    if (code == MC_EXIT_OK) code = mc_flat_stage_set_step(stage, command->step, false);
    if (code != MC_EXIT_OK) return code;
    if (command->is_tsv) return print_geometry(stage);
    mc_flat_stage_put_picture(stage, mc_flat_stage_is_vector(command->output));
    return mc_flat_stage_write(stage, command->output);
}

static int check_output(const tree_command *command, bool has_global) {
    if (command->is_tsv && has_global)
        return mc_command_wrong_usage("--global: of a picture, not of --tsv");
    if (command->is_tsv) return MC_EXIT_OK;
    if (!command->output)
        return mc_command_wrong_usage("tree: say where to with -o FILE.png or -o FILE.svg, or "
                                      "--tsv");
    bool is_fine = mc_flat_stage_is_vector(command->output) ||
                   mc_command_check_output(command->output, ".png");
    return is_fine ? MC_EXIT_OK : MC_EXIT_USAGE;
}

int mc_command_tree(int argc, const char **argv) {
    tree_command command = {.step = MC_NONE};
    mc_flat_options options = mc_flat_options_default();
    mc_input_options input = {0};
    mc_option_list list = {0};
    mc_option_list_add_file(&list, "o", &command.output, "FILE",
                            "the PNG or SVG file to write; a pipe and /dev/stdout are fine, too");
    mc_option_list_add_flag(&list, "tsv", &command.is_tsv,
                            "print the geometry instead: full key, level, from, to as shares of "
                            "the whole");
    mc_option_list_add_uint(&list, "step", &command.step, "K",
                            "which step, counted from 0 (the last)");
    mc_option_list_add_flat_picture(&list, &options);
    mc_option_list_add_flat(&list, "view", &options);
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "paths");
    uint32_t path_count;
    int code;
    if (!mc_command_begin(&list,
                          "memcity tree TRACE… -o FILE.png|FILE.svg [--view V] [--step K] "
                          "[--root KEY] [options]\n       memcity tree TRACE… --tsv [options]",
                          "Draws the heap at one step as a sunburst or an icicle; needs no "
                          "display.",
                          argc, argv, &path_count, &code))
        return code;
    code = check_output(&command, options.has_global);
    if (code != MC_EXIT_OK) return code;
    mc_flat_stage stage;
    code = mc_flat_stage_init(&stage, &options, argv, path_count, &input);
    if (code == MC_EXIT_OK) code = run(&stage, &command);
    mc_flat_stage_deinit(&stage);
    return code;
}
