#include "app/picture/stage_options.h"

#include "engine/scene/flat_color.h"
#include <stdlib.h>
#include <string.h>

const char *const mc_picture_view_names[] = {"city", "sunburst", "icicle", "icicle-down", NULL};

static const char *const *const form_names = mc_picture_view_names + 1;
// As mc_flat_color_mode_names; the others are said by --color.
static const char *const color_names[] = {"branch", "growth", "level", "role", "step",
                                          "trend",  "first",  "owner", NULL};
static const char *const palette_names[] = {"heat", "color-blind-safe", NULL};

void mc_stage_options_init(mc_stage_options *options, double width, double height) {
    *options = (mc_stage_options){.size = {width, height},
                                  .picture = mc_picture_options_default(),
                                  .flat = {.has_overview = true}};
    options->view.picture = &options->picture;
    options->view.pair = &options->input.pair;
}

void mc_stage_options_init_flat(mc_stage_options *options, uint32_t form) {
    mc_stage_options_init(options, 1280, 720);
    options->picture.settings.look.names = options->picture.legend = true;
    options->flat = (mc_flat_picture){.form = form};
    options->is_flat = true;
}

void mc_stage_options_deinit(mc_stage_options *options) {
    mc_view_option_deinit(&options->view);
}

void mc_option_list_add_stage(mc_option_list *list, mc_stage_options *options) {
    mc_option_list_add_view(list, &options->view);
    mc_option_list_add_picture(list, &options->picture);
    mc_option_list_add_ground_size(list, &options->picture.settings.layout, "ground-size");
    mc_option_list_add_pair(list, &options->input.pair, &options->picture.settings.layout);
    mc_option_list_add_input(list, &options->input);
}

void mc_option_list_add_flat(mc_option_list *list, const char *form_name,
                             mc_stage_options *options) {
    mc_picture_options *picture = &options->picture;
    mc_settings *settings = &picture->settings;
    mc_option_list_add_choice(
        list, form_name, &options->flat.form, form_names, "V",
        "draw rings around the root, columns to its right, or rows below it (sunburst)");
    mc_option_list_add_metric(list, &settings->layout);
    mc_option_list_add_window(
        list, &settings->layout,
        "time window: use only steps A to B, counted from 0, for order and growth");
    mc_option_list_add_string(list, "root", &settings->layout.root_key, "KEY",
                              "show only the group with this full key");
    mc_option_list_add_uint(list, "levels", &settings->tree_levels, "D",
                            "number of levels below the root (0: all)");
    mc_option_list_add_choice(
        list, "sort", &settings->tree_sort, mc_tree_sort_names, "S",
        "order siblings by growth over the time window, or by size at its start or end (growth)");
    mc_option_list_add_string(list, "prune", &options->prune, "P%,N",
                              "keep the first children up to P % of their parent, at most N, and "
                              "merge the rest into a gray Other (off)");
    mc_option_list_add_choice(
        list, "color-by", &settings->tree_color, color_names, "C",
        "colour by branch of the first level, growth since the first step of the time window or "
        "since the step before, steady growth, classes, step of first appearance, or growth with "
        "all that is kept alive (branch)");
    mc_option_list_add_string(
        list, "color", &picture->color_key, "WHAT",
        "colour by: as --color-by, or first, the step of first appearance, or a metric");
    mc_option_list_add(list, (mc_option){.name = "select",
                                         .kind = MC_OPTION_LIST,
                                         .target = &picture->selected,
                                         .argument = "KEY",
                                         .help = "frame the group with this full key, or the only "
                                                 "one whose key ends so; repeatable"});
    mc_option_list_add(list, (mc_option){.name = "pin",
                                         .kind = MC_OPTION_STEPS,
                                         .target = &settings->pinned,
                                         .argument = "K",
                                         .help = "colour by growth and shrinkage since step K"});
    mc_option_list_add_string(list, "search", &picture->search, "PATTERN",
                              "highlight only groups whose full key contains the pattern");
    mc_option_list_add_flag(list, "regex", &settings->search_is_regex,
                            "treat the pattern of --search as a regular expression");
    mc_option_list_add(list, (mc_option){.name = "no-labels",
                                         .kind = MC_OPTION_FLAG,
                                         .target = &settings->look.names,
                                         .value = false,
                                         .help = "draw no names in segments"});
    mc_option_list_add_size(list, "size", options->size,
                            "size of the picture in pixels (1280x720)");
    mc_option_list_add_flag(list, "dark", &settings->look.dark, "use the dark theme");
    mc_option_list_add_choice(list, "palette", &settings->look.palette, palette_names, "P",
                              "colour palette of growth");
    mc_option_list_add_device(list, picture);
}

