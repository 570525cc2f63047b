#include "app/session/search.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/session/selection.h"
#include "app/session/walk.h"
#include "app/session/words.h"
#include "engine/base/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PARENTS 6 // in the place of a hit

// A search in the background. The index is the view's: only the tasks' thread uses it.
typedef struct search_task {
    const mc_trace *trace;
    const mc_city *city;
    mc_session_search_index *index;
    mc_session_search_query query;
    uint32_t *hits;
    uint32_t hit_count, leaf_count;
} search_task;

static void destroy_search(void *context) {
    search_task *task = context;
    mc_free(task->hits);
    mc_free(task);
}

static int compare_sizes(const void *a, const void *b, void *user) {
    const uint64_t *sizes = user;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    if (sizes[x] != sizes[y]) return sizes[x] < sizes[y] ? 1 : -1;
    return (x > y) - (x < y); // a district before what is in it
}

// All nodes, the largest plots first: the order in which hits are listed.
static mc_result sort_nodes(const search_task *task, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(task->trace);
    const mc_city *city = task->city;
    uint64_t *sizes = mc_alloc_zero(nodes->count, sizeof *sizes);
    uint32_t *order = mc_alloc(nodes->count, sizeof *order);
    if (!sizes || !order) {
        mc_free(sizes);
        mc_free(order);
        return mc_error_out_of_memory(error);
    }
    for (uint32_t i = 0; i < city->building_count; i++) {
        sizes[city->building_node[i]] = city->building_max[i];
    }
    for (uint32_t i = nodes->count; i-- > 1;) {
        uint64_t *parent = &sizes[nodes->parent[i]];
        *parent = sizes[i] < UINT64_MAX - *parent ? *parent + sizes[i] : UINT64_MAX;
    }
    for (uint32_t i = 0; i < nodes->count; i++) {
        order[i] = i;
    }
    qsort_r(order, nodes->count, sizeof *order, compare_sizes, sizes);
    mc_free(sizes);
    task->index->order = order;
    return MC_OK;
}

static mc_result run_search(void *context, const mc_progress *progress, mc_error *error) {
    search_task *task = context;
    mc_session_search_index *index = task->index;
    const mc_session_search_query *query = &task->query;
    mc_result result = MC_OK;
    if (!index->order) result = sort_nodes(task, error);
    if (result == MC_OK && !index->search) {
        result = mc_search_create(task->trace, &index->search, error);
    }
    if (result != MC_OK) return result;
    mc_search_result found;
    mc_search_mode mode = query->is_regex ? MC_SEARCH_REGEX : MC_SEARCH_SUBSTRING;
    result = mc_search_find(index->search, query->text, strlen(query->text), mode, progress, &found,
                            error);
    if (result != MC_OK) return result;
    task->hits = mc_alloc(found.own_count > 0 ? found.own_count : 1, sizeof *task->hits);
    if (!task->hits) return mc_error_out_of_memory(error);
    uint32_t node_count = mc_trace_get_nodes(task->trace)->count;
    for (uint32_t i = 0; index->order && i < node_count && task->hit_count < found.own_count; i++) {
        uint32_t node = index->order[i];
        if (found.marks[node] & MC_SEARCH_OWN) task->hits[task->hit_count++] = node;
    }
    task->leaf_count = found.leaf_count;
    return MC_OK;
}

static bool queries_differ(const mc_session_search_query *a, const mc_session_search_query *b) {
    return a->is_regex != b->is_regex || strcmp(a->text, b->text) != 0;
}

static void drop_hits(mc_session_search *search) {
    mc_free(search->hits);
    search->hits = NULL;
    search->hit_count = search->leaf_count = 0;
    search->current = MC_NONE;
    search->note[0] = '\0';
    search->found = (mc_session_search_query){0};
    search->changed = true;
}

