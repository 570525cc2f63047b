#include "app/session/roots.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/session/selection.h"
#include "app/session/tables.h"
#include "app/session/words.h"
#include "app/trail_text.h"
#include "engine/base/memory.h"
#include "engine/scene/root_marks.h"
#include "engine/scene/theme.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// ---- groups of a step

typedef struct groups_task {
    const mc_trace *trace;
    uint32_t step;
    mc_root_groups groups;
} groups_task;

static void destroy_groups(void *context) {
    groups_task *task = context;
    mc_root_groups_deinit(&task->groups);
    mc_free(task);
}

static mc_result run_groups(void *context, void **state, const mc_progress *progress,
                            mc_error *error) {
    groups_task *task = context;
    (void)state;
    (void)progress;
    return mc_root_groups_find(task->trace, task->step, &task->groups, error);
}

static bool steps_differ(const void *a, const void *b) {
    return *(const uint32_t *)a != *(const uint32_t *)b;
}

// ---- the way from a root to the selection

typedef struct trail_task {
    const mc_trace *trace;
    mc_session_root_query query;
    mc_trail trail;
} trail_task;

typedef struct trail_state {
    uint32_t step;
    mc_trail_finder *finder;
} trail_state;

static void destroy_state(void *state) {
    mc_trail_finder_destroy(((trail_state *)state)->finder);
    mc_free(state);
}

static mc_result run_trail(void *context, void **kept, const mc_progress *progress,
                           mc_error *error) {
    trail_task *task = context;
    uint32_t step = task->query.step;
    mc_result result = MC_OK;
    (void)progress;
    if (!*kept) *kept = mc_alloc_zero(1, sizeof(trail_state));
    trail_state *state = *kept;
    if (!state) return mc_error_out_of_memory(error);
    if (state->step != step || !state->finder) {
        mc_trail_finder_destroy(state->finder);
        state->finder = NULL;
        state->step = step;
        result = mc_trail_finder_create(task->trace, step, step, &state->finder, error);
    }
    mc_trail_desc desc = {.leaf = task->query.node};
    return result == MC_OK ? mc_trail_finder_find(state->finder, &desc, &task->trail, error)
                           : result;
}

static bool queries_differ(const void *first, const void *second) {
    const mc_session_root_query *a = first, *b = second;
    return a->node != b->node || a->step != b->step;
}

static const uint32_t no_step = MC_NONE;
static const mc_session_root_query no_query = {MC_NONE, 0};

mc_result mc_session_begin_roots(mc_session *session, mc_error *error) {
    static const mc_slot_kind groups = {sizeof(uint32_t), steps_differ, run_groups, destroy_groups,
                                        NULL};
    static const mc_slot_kind trail = {sizeof(mc_session_root_query), queries_differ, run_trail,
                                       mc_free, destroy_state};
    mc_session_roots *roots = &session->roots;
    void (*wake)(void) = session->desc->host.wake;
    roots->trail_query = roots->objects_query = no_query;
    mc_result result = mc_slot_create(&groups, &no_step, wake, &roots->slot, error);
    return result == MC_OK ? mc_slot_create(&trail, &no_query, wake, &roots->trail_slot, error)
                           : result;
}

static void drop(mc_session_roots *roots) {
    mc_root_groups_deinit(&roots->groups);
    roots->trail_query = roots->objects_query = no_query;
    roots->version++;
}

void mc_session_forget_roots(mc_session *session) {
    mc_session_roots *roots = &session->roots;
    mc_slot_reset(roots->slot);
    mc_slot_reset(roots->trail_slot);
    roots->has_chosen = false;
    drop(roots);
}

void mc_session_end_roots(mc_session *session) {
    mc_session_roots *roots = &session->roots;
    mc_slot_destroy(roots->slot);
    mc_slot_destroy(roots->trail_slot);
    roots->slot = roots->trail_slot = NULL;
    drop(roots);
    mc_text_deinit(&roots->title);
    mc_text_deinit(&roots->note);
    for (uint32_t i = 0; i < MC_SESSION_ROOT_ROWS; i++) {
        mc_text_deinit(&roots->names[i]);
        mc_text_deinit(&roots->details[i]);
    }
}

static void want_groups(mc_session *session) {
    uint32_t step = MC_NONE;
    if (session->shown && mc_trace_has_roots(session->trace)) step = session->shown_step;
    if (!mc_slot_want(session->roots.slot, &step)) return;
    groups_task *task = step == MC_NONE ? NULL : mc_alloc_zero(1, sizeof *task);
    if (!task) return;
    task->trace = session->trace;
    task->step = step;
    mc_slot_start(session->roots.slot, session->dataset, task);
}