void mc_option_list_add_flat_picture(mc_option_list *list, mc_stage_options *options) {
    mc_option_list_add_flag(list, "scaled", &options->picture.settings.tree_scaled,
                            "scale the area to the heap's size at the step; the largest of the "
                            "time window fills the picture");
    mc_option_list_add_flag(
        list, "global", &options->flat.has_overview,
        "draw the whole heap beside the picture where --root or --levels hides a part");
}

// "90%,9"
static int read_pruning(const char *text, mc_settings *settings) {
    if (!text || strcmp(text, "off") == 0) return MC_EXIT_OK;
    char *end;
    double share = strtod(text, &end);
    bool is_fine = end != text && *end == '%' && share > 0 && share <= 100;
    unsigned long most = 0;
    if (is_fine && end[1] == ',' && end[2] >= '0' && end[2] <= '9') {
        most = strtoul(end + 2, &end, 10);
        is_fine = *end == '\0' && most > 0 && most < MC_NONE;
    } else {
        is_fine = false;
    }
    if (!is_fine)
        return mc_command_wrong_usage("--prune: expected a share and a number, such as 90%%,9, or "
                                      "off, not \"%s\"",
                                      text);
    settings->tree_pruned = true;
    settings->tree_prune_share = share / 100;
    settings->tree_prune_most = (uint32_t)most;
    return MC_EXIT_OK;
}

// An icicle whose rows go down is a form of one view, not another.
static int check_flat(mc_stage_options *options) {
    mc_picture_options *picture = &options->picture;
    if (picture->walk)
        return mc_command_wrong_usage("--walk: works in the city only: add --as city");
    if (picture->demolished.count > 0 && !picture->is_lenient)
        return mc_command_wrong_usage("--demolish: works in the city only: add --as city");
    options->flat.form = picture->settings.view - 1;
    if (options->flat.form > MC_FLAT_ICICLE) picture->settings.view = MC_FLAT_ICICLE + 1;
    return read_pruning(options->prune, &picture->settings);
}

int mc_stage_options_check(mc_stage_options *options, uint32_t *width, uint32_t *height) {
    mc_picture_options *picture = &options->picture;
    if (options->is_flat) picture->settings.view = options->flat.form + 1;
    int code = mc_picture_check(picture);
    options->input.pair.has_before_places = picture->settings.layout.pair == MC_PAIR_A;
    if (!options->input.pair.align) options->input.pair.align = picture->settings.layout.align;
    if (code == MC_EXIT_OK) code = mc_stage_check_size(options->size, width, height);
    return code == MC_EXIT_OK && picture->settings.view != 0 ? check_flat(options) : code;
}

int mc_stage_open(mc_stage *stage, const mc_stage_options *options, const char *const *paths,
                  uint32_t path_count, uint32_t width, uint32_t height) {
    mc_input_options input = options->input;
    mc_picture_apply_to_input(&options->picture, &input);
    mc_stage_desc desc = {.paths = paths,
                          .path_count = path_count,
                          .input = &input,
                          .picture = &options->picture,
                          .width = width,
                          .height = height,
                          .flat = options->flat};
    return mc_stage_init(stage, &desc);
}
