#include "app/window/recorder.h"

#include "app/format.h"
#include "app/session/follow.h"
#include "app/trace_location.h"
#include "app/window/program_text.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

void mc_viewer_begin_recording(mc_viewer *viewer, const mc_program *program, const char *path,
                               bool references) {
    mc_viewer_recording *recording = &viewer->recording;
    mc_error error = {0};
    char number[16];
    bool is_slow = references || program->runtime == MC_PROGRAM_NODE;
    snprintf(number, sizeof number, "%" PRIu32, program->pid);
    if (recording->child.process > 0) return;
    char *kept = mc_copy_string(path);
    const char *const arguments[] = {"memcity",
                                     "record",
                                     "--pid",
                                     number,
                                     "-o",
                                     path,
                                     "--quiet",
                                     "--every",
                                     is_slow ? "10s" : "5s",
                                     references ? "--references" : NULL,
                                     NULL};
    mc_result result = kept ? mc_window_child_start(&recording->child, arguments, &error)
                            : mc_error_out_of_memory(&error);
    if (result != MC_OK) {
        mc_session_set_message(viewer->session, error.message);
        mc_free(kept);
        return;
    }
    mc_free(recording->path);
    recording->path = kept;
    recording->program = *program;
    recording->begin_ns = mc_clock_now_ns();
    recording->is_stopping = false;
    mc_text_clear(&recording->text);
    mc_session_wait_for(viewer->session, path);
}

void mc_viewer_stop_recording(mc_viewer *viewer) {
    if (viewer->recording.child.process <= 0) return;
    kill(viewer->recording.child.process, SIGINT);
    viewer->recording.is_stopping = true;
}

// Whether the window shows the steps of what is being recorded.
static bool is_shown(const mc_viewer *viewer) {
    const mc_session *session = viewer->session;
    const char *path = session->dataset && session->dataset->paths.count == 1
                           ? session->dataset->paths.items[0]
                           : NULL;
    char *whole = mc_trace_location_make_whole(viewer->recording.path);
    bool is_same =
        path && (strcmp(path, viewer->recording.path) == 0 || (whole && strcmp(path, whole) == 0));
    mc_free(whole);
    return is_same;
}

// Once a second, and with each step.
static void tell(mc_viewer *viewer) {
    mc_viewer_recording *recording = &viewer->recording;
    mc_text text = {0};
    char steps[MC_FORMAT_SIZE];
    uint32_t count = is_shown(viewer) ? mc_trace_get_step_count(viewer->session->trace) : 0;
    mc_text_format(&text, "%s %s (PID %" PRIu32 ")  ",
                   recording->is_stopping ? "Finishing" : "Recording", recording->program.name,
                   recording->program.pid);
    mc_program_append_duration((double)(mc_clock_now_ns() - recording->begin_ns) * 1e-9, &text);
    if (count > 0)
        mc_text_format(&text, " \xc2\xb7 %s", mc_format_counted(steps, count, "step"));
    else
        mc_text_append_string(&text, " \xc2\xb7 no step yet");
    bool is_new = !text.failed && strcmp(text.data, mc_text_get(&recording->text)) != 0;
    if (is_new) mc_session_redraw_once(viewer->session);
    mc_text_deinit(is_new ? &recording->text : &text);
    if (is_new) recording->text = text;
}

void mc_viewer_poll_recording(mc_viewer *viewer) {
    mc_viewer_recording *recording = &viewer->recording;
    int status = 0;
    if (!mc_window_child_poll(&recording->child, &status)) {
        tell(viewer);
        return;
    }
    mc_text why = {0};
    bool is_fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    static const char prefix[] = "memcity: "; // as a terminal has it
    const char *said = recording->child.said.data ? recording->child.said.data : "";
    if (strncmp(said, prefix, strlen(prefix)) == 0) said += strlen(prefix);
    mc_text_append_string(&why, said);
    while (why.size > 0 && why.data[why.size - 1] == '\n')
        why.data[--why.size] = '\0';
    if (is_fine)
        mc_session_set_notice(viewer->session, "The recording has ended: %s", recording->path);
    else
        mc_session_set_message(
            viewer->session, why.size > 0 && !why.failed ? why.data : "The recording has failed.");
    if (!is_fine) mc_session_wait_for(viewer->session, NULL);
    mc_text_deinit(&why);
    mc_text_deinit(&recording->child.said);
    mc_session_redraw(viewer->session);
}

void mc_viewer_end_recording(mc_viewer *viewer) {
    mc_window_child_end(&viewer->recording.child, SIGINT);
    mc_free(viewer->recording.path);
    viewer->recording.path = NULL;
    mc_text_deinit(&viewer->recording.text);
}
