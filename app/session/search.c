#include "app/session/search.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/session/metrics.h"
#include "app/session/selection.h"
#include "app/session/walk.h"
#include "app/session/words.h"
#include "engine/analyze/max_tree.h"
#include "engine/base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PARENTS 6 // in the place of a hit

typedef struct search_task {
    const mc_trace *trace;
    mc_session_search_query query;
    uint32_t *hits;
    uint32_t hit_count, leaf_count;
} search_task;

// What makes searching quick; the thread's.
typedef struct search_index {
    mc_search *search;
    uint32_t *order; // all nodes, the largest at this step first
    uint32_t step;
    mc_max_tree sizes; // by this metric in these steps
    mc_metric metric;
    mc_step_range window;
} search_index;

static void destroy_search(void *context) {
    search_task *task = context;
    mc_free(task->hits);
    mc_free(task);
}

static void destroy_index(void *state) {
    search_index *index = state;
    mc_search_destroy(index->search);
    mc_max_tree_deinit(&index->sizes);
    mc_free(index->order);
    mc_free(index);
}

static mc_result measure_nodes(search_index *index, const search_task *task,
                               const mc_progress *progress, mc_error *error) {
    const mc_session_search_query *query = &task->query;
    bool is_measured = index->sizes.max && index->metric == query->metric &&
                       index->window.first_step == query->window.first_step &&
                       index->window.last_step == query->window.last_step;
    if (is_measured) return MC_OK;
    mc_free(index->order);
    index->order = NULL;
    mc_max_tree_deinit(&index->sizes);
    index->metric = query->metric;
    index->window = query->window;
    return mc_max_tree_compute(&index->sizes, task->trace, query->metric, query->window, progress,
                               error);
}

// All nodes, the largest first: the order in which hits are listed.
static mc_result sort_nodes(search_index *index, const search_task *task, mc_error *error) {
    const mc_session_search_query *query = &task->query;
    uint32_t count = mc_trace_get_nodes(task->trace)->count;
    if (index->order && index->step == query->step) return MC_OK;
    mc_free(index->order);
    index->order = NULL;
    uint64_t *values = mc_alloc(count, sizeof *values);
    uint32_t *order = mc_alloc(count, sizeof *order);
    mc_result result = values && order ? mc_trace_read_column(task->trace, query->step,
                                                              query->metric, values, error)
                                       : mc_error_out_of_memory(error);
    if (result == MC_OK) {
        for (uint32_t i = 0; i < count; i++)
            order[i] = i;
        const mc_search_sizes sizes = {task->trace, values, index->sizes.max};
        mc_search_sort(&sizes, order, count);
        index->order = order;
        index->step = query->step;
    } else {
        mc_free(order);
    }
    mc_free(values);
    return result;
}

static mc_result prepare(search_index *index, const search_task *task, const mc_progress *progress,
                         mc_error *error) {
    mc_result result = measure_nodes(index, task, progress, error);
    if (result == MC_OK) result = sort_nodes(index, task, error);
    if (result == MC_OK && !index->search)
        result = mc_search_create(task->trace, &index->search, error);
    return result;
}

static mc_result run_search(void *context, void **state, const mc_progress *progress,
                            mc_error *error) {
    search_task *task = context;
    const mc_session_search_query *query = &task->query;
    if (!*state) *state = mc_alloc_zero(1, sizeof(search_index));
    if (!*state) return mc_error_out_of_memory(error);
    search_index *index = *state;
    mc_result result = prepare(index, task, progress, error);
    if (result != MC_OK) return result;
    mc_search_result found;
    mc_search_mode mode = query->is_regex ? MC_SEARCH_REGEX : MC_SEARCH_SUBSTRING;
    result = mc_search_find(index->search, query->text, strlen(query->text), mode, progress, &found,
                            error);
    if (result != MC_OK) return result;
    task->hits = mc_alloc(found.own_count > 0 ? found.own_count : 1, sizeof *task->hits);
    if (!task->hits) return mc_error_out_of_memory(error);
    uint32_t node_count = mc_trace_get_nodes(task->trace)->count;
    for (uint32_t i = 0; i < node_count && task->hit_count < found.own_count; i++) {
        uint32_t node = index->order[i];
        if (found.marks[node] & MC_SEARCH_OWN) task->hits[task->hit_count++] = node;
    }
    task->leaf_count = found.leaf_count;
    return MC_OK;
}

// But for the step, which says no more than in what order hits are.
static bool finds_others(const mc_session_search_query *a, const mc_session_search_query *b) {
    return a->is_regex != b->is_regex || strcmp(a->text, b->text) != 0 || a->metric != b->metric ||
           a->window.first_step != b->window.first_step ||
           a->window.last_step != b->window.last_step;
}

static bool queries_differ(const void *first, const void *second) {
    const mc_session_search_query *a = first, *b = second;
    return a->step != b->step || finds_others(a, b);
}

