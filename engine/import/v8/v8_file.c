#include "engine/import/v8/v8_file.h"

#include "engine/base/ascii.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include <string.h>

#define STRINGS_MAX (MC_NONE / 2)

bool mc_v8_detect(const void *data, size_t size) {
    static const char begin[] = "{\"snapshot\":{\"meta\":";
    const char *at = data, *end = at + size;
    for (const char *wanted = begin; *wanted; wanted++) {
        while (at < end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t'))
            at++;
        if (at == end || *at != *wanted) return false;
        at++;
    }
    return true;
}

void mc_v8_file_deinit(mc_v8_file *file) {
    mc_free(file->strings);
    mc_v8_ints_deinit(&file->nodes);
    mc_v8_ints_deinit(&file->edges);
    mc_v8_ints_deinit(&file->locations);
    mc_v8_ints_deinit(&file->samples);
    *file = (mc_v8_file){.data = NULL};
}

// ---- JSON, as far as it is needed

typedef struct cursor {
    const mc_v8_file *file;
    const char *at, *end;
    uint32_t thread_count;
    mc_error *error;
} cursor;

static mc_result fail_at(const cursor *c, const char *at, const char *what) {
    return mc_error_set(c->error, MC_ERROR_BAD_DATA, (uint64_t)(at - c->file->data),
                        "no heap snapshot of V8: %s", what);
}

static mc_result fail(const cursor *c, const char *what) {
    return fail_at(c, c->at, c->at == c->end ? "the file ends too early" : what);
}

static void skip_blanks(cursor *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\r' || *c->at == '\t'))
        c->at++;
}

static bool take(cursor *c, char wanted) {
    skip_blanks(c);
    if (c->at == c->end || *c->at != wanted) return false;
    c->at++;
    return true;
}

typedef struct span {
    const char *text;
    size_t size;
} span;

// Without its quotes, escapes as they are.
static bool take_string(cursor *c, span *string) {
    if (!take(c, '"')) return false;
    const char *begin = c->at;
    for (;;) {
        const char *quote = c->at < c->end ? memchr(c->at, '"', (size_t)(c->end - c->at)) : NULL;
        if (!quote) {
            c->at = c->end;
            return false;
        }
        size_t slashes = 0;
        while (quote - slashes > begin && quote[-(ptrdiff_t)slashes - 1] == '\\')
            slashes++;
        c->at = quote + 1;
        if (slashes % 2 == 1) continue;
        *string = (span){begin, (size_t)(quote - begin)};
        return true;
    }
}

static bool is(span string, const char *wanted) {
    return string.size == strlen(wanted) && memcmp(string.text, wanted, string.size) == 0;
}

// A value of any kind, however deep.
static bool skip_value(cursor *c) {
    uint64_t depth = 0;
    span string;
    do {
        skip_blanks(c);
        if (c->at == c->end) return false;
        switch (*c->at) {
        case '"':
            if (!take_string(c, &string)) return false;
            break;
        case '[':
        case '{':
            depth++;
            c->at++;
            break;
        case ']':
        case '}':
            if (depth == 0) return false;
            depth--;
            c->at++;
            break;
        default: c->at++; break;
        }
        if (depth == 0) // of a number or a word the rest
            while (c->at < c->end && !strchr(",]} \t\r\n", *c->at))
                c->at++;
    } while (depth > 0);
    return true;
}

// ---- what fields there are

static bool take_list_item(cursor *c, bool *is_first) {
    bool goes_on = *is_first || take(c, ',');
    *is_first = false;
    return goes_on;
}

// ["type","name"]: which place each name has in the list.
static mc_result read_fields(cursor *c, const char *const *names, uint32_t name_count,
                             uint32_t *fields, uint32_t *count) {
    bool is_first = true;
    *count = 0;
    if (!take(c, '[')) return fail(c, "expected a list of fields");
    while (!take(c, ']')) {
        span name;
        if (!take_list_item(c, &is_first) || !take_string(c, &name))
            return fail(c, "expected the name of a field");
        if (*count == MC_V8_FIELDS_MAX) return fail(c, "too many fields: more than 16");
        fields[*count] = MC_NONE;
        for (uint32_t i = 0; i < name_count; i++)
            if (is(name, names[i])) fields[*count] = i;
        ++*count;
    }
    return MC_OK;
}

// [["hidden","array"],"string"]: the kinds in the first list.
static mc_result read_kinds(cursor *c, const char *const *names, uint32_t name_count,
                            uint8_t *kinds) {
    bool is_first = true;
    uint32_t count = 0;
    const char *begin = c->at;
    memset(kinds, (int)name_count, MC_V8_KINDS_MAX);
    bool is_list = take(c, '[');
    is_list = take(c, '[') && is_list;
    if (!is_list) return fail(c, "expected a list of types");
    while (!take(c, ']')) {
        span name;
        if (!take_list_item(c, &is_first) || !take_string(c, &name))
            return fail(c, "expected the name of a type");
        if (count == MC_V8_KINDS_MAX) return fail(c, "too many types: more than 64");
        for (uint32_t i = 0; i < name_count; i++)
            if (is(name, names[i])) kinds[count] = (uint8_t)i;
        count++;
    }
    c->at = begin;
    return skip_value(c) ? MC_OK : fail(c, "expected a list of types");
}

static mc_result read_location_fields(cursor *c, mc_v8_file *file) {
    static const char *const names[] = {"object_index", "line", "column"};
    uint32_t fields[MC_V8_FIELDS_MAX];
    file->location_object = file->location_line = file->location_column = MC_NONE;
    mc_result result = read_fields(c, names, 3, fields, &file->location_field_count);
    for (uint32_t i = 0; result == MC_OK && i < file->location_field_count; i++) {
        if (fields[i] == 0) file->location_object = i;
        if (fields[i] == 1) file->location_line = i;
        if (fields[i] == 2) file->location_column = i;
    }
    return result;
}

static mc_result read_meta_member(cursor *c, mc_v8_file *file, span key) {
    static const char *const node_fields[] = {"type",      "name",       "id",
                                              "self_size", "edge_count", "detachedness"};
    static const char *const edge_fields[] = {"type", "name_or_index", "to_node"};
    static const char *const node_kinds[] = {"hidden",
                                             "array",
                                             "string",
                                             "object",
                                             "code",
                                             "closure",
                                             "regexp",
                                             "number",
                                             "native",
                                             "synthetic",
                                             "concatenated string",
                                             "sliced string",
                                             "symbol",
                                             "bigint",
                                             "object shape",
                                             "wasm object"};
    static const char *const edge_kinds[] = {"context", "element",  "property", "internal",
                                             "hidden",  "shortcut", "weak"};
    if (is(key, "node_fields"))
        return read_fields(c, node_fields, MC_V8_NODE_FIELD_COUNT, file->node_fields,
                           &file->node_field_count);
    if (is(key, "edge_fields"))
        return read_fields(c, edge_fields, MC_V8_EDGE_FIELD_COUNT, file->edge_fields,
                           &file->edge_field_count);
    if (is(key, "node_types"))
        return read_kinds(c, node_kinds, MC_V8_NODE_KIND_COUNT, file->node_kinds);
    if (is(key, "edge_types"))
        return read_kinds(c, edge_kinds, MC_V8_EDGE_KIND_COUNT, file->edge_kinds);
    if (is(key, "location_fields")) return read_location_fields(c, file);
    return skip_value(c) ? MC_OK : fail(c, "expected a value");
}

typedef mc_result (*member_reader)(cursor *c, mc_v8_file *file, span key);

static mc_result read_members(cursor *c, mc_v8_file *file, member_reader read) {
    bool is_first = true;
    if (!take(c, '{')) return fail(c, "expected {");
    while (!take(c, '}')) {
        span key;
        if (!take_list_item(c, &is_first) || !take_string(c, &key) || !take(c, ':'))
            return fail(c, "expected a member");
        mc_result result = read(c, file, key);
        if (result != MC_OK) return result;
        if (file->is_cut) return MC_OK;
    }
    return MC_OK;
}

static mc_result read_snapshot_member(cursor *c, mc_v8_file *file, span key) {
    if (is(key, "meta")) return read_members(c, file, read_meta_member);
    return skip_value(c) ? MC_OK : fail(c, "expected a value");
}

// ---- arrays

static mc_result find_ints(cursor *c, mc_v8_ints *ints) {
    if (!take(c, '[')) return fail(c, "expected a list of numbers");
    if (!mc_v8_ints_find(ints, c->at, c->end, c->thread_count))
        return mc_error_out_of_memory(c->error);
    if (!ints->end) return fail_at(c, c->end, "the file ends too early");
    c->at = ints->end + 1;
    return MC_OK;
}

static mc_result read_strings(cursor *c, mc_v8_file *file) {
    size_t capacity = 0;
    bool is_first = true;
    mc_free(file->strings);
    file->strings = NULL;
    file->string_count = 0;
    if (!take(c, '[')) return fail(c, "expected a list of texts");
    for (;;) {
        span string;
        skip_blanks(c);
        if (!mc_reserve(&file->strings, &capacity, (size_t)file->string_count + 2,
                        sizeof *file->strings))
            return mc_error_out_of_memory(c->error);
        if (c->at < c->end && *c->at == ']') break;
        bool is_there = take_list_item(c, &is_first) && take_string(c, &string);
        if (!is_there && c->at == c->end) {
            file->is_cut = true;
            return MC_OK;
        }
        if (!is_there) return fail(c, "expected a text");
        if (file->string_count == STRINGS_MAX) return fail(c, "too many texts: 2^31 or more");
        file->strings[file->string_count++] = (uint64_t)(string.text - file->data);
    }
    c->at++;
    return MC_OK;
}

static mc_result read_member(cursor *c, mc_v8_file *file, span key) {
    if (is(key, "snapshot")) return read_members(c, file, read_snapshot_member);
    if (is(key, "nodes")) return find_ints(c, &file->nodes);
    if (is(key, "edges")) return find_ints(c, &file->edges);
    if (is(key, "locations")) return find_ints(c, &file->locations);
    if (is(key, "samples")) return find_ints(c, &file->samples);
    if (is(key, "strings")) return read_strings(c, file);
    return skip_value(c) ? MC_OK : fail(c, "expected a value");
}

static bool has_fields(const uint32_t *fields, uint32_t count, uint32_t wanted) {
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++)
        if (fields[i] < wanted) found |= 1u << fields[i];
    return found == (1u << wanted) - 1;
}

