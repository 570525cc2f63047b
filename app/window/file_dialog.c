#include "app/window/file_dialog.h"

#include "app/session/saved_view.h"
#include "app/window/dialog.h"
#include "engine/base/program_path.h"
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const zenity[] = {"zenity", "--file-selection", "--title=Open a trace or a view",
                                     NULL};
static const char *const kdialog[] = {"kdialog",           "--title", "Open a trace or a view",
                                      "--getopenfilename", ".",       NULL};

static bool is_installed(const char *name) {
    mc_text path = {0};
    bool is_found = mc_program_find(name, &path);
    mc_text_deinit(&path);
    return is_found;
}

// That of the desktop, if it says which one that is.
static const char *const *choose(void) {
    const char *desktop = getenv("XDG_CURRENT_DESKTOP");
    bool is_kde = desktop && strstr(desktop, "KDE");
    const char *const *first = is_kde ? kdialog : zenity, *const *second =
                                                              is_kde ? zenity : kdialog;
    if (is_installed(first[0])) return first;
    return is_installed(second[0]) ? second : NULL;
}

void mc_viewer_browse(mc_viewer *viewer) {
    mc_error error = {0};
    const char *const *arguments = choose();
    if (viewer->browsing.process > 0) return;
    if (arguments &&
        mc_window_child_start_program(&viewer->browsing, arguments[0], arguments, &error) == MC_OK)
        return;
    mc_viewer_open_dialog(viewer, MC_DIALOG_OPEN);
}

// Nothing was chosen: it has ended with another code, or said nothing.
void mc_viewer_poll_browsing(mc_viewer *viewer) {
    int status = 0;
    if (!mc_window_child_poll(&viewer->browsing, &status)) return;
    mc_text *said = &viewer->browsing.said;
    while (said->size > 0 && said->data[said->size - 1] == '\n')
        said->data[--said->size] = '\0';
    bool is_chosen = WIFEXITED(status) && WEXITSTATUS(status) == 0 && said->size > 0;
    if (is_chosen && !said->failed) mc_session_open_path(viewer->session, said->data);
    mc_text_deinit(said);
}

void mc_viewer_end_browsing(mc_viewer *viewer) {
    mc_window_child_end(&viewer->browsing, SIGTERM);
}
