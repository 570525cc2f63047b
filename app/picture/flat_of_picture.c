#include "app/picture/flat_of_picture.h"

#include <stdio.h>
#include <string.h>

const char *const mc_picture_view_names[] = {"city", "sunburst", "icicle", "icicle-down", NULL};

// What --color says, or else what the settings do.
static const char *get_color_key(const mc_picture_options *picture) {
    const mc_settings *settings = &picture->settings;
    if (picture->color_key) return picture->color_key;
    if (settings->tree_color == MC_FLAT_COLOR_VALUE && settings->look.color_metric[0])
        return settings->look.color_metric;
    return settings->tree_color == MC_FLAT_COLOR_FIRST ? "first" : NULL;
}

int mc_flat_of_picture_init(mc_flat_of_picture *flat, const mc_picture_options *picture,
                            const double size[2]) {
    const mc_settings *settings = &picture->settings;
    if (picture->walk)
        return mc_command_wrong_usage("--walk: in the city alone; say --as city, too");
    if (picture->demolished.count > 0 && !picture->is_lenient)
        return mc_command_wrong_usage("--demolish: in the city alone; say --as city, too");
    mc_flat_options *options = &flat->options;
    *options = mc_flat_options_default();
    options->layout = settings->layout;
    options->form = settings->view - 1;
    options->sort = settings->tree_sort;
    options->color_mode =
        settings->tree_color < MC_FLAT_COLOR_FIRST ? settings->tree_color : MC_FLAT_COLOR_BRANCH;
    options->color_key = get_color_key(picture);
    options->pinned = settings->pinned;
    options->level_count = settings->tree_levels;
    options->is_scaled = settings->tree_scaled;
    options->has_global = true;
    options->has_names = settings->look.names;
    options->has_title = picture->legend;
    options->is_dark = settings->look.dark;
    options->palette = settings->look.palette;
    options->selected = picture->selected;
    options->opened = picture->view ? &picture->view->opened : NULL;
    options->is_lenient = picture->is_lenient;
    options->search = picture->search;
    options->search_is_regex = settings->search_is_regex;
    options->device_name = picture->device_name;
    options->validation = picture->validation;
    memcpy(options->size, size, sizeof options->size);
    if (!settings->tree_pruned) return MC_EXIT_OK;
    snprintf(flat->prune, sizeof flat->prune, "%.17g%%,%u", settings->tree_prune_share * 100,
             settings->tree_prune_most);
    options->prune = flat->prune;
    return MC_EXIT_OK;
}
