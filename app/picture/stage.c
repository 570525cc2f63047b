#include "app/picture/stage.h"

#include "app/picture/stage_city.h"
#include "app/picture/stage_flat.h"
#include "app/picture/stage_start.h"
#include "app/session/host.h"
#include "app/session/pictured.h"
#include "app/session/selection.h"
#include "app/session/turn.h"
#include "app/views/painters.h"
#include "app/views/views.h"
#include "engine/base/memory.h"
#include <stdio.h>
#include <string.h>

int mc_stage_check_size(const double size[2], uint32_t *width, uint32_t *height) {
    if (size[0] < 1 || size[1] < 1 || size[0] > 16384 || size[1] > 16384)
        return mc_command_wrong_usage("--size: a picture has 1x1 to 16384x16384 pixels");
    *width = (uint32_t)size[0];
    *height = (uint32_t)size[1];
    return MC_EXIT_OK;
}

static bool is_flat(const mc_stage *stage) {
    return stage->picture->settings.view != 0;
}

static bool needs_device(const mc_stage_desc *desc) {
    return !desc->flat.is_vector;
}

// ---- the session

static void fail(void *user, const mc_error *error) {
    mc_stage *stage = user;
    if (stage->error.code == MC_OK) stage->error = *error;
}

// The trace, and, for what is demolished, what it was opened from.
static mc_result create_dataset(mc_stage *stage, mc_trace *trace, mc_error *error) {
    const mc_stage_desc *desc = &stage->desc;
    const char *list = desc->input ? desc->input->group_by : NULL;
    mc_dataset *dataset = stage->dataset = mc_dataset_create(trace);
    bool is_done = dataset && (!list || (dataset->group_list = mc_copy_string(list)));
    for (uint32_t i = 0; is_done && i < desc->path_count; i++)
        is_done = mc_form_texts_add(&dataset->paths, desc->paths[i], strlen(desc->paths[i]));
    if (is_done && desc->path_count > 0)
        dataset->name = mc_command_get_title(desc->paths, desc->path_count, desc->input);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}

static double get_text_scale(const mc_stage *stage) {
    if (stage->desc.text_scale > 0) return stage->desc.text_scale;
    return (double)(is_flat(stage) ? mc_flat_sheet_get_scale(stage->height)
                                   : mc_picture_get_text_scale(stage->height));
}

