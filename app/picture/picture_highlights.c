#include "app/picture/picture_highlights.h"

#include "engine/analyze/search.h"
#include "engine/base/memory.h"
#include "engine/scene/joins.h"
#include "engine/scene/legend.h"
#include <string.h>

static int find_mapping(const mc_picture_highlights *highlights, mc_style_mapping *mapping) {
    const mc_picture_options *picture = highlights->picture;
    const char *lacking = mc_style_mapping_init(mapping, &picture->settings.look, highlights->trace,
                                                highlights->city->desc.metric);
    uint32_t pin = mc_settings_get_pin(&picture->settings);
    uint32_t last = mc_trace_get_step_count(highlights->trace) - 1;
    if (pin != MC_NONE && pin > last && !picture->is_lenient)
        return mc_command_wrong_usage("--pin: the trace has steps 0 to %u", last);
    if (pin != MC_NONE && pin > last)
        mc_message_say("the view's pinned step %u is not in this trace", pin);
    else
        mc_style_mapping_pin(mapping, pin);
    return mc_picture_check_metrics(picture, highlights->trace, lacking);
}

static mc_result init_styles(mc_picture_highlights *highlights, const mc_style_mapping *mapping,
                             mc_error *error) {
    const mc_picture_options *picture = highlights->picture;
    if (!picture->walk && !picture->search && !highlights->demolisher &&
        !mc_style_mapping_is_needed(mapping, highlights->trace, highlights->city->desc.metric))
        return MC_OK;
    mc_result result = mc_style_source_create_mapped(highlights->trace, highlights->city, mapping,
                                                     NULL, &highlights->styles, error);
    if (result == MC_OK) highlights->city->styles = mc_style_source_get(highlights->styles)->items;
    return result;
}

// The stops of the walk stand out.
static mc_result init_walk(mc_picture_highlights *highlights, mc_error *error) {
    const mc_city_desc *city = &highlights->city->desc;
    mc_walk_desc desc = {.metric = city->metric,
                         .window = city->window,
                         .step = city->window.last_step,
                         .from_node = mc_city_get_node(highlights->city, highlights->selected)};
    mc_result result = mc_walk_compute(highlights->trace, &desc, &highlights->walk, error);
    if (result != MC_OK) return result;
    uint32_t stops[MC_WALK_MOST_STOPS];
    for (uint32_t i = 0; i < highlights->walk.count; i++)
        stops[i] = highlights->walk.stops[i].node;
    if (highlights->walk.count == 0)
        mc_message_warn("nothing grew, there is nowhere to walk");
    else if (highlights->walk.end == MC_WALK_END_NO_MAP)
        mc_message_warn("step %u has no references to walk along", desc.step);
    if (highlights->walk.count > 0)
        mc_styles_mark(mc_style_source_get(highlights->styles), highlights->city, stops,
                       highlights->walk.count);
    return mc_link_finder_create(highlights->trace, &highlights->finder, error);
}

static mc_result keep_hits(mc_picture_highlights *highlights, const mc_search_result *found,
                           mc_error *error) {
    const mc_city_desc *city = &highlights->city->desc;
    highlights->hits = mc_alloc((size_t)found->own_count + 1, sizeof *highlights->hits);
    if (!highlights->hits) return mc_error_out_of_memory(error);
    memcpy(highlights->hits, found->own, found->own_count * sizeof *highlights->hits);
    highlights->hit_count = found->own_count;
    return mc_search_sort_at(highlights->trace, city->metric, city->window.last_step, city->window,
                             highlights->hits, highlights->hit_count, error);
}

static mc_result init_search(mc_picture_highlights *highlights, mc_error *error) {
    const char *pattern = highlights->picture->search;
    mc_search *search = NULL;
    mc_search_result found;
    mc_result result = mc_search_create(highlights->trace, &search, error);
    if (result == MC_OK)
        result = mc_search_find(search, pattern, strlen(pattern),
                                highlights->picture->settings.search_is_regex ? MC_SEARCH_REGEX
                                                                              : MC_SEARCH_SUBSTRING,
                                NULL, &found, error);
    if (result == MC_OK) {
        mc_styles_mark_bits(mc_style_source_get(highlights->styles), highlights->city, found.marks,
                            MC_SEARCH_HIT);
        result = keep_hits(highlights, &found, error);
        if (found.own_count == 0) mc_message_warn("nothing has \"%s\" in its key", pattern);
    }
    mc_search_destroy(search);
    return result;
}

