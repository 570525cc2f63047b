#include "app/session/whatif.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/session/selection.h"
#include "app/session/words.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct whatif_task {
    mc_demolition_desc desc;
    mc_session_whatif_query query;
    mc_demolition demolition;
} whatif_task;

static void destroy_task(void *context) {
    whatif_task *task = context;
    mc_demolition_deinit(&task->demolition);
    mc_free(task);
}

static void destroy_state(void *state) {
    mc_demolisher_destroy(state);
}

// The dump stays open for the next question.
static mc_result run(void *context, void **state, const mc_progress *progress, mc_error *error) {
    whatif_task *task = context;
    const mc_session_whatif_query *query = &task->query;
    if (!*state) *state = mc_demolisher_create(&task->desc);
    if (!*state) return mc_error_out_of_memory(error);
    return mc_demolisher_ask(*state, query->step, query->demolished.nodes, query->demolished.count,
                             progress, &task->demolition, error);
}

static bool queries_differ(const void *first, const void *second) {
    const mc_session_whatif_query *a = first, *b = second;
    if (a->demolished.count == 0 && b->demolished.count == 0) return false;
    return a->step != b->step || !mc_selection_equals(&a->demolished, &b->demolished);
}

static const mc_session_whatif_query none;

mc_result mc_session_begin_whatif(mc_session *session, mc_error *error) {
    static const mc_slot_kind kind = {sizeof(mc_session_whatif_query), queries_differ, run,
                                      destroy_task, destroy_state};
    return mc_slot_create(&kind, &none, session->desc->host.wake, &session->whatif.slot, error);
}

static void drop(mc_session_whatif *whatif) {
    mc_demolition_deinit(&whatif->found);
    whatif->found_query = none;
    whatif->version++;
}

void mc_session_forget_whatif(mc_session *session) {
    mc_slot_reset(session->whatif.slot);
    drop(&session->whatif);
}

void mc_session_end_whatif(mc_session *session) {
    mc_slot_destroy(session->whatif.slot);
    session->whatif.slot = NULL;
    drop(&session->whatif);
    mc_text_deinit(&session->whatif.summary);
}

// Back to what is found, if what was asked for can't be had. Of another step nothing is.
static void revert(mc_session *session) {
    mc_session_whatif *whatif = &session->whatif;
    bool is_same_step = whatif->found_query.step == session->shown_step;
    session->wish.demolished = is_same_step ? whatif->found_query.demolished : none.demolished;
    if (!is_same_step) drop(whatif);
    mc_slot_want(whatif->slot, &whatif->found_query);
}

void mc_session_sync_whatif(mc_session *session) {
    mc_session_whatif *whatif = &session->whatif;
    mc_session_whatif_query query = none;
    if (session->shown && session->wish.demolished.count > 0)
        query = (mc_session_whatif_query){session->wish.demolished, session->shown_step};
    if (!mc_slot_want(whatif->slot, &query)) return;
    mc_session_redraw(session);
    if (query.demolished.count == 0) {
        mc_slot_cancel(whatif->slot);
        drop(whatif);
        return;
    }
    whatif_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) return;
    const mc_form_texts *paths = &session->dataset->paths;
    task->desc = (mc_demolition_desc){.trace = session->trace,
                                      .paths = (const char *const *)paths->items,
                                      .path_count = paths->count,
                                      .group_by = session->dataset->group_list,
                                      .collections = session->desc->deep.collections};
    task->query = query;
    mc_slot_start(whatif->slot, session->dataset, task);
}

void mc_session_take_whatif(mc_session *session) {
    mc_session_whatif *whatif = &session->whatif;
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome = mc_slot_take(whatif->slot, &taken, &error);
    if (outcome == MC_SLOT_NOTHING) return;
    whatif_task *task = taken;
    mc_session_redraw(session);
    if (outcome == MC_SLOT_FOUND) {
        drop(whatif);
        whatif->found = task->demolition;
        whatif->found_query = task->query;
        task->demolition = (mc_demolition){0};
        mc_text_clear(&whatif->summary);
        mc_demolition_append_summary(&whatif->found, session->trace,
                                     whatif->found_query.demolished.nodes,
                                     whatif->found_query.demolished.count, &whatif->summary);
    } else {
        mc_session_set_message(session, error.message);
        revert(session);
    }
    destroy_task(task);
}

// ---- what the user does

const char *mc_session_get_demolish_obstacle(const mc_session *session) {
    const mc_dataset *dataset = session->dataset;
    if (!session->shown || session->wish.demolished.count > 0) return NULL;
    int64_t time_ms = mc_trace_get_step(session->trace, session->shown_step)->time_ms;
    for (uint32_t i = 0; i < dataset->dump_count; i++)
        if (dataset->dump_times_ms[i] == time_ms) return NULL;
    return mc_demolition_get_obstacle(dataset->dump_count);
}

