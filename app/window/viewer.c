#include "app/window/viewer.h"

#include "app/session/action.h"
#include "app/session/describe.h"
#include "app/session/host.h"
#include "app/session/lag.h"
#include "app/session/name_cache.h"
#include "app/session/opening.h"
#include "app/session/queries.h"
#include "app/session/script.h"
#include "app/session/turn.h"
#include "app/views/painters.h"
#include "app/views/views.h"
#include "app/window/dialog.h"
#include "app/window/export.h"
#include "app/window/file_dialog.h"
#include "app/window/host.h"
#include "app/window/input.h"
#include "app/window/menu.h"
#include "app/window/recorder.h"
#include "app/window/reporting.h"
#include "app/window/scale.h"
#include "app/window/start.h"
#include "app/window/state_file.h"
#include "app/window/typing.h"
#include "app/window/video.h"
#include "app/window/viewer_state.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_WIDTH 1440
#define DEFAULT_HEIGHT 900
#define FRAME_NS 16666667u     // not every display server holds presentation back
#define PATIENCE_NS 200000000u // for a trace that is opened, before an empty picture is drawn
#define INSET_EASE_S 0.06
#define BUSY_FRAME_S 0.1     // between two looks at a task's progress
#define POLL_S 0.1           // between two looks at a video that is being made
#define IDLE_S 0.2           // nothing is to be done for so long
#define SMOOTH_FRAME_S 0.012 // what a frame may cost for arrows to move all the time
#define KEY_CAPACITY 256     // rows of the help: there are far fewer actions
#define QUIT_S 0.1           // that a task gets to end by itself

mc_viewer_desc mc_viewer_desc_default(void) {
    return (mc_viewer_desc){.session = {.settings = mc_settings_default(), .step = MC_NONE}};
}

// ---- from the session to the renderer

// What the command line says, else the preferences.
static uint32_t get_samples(const mc_viewer *viewer) {
    const uint32_t preferred = viewer->session->settings.samples, said = viewer->desc->samples;
    return said > 0 ? said : preferred > 0 ? preferred : MC_RENDERER_STILL_SAMPLES;
}

static mc_result set_ui_texture(const mc_viewer *viewer, mc_renderer *renderer, mc_error *error) {
    uint32_t width, height;
    const uint8_t *texture = mc_ui_get_texture(viewer->ui, &width, &height);
    return mc_renderer_set_ui_texture(renderer, texture, width, height, error);
}

// A renderer that suits a picture of so many things; another one has nothing to draw yet.
static mc_result fit_renderer(mc_viewer *viewer, uint32_t count, mc_error *error) {
    mc_renderer_desc desc = mc_renderer_choose(viewer->gpu, (mc_rasterizer)viewer->desc->rasterizer,
                                               count, get_samples(viewer), true);
    viewer->samples = get_samples(viewer);
    if (viewer->renderer && desc.samples == viewer->renderer_desc.samples &&
        desc.rounds == viewer->renderer_desc.rounds)
        return MC_OK;
    mc_renderer *renderer;
    mc_result result = mc_renderer_create(viewer->gpu, &desc, &renderer, error);
    if (result != MC_OK) return result;
    if (viewer->ui) result = set_ui_texture(viewer, renderer, error);
    mc_first_build_end(&viewer->first_build, false); // it may be of the one that goes
    mc_renderer_destroy(result == MC_OK ? viewer->renderer : renderer);
    if (result != MC_OK) return result;
    viewer->renderer = renderer;
    viewer->renderer_desc = desc;
    return MC_OK;
}

// What has changed since it was told last.
static bool upload(mc_viewer *viewer) {
    mc_session *session = viewer->session;
    mc_error error = {0};
    mc_result result = MC_OK;
    if (!session->shown) return true;
    const mc_view_painter *painter = mc_view_get_painter(session->view);
    // Another renderer knows nothing yet.
    if (viewer->samples != get_samples(viewer)) viewer->uploaded = (mc_view_versions){0};
    if (viewer->uploaded.layout != session->layout_version)
        result = fit_renderer(viewer, painter->get_count(session->view), &error);
    if (result == MC_OK)
        result = painter->upload(session->view, &viewer->uploaded, viewer->renderer, &error);
    return result == MC_OK || mc_session_fail(session, &error);
}

