#include "app/session/children.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/session/selection.h"
#include "app/session/words.h"
#include "engine/base/memory.h"
#include <stdio.h>
#include <stdlib.h>

#define MOST_WHILE_PLAYING 20000 // children of a district that are sorted anew at each step

static int compare_values(const void *a, const void *b, void *user) {
    const uint64_t *values = user;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (values[x] != values[y]) return values[x] < values[y] ? 1 : -1;
    return (x > y) - (x < y);
}

static void sync(mc_session *session) {
    mc_session_children *children = &session->children;
    uint32_t node = mc_session_get_focus(session);
    uint32_t step = session->shown_step, metric = (uint32_t)session->shown->metric;
    bool same_node = children->is_known && children->node == node && children->metric == metric;
    bool may_wait = session->playback.playing && children->count > MOST_WHILE_PLAYING;
    if (same_node && (children->step == step || may_wait)) return;
    const mc_node_columns *nodes = mc_trace_get_nodes(session->trace);
    uint32_t count = nodes->child_count[node];
    children->is_known = false;
    children->count = 0;
    if (!mc_reserve(&children->nodes, &children->capacity, count, sizeof *children->nodes)) return;
    for (uint32_t i = 0; i < count; i++) {
        children->nodes[i] = nodes->first_child[node] + i;
    }
    if (count > 1) {
        qsort_r(children->nodes, count, sizeof *children->nodes, compare_values,
                (void *)session->node_values);
    }
    children->node = node;
    children->step = step;
    children->metric = metric;
    children->count = count;
    children->is_known = true;
}

static void describe(void *user, uint32_t index, mc_ui_list_row *row) {
    const mc_session *session = user;
    const mc_session_children *children = &session->children;
    uint32_t node = children->nodes[index];
    uint64_t value = session->node_values[node], whole = session->node_values[children->node];
    char text[MC_FORMAT_SIZE];
    row->name = mc_session_get_name(session, node);
    row->lit = session->hovered == node;
    snprintf(row->values[0], sizeof row->values[0], "%.31s",
             children->metric == MC_METRIC_BYTES ? mc_format_bytes(text, value)
                                                 : mc_format_si(text, value));
    double share = whole > 0 ? (double)value / (double)whole : 0;
    snprintf(row->values[1], sizeof row->values[1], "%.31s",
             mc_format_share(text, share < 1 ? share : 1));
}

static void describe_more(void *user, uint32_t index, char *out, size_t size) {
    const mc_session *session = user;
    uint32_t node = session->children.nodes[index];
    mc_text text = {0};
    char count[MC_FORMAT_SIZE];
    mc_node_append_path_line(session->trace, node, &text);
    mc_text_format(&text, "\n%s %s", mc_format_count(count, session->node_values[node]),
                   session->children.metric == MC_METRIC_BYTES ? "bytes" : "objects");
    snprintf(out, size, "%s", text.data && !text.failed ? text.data : "");
    mc_text_deinit(&text);
}

void mc_session_fill_children(mc_session *session, mc_ui_list *model) {
    mc_session_children *children = &session->children;
    sync(session);
    *model = (mc_ui_list){
        .count = children->count,
        .describe = describe,
        .describe_more = describe_more,
        .user = session,
        .wanted_row = MC_NONE,
    };
}

void mc_session_show_child(mc_session *session, uint32_t row) {
    const mc_session_children *children = &session->children;
    if (row < children->count) mc_session_visit(session, children->nodes[row]);
}
