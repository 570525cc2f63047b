#include "app/session/saved_view.h"

#include "app/find_key.h"
#include "app/session/bookmarks.h"
#include "app/session/grouping.h"
#include "app/session/history.h"
#include "app/session/layout.h"
#include "app/session/opening.h"
#include "app/session/view_reach.h"
#include "app/user_files.h"
#include "engine/base/file.h"
#include "engine/base/memory.h"
#include <string.h>

#define HEAD_SIZE 256 // within which a view says what it is

static bool take_key(const mc_session *session, uint32_t node, char **key) {
    mc_text text = {0};
    mc_trace_append_full_key(session->trace, node, &text);
    bool failed = text.failed;
    // A view's texts end at a NUL: a key that holds one would name something else.
    bool is_kept = !failed && text.size > 0 && !memchr(text.data, '\0', text.size);
    if (is_kept)
        *key = text.data;
    else
        mc_text_deinit(&text);
    return !failed;
}

static bool take_keys(const mc_session *session, const mc_selection *nodes, mc_form_texts *keys) {
    bool fits = true;
    for (uint32_t i = 0; i < nodes->count && fits; i++) {
        char *key = NULL;
        fits = take_key(session, nodes->nodes[i], &key) &&
               (!key || mc_form_texts_add(keys, key, strlen(key)));
        mc_free(key);
    }
    return fits;
}

// The one file of a dataset.
static bool take_path(const mc_dataset *dataset, char **path) {
    if (!dataset || dataset->paths.count != 1) return true;
    *path = mc_copy_string(dataset->paths.items[0]);
    return *path != NULL;
}

static const mc_dataset *get_versus(const mc_dataset *dataset) {
    return dataset && dataset->pair ? dataset->pair->sides[MC_AFTER] : NULL;
}

// As of a view.
static void get_pair_window(const mc_dataset *dataset, uint32_t side, uint32_t window[2]) {
    const mc_dataset_pair *pair = dataset ? dataset->pair : NULL;
    if (!pair || !mc_pair_get_window(&pair->options, side, window)) window[0] = window[1] = MC_NONE;
}

bool mc_session_make_snapshot(const mc_session *session, mc_view_file *snapshot) {
    mc_view_file_init(snapshot);
    mc_step_range window = session->shown->window;
    mc_session_moment now;
    mc_session_get_moment(session, &now);
    snapshot->settings = now.settings;
    bool is_whole =
        window.first_step == 0 && window.last_step + 1 == mc_trace_get_step_count(session->trace);
    snapshot->settings.layout.window[0] = is_whole ? MC_NONE : window.first_step;
    snapshot->settings.layout.window[1] = is_whole ? MC_NONE : window.last_step;
    snapshot->width = session->input.width;
    snapshot->height = session->input.height;
    bool fits = true;
    if (session->dataset->name) {
        snapshot->trace_name = mc_copy_string(session->dataset->name);
        fits = snapshot->trace_name != NULL;
    }
    if (mc_session_get_selected(session) != MC_NONE) {
        fits = fits && take_key(session, mc_session_get_selected(session), &snapshot->selection);
    }
    mc_selection more = now.settings.selection;
    mc_selection_remove(&more, mc_selection_get(&more));
    fits = fits && take_keys(session, &more, &snapshot->more_selected);
    if (session->shown->root_node > 0) {
        fits = fits && take_key(session, session->shown->root_node, &snapshot->root);
    }
    if (session->settings.search_open && session->settings.search[0] && fits) {
        snapshot->search = mc_copy_string(session->settings.search);
        fits = snapshot->search != NULL;
    }
    fits = fits && take_keys(session, &now.settings.tree_opened, &snapshot->opened) &&
           take_keys(session, &now.settings.demolished, &snapshot->demolished);
    const mc_form_texts *paths = &session->dataset->paths;
    for (uint32_t i = 0; i < paths->count && fits; i++) {
        fits = mc_form_texts_add(&snapshot->paths, paths->items[i], strlen(paths->items[i]));
    }
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        get_pair_window(session->dataset, side, snapshot->pair_windows[side]);
    fits = fits && take_path(get_versus(session->dataset), &snapshot->versus) &&
           take_path(session->linked.dataset, &snapshot->with);
    if (!fits) mc_view_file_deinit(snapshot);
    return fits;
}

// What the trace lacks is said.
static uint32_t find_node(mc_session *session, const char *what, const char *key) {
    if (!key) return MC_NONE;
    uint32_t node = mc_trace_find_node(session->trace, key, strlen(key));
    if (node != MC_NONE) return node;
    mc_text text = {0};
    mc_text_format(&text, "The view's %s is not in this trace: %s", what, key);
    if (!text.failed) mc_session_set_message(session, text.data);
    mc_text_deinit(&text);
    return MC_NONE;
}