static mc_scene get_scene(mc_viewer *viewer) {
    mc_session *session = viewer->session;
    if (session->shown) return mc_view_get_painter(session->view)->get_scene(session->view);
    return mc_view_get_empty_scene(&session->settings.look, session->viewport);
}

// ---- beginning and end

static void give_input(mc_viewer *viewer) {
    mc_session_input input = {
        .pixel_scale = (double)mc_viewer_get_pixel_scale(viewer),
        .text_scale = (double)mc_viewer_get_scale(viewer),
        .is_over_picture = mc_viewer_is_over_picture(viewer),
        .x = viewer->pointer_x,
        .y = viewer->pointer_y,
        .is_dragging = viewer->press.down,
        .is_button_down = viewer->button_is_down,
        .chart_x0 = (double)viewer->answer.chart_x0,
        .chart_x1 = (double)viewer->answer.chart_x1,
        .hides_tooltip = viewer->tooltip_hidden,
        .can_idle_moving =
            !mc_gpu_is_software(viewer->gpu) && viewer->frame_cost_s < SMOOTH_FRAME_S,
    };
    mc_window_get_size(viewer->window, &input.width, &input.height);
    mc_session_set_input(viewer->session, &input);
}

static mc_result create_window(mc_viewer *viewer, mc_error *error) {
    const mc_viewer_desc *desc = viewer->desc;
    mc_window_desc window_desc = {.width = desc->width, .height = desc->height, .title = "memcity"};
    const mc_preferences *remembered = &viewer->session->preferences;
    if (desc->width == 0) {
        bool knows = remembered->width > 0 && remembered->height > 0;
        window_desc.width = knows ? remembered->width : DEFAULT_WIDTH;
        window_desc.height = knows ? remembered->height : DEFAULT_HEIGHT;
        window_desc.is_exact = knows;
    }
    return mc_window_create(&window_desc, &viewer->window, error);
}

static mc_result create_device(mc_viewer *viewer, mc_error *error) {
    uint32_t extension_count, width, height;
    const char *const *extensions = mc_window_get_extensions(&extension_count);
    mc_log log = mc_command_get_log();
    mc_gpu_desc gpu_desc = {
        .validation = viewer->desc->validation,
        .device_name = viewer->desc->device_name,
        .without = getenv("MEMCITY_WITHOUT"),
        .instance_extensions = extensions,
        .instance_extension_count = extension_count,
        .create_surface = mc_window_create_surface,
        .user = viewer->window,
        .log = &log,
    };
    const char *preferred = viewer->session->settings.device;
    bool is_preferred = !gpu_desc.device_name && preferred[0];
    if (is_preferred) gpu_desc.device_name = preferred;
    mc_result result = mc_gpu_create(&gpu_desc, &viewer->gpu, error);
    if (result != MC_OK && is_preferred) { // it may be gone
        gpu_desc.device_name = NULL;
        *error = (mc_error){.code = MC_OK};
        result = mc_gpu_create(&gpu_desc, &viewer->gpu, error);
    }
    if (result != MC_OK) return result;
    mc_window_get_size(viewer->window, &width, &height);
    return mc_swapchain_create(viewer->gpu, width, height, &viewer->swapchain, error);
}

// In a small window the picture comes first.
static void fold_panels(mc_viewer *viewer) {
    uint32_t width, height;
    mc_window_get_size(viewer->window, &width, &height);
    float scale = mc_viewer_get_scale(viewer);
    if ((float)width >= 720 * scale && (float)height >= 500 * scale) return;
    mc_session_fold_panels(viewer->session);
}

static void hold_queries(mc_viewer *viewer, bool holds) {
    mc_session_hold_queries(viewer->session, holds);
    viewer->holds_queries = holds;
}

static void begin_first_build(mc_viewer *viewer) {
    const mc_session *session = viewer->session;
    const mc_first_picture first = {.edges = session->settings.look.edges};
    if (session->settings.view == 0 && session->work.task == MC_SESSION_OPENING)
        mc_first_build_begin(&viewer->first_build, viewer->renderer, &first);
}

