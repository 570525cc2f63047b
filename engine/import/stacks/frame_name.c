#include "engine/import/stacks/frame_name.h"

#include "engine/base/ascii.h"
#include <string.h>

static mc_span make(const char *begin, const char *end) {
    return (mc_span){begin, (size_t)(end - begin)};
}

static bool ends_with(mc_span span, const char *end) {
    size_t size = strlen(end);
    return span.size > size && memcmp(span.at + span.size - size, end, size) == 0;
}

// "_[j]": compiled, inlined, interpreted, by the first compiler, in the kernel.
static mc_span drop_mark(mc_span frame, bool *is_kernel) {
    static const char *const marks[] = {"_[j]", "_[i]", "_[0]", "_[1]", "_[k]"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (ends_with(frame, marks[i])) {
            frame.size -= 4;
            *is_kernel = marks[i][2] == 'k';
            break;
        }
    return frame;
}

// The last of `wanted` that stands in no brackets; NULL: there is none.
static const char *find_last(mc_span text, char wanted) {
    const char *found = NULL;
    uint32_t depth = 0;
    for (size_t i = 0; i < text.size; i++) {
        char byte = text.at[i];
        if (byte == '<' || byte == '(' || byte == '[' || byte == '{')
            depth++;
        else if ((byte == '>' || byte == ')' || byte == ']' || byte == '}') && depth > 0)
            depth--;
        else if (byte == wanted && depth == 0)
            found = text.at + i;
    }
    return found;
}

// The last "::" that stands in no brackets.
static const char *find_last_scope(mc_span text) {
    for (const char *at; (at = find_last(text, ':')); text.size = (size_t)(at - text.at))
        if (at > text.at && at[-1] == ':') return at - 1;
    return NULL;
}

// "add (acme/shop.py:7)": of a file with an extension.
static bool parse_script(mc_span frame, mc_frame_name *name) {
    const char *open = frame.size > 0 && frame.at[frame.size - 1] == ')'
                           ? memmem(frame.at, frame.size, " (", 2)
                           : NULL;
    if (!open || open == frame.at) return false;
    mc_span file = make(open + 2, frame.at + frame.size - 1);
    const char *colon = memrchr(file.at, ':', file.size);
    if (colon && colon + 1 < file.at + file.size && mc_is_digit(colon[1]))
        file = make(file.at, colon);
    const char *slash = memrchr(file.at, '/', file.size);
    mc_span base = slash ? make(slash + 1, file.at + file.size) : file;
    if (base.size == 0 || !memchr(base.at, '.', base.size) || memchr(file.at, ' ', file.size))
        return false;
    name->method = make(frame.at, open);
    name->class = base;
    if (slash) name->package = make(file.at, slash);
    return true;
}

// "net/http.(*conn).serve"
static bool parse_receiver(mc_span frame, mc_frame_name *name) {
    const char *open = memmem(frame.at, frame.size, ".(*", 3);
    const char *end = frame.at + frame.size;
    const char *close = open ? memmem(open, (size_t)(end - open), ").", 2) : NULL;
    if (!close || open == frame.at || close == open + 3 || close + 2 == end) return false;
    name->package = make(frame.at, open);
    name->class = make(open + 3, close);
    name->method = make(close + 2, end);
    return true;
}

static bool parse_scopes(mc_span frame, mc_frame_name *name) {
    const char *scope = find_last_scope(frame), *end = frame.at + frame.size;
    if (!scope || scope == frame.at || scope + 2 == end) return false;
    mc_span before = make(frame.at, scope);
    const char *outer = find_last_scope(before);
    name->method = make(scope + 2, end);
    name->class = outer && outer + 2 < scope ? make(outer + 2, scope) : before;
    if (name->class.at != before.at) name->package = make(before.at, outer);
    return true;
}

// "com/acme/Shop.add", "com.acme.Shop.add(Shop.java:42)"; hidden classes have an address behind a
// slash.
static bool parse_dots(mc_span frame, mc_frame_name *name) {
    const char *end = frame.at + frame.size;
    const char *open = memchr(frame.at, '(', frame.size);
    const char *hidden = memmem(frame.at, frame.size, "$$", 2);
    if (open) end = open;
    const char *dot = memrchr(frame.at, '.', (size_t)(end - frame.at));
    if (!dot || dot == frame.at || dot + 1 == end) return false;
    if (hidden && hidden > dot) hidden = NULL; // of the method
    const char *slash = memrchr(frame.at, '/', (size_t)((hidden ? hidden : dot) - frame.at));
    const char *last =
        slash ? slash : memrchr(frame.at, '.', (size_t)((hidden ? hidden : dot) - frame.at));
    if (last && last + 1 == dot) return false;
    name->method = make(dot + 1, frame.at + frame.size);
    // A place behind the name is where the method was, not which it is.
    if (open && memchr(open, ':', (size_t)(frame.at + frame.size - open)))
        name->method = make(dot + 1, open);
    name->class = make(last ? last + 1 : frame.at, dot);
    if (last) name->package = make(frame.at, last);
    return true;
}

mc_frame_name mc_frame_name_parse(const char *text, size_t size) {
    mc_frame_name name = {.is_kernel = false};
    mc_span frame = drop_mark((mc_span){text, size}, &name.is_kernel);
    if (name.is_kernel || frame.size == 0 || frame.at[0] == '[' || frame.at[0] == '(') {
        name.method = frame;
        return name;
    }
    bool is_parsed = parse_script(frame, &name) || parse_receiver(frame, &name) ||
                     parse_scopes(frame, &name) || parse_dots(frame, &name);
    if (!is_parsed) name.method = frame;
    return name;
}

bool mc_frame_name_take_level(mc_span *package, mc_span *level) {
    while (package->size > 0) {
        const char *end = package->at + package->size, *at = package->at;
        bool has_slash = memchr(at, '/', package->size) != NULL;
        uint32_t depth = 0;
        for (; at < end; at++) {
            if (*at == '<' || *at == '(') depth++;
            if ((*at == '>' || *at == ')') && depth > 0) depth--;
            if (depth == 0 && (*at == '/' || (!has_slash && (*at == '.' || *at == ':')))) break;
        }
        *level = make(package->at, at);
        *package = make(at < end ? at + 1 : end, end);
        if (level->size > 0) return true; // "::" is two, "/usr" begins with one
    }
    return false;
}

// "-12/15" or "-12" at its end, as perf has processes and threads.
static const char *find_numbers(mc_span frame) {
    const char *at = frame.at + frame.size;
    while (at > frame.at && (mc_is_digit(at[-1]) || at[-1] == '/'))
        at--;
    bool has_digits = at < frame.at + frame.size && mc_is_digit(*at);
    return has_digits && at > frame.at + 1 && at[-1] == '-' ? at - 1 : NULL;
}

bool mc_frame_name_is_thread(const char *text, size_t size, mc_span *name) {
    static const char tid[] = " tid=", thread[] = "thread ";
    mc_span frame = {text, size};
    const char *found = size > 2 && text[0] == '[' ? memmem(text, size, tid, sizeof tid - 1) : NULL;
    *name = frame;
    if (found && found > text + 1) {
        *name = make(text + 1, found);
        return true;
    }
    if (size > sizeof thread - 1 && memcmp(text, thread, sizeof thread - 1) == 0) {
        const char *colon = memmem(text, size, ": ", 2);
        if (colon && colon + 2 < text + size) *name = make(colon + 2, text + size);
        return true;
    }
    const char *numbers = find_numbers(frame);
    if (!numbers || memchr(text, '(', size) || memchr(text, '.', size)) return false;
    return memchr(numbers, '/', (size_t)(text + size - numbers)) != NULL;
}
