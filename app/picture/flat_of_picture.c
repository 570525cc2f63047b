#include "app/picture/flat_of_picture.h"

#include <stdio.h>
#include <string.h>

const char *const mc_picture_view_names[] = {"city", "sunburst", "icicle", "icicle-down", NULL};

// What --color says, or else what the wish does.
static const char *get_color_key(const mc_picture_options *picture) {
    const mc_wish *wish = &picture->wish;
    if (picture->color_key) return picture->color_key;
    if (wish->tree_color == MC_FLAT_COLOR_VALUE && wish->look.color_metric[0])
        return wish->look.color_metric;
    return wish->tree_color == MC_FLAT_COLOR_FIRST ? "first" : NULL;
}

int mc_flat_of_picture_init(mc_flat_of_picture *flat, const mc_picture_options *picture,
                            const double size[2]) {
    const mc_wish *wish = &picture->wish;
    if (picture->walk)
        return mc_command_wrong_usage("--walk: in the city alone; say --as city, too");
    if (picture->demolished.count > 0 && !picture->is_lenient)
        return mc_command_wrong_usage("--demolish: in the city alone; say --as city, too");
    mc_flat_options *options = &flat->options;
    *options = mc_flat_options_default();
    options->layout = wish->layout;
    options->form = wish->view - 1;
    options->sort = wish->tree_sort;
    options->color_mode =
        wish->tree_color < MC_FLAT_COLOR_FIRST ? wish->tree_color : MC_FLAT_COLOR_BRANCH;
    options->color_key = get_color_key(picture);
    options->pinned = wish->pinned;
    options->level_count = wish->tree_levels;
    options->is_scaled = wish->tree_scaled;
    options->has_global = true;
    options->has_names = wish->look.names;
    options->has_title = picture->legend;
    options->is_dark = wish->look.dark;
    options->palette = wish->look.palette;
    options->selected = picture->selected;
    options->opened = picture->view ? &picture->view->opened : NULL;
    options->is_lenient = picture->is_lenient;
    options->search = picture->search;
    options->search_is_regex = wish->search_is_regex;
    options->device_name = picture->device_name;
    options->validation = picture->validation;
    memcpy(options->size, size, sizeof options->size);
    if (!wish->tree_pruned) return MC_EXIT_OK;
    snprintf(flat->prune, sizeof flat->prune, "%.17g%%,%u", wish->tree_prune_share * 100,
             wish->tree_prune_most);
    options->prune = flat->prune;
    return MC_EXIT_OK;
}