void mc_session_sync_search(mc_session *session) {
    mc_session_search *search = &session->search;
    const mc_wish *wish = &session->wish;
    mc_session_search_query query = {.is_regex = wish->search_is_regex};
    if (session->city && wish->search_open) {
        snprintf(query.text, sizeof query.text, "%s", wish->search);
    }
    if (!queries_differ(&query, &search->wanted)) return;
    search->wanted = query;
    mc_session_redraw(session);
    if (query.text[0] == '\0') {
        search->wanted_move = 0;
    } else {
        mc_session_hide_walk(session); // hits take its place in the picture
    }
    if (query.text[0] == '\0') {
        mc_job_cancel(search->job);
        drop_hits(search);
        return;
    }
    search_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) return;
    task->trace = session->trace;
    task->city = session->city;
    task->index = &search->index;
    task->query = query;
    mc_job_start(search->job, (mc_job_task){run_search, destroy_search, task});
}

void mc_session_take_search(mc_session *session) {
    mc_session_search *search = &session->search;
    mc_job_outcome outcome;
    if (!mc_job_take(search->job, &outcome)) return;
    search_task *task = outcome.context;
    if (outcome.result != MC_ERROR_CANCELLED && !queries_differ(&task->query, &search->wanted)) {
        drop_hits(search);
        search->found = task->query;
        search->hits = task->hits;
        search->hit_count = task->hit_count;
        search->leaf_count = task->leaf_count;
        task->hits = NULL;
        if (outcome.result != MC_OK) {
            snprintf(search->note, sizeof search->note, "%s", outcome.error.message);
        }
        mc_session_redraw(session);
        int move = search->wanted_move;
        search->wanted_move = 0;
        mc_session_move_hit(session, move); // or waits on, if more has been typed
    }
    destroy_search(task);
}

void mc_session_end_search(mc_session *session) {
    mc_session_search *search = &session->search;
    mc_job_destroy(search->job);
    search->job = NULL;
    mc_search_destroy(search->index.search);
    mc_free(search->index.order);
    search->index = (mc_session_search_index){0};
    drop_hits(search);
    search->wanted = search->found;
}

// What the first search needs is made ready while one thinks of what to type.
static void warm_up(mc_session *session) {
    mc_session_search *search = &session->search;
    search_task *task = session->city ? mc_alloc_zero(1, sizeof *task) : NULL;
    if (!task) return;
    task->trace = session->trace;
    task->city = session->city;
    task->index = &search->index;
    task->query = search->wanted;
    mc_job_start(search->job, (mc_job_task){run_search, destroy_search, task});
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
    return queries_differ(&search->wanted, &search->found) ||
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

static void describe(void *user, uint32_t index, mc_ui_list_row *row) {
    mc_session *session = user;
    const mc_session_search *search = &session->search;
    uint32_t node = search->hits[index];
    char text[MC_FORMAT_SIZE];
    bool in_bytes = session->city->desc.metric == MC_METRIC_BYTES;
    uint64_t value = session->node_values[node];
    row->name = mc_session_get_name(session, node);
    row->detail = get_place(session, node);
    row->selected = index == search->current;
    row->lit = mc_city_get_node(session->city, session->hovered) == node;
    snprintf(row->values[0], sizeof row->values[0], "%.31s",
             in_bytes ? mc_format_bytes(text, value) : mc_format_si(text, value));
}

static void describe_more(void *user, uint32_t index, char *out, size_t size) {
    const mc_session *session = user;
    mc_text text = {0};
    mc_node_append_path_line(session->trace, session->search.hits[index], &text);
    snprintf(out, size, "%s", text.data && !text.failed ? text.data : "");
    mc_text_deinit(&text);
}

void mc_session_fill_search(mc_session *session, mc_ui_search *model) {
    mc_session_search *search = &session->search;
    char at[MC_FORMAT_SIZE], count[MC_FORMAT_SIZE], leaves[MC_FORMAT_SIZE];
    model->hits = (mc_ui_list){
        .count = search->hit_count,
        .describe = describe,
        .describe_more = describe_more,
        .user = session,
        .wanted_row = search->wanted_row,
    };
    search->wanted_row = MC_NONE;
    model->is_searching = queries_differ(&search->wanted, &search->found);
    if (search->wanted.text[0] == '\0') {
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
