// The pointer map document: {"time": …, "pointerMap": {"<outer>": {"<inner>": count}}}.
#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/base/utf8.h"
#include "engine/import/json/json_reader_state.h"
#include <stdio.h>
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

// The object of the entry's outer key.
static bool take_inner_keys(mc_json_reader *reader, mc_reference_map *map) {
    mc_json_tokens *tokens = &reader->tokens;
    mc_reference_entry *entry = &reader->entry;
    reader->key_count = 1;
    if (!mc_json_take(tokens, '{')) return mc_json_fail(tokens, "an object of counts");
    bool is_first = true;
    mc_json_member member;
    mc_json_string name;
    while ((member = mc_json_next_member(tokens, is_first, &name)) == MC_JSON_MEMBER) {
        int64_t count;
        is_first = false;
        entry->source_offset = mc_json_get_offset(tokens);
        if (!append_key(reader, map, name, &entry->inner_offset, &entry->inner_size)) return false;
        reader->key_count = 2;
        if (!mc_json_take_integer(tokens, 0, &count)) return false;
        entry->count = (uint64_t)count;
        if (!mc_reference_map_add(map, *entry)) return mc_json_fail_memory(tokens);
        reader->key_count = 1;
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
        is_first = false;
        if (!append_key(reader, map, name, &reader->entry.outer_offset,
                        &reader->entry.outer_size) ||
            !take_inner_keys(reader, map))
            return false;
        reader->key_count = 0;
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

// Appends ["key"], without the end of a very long key.
static size_t append_place(char *path, size_t size, const mc_reference_map *map, uint64_t offset,
                           uint32_t key_size) {
    const uint32_t most = 120;
    const char *key = map->text.data + offset;
    mc_excerpt excerpt;
    mc_excerpt_make(&excerpt, key, mc_utf8_cut(key, key_size, most));
    int length = snprintf(path, size, "[\"%s%s\"]", excerpt.text, key_size > most ? "…" : "");
    return length < 0 || (size_t)length >= size ? 0 : (size_t)length;
}

// Which of the map's counts is wrong: pointerMap["outer"]["inner"].
static void write_place(const mc_json_reader *reader, const mc_reference_map *map, char *path,
                        size_t size) {
    const mc_reference_entry *entry = &reader->entry;
    size_t used = (size_t)snprintf(path, size, "%s", reader->field);
    if (reader->key_count > 0)
        used += append_place(path + used, size - used, map, entry->outer_offset, entry->outer_size);
    if (reader->key_count > 1)
        append_place(path + used, size - used, map, entry->inner_offset, entry->inner_size);
}

mc_result mc_json_reader_read_references(mc_json_reader *reader, const unsigned char *data,
                                         size_t size, uint64_t offset, mc_reference_map *map,
                                         mc_error *error) {
    mc_error own;
    char path[320];
    if (!error) error = &own;
    mc_reference_map_reset(map);
    mc_json_reader_begin(reader, data, size, offset, error);
    if (take_document(reader, map)) {
        map->time_ms = reader->time_ms;
    } else if (reader->field) {
        write_place(reader, map, path, sizeof path);
        reader->field = path;
    }
    return mc_json_reader_finish(reader, error);
}
