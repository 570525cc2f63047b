#include "app/picture/view_option.h"

#include "app/session/view_reach.h"
#include "engine/base/memory.h"
#include <string.h>

void mc_option_list_add_view(mc_option_list *list, mc_view_option *view) {
    list->group = "selection and camera";
    mc_option_list_add_string(
        list, "view", &view->path, "FILE",
        "load trace, camera, step, selection and settings of a view or bookmark saved by the "
        "window (Ctrl+Shift+S, Ctrl+D); other options override it");
    mc_option_list_add_flag(
        list, "allow-network", &view->allows_network,
        "allow a view to connect to the server that it names (ws://…) instead of files only");
}

void mc_view_option_deinit(mc_view_option *view) {
    mc_view_file_deinit(&view->file);
}

// What the command line says instead, or this command has no use for, is not opened.
static void drop_others(mc_view_option *view) {
    mc_view_file *file = &view->file;
    char **dropped[] = {!view->pair || view->pair->versus ? &file->versus : NULL,
                        !view->with || *view->with ? &file->with : NULL};
    for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++) {
        if (!dropped[i]) continue;
        mc_free(*dropped[i]);
        *dropped[i] = NULL;
    }
}

// What stands beside the trace goes with it.
static void apply_others(mc_view_option *view) {
    if (view->pair && !view->pair->versus && view->file.versus) {
        view->pair->versus = view->file.versus;
        for (uint32_t side = 0; side < 2; side++) {
            const uint32_t *window = view->file.pair_windows[side];
            if (window[0] == MC_NONE || view->pair->windows[side]) continue;
            mc_pair_write_window(view->pair_windows[side], window);
            view->pair->windows[side] = view->pair_windows[side];
        }
    }
    if (view->with && !*view->with) *view->with = view->file.with;
}

// Sets what the view says; a second parsing then overrides it by what the command line says.
static void apply(mc_view_option *view) {
    const mc_view_file *file = &view->file;
    mc_picture_options *picture = view->picture;
    mc_settings *settings = &picture->settings;
    const mc_look *look = &file->settings.look;
    mc_settings_move(settings, settings, &file->settings, MC_USE_VIEW);
    picture->legend = true; // as the window has it
    if (settings->look.most_references == 0) settings->look.most_references = UINT32_MAX; // all
    settings->is_home = file->settings.is_home;
    settings->pose = file->settings.pose;
    settings->search_is_regex = file->settings.search_is_regex;
    settings->layout.root_key = file->root;
    settings->layout.is_lenient = true;
    memcpy(settings->layout.window, file->settings.layout.window, sizeof settings->layout.window);
    picture->view = file;
    for (uint32_t i = 0; i < file->demolished.count && i < MC_OPTION_TEXT_CAPACITY; i++)
        picture->demolished.items[picture->demolished.count++] = file->demolished.items[i];
    picture->is_lenient = true;
    bool both = look->show_incoming && look->show_outgoing;
    bool any = look->show_incoming || look->show_outgoing;
    picture->references = !any || !file->selection ? 0 : both ? 1 : look->show_incoming ? 2 : 3;
    picture->search = file->search;
    picture->camera = NULL;
    if (view->step) *view->step = file->settings.step;
    if (view->step_duration_s) *view->step_duration_s = file->settings.step_duration_s;
    if (view->size && file->width > 0 && file->height > 0) {
        view->size[0] = file->width;
        view->size[1] = file->height;
    }
}

static bool parse(const mc_view_option_usage *usage, uint32_t least_path_count, int argc,
                  const char **argv, uint32_t *path_count, int *code) {
    return mc_command_begin_counted(usage->list, usage->synopsis, usage->text, least_path_count,
                                    MC_NONE, argc, argv, path_count, code);
}

bool mc_view_option_begin(mc_view_option *view, const mc_view_option_usage *usage, int argc,
                          const char **argv, const char *const **paths, uint32_t *path_count,
                          int *code) {
    mc_error error = {0};
    // Parsing moves arguments, so the first of two has its own.
    const char **copy = mc_alloc((size_t)argc + 1, sizeof *copy);
    if (!copy) {
        mc_error_out_of_memory(&error);
        *code = mc_command_fail(&error);
        return false;
    }
    memcpy(copy, argv, (size_t)argc * sizeof *copy);
    mc_settings before = view->picture->settings;
    bool goes_on = parse(usage, 0, argc, copy, path_count, code);
    mc_free(copy);
    if (!goes_on) return false;
    view->picture->settings = before;
    // The second time adds them again.
    view->picture->demolished.count = view->picture->selected.count = 0;
    if (usage->set_defaults) usage->set_defaults(usage->user, &view->picture->settings);
    if (view->path) {
        if (mc_view_file_read(&view->file, view->path, &error) != MC_OK) {
            *code = mc_command_fail(&error);
            return false;
        }
        mc_view_file_find_trace(&view->file, view->path);
        apply(view);
        if (*path_count == 0) {
            drop_others(view);
            if (mc_view_file_check_reach(&view->file, view->path, view->allows_network, &error) !=
                MC_OK) {
                *code = mc_command_fail(&error);
                return false;
            }
            apply_others(view);
        }
    }
    uint32_t saved_count = view->file.paths.count;
    *paths = argv;
    if (!parse(usage, saved_count > 0 ? 0 : usage->least_path_count, argc, argv, path_count, code))
        return false;
    if (*path_count == 0 && saved_count > 0) {
        *paths = (const char *const *)view->file.paths.items;
        *path_count = saved_count;
    }
    return true;
}

void mc_view_option_fit_step(const mc_view_option *view, const mc_trace *trace, uint32_t *step) {
    uint32_t last = mc_trace_get_step_count(trace) - 1;
    if (!view->path || *step == MC_NONE || *step <= last) return;
    mc_message_say("the view's step %u is not in this trace, which has steps 0 to %u", *step, last);
    *step = last;
}