static int open_session(mc_stage *stage) {
    const mc_picture_options *picture = stage->picture;
    mc_error error = {0};
    mc_session_desc *desc = &stage->session_desc;
    *desc = (mc_session_desc){.host = {.user = stage, .wake = mc_job_at_once, .fail = fail},
                              .views = mc_views,
                              .pictured = stage->dataset,
                              .asks_elsewhere = !picture->is_lenient,
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
    int code = is_flat(stage) ? mc_stage_settle_flat(stage, settings) : MC_EXIT_OK;
    if (code != MC_EXIT_OK) return code;
    if (mc_session_create(desc, &stage->session, &error) != MC_OK) return mc_command_fail(&error);
    mc_session_input input = {.width = stage->width,
                              .height = stage->height,
                              .text_scale = get_text_scale(stage),
                              .pixel_scale = (double)mc_picture_get_pixel_scale(stage->height)};
    mc_session_set_input(stage->session, &input);
    if (is_flat(stage)) mc_stage_place_flat(stage);
    mc_session_begin(stage->session);
    code = mc_stage_rest(stage);
    if (code != MC_EXIT_OK) return code;
    return stage->session->shown ? MC_EXIT_OK : stage->session->exit_code;
}

// ---- beginning and end

static int create(mc_stage *stage, mc_trace *trace) {
    mc_error error = {0};
    stage->trace = trace;
    mc_result result = create_dataset(stage, trace, &error);
    if (result != MC_OK) return mc_command_fail(&error);
    int code = mc_command_get_city_desc(&stage->picture->settings.layout, trace, &stage->layout);
    if (code == MC_EXIT_OK) code = open_session(stage);
    if (code == MC_EXIT_OK)
        code = is_flat(stage) ? mc_stage_begin_flat(stage) : mc_stage_begin_city(stage);
    if (code != MC_EXIT_OK || !needs_device(&stage->desc)) return code;
    stage->pixels = mc_alloc((size_t)stage->width * stage->height, 4);
    if (stage->pixels) return MC_EXIT_OK;
    mc_error_out_of_memory(&error);
    return mc_command_fail(&error);
}

static mc_result create_overlay(mc_stage *stage, mc_error *error) {
    mc_picture_overlay_desc overlay = {.view = stage->city_view,
                                       .picture = stage->picture,
                                       .note = stage->desc.note,
                                       .width = stage->width,
                                       .height = stage->height};
    return mc_picture_overlay_create(&overlay, &stage->overlay, error);
}

// What is written over the picture: names and the legend of a city, all text of another one.
static bool has_text(const mc_stage *stage) {
    const mc_picture_options *picture = stage->picture;
    return is_flat(stage) || picture->settings.look.names || picture->legend || picture->walk;
}

static mc_result set_texture(mc_stage *stage, mc_error *error) {
    uint32_t width, height;
    const uint8_t *texture = mc_ui_get_texture(stage->ui, &width, &height);
    return mc_renderer_set_ui_texture(stage->renderer, texture, width, height, error);
}

// What was guessed of it may have been wrong.
static mc_result fit_renderer(mc_stage *stage, const mc_renderer_desc *guess,
                              const mc_renderer_desc *desc, mc_error *error) {
    if (stage->renderer && guess->samples == desc->samples && guess->rounds == desc->rounds)
        return MC_OK;
    mc_renderer_destroy(stage->renderer);
    stage->renderer = NULL;
    return mc_renderer_create(stage->gpu, desc, &stage->renderer, error);
}

static int create_renderer(mc_stage *stage, const mc_renderer_desc *guess) {
    const mc_picture_options *picture = stage->picture;
    mc_error error = {0};
    mc_renderer_desc desc = {.samples = 1, .rasterizer = MC_RASTERIZER_RASTER};
    if (stage->city)
        desc = mc_renderer_choose(stage->gpu, (mc_rasterizer)picture->rasterizer,
                                  stage->city->building_count, picture->samples, false);
    mc_result result = fit_renderer(stage, guess, &desc, &error);
    if (result == MC_OK && stage->ui) result = set_texture(stage, &error);
    if (result == MC_OK && stage->ui && stage->city) result = create_overlay(stage, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

int mc_stage_init(mc_stage *stage, const mc_stage_desc *desc) {
    *stage = (mc_stage){.desc = *desc,
                        .picture = desc->picture,
                        .selection = mc_selection_of(MC_NONE),
                        .opened = mc_selection_of(MC_NONE),
                        .demolished = mc_selection_of(MC_NONE),
                        .width = desc->width,
                        .height = desc->height};
    mc_stage_start start = {.picture = desc->picture,
                            .is_city = !is_flat(stage),
                            .text_scale = has_text(stage) ? (float)get_text_scale(stage) : 0};
    if (needs_device(desc)) mc_stage_start_begin(&start);
    mc_trace *trace = desc->trace;
    int code = MC_EXIT_OK;
    if (!trace) code = mc_command_open(desc->paths, desc->path_count, desc->input, &trace);
    if (code == MC_EXIT_OK) code = create(stage, trace);
    if (needs_device(desc)) mc_stage_start_end(&start, code == MC_EXIT_OK);
    stage->gpu = start.gpu;
    stage->renderer = start.renderer;
    stage->ui = start.ui;
    if (code != MC_EXIT_OK || !needs_device(desc)) return code;
    if (start.gpu_result != MC_OK) return mc_command_fail(&start.gpu_error);
    if (start.ui_result != MC_OK) return mc_command_fail(&start.ui_error);
    return create_renderer(stage, &start.renderer_desc);
}

void mc_stage_deinit(mc_stage *stage) {
    mc_picture_overlay_destroy(stage->overlay);
    mc_ui_destroy(stage->ui);
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
    stage->is_drawn = false;
}

void mc_stage_turn(mc_stage *stage, double angle_rad) {
    mc_camera_pose pose = stage->city_view->camera.pose;
    pose.azimuth_rad += angle_rad;
    mc_camera_set_pose(&stage->city_view->camera, &pose);
    stage->is_drawn = false;
}

// What is asked of a step is not asked of the one that the session begins with.
static void begin(mc_stage *stage) {
    mc_settings settings = stage->session->settings;
    settings.demolished = stage->demolished;
    settings.tree_opened = stage->opened;
    mc_session_set_settings(stage->session, &settings);
    mc_session_select_all(stage->session, &stage->selection, false);
}

int mc_stage_set_step(mc_stage *stage, uint32_t step) {
    mc_session_set_picture_step(stage->session, step, !stage->has_step);
    if (!stage->has_step) begin(stage);
    stage->has_step = true;
    stage->is_drawn = false;
    return mc_stage_rest(stage);
}

int mc_stage_prepare(mc_stage *stage, double blend) {
    mc_session_prepare_picture(stage->session, blend);
    return stage->error.code == MC_OK ? MC_EXIT_OK : mc_command_fail(&stage->error);
}

int mc_stage_draw(mc_stage *stage, double blend) {
    mc_error error = {0};
    mc_view *view = stage->session->view;
    const mc_view_painter *painter = mc_view_get_painter(view);
    if (stage->is_drawn && blend >= 1) return MC_EXIT_OK;
    int code = mc_stage_prepare(stage, blend);
    if (code != MC_EXIT_OK) return code;
    stage->is_drawn = blend >= 1;
    if (!stage->city) return mc_stage_draw_sheet(stage, mc_flat_view_get_sheet(view));
    mc_result result = painter->upload(view, &stage->uploaded, stage->renderer, &error);
    if (result != MC_OK) return mc_command_fail(&error);
    mc_scene scene = painter->get_scene(view);
    mc_ui_draw draw;
    if (stage->overlay) mc_picture_overlay_draw(stage->overlay, stage->ui, &draw);
    result = mc_renderer_render_image(stage->renderer, &scene, stage->overlay ? &draw : NULL,
                                      stage->width, stage->height, stage->pixels, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}
