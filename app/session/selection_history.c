#include "app/session/selection_history.h"

#include "app/session/selection.h"
bool mc_session_can_revisit(const mc_session *session, int way) {
    const mc_selection_history *history = &session->selection.history;
    // With nothing selected any more, what was selected last is where one comes back to.
    if (way < 0 && history->count > 0 && mc_session_get_selected(session) == MC_NONE) return true;
    return way < 0 ? history->count > 0 && history->at > 0 : history->at + 1 < history->count;
}

void mc_session_revisit(mc_session *session, int way) {
    mc_selection_history *history = &session->selection.history;
    if (!mc_session_can_revisit(session, way)) return;
    if (way > 0) {
        history->at++;
    } else if (mc_session_get_selected(session) != MC_NONE) {
        history->at--;
    }
    mc_session_visit(session, history->nodes[history->at]);
}
