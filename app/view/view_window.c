#include "app/view/view_state.h"

// Whether the window ends where most of the heap went, or goes on behind it.
bool mc_view_leaves_out_release(const mc_view *view) {
    return view->wish.layout.window[1] == view->freed_step;
}

bool mc_view_has_hint(const mc_view *view) {
    const mc_wish *s = &view->wish;
    bool was_asked_for = view->layout.window[0] != MC_NONE && mc_view_leaves_out_release(view);
    return view->city && !view->hint_dismissed && view->freed_step != MC_NONE && !was_asked_for &&
           s->layout.window[0] < view->freed_step && s->layout.window[1] >= view->freed_step;
}

void mc_view_follow_hint(mc_view *view) {
    uint32_t last = mc_trace_get_step_count(view->trace) - 1;
    if (!mc_view_has_hint(view)) return;
    view->wish.layout.window[1] = mc_view_leaves_out_release(view) ? last : view->freed_step;
}
