#include "app/session/search.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/session/metrics.h"
#include "app/session/name_cache.h"
#include "app/session/pairing.h"
#include "app/session/selection.h"
#include "app/session/tables.h"
#include "app/session/walk.h"
#include <stdio.h>
#include <string.h>

#define MOST_PARENTS 6 // in the place of a hit

_Static_assert(MC_HITS_TEXT_SIZE == MC_SETTINGS_SEARCH_SIZE, "the settings' text fits into a key");

static void drop_hits(mc_session *session) {
    mc_session_search *search = &session->search;
    search->current = search->at_node = MC_NONE;
    search->note[0] = '\0';
    search->found = (mc_hits_key){.step = 0};
    search->version++;
}

// Nothing is searched for without a text, but what the first search needs is made ready while one
// thinks of what to type.
static mc_hits_key get_key(const mc_session *session) {
    const mc_settings *settings = &session->settings;
    mc_hits_key key = {.is_regex = false};
    if (!session->shown || !settings->search_open) return key;
    memcpy(key.text, settings->search, sizeof key.text);
    key.is_regex = settings->search_is_regex;
    key.metric = mc_session_get_told_metric(session, session->shown->metric);
    key.window = session->shown->window;
    // While time plays, rows stay where one reads them.
    bool plays = session->playback.playing && session->search.found.text[0];
    key.step = plays ? session->search.found.step : session->counts.step;
    if (mc_session_is_pictured(session)) key.step = key.window.last_step;
    return key;
}

void mc_session_sync_search(mc_session *session) {
    mc_session_search *search = &session->search;
    mc_asked *asked = session->asked[MC_QUERY_SEARCH];
    mc_hits_key key = get_key(session), before = *(const mc_hits_key *)mc_asked_get_wanted(asked);
    if (!mc_asked_want(asked, session->dataset, &key)) return;
    if (key.text[0]) {
        // Hits take its place in the picture; at another step they have it already, or not.
        if (mc_hits_keys_find_others(&key, &before)) mc_session_hide_walk(session);
        mc_session_redraw(session);
    } else if (before.text[0] || search->found.text[0]) {
        search->wanted_move = 0;
        mc_asked_drop_answer(asked);
        drop_hits(session);
        mc_session_redraw(session);
    }
}

static uint32_t find_row(const mc_hits *hits, uint32_t node) {
    uint32_t row = 0;
    while (row < hits->count && hits->nodes[row] != node)
        row++;
    return row < hits->count ? row : MC_NONE;
}

// The same hits in the order of another step: one stays at the hit that one is at.
void mc_session_take_search(mc_session *session, const mc_error *error) {
    mc_session_search *search = &session->search;
    mc_asked *asked = session->asked[MC_QUERY_SEARCH];
    const mc_hits_key *key = mc_asked_get_key(asked);
    if (error) mc_asked_drop_answer(asked);
    if (error) key = mc_asked_get_wanted(asked);
    bool is_same =
        !error && search->found.text[0] && !mc_hits_keys_find_others(&search->found, key);
    uint32_t at_node = is_same ? search->at_node : MC_NONE;
    if (!is_same) drop_hits(session);
    if (error) snprintf(search->note, sizeof search->note, "%s", error->message);
    search->found = *key;
    search->version++; // the largest are marked
    search->at_node = at_node;
    search->current =
        at_node != MC_NONE ? find_row(mc_session_get_hits(session), at_node) : MC_NONE;
    mc_session_redraw(session);
    int move = search->wanted_move;
    search->wanted_move = 0;
    mc_session_move_hit(session, move); // or waits on, if more has been typed
}

void mc_session_forget_search(mc_session *session) {
    drop_hits(session);
}

void mc_session_open_search(mc_session *session) {
    session->settings.search_open = true;
    session->settings.panels = true;
    mc_session_focus(session, "search");
    mc_session_redraw(session);
}

bool mc_session_close_search(mc_session *session) {
    if (!session->settings.search_open) return false;
    session->settings.search_open = false;
    mc_session_focus(session, NULL);
    return true;
}