static mc_result create(mc_viewer *viewer, mc_error *error) {
    viewer->session_desc = viewer->desc->session;
    viewer->session_desc.host = mc_viewer_get_host(viewer);
    viewer->session_desc.views = mc_views;
    mc_result result = mc_session_create(&viewer->session_desc, &viewer->session, error);
    if (result != MC_OK) return result;
    hold_queries(viewer, true);        // what panels say of the trace can wait for its picture
    mc_session_begin(viewer->session); // while all else is made ready, which takes as long
    result = mc_window_open_display(error);
    if (result == MC_OK) result = create_window(viewer, error);
    if (result == MC_OK) result = create_device(viewer, error);
    if (result == MC_OK) result = fit_renderer(viewer, 0, error);
    if (result != MC_OK) return result;
    begin_first_build(viewer);
    mc_window_show(viewer->window);
    result = mc_ui_create(mc_viewer_get_scale(viewer), &viewer->ui, error);
    if (result == MC_OK) result = set_ui_texture(viewer, viewer->renderer, error);
    if (result != MC_OK) return result;
    mc_viewer_connect_clipboard(viewer);
    fold_panels(viewer);
    give_input(viewer);
    viewer->patience_end_ns = mc_clock_now_ns() + PATIENCE_NS;
    return MC_OK;
}

static void destroy(mc_viewer *viewer) {
    mc_first_build_end(&viewer->first_build, false);
    mc_ui_destroy(viewer->ui);
    mc_renderer_destroy(viewer->renderer);
    mc_swapchain_destroy(viewer->swapchain);
    mc_gpu_destroy(viewer->gpu);
    mc_window_destroy(viewer->window);
    mc_viewer_end_video(viewer);
    mc_viewer_end_reporting(viewer);
    mc_viewer_end_browsing(viewer);
    mc_viewer_end_dialog(viewer);
    mc_viewer_end_menu(viewer);
    mc_viewer_end_recording(viewer);
    mc_session_destroy(viewer->session);
    mc_window_close_display(); // no task is left that would wake the window
    mc_form_texts_deinit(&viewer->start.texts);
    mc_text_deinit(&viewer->report);
    mc_text_deinit(&viewer->reported);
    mc_free(viewer);
}

// If something has changed.
static void save_preferences(mc_viewer *viewer) {
    if (!viewer->session->preferences.path || !viewer->window || viewer->button_is_down) return;
    uint32_t width, height;
    bool has_size = mc_window_get_restored_size(viewer->window, &width, &height);
    if (viewer->remembered_width == 0) {
        // What it opened with is nothing to remember.
        viewer->remembered_width = width;
        viewer->remembered_height = height;
    }
    has_size =
        has_size && (width != viewer->remembered_width || height != viewer->remembered_height);
    if (!mc_session_save_preferences(viewer->session, has_size ? width : 0, has_size ? height : 0))
        return;
    viewer->remembered_width = width;
    viewer->remembered_height = height;
}

// What is open and when; the system shows it in lists of windows.
static void update_title(mc_viewer *viewer) {
    const mc_session *session = viewer->session;
    const char *trace_name = mc_session_get_trace_name(session);
    char title[sizeof viewer->title], name[256];
    uint32_t root = session->shown ? session->shown->root_node : 0;
    snprintf(name, sizeof name, "%.120s%s%.120s",
             root > 0 ? mc_session_get_name(session, root) : "", root > 0 ? " in " : "",
             trace_name ? trace_name : "");
    uint32_t step_count = session->trace ? mc_trace_get_step_count(session->trace) : 0;
    if (session->trace && step_count > 1) {
        snprintf(title, sizeof title, "%.200s, step %" PRIu32 " of 0–%" PRIu32 " – memcity", name,
                 session->playback.step, step_count - 1);
    } else if (session->trace) {
        snprintf(title, sizeof title, "%.200s – memcity", name);
    } else {
        snprintf(title, sizeof title, "memcity");
    }
    if (strcmp(title, viewer->title) == 0) return;
    memcpy(viewer->title, title, sizeof title);
    mc_window_set_title(viewer->window, title);
}

// ---- a frame

