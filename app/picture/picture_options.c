#include "app/picture/picture_options.h"

#include "engine/city/style.h"
#include "engine/scene/flat_color.h"
#include <stdlib.h>
#include <string.h>

enum { REFERENCES_NONE, REFERENCES_BOTH, REFERENCES_INCOMING, REFERENCES_OUTGOING };
static const char *const reference_names[] = {"none", "both", "incoming", "outgoing", NULL};
static const char *const rasterizer_names[] = {"auto", "raster", "compute", NULL};

mc_picture_options mc_picture_options_default(void) {
    mc_picture_options picture = {
        .settings = mc_settings_default(), .camera = "city", .samples = MC_RENDERER_STILL_SAMPLES};
    mc_look *look = &picture.settings.look;
    picture.settings.layout = mc_layout_options_default();
    look->names = look->roots = look->show_incoming = look->show_outgoing = false;
    look->streets = false;
    look->most_references = 25;
    picture.settings.tree_color = MC_FLAT_COLOR_BRANCH;
    look->arcs = MC_FRUSTUM_ARCS_NONE;
    return picture;
}

void mc_picture_apply_to_input(const mc_picture_options *picture, mc_input_options *input) {
    const mc_settings *settings = &picture->settings;
    if (picture->view) input->wanted_frame_s = settings->frame_s;
    input->is_group_optional = !input->group_by && settings->group_by[0];
    if (input->is_group_optional) input->group_by = settings->group_by;
    input->groups_as_usual = !picture->is_lenient; // a view says how, or as it was recorded
}

// By the trace's metrics, which are known when it is open.
static void add_mapping(mc_option_list *list, mc_picture_options *picture) {
    mc_option_list_add_string(
        list, "color", &picture->color_key, "WHAT",
        "colour by: as --color-by, or first, the step of first appearance, or a metric");
    mc_option_list_add_string(list, "height", &picture->height_key, "NAME",
                              "height by a metric in five classes, or auto: from the area");
}

void mc_option_list_add_highlights(mc_option_list *list, mc_picture_options *picture) {
    mc_option_list_add_fields(list, mc_settings_fields, MC_SETTINGS_FIELD_COUNT,
                              MC_USE_LAYOUT_OPTION | MC_USE_COLOR_OPTION, &picture->settings);
    add_mapping(list, picture);
}

void mc_option_list_add_rasterizer(mc_option_list *list, uint32_t *rasterizer) {
    mc_option_list_add_choice(list, "rasterizer", rasterizer, rasterizer_names, "R",
                              "draw buildings by the hardware rasterizer, or small ones by compute "
                              "shaders (auto: by device and number)");
}

void mc_option_list_add_device(mc_option_list *list, mc_picture_options *picture) {
    mc_option_list_add_string(list, "device", &picture->device_name, "NAME",
                              "use the GPU whose name contains NAME");
    mc_option_list_add_flag(list, "validation", &picture->validation,
                            "enable Vulkan's validation layers");
}