static void want_trail(mc_session *session) {
    mc_session_root_query query = no_query;
    uint32_t node = mc_session_get_selected(session);
    if (session->shown && node != MC_NONE && mc_trace_has_roots(session->trace) &&
        mc_trace_get_nodes(session->trace)->child_count[node] == 0)
        query = (mc_session_root_query){node, session->shown_step};
    if (!mc_slot_want(session->roots.trail_slot, &query)) return;
    trail_task *task = query.node == MC_NONE ? NULL : mc_alloc_zero(1, sizeof *task);
    if (!task) return;
    task->trace = session->trace;
    task->query = query;
    mc_slot_start(session->roots.trail_slot, session->dataset, task);
}

void mc_session_sync_roots(mc_session *session) {
    want_groups(session);
    want_trail(session);
}

void mc_session_take_roots(mc_session *session) {
    mc_session_roots *roots = &session->roots;
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome = mc_slot_take(roots->slot, &taken, &error);
    if (outcome == MC_SLOT_FOUND) {
        groups_task *task = taken;
        mc_root_groups_deinit(&roots->groups);
        roots->groups = task->groups;
        roots->groups_step = task->step;
        task->groups = (mc_root_groups){0};
    }
    if (outcome == MC_SLOT_FAILED) mc_session_set_message(session, error.message);
    if (outcome != MC_SLOT_NOTHING) {
        destroy_groups(taken);
        roots->version++;
        mc_session_redraw(session);
    }
    outcome = mc_slot_take(roots->trail_slot, &taken, &error);
    if (outcome == MC_SLOT_FOUND) {
        const trail_task *task = taken;
        roots->trail = task->trail;
        roots->trail_query = task->query;
    }
    if (outcome == MC_SLOT_FAILED) mc_session_set_message(session, error.message);
    if (outcome != MC_SLOT_NOTHING) {
        mc_free(taken);
        roots->version++;
        mc_session_redraw(session);
    }
}

// ---- one of them

uint32_t mc_session_get_chosen_root(const mc_session *session) {
    const mc_session_roots *roots = &session->roots;
    if (!roots->has_chosen) return MC_NONE;
    for (uint32_t i = 0; i < roots->groups.count; i++) {
        const mc_root_group *group = &roots->groups.items[i];
        if (group->kind == roots->chosen_kind && group->name == roots->chosen_name) return i;
    }
    return MC_NONE;
}

void mc_session_choose_root(mc_session *session, uint32_t group) {
    mc_session_roots *roots = &session->roots;
    roots->has_chosen = group < roots->groups.count;
    roots->version++;
    mc_session_redraw(session);
    if (!roots->has_chosen) return;
    roots->chosen_kind = roots->groups.items[group].kind;
    roots->chosen_name = roots->groups.items[group].name;
    session->wish.roots_open = true;
    roots->frames_wanted = 3; // until the list has its height
}

static void append_name(const mc_session *session, const mc_root_group *group, mc_text *text) {
    if (group->name == MC_NONE) {
        char count[MC_FORMAT_SIZE];
        mc_text_format(text, "%s more: %s", mc_format_count(count, group->name_count),
                       mc_root_kind_names[group->kind]);
        return;
    }
    size_t size;
    const char *name = mc_trace_get_string(session->trace, group->name, &size);
    mc_format_append_line(text, name, size);
}

// Without the package, for which a list has no room.
static void append_short_name(const mc_session *session, const mc_root_group *group,
                              mc_text *text) {
    if (group->kind == MC_ROOT_STATIC && group->name != MC_NONE)
        mc_static_append_name(session->trace, group->name, text);
    else
        append_name(session, group, text);
}

void mc_session_append_root_name(const mc_session *session, uint32_t group, mc_text *text) {
    const mc_root_groups *groups = &session->roots.groups;
    if (group < groups->count)
        append_short_name(session, &groups->items[group], text);
    else
        mc_text_append_string(text, "GC root");
}

void mc_session_append_root(const mc_session *session, uint32_t index, mc_text *title,
                            mc_text *text) {
    const mc_root_group *group = &session->roots.groups.items[index];
    char count[MC_FORMAT_SIZE];
    append_name(session, group, title);
    mc_text_format(text, "GC root: %s · holds %s object%s directly",
                   mc_root_kind_names[group->kind], mc_format_count(count, group->count),
                   group->count == 1 ? "" : "s");
    for (uint32_t i = 0; i < group->hold_count && i < 3; i++) {
        uint32_t node = session->roots.groups.holds[group->first_hold + i].node;
        mc_text_format(text, "%s%s", i == 0 ? ": " : ", ", mc_session_get_name(session, node));
    }
    if (group->hold_count > 3) mc_text_append_string(text, " …");
}

