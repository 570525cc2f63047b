#include "app/session/references.h"

#include "app/format.h"
#include "app/link_text.h"
#include "app/node_text.h"
#include "app/session/held.h"
#include "app/session/saying.h"
#include "app/session/selection.h"
#include "app/session/trail.h"
#include "app/session/words.h"
#include "app/subject_text.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct find_task {
    const mc_trace *trace;
    mc_session_reference_query query;
    mc_links links;
    mc_joins joins; // of several
    uint32_t *order;
    uint32_t total_count, filtered_count;
} find_task;

static void destroy_find(void *context) {
    find_task *task = context;
    mc_links_deinit(&task->links);
    mc_joins_deinit(&task->joins);
    mc_free(task->order);
    mc_free(task);
}

static int compare_names(const mc_trace *trace, uint32_t a, uint32_t b) {
    size_t a_size, b_size;
    const char *a_name = mc_trace_get_name(trace, a, &a_size);
    const char *b_name = mc_trace_get_name(trace, b, &b_size);
    int order = memcmp(a_name, b_name, a_size < b_size ? a_size : b_size);
    return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

static int compare_counts(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

static int compare_rows(const void *a, const void *b, void *user) {
    const find_task *task = user;
    uint32_t a_index = *(const uint32_t *)a, b_index = *(const uint32_t *)b;
    const mc_link *x = &task->links.links[a_index], *y = &task->links.links[b_index];
    int order = 0;
    switch ((mc_reference_column)task->query.sort_column) {
    case MC_REFERENCE_PARTNER: order = compare_names(task->trace, x->partner, y->partner); break;
    case MC_REFERENCE_THERE: order = compare_counts(x->partner_objects, y->partner_objects); break;
    default: order = compare_counts(x->node_objects, y->node_objects); break;
    }
    if (order == 0) return (a_index > b_index) - (a_index < b_index); // the stronger one first
    return task->query.ascending ? order : -order;
}

static mc_result find_one(find_task *task, mc_link_finder *finder, uint32_t most, mc_error *error) {
    const mc_session_reference_query *query = &task->query;
    mc_result result = mc_link_finder_find(finder, query->step, query->node, &task->links, error);
    task->total_count = task->links.count;
    if (result != MC_OK) return result;
    mc_links_filter(&task->links, query->incoming, query->outgoing, UINT32_MAX);
    task->filtered_count = task->links.count;
    mc_links_filter(&task->links, true, true, most);
    return result;
}

static mc_result find_group(find_task *task, mc_link_finder *finder, uint32_t most,
                            mc_error *error) {
    const mc_session_reference_query *query = &task->query;
    const mc_selection *selection = &query->selection;
    mc_group_links group = {0};
    mc_result result =
        mc_group_links_find(&group, finder, task->trace, query->step, selection->nodes,
                            selection->count, query->incoming, query->outgoing, most, error);
    if (result == MC_OK) result = mc_joins_make_group(&task->joins, &group, error);
    if (result == MC_OK) {
        task->links = group.links;
        task->total_count = group.total_count;
        task->filtered_count = group.filtered_count;
        group.links = (mc_links){0};
    }
    mc_group_links_deinit(&group);
    return result;
}

static mc_result run_find(void *context, void **state, const mc_progress *progress,
                          mc_error *error) {
    find_task *task = context;
    const mc_session_reference_query *query = &task->query;
    mc_result result = MC_OK;
    mc_link_finder *finder = *state;
    if (!finder) result = mc_link_finder_create(task->trace, &finder, error);
    *state = finder;
    if (result != MC_OK) return result;
    uint32_t most = query->most == 0 ? UINT32_MAX : query->most;
    result = query->selection.count > 1 ? find_group(task, finder, most, error)
                                        : find_one(task, finder, most, error);
    if (result != MC_OK) return result;
    uint32_t count = task->links.count;
    if (!mc_progress_report(progress, 1, 2)) return MC_ERROR_CANCELLED;
    task->order = mc_alloc(count > 0 ? count : 1, sizeof *task->order);
    if (!task->order) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < count; i++) {
        task->order[i] = i;
    }
    qsort_r(task->order, count, sizeof *task->order, compare_rows, task);
    return MC_OK;
}

static bool queries_differ(const void *first, const void *second) {
    const mc_session_reference_query *a = first, *b = second;
    return a->node != b->node || !mc_selection_equals(&a->selection, &b->selection) ||
           a->step != b->step || a->incoming != b->incoming || a->outgoing != b->outgoing ||
           a->ascending != b->ascending || a->most != b->most || a->sort_column != b->sort_column;
}

static void destroy_finder(void *state) {
    mc_link_finder_destroy(state);
}

mc_result mc_session_begin_references(mc_session *session, mc_error *error) {
    static const mc_slot_kind kind = {sizeof(mc_session_reference_query), queries_differ, run_find,
                                      destroy_find, destroy_finder};
    static const mc_session_reference_query none = {.node = MC_NONE};
    mc_session_references *references = &session->references;
    references->found = none;
    references->lit_link = session->lit_row = MC_NONE;
    return mc_slot_create(&kind, &none, session->desc->host.wake, &references->slot, error);
}

static void drop_found(mc_session_references *references) {
    mc_links_deinit(&references->links);
    mc_joins_deinit(&references->joins);
    mc_free(references->order);
    references->order = NULL;
    references->total_count = references->filtered_count = 0;
    references->version++;
    references->found = (mc_session_reference_query){.node = MC_NONE};
}

static mc_session_reference_query get_query(const mc_session *session) {
    const mc_wish *s = &session->wish;
    bool has_any = session->shown && mc_trace_has_references(session->trace);
    if (!has_any || mc_session_get_selected(session) == MC_NONE) {
        return (mc_session_reference_query){.node = MC_NONE};
    }
    return (mc_session_reference_query){
        .node = mc_session_get_selected(session),
        .selection = session->wish.selection,
        .step = session->playback.step,
        .incoming = s->look.show_incoming,
        .outgoing = s->look.show_outgoing,
        .most = s->look.most_references,
        .sort_column = session->wish.sort_column,
        .ascending = session->wish.sort_ascending,
    };
}

void mc_session_sync_references(mc_session *session) {
    mc_session_references *references = &session->references;
    mc_session_reference_query query = get_query(session);
    if (!mc_slot_want(references->slot, &query)) return;
    // Those of another structure would be wrong; those of the step before stay until the new ones
    // are there.
    if (query.node != references->found.node ||
        !mc_selection_equals(&query.selection, &references->found.selection)) {
        drop_found(references);
        session->lit_row = MC_NONE;
    }
    mc_session_redraw(session);
    find_task *task = query.node == MC_NONE ? NULL : mc_alloc_zero(1, sizeof *task);
    if (!task) return;
    task->trace = session->trace;
    task->query = query;
    mc_slot_start(references->slot, session->dataset, task);
}

void mc_session_take_references(mc_session *session) {
    mc_session_references *references = &session->references;
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome = mc_slot_take(references->slot, &taken, &error);
    if (outcome == MC_SLOT_NOTHING) return;
    find_task *task = taken;
    if (outcome == MC_SLOT_FOUND) {
        drop_found(references);
        references->found = task->query;
        references->links = task->links;
        references->joins = task->joins;
        references->order = task->order;
        references->total_count = task->total_count;
        references->filtered_count = task->filtered_count;
        task->links = (mc_links){0};
        task->joins = (mc_joins){0};
        task->order = NULL;
        mc_session_redraw_found(session);
    } else {
        mc_session_set_message(session, error.message);
    }
    destroy_find(task);
}

void mc_session_forget_references(mc_session *session) {
    mc_slot_reset(session->references.slot);
    drop_found(&session->references);
}

void mc_session_end_references(mc_session *session) {
    mc_slot_destroy(session->references.slot);
    session->references.slot = NULL;
    drop_found(&session->references);
    for (uint32_t i = 0; i < MC_SESSION_DETAIL_COUNT; i++)
        mc_text_deinit(&session->references.details[i]);
}

// The link that is under the pointer in the picture.
static uint32_t get_pointed_link(const mc_session *session) {
    const mc_view *view = session->view;
    uint32_t link =
        session->shown && view->kind->pick_reference ? view->kind->pick_reference(view) : MC_NONE;
    return link < session->references.links.count ? link : MC_NONE; // behind them are streets
}

void mc_session_show_partner(mc_session *session, uint32_t row) {
    const mc_session_references *references = &session->references;
    if (row >= references->links.count) return;
    mc_session_visit(session, references->links.links[references->order[row]].partner);
}

bool mc_session_show_pointed_partner(mc_session *session) {
    uint32_t link = get_pointed_link(session);
    if (link == MC_NONE) return mc_session_show_pointed_street(session);
    mc_session_visit(session, session->references.links.links[link].partner);
    return true;
}

void mc_session_show_strongest(mc_session *session, mc_link_direction direction) {
    const mc_links *links = &session->references.links;
    const mc_link *strongest = mc_links_get_strongest(links, direction);
    if (strongest) mc_session_visit(session, strongest->partner);
}

static const mc_link *get_row_link(const mc_session *session, uint32_t row) {
    const mc_session_references *references = &session->references;
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
static const char *describe_field(mc_session *session, const mc_link *link, uint32_t row) {
    mc_session_references *references = &session->references;
    mc_text *detail = &references->details[row % MC_SESSION_DETAIL_COUNT];
    const mc_link_field *field = mc_links_get_field(&references->links, link);
    mc_text_clear(detail);
    if (!field) return NULL;
    mc_field_append_line(session->trace, field->name, field->is_weak, detail);
    if (link->field_count > 1) mc_text_format(detail, " +%" PRIu32, link->field_count - 1);
    return detail->failed ? NULL : detail->data;
}

// What is at the end of a link that is not its partner.
static const char *get_here(const mc_session *session, const mc_link *link) {
    if (link->from != MC_NONE) return mc_session_get_name(session, link->from);
    const mc_session_reference_query *found = &session->references.found;
    return found->selection.count > 1 ? "the selection" : mc_session_get_name(session, found->node);
}

// The partner; among several that are selected: from one to another.
static const char *name_row(mc_session *session, const mc_link *link, uint32_t row) {
    const char *partner = mc_session_get_name(session, link->partner);
    if (link->from == MC_NONE) return partner;
    mc_text *name = &session->references.details[row % MC_SESSION_DETAIL_COUNT];
    mc_text_clear(name);
    mc_text_format(name, "%s → %s", get_here(session, link), partner);
    return name->failed ? partner : name->data;
}

static void describe(void *user, uint32_t index, mc_fact_list_row *row) {
    mc_session *session = user;
    const mc_link *link = get_row_link(session, index);
    const mc_session_references *references = &session->references;
    char text[MC_FORMAT_SIZE];
    row->name = name_row(session, link, index);
    row->points_in = link->direction == MC_LINK_INCOMING;
    row->points_out = !row->points_in;
    row->lit = references->order[index] == references->lit_link;
    if (link->from == MC_NONE) row->detail = describe_field(session, link, index);
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

static void describe_more(void *user, uint32_t index, char *out, size_t size) {
    const mc_session *session = user;
    const mc_link *link = get_row_link(session, index);
    const char *here = get_here(session, link),
               *there = mc_session_get_name(session, link->partner);
    bool is_incoming = link->direction == MC_LINK_INCOMING;
    mc_text text = {0};
    mc_node_append_path_line(session->trace, link->partner, &text);
    mc_text_format(&text, is_incoming ? "\nkeeps alive: " : "\nis kept alive: ");
    append_end(&text, is_incoming ? link->node_objects : link->partner_objects,
               is_incoming ? link->node_share : link->partner_share,
               link->flags & (is_incoming ? MC_LINK_NODE_UNKNOWN : MC_LINK_PARTNER_UNKNOWN),
               link->flags & (is_incoming ? MC_LINK_NODE_CLAMPED : MC_LINK_PARTNER_CLAMPED));
    mc_text_format(&text, " of %s\nby: ", is_incoming ? here : there);
    append_end(&text, is_incoming ? link->partner_objects : link->node_objects,
               is_incoming ? link->partner_share : link->node_share,
               link->flags & (is_incoming ? MC_LINK_PARTNER_UNKNOWN : MC_LINK_NODE_UNKNOWN),
               link->flags & (is_incoming ? MC_LINK_PARTNER_CLAMPED : MC_LINK_NODE_CLAMPED));
    mc_text_format(&text, " of %s", is_incoming ? there : here);
    if (link->field_count > 0) mc_text_append_string(&text, "\nthrough ");
    mc_link_append_fields(session->trace, &session->references.links, link, &text);
    snprintf(out, size, "%s", text.failed || !text.data ? "" : text.data);
    mc_text_deinit(&text);
}

bool mc_session_append_pointed_link(mc_session *session, mc_text *path, mc_text *text) {
    uint32_t link = get_pointed_link(session);
    const mc_session_references *references = &session->references;
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
    if (l->field_count > 0) mc_text_append_string(text, ", by ");
    mc_link_append_fields(session->trace, &references->links, l, text);
    return true;
}

static const char *get_note(mc_session *session) {
    mc_session_references *references = &session->references;
    const mc_links *links = &references->links;
    if (!mc_trace_has_references(session->trace))
        return mc_subject_is_heap(session->trace)
                   ? "This trace has no references: who holds what, heap dumps tell, and what is "
                     "recorded with who holds it."
                   : "This trace has no references.";
    if (mc_session_get_selected(session) == MC_NONE) {
        return "Select a building or a district to see what keeps it alive.";
    }
    if (references->found.node == MC_NONE) return NULL; // on its way
    if (!links->has_map[0] && !links->has_map[1]) return "This step has no references recorded.";
    if (references->total_count == 0) return "Nothing references it, and it references nothing.";
    if (!session->wish.look.show_incoming && !session->wish.look.show_outgoing) {
        return "References are hidden.";
    }
    if (links->count == 0) {
        return session->wish.look.show_incoming ? "Nothing keeps it alive."
                                                : "It keeps nothing alive.";
    }
    mc_text note = {0};
    char shown[MC_FORMAT_SIZE], all[MC_FORMAT_SIZE];
    if (links->count < references->filtered_count) {
        mc_text_format(&note, "The %s strongest of %s. ", mc_format_count(shown, links->count),
                       mc_format_count(all, references->filtered_count));
    }
    if (links->clamped_count > 0) {
        mc_text_format(&note, "Of %s the trace names more objects than there are.",
                       mc_format_count(all, links->clamped_count));
    }
    snprintf(references->note, sizeof references->note, "%s", note.data ? note.data : "");
    mc_text_deinit(&note);
    return references->note[0] ? references->note : NULL;
}

// The link that the pointer is on, in the table or in the picture.
static uint32_t find_lit_link(const mc_session *session) {
    const mc_session_references *references = &session->references;
    uint32_t row = session->lit_row, count = references->links.count;
    if (row < count) return references->order[row];
    uint32_t pointed = get_pointed_link(session);
    if (pointed != MC_NONE) return pointed;
    uint32_t node = session->hovered;
    for (uint32_t i = 0; node != MC_NONE && i < count; i++) {
        if (references->links.links[i].partner == node) return i;
    }
    return MC_NONE;
}

void mc_session_fill_references(mc_session *session, mc_fact_references *model) {
    mc_session_references *references = &session->references;
    references->lit_link = find_lit_link(session);
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
    const mc_session_reference_query *wanted = mc_slot_get_wanted(references->slot);
    model->is_looking = wanted->node != MC_NONE && wanted->node != references->found.node;
    model->can_go_back = mc_session_can_follow_trail(session, -1);
    model->can_go_forward = mc_session_can_follow_trail(session, 1);
}

void mc_session_change_most_references(mc_session *session, bool more) {
    static const uint32_t counts[] = {1, 3, 5, 10, 20, 50, 100, 0};
    size_t count = sizeof counts / sizeof *counts, at = 0;
    uint32_t now = session->wish.look.most_references;
    while (at + 1 < count && counts[at] != now) {
        at++;
    }
    if (more && at + 1 < count) at++;
    if (!more && at > 0) at--;
    if (session->wish.look.most_references == counts[at])
        mc_session_say(session, "It goes no further.");
    session->wish.look.most_references = counts[at];
}