static mc_result check(const cursor *c, const mc_v8_file *file) {
    if (!has_fields(file->node_fields, file->node_field_count, MC_V8_NODE_DETACHED) ||
        !has_fields(file->edge_fields, file->edge_field_count, MC_V8_EDGE_FIELD_COUNT))
        return fail_at(c, file->data, "it does not say what fields its nodes and edges have");
    if (!file->nodes.begin || !file->edges.begin)
        return fail_at(c, c->end, "the file ends before its nodes and edges");
    if (file->nodes.count == 0 || file->nodes.count % file->node_field_count != 0 ||
        file->nodes.count / file->node_field_count >= MC_NONE / 4)
        return fail_at(c, file->nodes.begin, "its nodes are no whole number of nodes");
    if (file->edges.count % file->edge_field_count != 0 ||
        file->edges.count / file->edge_field_count >= UINT32_MAX)
        return fail_at(c, file->edges.begin, "its edges are no whole number of edges");
    return MC_OK;
}

mc_result mc_v8_file_init(mc_v8_file *file, const unsigned char *data, uint64_t size,
                          uint32_t thread_count, mc_error *error) {
    *file = (mc_v8_file){.data = (const char *)data, .end = (const char *)data + size};
    cursor c = {file, file->data, file->end, thread_count, error};
    mc_result result = read_members(&c, file, read_member);
    if (result != MC_OK) return result;
    return check(&c, file);
}

