#include "app/session/what_if.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/print/print_trace.h"
#include "app/session/name_cache.h"
#include "app/session/selection.h"
#include <stdio.h>

// Back to what is found, if what was asked for can't be had. Of another step nothing is.
static void revert(mc_session *session) {
    mc_asked *asked = session->asked[MC_QUERY_WHAT_IF];
    const mc_what_if_key *found = mc_asked_get_key(asked);
    if (found->step != session->counts.step) mc_asked_drop_answer(asked);
    session->settings.demolished = found->nodes;
    mc_asked_revert(asked);
}

// A view connects to nothing by itself: what lies elsewhere is asked once the user has said so.
static bool may_ask(const mc_session *session) {
    bool is_pictured = mc_session_is_pictured(session) && session->desc->asks_elsewhere;
    return session->dataset->far_words.count == 0 || session->asks_elsewhere || is_pictured;
}

void mc_session_sync_what_if(mc_session *session) {
    mc_asked *asked = session->asked[MC_QUERY_WHAT_IF];
    mc_what_if_key key = {.nodes = {.count = 0}};
    if (session->shown && session->settings.demolished.count > 0 && !may_ask(session)) {
        session->settings.demolished = mc_selection_of(MC_NONE);
        mc_session_set_message(session, "The view demolishes what lies elsewhere; demolish it "
                                        "yourself to ask there.");
    }
    if (session->shown && session->settings.demolished.count > 0)
        key = (mc_what_if_key){session->settings.demolished, session->counts.step,
                               session->desc->deep.collections};
    if (!mc_asked_want(asked, session->dataset, &key)) return;
    if (key.nodes.count == 0) mc_asked_drop_answer(asked);
    mc_session_redraw(session);
}

void mc_session_take_what_if(mc_session *session, const mc_error *error) {
    mc_session_redraw(session);
    if (!error) return;
    mc_session_miss(session, error);
    revert(session);
}

// ---- what the user does

const char *mc_session_get_demolish_obstacle(const mc_session *session) {
    const mc_dataset *dataset = session->dataset;
    if (!session->shown || session->settings.demolished.count > 0) return NULL;
    int64_t time_ms = mc_trace_get_step(session->trace, session->counts.step)->time_ms;
    for (uint32_t i = 0; i < dataset->dump_count; i++)
        if (dataset->dump_times_ms[i] == time_ms) return NULL;
    if (dataset->far_words.count > 0)
        return dataset->base ? "The objects are elsewhere, where they are asked by the groups that "
                               "the trace was opened with: group it as it was opened"
                             : NULL;
    return mc_what_if_get_obstacle(dataset->dump_count);
}

// All of the selection goes, unless all of it has gone already.
void mc_session_demolish_selection(mc_session *session) {
    mc_selection *demolished = &session->settings.demolished;
    const mc_selection *selection = &session->settings.selection;
    bool all = selection->count > 0, fits = true;
    session->asks_elsewhere = true;
    for (uint32_t i = 0; i < selection->count; i++)
        all = all && mc_selection_has(demolished, selection->nodes[i]);
    for (uint32_t i = 0; i < selection->count; i++) {
        if (all)
            mc_selection_remove(demolished, selection->nodes[i]);
        else
            fits = mc_selection_add(demolished, selection->nodes[i]) && fits;
    }
    if (selection->count == 0)
        mc_session_set_notice(session, "Select what is to be demolished.");
    else if (!fits)
        mc_session_set_message(session, "No more groups can be demolished at once; demolish the "
                                        "district around them.");
}

void mc_session_rebuild(mc_session *session) {
    session->settings.demolished = mc_selection_of(MC_NONE);
}

bool mc_session_cancel_what_if(mc_session *session) {
    if (!mc_asked_is_busy(session->asked[MC_QUERY_WHAT_IF])) return false;
    revert(session);
    mc_session_redraw(session);
    return true;
}

void mc_session_show_fallen(mc_session *session, uint32_t row) {
    const mc_what_if *found = &mc_session_get_what_if(session)->found;
    if (row < found->leaf_count) mc_session_visit(session, found->leaves[row]);
}

// ---- for the panels

static void describe(void *user, uint32_t index, mc_fact_list_row *row) {
    const mc_session *session = user;
    const mc_what_if *found = &mc_session_get_what_if(session)->found;
    uint32_t node = found->leaves[index];
    char text[MC_FORMAT_SIZE];
    row->name = mc_session_get_name(session, node);
    row->lit = session->hover.node == node;
    row->strong = mc_selection_has(&session->settings.demolished, node);
    row->selected = node == mc_session_get_selected(session);
    snprintf(row->values[0], sizeof row->values[0], "%.31s",
             mc_format_bytes(text, found->node_bytes[node]));
    double whole = (double)found->bytes;
    snprintf(row->values[1], sizeof row->values[1], "%.31s",
             mc_format_share(text, whole > 0 ? (double)found->node_bytes[node] / whole : 0));
}

static void describe_more(void *user, uint32_t index, mc_text *text) {
    const mc_session *session = user;
    const mc_what_if *found = &mc_session_get_what_if(session)->found;
    uint32_t node = found->leaves[index];
    char objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE];
    mc_node_append_path_line(session->trace, node, text);
    mc_text_format(text, "\n%s · %s go",
                   mc_format_counted(objects, found->node_objects[node], "object"),
                   mc_format_counted(bytes, found->node_bytes[node], "byte"));
}

void mc_session_fill_what_if(mc_session *session, mc_fact_what_if *model) {
    const mc_asked *asked = session->asked[MC_QUERY_WHAT_IF];
    const mc_what_if_answer *answer = mc_session_get_what_if(session);
    const mc_selection *selection = &session->settings.selection;
    bool is_selected = selection->count > 0 && !mc_session_has_methods(session);
    model->obstacle = is_selected ? mc_session_get_demolish_obstacle(session) : NULL;
    model->can_demolish = model->is_demolished = is_selected && !model->obstacle;
    for (uint32_t i = 0; i < selection->count; i++)
        if (!mc_selection_has(&session->settings.demolished, selection->nodes[i]))
            model->is_demolished = false;
    model->has_any = session->settings.demolished.count > 0;
    model->is_looking = mc_asked_is_looking(asked);
    model->progress = mc_asked_get_progress(asked);
    if (!mc_asked_has_answer(asked)) return;
    model->summary = answer->summary.failed ? NULL : answer->summary.data;
    model->fallen = (mc_fact_list){.count = answer->found.leaf_count,
                                   .describe = describe,
                                   .describe_more = describe_more,
                                   .user = session,
                                   .wanted_row = MC_NONE};
}

void mc_session_put_what_if_state(const mc_session *session, mc_print *print) {
    const mc_what_if *found = &mc_session_get_what_if(session)->found;
    bool is_known = mc_asked_has_answer(session->asked[MC_QUERY_WHAT_IF]);
    mc_print_nodes(print, "demolished", session->trace, session->settings.demolished.nodes,
                   session->settings.demolished.count);
    MC_PRINT(print, {"freed_objects", is_known ? mc_cell_count(found->objects) : mc_cell_null()},
             {"freed_bytes", is_known ? mc_cell_count(found->bytes) : mc_cell_null()});
}
