#include "app/views/city/city_glide.h"

#include "engine/base/memory.h"
#include "engine/city/glide.h"

#define GLIDE_S 0.6

void mc_city_view_begin_glide(mc_city_view *self, mc_city *city, const uint32_t *came_from) {
    const mc_session *session = self->base.session;
    // Without memory for it the new layout is there at once.
    mc_box *before = NULL;
    if (self->city && session->wish.motion)
        before =
            mc_glide_create(city, self->city, &self->params, session->from, session->to, came_from);
    mc_city_view_end_glide(self);
    city->before = self->before = before;
    self->glide_elapsed_s = self->before ? 0 : -1;
}

void mc_city_view_keep_glide(mc_city_view *self, mc_city *city) {
    if (!self->before) return;
    self->city->before = NULL;
    city->before = self->before;
}

void mc_city_view_end_glide(mc_city_view *self) {
    if (self->city) self->city->before = NULL;
    mc_free(self->before);
    self->before = NULL;
    self->glide_elapsed_s = -1;
}

void mc_city_view_advance_glide(mc_city_view *self) {
    mc_session *session = self->base.session;
    if (self->glide_elapsed_s < 0) return;
    self->glide_elapsed_s += session->elapsed_s;
    mc_session_redraw(session);
    session->hover_is_stale = true;
    if (self->glide_elapsed_s >= GLIDE_S || !session->wish.motion) mc_city_view_end_glide(self);
}

float mc_city_view_get_glide(const mc_city_view *self) {
    return self->glide_elapsed_s < 0 ? 1.0f : (float)(self->glide_elapsed_s / GLIDE_S);
}
