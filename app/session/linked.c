#include "app/session/linked.h"

#include "app/answers/arrange.h"
#include "app/format.h"
#include "app/node_text.h"
#include "app/session/metrics.h"
#include "app/session/name_cache.h"
#include "engine/base/memory.h"
#include "engine/import/import.h"
#include "engine/trace/regroup/sliding_window.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ROWS_MOST 200
#define FAR_MS 2000 // a step that is farther away than this is told
// A recording that goes on beside the one that is followed is read again when it lags by as much,
// but not more often than this.
#define LAG_MS 500
#define READ_NS UINT64_C(2000000000)

// ---- datasets

static bool has_methods(const mc_dataset *dataset) {
    return mc_trace_has_methods(mc_trace_get_base(dataset->trace));
}

const char *mc_linked_get_grouping(const mc_dataset *dataset) {
    return mc_regrouping_get_usual(dataset->trace);
}

mc_result mc_linked_check(const mc_dataset *a, const mc_dataset *b, mc_error *error) {
    if (has_methods(a) != has_methods(b)) return MC_OK;
    return mc_error_set(error, MC_ERROR_UNSUPPORTED, MC_ERROR_NO_OFFSET,
                        has_methods(a) ? "both traces are of methods; one is to be of a heap"
                                       : "a heap is linked with a trace of methods with their "
                                         "times, as `memcity run --methods sampled` records it");
}

// ---- finding, in the slot's thread

typedef struct linked_task {
    mc_dataset *shown, *linked; // held
    double frame_ms;
    mc_session_linked_query query;
    bool reads_again; // what is linked
    char group_by[MC_SETTINGS_GROUP_SIZE];
    bool of_method, is_by_class;
    uint32_t step;
    uint64_t gap_ms;
    mc_method_link_found found;
} linked_task;

// The tables of names are made once for two traces.
typedef struct linked_state {
    mc_dataset *shown, *linked; // held
    double frame_ms;
    mc_method_link *link;
} linked_state;

static void destroy_task(void *context) {
    linked_task *task = context;
    if (!task) return;
    mc_dataset_release(task->shown);
    mc_dataset_release(task->linked);
    mc_method_link_found_deinit(&task->found);
    mc_free(task);
}

static void destroy_state(void *context) {
    linked_state *state = context;
    if (!state) return;
    mc_method_link_destroy(state->link);
    mc_dataset_release(state->shown);
    mc_dataset_release(state->linked);
    mc_free(state);
}

static mc_result prepare(const linked_task *task, void **kept, mc_error *error) {
    linked_state *state = *kept;
    if (state && state->shown == task->shown && state->linked == task->linked &&
        state->frame_ms == task->frame_ms)
        return MC_OK;
    destroy_state(state);
    *kept = state = mc_alloc_zero(1, sizeof *state);
    if (!state) return mc_error_out_of_memory(error);
    state->shown = mc_dataset_hold(task->shown);
    state->linked = mc_dataset_hold(task->linked);
    state->frame_ms = task->frame_ms;
    const mc_dataset *heap = task->of_method ? task->linked : task->shown;
    const mc_dataset *methods = task->of_method ? task->shown : task->linked;
    mc_result result =
        mc_method_link_create(heap->trace, methods->trace, task->frame_ms, &state->link, error);
    if (result == MC_OK) return MC_OK;
    destroy_state(state);
    *kept = NULL;
    return result;
}

// With the steps that came since. What can't be read stays as it was.
static void read_again(linked_task *task) {
    const mc_form_texts *paths = &task->linked->paths;
    mc_import_desc desc = {.paths = (const char *const *)paths->items,
                           .path_count = paths->count,
                           .is_live = true,
                           .keeps_groups = true};
    mc_trace *trace = NULL;
    mc_grouped grouped = {.dataset = NULL};
    if (mc_import_trace(&desc, &trace, NULL, NULL) != MC_OK) return;
    mc_dataset *read = mc_dataset_create_next(task->linked, trace);
    if (!read) return;
    mc_result result = mc_dataset_arrange(read, task->group_by, task->frame_ms / 1000, NULL, NULL,
                                          NULL, &grouped, NULL);
    if (result == MC_OK) {
        mc_dataset_release(task->linked);
        task->linked = mc_dataset_hold(grouped.dataset ? grouped.dataset : read);
        mc_grouped_deinit(&grouped);
    }
    mc_dataset_release(read);
}

