#include "engine/scene/name_fit.h"

#include "engine/scene/drawing.h"
#include <string.h>

#define LONGEST_EXTENSION 4

static bool is_continued(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

// The next word of "HostConnectionPool": "ConnectionPool"; of "trace-view.png": "view.png". NULL:
// there is none.
static const char *find_word(const char *name) {
    for (const char *at = name + 1; name[0] && at[0]; at++) {
        bool is_upper = at[0] >= 'A' && at[0] <= 'Z', follows = at[-1] >= 'a' && at[-1] <= 'z';
        if (is_upper && follows) return at;
        if ((at[-1] == '-' || at[-1] == '_') && at - 1 > name) return at;
    }
    return NULL;
}

// "png" of "view.png" says nothing by itself.
static bool is_extension(const char *name, const char *rest) {
    size_t size = strlen(rest), small = strspn(rest, "abcdefghijklmnopqrstuvwxyz0123456789");
    if (rest == name || rest[-1] != '.' || size != small) return false;
    return size <= LONGEST_EXTENSION || strchr(name, '.') == rest - 1;
}

// An ellipsis before a full stop would be four dots.
static const char *take_separator(const char *name, const char *rest) {
    while (rest > name && (rest[-1] == '$' || rest[-1] == '/' || rest[-1] == ':'))
        rest--;
    return rest;
}

typedef struct fitting {
    const char *name;
    float room;
    mc_text_measure measure;
    void *user;
    float dots;
    mc_name_part *part;
    const char *arrow; // of "a → b", until it was tried to leave `a` out
} fitting;

static const char arrow[] = " \xe2\x86\x92 ";

static bool try_end(const fitting *f, const char *begin) {
    const char *end = begin + strlen(begin);
    float width = f->dots + f->measure(f->user, begin, end);
    if (width > f->room) return false;
    *f->part = (mc_name_part){.begin = (size_t)(begin - f->name),
                              .end = (size_t)(end - f->name),
                              .is_cut_before = true,
                              .width = width};
    return true;
}

// As many letters as fit of the word `begin`: its last ones behind something that has gone, else
// its first ones.
static bool tear(const fitting *f, const char *begin) {
    const char *end = begin + strlen(begin);
    bool has_front = begin > f->name;
    while (end > begin && f->dots + f->measure(f->user, begin, end) > f->room) {
        do
            has_front ? begin++ : end--;
        while (end > begin && is_continued(has_front ? *begin : *end));
    }
    while (end > begin && !has_front && (end[-1] == '.' || end[-1] == '$'))
        end--;
    if (end - begin < 2) return false;
    *f->part = (mc_name_part){.begin = (size_t)(begin - f->name),
                              .end = (size_t)(end - f->name),
                              .is_cut_before = has_front,
                              .is_cut_after = !has_front,
                              .is_torn = true,
                              .width = f->dots + f->measure(f->user, begin, end)};
    return true;
}

// Before something of `b` goes, of which `rest` is what would stay, all of `a` does.
static bool try_arrow(fitting *f, const char *rest) {
    const char *at = f->arrow;
    if (!at || rest <= at) return false;
    f->arrow = NULL;
    return try_end(f, at + 1) || try_end(f, at + sizeof arrow - 1);
}

bool mc_name_fit(const char *name, float width, mc_text_measure measure, void *user,
                 mc_name_part *part) {
    size_t size = strlen(name);
    float whole = measure(user, name, name + size);
    *part = (mc_name_part){.end = size, .width = whole};
    if (width <= 0 || whole <= width) return true;
    static const char dots[] = MC_ELLIPSIS;
    fitting f = {name,
                 width,
                 measure,
                 user,
                 measure(user, dots, dots + sizeof dots - 1),
                 part,
                 strstr(name, arrow)};
    const char *last = name;
    for (const char *rest = mc_drawn_name_shorten(name); rest; rest = mc_drawn_name_shorten(rest)) {
        if (is_extension(name, rest)) break;
        if (try_arrow(&f, rest)) return true;
        if (try_end(&f, take_separator(name, rest)) || try_end(&f, rest)) return true;
        last = rest;
    }
    for (const char *word = find_word(last); word; word = find_word(word))
        if (try_arrow(&f, word) || try_end(&f, word)) return true;
    if (try_arrow(&f, name + size)) return true;
    return tear(&f, last);
}
