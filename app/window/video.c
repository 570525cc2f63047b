#include "app/window/video.h"

#include "app/session/saved_view.h"
#include "app/session/tables.h"
#include "engine/base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// A video is made by another run of this program, from a view file: the window goes on at its own
// pace, and what goes wrong with a driver or an encoder there leaves it alone.

#define SAID_MAX 8192   // bytes of its messages that are kept
#define END_WAIT_MS 500 // that it gets to clean up when the window closes
#define ARGUMENT_CAPACITY 32

extern char **environ;

// What the window was started with that a view does not say.
static uint32_t add_options(const mc_viewer *viewer, const char **arguments, uint32_t count) {
    const mc_viewer_desc *desc = viewer->desc;
    const mc_dataset *dataset = viewer->session->dataset;
    if (desc->device_name) {
        arguments[count++] = "--device";
        arguments[count++] = desc->device_name;
    }
    // Of dumps; else a view says it.
    if (dataset && dataset->is_of_jvm && dataset->group_list &&
        !viewer->session->wish.group_by[0]) {
        arguments[count++] = "--group-by";
        arguments[count++] = dataset->group_list;
    }
    if (desc->session.deep.collections) {
        arguments[count++] = "--collections";
        arguments[count++] = desc->session.deep.collections;
    }
    if (desc->session.deep.all) arguments[count++] = "--deep";
    if (desc->session.deep.retained) arguments[count++] = "--retained";
    if (desc->session.deep.paths) arguments[count++] = "--paths";
    if (desc->session.deep.waste) arguments[count++] = "--waste";
    if (desc->times_option) {
        arguments[count++] = "--times";
        arguments[count++] = desc->times_option;
    }
    if (desc->session.skip_bad_steps) arguments[count++] = "--skip-bad-steps";
    if (desc->session.wish.layout.padding) {
        arguments[count++] = "--padding";
        arguments[count++] = desc->session.wish.layout.padding;
    }
    return count;
}

// What is shown now and no view says: a walk; and that the panels are hidden, with them the legend.
static uint32_t add_shown(const mc_session *session, const char **arguments, uint32_t count) {
    if (!session->wish.panels) arguments[count++] = "--no-legend";
    if (session->walk.is_shown && session->wish.view == 0) arguments[count++] = "--walk";
    return count;
}

static mc_result start(mc_viewer *viewer, const char *size, mc_error *error) {
    mc_viewer_video *video = &viewer->video;
    const char *arguments[ARGUMENT_CAPACITY] = {
        "memcity",   "video",  "--view", video->view_path, "-o",
        video->path, "--size", size,     "--progress",
    };
    uint32_t count = add_options(viewer, arguments, 9);
    count = add_shown(viewer->session, arguments, count);
    arguments[count] = NULL;
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return mc_error_set(error, MC_ERROR_IO, MC_ERROR_NO_OFFSET, "can't make a pipe: %s",
                            strerror(errno));
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
    char *argv[ARGUMENT_CAPACITY];
    memcpy(argv, arguments, sizeof argv);
    int failure = posix_spawn(&video->process, "/proc/self/exe", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (failure != 0) {
        video->process = 0;
        close(ends[0]);
        return mc_error_set(error, MC_ERROR_IO, MC_ERROR_NO_OFFSET, "can't start a process: %s",
                            strerror(failure));
    }
    video->pipe = ends[0];
    fcntl(video->pipe, F_SETFL, O_NONBLOCK);
    return MC_OK;
}

// The view goes to a file of its own that only this user can read.
static mc_result write_view(mc_viewer *viewer, mc_error *error) {
    mc_viewer_video *video = &viewer->video;
    const char *folder = getenv("TMPDIR");
    mc_text path = {0};
    mc_text_format(&path, "%s/memcity-view-XXXXXX", folder && folder[0] == '/' ? folder : "/tmp");
    if (path.failed) {
        mc_text_deinit(&path);
        return mc_error_out_of_memory(error);
    }
    int file = mkstemp(path.data);
    if (file < 0) {
        mc_error_set(error, MC_ERROR_IO, MC_ERROR_NO_OFFSET, "%s: can't make it: %s", path.data,
                     strerror(errno));
        mc_text_deinit(&path);
        return MC_ERROR_IO;
    }
    close(file);
    video->view_path = path.data;
    mc_view_file snapshot;
    if (!mc_session_make_snapshot(viewer->session, &snapshot)) return mc_error_out_of_memory(error);
    mc_result result = mc_view_file_write(&snapshot, video->view_path, error);
    mc_view_file_deinit(&snapshot);
    return result;
}

static void clean_up(mc_viewer_video *video) {
    if (video->pipe > 0) close(video->pipe);
    if (video->view_path) unlink(video->view_path);
    mc_free(video->view_path);
    mc_free(video->path);
    mc_text_deinit(&video->said);
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
    mc_result result = write_view(viewer, &error);
    if (result == MC_OK) result = start(viewer, size, &error);
    if (result == MC_OK) {
        snprintf(video->text, sizeof video->text, "Making a video…");
        return;
    }
    mc_session_set_message(viewer->session, error.message);
    clean_up(video);
}

void mc_viewer_toggle_video(mc_viewer *viewer) {
    mc_viewer_video *video = &viewer->video;
    if (video->process > 0) {
        video->is_cancelled = true;
        kill(video->process, SIGTERM);
    } else {
        begin(viewer);
    }
    mc_session_redraw(viewer->session);
}

// Takes whole lines: progress, and everything else, which is an explanation.
static void take_lines(mc_viewer_video *video) {
    mc_text *said = &video->said;
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

static void read_pipe(mc_viewer_video *video) {
    char bytes[4096];
    ssize_t size;
    while ((size = read(video->pipe, bytes, sizeof bytes)) > 0) {
        mc_text_append(&video->said, bytes, (size_t)size);
        if (video->said.data) take_lines(video);
        if (video->said.size > SAID_MAX) video->said.size = SAID_MAX;
    }
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
        mc_text_append(&why, video->said.data ? video->said.data : "", video->said.size);
        if (!why.failed) mc_session_set_message(viewer->session, why.data);
        mc_text_deinit(&why);
    }
    clean_up(video);
    mc_session_redraw(viewer->session);
}

void mc_viewer_poll_video(mc_viewer *viewer) {
    mc_viewer_video *video = &viewer->video;
    uint64_t before = video->frame;
    read_pipe(video);
    if (video->frame != before) mc_session_redraw_once(viewer->session);
    if (video->frame_count > 0) {
        snprintf(video->text, sizeof video->text, "Making a video: frame %llu of %llu",
                 (unsigned long long)video->frame, (unsigned long long)video->frame_count);
    }
    int status;
    if (waitpid(video->process, &status, WNOHANG) != video->process) return;
    video->process = 0;
    read_pipe(video);
    finish(viewer, status);
}

void mc_viewer_end_video(mc_viewer *viewer) {
    mc_viewer_video *video = &viewer->video;
    if (video->process > 0) {
        kill(video->process, SIGTERM);
        bool gone = false;
        for (int i = 0; i < END_WAIT_MS / 10 && !gone; i++) {
            gone = waitpid(video->process, NULL, WNOHANG) == video->process;
            if (!gone) usleep(10000);
        }
        // It cleans up on its own time.
        video->process = 0;
    }
    clean_up(video);
}
