#include "app/view/view_state.h"

// Whether the window ends where most of the heap went, or goes on behind it.
bool mc_view_leaves_out_release(const mc_view *view) {
    return view->settings.last_step == view->freed_step;
}

bool mc_view_has_hint(const mc_view *view) {
    const mc_ui_settings *s = &view->settings;
    bool was_asked_for = view->layout.window[0] != MC_NONE && mc_view_leaves_out_release(view);
    return view->city && !view->hint_dismissed && view->freed_step != MC_NONE && !was_asked_for &&
           s->first_step < view->freed_step && s->last_step >= view->freed_step;
}

void mc_view_do_window(mc_view *view, mc_view_command command) {
    mc_ui_settings *s = &view->settings;
    uint32_t last = mc_trace_get_step_count(view->trace) - 1, step = view->playback.step;
    switch (command) {
    case MC_VIEW_WINDOW_FIRST: s->first_step = step < s->last_step ? step : s->last_step; break;
    case MC_VIEW_WINDOW_LAST: s->last_step = step > s->first_step ? step : s->first_step; break;
    case MC_VIEW_WINDOW_EARLIER:
        if (s->first_step > 0) s->first_step--;
        break;
    case MC_VIEW_WINDOW_LATER:
        if (s->last_step < last) s->last_step++;
        break;
    case MC_VIEW_WINDOW_RESET:
        s->first_step = 0;
        s->last_step = last;
        break;
    case MC_VIEW_FOLLOW_HINT:
        if (mc_view_has_hint(view))
            s->last_step = mc_view_leaves_out_release(view) ? last : view->freed_step;
        break;
    default: break;
    }
}
