#include "app/window/recorder.h"

#include "app/session/follow.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

void mc_viewer_begin_recording(mc_viewer *viewer, uint32_t pid, const char *path, bool references) {
    mc_viewer_recording *recording = &viewer->recording;
    mc_error error = {0};
    char number[16];
    snprintf(number, sizeof number, "%" PRIu32, pid);
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
                                     references ? "10s" : "5s",
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
    mc_session_wait_for(viewer->session, path);
}

void mc_viewer_stop_recording(mc_viewer *viewer) {
    if (viewer->recording.child.process > 0) kill(viewer->recording.child.process, SIGINT);
}

void mc_viewer_poll_recording(mc_viewer *viewer) {
    mc_viewer_recording *recording = &viewer->recording;
    int status = 0;
    if (!mc_window_child_poll(&recording->child, &status)) return;
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
}