static mc_result run(void *context, void **kept, const mc_progress *progress, mc_error *error) {
    linked_task *task = context;
    if (task->reads_again) read_again(task);
    mc_result result = prepare(task, kept, error);
    if (result != MC_OK) return result;
    mc_method_link *link = ((linked_state *)*kept)->link;
    const mc_selection *nodes = &task->query.nodes;
    uint32_t step = task->query.step;
    task->is_by_class = mc_method_link_get_way(link) == MC_METHOD_LINK_BY_CLASS;
    task->step =
        mc_method_link_find_step(task->shown->trace, step, task->linked->trace, &task->gap_ms);
    result = task->of_method ? mc_method_link_read(link, task->step, step, progress, error)
                             : mc_method_link_read(link, step, task->step, progress, error);
    if (result != MC_OK) return result;
    return task->of_method ? mc_method_link_find_groups(link, nodes->nodes, nodes->count, ROWS_MOST,
                                                        &task->found, error)
                           : mc_method_link_find_methods(link, nodes->nodes, nodes->count,
                                                         ROWS_MOST, &task->found, error);
}

// ---- once a turn

static bool queries_differ(const void *first, const void *second) {
    const mc_session_linked_query *a = first, *b = second;
    return !mc_selection_equals(&a->nodes, &b->nodes) || a->step != b->step ||
           a->trace_version != b->trace_version || a->layout_version != b->layout_version ||
           a->version != b->version || a->read_count != b->read_count;
}

static const mc_session_linked_query none = {.nodes = {.count = 0}};

// What is selected, or else all that is shown.
static mc_selection get_nodes(const mc_session *session) {
    bool is_any = mc_session_get_selected(session) != MC_NONE;
    return is_any ? mc_session_get_outer(session) : mc_selection_of(mc_session_get_focus(session));
}

mc_result mc_session_begin_linked(mc_session *session, mc_error *error) {
    static const mc_slot_kind kind = {sizeof(mc_session_linked_query), queries_differ, run,
                                      destroy_task, destroy_state};
    return mc_slot_create(&kind, &none, session->desc->host.wake, &session->linked.slot, error);
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
    mc_session_linked_query query = none;
    // Where steps come faster than answers, nothing would ever be seen.
    if (session->follow.is_on && mc_slot_is_busy(linked->slot)) return;
    if (session->shown && linked->dataset && session->work.task != MC_SESSION_OPENING) {
        if (is_to_be_read(session)) linked->read_count++;
        query = (mc_session_linked_query){get_nodes(session),     session->counts.step,
                                          session->trace_version, session->layout_version,
                                          linked->version,        linked->read_count};
    }
    const mc_session_linked_query *wanted = mc_slot_get_wanted(linked->slot);
    bool reads_again = query.nodes.count > 0 && query.read_count != wanted->read_count;
    if (!mc_slot_want(linked->slot, &query)) return;
    mc_session_redraw(session);
    linked_task *task = query.nodes.count > 0 ? mc_alloc_zero(1, sizeof *task) : NULL;
    if (!task) return;
    task->shown = mc_dataset_hold(session->dataset);
    task->linked = mc_dataset_hold(linked->dataset);
    task->frame_ms = session->settings.frame_s * 1000;
    task->of_method = mc_session_has_methods(session);
    task->reads_again = reads_again && session->follow.is_on;
    memcpy(task->group_by, linked->group_by, sizeof task->group_by);
    if (task->reads_again) linked->next_read_ns = session->turn.now_ns + READ_NS;
    task->query = query;
    mc_slot_start(linked->slot, session->dataset, task);
}