void mc_session_find_opened(mc_session *session, const mc_form_texts *keys, mc_selection *opened) {
    *opened = mc_selection_of(MC_NONE);
    for (uint32_t i = 0; i < keys->count; i++) {
        uint32_t node = find_node(session, "opened group", keys->items[i]);
        if (!mc_selection_add(opened, node))
            mc_session_set_message(session, "The view's opened groups are more than can be.");
    }
}

void mc_session_find_demolished(mc_session *session, const char *const *keys, uint32_t count,
                                mc_selection *demolished) {
    mc_text hint = {0};
    mc_error error = {0};
    *demolished = mc_selection_of(MC_NONE);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t node = MC_NONE;
        if (mc_find_key(session->trace, keys[i], &node, &hint, &error) != MC_OK || node == MC_NONE)
            node = find_node(session, "demolished group", keys[i]);
        if (!mc_selection_add(demolished, node))
            mc_session_set_message(session, "The demolished groups are more than can be.");
    }
    mc_text_deinit(&hint);
}

void mc_session_restore_search(mc_session *session, const mc_view_file *file) {
    mc_settings *settings = &session->settings;
    settings->search_open = file->search != NULL;
    settings->search_is_regex = file->settings.search_is_regex;
    snprintf(settings->search, sizeof settings->search, "%s", file->search ? file->search : "");
}

static void restore(mc_session *session, const mc_view_file *file, bool at_once) {
    uint32_t last = mc_trace_get_step_count(session->trace) - 1, step = file->settings.step;
    mc_session_moment goal = {.settings = file->settings};
    mc_settings *settings = &goal.settings;
    settings->step = step < last ? step : last;
    settings->selection = mc_selection_of(find_node(session, "selection", file->selection));
    for (uint32_t i = 0; i < file->more_selected.count; i++)
        if (!mc_selection_add(&settings->selection,
                              find_node(session, "selection", file->more_selected.items[i])))
            mc_session_set_message(session, "More is selected in the view than can be.");
    uint32_t root = find_node(session, "district", file->root);
    settings->root_node = root == MC_NONE ? 0 : root;
    mc_session_find_opened(session, &file->opened, &settings->tree_opened);
    mc_session_find_demolished(session, (const char *const *)file->demolished.items,
                               file->demolished.count, &settings->demolished);
    mc_session_restore_search(session, file);
    uint32_t *window = settings->layout.window;
    bool has_window = window[0] != MC_NONE, fits = has_window && window[1] <= last;
    if (step > last || (has_window && !fits)) {
        mc_session_set_message(session, "The view's steps are not all in this trace.");
    }
    if (!fits) {
        window[0] = 0;
        window[1] = last;
    }
    // Somebody else's theme is not the user's choice.
    mc_settings_move(&session->remembered, &session->settings, &file->settings, MC_USE_VIEW);
    session->playback.playing = false;
    mc_session_go_to(session, &goal, at_once);
    // The view is a place to come back from.
    if (!at_once) session->history.absorbs = false;
}

// What a view does not say may be open beside it.
static bool is_beside(const mc_dataset *dataset, const char *path) {
    return !path ||
           (dataset && dataset->paths.count == 1 && strcmp(dataset->paths.items[0], path) == 0);
}

static bool has_its_windows(const mc_session *session, const mc_view_file *view) {
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        uint32_t window[2];
        get_pair_window(session->dataset, side, window);
        if (memcmp(window, view->pair_windows[side], sizeof window) != 0) return false;
    }
    return true;
}

static bool is_open(const mc_session *session, const mc_view_file *view) {
    const mc_form_texts *open = session->dataset ? &session->dataset->paths : NULL;
    const mc_form_texts *paths = &view->paths;
    if (!is_beside(get_versus(session->dataset), view->versus) ||
        !is_beside(session->linked.dataset, view->with))
        return false;
    if (view->versus && !has_its_windows(session, view)) return false;
    if (!open || paths->count != open->count) return false;
    for (uint32_t i = 0; i < paths->count; i++) {
        if (strcmp(paths->items[i], open->items[i]) != 0) return false;
    }
    return true;
}

void mc_session_restore_wanted(mc_session *session) {
    if (!session->opening.has_view) return;
    session->opening.has_view = false;
    mc_settings *settings = &session->opening.view.settings;
    if (strcmp(settings->group_by, session->settings.group_by) != 0)
        mc_session_set_message(session, "The view groups by what is not in this trace.");
    memcpy(settings->group_by, session->settings.group_by, sizeof settings->group_by);
    restore(session, &session->opening.view, true);
    mc_view_file_deinit(&session->opening.view);
}

void mc_session_open_as(mc_session *session, mc_view_file *snapshot) {
    mc_session_open_view(session, snapshot);
    mc_view_file_deinit(&session->opening.view);
    session->opening.view = *snapshot;
    session->opening.has_view = true;
    *snapshot = (mc_view_file){0};
}

