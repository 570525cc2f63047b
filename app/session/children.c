#include "app/session/children.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/session/metrics.h"
#include "app/session/name_cache.h"
#include "app/session/pairing.h"
#include "app/session/selection.h"
#include "app/session/tables.h"
#include <stdio.h>

void mc_session_sync_children(mc_session *session) {
    mc_asked *asked = session->asked[MC_QUERY_CHILDREN];
    const mc_children_key *wanted = mc_asked_get_wanted(asked);
    mc_children_key before = *wanted, key = {.node = MC_NONE};
    if (session->shown && !mc_session_has_group(session)) {
        uint32_t node = mc_session_get_focus(session);
        if (mc_trace_get_nodes(session->trace)->child_count[node] > 0)
            key = (mc_children_key){node, session->counts.step,
                                    mc_session_get_told_metric(session, session->shown->metric)};
    }
    if (!mc_asked_want(asked, session->dataset, &key)) return;
    // Those of the step before stay until the new order is there.
    if (key.node != before.node || key.metric != before.metric) mc_asked_drop_answer(asked);
    mc_session_redraw(session);
}

static void describe(void *user, uint32_t index, mc_fact_list_row *row) {
    const mc_session *session = user;
    const mc_children *children = mc_session_get_children(session);
    uint32_t node = children->nodes[index];
    const mc_metric_info *info = mc_session_get_metric(session);
    uint64_t value = mc_session_get_told_value(session, node);
    char text[MC_FORMAT_SIZE];
    row->name = mc_session_get_name(session, node);
    row->lit = session->hover.node == node;
    snprintf(row->values[0], sizeof row->values[0], "%.31s", mc_format_brief(text, info, value));
    if (!info->is_additive) return;
    uint32_t parent = mc_trace_get_nodes(session->trace)->parent[node];
    double whole = mc_metric_get_number(info, mc_session_get_told_value(session, parent));
    double share = whole > 0 ? mc_metric_get_number(info, value) / whole : 0;
    snprintf(row->values[1], sizeof row->values[1], "%.31s",
             mc_format_share(text, share < 1 ? share : 1));
}

static void describe_more(void *user, uint32_t index, mc_text *text) {
    const mc_session *session = user;
    uint32_t node = mc_session_get_children(session)->nodes[index];
    char count[MC_FORMAT_SIZE];
    mc_node_append_path_line(session->trace, node, text);
    const mc_metric_info *info = mc_session_get_metric(session);
    mc_text_format(text, "\n%s ",
                   mc_format_figure(count, info, mc_session_get_told_value(session, node)));
    mc_format_append_line(text, info->title, info->title_size);
}

void mc_session_fill_children(mc_session *session, mc_fact_list *model) {
    const mc_children *children = mc_session_get_children(session);
    *model = (mc_fact_list){
        .count = children->count,
        .describe = describe,
        .describe_more = describe_more,
        .user = session,
        .wanted_row = MC_NONE,
    };
}

void mc_session_show_child(mc_session *session, uint32_t row) {
    const mc_children *children = mc_session_get_children(session);
    if (row < children->count) mc_session_visit(session, children->nodes[row]);
}