void mc_option_list_add_picture(mc_option_list *list, mc_picture_options *picture) {
    list->group = "selection and camera";
    mc_option_list_add_string(
        list, "camera", &picture->camera, "C",
        "camera: city, bird, front, corner, iso, or eye and target as ex,ey,ez,tx,ty,tz (city)");
    mc_option_list_add(list, (mc_option){.name = "select",
                                         .kind = MC_OPTION_LIST,
                                         .target = &picture->selected,
                                         .argument = "KEY",
                                         .help = "select the group with this full key, or the only "
                                                 "one whose key ends so; repeatable"});
    mc_option_list_add_choice(
        list, "refs", &picture->references, reference_names, "R",
        "show references to the selection (incoming), from it (outgoing), or both (none)");
    mc_option_list_add_flag(list, "walk", &picture->walk,
                            "show the walk from what grew the most to what keeps it alive");
    mc_option_list_add_string(list, "search", &picture->search, "PATTERN",
                              "highlight only groups whose full key contains the pattern");
    mc_option_list_add_flag(list, "regex", &picture->settings.search_is_regex,
                            "treat the pattern of --search as a regular expression");
    mc_option_list_add(list,
                       (mc_option){.name = "demolish",
                                   .kind = MC_OPTION_LIST,
                                   .target = &picture->demolished,
                                   .argument = "KEY",
                                   .help = "show what is freed if all objects of this leaf or "
                                           "district of a heap dump are removed; repeatable"});
    mc_option_list_add_flag(list, "legend", &picture->legend,
                            "draw a legend of metric, step and colours (with --view)");
    mc_option_list_add(list, (mc_option){.name = "no-legend",
                                         .kind = MC_OPTION_FLAG,
                                         .target = &picture->legend,
                                         .value = false,
                                         .help = "draw no legend, even with --view"});
    mc_option_list_add(list, (mc_option){.name = "no-labels",
                                         .kind = MC_OPTION_FLAG,
                                         .target = &picture->settings.look.names,
                                         .value = false,
                                         .help = "draw no names, even with --view"});
    list->group = "appearance";
    mc_option_list_add_fields(list, mc_settings_fields, MC_SETTINGS_FIELD_COUNT,
                              MC_USE_PICTURE_OPTION | MC_USE_COLOR_OPTION | MC_USE_LAYOUT_OPTION,
                              &picture->settings);
    add_mapping(list, picture);
    list->group = "rendering";
    mc_option_list_add_rasterizer(list, &picture->rasterizer);
    mc_option_list_add_uint(list, "samples", &picture->samples, "N",
                            "anti-alias with N samples per pixel, 1 to 64 (16; videos 8); in a "
                            "window while nothing moves");
    mc_option_list_add_device(list, picture);
}

static uint32_t find_name(const char *const *names, const char *name) {
    for (uint32_t i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0) return i;
    return MC_NONE;
}

// Of what is no mode the value is shown.
static int take_metric(const char *option, const char *key, char metric[MC_METRIC_NAME_SIZE]) {
    if (mc_form_set_name(metric, MC_METRIC_NAME_SIZE, key)) return MC_EXIT_OK;
    return mc_command_wrong_usage("%s: expected a name of less than %d bytes, not \"%.40s…\"",
                                  option, MC_METRIC_NAME_SIZE, key);
}

static int take_color(mc_look *look, const char *key) {
    look->color_mode = find_name(mc_color_mode_names, key);
    if (look->color_mode != MC_NONE) return MC_EXIT_OK;
    look->color_mode = MC_COLOR_MODE_VALUE;
    return take_metric("--color", key, look->color_metric);
}

// Objects, bytes and what is retained are metrics as any other here.
static int take_height(mc_look *look, const char *key) {
    uint32_t mode = find_name(mc_height_mode_names, key);
    bool is_mode = mode == MC_HEIGHT_MODE_METRIC || mode == MC_HEIGHT_MODE_OBJECT_SIZE;
    look->height_mode = is_mode                    ? mode
                        : strcmp(key, "auto") == 0 ? MC_HEIGHT_MODE_METRIC
                                                   : MC_HEIGHT_MODE_VALUE;
    return look->height_mode == MC_HEIGHT_MODE_VALUE
               ? take_metric("--height", key, look->height_metric)
               : MC_EXIT_OK;
}

// Wrong usage if an option names a metric that the trace lacks, a remark if a view does.
static int check_metrics(const mc_picture_options *picture, const mc_trace *trace,
                         const char *lacking) {
    if (!lacking) return MC_EXIT_OK;
    bool is_color = lacking == picture->settings.look.color_metric;
    bool is_said = is_color ? picture->color_key : picture->height_key;
    mc_metric none;
    if (is_said)
        return mc_command_find_metric(trace,
                                      is_color ? "--color: growth, step, trend, level, role, "
                                                 "first, or a metric"
                                               : "--height: auto, or a metric",
                                      lacking, &none);
    mc_message_say("the view's metric is not in this trace: %s", lacking);
    return MC_EXIT_OK;
}

