#include "app/session/cause_links.h"

void mc_session_sync_cause_links(mc_session *session) {
    const mc_walk *walk = mc_session_get_walk(session);
    mc_asked *asked = session->asked[MC_QUERY_CAUSE_LINKS];
    mc_cause_links_key key = {.step = MC_NONE};
    if (session->walk.is_shown && session->playback.step != walk->desc.step) {
        key.step = session->playback.step;
        key.stop_count = walk->count < MC_WALK_MOST_STOPS ? walk->count : MC_WALK_MOST_STOPS;
        for (uint32_t i = 0; i < key.stop_count; i++)
            key.stops[i] = walk->stops[i].node;
    }
    if (!mc_asked_want(asked, session->dataset, &key) || key.step != MC_NONE) return;
    mc_asked_drop_answer(asked); // those that the walk itself has found are shown
    mc_session_redraw(session);
}
