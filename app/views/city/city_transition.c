#include "app/views/city/city_transition.h"

#include "engine/base/memory.h"
#include "engine/city/transition.h"

#define TRANSITION_S 0.6

void mc_city_view_begin_transition(mc_city_view *self, mc_city *city, const uint32_t *came_from) {
    const mc_session *session = self->base.session;
    // Without memory for it the new layout is there at once.
    mc_box *before = NULL;
    if (self->city && session->settings.motion)
        before = mc_transition_create(city, self->city, &self->params, session->counts.from,
                                      session->counts.to, came_from);
    mc_city_view_end_transition(self);
    city->before = self->before = before;
    self->transition_elapsed_s = self->before ? 0 : -1;
}

void mc_city_view_keep_transition(mc_city_view *self, mc_city *city) {
    if (!self->before) return;
    self->city->before = NULL;
    city->before = self->before;
}

void mc_city_view_end_transition(mc_city_view *self) {
    if (self->city) self->city->before = NULL;
    mc_free(self->before);
    self->before = NULL;
    self->transition_elapsed_s = -1;
}

void mc_city_view_advance_transition(mc_city_view *self) {
    const mc_session *session = self->base.session;
    if (self->transition_elapsed_s < 0) return;
    self->transition_elapsed_s += session->turn.elapsed_s;
    mc_view_redraw(&self->base);
    mc_view_pick_again(&self->base);
    if (self->transition_elapsed_s >= TRANSITION_S || !session->settings.motion)
        mc_city_view_end_transition(self);
}

float mc_city_view_get_transition(const mc_city_view *self) {
    return self->transition_elapsed_s < 0 ? 1.0f
                                          : (float)(self->transition_elapsed_s / TRANSITION_S);
}
