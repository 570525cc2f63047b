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

// Where the list's last item that stays ends, if it shall have `wanted` bytes at most; one stays.
static size_t find_cut(const char *text, const list *whole, size_t wanted, uint32_t *kept) {
    size_t end = 0;
    uint32_t depth = 0;
    *kept = 0;
    for (size_t at = whole->begin + 1; at < whole->end;) {
        char byte = text[at];
        if (byte == '"') {
            at = skip_string(text, at, whole->end);
            continue;
        }
        depth += byte == '[' || byte == '{';
        depth -= (byte == ']' || byte == '}') && depth > 0;
        if (byte == ',' && depth == 0) {
            if (*kept > 0 && at - whole->begin > wanted) return end;
            end = at;
            ++*kept;
        }
        at++;
    }
    return end;
}

typedef struct item {
    size_t begin, end; // without commas around it
} item;

// The item of a list that leaves no room for the others: the longest one, if it takes more than
// half of it all, or, where it is the first one, which matters most, all of it.
static bool find_giant(const char *text, const list *whole, size_t most, item *giant) {
    size_t begin = whole->begin + 1;
    uint32_t depth = 0, number = 0;
    *giant = (item){0, 0};
    for (size_t at = begin; at <= whole->end;) {
        const char byte = at < whole->end ? text[at] : ',';
        if (byte == '"') {
            at = skip_string(text, at, whole->end);
            continue;
        }
        depth += byte == '[' || byte == '{';
        depth -= (byte == ']' || byte == '}') && depth > 0;
        if (byte == ',' && depth == 0) {
            const size_t size = at - begin;
            if (size > (number++ == 0 ? most : most / 2) && size > giant->end - giant->begin)
                *giant = (item){begin, at};
            begin = at + 1;
        }
        at++;
    }
    return giant->end > 0;
}

// With the comma before it, or behind it if it is the first one.
static void drop(mc_text *json, const list *whole, item dropped) {
    if (dropped.begin > whole->begin + 1)
        dropped.begin--;
    else
        dropped.end++;
    memmove(json->data + dropped.begin, json->data + dropped.end, json->size - dropped.end);
    json->size -= dropped.end - dropped.begin;
    json->data[json->size] = '\0';
}

uint32_t mc_mcp_cut(mc_text *json, size_t most) {
    uint32_t dropped = 0;
    list whole;
    item giant;
    for (; dropped < LISTS_MOST && json->size > most; dropped++) {
        if (!find_largest(json->data, json->size, &whole) ||
            !find_giant(json->data, &whole, most, &giant))
            break;
        drop(json, &whole, giant);
    }
    for (uint32_t i = 0; i < LISTS_MOST && json->size > most; i++) {
        uint32_t kept;
        if (!find_largest(json->data, json->size, &whole)) break;
        size_t size = whole.end - whole.begin, excess = json->size - most;
        size_t end = find_cut(json->data, &whole, size > excess ? size - excess : 0, &kept);
        if (kept == 0) break;
        dropped += whole.items - kept;
        memmove(json->data + end, json->data + whole.end, json->size - whole.end);
        json->size -= whole.end - end;
        json->data[json->size] = '\0';
    }
    return dropped;
}