// ---- strings

const char *mc_v8_file_get_raw(const mc_v8_file *file, uint32_t index, size_t *size) {
    *size = 0;
    if (index >= file->string_count) return "";
    cursor c = {.at = file->data + file->strings[index] - 1, .end = file->end};
    span string;
    if (!take_string(&c, &string)) return "";
    *size = string.size;
    return string.text;
}

static uint32_t get_hex(const char *at) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        const char c = at[i], letter = mc_to_lower(c);
        if (!mc_is_digit(c) && !(letter >= 'a' && letter <= 'f')) return 0xfffd;
        value = value << 4 | (uint32_t)(mc_is_digit(c) ? c - '0' : letter - 'a' + 10);
    }
    return value;
}

static void append_code(mc_text *text, uint32_t code) {
    char bytes[4];
    mc_text_append(text, bytes, mc_utf8_encode(code, bytes));
}

static const char *append_escape(const char *at, const char *end, mc_text *text) {
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    const char *known = strchr(from, *at);
    if (*at != 'u') {
        char c = known && *at != '\0' ? to[known - from] : *at;
        mc_text_append(text, &c, 1);
        return at + 1;
    }
    if (end - at < 5) return end;
    uint32_t code = get_hex(at + 1);
    at += 5;
    if (code >= 0xd800 && code < 0xe000) {
        bool has_low = code < 0xdc00 && end - at >= 6 && at[0] == '\\' && at[1] == 'u';
        uint32_t low = has_low ? get_hex(at + 2) : 0;
        if (low >= 0xdc00 && low < 0xe000) {
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
            at += 6;
        } else {
            code = 0xfffd;
        }
    }
    append_code(text, code == 0 ? 0xfffd : code);
    return at;
}

void mc_v8_file_append_string(const mc_v8_file *file, uint32_t index, size_t most, mc_text *text) {
    size_t size, begin = text->size;
    const char *at = mc_v8_file_get_raw(file, index, &size), *end = at + size;
    if (index >= file->string_count) mc_text_append_string(text, "(unknown)");
    while (at < end && !text->failed && text->size - begin < most) {
        const char *slash = memchr(at, '\\', (size_t)(end - at));
        size_t plain = (size_t)((slash ? slash : end) - at);
        size_t room = most - (text->size - begin);
        if (plain > room) {
            plain = room;
            while (plain > 0 && ((unsigned char)at[plain] & 0xc0) == 0x80)
                plain--; // no half of a character
            mc_text_append(text, at, plain);
            return;
        }
        mc_text_append(text, at, plain);
        at += plain;
        if (slash && at + 1 < end) at = append_escape(at + 1, end, text);
    }
}
