#include "app/window/reporting.h"

#include "app/session/tables.h"
#include "app/window/child_options.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// A report is written by another run of this program: the window goes on at its own pace.

#define OPTIONS_MOST (MC_CHILD_OPTIONS_MOST + 24)

extern char **environ;

// The one that is shown of a heap and its methods; of two traces both.
static uint32_t add_paths(const mc_dataset *dataset, const char **arguments, uint32_t count) {
    const mc_dataset_pair *pair = dataset->pair;
    const mc_form_texts *paths = pair ? &pair->sides[MC_BEFORE]->paths : &dataset->paths;
    for (uint32_t i = 0; i < paths->count; i++)
        arguments[count++] = paths->items[i];
    if (pair && pair->sides[MC_AFTER]->paths.count > 0) {
        arguments[count++] = "--versus";
        arguments[count++] = pair->sides[MC_AFTER]->paths.items[0];
    }
    return count;
}

static mc_result start_report(mc_viewer *viewer, mc_error *error) {
    const mc_session *session = viewer->session;
    const mc_settings *settings = &session->settings;
    const mc_dataset *dataset = session->dataset;
    uint32_t path_count = dataset->paths.count;
    if (dataset->pair) path_count = dataset->pair->sides[MC_BEFORE]->paths.count + 2;
    const char **arguments = mc_alloc_zero(path_count + OPTIONS_MOST, sizeof *arguments);
    if (!arguments) return mc_error_out_of_memory(error);
    char window[32];
    snprintf(window, sizeof window, "%" PRIu32 ":%" PRIu32, settings->layout.window[0],
             settings->layout.window[1]);
    uint32_t count = 0;
    arguments[count++] = "memcity";
    arguments[count++] = "report";
    count = add_paths(dataset, arguments, count);
    arguments[count++] = "-o";
    arguments[count++] = viewer->reporting.path;
    arguments[count++] = "--metric";
    arguments[count++] = settings->layout.metric;
    if (!dataset->pair) {
        arguments[count++] = "--window";
        arguments[count++] = window;
    }
    if (settings->group_by[0]) {
        arguments[count++] = "--group-by";
        arguments[count++] = settings->group_by;
    }
    if (settings->look.palette == MC_PALETTE_COLOR_BLIND_SAFE) {
        arguments[count++] = "--palette";
        arguments[count++] = "color-blind-safe";
    }
    mc_viewer_add_child_options(viewer, true, arguments, count);
    mc_result result = mc_window_child_start(&viewer->reporting.child, arguments, error);
    mc_free(arguments);
    return result;
}

// It opens as the window shows the city; of two traces beside each other as their difference.
static mc_result start_page(mc_viewer *viewer, mc_error *error) {
    mc_viewer_reporting *reporting = &viewer->reporting;
    const mc_session *session = viewer->session;
    mc_result result = mc_viewer_write_view(viewer, &reporting->view_path, error);
    if (result != MC_OK) return result;
    const char *arguments[OPTIONS_MOST] = {
        "memcity", "page",          "--view",         reporting->view_path,
        "-o",      reporting->path, "--allow-network" // it is open already
    };
    uint32_t count = 7;
    if (session->dataset->name) {
        arguments[count++] = "--title";
        arguments[count++] = session->dataset->name;
    }
    if (session->settings.layout.pair == MC_PAIR_BOTH) {
        arguments[count++] = "--pair";
        arguments[count++] = mc_pair_show_names[MC_PAIR_DIFFERENCE];
    }
    mc_viewer_add_child_options(viewer, false, arguments, count);
    return mc_window_child_start(&reporting->child, arguments, error);
}

static void clean_up(mc_viewer_reporting *reporting) {
    mc_window_child_end(&reporting->child, SIGTERM);
    mc_viewer_remove_view(reporting->view_path);
    mc_free(reporting->path);
    *reporting = (mc_viewer_reporting){0};
}

void mc_viewer_toggle_reporting(mc_viewer *viewer, bool is_page) {
    mc_viewer_reporting *reporting = &viewer->reporting;
    mc_error error = {0};
    mc_text path = {0};
    mc_session_redraw(viewer->session);
    if (reporting->child.process > 0) {
        reporting->is_cancelled = true;
        kill(reporting->child.process, SIGTERM);
        return;
    }
    if (!mc_session_append_output_path(viewer->session, &path, is_page ? "-city" : "-report",
                                       "html")) {
        mc_text_deinit(&path);
        return;
    }
    reporting->path = path.data;
    reporting->is_page = is_page;
    mc_result result = is_page ? start_page(viewer, &error) : start_report(viewer, &error);
    if (result == MC_OK) return;
    mc_session_set_message(viewer->session, error.message);
    clean_up(reporting);
}

// In what the desktop opens pages with. The shell is gone at once, whatever becomes of that.
static bool show(const char *path) {
    static const char script[] = "command -v xdg-open >/dev/null || exit 1\n"
                                 "xdg-open \"$1\" >/dev/null 2>&1 </dev/null &";
    char shell[] = "sh", option[] = "-c", text[sizeof script], name[] = "sh";
    char *argument = mc_copy_string(path);
    pid_t process;
    int status = 1;
    memcpy(text, script, sizeof script);
    char *const arguments[] = {shell, option, text, name, argument, NULL};
    bool begins = argument && posix_spawnp(&process, "sh", NULL, NULL, arguments, environ) == 0;
    bool has_ended = begins && waitpid(process, &status, 0) == process;
    mc_free(argument);
    return has_ended && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void mc_viewer_poll_reporting(mc_viewer *viewer) {
    mc_viewer_reporting *reporting = &viewer->reporting;
    int status = 0;
    if (!mc_window_child_poll(&reporting->child, &status)) return;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        bool is_shown = show(reporting->path);
        mc_session_set_notice(viewer->session, "Wrote %s%s", reporting->path,
                              is_shown ? "; the browser opens it." : "");
    } else if (reporting->is_cancelled) {
        mc_session_set_notice(viewer->session, "Cancelled; no %s was written.",
                              reporting->is_page ? "page" : "report");
    } else {
        mc_text why = {0};
        mc_text_format(&why, "The %s could not be written. ",
                       reporting->is_page ? "page" : "report");
        mc_text_append_string(&why, mc_text_get(&reporting->child.said));
        if (!why.failed) mc_session_set_message(viewer->session, why.data);
        mc_text_deinit(&why);
    }
    clean_up(reporting);
    mc_session_redraw(viewer->session);
}

void mc_viewer_end_reporting(mc_viewer *viewer) {
    clean_up(&viewer->reporting);
}
