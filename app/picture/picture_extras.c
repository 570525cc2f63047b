#include "app/picture/picture_extras.h"

#include "engine/analyze/search.h"
#include "engine/base/memory.h"
#include "engine/scene/legend.h"
#include <string.h>

enum { REFERENCES_NONE, REFERENCES_BOTH, REFERENCES_INCOMING, REFERENCES_OUTGOING };

static int find_color(const mc_picture_extras *extras, mc_style_mapping *mapping) {
    const char *key = extras->picture->color_key;
    if (!key) return MC_EXIT_OK;
    for (uint32_t i = 0; mc_color_mode_names[i]; i++) {
        if (strcmp(key, mc_color_mode_names[i]) != 0) continue;
        mapping->color_mode = (mc_color_mode)i;
        return MC_EXIT_OK;
    }
    bool is_first = strcmp(key, "first") == 0;
    mapping->color_mode = is_first ? MC_COLOR_MODE_FIRST : MC_COLOR_MODE_VALUE;
    return is_first ? MC_EXIT_OK
                    : mc_command_find_metric(extras->trace,
                                             "--color: growth, step, trend, level, role, first, or "
                                             "a metric",
                                             key, &mapping->color_metric);
}

// What the options map, with metrics by their names.
static int find_mapping(const mc_picture_extras *extras, mc_style_mapping *mapping) {
    const mc_picture_options *picture = extras->picture;
    const char *height = picture->height_key;
    *mapping = (mc_style_mapping){(mc_color_mode)picture->color_mode,
                                  (mc_height_mode)picture->height_mode, MC_NONE, MC_NONE};
    int code = find_color(extras, mapping);
    if (code != MC_EXIT_OK || !height) return code;
    mapping->height_mode = MC_HEIGHT_MODE_METRIC;
    if (strcmp(height, "auto") == 0) return MC_EXIT_OK;
    return mc_command_find_metric(extras->trace, "--height: auto, or a metric", height,
                                  &mapping->height_metric);
}

static mc_result init_styles(mc_picture_extras *extras, const mc_style_mapping *mapping,
                             mc_error *error) {
    const mc_picture_options *picture = extras->picture;
    if (mapping->color_mode == MC_COLOR_MODE_GROWTH && mapping->height_metric == MC_NONE &&
        mapping->height_mode == MC_HEIGHT_MODE_METRIC && !picture->walk && !picture->search)
        return MC_OK;
    mc_result result = mc_style_source_create_mapped(extras->trace, extras->city, mapping, NULL,
                                                     &extras->styles, error);
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
                                extras->picture->regex ? MC_SEARCH_REGEX : MC_SEARCH_SUBSTRING,
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
    mc_style_mapping mapping;
    int code = find_mapping(extras, &mapping);
    if (code != MC_EXIT_OK) return code;
    mc_result result = init_styles(extras, &mapping, &error);
    if (result == MC_OK && picture->walk) result = init_walk(extras, &error);
    if (result == MC_OK && picture->search) result = init_search(extras, &error);
    if (result == MC_ERROR_BAD_DATA && picture->search)
        return mc_command_wrong_usage("--search: %s", error.message);
    if (result != MC_OK) return mc_command_fail(&error);
    return picture->references != REFERENCES_NONE ? init_references(extras) : MC_EXIT_OK;
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
static mc_result find_references(mc_picture_extras *extras, uint32_t step, mc_frustum_link **ends,
                                 uint32_t *count, mc_error *error) {
    uint32_t node = mc_city_get_node(extras->city, extras->selected);
    uint32_t wanted = extras->picture->references;
    mc_links links = {0};
    mc_result result = mc_link_finder_find(extras->finder, step, node, &links, error);
    if (result != MC_OK) return result;
    mc_links_filter(&links, wanted != REFERENCES_OUTGOING, wanted != REFERENCES_INCOMING,
                    extras->picture->most_references);
    *ends = mc_alloc((size_t)links.count + 1, sizeof **ends);
    for (uint32_t i = 0; *ends && i < links.count; i++)
        (*ends)[i] = mc_frustum_get_link(node, &links.links[i]);
    *count = links.count;
    mc_links_deinit(&links);
    return *ends ? MC_OK : mc_error_out_of_memory(error);
}

// The walk's links as they are at the step.
static mc_result find_chain(mc_picture_extras *extras, uint32_t step, mc_frustum_link **ends,
                            uint32_t *count, mc_error *error) {
    const mc_walk *walk = &extras->walk;
    *ends = mc_alloc((size_t)walk->count + 1, sizeof **ends);
    if (!*ends) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i + 1 < walk->count; i++) {
        mc_links links = {0};
        mc_result result =
            mc_link_finder_find(extras->finder, step, walk->stops[i].node, &links, error);
        if (result != MC_OK) return result;
        for (uint32_t k = 0; k < links.count; k++) {
            if (links.links[k].partner != walk->stops[i + 1].node ||
                links.links[k].direction != MC_LINK_INCOMING)
                continue;
            (*ends)[(*count)++] = mc_frustum_get_chain_link(walk->stops[i].node, &links.links[k]);
        }
        mc_links_deinit(&links);
    }
    return MC_OK;
}

static mc_result join(mc_picture_extras *extras, const mc_update_params *params, uint32_t step,
                      const uint64_t *from, const uint64_t *to, mc_error *error) {
    mc_frustum_link *ends = NULL;
    uint32_t count = 0;
    mc_result result = extras->picture->walk ? find_chain(extras, step, &ends, &count, error)
                                             : find_references(extras, step, &ends, &count, error);
    if (result == MC_OK)
        result = mc_frustums_make(&extras->frustums, extras->city,
                                  mc_trace_get_nodes(extras->trace), params, from, to, ends, count,
                                  (mc_frustum_arcs)extras->picture->arcs, error);
    mc_free(ends);
    return result;
}

mc_result mc_picture_extras_set_step(mc_picture_extras *extras, mc_update_params *params,
                                     uint32_t step, const uint64_t *from, const uint64_t *to,
                                     bool is_first, mc_error *error) {
    mc_result result = MC_OK;
    if (extras->styles) {
        result = mc_style_source_set_step(extras->styles, step, is_first, error);
        mc_theme theme = mc_theme_get(extras->picture->dark, (mc_palette)extras->picture->palette);
        mc_legend_apply(mc_style_source_get(extras->styles), &theme, params);
    }
    if (result == MC_OK && extras->finder) result = join(extras, params, step, from, to, error);
    return result;
}
