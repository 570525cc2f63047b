#include "app/picture_extras.h"

#include "engine/base/memory.h"
#include "engine/render/legend.h"
#include <stdio.h>

enum { REFERENCES_NONE, REFERENCES_BOTH, REFERENCES_INCOMING, REFERENCES_OUTGOING };

int mc_picture_extras_init(mc_picture_extras *extras, const mc_picture_options *picture,
                           const mc_trace *trace, mc_city *city, mc_structure selected) {
    mc_error error = {0};
    mc_result result = MC_OK;
    *extras =
        (mc_picture_extras){.picture = picture, .trace = trace, .city = city, .selected = selected};
    mc_color_mode color_mode = (mc_color_mode)picture->color_mode;
    mc_height_mode height_mode = (mc_height_mode)picture->height_mode;
    if (color_mode != MC_COLOR_MODE_GROWTH || height_mode != MC_HEIGHT_MODE_METRIC)
        result = mc_style_source_create(trace, city, color_mode, height_mode, NULL, &extras->styles,
                                        &error);
    if (result == MC_OK && extras->styles)
        city->styles = mc_style_source_get(extras->styles)->items;
    bool has_subject = mc_city_get_node(city, selected) != MC_NONE;
    // A view shows the references of whatever is selected, which may be nothing.
    bool wants_references =
        picture->references != REFERENCES_NONE &&
        !(picture->is_lenient && (!has_subject || !mc_trace_has_references(trace)));
    if (result == MC_OK && wants_references) {
        if (!has_subject) return mc_command_wrong_usage("--refs: say of what with --select KEY");
        if (!mc_trace_has_references(trace))
            fprintf(stderr, "memcity: warning: the trace has no references\n");
        result = mc_link_finder_create(trace, &extras->finder, &error);
    }
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

void mc_picture_extras_deinit(mc_picture_extras *extras) {
    if (extras->city && extras->styles) extras->city->styles = NULL;
    mc_style_source_destroy(extras->styles);
    mc_link_finder_destroy(extras->finder);
    mc_frustums_deinit(&extras->frustums);
    *extras = (mc_picture_extras){0};
}

static mc_result join(mc_picture_extras *extras, const mc_update_params *params, uint32_t step,
                      const uint64_t *from, const uint64_t *to, mc_error *error) {
    uint32_t node = mc_city_get_node(extras->city, extras->selected);
    uint32_t wanted = extras->picture->references;
    mc_links links = {0};
    mc_result result = mc_link_finder_find(extras->finder, step, node, &links, error);
    if (result != MC_OK) return result;
    mc_links_filter(&links, wanted != REFERENCES_OUTGOING, wanted != REFERENCES_INCOMING,
                    extras->picture->most_references);
    mc_frustum_link *ends = mc_alloc((size_t)links.count + 1, sizeof *ends);
    if (ends) {
        for (uint32_t i = 0; i < links.count; i++)
            ends[i] = mc_frustum_get_link(node, &links.links[i]);
        result = mc_frustums_make(&extras->frustums, extras->city,
                                  mc_trace_get_nodes(extras->trace), params, from, to, ends,
                                  links.count, (mc_frustum_arcs)extras->picture->arcs, error);
    } else {
        result = mc_error_out_of_memory(error);
    }
    mc_free(ends);
    mc_links_deinit(&links);
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
