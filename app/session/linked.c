#include "app/session/linked.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/session/metrics.h"
#include "app/session/name_cache.h"
#include "engine/base/memory.h"
#include <stdio.h>
#include <string.h>

#define FAR_MS 2000 // a step that is farther away than this is told
// A recording that goes on beside the one that is followed is read again when it lags by as much,
// but not more often than this.
#define LAG_MS 500
#define READ_NS UINT64_C(2000000000)

// ---- the query

// What is selected, or else all that is shown.
static mc_selection get_nodes(const mc_session *session) {
    bool is_any = mc_session_get_selected(session) != MC_NONE;
    return is_any ? mc_session_get_outer(session) : mc_selection_of(mc_session_get_focus(session));
}

// What is linked goes on, too, and is behind.
static bool is_to_be_read(const mc_session *session) {
    const mc_session_linked *linked = &session->linked;
    const mc_trace *trace = linked->dataset->trace;
    if (!session->follow.is_on || session->turn.now_ns < linked->next_read_ns) return false;
    int64_t shown_ms = mc_trace_get_step(session->trace, session->counts.step)->time_ms;
    int64_t last_ms = mc_trace_get_step(trace, mc_trace_get_step_count(trace) - 1)->time_ms;
    return shown_ms - LAG_MS > last_ms;
}

void mc_session_sync_linked(mc_session *session) {
    mc_session_linked *linked = &session->linked;
    mc_asked *asked = session->asked[MC_QUERY_LINKED];
    mc_linked_key key = {.step = 0};
    // Where steps come faster than answers, nothing would ever be seen.
    if (session->follow.is_on && mc_asked_is_busy(asked)) return;
    if (session->shown && linked->dataset && session->work.task != MC_SESSION_OPENING) {
        const mc_linked_key *wanted = mc_asked_get_wanted(asked);
        if (is_to_be_read(session)) linked->read_count++;
        key = (mc_linked_key){.nodes = get_nodes(session),
                              .step = session->counts.step,
                              .numbering = session->dataset->numbering,
                              .version = linked->version,
                              .of_method = mc_session_has_methods(session),
                              .frame_ms = session->settings.frame_s * 1000,
                              .read_count = linked->read_count,
                              .reads_again = session->follow.is_on &&
                                             linked->read_count != wanted->read_count};
        memcpy(key.group_by, linked->group_by, sizeof key.group_by);
    }
    if (!mc_asked_want_so(asked, &(mc_asked_request){session->dataset, linked->dataset, false},
                          &key))
        return;
    if (key.reads_again) linked->next_read_ns = session->turn.now_ns + READ_NS;
    mc_session_redraw(session);
}

void mc_session_take_linked(mc_session *session, const mc_error *error) {
    mc_session_linked *linked = &session->linked;
    if (error) {
        mc_asked_drop_answer(session->asked[MC_QUERY_LINKED]);
        mc_session_set_message(session, error->message);
    } else {
        mc_dataset *before = linked->dataset;
        linked->dataset = mc_dataset_hold(mc_session_get_linked(session)->dataset);
        mc_dataset_release(before);
    }
    mc_session_redraw_found(session);
}

void mc_session_end_linked(mc_session *session) {
    mc_session_linked *linked = &session->linked;
    mc_dataset_release(linked->dataset);
    mc_free(linked->wanted_key);
}

// ---- the list

// Whether the selection is a method, and the rows are groups of the heap.
static bool is_of_method(const mc_session *session) {
    const mc_linked_key *key = mc_asked_get_key(session->asked[MC_QUERY_LINKED]);
    return key->of_method;
}

static double get_share(uint64_t part, uint64_t whole) {
    return whole > 0 ? (double)part / (double)whole : 0;
}

// "18.3 MiB, 12.3 % of the time in the frame, 10.1 % so far" and what is to be known about it.
static const char *write_note(const mc_session *session) {
    const mc_linked *linked = mc_session_get_linked(session);
    const mc_method_link_found *found = &linked->found;
    mc_text *note = mc_session_get_text(session);
    char bytes[MC_FORMAT_SIZE], now[MC_FORMAT_SIZE], all[MC_FORMAT_SIZE];
    if (is_of_method(session))
        mc_text_format(note, "%s alive; %s of the time, %s so far.",
                       mc_format_bytes(bytes, found->bytes), mc_format_share(now, found->now),
                       mc_format_share(all, found->all));
    else
        mc_text_append_string(note, linked->is_by_class ? "Share of the time so far, and now."
                                                        : "Share of its bytes, and of the time.");
    if (linked->is_by_class)
        mc_text_append_string(note, " The heap knows no allocation sites: these are the methods "
                                    "of its classes, whoever allocates.");
    if (found->unlinked_bytes > 0 && !is_of_method(session))
        mc_text_format(note, " %s belong to no recorded method.",
                       mc_format_bytes(bytes, found->unlinked_bytes));
    if (linked->gap_ms > FAR_MS)
        mc_text_format(note, " The nearest step is %.1f s away.", (double)linked->gap_ms / 1000);
    return mc_text_get(note);
}

// A method and below it its class, a type and below it the site.
static void name_row(const mc_session *session, uint32_t node, mc_text *name, mc_text *detail) {
    const mc_linked *linked = mc_session_get_linked(session);
    const mc_trace *trace = linked->dataset->trace;
    uint32_t parent = mc_trace_get_nodes(trace)->parent[node];
    bool has_parent = parent != MC_NONE && parent != 0;
    bool is_site = is_of_method(session) && !linked->is_by_class && has_parent;
    mc_node_append_name_line(trace, is_site ? parent : node, name);
    if (is_site)
        mc_node_append_name_line(trace, node, detail);
    else if (has_parent)
        mc_node_append_place_line(trace, parent, detail);
}

