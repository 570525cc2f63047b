#include "app/answers/what_if_far.h"

#include "app/far/far_child.h"
#include "engine/base/memory.h"
#include "engine/import/json/json_tokens.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ANSWER_MOST ((size_t)1 << 30)

typedef struct freed {
    uint64_t objects, bytes;
} freed;

// What a dump of the answer says; `leaves` in the order of `keys`.
typedef struct reading {
    mc_json_tokens tokens;
    mc_strings keys;
    freed *leaves;
    size_t leaf_capacity;
    freed all;
    int64_t time_ms; // if there are several dumps
    bool has_time;
} reading;

// ---- the answer

static bool take_count(reading *self, uint64_t *count) {
    int64_t value;
    if (!mc_json_take_integer(&self->tokens, 0, &value)) return false;
    *count = (uint64_t)value;
    return true;
}

static bool take_leaf(reading *self) {
    mc_json_string name, key;
    freed sum = {0, 0};
    uint32_t index = MC_NONE;
    if (!mc_json_take(&self->tokens, '{')) return mc_json_fail(&self->tokens, "a leaf");
    for (bool is_first = true;; is_first = false) {
        mc_json_member member = mc_json_next_member(&self->tokens, is_first, &name);
        if (member == MC_JSON_FAILED) return false;
        if (member == MC_JSON_END) break;
        bool goes_on;
        if (mc_json_string_is(name, "key")) {
            goes_on = mc_json_take_string(&self->tokens, "a key", &key);
            if (goes_on) index = mc_strings_intern(&self->keys, key.bytes, key.size);
            if (goes_on && index == MC_NONE) return mc_json_fail_memory(&self->tokens);
        } else if (mc_json_string_is(name, "objects")) {
            goes_on = take_count(self, &sum.objects);
        } else if (mc_json_string_is(name, "bytes")) {
            goes_on = take_count(self, &sum.bytes);
        } else {
            goes_on = mc_json_skip_value(&self->tokens);
        }
        if (!goes_on) return false;
    }
    if (index == MC_NONE) return mc_json_fail(&self->tokens, "the key of the leaf before");
    if (!mc_reserve(&self->leaves, &self->leaf_capacity, (size_t)index + 1, sizeof *self->leaves))
        return mc_json_fail_memory(&self->tokens);
    self->leaves[index] = sum;
    return true;
}

static bool take_leaves(reading *self) {
    if (!mc_json_take(&self->tokens, '[')) return mc_json_fail(&self->tokens, "'['");
    mc_strings_deinit(&self->keys);
    self->keys = (mc_strings){0};
    for (bool is_first = true; !mc_json_take(&self->tokens, ']'); is_first = false) {
        if (!is_first && !mc_json_take(&self->tokens, ','))
            return mc_json_fail(&self->tokens, "',' or ']' behind a leaf");
        if (!take_leaf(self)) return false;
    }
    return true;
}

static bool take_steps(reading *self, int64_t wanted_ms, bool *is_found);

// A dump's answer, or that of several, of which the one with the wanted time stays.
static bool take_answer(reading *self, int64_t wanted_ms, bool is_within, bool *is_found) {
    mc_json_string name;
    if (!mc_json_take(&self->tokens, '{')) return mc_json_fail(&self->tokens, "an answer");
    for (bool is_first = true;; is_first = false) {
        mc_json_member member = mc_json_next_member(&self->tokens, is_first, &name);
        if (member == MC_JSON_FAILED) return false;
        if (member == MC_JSON_END) return true;
        bool goes_on;
        if (mc_json_string_is(name, "steps") && !is_within) {
            goes_on = take_steps(self, wanted_ms, is_found);
        } else if (mc_json_string_is(name, "objects")) {
            goes_on = take_count(self, &self->all.objects);
        } else if (mc_json_string_is(name, "bytes")) {
            goes_on = take_count(self, &self->all.bytes);
        } else if (mc_json_string_is(name, "time_ms") && mc_json_peek(&self->tokens) != 'n') {
            goes_on = mc_json_take_integer(&self->tokens, INT64_MIN, &self->time_ms);
            self->has_time = true;
        } else if (mc_json_string_is(name, "leaves")) {
            goes_on = take_leaves(self);
            if (!is_within) *is_found = true;
        } else {
            goes_on = mc_json_skip_value(&self->tokens);
        }
        if (!goes_on) return false;
    }
}

static bool take_steps(reading *self, int64_t wanted_ms, bool *is_found) {
    if (!mc_json_take(&self->tokens, '[')) return mc_json_fail(&self->tokens, "'['");
    for (bool is_first = true; !mc_json_take(&self->tokens, ']'); is_first = false) {
        bool goes_on = true;
        if (!is_first && !mc_json_take(&self->tokens, ','))
            return mc_json_fail(&self->tokens, "',' or ']' behind a dump");
        if (*is_found) {
            goes_on = mc_json_skip_value(&self->tokens);
        } else {
            self->has_time = false;
            goes_on = take_answer(self, wanted_ms, true, is_found);
            *is_found = self->has_time && self->time_ms == wanted_ms;
        }
        if (!goes_on) return false;
    }
    return true;
}

// ---- nodes

