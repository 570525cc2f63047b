#include "app/view/view.h"

#include "app/view/view_state.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_WIDTH 1440
#define DEFAULT_HEIGHT 900
#define FRAME_NS 16666667u // not every display server holds presentation back
#define INSET_EASE_S 0.06
#define BUSY_FRAME_S 0.1 // between two looks at a task's progress
#define JUMP_S 0.3
#define QUIT_S 0.1 // that a task gets to end by itself

mc_view_desc mc_view_desc_default(void) {
    return (mc_view_desc){.wish = mc_wish_default(), .step = MC_NONE};
}

mc_result mc_view_fit_renderer(mc_view *view, uint32_t building_count, mc_error *error) {
    mc_renderer_desc desc =
        mc_renderer_choose(view->gpu, (mc_rasterizer)view->desc->rasterizer, building_count, 0, 0);
    if (view->renderer && desc.samples == view->renderer_desc.samples) return MC_OK;
    mc_renderer *renderer;
    uint32_t width, height;
    const uint8_t *texture = mc_ui_get_texture(view->ui, &width, &height);
    mc_result result = mc_renderer_create(view->gpu, &desc, &renderer, error);
    if (result != MC_OK) return result;
    result = mc_renderer_set_ui_texture(renderer, texture, width, height, error);
    mc_renderer_destroy(result == MC_OK ? view->renderer : renderer);
    if (result != MC_OK) return result;
    view->renderer = renderer;
    view->renderer_desc = desc;
    return MC_OK;
}

static mc_result create(mc_view *view, mc_error *error) {
    const mc_view_desc *desc = view->desc;
    mc_window_desc window_desc = {.width = desc->width, .height = desc->height, .title = "memcity"};
    const mc_preferences *remembered = &view->comfort.preferences;
    if (desc->width == 0) {
        bool knows = remembered->width > 0 && remembered->height > 0;
        window_desc.width = knows ? remembered->width : DEFAULT_WIDTH;
        window_desc.height = knows ? remembered->height : DEFAULT_HEIGHT;
        window_desc.is_exact = knows;
    }
    mc_result result = mc_window_create(&window_desc, &view->window, error);
    if (result == MC_OK) result = mc_job_create(mc_window_wake, &view->job, error);
    if (result != MC_OK) return result;
    // While the device is made ready, which takes as long.
    if (desc->path_count == 1 && !desc->follow && mc_view_is_file(desc->paths[0])) {
        mc_view_open_path(view, desc->paths[0]);
    } else if (mc_view_begin_follow(view)) {
        mc_view_open(view, desc->paths, desc->path_count, true);
    }
    uint32_t extension_count, width, height;
    const char *const *extensions = mc_window_get_extensions(&extension_count);
    mc_gpu_desc gpu_desc = {
        .validation = desc->validation,
        .device_name = desc->device_name,
        .instance_extensions = extensions,
        .instance_extension_count = extension_count,
        .create_surface = mc_window_create_surface,
        .user = view->window,
        .log = &view->log,
    };
    result = mc_gpu_create(&gpu_desc, &view->gpu, error);
    if (result != MC_OK) return result;
    mc_window_get_size(view->window, &width, &height);
    result = mc_swapchain_create(view->gpu, width, height, &view->swapchain, error);
    if (result != MC_OK) return result;
    result = mc_ui_create(mc_view_get_scale(view), &view->ui, error);
    if (result != MC_OK) return result;
    mc_view_connect_clipboard(view);
    result = mc_view_fit_renderer(view, 0, error);
    if (result != MC_OK) return result;
    // In a small window the city comes first.
    mc_window_get_size(view->window, &width, &height);
    float scale = mc_view_get_scale(view);
    bool is_small = (float)width < 720 * scale || (float)height < 500 * scale;
    if (is_small) {
        view->wish.selection_open = view->wish.suspects_open = false;
        view->wish.references_open = false;
        view->comfort.remembered = view->wish;
    }
    result = mc_view_begin_exploring(view, error);
    if (result != MC_OK) return result;
    return MC_OK;
}

static void destroy(mc_view *view) {
    mc_job_destroy(view->job);
    mc_view_stop_series(view);
    mc_view_end_follow(view);
    mc_view_end_exploring(view);
    mc_ui_destroy(view->ui);
    mc_renderer_destroy(view->renderer);
    mc_swapchain_destroy(view->swapchain);
    mc_gpu_destroy(view->gpu);
    mc_window_destroy(view->window);
    mc_view_close_comfort(view);
    mc_view_close_data(view);
    mc_view_free_model();
}

