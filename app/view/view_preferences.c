#include "app/user_files.h"
#include "app/view/view_state.h"

#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

// What the command line says goes before what is remembered.
static void apply_command_line(mc_view *view) {
    const mc_view_desc *desc = view->desc;
    mc_ui_settings *s = &view->settings;
    const mc_layout_options *layout = &desc->layout;
    if (layout->metric != MC_NONE) s->metric = layout->metric;
    if (layout->scaling != MC_NONE) s->scaling = layout->scaling;
    if (layout->tiling != MC_NONE) s->tiling = layout->tiling;
    s->child_limit = layout->child_limit;
    s->color_mode = desc->color_mode;
    s->height_mode = desc->height_mode;
    if (desc->references > 0) {
        s->show_incoming = desc->references != 3;
        s->show_outgoing = desc->references != 2;
    }
    s->color_by_growth = desc->color_by_growth;
    s->opacity_by_growth = desc->opacity_by_growth;
    s->opaque_count = desc->opaque_count;
    s->opacity = desc->opacity;
    if (desc->dark) s->dark = true;
    if (desc->light) s->dark = false;
    if (desc->palette != MC_NONE) s->palette = desc->palette;
    if (!desc->edges) s->edges = false;
    if (desc->loop) s->loop = true;
    if (desc->step_duration_s > 0) s->step_duration_s = desc->step_duration_s;
}

void mc_view_load_preferences(mc_view *view) {
    mc_view_comfort *comfort = &view->comfort;
    mc_preferences_init(&comfort->preferences);
    mc_text path = {0};
    if (view->desc->remember && mc_user_append_settings_path(&path)) {
        mc_error error = {0};
        comfort->preferences_path = path.data;
        if (mc_preferences_read(&comfort->preferences, path.data, &error) != MC_OK) {
            mc_view_set_message(view, error.message);
            mc_log_write(&view->log, MC_LOG_WARNING, "%s", error.message);
            // What can't be read is not to be written over.
            if (error.code != MC_ERROR_BAD_DATA) {
                mc_free(comfort->preferences_path);
                comfort->preferences_path = NULL;
            }
        }
    } else {
        mc_text_deinit(&path);
    }
    view->settings = comfort->preferences.settings;
    const mc_view_snapshot *snapshot = view->desc->snapshot;
    if (snapshot) {
        mc_settings_move(&view->settings, &view->settings, &snapshot->settings, MC_SETTING_VIEW);
        mc_view_restore_search(view, snapshot);
    }
    apply_command_line(view);
    comfort->remembered = view->settings;
}

// Only what was changed in this window is written, over what the file says by now: another window
// may have written meanwhile.
static void write_changes(mc_view *view, bool has_size, uint32_t width, uint32_t height) {
    mc_view_comfort *comfort = &view->comfort;
    mc_error error = {0};
    mc_preferences now;
    if (mc_preferences_read(&now, comfort->preferences_path, &error) == MC_OK) {
        mc_settings_move(&now.settings, &comfort->remembered, &view->settings,
                         MC_SETTING_PREFERENCE);
        if (has_size) {
            now.width = width;
            now.height = height;
        }
        mc_preferences_write(&now, comfort->preferences_path, &error);
    }
    mc_preferences_deinit(&comfort->preferences);
    comfort->preferences = now;
    if (error.code != MC_OK) mc_log_write(&view->log, MC_LOG_WARNING, "%s", error.message);
    comfort->remembered = view->settings;
    comfort->remembered_width = width;
    comfort->remembered_height = height;
}

void mc_view_save_preferences(mc_view *view) {
    mc_view_comfort *comfort = &view->comfort;
    if (!comfort->preferences_path || !view->window || comfort->button_is_down) return;
    uint32_t width, height;
    bool has_size = mc_window_get_restored_size(view->window, &width, &height);
    if (comfort->remembered_width == 0) {
        // What it opened with is nothing to remember.
        comfort->remembered_width = width;
        comfort->remembered_height = height;
    }
    has_size =
        has_size && (width != comfort->remembered_width || height != comfort->remembered_height);
    if (!has_size &&
        !mc_settings_differ(&comfort->remembered, &view->settings, MC_SETTING_PREFERENCE)) {
        return;
    }
    write_changes(view, has_size, width, height);
}

void mc_view_remember_path(mc_view *view, const char *path) {
    mc_view_comfort *comfort = &view->comfort;
    mc_error error = {0};
    mc_preferences now;
    char *whole = realpath(path, NULL);
    if (!whole) return;
    if (!comfort->preferences_path) {
        mc_preferences_add_recent(&comfort->preferences, whole); // for as long as it runs
    } else if (mc_preferences_read(&now, comfort->preferences_path, &error) == MC_OK) {
        mc_preferences_add_recent(&now, whole);
        mc_preferences_write(&now, comfort->preferences_path, &error);
        mc_preferences_deinit(&comfort->preferences);
        comfort->preferences = now;
    } else {
        mc_preferences_deinit(&now);
    }
    if (error.code != MC_OK) mc_log_write(&view->log, MC_LOG_WARNING, "%s", error.message);
    free(whole);
}
