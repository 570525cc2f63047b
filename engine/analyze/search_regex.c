#include "engine/analyze/search_regex.h"

#include "engine/base/memory.h"
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

#define MOST_STEPS 200000u // of one match
#define MOST_DEPTH 20000u
#define MOST_HEAP_KIB 16384u
#define JIT_STACK_SIZE ((size_t)1 << 20)
#define REPORT_SIZE ((size_t)1 << 20) // of keys that were searched: some may be long
#define NODE_SIZE 256                 // what a node counts beside its key

typedef struct matcher {
    pcre2_general_context *memory;
    pcre2_compile_context *compile;
    pcre2_match_context *limits;
    pcre2_jit_stack *stack;
    pcre2_code *code;
    pcre2_match_data *match;
} matcher;

static void *allocate(size_t size, void *user) {
    (void)user;
    return mc_alloc(size, 1);
}

static void release(void *memory, void *user) {
    (void)user;
    mc_free(memory);
}

static void matcher_deinit(matcher *m) {
    pcre2_match_data_free(m->match);
    pcre2_code_free(m->code);
    pcre2_jit_stack_free(m->stack);
    pcre2_match_context_free(m->limits);
    pcre2_compile_context_free(m->compile);
    pcre2_general_context_free(m->memory);
}

static mc_result refuse(int code, size_t place, mc_error *error) {
    PCRE2_UCHAR text[256];
    if (code == PCRE2_ERROR_NOMEMORY || code == PCRE2_ERROR_HEAP_FAILED)
        return mc_error_out_of_memory(error);
    if (pcre2_get_error_message(code, text, sizeof text) < 0) text[0] = '\0';
    return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                        "not a regular expression: %s, after %zu bytes", (const char *)text, place);
}

static mc_result matcher_init(matcher *m, const char *pattern, size_t size, mc_error *error) {
    memset(m, 0, sizeof *m);
    m->memory = pcre2_general_context_create(allocate, release, NULL);
    if (!m->memory) return mc_error_out_of_memory(error);
    m->compile = pcre2_compile_context_create(m->memory);
    m->limits = pcre2_match_context_create(m->memory);
    if (!m->compile || !m->limits) return mc_error_out_of_memory(error);
    int code;
    size_t place;
    // Keys should be UTF-8, but a file may hold anything.
    m->code = pcre2_compile((PCRE2_SPTR)pattern, size,
                            PCRE2_CASELESS | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, &code, &place,
                            m->compile);
    if (!m->code) return refuse(code, place, error);
    m->match = pcre2_match_data_create(1, m->memory);
    if (!m->match) return mc_error_out_of_memory(error);
    pcre2_set_match_limit(m->limits, MOST_STEPS);
    pcre2_set_depth_limit(m->limits, MOST_DEPTH);
    pcre2_set_heap_limit(m->limits, MOST_HEAP_KIB);
    // Where there is no compiler for the machine, or no memory for it, the interpreter does.
    if (pcre2_jit_compile(m->code, PCRE2_JIT_COMPLETE) == 0) {
        m->stack = pcre2_jit_stack_create(32768, JIT_STACK_SIZE, m->memory);
        if (m->stack) pcre2_jit_stack_assign(m->limits, NULL, m->stack);
    }
    return MC_OK;
}

// Whether a match of `key` ends behind its first `inherited` bytes.
static mc_result find_own(const matcher *m, const char *key, size_t size, size_t inherited,
                          bool *is_own, mc_error *error) {
    *is_own = false;
    for (size_t from = 0; from <= size;) {
        int code =
            pcre2_match(m->code, (PCRE2_SPTR)key, size, from, PCRE2_NOTEMPTY, m->match, m->limits);
        if (code == PCRE2_ERROR_NOMATCH) return MC_OK;
        if (code == PCRE2_ERROR_NOMEMORY) return mc_error_out_of_memory(error);
        if (code < 0)
            return mc_error_set(error, MC_ERROR_BAD_DATA, MC_ERROR_NO_OFFSET,
                                "this regular expression takes too long on some keys: make it "
                                "simpler");
        size_t end = pcre2_get_ovector_pointer(m->match)[1];
        if (end > inherited) {
            *is_own = true;
            return MC_OK;
        }
        from = end > from ? end : from + 1;
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

static mc_result mark(walker *w, const matcher *m, uint32_t level, mc_error *error) {
    uint32_t node = w->at[level];
    bool is_own, has_parent = !w->is_detached[node];
    append_part(w, level);
    if (w->key.failed) return mc_error_out_of_memory(error);
    mc_result result = find_own(m, w->key.data, w->key.size,
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

static mc_result mark_all(walker *w, const matcher *m, const mc_progress *progress,
                          mc_error *error) {
    uint32_t node_count = mc_trace_get_nodes(w->trace)->count, done = 0;
    w->at[0] = 0;
    for (uint32_t level = 0; level != MC_NONE; level = advance(w, level)) {
        mc_result result = mark(w, m, level, error);
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
    matcher m;
    walker w = {.trace = trace, .is_detached = is_detached};
    w.marks = marks;
    mc_result result = matcher_init(&m, pattern, size, error);
    if (result == MC_OK) {
        w.key_size = mc_alloc(levels, sizeof *w.key_size);
        w.at = mc_alloc(levels, sizeof *w.at);
        result =
            w.key_size && w.at ? mark_all(&w, &m, progress, error) : mc_error_out_of_memory(error);
    }
    mc_free(w.key_size);
    mc_free(w.at);
    mc_text_deinit(&w.key);
    matcher_deinit(&m);
    return result;
}
