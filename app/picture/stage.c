#include "app/picture/stage.h"

#include "app/session/host.h"
#include "app/session/pictured.h"
#include "app/session/selection.h"
#include "app/session/turn.h"
#include "app/session/walk.h"
#include "app/views/city/city_framing.h"
#include "app/views/painters.h"
#include "app/views/views.h"
#include "engine/base/memory.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define WALK_SHARE 0.14 // of the picture's height

int mc_stage_check_size(const double size[2], uint32_t *width, uint32_t *height) {
    if (size[0] < 1 || size[1] < 1 || size[0] > 16384 || size[1] > 16384)
        return mc_command_wrong_usage("--size: a picture has 1x1 to 16384x16384 pixels");
    *width = (uint32_t)size[0];
    *height = (uint32_t)size[1];
    return MC_EXIT_OK;
}

// ---- the session

static void fail(void *user, const mc_error *error) {
    mc_stage *stage = user;
    if (stage->error.code == MC_OK) stage->error = *error;
}

// Until all is found that the picture needs.
static int rest(mc_stage *stage) {
    mc_session *session = stage->session;
    do {
        mc_session_begin_turn(session, session->turn.now_ns);
        mc_session_end_turn(session);
    } while (!mc_session_rests(session));
    return stage->error.code == MC_OK ? MC_EXIT_OK : mc_command_fail(&stage->error);
}

// The trace, and, for what is demolished, what it was opened from.
static mc_result create_dataset(mc_stage *stage, mc_trace *trace, mc_error *error) {
    const mc_stage_desc *desc = &stage->desc;
    const char *list = desc->input ? desc->input->group_by : NULL;
    mc_dataset *dataset = stage->dataset = mc_dataset_create(trace);
    bool is_done = dataset && (!list || (dataset->group_list = mc_copy_string(list)));
    for (uint32_t i = 0; is_done && i < desc->path_count; i++)
        is_done = mc_form_texts_add(&dataset->paths, desc->paths[i], strlen(desc->paths[i]));
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}

static int open_session(mc_stage *stage) {
    const mc_picture_options *picture = stage->picture;
    mc_error error = {0};
    mc_session_desc *desc = &stage->session_desc;
    *desc = (mc_session_desc){.host = {.user = stage, .wake = mc_job_at_once, .fail = fail},
                              .views = mc_views,
                              .pictured = stage->dataset,
                              .settings = picture->settings,
                              .step = MC_NONE};
    mc_settings *settings = &desc->settings;
    if (stage->desc.input) desc->deep.collections = stage->desc.input->deep.collections;
    settings->is_home = true;
    settings->motion = false;
    if (picture->walk) settings->look.streets = false;
    settings->search_open = picture->search != NULL;
    snprintf(settings->search, sizeof settings->search, "%s",
             picture->search ? picture->search : "");
    if (mc_session_create(desc, &stage->session, &error) != MC_OK) return mc_command_fail(&error);
    float scale = mc_picture_get_text_scale(stage->height);
    mc_session_input input = {.width = stage->width,
                              .height = stage->height,
                              .text_scale = (double)scale,
                              .pixel_scale = (double)mc_picture_get_pixel_scale(stage->height)};
    mc_session_set_input(stage->session, &input);
    mc_session_begin(stage->session);
    int code = rest(stage);
    if (code != MC_EXIT_OK) return code;
    if (!stage->session->shown) return stage->session->exit_code;
    stage->view = mc_city_view_of(stage->session->view);
    stage->city = stage->view->city;
    return MC_EXIT_OK;
}

// ---- what is asked of it

// Returns MC_EXIT_OK, or the exit code after saying what is not in the city.
static int find_selected(const mc_stage *stage, const char *key, mc_selection *selection) {
    const mc_picture_options *picture = stage->picture;
    uint32_t node = mc_trace_find_node(stage->trace, key, strlen(key));
    if (node == MC_NONE && picture->is_lenient) {
        mc_message_say("the view's selection is not in this trace: %s", key);
        return MC_EXIT_OK;
    }
    if (node == MC_NONE) {
        int code = mc_command_find_node(stage->trace, "--select", key, &node);
        if (code != MC_EXIT_OK) return code;
    }
    mc_structure structure = mc_city_find_node(stage->city, node);
    bool is_shown = structure.building != MC_NONE || structure.district != MC_NONE;
    if (!is_shown && !picture->is_lenient)
        return mc_command_wrong_usage("--select: \"%s\" is not in this city", key);
    if (!mc_selection_add(selection, node))
        return mc_command_wrong_usage("--select: expected at most %d", MC_SELECTION_CAPACITY);
    return MC_EXIT_OK;
}

static int find_selection(mc_stage *stage) {
    const mc_option_texts *keys = &stage->picture->selected;
    int code = MC_EXIT_OK;
    for (uint32_t i = 0; i < keys->count && code == MC_EXIT_OK; i++)
        code = find_selected(stage, keys->items[i], &stage->selection);
    return code;
}