// ---- of the selection

static bool is_inside(const mc_node_columns *nodes, uint32_t node, uint32_t around) {
    while (node != MC_NONE && nodes->level[node] > nodes->level[around])
        node = nodes->parent[node];
    return node == around;
}

static uint64_t count_held(const mc_session *session, uint32_t group, uint32_t node) {
    const mc_root_groups *groups = &session->roots.groups;
    const mc_node_columns *nodes = mc_trace_get_nodes(session->trace);
    const mc_root_group *root = &groups->items[group];
    uint64_t held = 0;
    for (uint32_t i = 0; i < root->hold_count; i++) {
        const mc_root_hold *hold = &groups->holds[root->first_hold + i];
        if (is_inside(nodes, hold->node, node)) held += hold->count;
    }
    return held;
}

bool mc_session_count_selection_roots(const mc_session *session, uint64_t *count, mc_text *names) {
    uint32_t node = mc_session_get_selected(session);
    *count = 0;
    if (node == MC_NONE || !session->roots.groups.is_known) return false;
    for (uint32_t i = 0; i < session->roots.groups.count; i++) {
        uint64_t held = count_held(session, i, node);
        if (held == 0) continue;
        *count += held;
        if (names->size > 0) mc_text_append_string(names, "\n");
        append_name(session, &session->roots.groups.items[i], names);
    }
    return true;
}

bool mc_session_has_root_trail(const mc_session *session) {
    const mc_session_roots *roots = &session->roots;
    return roots->trail_query.node != MC_NONE && roots->trail.is_known &&
           roots->trail_query.node == mc_session_get_selected(session);
}

// ---- for the panels

// What the list is of: what a root holds, the selection's roots, or all of them.
typedef enum list_kind { HOLDS, SELECTION, ALL } list_kind;

static list_kind get_kind(const mc_session *session) {
    if (mc_session_get_chosen_root(session) != MC_NONE) return HOLDS;
    return mc_session_get_selected(session) != MC_NONE ? SELECTION : ALL;
}

// The group of a row of the selection's.
static uint32_t get_group(const mc_session *session, uint32_t row) {
    uint32_t node = mc_session_get_selected(session);
    if (get_kind(session) == ALL) return row;
    for (uint32_t i = 0; i < session->roots.groups.count; i++)
        if (count_held(session, i, node) > 0 && row-- == 0) return i;
    return MC_NONE;
}

static uint32_t count_rows(const mc_session *session) {
    const mc_root_groups *groups = &session->roots.groups;
    uint32_t count = 0, node = mc_session_get_selected(session);
    switch (get_kind(session)) {
    case HOLDS: return groups->items[mc_session_get_chosen_root(session)].hold_count;
    case ALL: return groups->count;
    default:
        for (uint32_t i = 0; i < groups->count; i++)
            count += count_held(session, i, node) > 0;
        return count;
    }
}

// Of the selection; read when it or the step is another one.
static uint64_t count_objects(mc_session *session) {
    mc_session_roots *roots = &session->roots;
    mc_session_root_query query = {mc_session_get_selected(session), session->shown_step};
    if (queries_differ(&query, &roots->objects_query)) {
        roots->objects_query = query;
        roots->objects = mc_session_read_row(session, query.node).objects;
    }
    return roots->objects;
}

static void write_share(mc_fact_list_row *row, uint64_t held, uint64_t objects) {
    char text[MC_FORMAT_SIZE];
    snprintf(row->values[0], sizeof row->values[0], "%.31s", mc_format_si(text, held));
    if (objects == 0) return;
    double share = (double)held / (double)objects;
    snprintf(row->values[1], sizeof row->values[1], "%.31s",
             mc_format_share(text, share < 1 ? share : 1));
}

static void describe(void *user, uint32_t index, mc_fact_list_row *row) {
    mc_session *session = user;
    mc_session_roots *roots = &session->roots;
    const mc_root_groups *groups = &roots->groups;
    mc_text *name = &roots->names[index % MC_SESSION_ROOT_ROWS];
    mc_text *detail = &roots->details[index % MC_SESSION_ROOT_ROWS];
    if (get_kind(session) == HOLDS) {
        const mc_root_group *chosen = &groups->items[mc_session_get_chosen_root(session)];
        const mc_root_hold *hold = &groups->holds[chosen->first_hold + index];
        row->name = mc_session_get_name(session, hold->node);
        row->selected = hold->node == mc_session_get_selected(session);
        write_share(row, hold->count, hold->objects);
        return;
    }
    const mc_root_group *group = &groups->items[get_group(session, index)];
    uint32_t node = mc_session_get_selected(session);
    mc_theme theme = mc_theme_get(session->wish.look.dark, (mc_palette)session->wish.look.palette);
    mc_text_clear(name);
    mc_text_clear(detail);
    append_short_name(session, group, name);
    mc_text_append_string(detail, mc_root_kind_names[group->kind]);
    row->name = name->failed ? "" : name->data;
    row->detail = detail->failed ? NULL : detail->data;
    row->color =
        mc_theme_pack(mc_root_class_get_color(mc_root_class_get(group->kind), &theme), 255);
    row->strong = group->is_program;
    if (node == MC_NONE)
        write_share(row, group->count, 0);
    else
        write_share(row, count_held(session, get_group(session, index), node),
                    count_objects(session));
}

