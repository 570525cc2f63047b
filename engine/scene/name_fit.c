#include "engine/scene/name_fit.h"

#include "engine/scene/drawing.h"
#include <string.h>

static bool is_continued(char c) {
    return ((unsigned char)c & 0xc0) == 0x80;
}

// The next word of "HostConnectionPool": "ConnectionPool"; of "trace-view.png": "view.png". NULL:
// there is none.
static const char *find_word(const char *name, const char *end) {
    for (const char *at = name + 1; at < end; at++) {
        bool is_upper = at[0] >= 'A' && at[0] <= 'Z', follows = at[-1] >= 'a' && at[-1] <= 'z';
        if (is_upper && follows) return at;
        if ((at[-1] == '-' || at[-1] == '_') && at - 1 > name) return at;
    }
    return NULL;
}

static bool is_one_of(const char *const *words, const char *text, size_t size) {
    for (size_t i = 0; words[i]; i++)
        if (strlen(words[i]) == size && memcmp(words[i], text, size) == 0) return true;
    return false;
}

// "png" of "view.png" says nothing by itself, nor does "java:121"; but "util" of "java.util" does.
static bool is_extension(const char *name, const char *rest) {
    static const char *const extensions[] = {
        "c",   "cc",   "cpp",   "css",  "csv",  "dll",   "dylib", "gif",  "go",    "h",
        "hpp", "html", "ico",   "jar",  "java", "jpeg",  "jpg",   "js",   "json",  "jsx",
        "kt",  "map",  "md",    "mjs",  "out",  "pdf",   "php",   "png",  "proto", "py",
        "rb",  "rs",   "scala", "so",   "svg",  "swift", "toml",  "ts",   "tsx",   "ttf",
        "txt", "vue",  "wasm",  "webp", "woff", "woff2", "xml",   "yaml", "yml",   NULL};
    // "org.json" is a package.
    static const char *const domains[] = {"com",   "groovy", "io",  "java",
                                          "javax", "net",    "org", NULL};
    if (rest == name || rest[-1] != '.') return false;
    size_t size = strcspn(rest, ":"),
           digits = rest[size] ? strspn(rest + size + 1, "0123456789") : 0;
    bool is_last = !rest[size] || (digits > 0 && !rest[size + 1 + digits]);
    bool is_package = is_one_of(domains, name, (size_t)(rest - 1 - name));
    return is_last && !is_package && is_one_of(extensions, rest, size);
}

// An ellipsis before a full stop would be four dots.
static const char *take_separator(const char *name, const char *rest) {
    while (rest > name && (rest[-1] == '$' || rest[-1] == '/' || rest[-1] == ':'))
        rest--;
    return rest;
}

typedef struct fitting {
    const char *name, *end;
    const char *gap, *behind_gap; // what is left out; or NULL
    float room;
    mc_text_measure measure;
    void *user;
    float dots;
    mc_name_part *part;
    const char *arrow; // of "a → b", until it was tried to leave `a` out
} fitting;

static const char arrow[] = " \xe2\x86\x92 ";

static float measure_rest(const fitting *f, const char *begin) {
    if (!f->gap || begin > f->gap) return f->measure(f->user, begin, f->end);
    return f->measure(f->user, begin, f->gap) + f->measure(f->user, f->behind_gap, f->end);
}

static bool try_end(const fitting *f, const char *begin) {
    bool is_cut = begin > f->name;
    float width = (is_cut ? f->dots : 0) + measure_rest(f, begin);
    if (width > f->room) return false;
    *f->part = (mc_name_part){.begin = (size_t)(begin - f->name),
                              .end = (size_t)(f->end - f->name),
                              .is_cut_before = is_cut,
                              .width = width};
    if (f->gap && begin <= f->gap) {
        f->part->gap_begin = (size_t)(f->gap - f->name);
        f->part->gap_end = (size_t)(f->behind_gap - f->name);
    }
    return true;
}

