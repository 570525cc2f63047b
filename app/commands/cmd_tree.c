#include "app/commands/tree_geometry.h"
#include "app/pair.h"
#include "app/picture/stage_flat.h"
#include "app/picture/stage_options.h"

typedef struct tree_command {
    uint32_t step;
    bool is_tsv, is_json;
    const char *output;
} tree_command;

static int run(mc_stage *stage, tree_command *command) {
    int code = mc_command_get_step(stage->trace, &stage->layout, &command->step);
    if (code == MC_EXIT_OK) code = mc_stage_set_step(stage, command->step);
    if (code == MC_EXIT_OK) code = mc_stage_prepare(stage, 1);
    if (code != MC_EXIT_OK) return code;
    if (command->is_json || command->is_tsv) return mc_tree_geometry_print(stage, command->is_json);
    return mc_stage_write_sheet(stage, mc_flat_view_get_sheet(stage->session->view),
                                command->output);
}

static int check_output(const tree_command *command, bool has_global) {
    bool is_text = command->is_tsv || command->is_json;
    if (is_text && has_global)
        return mc_command_wrong_usage("--global is for pictures, not for --%s",
                                      command->is_tsv ? "tsv" : "json");
    if (command->is_tsv && command->is_json)
        return mc_command_wrong_usage("tree: --tsv and --json can't be combined");
    if (is_text) return MC_EXIT_OK;
    if (!command->output)
        return mc_command_wrong_usage("tree: -o FILE.png, -o FILE.svg, --tsv or --json is missing");
    bool is_fine =
        mc_stage_is_vector(command->output) || mc_command_check_output(command->output, ".png");
    return is_fine ? MC_EXIT_OK : MC_EXIT_USAGE;
}

int mc_command_tree(int argc, const char **argv) {
    tree_command command = {.step = MC_NONE};
    mc_stage_options options;
    uint32_t width, height;
    mc_option_list list = {0};
    mc_stage_options_init_flat(&options, MC_FLAT_SUNBURST);
    mc_option_list_add_file(&list, "o", &command.output, "FILE",
                            "PNG or SVG file to write, which may be a pipe or /dev/stdout");
    mc_option_list_add_flag(
        &list, "tsv", &command.is_tsv,
        "print the geometry instead: full key, number of groups in an Other, level, start and end "
        "as fractions of the whole; with --versus also before, after, state");
    mc_option_list_add_flag(&list, "json", &command.is_json, "print the same as JSON, with values");
    mc_option_list_add_uint(&list, "step", &command.step, "K", "step, counted from 0 (the last)");
    mc_option_list_add_flat_picture(&list, &options);
    mc_option_list_add_flat(&list, "view", &options);
    mc_option_list_add_pair(&list, &options.input.pair, &options.picture.settings.layout);
    mc_option_list_add_input(&list, &options.input);
    mc_option_list_hide(&list, "paths");
    uint32_t path_count;
    int code;
    if (!mc_command_begin(
            &list,
            "memcity tree TRACE… -o FILE.png|FILE.svg [--view V] [--step K] "
            "[--root KEY] [options]\n       memcity tree TRACE… --tsv|--json [options]\n"
            "       memcity tree A --versus B -o FILE.png|FILE.svg|--tsv|--json "
            "[--pair P] [options]",
            "Draws the heap at one step as a sunburst or an icicle; needs no "
            "display.",
            argc, argv, &path_count, &code))
        return code;
    code = check_output(&command, options.flat.has_overview);
    if (code == MC_EXIT_OK && options.picture.settings.layout.pair == MC_PAIR_BOTH)
        code = mc_command_wrong_usage(
            "--pair: expected difference, a or b; only the city shows both side by side (render)");
    if (code == MC_EXIT_OK) code = mc_stage_options_check(&options, &width, &height);
    if (code != MC_EXIT_OK) return code;
    options.flat.is_composed = command.is_tsv || command.is_json;
    options.flat.is_vector = options.flat.is_composed || mc_stage_is_vector(command.output);
    mc_stage stage;
    code = mc_stage_open(&stage, &options, argv, path_count, width, height);
    if (code == MC_EXIT_OK) code = run(&stage, &command);
    mc_stage_deinit(&stage);
    return code;
}
