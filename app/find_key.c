#include "app/find_key.h"

#include "app/node_text.h"
#include "engine/analyze/search.h"
#include <string.h>

#define MOST_HINTS 3

bool mc_key_ends_in(const mc_text *full, const char *key, size_t size) {
    if (full->size <= size || full->data[full->size - size - 1] != '#') return false;
    const char *end = full->data + full->size - size;
    for (size_t i = 0; i < size; i++)
        if (end[i] != key[i] && !(end[i] == '#' && (key[i] == '.' || key[i] == '/'))) return false;
    return true;
}

// The nodes that the end names; the first ones go to `named`.
static mc_result find_named(const mc_trace *trace, const char *key, const mc_search_result *found,
                            uint32_t *named, uint32_t *count, mc_error *error) {
    mc_text full = {0};
    *count = 0;
    for (uint32_t i = 0; i < found->own_count && !full.failed; i++) {
        mc_text_clear(&full);
        mc_trace_append_full_key(trace, found->own[i], &full);
        if (full.failed || !mc_key_ends_in(&full, key, strlen(key))) continue;
        if (*count < MOST_HINTS) named[*count] = found->own[i];
        (*count)++;
    }
    bool failed = full.failed;
    mc_text_deinit(&full);
    return failed ? mc_error_out_of_memory(error) : MC_OK;
}

static void write_hint(const mc_trace *trace, const uint32_t *nodes, uint32_t count,
                       const char *what, mc_text *hint) {
    if (count == 0) return;
    mc_text_append_string(hint, what);
    for (uint32_t i = 0; i < count && i < MOST_HINTS; i++) {
        mc_text_append_string(hint, i > 0 ? ", \"" : " \"");
        mc_node_append_key_tsv(trace, nodes[i], hint);
        mc_text_append_string(hint, "\"");
    }
    if (count > MOST_HINTS) mc_text_append_string(hint, ", …");
}

mc_result mc_find_key(const mc_trace *trace, const char *key, uint32_t *node, mc_text *hint,
                      mc_error *error) {
    size_t size = strlen(key);
    *node = mc_trace_find_node(trace, key, size);
    if (*node != MC_NONE || size == 0 || size > MC_SEARCH_MOST_SIZE) return MC_OK;
    mc_search *search = NULL;
    mc_search_result found;
    uint32_t named[MOST_HINTS], count = 0;
    mc_result result = mc_search_create(trace, &search, error);
    if (result == MC_OK)
        result = mc_search_find(search, key, size, MC_SEARCH_SUBSTRING, NULL, &found, error);
    if (result == MC_OK) result = find_named(trace, key, &found, named, &count, error);
    if (result == MC_OK && count == 1) *node = named[0];
    if (result == MC_OK && count > 1) write_hint(trace, named, count, "several keys end so:", hint);
    if (result == MC_OK && count == 0)
        write_hint(trace, found.own, found.own_count, "perhaps", hint);
    mc_search_destroy(search);
    return result;
}
