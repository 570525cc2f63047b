#include "app/picture/stage.h"

#include "engine/base/memory.h"
#include "engine/city/city_layout.h"
#include "engine/city/side_by_side.h"
#include "engine/scene/beacons.h"
#include "engine/scene/params.h"
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

// Where to look from.
static int place_camera(mc_stage *stage, const mc_stage_desc *desc) {
    mc_error error = {0};
    mc_camera_bounds world = mc_camera_bounds_of_city(stage->city);
    mc_camera_viewport viewport = {.width = desc->width, .height = desc->height};
    // What joins the stops of a walk rises above the highest roof.
    if (desc->picture->walk) viewport.top = WALK_SHARE * viewport.height;
    mc_camera_init(&stage->camera, &world, viewport);
    const char *camera = desc->picture->camera;
    if (!camera && !desc->picture->settings.is_home)
        mc_camera_set_pose(&stage->camera, &desc->picture->settings.pose);
    else if (mc_camera_parse(&stage->camera, stage->city, camera ? camera : "city", &error) !=
             MC_OK)
        return mc_command_wrong_usage("--camera: %s", error.message);
    return MC_EXIT_OK;
}

static mc_result create_overlay(mc_stage *stage, const mc_stage_desc *desc, mc_error *error) {
    char *name =
        desc->path_count > 0 ? mc_command_get_opened_name(desc->paths[0], desc->input) : NULL;
    mc_picture_overlay_desc overlay = {.highlights = &stage->highlights,
                                       .names = &stage->names,
                                       .picture = desc->picture,
                                       .name = name,
                                       .note = desc->note,
                                       .width = desc->width,
                                       .height = desc->height};
    mc_result result = mc_picture_overlay_create(&overlay, stage->renderer, &stage->overlay, error);
    mc_free(name);
    return result;
}

// What is selected beside the first, and all of it in the other one of two cities.
static uint32_t list_more(const mc_stage *stage, const mc_structure *more, uint32_t more_count,
                          mc_structure all[MC_MORE_SELECTED_MOST]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < more_count && count < MC_MORE_SELECTED_MOST; i++)
        all[count++] = more[i];
    for (uint32_t i = 0; i <= more_count && stage->city->half_count > 0; i++) {
        mc_structure of = i == 0 ? stage->highlights.selected : more[i - 1];
        if (count < MC_MORE_SELECTED_MOST) all[count++] = mc_city_get_twin(stage->city, of);
    }
    return count;
}

void mc_stage_apply_look(mc_stage *stage) {
    const mc_look *look = &stage->highlights.picture->settings.look;
    mc_structure selected = stage->highlights.selected;
    const mc_picture_selection *selection = &stage->highlights.selection;
    const mc_structure *more = selection->structures + 1;
    uint32_t more_count = selection->nodes.count > 1 ? selection->nodes.count - 1 : 0;
    mc_structure all[MC_MORE_SELECTED_MOST];
    more_count = list_more(stage, more, more_count, all);
    more = all;
    mc_update_params params = mc_scene_get_params(look, stage->city, selected);
    mc_scene_select_more(&params, stage->city, more, more_count);
    stage->scene = mc_scene_make(look, &stage->camera, &params, MC_STRUCTURE_NONE, selected, NULL);
    stage->scene.pixel_scale = mc_picture_get_pixel_scale(stage->height);
    stage->scene.more_selected_count = more_count;
    memcpy(stage->scene.more_selected, more, more_count * sizeof *more);
}

static int create(mc_stage *stage, const mc_stage_desc *desc) {
    mc_error error = {0};
    mc_city_desc city_desc;
    int code = mc_command_get_city_desc(&desc->picture->settings.layout, stage->trace, &city_desc);
    if (code != MC_EXIT_OK) return code;
    if (mc_city_create(stage->trace, &city_desc, NULL, &stage->city, &error) != MC_OK)
        return mc_command_fail(&error);
    mc_step_stream_desc steps = mc_step_stream_of_city(stage->city);
    if (mc_step_stream_create(stage->trace, &steps, &stage->steps, &error) != MC_OK)
        return mc_command_fail(&error);
    mc_command_tell_hidden(stage->city->hidden_leaf_count, stage->city->hidden_share);
    mc_picture_selection selection;
    code = mc_picture_find_selection(desc->picture, stage->trace, stage->city, &selection);
    if (code != MC_EXIT_OK) return code;

    mc_what_if_desc dumps = {
        .trace = stage->trace, .paths = desc->paths, .path_count = desc->path_count};
    if (desc->input) {
        dumps.group_by = desc->input->group_by;
        dumps.collections = desc->input->deep.collections;
    }
    code = mc_picture_highlights_init(&stage->highlights, desc->picture, stage->trace, stage->city,
                                      &selection, desc->input ? &dumps : NULL);
    if (code != MC_EXIT_OK) return code;

    if (mc_picture_names_init(&stage->names, &stage->highlights, &error) != MC_OK)
        return mc_command_fail(&error);
    code = place_camera(stage, desc);
    if (code != MC_EXIT_OK) return code;
    stage->width = desc->width;
    stage->height = desc->height;
    mc_stage_apply_look(stage);
    stage->pixels = mc_alloc((size_t)desc->width * desc->height, 4);
    if (!stage->pixels) {
        mc_error_out_of_memory(&error);
        return mc_command_fail(&error);
    }
    return MC_EXIT_OK;
}

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

