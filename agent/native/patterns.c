#include "agent/native/patterns.h"

#include "agent/native/options.h"
#include <stdio.h>
#include <string.h>

// The JDK's, and what the agent itself brings.
static const char *const of_the_jdk[] = {"java.", "javax.",         "jdk.", "com.sun.",
                                         "sun.",  "memcity.agent.", NULL};

// Two stars may be tried again: the last of each kind. One that stops at a dot can't take over from
// one that does not, so no more is needed to be right, and the time is bounded by the product of
// both lengths.
static bool matches(const char *pattern, size_t size, const char *name) {
    const char *end = pattern + size;
    const char *star = NULL, *star_name = NULL; // of "*"
    const char *both = NULL, *both_name = NULL; // of "**"
    while (true) {
        if (pattern < end && *pattern == '*') {
            if (pattern + 1 < end && pattern[1] == '*') {
                both = pattern += 2;
                both_name = name;
                star = NULL;
            } else {
                star = ++pattern;
                star_name = name;
            }
        } else if (pattern == end ? !*name : *name && *pattern == *name) {
            if (pattern == end) return true;
            pattern++;
            name++;
        } else if (star && *star_name && *star_name != '.') {
            name = ++star_name;
            pattern = star;
        } else if (both && *both_name) {
            name = ++both_name;
            pattern = both;
            star = NULL;
        } else {
            return false;
        }
    }
}

static bool matches_any(const char *patterns, const char *name) {
    while (*patterns) {
        size_t size = strcspn(patterns, ",");
        if (size > 0 && matches(patterns, size, name)) return true;
        patterns += size + (patterns[size] == ',');
    }
    return false;
}

bool mc_patterns_have(const mc_patterns *patterns, const char *class_name) {
    if (matches_any(patterns->exclude, class_name)) return false;
    if (patterns->include[strspn(patterns->include, ",")])
        return matches_any(patterns->include, class_name);
    for (size_t i = 0; of_the_jdk[i]; i++)
        if (strncmp(class_name, of_the_jdk[i], strlen(of_the_jdk[i])) == 0) return false;
    return true;
}

static bool read_list(const char *options, const char *key, char list[MC_PATTERNS_SIZE], char *text,
                      size_t text_size) {
    mc_options_get(options, key, list, MC_PATTERNS_SIZE);
    if (strlen(list) < MC_PATTERNS_SIZE - 1) return true;
    snprintf(text, text_size, "the patterns to %s are longer than %d bytes", key,
             MC_PATTERNS_SIZE - 2);
    return false;
}

bool mc_patterns_read(mc_patterns *patterns, const char *options, char *text, size_t text_size) {
    return read_list(options, "include", patterns->include, text, text_size) &&
           read_list(options, "exclude", patterns->exclude, text, text_size);
}

bool mc_patterns_get_class_name(const char *internal, char *name, size_t size) {
    size_t length = strlen(internal);
    if (internal[0] == 'L' && length >= 2 && internal[length - 1] == ';') {
        internal++;
        length -= 2;
    }
    if (length >= size) return false;
    memcpy(name, internal, length);
    name[length] = '\0';
    for (char *at = name; *at; at++)
        if (*at == '/') *at = '.';
    return true;
}
