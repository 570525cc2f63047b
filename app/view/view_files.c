#include "app/user_files.h"
#include "app/view/view_state.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define HEAD_SIZE 256 // within which a view says what it is

void mc_view_set_paths(mc_view *view, char *const *paths, uint32_t count) {
    mc_form_texts_deinit(&view->comfort.paths);
    for (uint32_t i = 0; i < count; i++) {
        char *whole = realpath(paths[i], NULL);
        const char *path = whole ? whole : paths[i];
        mc_form_texts_add(&view->comfort.paths, path, strlen(path));
        free(whole);
    }
}

static bool take_key(const mc_view *view, uint32_t node, char **key) {
    mc_text text = {0};
    mc_trace_append_full_key(view->trace, node, &text);
    bool failed = text.failed;
    // A view's texts end at a NUL: a key that holds one would name something else.
    bool is_kept = !failed && text.size > 0 && !memchr(text.data, '\0', text.size);
    if (is_kept)
        *key = text.data;
    else
        mc_text_deinit(&text);
    return !failed;
}

bool mc_view_make_snapshot(const mc_view *view, mc_view_file *snapshot) {
    mc_view_file_init(snapshot);
    mc_step_range window = view->city->desc.window;
    mc_view_moment now;
    mc_view_get_moment(view, &now);
    snapshot->wish = now.wish;
    bool is_whole =
        window.first_step == 0 && window.last_step + 1 == mc_trace_get_step_count(view->trace);
    snapshot->wish.layout.window[0] = is_whole ? MC_NONE : window.first_step;
    snapshot->wish.layout.window[1] = is_whole ? MC_NONE : window.last_step;
    mc_window_get_size(view->window, &snapshot->width, &snapshot->height);
    bool fits = true;
    if (view->trace_name) {
        snapshot->trace_name = mc_copy_string(view->trace_name);
        fits = snapshot->trace_name != NULL;
    }
    if (mc_view_get_selected(view) != MC_NONE) {
        fits = fits && take_key(view, mc_view_get_selected(view), &snapshot->selection);
    }
    if (view->city->desc.root_node > 0) {
        fits = fits && take_key(view, view->city->desc.root_node, &snapshot->root);
    }
    if (view->wish.search_open && view->wish.search[0] && fits) {
        snapshot->search = mc_copy_string(view->wish.search);
        fits = snapshot->search != NULL;
    }
    const mc_form_texts *paths = &view->comfort.paths;
    for (uint32_t i = 0; i < paths->count && fits; i++) {
        fits = mc_form_texts_add(&snapshot->paths, paths->items[i], strlen(paths->items[i]));
    }
    if (!fits) mc_view_file_deinit(snapshot);
    return fits;
}

// What the trace lacks is said.
static uint32_t find_node(mc_view *view, const char *what, const char *key) {
    if (!key) return MC_NONE;
    uint32_t node = mc_trace_find_node(view->trace, key, strlen(key));
    if (node != MC_NONE) return node;
    mc_text text = {0};
    mc_text_format(&text, "The view's %s is not in this trace: %s", what, key);
    if (!text.failed) mc_view_set_message(view, text.data);
    mc_text_deinit(&text);
    return MC_NONE;
}

void mc_view_restore_search(mc_view *view, const mc_view_file *file) {
    mc_wish *wish = &view->wish;
    wish->search_open = file->search != NULL;
    wish->search_is_regex = file->wish.search_is_regex;
    snprintf(wish->search, sizeof wish->search, "%s", file->search ? file->search : "");
}

static void restore(mc_view *view, const mc_view_file *file, bool at_once) {
    uint32_t last = mc_trace_get_step_count(view->trace) - 1, step = file->wish.step;
    mc_view_moment goal = {.wish = file->wish};
    mc_wish *wish = &goal.wish;
    wish->step = step < last ? step : last;
    wish->selection = mc_selection_of(find_node(view, "selection", file->selection));
    uint32_t root = find_node(view, "district", file->root);
    wish->root_node = root == MC_NONE ? 0 : root;
    mc_view_restore_search(view, file);
    uint32_t *window = wish->layout.window;
    bool has_window = window[0] != MC_NONE, fits = has_window && window[1] <= last;
    if (step > last || (has_window && !fits)) {
        mc_view_set_message(view, "The view's steps are not all in this trace.");
    }
    if (!fits) {
        window[0] = 0;
        window[1] = last;
    }
    // Somebody else's theme is not the user's choice.
    mc_wish_move(&view->comfort.remembered, &view->wish, &file->wish, MC_USE_VIEW);
    view->playback.playing = false;
    mc_view_go_to(view, &goal, at_once);
    // The view is a place to come back from.
    if (!at_once) view->comfort.history.absorbs = false;
}

