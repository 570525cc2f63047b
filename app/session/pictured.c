#include "app/session/pictured.h"

#include "app/session/layout.h"
#include "app/session/queries.h"

bool mc_session_rests(const mc_session *session) {
    return session->work.task == MC_SESSION_IDLE && !mc_job_is_busy(session->work.job) &&
           !mc_session_is_asking(session);
}

void mc_session_set_settings(mc_session *session, const mc_settings *settings) {
    session->settings = *settings;
}

void mc_session_set_picture_step(mc_session *session, uint32_t step, bool is_first) {
    mc_session_counts *counts = &session->counts;
    bool stays = is_first || step == counts->step;
    session->playback.step = step;
    counts->blend = 1;
    mc_session_show_step(session);
    if (!stays) return;
    counts->from = counts->to;
    counts->version++;
    counts->advance = false;
}

void mc_session_prepare_picture(mc_session *session, double blend) {
    session->counts.blend = blend;
    session->view->kind->prepare(session->view);
}
