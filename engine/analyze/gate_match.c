#include "engine/analyze/gate_match.h"

#include "engine/base/memory.h"
#include "engine/trace/full_keys.h"
#include "engine/trace/versus/versus.h"
#include <string.h>

#define REPORT_COUNT 4096u // nodes

static mc_result report(const mc_progress *progress, uint32_t done, uint32_t total,
                        mc_error *error) {
    if (done % REPORT_COUNT != 0 || mc_progress_report(progress, done, total)) return MC_OK;
    return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
}

static const char *get_key(const mc_trace *trace, uint32_t node, size_t *size) {
    return mc_trace_get_string(trace, mc_trace_get_nodes(trace)->key[node], size);
}

// Whether the node's full key is its parent's, a '#' and its own key.
static bool goes_on(const mc_trace *trace, uint32_t node) {
    return node > 0 && mc_trace_get_key_kind(trace) == MC_KEY_PATH_PART;
}

// ---- rules

static mc_result match_names(const mc_trace *trace, const mc_rule *rule, uint8_t index,
                             uint8_t *rule_of, bool *matches, const mc_progress *progress,
                             mc_error *error) {
    uint32_t count = mc_trace_get_nodes(trace)->count;
    for (uint32_t node = 0; node < count; node++) {
        size_t size;
        const char *name = mc_trace_get_name(trace, node, &size);
        bool is_free = rule_of[node] == MC_RULES_MAX;
        if ((is_free || !*matches) && mc_glob_matches(rule->text, rule->pattern_size, name, size)) {
            *matches = true;
            if (is_free) rule_of[node] = index;
        }
        mc_result result = report(progress, node, count, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

// A node's full key leads on from where its parent's has led: parents come first. `places` has room
// for all nodes.
static mc_result match_full_keys(const mc_trace *trace, const mc_rule *rule, uint8_t index,
                                 uint64_t *places, uint8_t *rule_of, bool *matches,
                                 const mc_progress *progress, mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    const char *pattern = rule->text;
    size_t pattern_size = rule->pattern_size, words = mc_glob_count_words(pattern_size);
    for (uint32_t node = 0; node < nodes->count; node++) {
        uint64_t *own = places + node * words;
        size_t size;
        const char *key = get_key(trace, node, &size);
        if (goes_on(trace, node)) {
            memcpy(own, places + nodes->parent[node] * words, words * sizeof *own);
            mc_glob_go_on(pattern, pattern_size, own, "#", 1);
        } else {
            mc_glob_begin(pattern, pattern_size, own);
        }
        mc_glob_go_on(pattern, pattern_size, own, key, size);
        if (mc_glob_has_matched(pattern_size, own)) {
            *matches = true;
            if (rule_of[node] == MC_RULES_MAX) rule_of[node] = index;
        }
        mc_result result = report(progress, node, nodes->count, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

static size_t count_most_words(const mc_rule *rules, uint32_t count) {
    size_t most = 1;
    for (uint32_t i = 0; i < count; i++) {
        size_t words = mc_glob_count_words(rules[i].pattern_size);
        if (rules[i].is_path && words > most) most = words;
    }
    return most;
}

mc_result mc_gate_match_rules(const mc_trace *trace, const mc_rule *rules, uint32_t rule_count,
                              uint8_t *rule_of, bool *matches, const mc_progress *progress,
                              mc_error *error) {
    uint32_t count = mc_trace_get_nodes(trace)->count;
    size_t words = count_most_words(rules, rule_count);
    uint64_t *places = mc_alloc(count, words * sizeof *places);
    mc_result result = places ? MC_OK : mc_error_out_of_memory(error);
    memset(rule_of, MC_RULES_MAX, count);
    for (uint32_t i = 0; i < rule_count && result == MC_OK; i++)
        result = rules[i].is_path ? match_full_keys(trace, &rules[i], (uint8_t)i, places, rule_of,
                                                    &matches[i], progress, error)
                                  : match_names(trace, &rules[i], (uint8_t)i, rule_of, &matches[i],
                                                progress, error);
    mc_free(places);
    return result;
}

// ---- the same groups in the base

// A hidden class has another number in each run: "Lambda$14/0x00007f7218000a08".
static size_t measure_stable(const char *key, size_t size) {
    for (size_t i = size; i-- > 0;) {
        if (key[i] == '/') return i + 1 < size && key[i + 1] >= '0' && key[i + 1] <= '9' ? i : size;
        bool is_number =
            (key[i] >= '0' && key[i] <= '9') || (key[i] >= 'a' && key[i] <= 'f') || key[i] == 'x';
        if (!is_number) return size;
    }
    return size;
}

typedef struct base_finder {
    mc_full_keys keys;
    uint32_t *numbers; // per node: of its full key, for what is within it
    uint32_t *node_of; // per number: the first node of that name; MC_NONE: none
    size_t number_capacity, node_of_count;
} base_finder;

static uint32_t get_before(const mc_trace *trace, const uint32_t *numbers, uint32_t node) {
    return goes_on(trace, node) ? numbers[mc_trace_get_nodes(trace)->parent[node]] : MC_NONE;
}

static bool name_node(base_finder *finder, uint32_t number, uint32_t node) {
    size_t known = finder->node_of_count;
    if (number >= known) {
        if (!mc_reserve(&finder->node_of, &finder->node_of_count, (size_t)number + 1,
                        sizeof *finder->node_of))
            return false;
        memset(finder->node_of + known, 0xff,
               (finder->node_of_count - known) * sizeof *finder->node_of);
    }
    if (finder->node_of[number] == MC_NONE) finder->node_of[number] = node;
    return true;
}

static mc_result add_base(base_finder *finder, const mc_trace *base, const mc_progress *progress,
                          mc_error *error) {
    uint32_t count = mc_trace_get_nodes(base)->count;
    if (!mc_reserve(&finder->numbers, &finder->number_capacity, count, sizeof *finder->numbers))
        return mc_error_out_of_memory(error);
    for (uint32_t node = 0; node < count; node++) {
        size_t size;
        const char *key = get_key(base, node, &size);
        uint32_t before = get_before(base, finder->numbers, node);
        uint32_t whole = mc_full_keys_add(&finder->keys, before, key, size);
        uint32_t stable = mc_full_keys_add(&finder->keys, before, key, measure_stable(key, size));
        if (whole == MC_NONE || stable == MC_NONE || !name_node(finder, stable, node))
            return mc_error_out_of_memory(error);
        finder->numbers[node] = whole;
        mc_result result = report(progress, node, count, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

static mc_result find_all(base_finder *finder, const mc_trace *trace, uint32_t *base_nodes,
                          const mc_progress *progress, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(trace)->count;
    if (!mc_reserve(&finder->numbers, &finder->number_capacity, count, sizeof *finder->numbers))
        return mc_error_out_of_memory(error);
    for (uint32_t node = 0; node < count; node++) {
        size_t size;
        const char *key = get_key(trace, node, &size);
        uint32_t before = get_before(trace, finder->numbers, node), stable = MC_NONE;
        finder->numbers[node] = MC_NONE;
        if (before != MC_NONE || !goes_on(trace, node)) {
            finder->numbers[node] = mc_full_keys_find(&finder->keys, before, key, size);
            stable = mc_full_keys_find(&finder->keys, before, key, measure_stable(key, size));
        }
        if (stable != MC_NONE && stable < finder->node_of_count)
            base_nodes[node] = finder->node_of[stable];
        mc_result result = report(progress, node, count, error);
        if (result != MC_OK) return result;
    }
    return MC_OK;
}

mc_result mc_gate_find_in_base(const mc_trace *trace, const mc_trace *base, uint32_t *base_nodes,
                               const mc_progress *progress, mc_error *error) {
    base_finder finder = {.numbers = NULL};
    memset(base_nodes, 0xff, mc_trace_get_nodes(trace)->count * sizeof *base_nodes);
    if (!base) return MC_OK;
    mc_result result = add_base(&finder, base, progress, error);
    if (result == MC_OK) result = find_all(&finder, trace, base_nodes, progress, error);
    mc_full_keys_deinit(&finder.keys);
    mc_free(finder.numbers);
    mc_free(finder.node_of);
    return result;
}

// ---- what was moved

// Where values of the pair differ from those of the node of the same full key: what was moved, all
// in it, and what is around where it is and where it was.
static uint8_t *mark_touched(const mc_trace *before, const mc_trace *pair) {
    const mc_node_columns *nodes = mc_trace_get_nodes(pair);
    const mc_node_columns *base = mc_trace_get_nodes(before);
    uint32_t move_count;
    const mc_versus_move *moves = mc_versus_get_moves(pair, &move_count);
    uint8_t *is_in = mc_alloc_zero(nodes->count, 1), *is_touched = mc_alloc_zero(nodes->count, 1);
    for (uint32_t i = 0; i < move_count && is_in && is_touched; i++) {
        uint32_t was_in = base->parent[moves[i].before_node];
        is_in[moves[i].node] = 1;
        for (uint32_t at = moves[i].node; at > 0; at = nodes->parent[at])
            is_touched[at] = 1;
        for (uint32_t at = mc_versus_find_node(pair, MC_BEFORE, was_in); at > 0;
             at = nodes->parent[at])
            is_touched[at] = 1;
    }
    for (uint32_t node = 1; node < nodes->count && is_in && is_touched; node++) {
        is_in[node] |= is_in[nodes->parent[node]];
        is_touched[node] |= is_in[node];
    }
    bool fits = is_in && is_touched;
    mc_free(is_in);
    if (fits) return is_touched;
    mc_free(is_touched);
    return NULL;
}

mc_result mc_gate_find_moved(const mc_trace *trace, const mc_trace *base, const mc_trace *pair,
                             uint32_t *base_nodes, uint32_t *pair_nodes, mc_error *error) {
    uint32_t count = mc_trace_get_nodes(trace)->count;
    memset(pair_nodes, 0xff, count * sizeof *pair_nodes);
    if (!pair) return MC_OK;
    uint8_t *is_touched = mark_touched(base, pair);
    if (!is_touched) return mc_error_out_of_memory(error);
    for (uint32_t node = 1; node < count; node++) {
        uint32_t at = mc_versus_find_node(pair, MC_AFTER, node);
        uint32_t was = mc_versus_get_node(pair, MC_BEFORE, at);
        if (!is_touched[at] || was == MC_NONE || mc_versus_is_several(pair, MC_AFTER, at)) continue;
        pair_nodes[node] = at;
        if (base_nodes[node] == MC_NONE) base_nodes[node] = was;
    }
    mc_free(is_touched);
    return MC_OK;
}