void mc_session_take_linked(mc_session *session) {
    mc_session_linked *linked = &session->linked;
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome = mc_slot_take(linked->slot, &taken, &error);
    if (outcome == MC_SLOT_NOTHING) return;
    linked_task *task = taken;
    mc_method_link_found_deinit(&linked->found);
    if (outcome == MC_SLOT_FOUND) {
        if (task->linked != linked->dataset) {
            mc_dataset_release(linked->dataset);
            linked->dataset = mc_dataset_hold(task->linked);
        }
        linked->found = task->found;
        task->found = (mc_method_link_found){.unlinked_leaf = MC_NONE};
        linked->is_by_class = task->is_by_class;
        linked->of_method = task->of_method;
        linked->step = task->step;
        linked->gap_ms = task->gap_ms;
    } else {
        mc_session_set_message(session, error.message);
    }
    destroy_task(task);
    mc_session_redraw_found(session);
}

void mc_session_forget_linked(mc_session *session) {
    mc_slot_reset(session->linked.slot);
    mc_method_link_found_deinit(&session->linked.found);
}

void mc_session_end_linked(mc_session *session) {
    mc_session_linked *linked = &session->linked;
    mc_slot_destroy(linked->slot);
    linked->slot = NULL;
    mc_method_link_found_deinit(&linked->found);
    mc_dataset_release(linked->dataset);
    linked->dataset = NULL;
    mc_free(linked->wanted_key);
    linked->wanted_key = NULL;
    mc_text_deinit(&linked->note);
    for (uint32_t i = 0; i < MC_SESSION_DETAIL_COUNT; i++) {
        mc_text_deinit(&linked->names[i]);
        mc_text_deinit(&linked->details[i]);
    }
}

// ---- the list

static double get_share(uint64_t part, uint64_t whole) {
    return whole > 0 ? (double)part / (double)whole : 0;
}

// "18.3 MiB, 12.3 % of the time in the frame, 10.1 % so far" and what is to be known about it.
static void write_note(mc_session *session) {
    mc_session_linked *linked = &session->linked;
    const mc_method_link_found *found = &linked->found;
    mc_text *note = &linked->note;
    char bytes[MC_FORMAT_SIZE], now[MC_FORMAT_SIZE], all[MC_FORMAT_SIZE];
    mc_text_clear(note);
    if (linked->of_method)
        mc_text_format(note, "%s alive; %s of the time, %s so far.",
                       mc_format_bytes(bytes, found->bytes), mc_format_share(now, found->now),
                       mc_format_share(all, found->all));
    else
        mc_text_append_string(note, linked->is_by_class ? "Share of the time so far, and now."
                                                        : "Share of its bytes, and of the time.");
    if (linked->is_by_class)
        mc_text_append_string(note, " The heap knows no allocation sites: these are the methods "
                                    "of its classes, whoever allocates.");
    if (found->unlinked_bytes > 0 && !linked->of_method)
        mc_text_format(note, " %s are of no method that was seen.",
                       mc_format_bytes(bytes, found->unlinked_bytes));
    if (linked->gap_ms > FAR_MS)
        mc_text_format(note, " The nearest step is %.1f s away.", (double)linked->gap_ms / 1000);
}

// A method and below it its class, a type and below it the site.
static void name_row(const mc_session_linked *linked, uint32_t node, mc_text *name,
                     mc_text *detail) {
    const mc_trace *trace = linked->dataset->trace;
    uint32_t parent = mc_trace_get_nodes(trace)->parent[node];
    bool has_parent = parent != MC_NONE && parent != 0;
    bool is_site = linked->of_method && !linked->is_by_class && has_parent;
    mc_node_append_name_line(trace, is_site ? parent : node, name);
    if (is_site)
        mc_node_append_name_line(trace, node, detail);
    else if (has_parent)
        mc_node_append_place_line(trace, parent, detail);
}

static const char *get_text(const mc_text *text) {
    return text->data && !text->failed ? text->data : "";
}