// Brings the picture's free area to what the panels leave. Returns whether anything changed.
static bool update_viewport(mc_viewer *viewer) {
    mc_session *session = viewer->session;
    const mc_ui_answer *answer = &viewer->answer;
    double wanted[4] = {(double)answer->left, (double)answer->top, (double)answer->right,
                        (double)answer->bottom};
    double share = 1 - exp(-session->turn.elapsed_s / INSET_EASE_S);
    if (viewer->trace_version != session->trace_version) viewer->has_insets = false;
    viewer->trace_version = session->trace_version;
    if (!viewer->has_insets || !session->settings.motion) share = 1;
    bool changed =
        !viewer->has_insets; // another trace is framed, even where the panels are the same
    viewer->has_insets = true;
    for (int i = 0; i < 4; i++) {
        double way = wanted[i] - viewer->insets[i];
        if (way == 0) continue;
        changed = true;
        viewer->insets[i] = fabs(way) < 0.5 ? wanted[i] : viewer->insets[i] + way * share;
    }
    uint32_t width, height;
    mc_window_get_size(viewer->window, &width, &height);
    const mc_camera_viewport *v = &session->viewport;
    changed = changed || v->width != width || v->height != height;
    mc_camera_viewport viewport = {.width = width,
                                   .height = height,
                                   .left = viewer->insets[0],
                                   .top = viewer->insets[1],
                                   .right = viewer->insets[2],
                                   .bottom = viewer->insets[3]};
    mc_session_set_viewport(session, viewport);
    if (!changed || !session->shown) return false;
    mc_session_redraw(session);
    mc_session_pick_again(session);
    session->view->kind->refit(session->view);
    return true;
}

static void fill_facts(mc_viewer *viewer, mc_facts *model, mc_fact_key *keys, uint32_t capacity) {
    const mc_viewer_video *video = &viewer->video;
    mc_session_fill_facts(viewer->session, model);
    if (viewer->session->settings.all_keys)
        model->key_count = mc_viewer_list_keys(keys, capacity);
    else
        model->key_count = mc_viewer_list_first_keys(keys, capacity);
    model->keys = keys;
    model->box = &viewer->dialog.box;
    model->menu = &viewer->menu;
    model->start = &viewer->start.model;
    mc_viewer_devices_fill(&viewer->devices, viewer->gpu, &viewer->session->settings, model);
    if (viewer->recording.child.process > 0 && viewer->recording.text.size > 0)
        model->recording_text = viewer->recording.text.data;
    model->writes_report = viewer->reporting.child.process > 0;
    if (video->child.process == 0) return;
    model->video_text = video->text;
    model->video_progress =
        video->frame_count > 0 ? (float)video->frame / (float)video->frame_count : -1;
}

static void run_ui(mc_viewer *viewer, mc_ui_draw *draw) {
    mc_session *session = viewer->session;
    mc_facts model;
    mc_fact_key keys[KEY_CAPACITY];
    uint32_t width, height;
    mc_window_get_size(viewer->window, &width, &height);
    fill_facts(viewer, &model, keys, sizeof keys / sizeof *keys);
    mc_ui_frame(viewer->ui, &model, &session->settings, (float)width, (float)height,
                session->turn.elapsed_s, &viewer->answer, draw);
    mc_session_take_panels(session, &viewer->answer.settings, viewer->answer.lit_row,
                           viewer->answer.lit_path_row);
    viewer->pointer_moved = viewer->button_pressed = false;
}

static void apply_answer(mc_viewer *viewer) {
    const mc_ui_answer *answer = &viewer->answer;
    if (answer->wants_frame) mc_session_redraw_once(viewer->session);
    mc_viewer_update_dialog(viewer);
    mc_action_id action = answer->action;
    // In lists as in the picture: what is clicked with Shift is selected, too.
    if (viewer->adds && action == MC_ACTION_SHOW_NODE) action = MC_ACTION_TOGGLE_NODE;
    if (viewer->adds && action == MC_ACTION_SHOW_HIT) action = MC_ACTION_ADD_HIT;
    mc_session_do(viewer->session, action, answer->argument);
    if (answer->wants_menu) mc_viewer_open_context_menu(viewer, true);
}

static void note_frame(mc_viewer *viewer, const mc_scene *scene) {
    mc_viewer_reaction *reaction = &viewer->reaction;
    viewer->frame_count++;
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): there is no padding
    bool moved = memcmp(&scene->view, &reaction->view, sizeof scene->view) != 0;
    reaction->view = scene->view;
    if (!reaction->is_due) return;
    reaction->count++;
    if (moved) reaction->frames = reaction->count;
    // Where the camera can't go, nothing is to be seen.
    reaction->is_due = !moved && mc_session_is_animating(viewer->session);
}

