// Everything on its way from the old layout to the new one.
#include "app/view/view_state.h"

#include "engine/base/memory.h"
#include "engine/city/glide.h"

#define GLIDE_S 0.6

void mc_view_begin_glide(mc_view *view, mc_city *city) {
    // Without memory for it the new layout is there at once.
    mc_box *before = NULL;
    if (view->city && view->wish.motion)
        before = mc_glide_create(city, view->city, &view->params, view->from, view->to);
    mc_view_end_glide(view);
    city->before = view->before = before;
    view->glide_elapsed_s = view->before ? 0 : -1;
}

void mc_view_end_glide(mc_view *view) {
    if (view->city) view->city->before = NULL;
    mc_free(view->before);
    view->before = NULL;
    view->glide_elapsed_s = -1;
}

void mc_view_advance_glide(mc_view *view) {
    if (view->glide_elapsed_s < 0) return;
    view->glide_elapsed_s += view->elapsed_s;
    mc_view_redraw(view);
    view->hover_is_stale = true;
    if (view->glide_elapsed_s >= GLIDE_S || !view->wish.motion) mc_view_end_glide(view);
}

float mc_view_get_glide(const mc_view *view) {
    return view->glide_elapsed_s < 0 ? 1.0f : (float)(view->glide_elapsed_s / GLIDE_S);
}