static void describe(void *user, uint32_t index, mc_fact_list_row *row) {
    mc_session *session = user;
    mc_session_linked *linked = &session->linked;
    const mc_method_link_found *found = &linked->found;
    const mc_method_link_row *from = &found->rows[index];
    mc_text *name = &linked->names[linked->next_name % MC_SESSION_DETAIL_COUNT];
    mc_text *detail = &linked->details[linked->next_name++ % MC_SESSION_DETAIL_COUNT];
    char first[MC_FORMAT_SIZE], second[MC_FORMAT_SIZE];
    mc_text_clear(name);
    mc_text_clear(detail);
    if (from->node != MC_NONE) name_row(linked, from->node, name, detail);
    row->name = get_text(name);
    row->detail = get_text(detail);
    if (linked->of_method) {
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

static void describe_more(void *user, uint32_t index, char *out, size_t size) {
    mc_session *session = user;
    const mc_session_linked *linked = &session->linked;
    const mc_method_link_row *row = &linked->found.rows[index];
    char number[MC_FORMAT_SIZE];
    mc_text text = {0};
    if (row->node != MC_NONE) mc_node_append_path_line(linked->dataset->trace, row->node, &text);
    mc_text_format(&text, "\n%s", mc_format_bytes(number, row->bytes));
    mc_text_format(&text, " in %s", mc_format_counted(number, row->objects, "object"));
    if (!linked->is_by_class)
        mc_text_format(&text, ", %s by lines of the method itself",
                       mc_format_share(number, get_share(row->direct_bytes, row->bytes)));
    if (linked->of_method) {
        mc_text_format(&text, "\n%s of this group",
                       mc_format_share(number, get_share(row->bytes, row->whole_bytes)));
    } else {
        if (!linked->is_by_class)
            mc_text_format(&text, "\nof %s alive that it allocated",
                           mc_format_bytes(number, row->whole_bytes));
        mc_text_format(&text, "\n%s of the time in the frame", mc_format_share(number, row->now));
        mc_text_format(&text, ", %s so far", mc_format_share(number, row->all));
    }
    if (row->namesakes > 0)
        mc_text_format(&text, "\nand %s",
                       mc_format_counted(number, row->namesakes, "method of its name"));
    snprintf(out, size, "%s", text.data && !text.failed ? text.data : "");
    mc_text_deinit(&text);
}

void mc_session_fill_linked(mc_session *session, mc_fact_linked *model) {
    mc_session_linked *linked = &session->linked;
    *model = (mc_fact_linked){.is_there = linked->dataset != NULL};
    if (!model->is_there) return;
    write_note(session);
    model->title =
        mc_session_has_methods(session) ? "Alive of what it allocated" : "Methods that allocate it";
    model->is_looking = mc_slot_is_looking(linked->slot);
    model->note = get_text(&linked->note);
    model->list = (mc_fact_list){.count = linked->found.count,
                                 .describe = describe,
                                 .describe_more = describe_more,
                                 .user = session,
                                 .wanted_row = MC_NONE};
}

void mc_session_append_linked_state(const mc_session *session, mc_text *out) {
    const mc_session_linked *linked = &session->linked;
    const mc_method_link_found *found = &linked->found;
    char share[MC_FORMAT_SIZE];
    if (!linked->dataset) {
        mc_text_append_string(out, ",\"linked\":null");
        return;
    }
    const char *name = linked->dataset->name ? linked->dataset->name : "";
    mc_text_append_string(out, ",\"linked\":");
    mc_format_append_json(out, name, strlen(name));
    mc_text_format(out,
                   ",\"linked_by\":\"%s\",\"linked_step\":%" PRIu32 ",\"linked_rows\":%" PRIu32
                   ",\"linked_bytes\":%" PRIu64 ",\"linked_first\":",
                   linked->is_by_class ? "class" : "site", linked->step, found->count,
                   found->bytes);
    if (found->count > 0 && found->rows[0].node != MC_NONE)
        mc_node_append_key_json(linked->dataset->trace, found->rows[0].node, out);
    else
        mc_text_append_string(out, "null");
    mc_text_format(out, ",\"linked_time\":\"%s\"",
                   found->count > 0 ? mc_format_share(share, found->rows[0].now) : "");
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
