#include "engine/import/ruby/ruby_rows.h"

#include "engine/base/ascii.h"
#include "engine/base/memory.h"
#include <string.h>

typedef struct cursor {
    const char *at, *end;
} cursor;

static void skip_blanks(cursor *c) {
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\t' || *c->at == '\r'))
        c->at++;
}

static inline bool take(cursor *c, char wanted) {
    if (c->at < c->end && *c->at != wanted) skip_blanks(c); // seldom are there any
    if (c->at == c->end || *c->at != wanted) return false;
    c->at++;
    return true;
}

// The first quote or backslash; the end if there is none.
static const char *find_special(const char *at, const char *end) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    const uint64_t ones = 0x0101010101010101u, highest = 0x8080808080808080u;
    for (uint64_t word; end - at >= 8; at += 8) {
        memcpy(&word, at, sizeof word);
        const uint64_t quote = word ^ ones * '"', slash = word ^ ones * '\\';
        // A byte that is 0 gets its highest bit; behind the first one, others may as well.
        const uint64_t found = ((quote - ones) & ~quote) | ((slash - ones) & ~slash);
        if (found & highest) return at + __builtin_ctzll(found & highest) / 8;
    }
#endif
    while (at < end && *at != '"' && *at != '\\')
        at++;
    return at;
}

static bool take_string(cursor *c, mc_ruby_span *string) {
    if (!take(c, '"')) return false;
    const char *begin = c->at;
    while ((c->at = find_special(c->at, c->end)) < c->end && *c->at == '\\')
        c->at += c->end - c->at > 1 ? 2 : 1;
    if (c->at >= c->end) return false;
    *string = (mc_ruby_span){begin, (size_t)(c->at - begin)};
    c->at++;
    return true;
}

// Up to the bracket that closes `depth` of them, which is taken.
static bool skip_nested(cursor *c, uint32_t depth) {
    mc_ruby_span text;
    while (depth > 0 && c->at < c->end) {
        const char at = *c->at;
        if (at == '"') {
            if (!take_string(c, &text)) return false;
            continue;
        }
        c->at++;
        if (at == '[' || at == '{') depth++;
        if (at == ']' || at == '}') depth--;
    }
    return depth == 0;
}

// The value as it stands there: a string without its quotes, a list with its brackets.
static bool take_value(cursor *c, mc_ruby_span *value) {
    skip_blanks(c);
    if (c->at == c->end) return false;
    if (*c->at == '"') return take_string(c, value);
    const char *begin = c->at;
    if (*begin == '[' || *begin == '{') {
        c->at++;
        if (!skip_nested(c, 1)) return false;
    } else {
        while (c->at < c->end && *c->at != ',' && *c->at != '}' && *c->at != ' ')
            c->at++;
    }
    *value = (mc_ruby_span){begin, (size_t)(c->at - begin)};
    return value->size > 0;
}

static uint64_t get_number(mc_ruby_span text) {
    uint64_t number = 0;
    for (size_t i = 0; i < text.size && i < 18 && mc_is_digit(text.text[i]); i++)
        number = number * 10 + (uint64_t)(text.text[i] - '0');
    return number;
}

// "0x7f2527bf1dc0"
static uint64_t get_address(mc_ruby_span text) {
    uint64_t number = 0;
    if (text.size < 3 || text.size > 18 || text.text[0] != '0' || text.text[1] != 'x') return 0;
    for (size_t i = 2; i < text.size; i++) {
        const char c = mc_to_lower(text.text[i]);
        if (!mc_is_digit(c) && !(c >= 'a' && c <= 'f')) return 0;
        number = number << 4 | (uint64_t)(mc_is_digit(c) ? c - '0' : c - 'a' + 10);
    }
    return number;
}

static bool is_named(mc_ruby_span key, const char *name, size_t size) {
    return key.size == size && memcmp(key.text, name, size) == 0;
}

#define IS(key, name) is_named(key, name, sizeof(name) - 1)

static void set_member(mc_ruby_row *row, mc_ruby_span key, mc_ruby_span value) {
    if (IS(key, "address"))
        row->address = get_address(value);
    else if (IS(key, "type"))
        row->type = value;
    else if (IS(key, "class"))
        row->class_address = get_address(value);
    else if (IS(key, "file"))
        row->file = value;
    else if (IS(key, "line"))
        row->line = get_number(value);
    else if (IS(key, "generation"))
        row->generation = get_number(value);
    else if (IS(key, "memsize"))
        row->size = get_number(value);
    else if (IS(key, "name"))
        row->name = value;
    else if (IS(key, "imemo_type"))
        row->imemo_type = value;
    else if (IS(key, "struct"))
        row->structure = value;
    else if (IS(key, "real_class_name"))
        row->real_class_name = value;
    else if (IS(key, "root"))
        row->root = value;
}

// What is no address ends them: Ruby writes nothing else.
static bool take_references(cursor *c, mc_ruby_row *row, mc_ruby_addresses *into) {
    mc_ruby_span text;
    row->references = into->count;
    if (!take(c, '[')) return take_value(c, &text);
    for (uint64_t address; take_string(c, &text) && (address = get_address(text)) != 0;) {
        if (!mc_reserve(&into->items, &into->capacity, into->count + 1, sizeof *into->items)) {
            into->failed = true;
            return false;
        }
        into->items[into->count++] = address;
        (void)take(c, ',');
    }
    row->reference_count = into->count - row->references;
    return skip_nested(c, 1);
}

bool mc_ruby_row_read(const char *line, size_t size, mc_ruby_row *row,
                      mc_ruby_addresses *addresses) {
    cursor c = {line, line + size};
    *row = (mc_ruby_row){.address = 0};
    if (!take(&c, '{')) return false;
    for (;;) {
        mc_ruby_span key, value;
        if (!take_string(&c, &key) || !take(&c, ':')) return false;
        if (IS(key, "references")) {
            if (!take_references(&c, row, addresses)) return false;
        } else {
            if (!take_value(&c, &value)) return false;
            set_member(row, key, value);
        }
        if (take(&c, '}')) return true;
        if (!take(&c, ',')) return false;
    }
}