// The first that is selected; MC_NONE: nothing that the city shows.
static uint32_t get_selected(const mc_stage *stage) {
    uint32_t node = mc_selection_get(&stage->selection);
    if (node == MC_NONE) return MC_NONE;
    return mc_city_get_node(stage->city, mc_city_find_node(stage->city, node));
}

// A view that was saved of another trace is no mistake.
static int check_streets(const mc_stage *stage) {
    const mc_picture_options *picture = stage->picture;
    if (!picture->settings.look.streets || picture->is_lenient) return MC_EXIT_OK;
    if (picture->walk) return mc_command_wrong_usage("--walk: without --streets");
    if (get_selected(stage) == MC_NONE)
        return mc_command_wrong_usage("--streets: say of what with --select KEY");
    if (!mc_trace_has_paths(stage->trace))
        mc_message_warn("the trace has no retaining paths: import its heap dumps with --paths");
    return MC_EXIT_OK;
}

static int find_demolished(mc_stage *stage) {
    const mc_option_texts *keys = &stage->picture->demolished;
    for (uint32_t i = 0; stage->desc.input && i < keys->count; i++) {
        uint32_t node;
        int code = mc_command_find_node(stage->trace, "--demolish", keys->items[i], &node);
        if (code != MC_EXIT_OK) return code;
        if (!mc_selection_add(&stage->demolished, node))
            return mc_command_wrong_usage("--demolish: %d at most; name the district around them",
                                          MC_SELECTION_CAPACITY);
    }
    return MC_EXIT_OK;
}

static void tell_walk(const mc_stage *stage) {
    const mc_walk *walk = mc_session_get_walk(stage->session);
    if (walk->count == 0)
        mc_message_warn("nothing grew, there is nowhere to walk");
    else if (walk->end == MC_WALK_END_NO_MAP)
        mc_message_warn("step %u has no references to walk along", walk->desc.step);
}

static int check_search(const mc_stage *stage) {
    const mc_session_search *search = &stage->session->search;
    if (search->note[0]) return mc_command_wrong_usage("--search: %s", search->note);
    if (mc_session_get_hits(stage->session)->count == 0)
        mc_message_warn("no key contains \"%s\"", stage->picture->search);
    return MC_EXIT_OK;
}

static int check_references(const mc_stage *stage) {
    if (get_selected(stage) == MC_NONE)
        return mc_command_wrong_usage("--refs: say of what with --select KEY");
    if (!mc_trace_has_references(stage->trace)) mc_message_warn("the trace has no references");
    return MC_EXIT_OK;
}

static int find_highlights(mc_stage *stage) {
    const mc_picture_options *picture = stage->picture;
    mc_style_mapping mapping;
    int code = find_selection(stage);
    if (code == MC_EXIT_OK)
        code = mc_picture_find_mapping(picture, stage->trace, stage->city->desc.metric, &mapping);
    if (code == MC_EXIT_OK) code = check_streets(stage);
    if (code == MC_EXIT_OK) code = find_demolished(stage);
    if (code == MC_EXIT_OK && picture->walk)
        mc_session_walk_from(stage->session, get_selected(stage));
    if (code == MC_EXIT_OK) code = rest(stage);
    if (code == MC_EXIT_OK && picture->walk) tell_walk(stage);
    if (code == MC_EXIT_OK && picture->search) code = check_search(stage);
    if (code == MC_EXIT_OK && picture->references > 0) code = check_references(stage);
    return code;
}

// Where to look from, once it is known where GC roots are.
static int place_camera(mc_stage *stage) {
    const mc_settings *settings = &stage->picture->settings;
    mc_camera *camera = &stage->view->camera;
    mc_error error = {0};
    mc_session_prepare_picture(stage->session, 1);
    mc_camera_bounds world = mc_camera_bounds_of_city(stage->city);
    mc_camera_viewport viewport = {.width = stage->width, .height = stage->height};
    // What joins the stops of a walk rises above the highest roof.
    if (stage->picture->walk) viewport.top = WALK_SHARE * viewport.height;
    mc_camera_init(camera, &world, viewport);
    mc_city_view_let_go(stage->view);
    const char *place = stage->picture->camera;
    if (!place && !settings->is_home)
        mc_camera_set_pose(camera, &settings->pose);
    else if (mc_camera_parse(camera, stage->city, place ? place : "city", &error) != MC_OK)
        return mc_command_wrong_usage("--camera: %s", error.message);
    return MC_EXIT_OK;
}

static int create(mc_stage *stage, mc_trace *trace) {
    mc_city_desc city;
    mc_error error = {0};
    stage->trace = trace;
    mc_result result = create_dataset(stage, trace, &error);
    if (result != MC_OK) return mc_command_fail(&error);
    int code = mc_command_get_city_desc(&stage->picture->settings.layout, trace, &city);
    if (code == MC_EXIT_OK) code = open_session(stage);
    if (code != MC_EXIT_OK) return code;
    mc_command_tell_hidden(stage->city->hidden_leaf_count, stage->city->hidden_share);
    code = find_highlights(stage);
    if (code == MC_EXIT_OK) code = place_camera(stage);
    if (code != MC_EXIT_OK) return code;
    stage->pixels = mc_alloc((size_t)stage->width * stage->height, 4);
    if (stage->pixels) return MC_EXIT_OK;
    mc_error_out_of_memory(&error);
    return mc_command_fail(&error);
}

