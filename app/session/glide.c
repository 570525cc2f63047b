// Everything on its way from the old layout to the new one.
#include "app/session/glide.h"
#include "engine/base/memory.h"
#include "engine/city/glide.h"

#define GLIDE_S 0.6

void mc_session_begin_glide(mc_session *session, mc_city *city) {
    // Without memory for it the new layout is there at once.
    mc_box *before = NULL;
    if (session->city && session->wish.motion)
        before = mc_glide_create(city, session->city, &session->params, session->from, session->to);
    mc_session_end_glide(session);
    city->before = session->before = before;
    session->glide_elapsed_s = session->before ? 0 : -1;
}

void mc_session_end_glide(mc_session *session) {
    if (session->city) session->city->before = NULL;
    mc_free(session->before);
    session->before = NULL;
    session->glide_elapsed_s = -1;
}

void mc_session_advance_glide(mc_session *session) {
    if (session->glide_elapsed_s < 0) return;
    session->glide_elapsed_s += session->elapsed_s;
    mc_session_redraw(session);
    session->hover_is_stale = true;
    if (session->glide_elapsed_s >= GLIDE_S || !session->wish.motion) mc_session_end_glide(session);
}

float mc_session_get_glide(const mc_session *session) {
    return session->glide_elapsed_s < 0 ? 1.0f : (float)(session->glide_elapsed_s / GLIDE_S);
}