// All of the selection goes, unless all of it has gone already.
void mc_session_demolish_selection(mc_session *session) {
    mc_selection *demolished = &session->wish.demolished;
    const mc_selection *selection = &session->wish.selection;
    bool all = selection->count > 0, fits = true;
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
        mc_session_set_message(session, "More than 16 groups can't be demolished at once; demolish "
                                        "the district around them.");
}

void mc_session_rebuild(mc_session *session) {
    session->wish.demolished = mc_selection_of(MC_NONE);
}

bool mc_session_cancel_whatif(mc_session *session) {
    mc_session_whatif *whatif = &session->whatif;
    if (!mc_slot_is_busy(whatif->slot)) return false;
    mc_slot_cancel(whatif->slot);
    revert(session);
    mc_session_redraw(session);
    return true;
}

void mc_session_show_fallen(mc_session *session, uint32_t row) {
    const mc_demolition *found = &session->whatif.found;
    if (row < found->leaf_count) mc_session_visit(session, found->leaves[row]);
}

// ---- for the panels

static void describe(void *user, uint32_t index, mc_fact_list_row *row) {
    const mc_session *session = user;
    const mc_demolition *found = &session->whatif.found;
    uint32_t node = found->leaves[index];
    char text[MC_FORMAT_SIZE];
    row->name = mc_session_get_name(session, node);
    row->lit = session->hovered == node;
    row->strong = mc_selection_has(&session->wish.demolished, node);
    row->selected = node == mc_session_get_selected(session);
    snprintf(row->values[0], sizeof row->values[0], "%.31s",
             mc_format_bytes(text, found->node_bytes[node]));
    double whole = (double)found->bytes;
    snprintf(row->values[1], sizeof row->values[1], "%.31s",
             mc_format_share(text, whole > 0 ? (double)found->node_bytes[node] / whole : 0));
}

static void describe_more(void *user, uint32_t index, char *out, size_t size) {
    const mc_session *session = user;
    const mc_demolition *found = &session->whatif.found;
    uint32_t node = found->leaves[index];
    char objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE];
    mc_text text = {0};
    mc_node_append_path_line(session->trace, node, &text);
    mc_text_format(&text, "\n%s · %s go",
                   mc_format_counted(objects, found->node_objects[node], "object"),
                   mc_format_counted(bytes, found->node_bytes[node], "byte"));
    snprintf(out, size, "%s", text.data && !text.failed ? text.data : "");
    mc_text_deinit(&text);
}

void mc_session_fill_whatif(mc_session *session, mc_fact_whatif *model) {
    mc_session_whatif *whatif = &session->whatif;
    const mc_selection *selection = &session->wish.selection;
    bool is_selected = selection->count > 0 && !mc_session_has_methods(session);
    model->obstacle = is_selected ? mc_session_get_demolish_obstacle(session) : NULL;
    model->can_demolish = model->is_demolished = is_selected && !model->obstacle;
    for (uint32_t i = 0; i < selection->count; i++)
        if (!mc_selection_has(&session->wish.demolished, selection->nodes[i]))
            model->is_demolished = false;
    model->has_any = session->wish.demolished.count > 0;
    model->is_looking = mc_slot_is_looking(whatif->slot);
    model->progress = mc_slot_get_progress(whatif->slot);
    if (whatif->found_query.demolished.count == 0) return;
    model->summary = whatif->summary.failed ? NULL : whatif->summary.data;
    model->fallen = (mc_fact_list){.count = whatif->found.leaf_count,
                                   .describe = describe,
                                   .describe_more = describe_more,
                                   .user = session,
                                   .wanted_row = MC_NONE};
}

void mc_session_append_whatif_state(const mc_session *session, mc_text *out) {
    const mc_session_whatif *whatif = &session->whatif;
    mc_text_append_string(out, ",\"demolished\":[");
    for (uint32_t i = 0; i < session->wish.demolished.count; i++) {
        mc_text_append_string(out, i > 0 ? "," : "");
        mc_node_append_key_json(session->trace, session->wish.demolished.nodes[i], out);
    }
    mc_text_append_string(out, "]");
    if (whatif->found_query.demolished.count == 0)
        mc_text_append_string(out, ",\"freed_objects\":null,\"freed_bytes\":null");
    else
        mc_text_format(out, ",\"freed_objects\":%" PRIu64 ",\"freed_bytes\":%" PRIu64,
                       whatif->found.objects, whatif->found.bytes);
}