mc_result mc_session_begin_search(mc_session *session, mc_error *error) {
    static const mc_slot_kind kind = {sizeof(mc_session_search_query), queries_differ, run_search,
                                      destroy_search, destroy_index};
    static const mc_session_search_query none;
    session->search.current = session->search.wanted_row = MC_NONE;
    return mc_slot_create(&kind, &none, session->desc->host.wake, &session->search.slot, error);
}

static void drop_hits(mc_session_search *search) {
    mc_free(search->hits);
    search->hits = NULL;
    search->hit_count = search->leaf_count = 0;
    search->current = MC_NONE;
    search->note[0] = '\0';
    search->found = (mc_session_search_query){0};
    search->version++;
}

static void start(mc_session *session, const mc_session_search_query *query) {
    search_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) return;
    task->trace = session->trace;
    task->query = *query;
    mc_slot_start(session->search.slot, session->dataset, task);
}

// Nothing is searched for without a text.
static mc_session_search_query get_query(const mc_session *session) {
    const mc_wish *wish = &session->wish;
    mc_session_search_query query = {.is_regex = wish->search_is_regex};
    if (!session->shown) return query;
    query.metric = session->shown->metric;
    query.window = session->shown->window;
    // While time plays, rows stay where one reads them.
    bool plays = session->playback.playing && session->search.found.text[0];
    if (wish->search_open) snprintf(query.text, sizeof query.text, "%s", wish->search);
    if (query.text[0]) query.step = plays ? session->search.found.step : session->shown_step;
    return query;
}

void mc_session_sync_search(mc_session *session) {
    mc_session_search *search = &session->search;
    mc_session_search_query query = get_query(session);
    bool is_none = query.text[0] == '\0';
    mc_session_search_query before =
        *(const mc_session_search_query *)mc_slot_get_wanted(search->slot);
    if (!mc_slot_want(search->slot, &query)) return;
    if (is_none && search->found.text[0] == '\0') return;
    mc_session_redraw(session);
    if (is_none) {
        search->wanted_move = 0;
        mc_slot_cancel(search->slot);
        drop_hits(search);
    } else {
        // Hits take its place in the picture; at another step they have it already, or not.
        if (finds_others(&query, &before)) mc_session_hide_walk(session);
        start(session, &query);
    }
}

static uint32_t find_row(const mc_session_search *search, uint32_t node) {
    uint32_t row = 0;
    while (row < search->hit_count && search->hits[row] != node)
        row++;
    return row < search->hit_count ? row : MC_NONE;
}

// The same hits in the order of another step: one stays at the hit that one is at.
static void take_order(mc_session_search *search, search_task *task) {
    uint32_t at = search->current != MC_NONE ? search->hits[search->current] : MC_NONE;
    bool is_same = memcmp(search->hits, task->hits, task->hit_count * sizeof *task->hits) == 0;
    mc_free(search->hits);
    search->hits = task->hits;
    search->found.step = task->query.step;
    if (!is_same) search->version++; // the largest are marked
    if (at != MC_NONE) search->current = find_row(search, at);
}

static void take_hits(mc_session_search *search, search_task *task) {
    drop_hits(search);
    search->found = task->query;
    search->hits = task->hits;
    search->hit_count = task->hit_count;
    search->leaf_count = task->leaf_count;
}

void mc_session_take_search(mc_session *session) {
    mc_session_search *search = &session->search;
    mc_error error = {0};
    void *taken;
    mc_slot_outcome outcome = mc_slot_take(search->slot, &taken, &error);
    if (outcome == MC_SLOT_NOTHING) return;
    search_task *task = taken;
    bool is_known = outcome != MC_SLOT_FAILED && search->hits && task->hits &&
                    !finds_others(&search->found, &task->query) &&
                    search->hit_count == task->hit_count;
    if (is_known)
        take_order(search, task);
    else
        take_hits(search, task);
    task->hits = NULL;
    destroy_search(task);
    if (outcome == MC_SLOT_FAILED) snprintf(search->note, sizeof search->note, "%s", error.message);
    mc_session_redraw(session);
    int move = search->wanted_move;
    search->wanted_move = 0;
    mc_session_move_hit(session, move); // or waits on, if more has been typed
}

void mc_session_forget_search(mc_session *session) {
    mc_slot_reset(session->search.slot);
    drop_hits(&session->search);
}

void mc_session_end_search(mc_session *session) {
    mc_slot_destroy(session->search.slot);
    session->search.slot = NULL;
    drop_hits(&session->search);
    for (size_t i = 0; i < MC_SESSION_PLACE_COUNT; i++)
        mc_text_deinit(&session->search.places[i]);
}

// What the first search needs is made ready while one thinks of what to type.
static void warm_up(mc_session *session) {
    mc_session_search_query query = get_query(session);
    if (!session->shown) return;
    mc_slot_want(session->search.slot, &query);
    query.step = session->shown_step;
    start(session, &query);
}