static bool is_on_its_way(const mc_view *view) {
    return mc_camera_is_moving(&view->camera) || mc_playback_is_tweening(&view->playback) ||
           view->jump_elapsed_s >= 0 || view->glide_elapsed_s >= 0 ||
           view->explore.walk.elapsed_s >= 0;
}

static bool is_animating(const mc_view *view) {
    return is_on_its_way(view) || mc_view_has_moving_arrows(view);
}

bool mc_view_is_idle(const mc_view *view) {
    const mc_view_explore *explore = &view->explore;
    const mc_job *jobs[] = {explore->references.job,
                            explore->walk.job,
                            explore->styles.job,
                            explore->search.job,
                            view->suspect_series.job,
                            view->selection_series.job,
                            view->job};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        if (jobs[i] && mc_job_is_busy(jobs[i])) return false;
    return view->task == MC_VIEW_IDLE && view->frames_due == 0 && !is_on_its_way(view) &&
           !view->comfort.has_pending;
}

// Sleeps until there is something to do, but for at least the rest of a frame's time.
static void wait(mc_view *view) {
    bool minimized = mc_window_is_minimized(view->window);
    double timeout = INFINITY;
    if (!minimized && (view->frames_due > 0 || (view->city && is_animating(view)))) {
        timeout = 0;
    } else if (view->city) {
        timeout = mc_playback_get_wait_s(&view->playback);
    }
    timeout = fmin(timeout, mc_view_get_comfort_wait_s(view));
    timeout = fmin(timeout, mc_view_get_follow_wait_s(view));
    // Drawing a large city again and again for a bar's sake would slow down what the bar waits for.
    double busy_frame_s = fmax(BUSY_FRAME_S, 2 * view->frame_cost_s);
    if (view->task != MC_VIEW_IDLE) timeout = fmin(timeout, busy_frame_s);
    if (minimized) timeout = fmax(timeout, 0.05);
    uint64_t now = mc_clock_now_ns(), next = view->frame_start_ns + FRAME_NS;
    double rest = next > now ? (double)(next - now) * 1e-9 : 0;
    if (timeout > rest) {
        mc_window_wait(view->window, timeout);
        now = mc_clock_now_ns();
    }
    while (now < next && !mc_window_should_close(view->window)) {
        mc_window_wait(view->window, fmax((double)(next - now) * 1e-9, 1e-4));
        now = mc_clock_now_ns();
    }
    mc_window_wait(view->window, 0);
}

static void advance(mc_view *view) {
    uint64_t now = mc_clock_now_ns();
    view->elapsed_s = (double)(now - view->now_ns) * 1e-9;
    view->now_ns = now;
    view->playback.loop = view->wish.loop;
    view->playback.smooth = view->camera.smooth = view->wish.motion;
    mc_playback_set_duration(&view->playback, view->wish.step_duration_s);
    if (!view->city) return;
    if (is_animating(view)) {
        view->hover_is_stale = true;
        mc_view_redraw_once(view);
    }
    mc_view_prepare_camera(view);
    if (mc_camera_advance(&view->camera, view->elapsed_s) || is_animating(view)) {
        mc_view_keep_outside(view);
    }
    if (mc_playback_advance(&view->playback, view->elapsed_s)) mc_view_redraw(view);
    mc_view_advance_glide(view);
    if (view->jump_elapsed_s >= 0) {
        view->jump_elapsed_s += view->elapsed_s;
        if (view->jump_elapsed_s >= JUMP_S) view->jump_elapsed_s = -1;
    }
}

// Brings the camera's free area to what the panels leave. Returns whether anything changed.
static bool update_viewport(mc_view *view) {
    const mc_ui_answer *answer = &view->answer;
    double wanted[4] = {(double)answer->left, (double)answer->top, (double)answer->right,
                        (double)answer->bottom};
    double share = 1 - exp(-view->elapsed_s / INSET_EASE_S);
    if (!view->has_insets || !view->wish.motion) share = 1;
    bool changed = !view->has_insets; // another trace is framed, even where the panels are the same
    view->has_insets = true;
    for (int i = 0; i < 4; i++) {
        double way = wanted[i] - view->insets[i];
        if (way == 0) continue;
        changed = true;
        view->insets[i] = fabs(way) < 0.5 ? wanted[i] : view->insets[i] + way * share;
    }
    uint32_t width, height;
    mc_window_get_size(view->window, &width, &height);
    mc_camera_viewport *v = &view->camera.viewport;
    changed = changed || v->width != width || v->height != height;
    mc_camera_viewport viewport = {.width = width,
                                   .height = height,
                                   .left = view->insets[0],
                                   .top = view->insets[1],
                                   .right = view->insets[2],
                                   .bottom = view->insets[3]};
    mc_camera_set_viewport(&view->camera, viewport);
    if (!changed || !view->city) return false;
    mc_view_redraw(view);
    view->hover_is_stale = true;
    if (view->wish.is_home) mc_view_frame_structure(view, MC_STRUCTURE_NONE, true);
    return true;
}

