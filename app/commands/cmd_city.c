#include "app/node_text.h"
#include "app/picture/picture_options.h"
#include "engine/base/memory.h"
#include "engine/city/city_layout.h"
#include "engine/scene/legend.h"
#include "engine/scene/params.h"

// What --gpu adds: the boxes and colours that the compute shader wrote.
static int read_from_gpu(const mc_picture_options *picture, const mc_city *city,
                         const mc_update_params *params, const uint64_t *counts, mc_box *boxes,
                         mc_color *colors) {
    mc_gpu *gpu = NULL;
    mc_renderer *renderer = NULL;
    mc_error error = {0};
    mc_error gpu_error = {0};
    int code = mc_picture_create_gpu(picture, &gpu, &gpu_error) == MC_OK
                   ? MC_EXIT_OK
                   : mc_command_fail(&gpu_error);
    if (code != MC_EXIT_OK) return code;
    mc_renderer_desc desc = {.samples = 1};
    mc_result result = mc_renderer_create(gpu, &desc, &renderer, &error);
    if (result == MC_OK) result = mc_renderer_set_city(renderer, city, &error);
    if (result == MC_OK) result = mc_renderer_set_styles(renderer, city->styles, &error);
    if (result == MC_OK) result = mc_renderer_set_counts(renderer, counts, counts, &error);
    if (result == MC_OK) result = mc_renderer_read_boxes(renderer, params, boxes, colors, &error);
    mc_renderer_destroy(renderer);
    mc_gpu_destroy(gpu);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

// A building whose plot the padding has used up is there all the same, without an area.
static void write_buildings(const mc_trace *trace, const mc_city *city, const uint64_t *counts,
                            const mc_box *boxes, const mc_color *colors, mc_text *out) {
    mc_node_keys keys = {.trace = trace};
    for (uint32_t i = 0; i < city->building_count && mc_command_pass_on(out); i++) {
        const mc_box *box = &boxes[i];
        if (counts[i] == 0) continue;
        mc_node_keys_append_tsv(&keys, city->building_node[i], out);
        mc_text_format(out, "\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\t%.9g\n",
                       (double)box->footprint.x0, (double)box->footprint.z0,
                       (double)box->footprint.x1, (double)box->footprint.z1, (double)box->height,
                       (double)colors[i].r, (double)colors[i].g, (double)colors[i].b,
                       (double)box->opacity);
    }
    mc_node_keys_deinit(&keys);
}

// Colours and heights at the step; *source NULL: they need none.
static mc_result style(const mc_picture_options *picture, const mc_trace *trace, mc_city *city,
                       const mc_style_mapping *mapping, uint32_t step, mc_style_source **source,
                       mc_update_params *params, mc_error *error) {
    const mc_look *look = &picture->settings.look;
    mc_result result = MC_OK;
    if (mc_style_mapping_is_needed(mapping, trace, city->desc.metric))
        result = mc_style_source_create_mapped(trace, city, mapping, NULL, source, error);
    if (result == MC_OK && *source) result = mc_style_source_set_step(*source, step, true, error);
    if (result != MC_OK || !*source) return result;
    mc_theme theme = mc_theme_get(look->dark, (mc_palette)look->palette);
    city->styles = mc_style_source_get(*source)->items;
    mc_legend_apply(mc_style_source_get(*source), &theme, params);
    return MC_OK;
}

static int print_city(const mc_trace *trace, const mc_city_desc *desc, uint32_t step,
                      const mc_picture_options *picture, bool gpu) {
    mc_city *city = NULL;
    mc_error error = {0};
    if (mc_city_create(trace, desc, NULL, &city, &error) != MC_OK) return mc_command_fail(&error);
    mc_command_tell_hidden(city->hidden_leaf_count, city->hidden_share);
    uint64_t *counts = mc_command_read_counts(trace, city, step, &error);
    mc_box *boxes = mc_alloc((size_t)city->building_count + 1, sizeof *boxes);
    mc_color *colors = mc_alloc((size_t)city->building_count + 1, sizeof *colors);
    mc_style_mapping mapping;
    mc_style_source *styles = NULL;
    int code = mc_picture_find_mapping(picture, trace, desc->metric, &mapping);
    if (code == MC_EXIT_OK && counts && boxes && colors) {
        mc_update_params params =
            mc_scene_get_params(&picture->settings.look, city, MC_STRUCTURE_NONE);
        if (style(picture, trace, city, &mapping, step, &styles, &params, &error) != MC_OK)
            code = mc_command_fail(&error);
        else if (gpu)
            code = read_from_gpu(picture, city, &params, counts, boxes, colors);
        else
            mc_city_evaluate(city, &params, counts, counts, boxes, colors);
        if (code == MC_EXIT_OK) {
            mc_text out = {0};
            write_buildings(trace, city, counts, boxes, colors, &out);
            code = mc_command_print(&out);
        }
    } else if (code == MC_EXIT_OK) {
        if (counts) mc_error_out_of_memory(&error);
        code = mc_command_fail(&error);
    }
    city->styles = NULL;
    mc_style_source_destroy(styles);
    mc_free(counts);
    mc_free(boxes);
    mc_free(colors);
    mc_city_destroy(city);
    return code;
}

int mc_command_city(int argc, const char **argv) {
    bool tsv = true, gpu = false;
    uint32_t step = MC_NONE;
    mc_input_options input = {0};
    mc_picture_options picture = mc_picture_options_default();
    picture.settings.layout.is_whole = true;
    mc_option_list list = {0};
    mc_option_list_add_uint(&list, "step", &step, "K", "step, counted from 0 (the last)");
    mc_option_list_add_ground_size(&list, &picture.settings.layout, "size");
    mc_option_list_add_highlights(&list, &picture);
    mc_option_list_add_flag(
        &list, "gpu", &gpu,
        "print the results of the GPU's update pass instead of the CPU reference");
    mc_option_list_add_device(&list, &picture);
    mc_option_list_add_flag(&list, "tsv", &tsv, "print tab-separated values (the only format)");
    mc_option_list_add_input(&list, &input);
    mc_option_list_hide(&list, "paths");
    uint32_t path_count;
    int code;
    if (!mc_command_begin(&list, "memcity city TRACE… --step K [layout options] [--gpu] --tsv",
                          "Prints every building at a step: full key, x0, z0, x1, z1, height, r, "
                          "g, b (sRGB, 0 to 1),\nopacity.",
                          argc, argv, &path_count, &code))
        return code;
    code = mc_picture_check(&picture);
    if (code != MC_EXIT_OK) return code;

    mc_trace *trace = NULL;
    mc_city_desc desc;
    input.groups_as_usual = true;
    code = mc_command_open_for_layout(argv, path_count, &input, &picture.settings.layout, &trace,
                                      &desc);
    if (code == MC_EXIT_OK) code = mc_command_get_step(trace, &desc, &step);
    if (code == MC_EXIT_OK) code = print_city(trace, &desc, step, &picture, gpu);
    mc_trace_destroy(trace);
    return code;
}
