#include "app/picture/view_option.h"

#include "engine/base/memory.h"
#include <stdio.h>
#include <string.h>

void mc_option_list_add_view(mc_option_list *list, mc_view_option *view) {
    mc_option_list_add_string(list, "view", &view->path, "FILE",
                              "what was saved with Ctrl+D in the window: its trace, camera, step, "
                              "selection and settings; "
                              "other options go before it");
}

void mc_view_option_deinit(mc_view_option *view) {
    mc_view_snapshot_deinit(&view->snapshot);
}

// Sets what the view says; a second parsing then overrides it by what the command line says.
static void apply(mc_view_option *view) {
    const mc_view_snapshot *snapshot = &view->snapshot;
    const mc_ui_settings *s = &snapshot->settings;
    mc_picture_options *picture = view->picture;
    picture->no_color = !s->color_by_growth;
    picture->no_opacity = !s->opacity_by_growth;
    picture->opaque_count = s->opaque_count;
    picture->opacity = (double)s->opacity;
    picture->dark = s->dark;
    picture->palette = s->palette;
    picture->no_edges = !s->edges;
    picture->selection_key = snapshot->selection;
    picture->is_lenient = true;
    bool both = s->show_incoming && s->show_outgoing, any = s->show_incoming || s->show_outgoing;
    picture->references = !any || !snapshot->selection ? 0 : both ? 1 : s->show_incoming ? 2 : 3;
    picture->most_references = s->most_references > 0 ? s->most_references : UINT32_MAX;
    picture->arcs = s->arcs ? 1 : 0;
    picture->search = snapshot->search;
    picture->regex = snapshot->search_is_regex;
    picture->camera = NULL;
    picture->pose = snapshot->is_home ? NULL : &snapshot->camera;
    picture->color_mode = s->color_mode;
    picture->height_mode = s->height_mode;
    view->layout->metric = s->metric;
    view->layout->scaling = s->scaling;
    view->layout->tiling = s->tiling;
    view->layout->child_limit = s->child_limit;
    view->layout->root_key = snapshot->root;
    view->layout->is_lenient = true;
    if (snapshot->has_window)
        memcpy(view->layout->window, snapshot->window, sizeof snapshot->window);
    if (view->step) *view->step = snapshot->step;
    if (view->step_duration_s) *view->step_duration_s = s->step_duration_s;
    if (view->loop) *view->loop = s->loop;
    if (view->size && snapshot->width > 0 && snapshot->height > 0) {
        view->size[0] = snapshot->width;
        view->size[1] = snapshot->height;
    }
}

bool mc_view_option_begin(mc_view_option *view, const mc_option_list *list, const char *synopsis,
                          const char *text, uint32_t least_path_count, int argc, const char **argv,
                          const char *const **paths, uint32_t *path_count, int *code) {
    mc_error error = {0};
    // Parsing moves arguments, so the first of two has its own.
    const char **copy = mc_alloc((size_t)argc + 1, sizeof *copy);
    if (!copy) {
        mc_error_out_of_memory(&error);
        *code = mc_command_fail(&error);
        return false;
    }
    memcpy(copy, argv, (size_t)argc * sizeof *copy);
    bool goes_on =
        mc_command_begin_counted(list, synopsis, text, 0, MC_NONE, argc, copy, path_count, code);
    mc_free(copy);
    if (!goes_on) return false;
    if (view->path) {
        if (mc_view_snapshot_read(&view->snapshot, view->path, &error) != MC_OK) {
            *code = mc_command_fail(&error);
            return false;
        }
        mc_view_snapshot_find_trace(&view->snapshot, view->path);
        apply(view);
    }
    uint32_t saved_count = view->snapshot.paths.count;
    *paths = argv;
    if (!mc_command_begin_counted(list, synopsis, text, saved_count > 0 ? 0 : least_path_count,
                                  MC_NONE, argc, argv, path_count, code))
        return false;
    if (*path_count == 0 && saved_count > 0) {
        *paths = (const char *const *)view->snapshot.paths.items;
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
