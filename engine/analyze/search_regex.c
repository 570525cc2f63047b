#include "engine/analyze/search_regex.h"

#include "engine/analyze/regex.h"
#include "engine/base/memory.h"

#define REPORT_SIZE ((size_t)1 << 20) // of keys that were searched: some may be long
#define NODE_SIZE 256                 // what a node counts beside its key

// Whether a match of `key` ends behind its first `inherited` bytes.
static mc_result find_own(const mc_regex *regex, const char *key, size_t size, size_t inherited,
                          bool *is_own, mc_error *error) {
    *is_own = false;
    for (size_t from = 0, end; from <= size; from = end > from ? end : from + 1) {
        mc_result result = mc_regex_find(regex, key, size, from, &end, error);
        if (result != MC_OK || end == 0) return result;
        *is_own = end > inherited;
        if (*is_own) return MC_OK;
    }
    return MC_OK;
}

// ---- all nodes, depth first, so that a full key is its parent's with a part more

typedef struct walker {
    const mc_trace *trace;
    const uint8_t *is_detached;
    uint8_t *marks;
    mc_text key;
    size_t *key_size;     // per level: of the full key of the node that the walk stands on there
    uint32_t *at;         // per level: that node
    size_t searched_size; // of the keys since the last report
} walker;

static void append_part(walker *w, uint32_t level) {
    size_t size;
    const char *bytes =
        mc_trace_get_string(w->trace, mc_trace_get_nodes(w->trace)->key[w->at[level]], &size);
    bool is_whole = mc_trace_get_key_kind(w->trace) == MC_KEY_FULL;
    w->key.size = is_whole || level == 0 ? 0 : w->key_size[level - 1];
    if (!is_whole && level > 0) mc_text_append(&w->key, "#", 1);
    mc_text_append(&w->key, bytes, size);
    w->key_size[level] = w->key.size;
}

static mc_result mark(walker *w, const mc_regex *regex, uint32_t level, mc_error *error) {
    uint32_t node = w->at[level];
    bool is_own, has_parent = !w->is_detached[node];
    append_part(w, level);
    if (w->key.failed) return mc_error_out_of_memory(error);
    mc_result result = find_own(regex, w->key.data, w->key.size,
                                has_parent ? w->key_size[level - 1] : 0, &is_own, error);
    if (result != MC_OK) return result;
    uint32_t parent = mc_trace_get_nodes(w->trace)->parent[node];
    bool is_hit = is_own || (has_parent && (w->marks[parent] & MC_SEARCH_HIT));
    w->marks[node] = (uint8_t)((is_hit ? MC_SEARCH_HIT : 0) | (is_own ? MC_SEARCH_OWN : 0));
    return MC_OK;
}

// Goes on to the next node; returns its level, or MC_NONE after the last one.
static uint32_t advance(walker *w, uint32_t level) {
    const mc_node_columns *nodes = mc_trace_get_nodes(w->trace);
    uint32_t node = w->at[level];
    if (nodes->child_count[node] > 0) {
        w->at[level + 1] = nodes->first_child[node];
        return level + 1;
    }
    for (; level > 0; level--) {
        uint32_t parent = w->at[level - 1];
        if (++w->at[level] < nodes->first_child[parent] + nodes->child_count[parent]) return level;
    }
    return MC_NONE;
}

static mc_result mark_all(walker *w, const mc_regex *regex, const mc_progress *progress,
                          mc_error *error) {
    uint32_t node_count = mc_trace_get_nodes(w->trace)->count, done = 0;
    w->at[0] = 0;
    for (uint32_t level = 0; level != MC_NONE; level = advance(w, level)) {
        mc_result result = mark(w, regex, level, error);
        if (result != MC_OK) return result;
        done++;
        w->searched_size += w->key.size + NODE_SIZE;
        if (w->searched_size < REPORT_SIZE) continue;
        w->searched_size = 0;
        if (!mc_progress_report(progress, done, node_count))
            return mc_error_set(error, MC_ERROR_CANCELLED, MC_ERROR_NO_OFFSET, "cancelled");
    }
    return MC_OK;
}

mc_result mc_search_regex_mark(const mc_trace *trace, const uint8_t *is_detached,
                               const char *pattern, size_t size, uint8_t *marks,
                               const mc_progress *progress, mc_error *error) {
    size_t levels = (size_t)mc_trace_get_nodes(trace)->depth + 1;
    mc_regex *regex;
    walker w = {.trace = trace, .is_detached = is_detached};
    w.marks = marks;
    mc_result result = mc_regex_create(pattern, size, true, &regex, error);
    if (result == MC_OK) {
        w.key_size = mc_alloc(levels, sizeof *w.key_size);
        w.at = mc_alloc(levels, sizeof *w.at);
        result = w.key_size && w.at ? mark_all(&w, regex, progress, error)
                                    : mc_error_out_of_memory(error);
    }
    mc_free(w.key_size);
    mc_free(w.at);
    mc_text_deinit(&w.key);
    mc_regex_destroy(regex);
    return result;
}