void mc_session_open_search(mc_session *session) {
    if (!session->wish.search_open) warm_up(session);
    session->wish.search_open = true;
    session->wish.panels = true;
    mc_session_focus(session, "search");
    mc_session_redraw(session);
}

bool mc_session_close_search(mc_session *session) {
    if (!session->wish.search_open) return false;
    session->wish.search_open = false;
    mc_session_focus(session, NULL);
    return true;
}

void mc_session_show_hit(mc_session *session, uint32_t row) {
    mc_session_search *search = &session->search;
    if (row >= search->hit_count) return;
    search->current = search->wanted_row = row;
    mc_session_visit(session, search->hits[row]);
}

static bool is_searching(const mc_session *session) {
    const mc_session_search *search = &session->search;
    return mc_slot_is_looking(search->slot) ||
           strcmp(session->wish.search, search->found.text) != 0;
}

// Round and round.
void mc_session_move_hit(mc_session *session, int way) {
    mc_session_search *search = &session->search;
    if (way == 0) return;
    if (is_searching(session)) {
        search->wanted_move = way; // what was typed is more than what was found
        return;
    }
    uint32_t count = search->hit_count, now = search->current;
    if (count == 0) return;
    uint32_t next = way > 0 ? 0 : count - 1;
    if (now != MC_NONE && way > 0) next = now + 1 < count ? now + 1 : 0;
    if (now != MC_NONE && way < 0) next = now > 0 ? now - 1 : count - 1;
    mc_session_show_hit(session, next);
}

// The districts that a node lies in, but for the root: "org › apache › commons". NULL: no others.
static const char *get_place(mc_session *session, uint32_t node) {
    mc_session_search *search = &session->search;
    const mc_node_columns *nodes = mc_trace_get_nodes(session->trace);
    uint32_t parents[MOST_PARENTS], count = 0, at = nodes->parent[node];
    for (; at != MC_NONE && at != 0 && count < MOST_PARENTS; at = nodes->parent[at]) {
        parents[count++] = at;
    }
    mc_text *text = &search->places[search->next_place++ % MC_SESSION_PLACE_COUNT];
    mc_text_clear(text);
    if (at != MC_NONE && at != 0) mc_text_append_string(text, "… › ");
    while (count > 0) {
        mc_text_append_string(text, mc_session_get_name(session, parents[--count]));
        if (count > 0) mc_text_append_string(text, " › ");
    }
    return text->data && text->size > 0 && !text->failed ? text->data : NULL;
}

static void describe(void *user, uint32_t index, mc_fact_list_row *row) {
    mc_session *session = user;
    const mc_session_search *search = &session->search;
    uint32_t node = search->hits[index];
    char text[MC_FORMAT_SIZE];
    uint64_t value = session->node_values[node];
    row->name = mc_session_get_name(session, node);
    row->detail = get_place(session, node);
    row->selected = index == search->current;
    row->lit = session->hovered == node;
    snprintf(row->values[0], sizeof row->values[0], "%.31s",
             mc_format_brief(text, mc_session_get_metric(session), value));
}

static void describe_more(void *user, uint32_t index, char *out, size_t size) {
    const mc_session *session = user;
    mc_text text = {0};
    mc_node_append_path_line(session->trace, session->search.hits[index], &text);
    snprintf(out, size, "%s", text.data && !text.failed ? text.data : "");
    mc_text_deinit(&text);
}

void mc_session_fill_search(mc_session *session, mc_fact_search *model) {
    mc_session_search *search = &session->search;
    char at[MC_FORMAT_SIZE], count[MC_FORMAT_SIZE], leaves[MC_FORMAT_SIZE];
    model->hits = (mc_fact_list){
        .count = search->hit_count,
        .describe = describe,
        .describe_more = describe_more,
        .user = session,
        .wanted_row = search->wanted_row,
    };
    search->wanted_row = MC_NONE;
    const mc_session_search_query *wanted = mc_slot_get_wanted(search->slot);
    model->is_searching = mc_slot_is_looking(search->slot) && finds_others(wanted, &search->found);
    if (wanted->text[0] == '\0') {
        model->note = "Part of a name or of a full key, as Heap#java.util#LinkedList.";
        return;
    }
    if (search->note[0]) {
        model->note = search->note;
        return;
    }
    if (search->hit_count == 0) {
        if (!model->is_searching) model->note = "Nothing has that in its key.";
        return;
    }
    mc_format_count(count, search->hit_count);
    mc_format_count(leaves, search->leaf_count);
    if (search->current != MC_NONE) {
        snprintf(model->counts, sizeof model->counts, "%s of %s",
                 mc_format_count(at, search->current + 1), count);
    } else {
        snprintf(model->counts, sizeof model->counts, "%s %s, %s %s", count,
                 search->hit_count == 1 ? "hit" : "hits", leaves,
                 search->leaf_count == 1 ? "building" : "buildings");
    }
}