static int init_references(mc_picture_highlights *highlights) {
    mc_error error = {0};
    if (mc_city_get_node(highlights->city, highlights->selected) == MC_NONE)
        return mc_command_wrong_usage("--refs: say of what with --select KEY");
    if (!mc_trace_has_references(highlights->trace)) mc_message_warn("the trace has no references");
    mc_result result = mc_link_finder_create(highlights->trace, &highlights->finder, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

static bool has_streets(const mc_picture_highlights *highlights) {
    return highlights->picture->settings.look.streets && !highlights->picture->walk &&
           mc_city_get_node(highlights->city, highlights->selected) != MC_NONE &&
           mc_trace_has_paths(highlights->trace);
}

// A view that was saved of another trace is no mistake.
static int check_streets(const mc_picture_highlights *highlights) {
    const mc_picture_options *picture = highlights->picture;
    if (!picture->settings.look.streets || picture->is_lenient) return MC_EXIT_OK;
    if (picture->walk) return mc_command_wrong_usage("--walk: without --streets");
    if (mc_city_get_node(highlights->city, highlights->selected) == MC_NONE)
        return mc_command_wrong_usage("--streets: say of what with --select KEY");
    if (!mc_trace_has_paths(highlights->trace))
        mc_message_warn("the trace has no retaining paths: import its heap dumps with --paths");
    return MC_EXIT_OK;
}

static mc_result find_roots(mc_picture_highlights *highlights, uint32_t step, mc_error *error) {
    const mc_look *look = &highlights->picture->settings.look;
    mc_theme theme = mc_theme_get(look->dark, (mc_palette)look->palette);
    mc_result result = mc_root_groups_find(highlights->trace, step, &highlights->roots, error);
    if (result != MC_OK) return result;
    if (highlights->city->full_height > 0)
        mc_scale_marks_make(&highlights->markers, highlights->city, &theme);
    else
        mc_root_marks_make(&highlights->markers, &highlights->roots, highlights->city, &theme);
    highlights->city->markers = &highlights->markers;
    return MC_OK;
}

static int init_demolition(mc_picture_highlights *highlights, const mc_what_if_desc *dumps) {
    mc_error error = {0};
    const mc_option_texts *keys = &highlights->picture->demolished;
    for (uint32_t i = 0; i < keys->count; i++) {
        uint32_t node;
        int code = mc_command_find_node(highlights->trace, "--demolish", keys->items[i], &node);
        if (code != MC_EXIT_OK) return code;
        highlights->demolished[highlights->demolished_count++] = node;
    }
    highlights->demolisher = mc_what_if_asker_create(dumps);
    if (highlights->demolisher) return MC_EXIT_OK;
    (void)mc_error_out_of_memory(&error);
    return mc_command_fail(&error);
}

int mc_picture_highlights_init(mc_picture_highlights *highlights, const mc_picture_options *picture,
                               const mc_trace *trace, mc_city *city,
                               const mc_picture_selection *selection,
                               const mc_what_if_desc *dumps) {
    mc_error error = {0};
    *highlights = (mc_picture_highlights){.picture = picture,
                                          .trace = trace,
                                          .city = city,
                                          .selection = *selection,
                                          .selected = selection->structures[0]};
    mc_style_mapping mapping;
    int code = find_mapping(highlights, &mapping);
    if (code == MC_EXIT_OK) code = check_streets(highlights);
    if (code == MC_EXIT_OK && dumps && picture->demolished.count > 0)
        code = init_demolition(highlights, dumps);
    if (code != MC_EXIT_OK) return code;
    mc_result result = init_styles(highlights, &mapping, &error);
    if (result == MC_OK && picture->walk) result = init_walk(highlights, &error);
    if (result == MC_OK && picture->search) result = init_search(highlights, &error);
    // Where they are is to be known before the camera is placed.
    if (result == MC_OK && (picture->settings.look.roots || city->full_height > 0))
        result = find_roots(highlights, city->desc.window.last_step, &error);
    if (result == MC_ERROR_BAD_DATA && picture->search)
        return mc_command_wrong_usage("--search: %s", error.message);
    if (result != MC_OK) return mc_command_fail(&error);
    return picture->references > 0 ? init_references(highlights) : MC_EXIT_OK;
}

void mc_picture_highlights_deinit(mc_picture_highlights *highlights) {
    if (highlights->city && highlights->styles) highlights->city->styles = NULL;
    mc_style_source_destroy(highlights->styles);
    mc_link_finder_destroy(highlights->finder);
    mc_free(highlights->hits);
    mc_walk_deinit(&highlights->walk);
    mc_what_if_asker_destroy(highlights->demolisher);
    mc_what_if_deinit(&highlights->demolition);
    mc_root_groups_deinit(&highlights->roots);
    if (highlights->city) highlights->city->markers = NULL;
    mc_frustums_deinit(&highlights->frustums);
    *highlights = (mc_picture_highlights){0};
}

// The selection's references at the step.
static mc_result find_references(mc_picture_highlights *highlights, uint32_t step, mc_joins *joins,
                                 mc_error *error) {
    uint32_t node = mc_city_get_node(highlights->city, highlights->selected);
    const mc_look *look = &highlights->picture->settings.look;
    const mc_selection *selection = &highlights->selection.nodes;
    if (selection->count > 1) {
        mc_group_links group = {0};
        mc_result found = mc_group_links_find(
            &group, highlights->finder, highlights->trace, step, selection->nodes, selection->count,
            look->show_incoming, look->show_outgoing, look->most_references, error);
        if (found == MC_OK) found = mc_joins_make_group(joins, &group, error);
        mc_group_links_deinit(&group);
        return found;
    }
    mc_links links = {0};
    mc_result result = mc_link_finder_find(highlights->finder, step, node, &links, error);
    if (result != MC_OK) return result;
    mc_links_filter(&links, look->show_incoming, look->show_outgoing, look->most_references);
    result = mc_joins_make_references(joins, node, &links, error);
    mc_links_deinit(&links);
    return result;
}

static mc_result find_chain(mc_picture_highlights *highlights, uint32_t step, mc_joins *joins,
                            mc_error *error) {
    const mc_walk *walk = &highlights->walk;
    uint32_t stops[MC_WALK_MOST_STOPS], count = 0;
    for (; count < walk->count && count < MC_WALK_MOST_STOPS; count++)
        stops[count] = walk->stops[count].node;
    return mc_joins_make_cause_links(joins, highlights->finder, step, stops, count, error);
}

// Those of the selection; if it has none, the way from one to it.
static mc_result add_selection_roots(mc_picture_highlights *highlights, uint32_t step,
                                     mc_joins *joins, mc_error *error) {
    const mc_trace *trace = highlights->trace;
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    uint32_t node = mc_city_get_node(highlights->city, highlights->selected);
    uint32_t before = joins->count;
    uint64_t objects;
    if (node == MC_NONE) return MC_OK;
    mc_result result = mc_trace_read_value(trace, step, MC_METRIC_OBJECTS, node, &objects, error);
    if (result == MC_OK)
        result = mc_joins_add_roots(joins, &highlights->roots, nodes, node, objects, error);
    if (result != MC_OK || joins->count > before || nodes->child_count[node] > 0) return result;
    mc_root_path_finder *finder = NULL;
    mc_root_path trail;
    mc_root_path_desc desc = {.leaf = node};
    result = mc_root_path_finder_create(trace, step, step, &finder, error);
    if (result == MC_OK) result = mc_root_path_finder_find(finder, &desc, &trail, error);
    mc_root_path_finder_destroy(finder);
    return result == MC_OK ? mc_joins_add_root_path(joins, &highlights->roots, &trail, error)
                           : result;
}

static mc_result add_roots(mc_picture_highlights *highlights, uint32_t step, mc_joins *joins,
                           mc_error *error) {
    const mc_walk *walk = &highlights->walk;
    if (!highlights->picture->settings.look.roots) return MC_OK;
    if (!highlights->picture->walk) return add_selection_roots(highlights, step, joins, error);
    return walk->count > 0 && walk->desc.step == step
               ? mc_joins_add_root_path(joins, &highlights->roots, &walk->trail, error)
               : MC_OK;
}

// What of them is new is so since the first step of the time window.
static mc_result add_streets(const mc_picture_highlights *highlights, uint32_t step,
                             mc_joins *joins, mc_error *error) {
    const mc_look *look = &highlights->picture->settings.look;
    const mc_city_desc *city = &highlights->city->desc;
    uint32_t node = mc_city_get_node(highlights->city, highlights->selected), count = 0;
    mc_retaining_tree tree = {.count = 0};
    mc_street *streets = NULL;
    mc_result result = mc_retaining_tree_find(highlights->trace, node, step,
                                              city->window.first_step, &tree, error);
    if (result == MC_OK)
        result =
            mc_streets_find(highlights->trace, &tree, &highlights->roots, &streets, &count, error);
    if (look->most_streets > 0 && look->most_streets < count) count = look->most_streets;
    if (result == MC_OK && count > 0)
        result = mc_joins_add_streets(joins, streets, count, tree.rows[0].whole_bytes, true, error);
    mc_free(streets);
    mc_retaining_tree_deinit(&tree);
    return result;
}

static mc_result join(mc_picture_highlights *highlights, const mc_update_params *params,
                      uint32_t step, const uint64_t *from, const uint64_t *to, mc_error *error) {
    mc_joins joins = {0};
    mc_result result = MC_OK;
    if (highlights->finder && highlights->picture->walk)
        result = find_chain(highlights, step, &joins, error);
    else if (highlights->finder)
        result = find_references(highlights, step, &joins, error);
    if (result == MC_OK && highlights->picture->settings.look.roots)
        result = find_roots(highlights, step, error);
    if (result == MC_OK && has_streets(highlights))
        result = add_streets(highlights, step, &joins, error);
    if (result == MC_OK) result = add_roots(highlights, step, &joins, error);
    if (result == MC_OK)
        result = mc_frustums_make(&highlights->frustums, highlights->city,
                                  mc_trace_get_nodes(highlights->trace), params, from, to,
                                  joins.links, joins.count,
                                  (mc_frustum_arcs)highlights->picture->settings.look.arcs, error);
    mc_joins_deinit(&joins);
    return result;
}

// Of each step its own dump is asked.
static mc_result demolish(mc_picture_highlights *highlights, uint32_t step, mc_error *error) {
    mc_what_if *demolition = &highlights->demolition;
    const uint32_t *nodes = highlights->demolished;
    uint32_t count = highlights->demolished_count;
    mc_result result =
        mc_what_if_asker_ask(highlights->demolisher, step, nodes, count, NULL, demolition, error);
    mc_fallen fallen = {step, nodes, count, demolition->node_objects, demolition->node_bytes};
    return result == MC_OK ? mc_style_source_demolish(highlights->styles, &fallen, error) : result;
}

mc_result mc_picture_highlights_set_step(mc_picture_highlights *highlights,
                                         mc_update_params *params, uint32_t step,
                                         const uint64_t *from, const uint64_t *to, bool is_first,
                                         mc_error *error) {
    mc_result result = MC_OK;
    if (highlights->styles) {
        result = mc_style_source_set_step(highlights->styles, step, is_first, error);
        if (result == MC_OK && highlights->demolisher) result = demolish(highlights, step, error);
        mc_theme theme = mc_theme_get(highlights->picture->settings.look.dark,
                                      (mc_palette)highlights->picture->settings.look.palette);
        mc_legend_apply(mc_style_source_get(highlights->styles), &theme, params);
    }
    if (result == MC_OK &&
        (highlights->finder || highlights->picture->settings.look.roots || has_streets(highlights)))
        result = join(highlights, params, step, from, to, error);
    return result;
}