static void describe_more(void *user, uint32_t index, char *out, size_t size) {
    const mc_session *session = user;
    const mc_root_groups *groups = &session->roots.groups;
    mc_text text = {0}, more = {0};
    if (get_kind(session) == HOLDS) {
        const mc_root_group *chosen = &groups->items[mc_session_get_chosen_root(session)];
        mc_node_append_path_line(session->trace, groups->holds[chosen->first_hold + index].node,
                                 &text);
    } else {
        mc_session_append_root(session, get_group(session, index), &text, &more);
        mc_text_append_string(&text, "\n");
        if (more.data) mc_text_append_string(&text, more.data);
    }
    snprintf(out, size, "%s", text.data && !text.failed ? text.data : "");
    mc_text_deinit(&text);
    mc_text_deinit(&more);
}

static void tell(mc_session *session, mc_fact_roots *model) {
    mc_session_roots *roots = &session->roots;
    uint32_t chosen = mc_session_get_chosen_root(session);
    mc_text_clear(&roots->title);
    mc_text_clear(&roots->note);
    if (chosen != MC_NONE) {
        const mc_root_group *group = &roots->groups.items[chosen];
        char count[MC_FORMAT_SIZE];
        append_name(session, group, &roots->title);
        mc_text_format(&roots->note, "%s: names %s object%s, of", mc_root_kind_names[group->kind],
                       mc_format_count(count, group->count), group->count == 1 ? "" : "s");
    } else if (get_kind(session) == SELECTION && model->list.count == 0) {
        mc_text_append_string(&roots->note, "No GC root names it directly.");
        if (mc_session_has_root_trail(session)) {
            mc_text_append_string(&roots->note, " It is held by ");
            mc_trail_append_way(&roots->trail, session->trace, &roots->note);
            mc_text_append_string(&roots->note, ".");
        }
    }
    if (roots->title.size > 0 && !roots->title.failed) model->title = roots->title.data;
    if (roots->note.size > 0 && !roots->note.failed) model->note = roots->note.data;
}

void mc_session_fill_roots(mc_session *session, mc_fact_roots *model) {
    mc_session_roots *roots = &session->roots;
    model->has_roots = mc_trace_has_roots(session->trace);
    if (!model->has_roots) return;
    if (!roots->groups.is_known) {
        model->note = mc_slot_is_looking(roots->slot) ? NULL : "This step's roots are not known.";
        return;
    }
    model->wants_view = roots->frames_wanted > 0;
    if (roots->frames_wanted > 0) roots->frames_wanted--;
    model->has_details = get_kind(session) != HOLDS;
    model->list = (mc_fact_list){.count = count_rows(session),
                                 .describe = describe,
                                 .describe_more = describe_more,
                                 .user = session,
                                 .wanted_row = MC_NONE};
    tell(session, model);
}

void mc_session_show_root_row(mc_session *session, uint32_t row) {
    const mc_root_groups *groups = &session->roots.groups;
    if (row >= count_rows(session)) return;
    uint32_t chosen = mc_session_get_chosen_root(session);
    if (chosen != MC_NONE)
        mc_session_visit(session, groups->holds[groups->items[chosen].first_hold + row].node);
    else
        mc_session_choose_root(session, get_group(session, row));
}

void mc_session_append_roots_state(const mc_session *session, mc_text *out) {
    uint32_t chosen = mc_session_get_chosen_root(session);
    mc_text text = {0};
    mc_text_format(out, ",\"roots_shown\":%s,\"root_groups\":%" PRIu32 ",\"root_rows\":%" PRIu32,
                   session->wish.look.roots ? "true" : "false", session->roots.groups.count,
                   session->roots.groups.is_known ? count_rows(session) : 0);
    if (chosen != MC_NONE) append_name(session, &session->roots.groups.items[chosen], &text);
    mc_text_append_string(out, ",\"root_chosen\":");
    if (text.data && !text.failed)
        mc_format_append_json(out, text.data, text.size);
    else
        mc_text_append_string(out, "null");
    mc_text_deinit(&text);
}
