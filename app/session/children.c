#include "app/session/children.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/session/metrics.h"
#include "app/session/selection.h"
#include "app/session/words.h"
#include "engine/base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct children_task {
    uint32_t first, count;
    uint64_t *values; // of each
    uint32_t *nodes;  // in their order
} children_task;

static void destroy_task(void *context) {
    children_task *task = context;
    mc_free(task->values);
    mc_free(task->nodes);
    mc_free(task);
}

static int compare_values(const void *a, const void *b, void *user) {
    const children_task *task = user;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    // What is not known comes last.
    uint64_t x_rank = task->values[x - task->first] + 1, y_rank = task->values[y - task->first] + 1;
    if (x_rank != y_rank) return x_rank < y_rank ? 1 : -1;
    return (x > y) - (x < y);
}

static mc_result run(void *context, void **state, const mc_progress *progress, mc_error *error) {
    children_task *task = context;
    (void)state;
    (void)progress;
    task->nodes = mc_alloc((size_t)task->count + 1, sizeof *task->nodes);
    if (!task->nodes) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < task->count; i++)
        task->nodes[i] = task->first + i;
    qsort_r(task->nodes, task->count, sizeof *task->nodes, compare_values, task);
    return MC_OK;
}

static bool queries_differ(const void *first, const void *second) {
    const mc_session_children_query *a = first, *b = second;
    return a->node != b->node || a->step != b->step || a->layout_version != b->layout_version;
}

static const mc_session_children_query none = {.node = MC_NONE};

mc_result mc_session_begin_children(mc_session *session, mc_error *error) {
    static const mc_slot_kind kind = {sizeof(mc_session_children_query), queries_differ, run,
                                      destroy_task, NULL};
    return mc_slot_create(&kind, &none, session->desc->host.wake, &session->children.slot, error);
}

static void drop(mc_session_children *children) {
    mc_free(children->nodes);
    children->nodes = NULL;
    children->count = 0;
}

// Its values are copied, for they go when another step is shown.
static void start(mc_session *session, uint32_t node) {
    const mc_node_columns *nodes = mc_trace_get_nodes(session->trace);
    uint32_t count = nodes->child_count[node];
    children_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) return;
    task->first = nodes->first_child[node];
    task->values = mc_alloc((size_t)count + 1, sizeof *task->values);
    if (!task->values) {
        destroy_task(task);
        return;
    }
    memcpy(task->values, session->node_values + task->first, count * sizeof *task->values);
    task->count = count;
    mc_slot_start(session->children.slot, session->dataset, task);
}

void mc_session_sync_children(mc_session *session) {
    mc_session_children *children = &session->children;
    const mc_session_children_query *wanted = mc_slot_get_wanted(children->slot);
    mc_session_children_query query = none;
    uint32_t before = wanted->node, version = wanted->layout_version;
    if (session->shown && !mc_session_has_group(session))
        query = (mc_session_children_query){mc_session_get_focus(session), session->shown_step,
                                            session->layout_version};
    if (!mc_slot_want(children->slot, &query)) return;
    // Those of the step before stay until the new order is there.
    if (query.node != before || query.layout_version != version) drop(children);
    mc_session_redraw(session);
    if (query.node != MC_NONE && mc_trace_get_nodes(session->trace)->child_count[query.node] > 0)
        start(session, query.node);
}

void mc_session_take_children(mc_session *session) {
    mc_session_children *children = &session->children;
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome = mc_slot_take(children->slot, &taken, &error);
    if (outcome == MC_SLOT_NOTHING) return;
    children_task *task = taken;
    drop(children);
    children->nodes = task->nodes;
    children->count = task->nodes ? task->count : 0;
    task->nodes = NULL;
    destroy_task(task);
    mc_session_redraw_found(session);
}

void mc_session_forget_children(mc_session *session) {
    mc_slot_reset(session->children.slot);
    drop(&session->children);
}

void mc_session_end_children(mc_session *session) {
    mc_slot_destroy(session->children.slot);
    session->children.slot = NULL;
    drop(&session->children);
}

static void describe(void *user, uint32_t index, mc_fact_list_row *row) {
    const mc_session *session = user;
    const mc_session_children *children = &session->children;
    uint32_t node = children->nodes[index];
    const mc_metric_info *info = mc_session_get_metric(session);
    uint64_t value = session->node_values[node];
    char text[MC_FORMAT_SIZE];
    row->name = mc_session_get_name(session, node);
    row->lit = session->hovered == node;
    snprintf(row->values[0], sizeof row->values[0], "%.31s", mc_format_brief(text, info, value));
    if (!info->is_additive) return;
    uint32_t parent = mc_trace_get_nodes(session->trace)->parent[node];
    double whole = mc_metric_get_number(info, session->node_values[parent]);
    double share = whole > 0 ? mc_metric_get_number(info, value) / whole : 0;
    snprintf(row->values[1], sizeof row->values[1], "%.31s",
             mc_format_share(text, share < 1 ? share : 1));
}

static void describe_more(void *user, uint32_t index, char *out, size_t size) {
    const mc_session *session = user;
    uint32_t node = session->children.nodes[index];
    mc_text text = {0};
    char count[MC_FORMAT_SIZE];
    mc_node_append_path_line(session->trace, node, &text);
    const mc_metric_info *info = mc_session_get_metric(session);
    mc_text_format(&text, "\n%s ", mc_format_figure(count, info, session->node_values[node]));
    mc_format_append_line(&text, info->title, info->title_size);
    snprintf(out, size, "%s", text.data && !text.failed ? text.data : "");
    mc_text_deinit(&text);
}

void mc_session_fill_children(mc_session *session, mc_fact_list *model) {
    const mc_session_children *children = &session->children;
    *model = (mc_fact_list){
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
