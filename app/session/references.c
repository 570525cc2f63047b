#include "app/session/references.h"

#include "app/format.h"
#include "app/link_text.h"
#include "app/node_text.h"
#include "app/session/name_cache.h"
#include "app/session/retaining_paths.h"
#include "app/session/selection.h"
#include "app/session/selection_history.h"
#include "app/session/status_text.h"
#include "app/subject_text.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static mc_references_key get_key(const mc_session *session) {
    const mc_settings *settings = &session->settings;
    const mc_look *look = &settings->look;
    bool has_any = session->shown && mc_trace_has_references(session->trace);
    if (mc_session_is_pictured(session)) has_any &= look->show_incoming || look->show_outgoing;
    if (!has_any || mc_session_get_selected(session) == MC_NONE)
        return (mc_references_key){.node = MC_NONE};
    return (mc_references_key){
        .node = mc_session_get_selected(session),
        .selection = settings->selection,
        .step = session->playback.step,
        .incoming = settings->look.show_incoming,
        .outgoing = settings->look.show_outgoing,
        .most = settings->look.most_references,
        .sort_column = settings->sort_column,
        .ascending = settings->sort_ascending,
    };
}

void mc_session_sync_references(mc_session *session) {
    mc_asked *asked = session->asked[MC_QUERY_REFERENCES];
    mc_references_key key = get_key(session);
    if (!mc_asked_want(asked, session->dataset, &key)) return;
    // Those of another structure would be wrong; those of the step before stay until the new ones
    // are there.
    const mc_references_key *found = mc_asked_get_key(asked);
    if (key.node != found->node || !mc_selection_equals(&key.selection, &found->selection)) {
        mc_asked_drop_answer(asked);
        session->hover.row = MC_NONE;
    }
    mc_session_redraw(session);
}

// The link that is under the pointer in the picture.
static uint32_t get_pointed_link(const mc_session *session) {
    const mc_view *view = session->view;
    uint32_t link =
        session->shown && view->kind->pick_reference ? view->kind->pick_reference(view) : MC_NONE;
    return link < mc_session_get_references(session)->links.count
               ? link
               : MC_NONE; // behind them are streets
}

void mc_session_show_partner(mc_session *session, uint32_t row) {
    const mc_references *references = mc_session_get_references(session);
    if (row >= references->links.count) return;
    mc_session_visit(session, references->links.links[references->order[row]].partner);
}

bool mc_session_show_pointed_partner(mc_session *session) {
    uint32_t link = get_pointed_link(session);
    if (link == MC_NONE) return mc_session_show_pointed_street(session);
    mc_session_visit(session, mc_session_get_references(session)->links.links[link].partner);
    return true;
}

void mc_session_show_strongest(mc_session *session, mc_link_direction direction) {
    const mc_links *links = &mc_session_get_references(session)->links;
    const mc_link *strongest = mc_links_get_strongest(links, direction);
    if (strongest) mc_session_visit(session, strongest->partner);
}

static const mc_link *get_row_link(const mc_session *session, uint32_t row) {
    const mc_references *references = mc_session_get_references(session);
    return &references->links.links[references->order[row]];
}

// Without a digit that a table of many has no room for.
static const char *format_share(char out[MC_FORMAT_SIZE], double share) {
    if (share >= 0.1) {
        snprintf(out, MC_FORMAT_SIZE, "%.0f %%", share * 100);
        return out;
    }
    return mc_format_share(out, share);
}

// For the rows that are on the screen; NULL: no field is known.
static const char *describe_field(const mc_session *session, const mc_link *link) {
    const mc_references *references = mc_session_get_references(session);
    mc_text *detail = mc_session_get_text(session);
    const mc_link_field *field = mc_links_get_field(&references->links, link);
    if (!field) return NULL;
    mc_field_append_line(session->trace, field->name, field->is_weak, detail);
    if (link->field_count > 1) mc_text_format(detail, " +%" PRIu32, link->field_count - 1);
    return detail->failed ? NULL : detail->data;
}

// What is at the end of a link that is not its partner.
static const char *get_here(const mc_session *session, const mc_link *link) {
    if (link->from != MC_NONE) return mc_session_get_name(session, link->from);
    const mc_references_key *found = mc_asked_get_key(session->asked[MC_QUERY_REFERENCES]);
    return found->selection.count > 1 ? "the selection" : mc_session_get_name(session, found->node);
}

