#include "app/mcp/mcp_cut.h"

#include <string.h>

enum { DEPTH_MOST = 64, LISTS_MOST = 64 };

typedef struct list {
    size_t begin, end; // of its brackets
    uint32_t items;
} list;

// Behind the string that begins at `at`.
static size_t skip_string(const char *text, size_t at, size_t size) {
    for (at++; at < size && text[at] != '"'; at++)
        if (text[at] == '\\') at++;
    return at < size ? at + 1 : size;
}

// The list that takes most bytes of those with two items or more. False: there is none.
static bool find_largest(const char *text, size_t size, list *largest) {
    list open[DEPTH_MOST];
    uint32_t depth = 0;
    *largest = (list){.items = 0};
    for (size_t at = 0; at < size;) {
        char byte = text[at];
        if (byte == '"') {
            at = skip_string(text, at, size);
            continue;
        }
        if (byte == '[' || byte == '{') {
            if (depth == DEPTH_MOST) return largest->items > 1;
            open[depth++] = (list){.begin = at, .items = 1};
        } else if (byte == ',' && depth > 0) {
            open[depth - 1].items++;
        } else if ((byte == ']' || byte == '}') && depth > 0) {
            list closed = open[--depth];
            closed.end = at;
            bool is_larger = closed.end - closed.begin > largest->end - largest->begin;
            if (byte == ']' && closed.items > 1 && is_larger) *largest = closed;
        }
        at++;
    }
    return largest->items > 1;
}

typedef struct item {
    size_t begin, end; // without commas around it
} item;

// The item of a list behind `last`, which is zeroed at first. False: there is none.
static bool next_item(const char *text, const list *whole, item *last) {
    const size_t begin = last->end > 0 ? last->end + 1 : whole->begin + 1;
    uint32_t depth = 0;
    size_t at = begin;
    if (begin > whole->end) return false;
    while (at < whole->end && (text[at] != ',' || depth > 0)) {
        const char byte = text[at];
        depth += byte == '[' || byte == '{';
        depth -= (byte == ']' || byte == '}') && depth > 0;
        at = byte == '"' ? skip_string(text, at, whole->end) : at + 1;
    }
    *last = (item){begin, at};
    return true;
}

// Where the list's last item that stays ends, if it shall have `wanted` bytes at most; one stays.
static size_t find_cut(const char *text, const list *whole, size_t wanted, uint32_t *kept) {
    size_t end = 0;
    *kept = 0;
    for (item at = {0, 0}; next_item(text, whole, &at) && at.end < whole->end; ++*kept) {
        if (*kept > 0 && at.end - whole->begin > wanted) break;
        end = at.end;
    }
    return end;
}

// The item of a list that leaves no room for the others: the longest one, if it takes more than
// half of it all, or, where it is the first one, which matters most, all of it.
static bool find_giant(const char *text, const list *whole, size_t most, item *giant) {
    *giant = (item){0, 0};
    for (item at = {0, 0}; next_item(text, whole, &at);) {
        const bool is_first = at.begin == whole->begin + 1;
        const size_t size = at.end - at.begin;
        if (size > (is_first ? most : most / 2) && size > giant->end - giant->begin) *giant = at;
    }
    return giant->end > 0;
}

static void drop(mc_text *json, size_t begin, size_t end) {
    memmove(json->data + begin, json->data + end, json->size - end);
    json->size -= end - begin;
    json->data[json->size] = '\0';
}

// With the comma before it, or behind it if it is the first one.
static void drop_item(mc_text *json, const list *whole, item dropped) {
    if (dropped.begin > whole->begin + 1)
        drop(json, dropped.begin - 1, dropped.end);
    else
        drop(json, dropped.begin, dropped.end + 1);
}

uint32_t mc_mcp_cut(mc_text *json, size_t most) {
    uint32_t dropped = 0;
    list whole;
    item giant;
    for (; dropped < LISTS_MOST && json->size > most; dropped++) {
        if (!find_largest(json->data, json->size, &whole) ||
            !find_giant(json->data, &whole, most, &giant))
            break;
        drop_item(json, &whole, giant);
    }
    for (uint32_t i = 0; i < LISTS_MOST && json->size > most; i++) {
        uint32_t kept;
        if (!find_largest(json->data, json->size, &whole)) break;
        size_t size = whole.end - whole.begin, excess = json->size - most;
        size_t end = find_cut(json->data, &whole, size > excess ? size - excess : 0, &kept);
        if (kept == 0) break;
        dropped += whole.items - kept;
        drop(json, end, whole.end);
    }
    return dropped;
}