// As many letters as fit of the word `begin`.
static bool tear(const fitting *f, const char *begin) {
    const char *end = f->end;
    while (end > begin && f->dots + f->measure(f->user, begin, end) > f->room) {
        do
            end--;
        while (end > begin && is_continued(*end));
    }
    while (end > begin && (end[-1] == '.' || end[-1] == '$' || end[-1] == ' '))
        end--;
    if (end - begin < 2) return false;
    *f->part = (mc_name_part){.begin = (size_t)(begin - f->name),
                              .end = (size_t)(end - f->name),
                              .is_cut_after = true,
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

// "Concurr…$Node": the outer class's first letters; `inner` begins with its separator. Fewer than
// three letters tell nothing, and one letter less takes as much room as its ellipsis.
static bool try_outer(const fitting *f, const char *outer, const char *inner) {
    enum { LEAST = 3 };
    const char *end = inner;
    if (f->gap || *inner != '$' || outer >= inner) return false;
    float room = f->room - f->dots - f->measure(f->user, inner, f->end);
    do {
        do
            end--;
        while (end > outer && is_continued(*end));
    } while (end >= outer + LEAST && f->measure(f->user, outer, end) > room);
    if (end < outer + LEAST || end + 1 >= inner) return false;
    *f->part = (mc_name_part){.begin = (size_t)(outer - f->name),
                              .end = (size_t)(f->end - f->name),
                              .gap_begin = (size_t)(end - f->name),
                              .gap_end = (size_t)(inner - f->name),
                              .has_gap_dots = true,
                              .width = f->room - room + f->measure(f->user, outer, end)};
    return true;
}

// Without packages and outer classes. *last: what can't be shortened so.
static bool try_parts(fitting *f, const char **last) {
    const char *rest = *last = f->name;
    while ((rest = mc_drawn_name_shorten(rest)) && rest < f->end) {
        if (is_extension(f->name, rest)) break;
        if (try_arrow(f, rest) || try_outer(f, *last, take_separator(f->name, rest))) return true;
        if (try_end(f, take_separator(f->name, rest)) || try_end(f, rest)) return true;
        *last = rest;
    }
    return false;
}

// "get(b/Pool.java:7)", "get (b/pool.py:7)": where the file begins, and where its line does.
static bool find_site(const char *name, const char *end, const char **file, const char **line) {
    const char *open = strchr(name, '('), *colon = end;
    if (!open || open == name || end[-1] != ')') return false;
    for (colon = end - 1; colon > open && colon[-1] >= '0' && colon[-1] <= '9';)
        colon--;
    *file = open + 1;
    *line = colon - 1;
    return colon < end - 1 && colon - 1 > open && colon[-1] == ':';
}

// *last is then what is called there.
static bool fit_site(fitting *f, const char *file, const char *line, const char **last) {
    const char *whole_end = f->end;
    for (const char *at = file; at < line; at++)
        if (*at == '/') f->behind_gap = at + 1;
    f->gap = f->behind_gap ? file : NULL;
    if (f->gap && try_end(f, f->name)) return true;
    f->gap = file - 1;
    if (f->gap > f->name && f->gap[-1] == ' ') f->gap--;
    f->behind_gap = line;
    f->end = whole_end - 1;
    if (try_end(f, f->name) || try_parts(f, last)) return true;
    f->end = f->gap;
    f->gap = f->behind_gap = NULL;
    return try_end(f, *last);
}

bool mc_name_fit(const char *name, float width, mc_text_measure measure, void *user,
                 mc_name_part *part) {
    size_t size = strlen(name);
    float whole = measure(user, name, name + size);
    *part = (mc_name_part){.end = size, .width = whole};
    if (width <= 0 || whole <= width) return true;
    static const char dots[] = MC_ELLIPSIS;
    fitting f = {.name = name,
                 .end = name + size,
                 .room = width,
                 .measure = measure,
                 .user = user,
                 .dots = measure(user, dots, dots + sizeof dots - 1),
                 .part = part,
                 .arrow = strstr(name, arrow)};
    const char *last = name, *file, *line;
    bool is_site = find_site(name, f.end, &file, &line);
    if (is_site ? fit_site(&f, file, line, &last) : try_parts(&f, &last)) return true;
    for (const char *word = find_word(last, f.end); word; word = find_word(word, f.end))
        if (try_arrow(&f, word) || try_end(&f, word)) return true;
    if (try_arrow(&f, f.end)) return true;
    return tear(&f, last[0] == '(' ? last + 1 : last); // "(primitive types)"
}

unsigned mc_name_part_get_pieces(const mc_name_part *part, const char *name,
                                 mc_name_piece pieces[MC_NAME_PIECES_MOST]) {
    static const char dots[] = MC_ELLIPSIS;
    const mc_name_piece ellipsis = {dots, dots + sizeof dots - 1};
    const char *begin = name + part->begin;
    unsigned count = 0;
    if (part->is_cut_before) pieces[count++] = ellipsis;
    if (part->gap_end > part->gap_begin) {
        pieces[count++] = (mc_name_piece){begin, name + part->gap_begin};
        if (part->has_gap_dots) pieces[count++] = ellipsis;
        begin = name + part->gap_end;
    }
    pieces[count++] = (mc_name_piece){begin, name + part->end};
    if (part->is_cut_after) pieces[count++] = ellipsis;
    return count;
}