// What the command line selects takes the place of the view's selection.
static void take_selection(mc_picture_options *picture) {
    const mc_view_file *view = picture->view;
    mc_option_texts *selected = &picture->selected;
    if (selected->count > 0 || !view || !view->selection) return;
    selected->items[selected->count++] = view->selection;
    for (uint32_t i = 0; i < view->more_selected.count; i++)
        if (selected->count < MC_SELECTION_CAPACITY)
            selected->items[selected->count++] = view->more_selected.items[i];
}

int mc_picture_check(mc_picture_options *picture) {
    take_selection(picture);
    mc_look *look = &picture->settings.look;
    int code = picture->color_key ? take_color(look, picture->color_key) : MC_EXIT_OK;
    if (code == MC_EXIT_OK && picture->height_key) code = take_height(look, picture->height_key);
    if (code != MC_EXIT_OK) return code;
    // A view's references and search give way to a walk that is asked for beside it.
    if (picture->walk && picture->is_lenient) {
        picture->references = REFERENCES_NONE;
        picture->search = NULL;
        picture->settings.search_is_regex = false;
    }
    bool any = picture->references != REFERENCES_NONE && look->most_references > 0;
    look->show_incoming = any && picture->references != REFERENCES_OUTGOING;
    look->show_outgoing = any && picture->references != REFERENCES_INCOMING;
    if (picture->search && strlen(picture->search) >= MC_SETTINGS_SEARCH_SIZE)
        return mc_command_wrong_usage("--search: expected fewer than %d bytes",
                                      MC_SETTINGS_SEARCH_SIZE);
    if (picture->samples < 1 || picture->samples > 64)
        return mc_command_wrong_usage("--samples: expected 1 to 64");
    if (picture->walk && (picture->search || picture->references != REFERENCES_NONE))
        return mc_command_wrong_usage("--walk can't be combined with --search and --refs");
    if (picture->settings.pinned.count > 1)
        return mc_command_wrong_usage("--pin: expected one step");
    if (picture->settings.search_is_regex && !picture->search)
        return mc_command_wrong_usage("--regex: --search PATTERN is missing");
    return MC_EXIT_OK;
}

int mc_picture_check_pin(const mc_picture_options *picture, const mc_trace *trace) {
    uint32_t pin = mc_settings_get_pin(&picture->settings);
    uint32_t last = mc_trace_get_step_count(trace) - 1;
    if (pin == MC_NONE || pin <= last) return MC_EXIT_OK;
    if (!picture->is_lenient)
        return mc_command_wrong_usage("--pin: the trace has steps 0 to %u", last);
    mc_message_say("the view's pinned step %u is not in this trace", pin);
    return MC_EXIT_OK;
}

int mc_picture_find_mapping(const mc_picture_options *picture, const mc_trace *trace,
                            mc_metric shown, mc_style_mapping *mapping) {
    const char *lacking = mc_style_mapping_init(mapping, &picture->settings.look, trace, shown);
    uint32_t pin = mc_settings_get_pin(&picture->settings);
    int code = mc_picture_check_pin(picture, trace);
    if (code != MC_EXIT_OK) return code;
    mc_style_mapping_pin(mapping, pin < mc_trace_get_step_count(trace) ? pin : MC_NONE);
    return check_metrics(picture, trace, lacking);
}

static void write_log(void *user, mc_log_level level, const char *message) {
    (void)user;
    if (level != MC_LOG_INFO) mc_message_say("%s", message);
}

mc_result mc_picture_create_gpu(const mc_picture_options *picture, mc_gpu **gpu, mc_error *error) {
    static const mc_log log = {write_log, NULL};
    mc_gpu_desc desc = {.validation = picture->validation,
                        .device_name = picture->device_name,
                        .without = getenv("MEMCITY_WITHOUT"),
                        .log = &log};
    return mc_gpu_create(&desc, gpu, error);
}