// The partner; among several that are selected: from one to another.
static const char *name_row(const mc_session *session, const mc_link *link) {
    const char *partner = mc_session_get_name(session, link->partner);
    if (link->from == MC_NONE) return partner;
    mc_text *name = mc_session_get_text(session);
    mc_text_format(name, "%s → %s", get_here(session, link), partner);
    return name->failed ? partner : name->data;
}

static void describe(void *user, uint32_t index, mc_fact_list_row *row) {
    mc_session *session = user;
    const mc_link *link = get_row_link(session, index);
    const mc_references *references = mc_session_get_references(session);
    char text[MC_FORMAT_SIZE];
    row->name = name_row(session, link);
    row->points_in = link->direction == MC_LINK_INCOMING;
    row->points_out = !row->points_in;
    row->lit = references->order[index] == session->hover.link;
    if (link->from == MC_NONE) row->detail = describe_field(session, link);
    bool here_unknown = link->flags & MC_LINK_NODE_UNKNOWN;
    bool there_unknown = link->flags & MC_LINK_PARTNER_UNKNOWN;
    snprintf(row->values[0], sizeof row->values[0], "%.31s",
             here_unknown ? "?" : mc_format_si(text, link->node_objects));
    snprintf(row->values[1], sizeof row->values[1], "%.31s",
             there_unknown ? "?" : mc_format_si(text, link->partner_objects));
    snprintf(row->values[2], sizeof row->values[2], "%.31s",
             here_unknown ? "?" : format_share(text, link->node_share));
}

static void append_end(mc_text *text, uint64_t objects, double share, bool is_unknown,
                       bool is_clamped) {
    char count[MC_FORMAT_SIZE], percent[MC_FORMAT_SIZE];
    if (is_unknown) {
        mc_text_append_string(text, "an unknown number of objects");
        return;
    }
    mc_text_format(text, "%s (%s%s)", mc_format_counted(count, objects, "object"),
                   mc_format_share(percent, share), is_clamped ? ", the input names more" : "");
}

static void describe_more(void *user, uint32_t index, mc_text *text) {
    const mc_session *session = user;
    const mc_link *link = get_row_link(session, index);
    const char *here = get_here(session, link),
               *there = mc_session_get_name(session, link->partner);
    bool is_incoming = link->direction == MC_LINK_INCOMING;
    mc_node_append_path_line(session->trace, link->partner, text);
    mc_text_format(text, is_incoming ? "\nkeeps alive: " : "\nis kept alive: ");
    append_end(text, is_incoming ? link->node_objects : link->partner_objects,
               is_incoming ? link->node_share : link->partner_share,
               link->flags & (is_incoming ? MC_LINK_NODE_UNKNOWN : MC_LINK_PARTNER_UNKNOWN),
               link->flags & (is_incoming ? MC_LINK_NODE_CLAMPED : MC_LINK_PARTNER_CLAMPED));
    mc_text_format(text, " of %s\nby: ", is_incoming ? here : there);
    append_end(text, is_incoming ? link->partner_objects : link->node_objects,
               is_incoming ? link->partner_share : link->node_share,
               link->flags & (is_incoming ? MC_LINK_PARTNER_UNKNOWN : MC_LINK_NODE_UNKNOWN),
               link->flags & (is_incoming ? MC_LINK_PARTNER_CLAMPED : MC_LINK_NODE_CLAMPED));
    mc_text_format(text, " of %s", is_incoming ? there : here);
    if (link->field_count > 0) mc_text_append_string(text, "\nthrough ");
    mc_link_append_fields(session->trace, &mc_session_get_references(session)->links, link, text);
}

// The exact ratio of a frustum's ends, whatever their width on the screen: "1 : 16,000".
static void append_ratio(uint64_t from, uint64_t to, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    uint64_t less = from < to ? from : to, more = from < to ? to : from;
    if (less == 0) return;
    double ratio = (double)more / (double)less;
    if (ratio < 10 && more % less != 0)
        snprintf(text, sizeof text, "%.1f", ratio);
    else
        mc_format_count(text, (uint64_t)(ratio + 0.5));
    mc_text_format(out, from < to ? ", 1 : %s" : ", %s : 1", text);
}

