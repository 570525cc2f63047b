#include "app/session/properties.h"

#include "engine/base/printable.h"
#include <stdio.h>

static mc_property_key get_key(const mc_session *session) {
    uint32_t node = session->shown ? mc_session_get_selected(session) : MC_NONE;
    bool has_any = node != MC_NONE && mc_trace_has_references(session->trace) &&
                   session->settings.selection.count == 1;
    return (mc_property_key){has_any ? node : MC_NONE, has_any ? session->counts.step : 0};
}

void mc_session_sync_properties(mc_session *session) {
    mc_asked *asked = session->asked[MC_QUERY_PROPERTIES];
    mc_property_key key = get_key(session);
    if (!mc_asked_want(asked, session->dataset, &key)) return;
    // Those of the step before stay until the new ones are there.
    const mc_property_key *found = mc_asked_get_key(asked);
    if (found->node != key.node) mc_asked_drop_answer(asked);
    mc_session_redraw(session);
}

uint32_t mc_session_fill_property_rows(const mc_session *session, mc_fact_row *rows,
                                       uint32_t most) {
    const mc_property_answers *answers = mc_session_get_properties(session);
    uint32_t count = 0;
    for (uint32_t i = 0; i < MC_PROPERTY_COUNT && count < most; i++) {
        const mc_property_answer *answer = &answers->items[i];
        if (!answer->is_known) continue;
        mc_fact_row *row = &rows[count++];
        row->label = mc_properties[i]->title;
        snprintf(row->value, sizeof row->value, "%s", answer->brief);
        mc_printable_copy(row->exact, sizeof row->exact, answer->sentence.data,
                          answer->sentence.size);
    }
    return count;
}