void mc_session_show_hit(mc_session *session, uint32_t row) {
    mc_session_search *search = &session->search;
    const mc_hits *hits = mc_session_get_hits(session);
    if (row >= hits->count) return;
    search->current = search->wanted_row = row;
    search->at_node = hits->nodes[row];
    mc_session_visit(session, search->at_node);
}

static bool is_searching(const mc_session *session) {
    const mc_asked *asked = session->asked[MC_QUERY_SEARCH];
    const mc_hits_key *wanted = mc_asked_get_wanted(asked);
    return mc_asked_is_looking(asked) || strcmp(session->settings.search, wanted->text) != 0;
}

// Round and round.
void mc_session_move_hit(mc_session *session, int way) {
    mc_session_search *search = &session->search;
    if (way == 0) return;
    if (is_searching(session)) {
        search->wanted_move = way; // what was typed is more than what was found
        return;
    }
    uint32_t count = mc_session_get_hits(session)->count, now = search->current;
    if (count == 0) return;
    uint32_t next = way > 0 ? 0 : count - 1;
    if (now != MC_NONE && way > 0) next = now + 1 < count ? now + 1 : 0;
    if (now != MC_NONE && way < 0) next = now > 0 ? now - 1 : count - 1;
    mc_session_show_hit(session, next);
}

// The districts that a node lies in, but for the root: "org › apache › commons". NULL: no others.
static const char *get_place(const mc_session *session, uint32_t node) {
    const mc_node_columns *nodes = mc_trace_get_nodes(session->trace);
    uint32_t parents[MOST_PARENTS], count = 0, at = nodes->parent[node];
    for (; at != MC_NONE && at != 0 && count < MOST_PARENTS; at = nodes->parent[at]) {
        parents[count++] = at;
    }
    mc_text *text = mc_session_get_text(session);
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
    uint32_t node = mc_session_get_hits(session)->nodes[index];
    char text[MC_FORMAT_SIZE];
    uint64_t value = mc_session_get_told_value(session, node);
    row->name = mc_session_get_name(session, node);
    row->detail = get_place(session, node);
    row->selected = index == search->current;
    row->lit = session->hover.node == node;
    snprintf(row->values[0], sizeof row->values[0], "%.31s",
             mc_format_brief(text, mc_session_get_metric(session), value));
}

static void describe_more(void *user, uint32_t index, mc_text *text) {
    const mc_session *session = user;
    mc_node_append_path_line(session->trace, mc_session_get_hits(session)->nodes[index], text);
}

void mc_session_fill_search(mc_session *session, mc_fact_search *model) {
    mc_session_search *search = &session->search;
    const mc_hits *hits = mc_session_get_hits(session);
    const mc_asked *asked = session->asked[MC_QUERY_SEARCH];
    const mc_hits_key *wanted = mc_asked_get_wanted(asked);
    char at[MC_FORMAT_SIZE], count[MC_FORMAT_SIZE], leaves[MC_FORMAT_SIZE];
    model->hits = (mc_fact_list){
        .count = hits->count,
        .describe = describe,
        .describe_more = describe_more,
        .user = session,
        .wanted_row = search->wanted_row,
    };
    search->wanted_row = MC_NONE;
    model->is_searching =
        mc_asked_is_looking(asked) && mc_hits_keys_find_others(wanted, &search->found);
    if (wanted->text[0] == '\0') {
        model->note = "Part of a name or of a full key, as Heap#java.util#LinkedList.";
        return;
    }
    if (search->note[0]) {
        model->note = search->note;
        return;
    }
    if (hits->count == 0) {
        if (!model->is_searching) model->note = "Nothing has that in its key.";
        return;
    }
    mc_format_count(count, hits->count);
    mc_format_count(leaves, hits->leaf_count);
    if (search->current != MC_NONE) {
        snprintf(model->counts, sizeof model->counts, "%s of %s",
                 mc_format_count(at, search->current + 1), count);
    } else {
        snprintf(model->counts, sizeof model->counts, "%s %s, %s %s", count,
                 hits->count == 1 ? "hit" : "hits", leaves,
                 hits->leaf_count == 1 ? "building" : "buildings");
    }
}
