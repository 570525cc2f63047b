#include "app/picture/highlight.h"

#include "engine/city/style.h"
#include <string.h>

static const char *const reference_names[] = {"none", "both", "incoming", "outgoing", NULL};
static const char *const arc_names[] = {"none", "needed", "all", NULL};
static const char *const rasterizer_names[] = {"auto", "raster", "compute", NULL};
static const char *const theme_names[] = {"light", "dark", NULL};
static const char *const palette_names[] = {"heat", "color-blind-safe", NULL};

mc_picture_options mc_picture_options_default(void) {
    return (mc_picture_options){.opaque_count = 10,
                                .opacity = 0.4,
                                .camera = "city",
                                .most_references = 25,
                                .theme = MC_NONE};
}

void mc_option_list_add_highlights(mc_option_list *list, mc_picture_options *picture) {
    mc_option_list_add_flag(list, "no-color", &picture->no_color, "don't colour by growth");
    mc_option_list_add_choice(
        list, "color-by", &picture->color_mode, mc_color_mode_names, "C",
        "growth since the first step or since the step before, steady growth, or classes (growth)");
    mc_option_list_add_choice(list, "height-by", &picture->height_mode, mc_height_mode_names, "H",
                              "the metric, or a second one in five classes (metric)");
    mc_option_list_add_string(list, "color", &picture->color_key, "WHAT",
                              "as --color-by, or first (the step at which it is seen first), or a "
                              "metric: its value");
    mc_option_list_add_string(list, "height", &picture->height_key, "NAME",
                              "a metric in five classes, or auto: from the area");
    mc_option_list_add_flag(list, "no-opacity", &picture->no_opacity, "draw every building opaque");
    mc_option_list_add_uint(list, "opaque", &picture->opaque_count, "N",
                            "the N buildings that grew the most stay opaque (10)");
    mc_option_list_add_double(list, "opacity", &picture->opacity, "A",
                              "of the others, 0 to 1 (0.4)");
}

void mc_option_list_add_rasterizer(mc_option_list *list, uint32_t *rasterizer) {
    mc_option_list_add_choice(list, "rasterizer", rasterizer, rasterizer_names, "R",
                              "what draws buildings: the triangle hardware, or compute shaders for "
                              "small ones (auto: by device and number)");
}

void mc_option_list_add_device(mc_option_list *list, mc_picture_options *picture) {
    mc_option_list_add_string(list, "device", &picture->device_name, "NAME",
                              "the GPU whose name has NAME in it");
    mc_option_list_add_flag(list, "validation", &picture->validation,
                            "with Vulkan's validation layers");
}

void mc_option_list_add_picture(mc_option_list *list, mc_picture_options *picture) {
    mc_option_list_add_string(
        list, "camera", &picture->camera, "C",
        "city, bird, front, corner, iso, or eye and target: ex,ey,ez,tx,ty,tz (city)");
    mc_option_list_add_string(list, "select", &picture->selection_key, "KEY",
                              "select the structure with this full key");
    mc_option_list_add_choice(
        list, "refs", &picture->references, reference_names, "R",
        "show what keeps the selection alive (incoming), what it keeps alive, or both (none)");
    mc_option_list_add_uint(list, "refs-most", &picture->most_references, "N",
                            "only the N strongest references (25)");
    mc_option_list_add_choice(
        list, "arcs", &picture->arcs, arc_names, "A",
        "references as arcs: where they would cut through buildings, or all (none)");
    mc_option_list_add_flag(list, "walk", &picture->walk,
                            "show the way from what grew the most to what keeps it alive");
    mc_option_list_add_string(list, "search", &picture->search, "PATTERN",
                              "only what has it in its full key stands out");
    mc_option_list_add_flag(list, "regex", &picture->regex,
                            "the pattern of --search is a regular expression");
    mc_option_list_add_flag(list, "labels", &picture->labels,
                            "names of what stands out, and of districts");
    mc_option_list_add_flag(list, "legend", &picture->legend,
                            "what is shown, when, and what the colours say");
    mc_option_list_add_highlights(list, picture);
    mc_option_list_add_flag(list, "dark", &picture->dark, "the dark theme");
    mc_option_list_add_choice(list, "theme", &picture->theme, theme_names, "T",
                              "the same, said otherwise (light)");
    mc_option_list_add_choice(list, "palette", &picture->palette, palette_names, "P",
                              "colours of growth");
    mc_option_list_add_flag(list, "no-edges", &picture->no_edges, "draw no edges");
    mc_option_list_add_rasterizer(list, &picture->rasterizer);
    mc_option_list_add_device(list, picture);
}

