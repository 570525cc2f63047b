#include "app/trace_location.h"

#include "app/far_address.h"
#include "engine/base/memory.h"
#include "engine/import/websocket/ws_address.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Between two paths, on both sides of what the second is to the first.
#define SEPARATOR '\x1f'

static const char *const relations[] = {"with", "versus"};

static bool is_address(const char *path) {
    return mc_ws_is_address(path) || mc_far_is_address(path);
}

static bool is_one_there(const char *path) {
    return is_address(path) || access(path, F_OK) == 0;
}

bool mc_trace_location_is_there(const char *path) {
    mc_trace_location_pair pair;
    bool is_there = mc_trace_location_split(path, &pair)
                        ? is_one_there(pair.path) && is_one_there(pair.other)
                        : is_one_there(path);
    mc_trace_location_pair_deinit(&pair);
    return is_there;
}

char *mc_trace_location_make_whole(const char *path) {
    if (is_address(path)) return mc_copy_string(path);
    char *whole = realpath(path, NULL), *copy = whole ? mc_copy_string(whole) : NULL;
    free(whole);
    return copy;
}

const char *mc_trace_location_get_label(const char *path) {
    const char *slash = mc_ws_is_address(path) ? NULL : strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

// ---- two

// Of a pair what stands between its paths, as SEPARATOR, relation, SEPARATOR.
static const char *find_relation(const char *path, size_t *size, bool *is_versus) {
    for (const char *at = path; (at = strchr(at, SEPARATOR)); at++) {
        for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
            size_t length = strlen(relations[i]);
            bool is_here = strncmp(at + 1, relations[i], length) == 0 &&
                           at[1 + length] == SEPARATOR && at > path && at[2 + length];
            if (!is_here) continue;
            *size = length + 2;
            *is_versus = i > 0;
            return at;
        }
    }
    return NULL;
}

bool mc_trace_location_is_pair(const char *path) {
    size_t size;
    bool is_versus;
    return find_relation(path, &size, &is_versus) != NULL;
}

char *mc_trace_location_make_pair(const char *path, bool is_versus, const char *other) {
    char *whole = mc_trace_location_make_whole(path), *beside = mc_trace_location_make_whole(other);
    mc_text text = {0};
    if (whole && beside)
        mc_text_format(&text, "%s%c%s%c%s", whole, SEPARATOR, relations[is_versus], SEPARATOR,
                       beside);
    mc_free(whole);
    mc_free(beside);
    if (!text.failed) return text.data;
    mc_text_deinit(&text);
    return NULL;
}

bool mc_trace_location_split(const char *path, mc_trace_location_pair *pair) {
    size_t size;
    *pair = (mc_trace_location_pair){.path = NULL};
    const char *at = find_relation(path, &size, &pair->is_versus);
    if (!at) return false;
    pair->path = mc_copy_string(path);
    pair->other = mc_copy_string(at + size);
    if (pair->path) pair->path[at - path] = '\0';
    return pair->path && pair->other;
}

void mc_trace_location_pair_deinit(mc_trace_location_pair *pair) {
    mc_free(pair->path);
    mc_free(pair->other);
    *pair = (mc_trace_location_pair){.path = NULL};
}

static const char *get_whole(const char *path) {
    return path;
}

static void append(const char *path, const char *(*get)(const char *), mc_text *out) {
    mc_trace_location_pair pair;
    if (mc_trace_location_split(path, &pair))
        mc_text_format(out, "%s %s %s", get(pair.path), relations[pair.is_versus], get(pair.other));
    else
        mc_text_append_string(out, get(path));
    mc_trace_location_pair_deinit(&pair);
}

void mc_trace_location_append_label(const char *path, mc_text *out) {
    append(path, mc_trace_location_get_label, out);
}

void mc_trace_location_append(const char *path, mc_text *out) {
    append(path, get_whole, out);
}