static void run_ui(mc_view *view, mc_ui_draw *draw) {
    mc_ui_model model;
    uint32_t width, height;
    mc_window_get_size(view->window, &width, &height);
    mc_view_fill_model(view, &model);
    mc_ui_frame(view->ui, &model, &view->wish, (float)width, (float)height, view->elapsed_s,
                &view->answer, draw);
    view->wish = view->answer.wish;
    view->pointer_moved = view->button_pressed = false;
}

static bool draw_frame(mc_view *view) {
    mc_ui_draw draw;
    mc_error error = {0};
    if (view->city) {
        mc_view_update_params(view);
        mc_view_update_frustums(view);
        mc_view_update_hover(view);
    }
    run_ui(view, &draw);
    mc_view_apply_answer(view);
    // Names in the picture are where the camera now sees them.
    if (update_viewport(view)) run_ui(view, &draw);
    if (view->has_held_event) mc_view_redraw_once(view);

    mc_theme theme = mc_theme_get(view->wish.look.dark, (mc_palette)view->wish.look.palette);
    mc_scene scene = {
        .view = mc_camera_get_view(&view->camera),
        .params = view->params,
        .theme = theme,
        .hovered = view->hovered,
        .selected = view->selected,
        .edges = view->wish.look.edges,
    };
    if (view->city) mc_view_fill_frustum_scene(view, &scene);
    if (view->comfort.picture != MC_VIEW_NO_PICTURE) mc_view_take_picture(view, &scene, &draw);
    bool skipped = false;
    mc_result result =
        mc_renderer_render_frame(view->renderer, view->swapchain, &scene, &draw, &skipped, &error);
    if (result != MC_OK) return mc_view_fail(view, &error);
    if (skipped) {
        mc_view_redraw_once(view);
    } else {
        view->frame_count++;
    }
    return true;
}

static bool turn(mc_view *view) {
    wait(view);
    mc_view_take_results(view);
    mc_view_sync_follow(view);
    advance(view);
    mc_view_handle_events(view);
    mc_view_sync_layout(view);
    if (!mc_view_show_step(view)) return false;
    mc_view_sync_exploring(view);
    mc_view_update_comfort(view);
    if (view->task != MC_VIEW_IDLE) mc_view_redraw_once(view);
    if (mc_window_is_minimized(view->window)) {
        view->frame_start_ns = mc_clock_now_ns();
    } else if (view->frames_due > 0) {
        view->frames_due--;
        view->frame_start_ns = mc_clock_now_ns();
        if (!draw_frame(view)) return false;
        view->frame_cost_s = (double)(mc_clock_now_ns() - view->frame_start_ns) * 1e-9;
    }
    mc_view_write_report(view);
    mc_view_run_script(view);
    return true;
}

int mc_view_run(const mc_view_desc *desc) {
    mc_error error = {0};
    mc_view *view = mc_alloc_zero(1, sizeof *view);
    if (!view) {
        mc_error_out_of_memory(&error);
        return mc_command_fail(&error);
    }
    view->desc = desc;
    view->script = desc->script;
    view->log = mc_command_get_log();
    view->layout = desc->wish.layout;
    view->wish.selection = mc_selection_of(MC_NONE);
    view->selected = view->hovered = MC_STRUCTURE_NONE;
    view->jump_elapsed_s = view->glide_elapsed_s = -1;
    mc_view_redraw(view);
    mc_view_begin_preferences(view);
    mc_playback_init(&view->playback, 0, 0);
    mc_camera_bounds unit = {{0, 0, 0}, {1, 1, 1}};
    mc_camera_init(&view->camera, &unit, (mc_camera_viewport){.width = 1, .height = 1});
    if (create(view, &error) != MC_OK) {
        view->exit_code = mc_command_fail(&error);
    } else {
        view->now_ns = mc_clock_now_ns();
        while (!mc_window_should_close(view->window) && turn(view)) {
        }
    }
    int exit_code = view->exit_code;
    if (view->window) mc_view_save_preferences(view);
    if (view->window) mc_window_hide(view->window);
    // Part of a task can't be interrupted, and whoever closes a window wants it closed now. The
    // task writes no files, so nothing is lost by leaving it where it is.
    if (view->job && !mc_view_end_task(view, QUIT_S)) {
        mc_view_end_video(view);
        _Exit(exit_code);
    }
    destroy(view);
    mc_free(view);
    return exit_code;
}