// The leaf that a key of the answer is of: a node's, or its own share.
static uint32_t find_leaf(const mc_node_columns *nodes, uint32_t node) {
    if (nodes->child_count[node] == 0) return node;
    for (uint32_t i = 0; i < nodes->child_count[node]; i++)
        if (nodes->flags[nodes->first_child[node] + i] & MC_NODE_SELF)
            return nodes->first_child[node] + i;
    return MC_NONE;
}

static mc_result fill(reading *self, const mc_trace *trace, mc_what_if *demolition,
                      mc_error *error) {
    const mc_node_columns *nodes = mc_trace_get_nodes(trace);
    size_t room = (size_t)nodes->count + 1;
    mc_text key = {0};
    demolition->node_objects = mc_alloc_zero(room, sizeof *demolition->node_objects);
    demolition->node_bytes = mc_alloc_zero(room, sizeof *demolition->node_bytes);
    demolition->leaves = mc_alloc(room, sizeof *demolition->leaves);
    if (!demolition->node_objects || !demolition->node_bytes || !demolition->leaves)
        return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < nodes->count; i++) {
        mc_text_clear(&key);
        mc_trace_append_full_key(trace, i, &key);
        uint32_t found = mc_strings_find(&self->keys, mc_text_get(&key), key.size);
        uint32_t leaf = found == MC_NONE ? MC_NONE : find_leaf(nodes, i);
        if (leaf == MC_NONE) continue;
        demolition->node_objects[leaf] = self->leaves[found].objects;
        demolition->node_bytes[leaf] = self->leaves[found].bytes;
        self->leaves[found] = (freed){0, 0}; // of two with one key the first
    }
    for (uint32_t i = nodes->count; i-- > 1;) {
        demolition->node_objects[nodes->parent[i]] += demolition->node_objects[i];
        demolition->node_bytes[nodes->parent[i]] += demolition->node_bytes[i];
    }
    demolition->node_objects[0] = demolition->objects = self->all.objects;
    demolition->node_bytes[0] = demolition->bytes = self->all.bytes;
    mc_what_if_list_leaves(demolition, trace);
    bool failed = key.failed;
    mc_text_deinit(&key);
    return failed ? mc_error_out_of_memory(error) : MC_OK;
}

mc_result mc_what_if_read(const mc_trace *trace, uint32_t step, const char *json, size_t size,
                          mc_what_if *demolition, mc_error *error) {
    reading self = {.has_time = false};
    mc_error wrong = {0};
    bool is_found = false;
    mc_what_if_deinit(demolition);
    if (!mc_json_tokens_init(&self.tokens)) return mc_error_out_of_memory(error);
    mc_json_tokens_begin(&self.tokens, (const unsigned char *)json, size, 0, &wrong);
    bool is_read = take_answer(&self, mc_trace_get_step(trace, step)->time_ms, false, &is_found) &&
                   mc_json_take_end(&self.tokens);
    mc_result result = MC_OK;
    if (!is_read && wrong.code == MC_OK)
        result = mc_fail(error, MC_ERROR_BAD_DATA, "the answer ends too early");
    else if (!is_read) {
        if (error) *error = wrong;
        result = wrong.code;
    } else if (!is_found)
        result = mc_fail(error, MC_ERROR_UNSUPPORTED, "no heap dump there is of this step");
    demolition->step = step;
    if (result == MC_OK) result = fill(&self, trace, demolition, error);
    if (result != MC_OK) mc_what_if_deinit(demolition);
    mc_strings_deinit(&self.keys);
    mc_free(self.leaves);
    mc_json_tokens_deinit(&self.tokens);
    return result;
}

// ---- asking

mc_result mc_what_if_ask_far(const mc_dataset *dataset, uint32_t step, const uint32_t *nodes,
                             uint32_t node_count, const mc_progress *progress,
                             mc_what_if *demolition, mc_error *error) {
    const mc_form_texts *words = &dataset->far_words;
    mc_form_texts keys = {.count = 0};
    mc_text out = {0}, said = {0}, key = {0};
    size_t count = 0;
    mc_result result = MC_OK;
    const char **line =
        mc_alloc_zero((size_t)words->count + 2 * (size_t)node_count + 8, sizeof(const char *));
    mc_what_if_deinit(demolition);
    if (!line) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < node_count && result == MC_OK; i++) {
        mc_text_clear(&key);
        mc_trace_append_full_key(dataset->trace, nodes[i], &key);
        if (key.failed || !mc_form_texts_add(&keys, mc_text_get(&key), key.size))
            result = mc_error_out_of_memory(error);
    }
    line[count++] = "whatif";
    line[count++] = "--json";
    line[count++] = "-n";
    line[count++] = "4294967294";
    for (uint32_t i = 0; i < keys.count; i++) {
        line[count++] = "--demolish";
        line[count++] = keys.items[i];
    }
    for (uint32_t i = 0; i < words->count; i++)
        line[count++] = words->items[i];
    if (result == MC_OK) result = mc_far_child_ask(line, ANSWER_MOST, progress, &out, &said, error);
    if (result == MC_OK && out.failed) result = mc_error_out_of_memory(error);
    if (result == MC_OK)
        result =
            mc_what_if_read(dataset->trace, step, mc_text_get(&out), out.size, demolition, error);
    mc_text_deinit(&out);
    mc_text_deinit(&said);
    mc_text_deinit(&key);
    mc_form_texts_deinit(&keys);
    mc_free((void *)line);
    return result;
}
