#include "app/node_text.h"
#include "app/picture/flat_stage.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define MARGIN 16 // of a picture, times the sheet's scale
#define TITLE 44

typedef struct tree_command {
    uint32_t step;
    bool is_tsv, has_global;
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

// ---- a picture

static void put_empty(mc_flat_stage *stage) {
    mc_flat_sheet *sheet = &stage->sheet;
    mc_text text = {0};
    mc_node_append_path_line(stage->trace, stage->desc.root_node, &text);
    mc_text_format(&text, " is not there at step %" PRIu32, stage->step);
    mc_drawn_text line = {.text = text.data ? text.data : "",
                          .x = (float)stage->width / 2,
                          .y = (float)stage->height / 2,
                          .room = (float)stage->width * 0.9f,
                          .color = mc_flat_sheet_get_ink(sheet, MC_INK_MUTED),
                          .font = MC_DRAWN_REGULAR};
    mc_flat_sheet_put_text(sheet, &line);
    mc_text_deinit(&text);
}

static void put_figure(mc_flat_stage *stage, mc_flat_rect rect) {
    uint32_t selected[1];
    mc_flat_figure figure = mc_flat_stage_get_figure(stage, rect, selected);
    mc_flat_figure_put(&stage->sheet, &figure);
}

static int draw(mc_flat_stage *stage, const tree_command *command) {
    mc_flat_stage_begin_sheet(stage, mc_flat_stage_is_vector(command->output));
    double scale = (double)stage->sheet.scale, margin = MARGIN * scale;
    double top = margin + TITLE * scale;
    mc_flat_rect rect = {margin, top, stage->width - margin, stage->height - margin};
    mc_flat_stage_put_title(stage, (float)margin, (float)margin, true);
    if (stage->totals[stage->step] == 0)
        put_empty(stage);
    else
        put_figure(stage, rect);
    return mc_flat_stage_write(stage, command->output);
}

static int run(mc_flat_stage *stage, tree_command *command) {
    int code = mc_command_get_step(stage->trace, &stage->desc, &command->step);
    if (code == MC_EXIT_OK) code = mc_flat_stage_set_step(stage, command->step, false);
    if (code != MC_EXIT_OK) return code;
    return command->is_tsv ? print_geometry(stage) : draw(stage, command);
}

static int check_output(const tree_command *command) {
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
    mc_option_list_add_flag(&list, "scaled", &options.is_scaled,
                            "the area is the heap's at that step, the window's largest fills the "
                            "picture");
    mc_option_list_add_flat(&list, &options);
    mc_option_list_add_input(&list, &input);
    uint32_t path_count;
    int code;
    if (!mc_command_begin(&list,
                          "memcity tree TRACE… -o FILE.png|FILE.svg [--view V] [--step K] "
                          "[--root KEY] [options]\n       memcity tree TRACE… --tsv [options]",
                          "Draws the heap at one step as a sunburst or an icicle; needs no "
                          "display.",
                          argc, argv, &path_count, &code))
        return code;
    code = check_output(&command);
    if (code != MC_EXIT_OK) return code;
    mc_flat_stage stage;
    code = mc_flat_stage_init(&stage, &options, argv, path_count, &input);
    if (code == MC_EXIT_OK) code = run(&stage, &command);
    mc_flat_stage_deinit(&stage);
    return code;
}