int mc_picture_check(mc_picture_options *picture) {
    if (picture->theme != MC_NONE) picture->dark = picture->theme == 1;
    if (picture->opacity > 1)
        return mc_command_wrong_usage("--opacity: expected a number from 0 to 1");
    if (picture->walk && (picture->search || picture->references != 0))
        return mc_command_wrong_usage("--walk: without --search and --refs");
    if (picture->regex && !picture->search)
        return mc_command_wrong_usage("--regex: say what to look for with --search PATTERN");
    return MC_EXIT_OK;
}

void mc_update_params_select(mc_update_params *params, const mc_city *city, mc_structure selected) {
    params->selected_first = params->selected_count = 0;
    if (selected.building != MC_NONE) {
        params->selected_first = selected.building;
        params->selected_count = 1;
    } else if (selected.district != MC_NONE) {
        params->selected_first = city->district_building_first[selected.district];
        params->selected_count = city->district_building_count[selected.district];
    }
}

mc_update_params mc_picture_get_params(const mc_picture_options *picture, const mc_city *city,
                                       mc_structure selected) {
    mc_update_params params = mc_update_params_default(city);
    if (picture->no_color) params.flags &= ~MC_UPDATE_COLOR_BY_GROWTH;
    if (picture->no_opacity) params.flags &= ~MC_UPDATE_OPACITY_BY_GROWTH;
    params.opaque_count = picture->opaque_count;
    params.opacity = (float)picture->opacity;
    mc_theme theme = mc_theme_get(picture->dark, (mc_palette)picture->palette);
    mc_theme_apply(&theme, &params);
    mc_update_params_select(&params, city, selected);
    return params;
}

int mc_picture_find_selection(const mc_picture_options *picture, const mc_trace *trace,
                              const mc_city *city, mc_structure *selected) {
    *selected = MC_STRUCTURE_NONE;
    const char *key = picture->selection_key;
    if (!key) return MC_EXIT_OK;
    uint32_t node = mc_trace_find_node(trace, key, strlen(key));
    if (node == MC_NONE && picture->is_lenient) {
        mc_message_say("the view's selection is not in this trace: %s", key);
        return MC_EXIT_OK;
    }
    if (node == MC_NONE) {
        int code = mc_command_find_node(trace, "--select", key, &node);
        if (code != MC_EXIT_OK) return code;
    }
    *selected = mc_city_find_node(city, node);
    bool is_shown = selected->building != MC_NONE || selected->district != MC_NONE;
    if (!is_shown && !picture->is_lenient)
        return mc_command_wrong_usage("--select: \"%s\" has no building in this city", key);
    return MC_EXIT_OK;
}

static void write_log(void *user, mc_log_level level, const char *message) {
    (void)user;
    if (level != MC_LOG_INFO) mc_message_say("%s", message);
}

mc_result mc_picture_create_gpu(const mc_picture_options *picture, mc_gpu **gpu, mc_error *error) {
    static const mc_log log = {write_log, NULL};
    mc_gpu_desc desc = {
        .validation = picture->validation, .device_name = picture->device_name, .log = &log};
    return mc_gpu_create(&desc, gpu, error);
}