static bool draw_frame(mc_viewer *viewer) {
    mc_session *session = viewer->session;
    mc_ui_draw draw;
    mc_error error = {0};
    give_input(viewer);
    mc_session_prepare_frame(session);
    run_ui(viewer, &draw);
    apply_answer(viewer);
    // Names in the picture are where the camera now sees them.
    if (update_viewport(viewer)) {
        run_ui(viewer, &draw);
        apply_answer(viewer); // a button may have been let go in between
    }
    if (viewer->has_held_event) mc_session_redraw_once(session);
    // What waited for the UI alone comes at once: a picture before that would only hold it up.
    if (viewer->has_held_event && viewer->held_event.kind != MC_WINDOW_KEY) return true;
    mc_scene scene = get_scene(viewer);
    mc_first_build_end(&viewer->first_build, session->shown && session->settings.view == 0);
    mc_renderer_set_moving(viewer->renderer, (mc_moving)session->settings.moving);
    bool skipped = false;
    mc_result result = mc_renderer_render_frame(viewer->renderer, viewer->swapchain, &scene, &draw,
                                                &skipped, &error);
    if (result != MC_OK) return mc_session_fail(session, &error);
    // A picture may need a frame of the UI of its own, which ends the one that was drawn.
    if (viewer->picture != MC_VIEWER_NO_PICTURE) mc_viewer_take_picture(viewer, &scene, &draw);
    if (skipped)
        mc_session_redraw_once(session);
    else
        note_frame(viewer, &scene);
    bool is_half = mc_renderer_is_half(viewer->renderer);
    if (!skipped && is_half) viewer->half_count++;
    if (mc_renderer_is_refining(viewer->renderer) && (is_half || !mc_session_follows_fast(session)))
        mc_session_redraw_once(session);
    return true;
}

// ---- turn by turn

// A recording ends with the window: a person is asked, a script says what it means.
static bool is_over(mc_viewer *viewer) {
    bool ends = viewer->session->ends || mc_window_should_close(viewer->window);
    bool asks = viewer->recording.child.process > 0 && !viewer->may_quit && !viewer->desc->script;
    if (!ends || !asks || viewer->session->exit_code != MC_EXIT_OK) return ends;
    mc_session_go_on(viewer->session);
    mc_window_stay(viewer->window);
    if (!viewer->dialog.box.is_open || viewer->dialog.kind != MC_DIALOG_QUIT)
        mc_viewer_open_dialog(viewer, MC_DIALOG_QUIT);
    return false;
}

// How many frames may be in flight when input is taken: what the user does is seen behind them. A
// second one saves what the main thread does meanwhile, a few hundredths of a frame of a software
// device; that is for time that plays.
static uint32_t get_most_pending(const mc_viewer *viewer) {
    bool is_still = mc_renderer_get_drawings(viewer->renderer) > 1;
    if (viewer->session->playback.playing) return 1;
    return is_still || mc_gpu_is_software(viewer->gpu) ? 0 : 1;
}

// An empty picture, and what it needs of the device, would hold up a trace that is there soon.
static bool is_patient(const mc_viewer *viewer) {
    return viewer->frame_count == 0 && viewer->session->work.task == MC_SESSION_OPENING &&
           mc_clock_now_ns() < viewer->patience_end_ns;
}

static double get_patience_s(const mc_viewer *viewer) {
    uint64_t now = mc_clock_now_ns(), end = viewer->patience_end_ns;
    return end > now ? (double)(end - now) * 1e-9 : 0;
}

// Sleeps until there is something to do, but for at least the rest of a frame's time, and takes
// what the user has done only when it can be drawn.
static void wait(mc_viewer *viewer) {
    const mc_session *session = viewer->session;
    bool minimized = mc_window_is_minimized(viewer->window);
    double timeout =
        is_patient(viewer) ? get_patience_s(viewer) : mc_session_get_wait_s(session, !minimized);
    if (viewer->video.child.process > 0 || viewer->recording.child.process > 0 ||
        viewer->reporting.child.process > 0 || viewer->browsing.process > 0)
        timeout = fmin(timeout, POLL_S);
    timeout = fmin(timeout, mc_viewer_get_start_wait_s(viewer));
    // Drawing a large city again and again for a bar's sake would slow down what the bar waits for.
    double busy_frame_s = fmax(BUSY_FRAME_S, 2 * viewer->frame_cost_s);
    if (session->work.task != MC_SESSION_IDLE) timeout = fmin(timeout, busy_frame_s);
    if (minimized) timeout = fmax(timeout, 0.05);
    uint64_t now = mc_clock_now_ns(), next = viewer->frame_start_ns + FRAME_NS;
    double rest = next > now ? (double)(next - now) * 1e-9 : 0;
    if (timeout > IDLE_S && !viewer->first_build.has_thread &&
        mc_renderer_build_next(viewer->renderer))
        timeout = 0;
    if (timeout > rest) {
        mc_window_wait(viewer->window, timeout);
        now = mc_clock_now_ns();
    }
    while (now < next && !mc_window_should_close(viewer->window)) {
        mc_window_wait(viewer->window, fmax((double)(next - now) * 1e-9, 1e-4));
        now = mc_clock_now_ns();
    }
    mc_error error = {0};
    if (mc_renderer_wait(viewer->renderer, get_most_pending(viewer), &error) != MC_OK)
        mc_session_fail(viewer->session, &error);
    mc_window_wait(viewer->window, 0);
}

