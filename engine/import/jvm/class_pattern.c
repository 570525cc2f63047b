#include "engine/import/jvm/class_pattern.h"

#include <string.h>

static bool matches(const char *pattern, size_t length, const char *name, size_t size) {
    size_t at = 0, star = SIZE_MAX, behind = 0; // the last star, and what it has come to stand for
    for (size_t i = 0; i < size || at < length;) {
        if (at < length && pattern[at] == '*') {
            star = at++;
            behind = i;
        } else if (at < length && i < size &&
                   (pattern[at] == '.' ? '/' : pattern[at]) == (name[i] == '.' ? '/' : name[i])) {
            at++;
            i++;
        } else if (star != SIZE_MAX && behind < size) {
            at = star + 1;
            i = ++behind;
        } else {
            return false;
        }
    }
    return true;
}

bool mc_class_pattern_matches(const char *patterns, const char *name, size_t size) {
    for (const char *at = patterns; at && *at;) {
        size_t length = strcspn(at, ",");
        if (matches(at, length, name, size)) return true;
        at += length + (at[length] == ',');
    }
    return false;
}
