// The pointer map document: {"time": …, "pointerMap": {"<outer>": {"<inner>": count}}}.
#include "engine/base/memory.h"
#include "engine/import/json_reader_state.h"
#include <string.h>

static bool append_key(mc_json_reader *reader, mc_reference_map *map, mc_json_string key,
                       uint64_t *offset, uint32_t *size) {
    mc_text *text = &map->text;
    if (!mc_reserve(&text->data, &text->capacity, text->size + key.size + 1, 1))
        return mc_json_fail_memory(&reader->tokens);
    memcpy(text->data + text->size, key.bytes, key.size);
    *offset = text->size;
    *size = (uint32_t)key.size; // a string is shorter than 4 GB, see json_index.cpp
    text->size += key.size;
    text->data[text->size] = '\0';
    return true;
}

// The object of one outer key.
static bool take_inner_keys(mc_json_reader *reader, mc_reference_map *map,
                            mc_reference_entry entry) {
    mc_json_tokens *tokens = &reader->tokens;
    reader->field = "pointerMap{}";
    if (!mc_json_take(tokens, '{')) return mc_json_fail(tokens, "an object of counts");
    bool is_first = true;
    mc_json_member member;
    mc_json_string name;
    while ((member = mc_json_next_member(tokens, is_first, &name)) == MC_JSON_MEMBER) {
        int64_t count;
        is_first = false;
        reader->field = "pointerMap{}{}";
        entry.source_offset = mc_json_get_offset(tokens);
        if (!append_key(reader, map, name, &entry.inner_offset, &entry.inner_size) ||
            !mc_json_take_integer(tokens, 0, &count))
            return false;
        entry.count = (uint64_t)count;
        if (!mc_reference_map_add(map, entry)) return mc_json_fail_memory(tokens);
        reader->field = "pointerMap{}";
    }
    return member == MC_JSON_END;
}

static bool take_outer_keys(mc_json_reader *reader, mc_reference_map *map) {
    mc_json_tokens *tokens = &reader->tokens;
    if (mc_json_peek(tokens) == 'n') return mc_json_skip_value(tokens); // null: no references
    if (!mc_json_take(tokens, '{')) return mc_json_fail(tokens, "an object or null");
    bool is_first = true;
    mc_json_member member;
    mc_json_string name;
    while ((member = mc_json_next_member(tokens, is_first, &name)) == MC_JSON_MEMBER) {
        mc_reference_entry entry = {0};
        is_first = false;
        if (!append_key(reader, map, name, &entry.outer_offset, &entry.outer_size) ||
            !take_inner_keys(reader, map, entry))
            return false;
        reader->field = "pointerMap";
    }
    return member == MC_JSON_END;
}

static bool take_document(mc_json_reader *reader, mc_reference_map *map) {
    mc_json_tokens *tokens = &reader->tokens;
    if (!mc_json_take(tokens, '{')) return mc_json_fail(tokens, "a pointer map (an object)");
    uint32_t seen = 0;
    bool is_first = true, has_root = false;
    mc_json_member member;
    mc_json_string name;
    while ((member = mc_json_next_member(tokens, is_first, &name)) == MC_JSON_MEMBER) {
        is_first = false;
        if (name.size == 4 && memcmp(name.bytes, "time", 4) == 0) {
            if (!mc_json_reader_note_field(reader, &seen, MC_FIELD_TIME, "time") ||
                !mc_json_reader_take_time(reader))
                return false;
        } else if (name.size == 10 && memcmp(name.bytes, "pointerMap", 10) == 0) {
            if (!mc_json_reader_note_field(reader, &seen, MC_FIELD_POINTER_MAP, "pointerMap") ||
                !take_outer_keys(reader, map))
                return false;
        } else {
            has_root |= name.size == 4 && memcmp(name.bytes, "root", 4) == 0;
            if (!mc_json_skip_value(tokens)) return false;
        }
        reader->field = NULL;
    }
    if (member == MC_JSON_FAILED || !mc_json_take_end(tokens)) return false;
    if (has_root && !(seen & MC_FIELD_POINTER_MAP))
        return mc_json_fail_at(tokens, tokens->data, "expected a pointer map, found a step");
    if (seen != (MC_FIELD_TIME | MC_FIELD_POINTER_MAP))
        return mc_json_fail_at(tokens, tokens->data,
                               "expected a pointer map with the field \"%s\", which is missing",
                               seen & MC_FIELD_TIME ? "pointerMap" : "time");
    return true;
}

mc_result mc_json_reader_read_references(mc_json_reader *reader, const unsigned char *data,
                                         size_t size, uint64_t offset, mc_reference_map *map,
                                         mc_error *error) {
    mc_error own;
    if (!error) error = &own;
    mc_reference_map_reset(map);
    mc_json_reader_begin(reader, data, size, offset, error);
    if (take_document(reader, map)) map->time_ms = reader->time_ms;
    return mc_json_reader_finish(reader, error);
}
