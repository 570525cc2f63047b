#include "app/session/held.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/session/roots.h"
#include "app/session/saying.h"
#include "app/session/selection.h"
#include "app/session/words.h"
#include "engine/base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct held_task {
    const mc_trace *trace;
    mc_session_held_query query;
    mc_held_tree tree;
    mc_street *streets;
    uint32_t street_count;
    uint32_t *order; // rows depth first, without the roots
    uint32_t row_count;
} held_task;

static void destroy_task(void *context) {
    held_task *task = context;
    mc_held_tree_deinit(&task->tree);
    mc_free(task->streets);
    mc_free(task->order);
    mc_free(task);
}

// What is below a row comes behind it.
static mc_result list_rows(held_task *task, mc_error *error) {
    const mc_held_tree *tree = &task->tree;
    uint32_t *firsts = mc_alloc((size_t)tree->count + 1, sizeof *firsts);
    uint32_t *stack = mc_alloc((size_t)tree->count + 1, sizeof *stack), depth = 0;
    task->order = mc_alloc((size_t)tree->count + 1, sizeof *task->order);
    bool is_done = firsts && stack && task->order;
    if (is_done && tree->count > 0) {
        memset(firsts, 0xff, ((size_t)tree->count + 1) * sizeof *firsts);
        for (uint32_t i = tree->count; i-- > 1;)
            firsts[tree->rows[i].parent] = i;
        stack[depth++] = 0;
    }
    while (is_done && depth > 0) {
        uint32_t at = stack[--depth], end = firsts[at];
        if (at > 0) task->order[task->row_count++] = at;
        while (end < tree->count && tree->rows[end].parent == at)
            end++;
        for (uint32_t i = end; firsts[at] != MC_NONE && i-- > firsts[at];)
            stack[depth++] = i;
    }
    mc_free(firsts);
    mc_free(stack);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}

static mc_result run(void *context, void **state, const mc_progress *progress, mc_error *error) {
    held_task *task = context;
    const mc_session_held_query *query = &task->query;
    (void)state;
    (void)progress;
    mc_root_groups roots = {.count = 0};
    mc_result result = mc_held_tree_find(task->trace, query->node, query->step, query->first_step,
                                         &task->tree, error);
    if (result == MC_OK && query->has_roots)
        result = mc_root_groups_find(task->trace, query->step, &roots, error);
    if (result == MC_OK)
        result = mc_streets_find(task->trace, &task->tree, &roots, &task->streets,
                                 &task->street_count, error);
    mc_root_groups_deinit(&roots);
    return result == MC_OK ? list_rows(task, error) : result;
}

static bool queries_differ(const void *first, const void *second) {
    const mc_session_held_query *a = first, *b = second;
    return a->node != b->node || a->step != b->step || a->first_step != b->first_step ||
           a->has_roots != b->has_roots;
}

static const mc_session_held_query none = {.node = MC_NONE};

mc_result mc_session_begin_held(mc_session *session, mc_error *error) {
    static const mc_slot_kind kind = {sizeof(mc_session_held_query), queries_differ, run,
                                      destroy_task, NULL};
    session->held.found = none;
    session->held.lit_row = MC_NONE;
    return mc_slot_create(&kind, &none, session->desc->host.wake, &session->held.slot, error);
}

static void drop(mc_session_held *held) {
    mc_held_tree_deinit(&held->tree);
    mc_free(held->streets);
    mc_free(held->order);
    held->streets = NULL;
    held->order = NULL;
    held->street_count = held->row_count = 0;
    held->found = none;
    held->version++;
}

void mc_session_sync_held(mc_session *session) {
    mc_session_held *held = &session->held;
    mc_session_held_query query = none;
    uint32_t node = session->shown ? mc_session_get_selected(session) : MC_NONE;
    if (node != MC_NONE && mc_trace_has_paths(session->trace))
        query =
            (mc_session_held_query){node, session->playback.step, session->shown->window.first_step,
                                    session->wish.look.roots};
    if (!mc_slot_want(held->slot, &query)) return;
    // Those of the step before stay until the new ones are there.
    if (query.node != held->found.node) drop(held);
    mc_session_redraw(session);
    held_task *task = query.node == MC_NONE ? NULL : mc_alloc_zero(1, sizeof *task);
    if (!task) return;
    task->trace = session->trace;
    task->query = query;
    mc_slot_start(held->slot, session->dataset, task);
}

