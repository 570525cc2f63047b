// Nodes that are written as their sibling before them: most of a document, read without tokens.
#include "engine/base/memory.h"
#include "engine/import/json/json_reader_state.h"
#include <string.h>

#define ASK_SIZE (256u << 10)   // bytes between two questions whether to go on
#define PREFETCH_DISTANCE 2048u // the processor's own prefetching ends at each page

void mc_json_reader_learn(mc_json_reader *reader, const mc_step_tree *tree, uint32_t node,
                          size_t end) {
    const mc_json_tokens *tokens = &reader->tokens;
    const mc_step_entry *entry = &tree->nodes[node];
    if (reader->forbids_patterns) return;
    mc_json_pattern_learn(&reader->pattern, tokens->data,
                          (size_t)(entry->source_offset - tokens->offset), end,
                          tree->text.data + entry->key_offset, entry->key_size);
    reader->pattern_role = entry->role;
    reader->pattern_depth = reader->frame_count;
}

// Whether the values can be set just so: the metrics are known, whole numbers, and named once.
static bool can_set_values(const mc_json_reader *reader, const mc_step_tree *tree,
                           mc_json_match *match) {
    uint64_t met = 0;
    for (uint32_t i = 0; i < match->value_count; i++) {
        uint32_t metric = match->metrics[i];
        if (metric == MC_JSON_METRIC_RETAINED) metric = reader->retained;
        if (metric == MC_JSON_METRIC_CLOSURE) metric = reader->closure;
        if (metric == MC_NONE || tree->metrics.items[metric].is_real || met >> metric & 1)
            return false;
        met |= (uint64_t)1 << metric;
        match->metrics[i] = metric;
    }
    return true;
}

// Its bytes are the key's if it is how the key ends.
static bool set_name(mc_step_tree *tree, uint32_t index, const mc_json_match *match) {
    const mc_step_entry *entry = &tree->nodes[index];
    uint32_t size = (uint32_t)match->name_size;
    mc_step_name name = {entry->key_offset + entry->key_size - size, size};
    if (size > entry->key_size ||
        memcmp(match->key + entry->key_size - size, match->name, size) != 0) {
        name.offset = (uint32_t)tree->text.size;
        memcpy(tree->text.data + tree->text.size, match->name, size);
        tree->text.size += size;
    }
    return mc_step_tree_set_name(tree, index, name);
}

// False, and nothing has changed, if it is not as simple as hoped; memory may be out.
static bool add_node(mc_json_reader *reader, mc_step_tree *tree, mc_json_match *match,
                     mc_step_entry entry) {
    mc_text *text = &tree->text;
    size_t size = match->key_size + (match->name ? match->name_size : 0);
    if (text->size >= MC_NONE || !can_set_values(reader, tree, match)) return false;
    if (text->capacity - text->size <= size &&
        !mc_reserve(&text->data, &text->capacity, text->size + size + 1, 1))
        return false;
    entry.objects = match->objects;
    entry.bytes = match->bytes;
    entry.key_offset = (uint32_t)text->size;
    entry.key_size = (uint32_t)match->key_size;
    uint32_t index = mc_step_tree_add_entry(tree, entry);
    if (index == MC_NONE) return false;
    memcpy(text->data + text->size, match->key, match->key_size);
    text->size += match->key_size;
    bool is_set = !match->name || set_name(tree, index, match);
    for (uint32_t i = 0; i < match->value_count && is_set; i++)
        is_set = mc_step_tree_set_value(tree, match->metrics[i], index, match->values[i]);
    return is_set || mc_json_fail_memory(&reader->tokens);
}

static const unsigned char *skip_space(const unsigned char *at, const unsigned char *end) {
    while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
        at++;
    return at;
}

// What stands between two siblings. NULL: something else does.
static inline const unsigned char *skip_comma(const unsigned char *at, const unsigned char *end) {
    at = skip_space(at, end);
    return at < end && *at == ',' ? skip_space(at + 1, end) : NULL;
}

bool mc_json_reader_take_siblings(mc_json_reader *reader, mc_step_tree *tree) {
    mc_json_tokens *tokens = &reader->tokens;
    mc_json_pattern *pattern = &reader->pattern;
    mc_json_frame *parent = &reader->frames[reader->frame_count - 1];
    if (pattern->hole_count == 0 || reader->pattern_depth != reader->frame_count) return false;
    const unsigned char *at = mc_json_get_place(tokens), *asked = at, *behind = NULL;
    const unsigned char *end = tokens->data + tokens->size;
    mc_json_match match;
    while (at && !mc_import_watch_should_stop(tokens->watch)) {
        const unsigned char *next = mc_json_pattern_match(pattern, at, end, &match);
        mc_step_entry entry = {.parent = parent->node,
                               .role = reader->pattern_role,
                               .source_offset = tokens->offset + (uint64_t)(at - tokens->data)};
        if (!next || !add_node(reader, tree, &match, entry)) break;
        for (size_t i = 0; i < (size_t)(next - at) + 64 && (size_t)(end - next) > PREFETCH_DISTANCE;
             i += 64)
            __builtin_prefetch(at + PREFETCH_DISTANCE + i);
        parent->child_count++;
        behind = next;
        at = skip_comma(next, end);
        if ((size_t)(next - asked) < ASK_SIZE) continue;
        mc_json_tokens_note_seen(tokens, (size_t)(next - tokens->data));
        asked = next;
    }
    if (tokens->failed || !behind) return false;
    pattern->vain_count = pattern->pause = 0;
    mc_json_tokens_seek(tokens, (size_t)(behind - tokens->data));
    return true;
}
