#include "app/session/retaining_paths.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/session/gc_roots.h"
#include "app/session/name_cache.h"
#include "app/session/selection.h"
#include "app/session/status_text.h"
#include <stdio.h>
#include <string.h>

void mc_session_sync_retaining_paths(mc_session *session) {
    mc_asked *asked = session->asked[MC_QUERY_RETAINING_PATHS];
    mc_retaining_paths_key key = {.node = MC_NONE};
    uint32_t node = session->shown ? mc_session_get_selected(session) : MC_NONE;
    bool is_wanted = session->settings.look.streets || !mc_session_is_pictured(session);
    if (is_wanted && node != MC_NONE && mc_trace_has_paths(session->trace))
        key = (mc_retaining_paths_key){node, session->playback.step,
                                       session->shown->window.first_step,
                                       session->settings.look.roots};
    if (!mc_asked_want(asked, session->dataset, &key)) return;
    // Those of the step before stay until the new ones are there.
    const mc_retaining_paths_key *found = mc_asked_get_key(asked);
    if (key.node != found->node) mc_asked_drop_answer(asked);
    mc_session_redraw(session);
}

// ---- what the user does

static const mc_retaining_path *get_path(const mc_session *session, uint32_t row) {
    const mc_retaining_paths *held = mc_session_get_retaining_paths(session);
    uint32_t count, path = held->tree.rows[held->order[row]].path;
    const mc_retaining_path *paths = mc_trace_get_paths(session->trace, &count);
    return path == MC_NONE ? NULL : &paths[path];
}

void mc_session_show_retaining_paths(mc_session *session, uint32_t row) {
    if (row >= mc_session_get_retaining_paths(session)->row_count) return;
    const mc_retaining_path *path = get_path(session, row);
    if (path && path->place != MC_NONE) mc_session_visit(session, path->place);
}

uint32_t mc_session_count_streets(const mc_session *session) {
    const mc_look *look = &session->settings.look;
    uint32_t count = mc_session_get_retaining_paths(session)->street_count;
    if (!look->streets) return 0;
    return look->most_streets > 0 && look->most_streets < count ? look->most_streets : count;
}

// In the picture streets come behind references.
static uint32_t get_pointed_street(const mc_session *session) {
    const mc_view *view = session->view;
    uint32_t link =
        session->shown && view->kind->pick_reference ? view->kind->pick_reference(view) : MC_NONE;
    uint32_t first = mc_session_get_references(session)->links.count;
    bool is_street = link != MC_NONE && link >= first;
    return is_street && link - first < mc_session_count_streets(session) ? link - first : MC_NONE;
}

bool mc_session_show_pointed_street(mc_session *session) {
    uint32_t street = get_pointed_street(session);
    if (street == MC_NONE) return false;
    const mc_street *shown = &mc_session_get_retaining_paths(session)->streets[street];
    if (shown->root < mc_session_get_root_groups(session)->count)
        mc_session_choose_root(session, shown->root);
    else if (shown->root == MC_NONE)
        mc_session_visit(session, shown->from);
    return true;
}

bool mc_session_append_pointed_street(const mc_session *session, mc_text *title, mc_text *text) {
    uint32_t index = get_pointed_street(session);
    if (index == MC_NONE) return false;
    const mc_street *street = &mc_session_get_retaining_paths(session)->streets[index];
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
    const mc_retaining_paths *held = mc_session_get_retaining_paths(session);
    uint32_t row = session->hover.path_row, count = mc_session_count_streets(session);
    if (get_pointed_street(session) != MC_NONE) return get_pointed_street(session);
    if (row >= held->row_count) return MC_NONE;
    const mc_retaining_path *path = get_path(session, row);
    for (uint32_t i = 0; path && i < count; i++)
        if (held->streets[i].row == held->order[row] || held->streets[i].to == path->place)
            return i;
    return MC_NONE;
}

void mc_session_change_most_streets(mc_session *session, bool more) {
    static const uint32_t counts[] = {1, 3, 5, 10, 20, 50, 100, 0};
    size_t count = sizeof counts / sizeof *counts, at = 0;
    uint32_t now = session->settings.look.most_streets;
    while (at + 1 < count && counts[at] != now)
        at++;
    if (more && at + 1 < count) at++;
    if (!more && at > 0) at--;
    if (session->settings.look.most_streets == counts[at])
        mc_session_set_status(session, "It goes no further.");
    session->settings.look.most_streets = counts[at];
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
    const mc_retaining_paths *held = mc_session_get_retaining_paths(session);
    const mc_retaining_path *path = get_path(session, index);
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
    const mc_retaining_paths *held = mc_session_get_retaining_paths(session);
    const mc_retaining_row *r = &held->tree.rows[held->order[index]];
    const mc_retaining_path *path = get_path(session, index);
    mc_text *name = mc_session_get_text(session);
    char text[MC_FORMAT_SIZE];
    for (uint32_t i = 1; i < r->depth && i < 12; i++)
        mc_text_append_string(name, "· ");
    append_row(session, index, true, name);
    row->name = mc_text_get(name);
    row->strong = r->is_new;
    uint32_t street = get_pointed_street(session);
    if (street != MC_NONE)
        row->lit = held->streets[street].row == held->order[index];
    else
        row->lit = path && path->place != MC_NONE && session->hover.node == path->place;
    snprintf(row->values[0], sizeof row->values[0], "%.31s", mc_format_bytes(text, r->whole_bytes));
    snprintf(row->values[1], sizeof row->values[1], "%s", r->is_new ? "new" : "");
}

static void describe_more(void *user, uint32_t index, mc_text *text) {
    const mc_session *session = user;
    const mc_retaining_paths *held = mc_session_get_retaining_paths(session);
    const mc_retaining_row *r = &held->tree.rows[held->order[index]];
    const mc_retaining_path *path = get_path(session, index);
    char objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE];
    append_row(session, index, false, text);
    mc_text_format(text, "\n%s %s here or behind, and retain%s %s",
                   mc_format_counted(objects, r->whole_objects, "object"),
                   r->whole_objects == 1 ? "ends" : "end", r->whole_objects == 1 ? "s" : "",
                   mc_format_bytes(bytes, r->whole_bytes));
    if (held->tree.has_first && r->is_new)
        mc_text_append_string(text, "\nnot there at the first step");
    else if (held->tree.has_first)
        mc_text_format(text, "\n%s at the first step", mc_format_bytes(bytes, r->first_bytes));
    if (path && path->place != MC_NONE) {
        mc_text_append_string(text, "\nin ");
        mc_node_append_path_line(session->trace, path->place, text);
    }
}

void mc_session_fill_retaining_paths(mc_session *session, mc_fact_retaining_paths *model) {
    const mc_retaining_paths *held = mc_session_get_retaining_paths(session);
    model->is_known = mc_trace_has_paths(session->trace);
    const mc_asked *asked = session->asked[MC_QUERY_RETAINING_PATHS];
    const mc_retaining_paths_key *key = mc_asked_get_key(asked);
    if (!mc_asked_has_answer(asked)) return;
    if (held->tree.count == 0)
        model->note = key->node == MC_NONE || mc_trace_knows_paths(session->trace, key->node)
                          ? "The paths from GC roots to it are not known at this step."
                          : "How the roots hold it is known only of groups as they were imported.";
    else if (held->row_count == 0)
        model->note = "No root holds any of it.";
    model->list = (mc_fact_list){.count = held->row_count,
                                 .describe = describe,
                                 .describe_more = describe_more,
                                 .user = session,
                                 .wanted_row = MC_NONE};
}
