#include "app/session/gc_roots.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/root_path_text.h"
#include "app/session/name_cache.h"
#include "app/session/selection.h"
#include "app/session/tables.h"
#include "engine/scene/root_marks.h"
#include "engine/scene/theme.h"
#include <stdio.h>
#include <string.h>

void mc_session_forget_roots(mc_session *session) {
    mc_session_roots *roots = &session->roots;
    roots->has_chosen = false;
    roots->objects_key = (mc_root_path_key){MC_NONE, 0};
    roots->version++;
}

// For panels also where the picture does not show them.
static bool has_roots(const mc_session *session) {
    return session->shown && mc_trace_has_roots(session->trace) &&
           (session->settings.look.roots || !mc_session_is_pictured(session));
}

void mc_session_sync_roots(mc_session *session) {
    uint32_t step = has_roots(session) ? session->counts.step : MC_NONE;
    mc_asked_want(session->asked[MC_QUERY_ROOT_GROUPS], session->dataset, &step);
}

void mc_session_sync_root_path(mc_session *session) {
    mc_root_path_key key = {MC_NONE, 0};
    uint32_t node = mc_session_get_selected(session);
    if (has_roots(session) && node != MC_NONE &&
        mc_trace_get_nodes(session->trace)->child_count[node] == 0)
        key = (mc_root_path_key){node, session->counts.step};
    mc_asked_want(session->asked[MC_QUERY_ROOT_PATH], session->dataset, &key);
}

void mc_session_take_roots(mc_session *session, const mc_error *error) {
    if (error) mc_session_miss(session, error);
    session->roots.version++;
    mc_session_redraw(session);
}

// ---- one of them

uint32_t mc_session_get_chosen_root(const mc_session *session) {
    const mc_session_roots *roots = &session->roots;
    if (!roots->has_chosen) return MC_NONE;
    const mc_root_groups *groups = mc_session_get_root_groups(session);
    for (uint32_t i = 0; i < groups->count; i++) {
        const mc_root_group *group = &groups->items[i];
        if (group->kind == roots->chosen_kind && group->name == roots->chosen_name) return i;
    }
    return MC_NONE;
}

void mc_session_choose_root(mc_session *session, uint32_t group) {
    mc_session_roots *roots = &session->roots;
    const mc_root_groups *groups = mc_session_get_root_groups(session);
    roots->has_chosen = group < groups->count;
    roots->version++;
    mc_session_redraw(session);
    if (!roots->has_chosen) return;
    roots->chosen_kind = groups->items[group].kind;
    roots->chosen_name = groups->items[group].name;
    session->settings.roots_open = true;
    roots->frames_wanted = 3; // until the list has its height
}

// The others of a kind are called as those that have a name.
static const char *get_kind_words(const mc_session *session, const mc_root_group *group) {
    const mc_root_groups *groups = mc_session_get_root_groups(session);
    uint32_t name = group->name;
    for (uint32_t i = 0; i < groups->count && name == MC_NONE; i++)
        if (groups->items[i].kind == group->kind) name = groups->items[i].name;
    return mc_root_get_kind(session->trace, group->kind, name);
}