static bool is_open(const mc_view *view, const mc_form_texts *paths) {
    const mc_form_texts *open = &view->comfort.paths;
    if (!view->trace || paths->count != open->count) return false;
    for (uint32_t i = 0; i < paths->count; i++) {
        if (strcmp(paths->items[i], open->items[i]) != 0) return false;
    }
    return true;
}

void mc_view_restore_wanted(mc_view *view) {
    if (!view->comfort.has_wanted) return;
    view->comfort.has_wanted = false;
    restore(view, &view->comfort.wanted, true);
    mc_view_file_deinit(&view->comfort.wanted);
}

void mc_view_open_snapshot(mc_view *view, mc_view_file *snapshot) {
    bool same = is_open(view, &snapshot->paths) || (view->trace && snapshot->paths.count == 0);
    if (same && view->task != MC_VIEW_OPENING) {
        restore(view, snapshot, false);
        mc_view_file_deinit(snapshot);
        return;
    }
    if (snapshot->paths.count == 0) {
        mc_view_set_message(view, "This view does not say which trace it is of; open that first.");
        mc_view_file_deinit(snapshot);
        return;
    }
    const char *const *paths = (const char *const *)snapshot->paths.items;
    mc_view_open(view, paths, snapshot->paths.count, false);
    mc_view_file_deinit(&view->comfort.wanted);
    view->comfort.wanted = *snapshot;
    view->comfort.has_wanted = true;
    *snapshot = (mc_view_file){0};
}

// Whether a file begins as a view does; what can't be read is none.
bool mc_view_is_file(const char *path) {
    char head[HEAD_SIZE + 1];
    FILE *file = fopen(path, "re");
    if (!file) return false;
    size_t size = fread(head, 1, HEAD_SIZE, file);
    fclose(file);
    for (size_t i = 0; i < size; i++) {
        if (head[i] == '\0') head[i] = ' '; // a packed file
    }
    head[size] = '\0';
    return head[0] == '{' && strstr(head, "\"memcity_view\"");
}

void mc_view_open_path(mc_view *view, const char *path) {
    if (!mc_view_is_file(path)) {
        mc_view_open(view, &path, 1, false);
        return;
    }
    mc_error error = {0};
    mc_view_file snapshot;
    if (mc_view_file_read(&snapshot, path, &error) == MC_OK) {
        mc_view_file_find_trace(&snapshot, path);
        mc_view_open_snapshot(view, &snapshot);
        mc_view_remember_path(view, path);
    } else {
        mc_view_set_message(view, error.message);
        mc_view_file_deinit(&snapshot);
        int code = mc_command_fail(&error);
        if (!view->trace) view->exit_code = code;
    }
}

bool mc_view_save_as(mc_view *view, const char *path) {
    mc_error error = {0};
    mc_view_file snapshot;
    if (!mc_view_make_snapshot(view, &snapshot)) {
        mc_error_out_of_memory(&error);
    } else {
        mc_view_file_write(&snapshot, path, &error);
        mc_view_file_deinit(&snapshot);
    }
    if (error.code != MC_OK) {
        mc_view_set_message(view, error.message);
        return false;
    }
    mc_view_set_notice(view, "Saved this view as %s", path);
    return true;
}

void mc_view_save_bookmark(mc_view *view) {
    mc_error error = {0};
    mc_text folder = {0}, path = {0}, name = {0};
    if (!mc_user_append_bookmarks_path(&folder)) {
        mc_view_set_message(view, "There is no home folder to keep bookmarks in.");
        goto end;
    }
    mc_text_format(&name, "%s-step%u", view->trace_name ? view->trace_name : "trace",
                   view->playback.step);
    if (!name.failed) mc_user_append_free_path(&path, folder.data, name.data, "json");
    if (name.failed || path.failed) goto end;
    if (mc_file_make_parents(path.data, MC_USER_FOLDER_MODE, &error) == MC_OK) {
        mc_view_save_as(view, path.data);
    } else {
        mc_view_set_message(view, error.message);
    }
end:
    mc_text_deinit(&folder);
    mc_text_deinit(&path);
    mc_text_deinit(&name);
}