bool mc_session_append_pointed_link(mc_session *session, mc_text *path, mc_text *text) {
    uint32_t link = get_pointed_link(session);
    const mc_references *references = mc_session_get_references(session);
    if (link == MC_NONE) return false;
    const mc_link *l = &references->links.links[link];
    bool is_incoming = l->direction == MC_LINK_INCOMING;
    char from[MC_FORMAT_SIZE], to[MC_FORMAT_SIZE];
    const char *here = get_here(session, l), *there = mc_session_get_name(session, l->partner);
    uint64_t from_objects = is_incoming ? l->partner_objects : l->node_objects;
    uint64_t to_objects = is_incoming ? l->node_objects : l->partner_objects;
    mc_text_format(path, "%s → %s", is_incoming ? there : here, is_incoming ? here : there);
    mc_text_format(text, "%s keep%s %s alive", mc_format_counted(from, from_objects, "object"),
                   from_objects == 1 ? "s" : "", mc_format_count(to, to_objects));
    append_ratio(from_objects, to_objects, text);
    if (l->field_count > 0) mc_text_append_string(text, ", by ");
    mc_link_append_fields(session->trace, &references->links, l, text);
    return true;
}

static const char *get_note(mc_session *session) {
    const mc_references *references = mc_session_get_references(session);
    const mc_links *links = &references->links;
    if (!mc_trace_has_references(session->trace))
        return mc_subject_is_heap(session->trace) ? "This trace has no references: only heap dumps "
                                                    "and recordings with references have them."
                                                  : "This trace has no references.";
    if (mc_session_get_selected(session) == MC_NONE) {
        return "Select a building or a district to see what keeps it alive.";
    }
    const mc_asked *asked = session->asked[MC_QUERY_REFERENCES];
    if (!mc_asked_has_answer(asked))
        return mc_asked_is_looking(asked) ? NULL : "This step's references can't be read.";
    if (!links->has_map[0] && !links->has_map[1]) return "This step has no references recorded.";
    if (references->total_count == 0) return "Nothing references it, and it references nothing.";
    if (!session->settings.look.show_incoming && !session->settings.look.show_outgoing) {
        return "References are hidden.";
    }
    if (links->count == 0) {
        return session->settings.look.show_incoming ? "Nothing keeps it alive."
                                                    : "It keeps nothing alive.";
    }
    mc_text note = {0};
    char shown[MC_FORMAT_SIZE], all[MC_FORMAT_SIZE];
    if (links->count < references->filtered_count) {
        mc_text_format(&note, "The %s strongest of %s. ", mc_format_count(shown, links->count),
                       mc_format_count(all, references->filtered_count));
    }
    if (links->clamped_count > 0) {
        mc_text_format(&note, "The trace names more objects of %s than there are.",
                       mc_format_count(all, links->clamped_count));
    }
    snprintf(session->references.note, sizeof session->references.note, "%s",
             note.data ? note.data : "");
    mc_text_deinit(&note);
    return session->references.note[0] ? session->references.note : NULL;
}

// The link that the pointer is on, in the table or in the picture.
static uint32_t find_lit_link(const mc_session *session) {
    const mc_references *references = mc_session_get_references(session);
    uint32_t row = session->hover.row, count = references->links.count;
    if (row < count) return references->order[row];
    uint32_t pointed = get_pointed_link(session);
    if (pointed != MC_NONE) return pointed;
    uint32_t node = session->hover.node;
    for (uint32_t i = 0; node != MC_NONE && i < count; i++) {
        if (references->links.links[i].partner == node) return i;
    }
    return MC_NONE;
}

void mc_session_fill_references(mc_session *session, mc_fact_references *model) {
    const mc_references *references = mc_session_get_references(session);
    const mc_asked *asked = session->asked[MC_QUERY_REFERENCES];
    const mc_references_key *wanted = mc_asked_get_wanted(asked), *found = mc_asked_get_key(asked);
    session->hover.link = find_lit_link(session);
    model->list = (mc_fact_list){
        .count = references->links.count,
        .describe = describe,
        .describe_more = describe_more,
        .user = session,
        .wanted_row = MC_NONE,
    };
    model->note = get_note(session);
    model->can_filter = references->total_count > 0;
    model->has_details = references->links.has_fields;
    model->is_looking =
        mc_asked_is_looking(asked) && wanted->node != MC_NONE && wanted->node != found->node;
    model->can_go_back = mc_session_can_revisit(session, -1);
    model->can_go_forward = mc_session_can_revisit(session, 1);
}

void mc_session_change_most_references(mc_session *session, bool more) {
    static const uint32_t counts[] = {1, 3, 5, 10, 20, 50, 100, 0};
    size_t count = sizeof counts / sizeof *counts, at = 0;
    uint32_t now = session->settings.look.most_references;
    while (at + 1 < count && counts[at] != now) {
        at++;
    }
    if (more && at + 1 < count) at++;
    if (!more && at > 0) at--;
    if (session->settings.look.most_references == counts[at])
        mc_session_set_status(session, "It goes no further.");
    session->settings.look.most_references = counts[at];
}