static void append_name(const mc_session *session, const mc_root_group *group, mc_text *text) {
    if (group->name == MC_NONE) {
        char count[MC_FORMAT_SIZE];
        mc_text_format(text, "%s more: %s", mc_format_count(count, group->name_count),
                       get_kind_words(session, group));
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
    const mc_root_groups *groups = mc_session_get_root_groups(session);
    if (group < groups->count)
        append_short_name(session, &groups->items[group], text);
    else
        mc_text_append_string(text, "GC root");
}

void mc_session_append_root(const mc_session *session, uint32_t index, mc_text *title,
                            mc_text *text) {
    const mc_root_group *group = &mc_session_get_root_groups(session)->items[index];
    char count[MC_FORMAT_SIZE];
    append_name(session, group, title);
    mc_text_format(text, "GC root: %s · holds %s object%s directly", get_kind_words(session, group),
                   mc_format_count(count, group->count), group->count == 1 ? "" : "s");
    for (uint32_t i = 0; i < group->hold_count && i < 3; i++) {
        uint32_t node = mc_session_get_root_groups(session)->holds[group->first_hold + i].node;
        mc_text_format(text, "%s%s", i == 0 ? ": " : ", ", mc_session_get_name(session, node));
    }
    if (group->hold_count > 3) mc_text_append_string(text, " …");
}

// ---- of the selection

static uint64_t count_held(const mc_session *session, uint32_t group, uint32_t node) {
    const mc_root_groups *groups = mc_session_get_root_groups(session);
    const mc_node_columns *nodes = mc_trace_get_nodes(session->trace);
    const mc_root_group *root = &groups->items[group];
    uint64_t held = 0;
    for (uint32_t i = 0; i < root->hold_count; i++) {
        const mc_root_hold *hold = &groups->holds[root->first_hold + i];
        if (mc_nodes_is_inside(nodes, hold->node, node)) held += hold->count;
    }
    return held;
}

bool mc_session_count_selection_roots(const mc_session *session, uint64_t *count, mc_text *names) {
    uint32_t node = mc_session_get_selected(session);
    *count = 0;
    if (node == MC_NONE || !mc_session_get_root_groups(session)->is_known) return false;
    for (uint32_t i = 0; i < mc_session_get_root_groups(session)->count; i++) {
        uint64_t held = count_held(session, i, node);
        if (held == 0) continue;
        *count += held;
        if (names->size > 0) mc_text_append_string(names, "\n");
        append_name(session, &mc_session_get_root_groups(session)->items[i], names);
    }
    return true;
}

bool mc_session_has_root_path(const mc_session *session) {
    const mc_root_path_key *found = mc_asked_get_key(session->asked[MC_QUERY_ROOT_PATH]);
    return found->node != MC_NONE && mc_session_get_root_path(session)->is_known &&
           found->node == mc_session_get_selected(session);
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
    for (uint32_t i = 0; i < mc_session_get_root_groups(session)->count; i++)
        if (count_held(session, i, node) > 0 && row-- == 0) return i;
    return MC_NONE;
}

static uint32_t count_rows(const mc_session *session) {
    const mc_root_groups *groups = mc_session_get_root_groups(session);
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
    mc_root_path_key query = {mc_session_get_selected(session), session->counts.step};
    if (query.node != roots->objects_key.node || query.step != roots->objects_key.step) {
        roots->objects_key = query;
        roots->objects =
            mc_session_read_value(session, session->playback.step, MC_METRIC_OBJECTS, query.node);
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
    const mc_root_groups *groups = mc_session_get_root_groups(session);
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
    mc_theme theme =
        mc_theme_get(session->settings.look.dark, (mc_palette)session->settings.look.palette);
    mc_text *name = mc_session_get_text(session);
    append_short_name(session, group, name);
    row->name = mc_text_get(name);
    row->detail = get_kind_words(session, group);
    row->color =
        mc_theme_pack(mc_root_class_get_color(mc_root_class_get(group->kind), &theme), 255);
    row->strong = group->is_program;
    if (node == MC_NONE)
        write_share(row, group->count, 0);
    else
        write_share(row, count_held(session, get_group(session, index), node),
                    count_objects(session));
}

static void describe_more(void *user, uint32_t index, mc_text *text) {
    const mc_session *session = user;
    const mc_root_groups *groups = mc_session_get_root_groups(session);
    mc_text more = {0};
    if (get_kind(session) == HOLDS) {
        const mc_root_group *chosen = &groups->items[mc_session_get_chosen_root(session)];
        mc_node_append_path_line(session->trace, groups->holds[chosen->first_hold + index].node,
                                 text);
    } else {
        mc_session_append_root(session, get_group(session, index), text, &more);
        mc_text_append_string(text, "\n");
        if (more.data) mc_text_append_string(text, more.data);
    }
    mc_text_deinit(&more);
}

static void tell(mc_session *session, mc_fact_roots *model) {
    mc_text *title = mc_session_get_text(session), *note = mc_session_get_text(session);
    uint32_t chosen = mc_session_get_chosen_root(session);
    if (chosen != MC_NONE) {
        const mc_root_group *group = &mc_session_get_root_groups(session)->items[chosen];
        char count[MC_FORMAT_SIZE];
        append_name(session, group, title);
        mc_text_format(note, "%s: names %s object%s, of", get_kind_words(session, group),
                       mc_format_count(count, group->count), group->count == 1 ? "" : "s");
    } else if (get_kind(session) == SELECTION && model->list.count == 0) {
        mc_text_append_string(note, "No GC root references it directly.");
        if (mc_session_has_root_path(session)) {
            mc_text_append_string(note, " It is held by ");
            mc_root_path_append_way(mc_session_get_root_path(session), session->trace, note);
            mc_text_append_string(note, ".");
        }
    }
    if (title->size > 0) model->title = mc_text_get(title);
    if (note->size > 0) model->note = mc_text_get(note);
}

void mc_session_fill_roots(mc_session *session, mc_fact_roots *model) {
    mc_session_roots *roots = &session->roots;
    model->has_roots = mc_trace_has_roots(session->trace);
    if (!model->has_roots) return;
    if (!mc_session_get_root_groups(session)->is_known) {
        model->note = mc_asked_is_looking(session->asked[MC_QUERY_ROOT_GROUPS])
                          ? NULL
                          : "This step's roots are not known.";
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
    const mc_root_groups *groups = mc_session_get_root_groups(session);
    if (row >= count_rows(session)) return;
    uint32_t chosen = mc_session_get_chosen_root(session);
    if (chosen != MC_NONE)
        mc_session_visit(session, groups->holds[groups->items[chosen].first_hold + row].node);
    else
        mc_session_choose_root(session, get_group(session, row));
}

void mc_session_put_roots_state(const mc_session *session, mc_print *print) {
    const mc_root_groups *groups = mc_session_get_root_groups(session);
    uint32_t chosen = mc_session_get_chosen_root(session);
    mc_text text = {0};
    if (chosen != MC_NONE) append_name(session, &groups->items[chosen], &text);
    MC_PRINT(print, {"roots_shown", mc_cell_bool(session->settings.look.roots)},
             {"root_groups", mc_cell_count(groups->count)},
             {"root_rows", mc_cell_count(groups->is_known ? count_rows(session) : 0)},
             {"root_chosen", mc_cell_bytes_of(text.failed ? NULL : text.data, text.size)});
    mc_text_deinit(&text);
}
