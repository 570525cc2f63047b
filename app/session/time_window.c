// Whether the window ends where most of the heap went, or goes on behind it.
#include "app/session/time_window.h"

bool mc_session_leaves_out_release(const mc_session *session) {
    return session->settings.layout.window[1] == session->charts.freed_step;
}

bool mc_session_has_hint(const mc_session *session) {
    const mc_settings *s = &session->settings;
    bool was_asked_for =
        session->opening.layout.window[0] != MC_NONE && mc_session_leaves_out_release(session);
    return session->shown && !session->charts.is_hint_dismissed &&
           session->charts.freed_step != MC_NONE && !was_asked_for &&
           s->layout.window[0] < session->charts.freed_step &&
           s->layout.window[1] >= session->charts.freed_step;
}

void mc_session_follow_hint(mc_session *session) {
    uint32_t last = mc_trace_get_step_count(session->trace) - 1;
    if (!mc_session_has_hint(session)) return;
    session->settings.layout.window[1] =
        mc_session_leaves_out_release(session) ? last : session->charts.freed_step;
}
