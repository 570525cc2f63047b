#include "app/window/finder.h"

#include "app/node_text.h"
#include "app/session/action_words.h"
#include "app/session/available.h"
#include "engine/analyze/search.h"
#include <string.h>

#define SLICE 200000 // nodes looked at in a frame
#define RANKS 3      // of commands that are found

static void add(mc_finder *finder, mc_action_id action, uint32_t number) {
    if (finder->count < MC_FINDER_CAPACITY)
        finder->rows[finder->count++] = (mc_finder_row){action, number};
}

// What the dialog itself is for, and what would do nothing, is left out.
static bool is_listed(const mc_action *action, const mc_session *session) {
    if (!mc_action_is_command(action) || action->id == MC_ACTION_COMMANDS) return false;
    return session->shown || !action->needs_city;
}

static bool has_all_words(const mc_action *action, const char *text) {
    char word[128];
    while (*text) {
        size_t size = strcspn(text, " ");
        if (size >= sizeof word) return false;
        memcpy(word, text, size);
        word[size] = '\0';
        if (!strcasestr(action->help, word) && !strcasestr(action->name, word) &&
            !strcasestr(mc_action_get_words(action->id), word))
            return false;
        text += size;
        text += strspn(text, " ");
    }
    return true;
}

// Whether it is one of the phrases that people use for it.
static bool is_called(const mc_action *action, const char *text) {
    size_t size = strlen(text);
    for (const char *at = mc_action_get_words(action->id); *at;) {
        size_t phrase = strcspn(at, ",");
        if (phrase == size && strncasecmp(at, text, size) == 0) return true;
        at += phrase + (at[phrase] == ',');
    }
    return false;
}

// The lower, the earlier it is listed.
static int rank(const mc_action *action, const char *text) {
    if (!text[0]) return 0;
    if (is_called(action, text)) return 0;
    if (strncasecmp(action->help, text, strlen(text)) == 0) return 1;
    return has_all_words(action, text) ? 2 : RANKS;
}

void mc_finder_begin(mc_finder *finder, const mc_session *session, const char *text) {
    *finder = (mc_finder){.trace_version = session->trace_version};
    if (text[0] && session->shown) finder->node_count = mc_trace_get_nodes(session->trace)->count;
    for (int wanted = 0; wanted < RANKS; wanted++) {
        for (uint32_t i = 0; i < mc_action_count; i++) {
            const mc_action *action = &mc_actions[i];
            if (is_listed(action, session) && rank(action, text) == wanted)
                add(finder, action->id, 0);
        }
    }
    finder->command_count = finder->count;
}

bool mc_finder_is_stale(const mc_finder *finder, const mc_session *session) {
    return finder->trace_version != session->trace_version;
}

// Where it belongs among the nodes; the least makes room for it.
static void insert(mc_finder *finder, const mc_search_sizes *sizes, uint32_t node) {
    uint32_t low = finder->command_count, high = finder->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (mc_search_is_before(sizes, finder->rows[middle].number, node))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == MC_FINDER_CAPACITY) return;
    if (finder->count < MC_FINDER_CAPACITY) finder->count++;
    memmove(finder->rows + low + 1, finder->rows + low,
            (finder->count - low - 1) * sizeof *finder->rows);
    finder->rows[low] = (mc_finder_row){MC_ACTION_SHOW_NODE, node};
}

bool mc_finder_continue(mc_finder *finder, const mc_session *session, const char *text) {
    uint32_t end = finder->node_count;
    if (end - finder->next_node > SLICE) end = finder->next_node + SLICE;
    if (finder->next_node == end) return false;
    // What it was at most is found in a thread, for which nobody who types waits here.
    const mc_search_sizes sizes = {session->trace, session->counts.node_values,
                                   session->counts.node_values};
    for (; finder->next_node < end; finder->next_node++) {
        const char *name = mc_trace_get_name(session->trace, finder->next_node, NULL);
        if (strcasestr(name, text)) insert(finder, &sizes, finder->next_node);
    }
    return finder->next_node < finder->node_count;
}

void mc_finder_append_label(const mc_finder_row *row, const mc_session *session, mc_text *out) {
    if (row->action == MC_ACTION_SHOW_NODE) {
        mc_node_append_name_line(session->trace, row->number, out);
        return;
    }
    const mc_action *action = mc_action_get(row->action);
    if (action) mc_text_append_string(out, action->help);
}

void mc_finder_append_detail(const mc_finder_row *row, const mc_session *session, mc_text *out) {
    if (row->action == MC_ACTION_SHOW_NODE) {
        uint32_t parent = mc_trace_get_nodes(session->trace)->parent[row->number];
        if (parent != MC_NONE) mc_node_append_place_line(session->trace, parent, out);
        return;
    }
    const mc_action *action = mc_action_get(row->action);
    if (!action) return;
    size_t size;
    const char *key = mc_action_get_first_key(action, &size);
    mc_text_append(out, key, size);
}