static void append_state(void *user, mc_text *out) {
    mc_viewer_append_state(user, out);
}

// Of a frame while it plays, from the upload of its step on.
static void note_frame_time(mc_viewer *viewer, double frame_ms) {
    bool plays = viewer->session->playback.playing;
    if (plays && !viewer->was_playing) viewer->frame_times = (mc_frame_times){0};
    if (plays) mc_frame_times_add(&viewer->frame_times, frame_ms);
    viewer->was_playing = plays;
    double latency_ms = mc_session_take_latency(viewer->session);
    if (latency_ms >= 0) mc_frame_times_add(&viewer->latencies, latency_ms);
}

static void turn(mc_viewer *viewer) {
    mc_session *session = viewer->session;
    wait(viewer);
    give_input(viewer);
    mc_session_begin_turn(session, mc_clock_now_ns());
    mc_viewer_handle_events(viewer);
    give_input(viewer);
    mc_session_end_turn(session);
    update_title(viewer);
    if (viewer->video.child.process > 0) mc_viewer_poll_video(viewer);
    if (viewer->recording.child.process > 0) mc_viewer_poll_recording(viewer);
    if (viewer->reporting.child.process > 0) mc_viewer_poll_reporting(viewer);
    if (viewer->browsing.process > 0) mc_viewer_poll_browsing(viewer);
    mc_viewer_update_start(viewer);
    save_preferences(viewer);
    uint64_t upload_ns = mc_clock_now_ns(), frame_count = viewer->frame_count;
    if (!upload(viewer)) return;
    if (mc_window_is_minimized(viewer->window)) {
        viewer->frame_start_ns = mc_clock_now_ns();
    } else if (session->turn.frames_due > 0 && !is_patient(viewer)) {
        viewer->frame_start_ns = mc_clock_now_ns();
        if (!draw_frame(viewer)) return;
        viewer->frame_cost_s = (double)(mc_clock_now_ns() - viewer->frame_start_ns) * 1e-9;
        note_frame_time(viewer, (double)(mc_clock_now_ns() - upload_ns) * 1e-6);
    }
    bool has_drawn = session->shown && viewer->frame_count > frame_count;
    if (viewer->holds_queries && (has_drawn || mc_window_is_minimized(viewer->window)))
        hold_queries(viewer, false);
    mc_viewer_write_report(viewer);
    mc_script_run(viewer->desc->script, session, append_state, viewer);
}

int mc_viewer_run(const mc_viewer_desc *desc) {
    mc_error error = {0};
    mc_viewer *viewer = mc_alloc_zero(1, sizeof *viewer);
    if (!viewer) {
        mc_error_out_of_memory(&error);
        return mc_command_fail(&error);
    }
    viewer->desc = desc;
    int exit_code = MC_EXIT_OK;
    if (create(viewer, &error) != MC_OK) {
        exit_code = mc_command_fail(&error);
    } else {
        while (!is_over(viewer)) {
            turn(viewer);
        }
        exit_code = viewer->session->exit_code;
    }
    if (viewer->window) {
        save_preferences(viewer);
        mc_window_hide(viewer->window);
    }
    // Part of a task can't be interrupted, and whoever closes a window wants it closed now. The
    // task writes no files, so nothing is lost by leaving it where it is.
    if (viewer->session && !mc_session_end_task(viewer->session, QUIT_S)) {
        mc_viewer_end_video(viewer);
        mc_viewer_end_reporting(viewer);
        mc_viewer_end_recording(viewer);
        _Exit(exit_code);
    }
    destroy(viewer);
    return exit_code;
}