void mc_session_take_held(mc_session *session) {
    mc_session_held *held = &session->held;
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome = mc_slot_take(held->slot, &taken, &error);
    if (outcome == MC_SLOT_NOTHING) return;
    held_task *task = taken;
    if (outcome == MC_SLOT_FOUND) {
        drop(held);
        held->found = task->query;
        held->tree = task->tree;
        held->streets = task->streets;
        held->street_count = task->street_count;
        held->order = task->order;
        held->row_count = task->row_count;
        task->tree = (mc_held_tree){.count = 0};
        task->streets = NULL;
        task->order = NULL;
        mc_session_redraw_found(session);
    } else {
        mc_session_set_message(session, error.message);
    }
    destroy_task(task);
}

void mc_session_forget_held(mc_session *session) {
    mc_slot_reset(session->held.slot);
    drop(&session->held);
}

void mc_session_end_held(mc_session *session) {
    mc_slot_destroy(session->held.slot);
    session->held.slot = NULL;
    drop(&session->held);
    for (uint32_t i = 0; i < MC_SESSION_DETAIL_COUNT; i++)
        mc_text_deinit(&session->held.names[i]);
}

// ---- what the user does

static const mc_held_path *get_path(const mc_session *session, uint32_t row) {
    const mc_session_held *held = &session->held;
    uint32_t count, path = held->tree.rows[held->order[row]].path;
    const mc_held_path *paths = mc_trace_get_paths(session->trace, &count);
    return path == MC_NONE ? NULL : &paths[path];
}

void mc_session_show_held(mc_session *session, uint32_t row) {
    if (row >= session->held.row_count) return;
    const mc_held_path *path = get_path(session, row);
    if (path && path->place != MC_NONE) mc_session_visit(session, path->place);
}

uint32_t mc_session_count_streets(const mc_session *session) {
    const mc_look *look = &session->wish.look;
    uint32_t count = session->held.street_count;
    if (!look->streets) return 0;
    return look->most_streets > 0 && look->most_streets < count ? look->most_streets : count;
}

// In the picture streets come behind references.
static uint32_t get_pointed_street(const mc_session *session) {
    const mc_view *view = session->view;
    uint32_t link =
        session->shown && view->kind->pick_reference ? view->kind->pick_reference(view) : MC_NONE;
    uint32_t first = session->references.links.count;
    bool is_street = link != MC_NONE && link >= first;
    return is_street && link - first < mc_session_count_streets(session) ? link - first : MC_NONE;
}

bool mc_session_show_pointed_street(mc_session *session) {
    uint32_t street = get_pointed_street(session);
    if (street == MC_NONE) return false;
    const mc_street *shown = &session->held.streets[street];
    if (shown->root < session->roots.groups.count)
        mc_session_choose_root(session, shown->root);
    else if (shown->root == MC_NONE)
        mc_session_visit(session, shown->from);
    return true;
}

bool mc_session_append_pointed_street(const mc_session *session, mc_text *title, mc_text *text) {
    uint32_t index = get_pointed_street(session);
    if (index == MC_NONE) return false;
    const mc_street *street = &session->held.streets[index];
    char objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE];
    if (street->root == MC_NONE)
        mc_text_append_string(title, mc_session_get_name(session, street->from));
    else
        mc_session_append_root_name(session, street->root, title);
    mc_text_format(title, " → %s", mc_session_get_name(session, street->to));
    mc_text_format(text, "holds %s of the selection, which %s %s%s",
                   mc_format_counted(objects, street->objects, "object"),
                   street->objects == 1 ? "retains" : "retain",
                   mc_format_bytes(bytes, street->bytes),
                   street->is_new ? "; not there at the first step" : "");
    return true;
}

uint32_t mc_session_find_lit_street(const mc_session *session) {
    const mc_session_held *held = &session->held;
    uint32_t row = held->lit_row, count = mc_session_count_streets(session);
    if (get_pointed_street(session) != MC_NONE) return get_pointed_street(session);
    if (row >= held->row_count) return MC_NONE;
    const mc_held_path *path = get_path(session, row);
    for (uint32_t i = 0; path && i < count; i++)
        if (held->streets[i].row == held->order[row] || held->streets[i].to == path->place)
            return i;
    return MC_NONE;
}

void mc_session_change_most_streets(mc_session *session, bool more) {
    static const uint32_t counts[] = {1, 3, 5, 10, 20, 50, 100, 0};
    size_t count = sizeof counts / sizeof *counts, at = 0;
    uint32_t now = session->wish.look.most_streets;
    while (at + 1 < count && counts[at] != now)
        at++;
    if (more && at + 1 < count) at++;
    if (!more && at > 0) at--;
    if (session->wish.look.most_streets == counts[at])
        mc_session_say(session, "It goes no further.");
    session->wish.look.most_streets = counts[at];
}