static int create_renderer(mc_stage *stage, const mc_stage_desc *desc) {
    mc_error error = {0};
    mc_renderer_desc renderer_desc =
        mc_renderer_choose(stage->gpu, (mc_rasterizer)desc->picture->rasterizer,
                           stage->city->building_count, desc->picture->samples, false);
    mc_result result = mc_renderer_create(stage->gpu, &renderer_desc, &stage->renderer, &error);
    if (result == MC_OK) result = mc_renderer_set_city(stage->renderer, stage->city, &error);
    if (result == MC_OK &&
        (desc->picture->settings.look.names || desc->picture->legend || desc->picture->walk))
        result = create_overlay(stage, desc, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

int mc_stage_init(mc_stage *stage, const mc_stage_desc *desc) {
    memset(stage, 0, sizeof *stage);
    stage->trace = desc->trace;
    gpu_start start = {.picture = desc->picture};
    pthread_t thread;
    bool has_thread = pthread_create(&thread, NULL, start_gpu, &start) == 0;
    int code = MC_EXIT_OK;
    if (!desc->trace)
        code = mc_command_open(desc->paths, desc->path_count, desc->input, &stage->trace);
    if (code == MC_EXIT_OK) code = create(stage, desc);
    if (has_thread) {
        pthread_join(thread, NULL);
    } else {
        start_gpu(&start);
    }
    stage->gpu = start.gpu;
    if (code != MC_EXIT_OK) return code;
    return start.result == MC_OK ? create_renderer(stage, desc) : mc_command_fail(&start.error);
}

void mc_stage_deinit(mc_stage *stage) {
    mc_picture_overlay_destroy(stage->overlay);
    mc_step_stream_destroy(stage->steps);
    mc_renderer_destroy(stage->renderer);
    mc_picture_highlights_deinit(&stage->highlights);
    mc_gpu_destroy(stage->gpu);
    mc_city_destroy(stage->city);
    mc_trace_destroy(stage->trace);
    mc_free(stage->pixels);
    memset(stage, 0, sizeof *stage);
}

int mc_stage_set_step(mc_stage *stage, uint32_t step) {
    mc_error error = {0};
    mc_step_counts now;
    mc_result result = mc_step_stream_get(stage->steps, step, &now, &error);
    if (result == MC_OK)
        result = stage->has_step
                     ? mc_renderer_advance_counts(stage->renderer, now.counts, &error)
                     : mc_renderer_set_counts(stage->renderer, now.counts, now.counts, &error);
    stage->from = stage->has_step ? stage->counts : now.counts;
    stage->step = step;
    if (result == MC_OK)
        result = mc_picture_highlights_set_step(&stage->highlights, &stage->scene.params, step,
                                                stage->from, now.counts, !stage->has_step, &error);
    mc_picture_names_set_step(&stage->names, &stage->highlights);
    if (result == MC_OK && stage->highlights.styles)
        result = mc_renderer_set_styles(stage->renderer, stage->city->styles, &error);
    stage->scene.frustums = stage->highlights.frustums.items;
    stage->scene.frustum_count = stage->highlights.frustums.count;
    stage->scene.markers = stage->city->markers;
    stage->counts = result == MC_OK ? now.counts : NULL;
    stage->has_step = true;
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}

static void update_beacons(mc_stage *stage) {
    mc_label_scene scene = {.city = stage->city,
                            .params = &stage->scene.params,
                            .from = stage->from,
                            .to = stage->counts,
                            .camera = &stage->camera,
                            .scale = 1};
    mc_beacons_fill(&stage->beacons, &scene, &stage->names.settings, &stage->scene.theme,
                    stage->scene.pixel_scale);
    stage->scene.beacons = &stage->beacons;
}

int mc_stage_draw(mc_stage *stage, float blend) {
    mc_error error = {0};
    stage->scene.params.blend = blend;
    stage->scene.view = mc_camera_get_view(&stage->camera);
    update_beacons(stage);
    mc_ui_draw draw;
    if (stage->overlay)
        mc_picture_overlay_draw(stage->overlay, &stage->scene.params, &stage->camera, stage->step,
                                stage->from, stage->counts, &draw);
    mc_result result =
        mc_renderer_render_image(stage->renderer, &stage->scene, stage->overlay ? &draw : NULL,
                                 stage->width, stage->height, stage->pixels, &error);
    return result == MC_OK ? MC_EXIT_OK : mc_command_fail(&error);
}