static void describe(void *user, uint32_t index, mc_fact_list_row *row) {
    mc_session *session = user;
    const mc_linked *linked = mc_session_get_linked(session);
    const mc_method_link_found *found = &linked->found;
    const mc_method_link_row *from = &found->rows[index];
    mc_text *name = mc_session_get_text(session), *detail = mc_session_get_text(session);
    char first[MC_FORMAT_SIZE], second[MC_FORMAT_SIZE];
    if (from->node != MC_NONE) name_row(session, from->node, name, detail);
    row->name = mc_text_get(name);
    row->detail = mc_text_get(detail);
    if (is_of_method(session)) {
        mc_format_bytes(first, from->bytes);
        mc_format_share(second, get_share(from->bytes, from->whole_bytes));
    } else {
        mc_format_share(first, linked->is_by_class
                                   ? from->all
                                   : get_share(from->bytes, found->bytes + found->unlinked_bytes));
        mc_format_share(second, from->now);
    }
    snprintf(row->values[1], sizeof row->values[1], "%.31s", second);
    snprintf(row->values[0], sizeof row->values[0], "%.31s", first);
}

static void describe_more(void *user, uint32_t index, mc_text *text) {
    const mc_session *session = user;
    const mc_linked *linked = mc_session_get_linked(session);
    const mc_method_link_row *row = &linked->found.rows[index];
    char number[MC_FORMAT_SIZE];
    if (row->node != MC_NONE) mc_node_append_path_line(linked->dataset->trace, row->node, text);
    mc_text_format(text, "\n%s", mc_format_bytes(number, row->bytes));
    mc_text_format(text, " in %s", mc_format_counted(number, row->objects, "object"));
    if (!linked->is_by_class)
        mc_text_format(text, ", %s by lines of the method itself",
                       mc_format_share(number, get_share(row->direct_bytes, row->bytes)));
    if (is_of_method(session)) {
        mc_text_format(text, "\n%s of this group",
                       mc_format_share(number, get_share(row->bytes, row->whole_bytes)));
    } else {
        if (!linked->is_by_class)
            mc_text_format(text, "\nof %s alive that it allocated",
                           mc_format_bytes(number, row->whole_bytes));
        mc_text_format(text, "\n%s of the time in the frame", mc_format_share(number, row->now));
        mc_text_format(text, ", %s so far", mc_format_share(number, row->all));
    }
    if (row->namesakes > 0)
        mc_text_format(text, "\nand %s",
                       mc_format_counted(number, row->namesakes, "method of its name"));
}

void mc_session_fill_linked(mc_session *session, mc_fact_linked *model) {
    mc_session_linked *linked = &session->linked;
    *model = (mc_fact_linked){.is_there = linked->dataset != NULL};
    if (!model->is_there) return;
    model->title =
        mc_session_has_methods(session) ? "Alive of what it allocated" : "Methods that allocate it";
    model->is_looking = mc_asked_is_looking(session->asked[MC_QUERY_LINKED]);
    model->note = write_note(session);
    model->list = (mc_fact_list){.count = mc_session_get_linked(session)->found.count,
                                 .describe = describe,
                                 .describe_more = describe_more,
                                 .user = session,
                                 .wanted_row = MC_NONE};
}

void mc_session_put_linked_state(const mc_session *session, mc_print *print) {
    const mc_dataset *dataset = session->linked.dataset;
    const mc_linked *linked = mc_session_get_linked(session);
    const mc_method_link_found *found = &linked->found;
    char share[MC_FORMAT_SIZE];
    if (!dataset) {
        mc_print_put(print, "linked", mc_cell_null());
        return;
    }
    MC_PRINT(print, {"linked", mc_cell_text(dataset->name ? dataset->name : "")},
             {"linked_by", mc_cell_text(linked->is_by_class ? "class" : "site")},
             {"linked_step", mc_cell_count(linked->step)},
             {"linked_rows", mc_cell_count(found->count)},
             {"linked_bytes", mc_cell_count(found->bytes)},
             {"linked_first", found->count > 0
                                  ? mc_cell_node(linked->dataset->trace, found->rows[0].node)
                                  : mc_cell_null()},
             {"linked_time",
              mc_cell_text(found->count > 0 ? mc_format_share(share, found->rows[0].now) : "")});
}

// ---- which one it is

void mc_session_adopt_linked(mc_session *session, mc_dataset *dataset,
                             const mc_layout_options *layout, const char *group_by) {
    mc_session_linked *linked = &session->linked;
    mc_dataset *before = linked->dataset;
    linked->dataset = dataset ? mc_dataset_hold(dataset) : NULL;
    mc_dataset_release(before);
    linked->version++;
    linked->layout = layout ? *layout : mc_layout_options_default();
    const char *list = group_by ? group_by : dataset ? mc_linked_get_grouping(dataset) : "";
    (void)mc_form_set_name(linked->group_by, sizeof linked->group_by, list);
}

void mc_session_want_moment(mc_session *session, const mc_trace *trace, uint32_t node) {
    mc_session_linked *linked = &session->linked;
    mc_text key = {0};
    mc_free(linked->wanted_key);
    linked->wanted_key = NULL;
    if (node != MC_NONE) mc_trace_append_full_key(trace, node, &key);
    if (key.data && !key.failed) linked->wanted_key = mc_copy_string(key.data);
    mc_text_deinit(&key);
    linked->wanted_ms = mc_trace_get_step(session->trace, session->playback.step)->time_ms;
    linked->wants_last =
        session->follow.is_on && session->playback.step == session->playback.last_step;
    linked->is_changing = true;
    linked->has_goal = false;
}
