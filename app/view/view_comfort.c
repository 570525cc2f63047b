#include "app/view/view_state.h"

#include "engine/base/memory.h"
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NOTICE_S 6.0 // that good news stay
#define POLL_S 0.1   // between two looks at a video that is being made
#define SCALE_STEP 1.125f
#define SCALE_LEAST 0.6f
#define SCALE_MOST 3.0f

float mc_view_get_scale(const mc_view *view) {
    float scale =
        view->desc->scale > 0 ? (float)view->desc->scale : mc_window_get_scale(view->window);
    return fminf(fmaxf(scale * view->wish.text_scale, 0.5f), 8);
}

void mc_view_change_scale(mc_view *view, int way) {
    float factor = way > 0 ? SCALE_STEP : 1 / SCALE_STEP;
    float scale = way == 0 ? 1 : view->wish.text_scale * factor;
    scale = fminf(fmaxf(scale, SCALE_LEAST), SCALE_MOST);
    if (fabsf(scale - 1) < 0.02f) scale = 1; // up and down again leads back
    view->wish.text_scale = scale;
    mc_view_update_scale(view);
}

void mc_view_set_notice(mc_view *view, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    mc_view_set_message(view, text);
    view->comfort.message_is_notice = true;
    view->comfort.notice_end_ns = view->now_ns + (uint64_t)(NOTICE_S * 1e9);
    mc_view_redraw(view);
}

double mc_view_get_comfort_wait_s(const mc_view *view) {
    double wait = INFINITY;
    if (view->comfort.video.process > 0) wait = POLL_S;
    if (view->message && view->comfort.message_is_notice) {
        uint64_t end = view->comfort.notice_end_ns, now = view->now_ns;
        wait = fmin(wait, end > now ? (double)(end - now) * 1e-9 : 0);
    }
    return wait;
}

void mc_view_fill_comfort(mc_view *view, mc_ui_model *model) {
    const mc_view_video *video = &view->comfort.video;
    model->box = &view->comfort.box;
    if (video->process == 0) return;
    model->video_text = video->text;
    model->video_progress =
        video->frame_count > 0 ? (float)video->frame / (float)video->frame_count : -1;
}

// What is open and when; the system shows it in lists of windows.
static void update_title(mc_view *view) {
    char title[sizeof view->comfort.title], name[256];
    uint32_t root = view->city ? view->city->desc.root_node : 0;
    snprintf(name, sizeof name, "%.120s%s%.120s", root > 0 ? mc_view_get_name(view, root) : "",
             root > 0 ? " in " : "", view->trace && view->trace_name ? view->trace_name : "");
    uint32_t step_count = view->trace ? mc_trace_get_step_count(view->trace) : 0;
    if (view->trace && step_count > 1) {
        snprintf(title, sizeof title, "%.200s, step %" PRIu32 " of 0–%" PRIu32 " – memcity", name,
                 view->playback.step, step_count - 1);
    } else if (view->trace) {
        snprintf(title, sizeof title, "%.200s – memcity", name);
    } else {
        snprintf(title, sizeof title, "memcity");
    }
    if (strcmp(title, view->comfort.title) == 0) return;
    memcpy(view->comfort.title, title, sizeof title);
    mc_window_set_title(view->window, title);
}

void mc_view_update_comfort(mc_view *view) {
    mc_view_comfort *comfort = &view->comfort;
    update_title(view);
    if (comfort->video.process > 0) mc_view_poll_video(view);
    bool is_over =
        view->message && comfort->message_is_notice && view->now_ns >= comfort->notice_end_ns;
    if (is_over) {
        mc_view_set_message(view, NULL);
        mc_view_redraw(view);
    }
    mc_view_record(view);
    mc_view_save_preferences(view);
}

void mc_view_close_comfort(mc_view *view) {
    mc_view_comfort *comfort = &view->comfort;
    mc_view_end_video(view);
    mc_view_file_deinit(&comfort->wanted);
    mc_form_texts_deinit(&comfort->paths);
    mc_preferences_deinit(&comfort->preferences);
    mc_form_texts_deinit(&comfort->box_paths);
    mc_form_texts_deinit(&comfort->box_details);
    mc_free(comfort->box_entries);
}
