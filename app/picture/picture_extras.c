#include "app/picture/picture_extras.h"

#include "engine/analyze/search.h"
#include "engine/base/memory.h"
#include "engine/scene/joins.h"
#include "engine/scene/legend.h"
#include <string.h>

static mc_result init_styles(mc_picture_extras *extras, mc_error *error) {
    const mc_picture_options *picture = extras->picture;
    mc_color_mode color_mode = (mc_color_mode)picture->wish.look.color_mode;
    mc_height_mode height_mode = (mc_height_mode)picture->wish.look.height_mode;
    if (color_mode == MC_COLOR_MODE_GROWTH && height_mode == MC_HEIGHT_MODE_METRIC &&
        !picture->walk && !picture->search)
        return MC_OK;
    mc_result result = mc_style_source_create(extras->trace, extras->city, color_mode, height_mode,
                                              NULL, &extras->styles, error);
    if (result == MC_OK) extras->city->styles = mc_style_source_get(extras->styles)->items;
    return result;
}

// The stops of the walk stand out.
static mc_result init_walk(mc_picture_extras *extras, mc_error *error) {
    const mc_city_desc *city = &extras->city->desc;
    mc_walk_desc desc = {.metric = city->metric,
                         .window = city->window,
                         .step = city->window.last_step,
                         .from_node = mc_city_get_node(extras->city, extras->selected)};
    mc_result result = mc_walk_compute(extras->trace, &desc, &extras->walk, error);
    if (result != MC_OK) return result;
    uint32_t stops[MC_WALK_MOST_STOPS];
    for (uint32_t i = 0; i < extras->walk.count; i++)
        stops[i] = extras->walk.stops[i].node;
    if (extras->walk.count == 0)
        mc_message_warn("nothing grew, there is nowhere to walk");
    else if (extras->walk.end == MC_WALK_END_NO_MAP)
        mc_message_warn("step %u has no references to walk along", desc.step);
    if (extras->walk.count > 0)
        mc_styles_mark(mc_style_source_get(extras->styles), extras->city, stops,
                       extras->walk.count);
    return mc_link_finder_create(extras->trace, &extras->finder, error);
}

static mc_result init_search(mc_picture_extras *extras, mc_error *error) {
    const char *pattern = extras->picture->search;
    mc_search *search = NULL;
    mc_search_result found;
    mc_result result = mc_search_create(extras->trace, &search, error);
    if (result == MC_OK)
        result = mc_search_find(search, pattern, strlen(pattern),
                                extras->picture->wish.search_is_regex ? MC_SEARCH_REGEX
                                                                      : MC_SEARCH_SUBSTRING,
                                NULL, &found, error);
    if (result == MC_OK) {
        mc_styles_mark_bits(mc_style_source_get(extras->styles), extras->city, found.marks,
                            MC_SEARCH_HIT);
        extras->hit_count = found.own_count;
        if (found.own_count == 0) mc_message_warn("nothing has \"%s\" in its key", pattern);
    }
    mc_search_destroy(search);
    return result;
}

static int init_references(mc_picture_extras *extras) {
    mc_error error = {0};
    if (mc_city_get_node(extras->city, extras->selected) == MC_NONE)
        return mc_command_wrong_usage("--refs: say of what with --select KEY");
    if (!mc_trace_has_references(extras->trace)) mc_message_warn("the trace has no references");
    mc_result result = mc_link_finder_create(extras->trace, &extras->finder, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

int mc_picture_extras_init(mc_picture_extras *extras, const mc_picture_options *picture,
                           const mc_trace *trace, mc_city *city, mc_structure selected) {
    mc_error error = {0};
    *extras =
        (mc_picture_extras){.picture = picture, .trace = trace, .city = city, .selected = selected};
    mc_result result = init_styles(extras, &error);
    if (result == MC_OK && picture->walk) result = init_walk(extras, &error);
    if (result == MC_OK && picture->search) result = init_search(extras, &error);
    if (result == MC_ERROR_BAD_DATA && picture->search)
        return mc_command_wrong_usage("--search: %s", error.message);
    if (result != MC_OK) return mc_command_fail(&error);
    return picture->references > 0 ? init_references(extras) : MC_EXIT_OK;
}

void mc_picture_extras_deinit(mc_picture_extras *extras) {
    if (extras->city && extras->styles) extras->city->styles = NULL;
    mc_style_source_destroy(extras->styles);
    mc_link_finder_destroy(extras->finder);
    mc_walk_deinit(&extras->walk);
    mc_frustums_deinit(&extras->frustums);
    *extras = (mc_picture_extras){0};
}

// The selection's references at the step.
static mc_result find_references(mc_picture_extras *extras, uint32_t step, mc_joins *joins,
                                 mc_error *error) {
    uint32_t node = mc_city_get_node(extras->city, extras->selected);
    const mc_look *look = &extras->picture->wish.look;
    mc_links links = {0};
    mc_result result = mc_link_finder_find(extras->finder, step, node, &links, error);
    if (result != MC_OK) return result;
    mc_links_filter(&links, look->show_incoming, look->show_outgoing, look->most_references);
    result = mc_joins_make_references(joins, node, &links, error);
    mc_links_deinit(&links);
    return result;
}

static mc_result find_chain(mc_picture_extras *extras, uint32_t step, mc_joins *joins,
                            mc_error *error) {
    const mc_walk *walk = &extras->walk;
    uint32_t stops[MC_WALK_MOST_STOPS], count = 0;
    for (; count < walk->count && count < MC_WALK_MOST_STOPS; count++)
        stops[count] = walk->stops[count].node;
    return mc_joins_make_chain(joins, extras->finder, step, stops, count, error);
}

static mc_result join(mc_picture_extras *extras, const mc_update_params *params, uint32_t step,
                      const uint64_t *from, const uint64_t *to, mc_error *error) {
    mc_joins joins = {0};
    mc_result result = extras->picture->walk ? find_chain(extras, step, &joins, error)
                                             : find_references(extras, step, &joins, error);
    if (result == MC_OK)
        result = mc_frustums_make(
            &extras->frustums, extras->city, mc_trace_get_nodes(extras->trace), params, from, to,
            joins.links, joins.count, (mc_frustum_arcs)extras->picture->wish.look.arcs, error);
    mc_joins_deinit(&joins);
    return result;
}

mc_result mc_picture_extras_set_step(mc_picture_extras *extras, mc_update_params *params,
                                     uint32_t step, const uint64_t *from, const uint64_t *to,
                                     bool is_first, mc_error *error) {
    mc_result result = MC_OK;
    if (extras->styles) {
        result = mc_style_source_set_step(extras->styles, step, is_first, error);
        mc_theme theme = mc_theme_get(extras->picture->wish.look.dark,
                                      (mc_palette)extras->picture->wish.look.palette);
        mc_legend_apply(mc_style_source_get(extras->styles), &theme, params);
    }
    if (result == MC_OK && extras->finder) result = join(extras, params, step, from, to, error);
    return result;
}
