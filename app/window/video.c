#include "app/window/video.h"

#include "app/format.h"
#include "app/picture/film.h"
#include "app/session/tables.h"
#include "app/window/child_options.h"
#include "app/window/dialog.h"
#include "engine/base/memory.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

// A video is made by another run of this program, from a view file: the window goes on at its own
// pace, and what goes wrong with a driver or an encoder there leaves it alone.

#define ARGUMENT_CAPACITY 32
#define UNASKED_FRAMES 150 // 5 s

// What is shown now and no view says: a walk; and that the panels are hidden, with them the legend.
static uint32_t add_shown(const mc_session *session, const char **arguments, uint32_t count) {
    if (!session->settings.panels) arguments[count++] = "--no-legend";
    if (session->walk.is_shown && session->settings.view == 0) arguments[count++] = "--walk";
    return count;
}

static mc_result start(mc_viewer *viewer, const char *size, mc_error *error) {
    mc_viewer_video *video = &viewer->video;
    const char *arguments[ARGUMENT_CAPACITY] = {
        "memcity",   "video",  "--view", video->view_path, "-o",
        video->path, "--size", size,     "--progress",     "--allow-network", // it is open already
    };
    uint32_t count = mc_viewer_add_child_options(viewer, true, arguments, 10);
    count = add_shown(viewer->session, arguments, count);
    arguments[count] = NULL;
    return mc_window_child_start(&video->child, arguments, error);
}

static void clean_up(mc_viewer_video *video) {
    mc_window_child_end(&video->child, SIGTERM);
    mc_viewer_remove_view(video->view_path);
    mc_free(video->path);
    *video = (mc_viewer_video){0};
}

static void begin(mc_viewer *viewer) {
    mc_viewer_video *video = &viewer->video;
    mc_error error = {0};
    mc_text path = {0};
    char size[32];
    uint32_t width, height;
    mc_window_get_size(viewer->window, &width, &height);
    snprintf(size, sizeof size, "%ux%u", width & ~1u, height & ~1u); // a video's are even
    if (!mc_session_append_output_path(viewer->session, &path, "", "mp4")) {
        mc_text_deinit(&path);
        return;
    }
    video->path = path.data;
    mc_result result = mc_viewer_write_view(viewer, &video->view_path, &error);
    if (result == MC_OK) result = start(viewer, size, &error);
    if (result == MC_OK) {
        snprintf(video->text, sizeof video->text, "Making a video…");
        return;
    }
    mc_session_set_message(viewer->session, error.message);
    clean_up(video);
}

// A key may have been pressed by mistake, and many frames take minutes: then a person is asked.
static bool asks(mc_viewer *viewer) {
    const mc_settings *settings = &viewer->session->settings;
    const mc_film film = {.step_duration_s = settings->step_duration_s};
    mc_step_range window = {settings->layout.window[0], settings->layout.window[1]};
    uint64_t count = mc_film_get_frame_count(&film, window);
    if (count <= UNASKED_FRAMES || viewer->desc->script) return false;
    char frames[MC_FORMAT_SIZE], text[160];
    uint32_t width, height;
    mc_window_get_size(viewer->window, &width, &height);
    snprintf(text, sizeof text, "%s of %u × %u pixels: steps %u to %u, each %.3g s.",
             mc_format_counted(frames, count, "frame"), width, height, window.first_step,
             window.last_step, settings->step_duration_s);
    mc_viewer_ask_video(viewer, text);
    return true;
}

void mc_viewer_toggle_video(mc_viewer *viewer) {
    mc_viewer_video *video = &viewer->video;
    if (video->child.process > 0) {
        video->is_cancelled = true;
        kill(video->child.process, SIGTERM);
    } else if (viewer->may_make_video || !asks(viewer)) {
        viewer->may_make_video = false;
        begin(viewer);
    }
    mc_session_redraw(viewer->session);
}

// Takes whole lines: progress, and everything else, which is an explanation.
static void take_lines(mc_viewer_video *video) {
    mc_text *said = &video->child.said;
    size_t begin = 0, kept = 0;
    for (size_t i = 0; i < said->size; i++) {
        if (said->data[i] != '\n') continue;
        said->data[i] = '\0';
        unsigned long long frame, count;
        bool is_progress = sscanf(said->data + begin, "frame %llu of %llu", &frame, &count) == 2;
        said->data[i] = '\n';
        if (is_progress) {
            video->frame = frame;
            video->frame_count = count;
        } else {
            memmove(said->data + kept, said->data + begin, i + 1 - begin);
            kept += i + 1 - begin;
        }
        begin = i + 1;
    }
    memmove(said->data + kept, said->data + begin, said->size - begin);
    said->size = kept + said->size - begin;
}

static void finish(mc_viewer *viewer, int status) {
    mc_viewer_video *video = &viewer->video;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        mc_session_set_notice(viewer->session, "Wrote %s", video->path);
    } else if (video->is_cancelled) {
        mc_session_set_notice(viewer->session, "Cancelled; no video was written.");
    } else {
        mc_text why = {0};
        mc_text_append_string(&why, "The video could not be made. ");
        mc_text_append(&why, video->child.said.data ? video->child.said.data : "",
                       video->child.said.size);
        if (!why.failed) mc_session_set_message(viewer->session, why.data);
        mc_text_deinit(&why);
    }
    clean_up(video);
    mc_session_redraw(viewer->session);
}

void mc_viewer_poll_video(mc_viewer *viewer) {
    mc_viewer_video *video = &viewer->video;
    uint64_t before = video->frame;
    int status = 0;
    bool has_ended = mc_window_child_poll(&video->child, &status);
    if (video->child.said.data) take_lines(video);
    if (video->frame != before) mc_session_redraw_once(viewer->session);
    if (video->frame_count > 0) {
        snprintf(video->text, sizeof video->text, "Making a video: frame %llu of %llu",
                 (unsigned long long)video->frame, (unsigned long long)video->frame_count);
    }
    if (has_ended) finish(viewer, status);
}

void mc_viewer_end_video(mc_viewer *viewer) {
    clean_up(&viewer->video);
}
