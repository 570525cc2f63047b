#include "app/session/trail.h"

#include "app/session/selection.h"
bool mc_session_can_follow_trail(const mc_session *session, int way) {
    const mc_session_trail *trail = &session->trail;
    // With nothing selected any more, what was selected last is where one comes back to.
    if (way < 0 && trail->count > 0 && mc_session_get_selected(session) == MC_NONE) return true;
    return way < 0 ? trail->count > 0 && trail->at > 0 : trail->at + 1 < trail->count;
}

void mc_session_follow_trail(mc_session *session, int way) {
    mc_session_trail *trail = &session->trail;
    if (!mc_session_can_follow_trail(session, way)) return;
    if (way > 0) {
        trail->at++;
    } else if (mc_session_get_selected(session) != MC_NONE) {
        trail->at--;
    }
    mc_session_visit(session, trail->nodes[trail->at]);
}
