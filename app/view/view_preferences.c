#include "app/view/view_state.h"

#include <string.h>

void mc_view_begin_preferences(mc_view *view) {
    mc_view_comfort *comfort = &view->comfort;
    const mc_view_desc *desc = view->desc;
    comfort->preferences = *desc->preferences;
    *desc->preferences = (mc_preferences){0};
    if (desc->trouble) {
        mc_view_set_message(view, desc->trouble);
        mc_log_write(&view->log, MC_LOG_WARNING, "%s", desc->trouble);
    }
    view->wish = desc->wish;
    mc_layout_options *layout = &view->wish.layout, usual = mc_wish_default().layout;
    if (layout->metric == MC_NONE) layout->metric = usual.metric;
    if (layout->scaling == MC_NONE) layout->scaling = usual.scaling;
    if (layout->tiling == MC_NONE) layout->tiling = usual.tiling;
    comfort->remembered = view->wish;
}

void mc_view_save_preferences(mc_view *view) {
    mc_view_comfort *comfort = &view->comfort;
    mc_error error = {0};
    if (!comfort->preferences.path || !view->window || comfort->button_is_down) return;
    uint32_t width, height;
    bool has_size = mc_window_get_restored_size(view->window, &width, &height);
    if (comfort->remembered_width == 0) {
        // What it opened with is nothing to remember.
        comfort->remembered_width = width;
        comfort->remembered_height = height;
    }
    has_size =
        has_size && (width != comfort->remembered_width || height != comfort->remembered_height);
    if (!has_size && !mc_wish_differs(&comfort->remembered, &view->wish, MC_USE_PREFERENCE)) return;
    mc_result result =
        mc_preferences_update(&comfort->preferences, &comfort->remembered, &view->wish,
                              has_size ? width : 0, has_size ? height : 0, &error);
    if (result != MC_OK) mc_log_write(&view->log, MC_LOG_WARNING, "%s", error.message);
    comfort->remembered = view->wish;
    comfort->remembered_width = width;
    comfort->remembered_height = height;
}

void mc_view_remember_path(mc_view *view, const char *path) {
    mc_error error = {0};
    if (mc_preferences_remember_path(&view->comfort.preferences, path, &error) != MC_OK)
        mc_log_write(&view->log, MC_LOG_WARNING, "%s", error.message);
}