// ---- for the panels

// A class without its package, if there is little room.
static void append_class(const char *name, size_t size, bool is_short, mc_text *out) {
    static const char class_object[] = "class ";
    size_t begin = 0, prefix = sizeof class_object - 1;
    bool is_class = size > prefix && memcmp(name, class_object, prefix) == 0;
    for (size_t i = 0; i < size && is_short; i++)
        if (name[i] == '.') begin = i + 1;
    if (begin > 0 && is_class) mc_text_append_string(out, class_object);
    mc_format_append_line(out, name + begin, size - begin);
}

static void append_row(const mc_session *session, uint32_t index, bool is_short, mc_text *out) {
    const mc_session_held *held = &session->held;
    const mc_held_path *path = get_path(session, index);
    if (!path) {
        mc_text_append_string(out, "others");
        return;
    }
    size_t size;
    if (path->field != MC_NONE) {
        const char *field = mc_trace_get_string(session->trace, path->field, &size);
        mc_format_append_line(out, field, size);
        mc_text_append_string(out, " → ");
    }
    const char *class = mc_trace_get_string(session->trace, path->class, &size);
    append_class(class, size, is_short, out);
    if (held->tree.rows[held->order[index]].is_folded)
        mc_text_append_string(out, is_short ? " …" : " (and on from it)");
}

static void describe(void *user, uint32_t index, mc_fact_list_row *row) {
    mc_session *session = user;
    mc_session_held *held = &session->held;
    const mc_held_row *r = &held->tree.rows[held->order[index]];
    const mc_held_path *path = get_path(session, index);
    mc_text *name = &held->names[index % MC_SESSION_DETAIL_COUNT];
    char text[MC_FORMAT_SIZE];
    mc_text_clear(name);
    for (uint32_t i = 1; i < r->depth && i < 12; i++)
        mc_text_append_string(name, "· ");
    append_row(session, index, true, name);
    row->name = name->failed || !name->data ? "" : name->data;
    row->strong = r->is_new;
    uint32_t street = get_pointed_street(session);
    if (street != MC_NONE)
        row->lit = held->streets[street].row == held->order[index];
    else
        row->lit = path && path->place != MC_NONE && session->hovered == path->place;
    snprintf(row->values[0], sizeof row->values[0], "%.31s", mc_format_bytes(text, r->whole_bytes));
    snprintf(row->values[1], sizeof row->values[1], "%s", r->is_new ? "new" : "");
}

static void describe_more(void *user, uint32_t index, char *out, size_t size) {
    const mc_session *session = user;
    const mc_session_held *held = &session->held;
    const mc_held_row *r = &held->tree.rows[held->order[index]];
    const mc_held_path *path = get_path(session, index);
    char objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE];
    mc_text text = {0};
    append_row(session, index, false, &text);
    mc_text_format(&text, "\n%s %s here or behind, and retain%s %s",
                   mc_format_counted(objects, r->whole_objects, "object"),
                   r->whole_objects == 1 ? "ends" : "end", r->whole_objects == 1 ? "s" : "",
                   mc_format_bytes(bytes, r->whole_bytes));
    if (held->tree.has_first && r->is_new)
        mc_text_append_string(&text, "\nnot there at the first step");
    else if (held->tree.has_first)
        mc_text_format(&text, "\n%s at the first step", mc_format_bytes(bytes, r->first_bytes));
    if (path && path->place != MC_NONE) {
        mc_text_append_string(&text, "\nin ");
        mc_node_append_path_line(session->trace, path->place, &text);
    }
    snprintf(out, size, "%s", text.failed || !text.data ? "" : text.data);
    mc_text_deinit(&text);
}

void mc_session_fill_held(mc_session *session, mc_fact_held *model) {
    const mc_session_held *held = &session->held;
    model->is_known = mc_trace_has_paths(session->trace);
    if (held->found.node == MC_NONE) return;
    if (held->tree.count == 0)
        model->note = "How the roots hold it is not known at this step.";
    else if (held->row_count == 0)
        model->note = "No root holds any of it.";
    model->list = (mc_fact_list){.count = held->row_count,
                                 .describe = describe,
                                 .describe_more = describe_more,
                                 .user = session,
                                 .wanted_row = MC_NONE};
}