// ---- beginning and end

// The device is made ready while the trace is opened and laid out.
typedef struct gpu_start {
    const mc_picture_options *picture;
    mc_gpu *gpu;
    mc_result result;
    mc_error error;
} gpu_start;

static void *start_gpu(void *user) {
    gpu_start *start = user;
    start->result = mc_picture_create_gpu(start->picture, &start->gpu, &start->error);
    return NULL;
}

static mc_result create_overlay(mc_stage *stage, mc_error *error) {
    const mc_stage_desc *desc = &stage->desc;
    char *name =
        desc->path_count > 0 ? mc_command_get_opened_name(desc->paths[0], desc->input) : NULL;
    mc_picture_overlay_desc overlay = {.view = stage->view,
                                       .picture = stage->picture,
                                       .name = name,
                                       .note = desc->note,
                                       .width = desc->width,
                                       .height = desc->height};
    mc_result result = mc_picture_overlay_create(&overlay, stage->renderer, &stage->overlay, error);
    mc_free(name);
    return result;
}

static int create_renderer(mc_stage *stage) {
    const mc_picture_options *picture = stage->picture;
    mc_error error = {0};
    mc_renderer_desc desc =
        mc_renderer_choose(stage->gpu, (mc_rasterizer)picture->rasterizer,
                           stage->city->building_count, picture->samples, false);
    mc_result result = mc_renderer_create(stage->gpu, &desc, &stage->renderer, &error);
    if (result == MC_OK && (picture->settings.look.names || picture->legend || picture->walk))
        result = create_overlay(stage, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

int mc_stage_init(mc_stage *stage, const mc_stage_desc *desc) {
    *stage = (mc_stage){.desc = *desc,
                        .picture = desc->picture,
                        .selection = mc_selection_of(MC_NONE),
                        .demolished = mc_selection_of(MC_NONE),
                        .width = desc->width,
                        .height = desc->height};
    gpu_start start = {.picture = desc->picture};
    pthread_t thread;
    bool has_thread = pthread_create(&thread, NULL, start_gpu, &start) == 0;
    mc_trace *trace = desc->trace;
    int code = MC_EXIT_OK;
    if (!trace) code = mc_command_open(desc->paths, desc->path_count, desc->input, &trace);
    if (code == MC_EXIT_OK) code = create(stage, trace);
    if (has_thread) {
        pthread_join(thread, NULL);
    } else {
        start_gpu(&start);
    }
    stage->gpu = start.gpu;
    if (code != MC_EXIT_OK) return code;
    return start.result == MC_OK ? create_renderer(stage) : mc_command_fail(&start.error);
}

void mc_stage_deinit(mc_stage *stage) {
    mc_picture_overlay_destroy(stage->overlay);
    mc_renderer_destroy(stage->renderer);
    mc_session_destroy(stage->session);
    mc_gpu_destroy(stage->gpu);
    if (stage->dataset && stage->desc.keeps_trace) stage->dataset->trace = NULL;
    mc_dataset_release(stage->dataset);
    mc_free(stage->pixels);
    memset(stage, 0, sizeof *stage);
}

// ---- step by step

void mc_stage_set_dark(mc_stage *stage, bool is_dark) {
    mc_settings settings = stage->session->settings;
    settings.look.dark = is_dark;
    mc_session_set_settings(stage->session, &settings);
}

void mc_stage_turn(mc_stage *stage, double angle_rad) {
    mc_camera_pose pose = stage->view->camera.pose;
    pose.azimuth_rad += angle_rad;
    mc_camera_set_pose(&stage->view->camera, &pose);
}

// What is asked of a step is not asked of the one that the session begins with.
static void begin(mc_stage *stage) {
    mc_settings settings = stage->session->settings;
    settings.demolished = stage->demolished;
    mc_session_set_settings(stage->session, &settings);
    mc_session_select_all(stage->session, &stage->selection, false);
}

int mc_stage_set_step(mc_stage *stage, uint32_t step) {
    mc_session_set_picture_step(stage->session, step, !stage->has_step);
    if (!stage->has_step) begin(stage);
    stage->has_step = true;
    return rest(stage);
}

int mc_stage_draw(mc_stage *stage, float blend) {
    mc_error error = {0};
    const mc_view *view = &stage->view->base;
    const mc_view_painter *painter = mc_view_get_painter(view);
    mc_session_prepare_picture(stage->session, (double)blend);
    if (stage->error.code != MC_OK) return mc_command_fail(&stage->error);
    mc_result result = painter->upload(view, &stage->uploaded, stage->renderer, &error);
    if (result != MC_OK) return mc_command_fail(&error);
    mc_scene scene = painter->get_scene(&stage->view->base);
    mc_ui_draw draw;
    if (stage->overlay) mc_picture_overlay_draw(stage->overlay, &draw);
    result = mc_renderer_render_image(stage->renderer, &scene, stage->overlay ? &draw : NULL,
                                      stage->width, stage->height, stage->pixels, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}