void mc_session_open_snapshot(mc_session *session, mc_view_file *snapshot) {
    bool same = is_open(session, snapshot) || (session->trace && snapshot->paths.count == 0);
    const char *list = snapshot->settings.group_by;
    if (same && session->work.task != MC_SESSION_OPENING &&
        strcmp(list, session->settings.group_by) != 0) {
        if (mc_session_groups_dumps(session, list)) {
            mc_session_open_as(session, snapshot);
            return;
        }
        // Its nodes are those of its grouping.
        mc_session_want_grouping(session, list);
        mc_view_file_deinit(&session->opening.view);
        session->opening.view = *snapshot;
        session->opening.has_view = true;
        *snapshot = (mc_view_file){0};
        mc_session_sync_layout(session);
        if (session->work.task == MC_SESSION_IDLE) mc_session_restore_wanted(session);
        return;
    }
    if (same && session->work.task != MC_SESSION_OPENING) {
        restore(session, snapshot, false);
        mc_view_file_deinit(snapshot);
        return;
    }
    if (snapshot->paths.count == 0) {
        mc_session_set_message(session,
                               "This view does not say which trace it is of; open that first.");
        mc_view_file_deinit(snapshot);
        return;
    }
    mc_session_open_as(session, snapshot);
}

// Whether a file begins as a view does; what can't be read is none.
bool mc_session_is_saved_view(const char *path) {
    char head[HEAD_SIZE + 1];
    mc_file_map map;
    if (mc_file_map_open(&map, path, NULL) != MC_OK) return false;
    size_t size = map.size < HEAD_SIZE ? map.size : HEAD_SIZE;
    for (size_t i = 0; i < size; i++) {
        char byte = (char)map.data[i];
        head[i] = byte != '\0' ? byte : ' '; // a packed file
    }
    mc_file_map_close(&map);
    head[size] = '\0';
    return head[0] == '{' && strstr(head, "\"memcity_view\"");
}

void mc_session_open_path(mc_session *session, const char *path) {
    if (mc_session_open_pair(session, path)) return;
    if (!mc_session_is_saved_view(path)) {
        mc_session_open(session, &path, 1, false);
        return;
    }
    mc_error error = {0};
    mc_view_file snapshot;
    mc_result result = mc_view_file_read(&snapshot, path, &error);
    if (result == MC_OK) mc_view_file_find_trace(&snapshot, path);
    // What is open already was opened by the user.
    if (result == MC_OK && !is_open(session, &snapshot))
        result = mc_view_file_check_reach(&snapshot, path, session->desc->allows_network, &error);
    if (result == MC_OK) {
        mc_session_open_snapshot(session, &snapshot);
        mc_session_remember_path(session, path);
    } else {
        mc_view_file_deinit(&snapshot);
        int code = mc_session_complain_of(session, &error);
        if (!session->trace) session->exit_code = code;
    }
}

bool mc_session_save_as(mc_session *session, const char *path) {
    mc_error error = {0};
    mc_view_file snapshot;
    if (!mc_session_make_snapshot(session, &snapshot)) {
        mc_error_out_of_memory(&error);
    } else {
        mc_view_file_write(&snapshot, path, &error);
        mc_view_file_deinit(&snapshot);
    }
    if (error.code != MC_OK) {
        mc_session_set_message(session, error.message);
        return false;
    }
    mc_session_set_notice(session, "Saved this view as %s", path);
    return true;
}

// Of a name that is not taken yet.
static mc_result append_own_path(const mc_session *session, mc_text *path, mc_error *error) {
    mc_text folder = {0}, name = {0};
    mc_result result = MC_OK;
    if (!mc_user_append_bookmarks_path(&folder))
        result =
            mc_fail(error, MC_ERROR_UNSUPPORTED, "There is no home folder to keep bookmarks in.");
    const char *trace = session->dataset->name ? session->dataset->name : "trace";
    mc_text_format(&name, "%s-step%u", trace, session->playback.step);
    if (result == MC_OK && !name.failed)
        mc_user_append_free_path(path, folder.data, name.data, "json");
    if (result == MC_OK && (name.failed || path->failed)) result = mc_error_out_of_memory(error);
    mc_text_deinit(&folder);
    mc_text_deinit(&name);
    return result;
}

void mc_session_save_bookmark(mc_session *session, const char *name) {
    mc_error error = {0};
    mc_text path = {0};
    mc_result result = name ? mc_bookmark_append_path(&path, name, &error)
                            : append_own_path(session, &path, &error);
    if (result == MC_OK) result = mc_file_make_parents(path.data, MC_USER_FOLDER_MODE, &error);
    if (result == MC_OK)
        mc_session_save_as(session, path.data);
    else
        mc_session_set_message(session, error.message);
    mc_text_deinit(&path);
}
