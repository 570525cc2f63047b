#include "agent/native/options.h"

#include <string.h>

#define START "start="

bool mc_options_get(const char *options, const char *key, char *value, size_t size) {
    size_t key_size = strlen(key);
    value[0] = '\0';
    for (const char *at = options; at && *at;) {
        size_t length = strcspn(at, ";");
        if (length > key_size && at[key_size] == '=' && strncmp(at, key, key_size) == 0) {
            size_t value_size = length - key_size - 1;
            if (value_size >= size) value_size = size - 1;
            memcpy(value, at + key_size + 1, value_size);
            value[value_size] = '\0';
            return true;
        }
        at += length + (at[length] == ';');
    }
    return false;
}

// Where the `index`-th mode begins; NULL: there are fewer.
static const char *find_start(const char *options, uint32_t index) {
    for (const char *at = options; at && *at;) {
        bool is_start = strncmp(at, START, sizeof START - 1) == 0;
        if (is_start && index-- == 0) return at;
        at += strcspn(at, ";");
        at += *at == ';';
    }
    return NULL;
}

char *mc_options_copy_start(const char *options, uint32_t index) {
    const char *begin = find_start(options, index), *next = find_start(options, index + 1);
    if (!begin) return NULL;
    if (!find_start(options, 1)) return strdup(options);
    return next ? strndup(begin, (size_t)(next - begin)) : strdup(begin);
}

uint64_t mc_options_get_number(const char *options, const char *key, uint64_t otherwise) {
    char text[24];
    uint64_t number = 0;
    if (!mc_options_get(options, key, text, sizeof text) || !text[0]) return otherwise;
    for (const char *at = text; *at; at++) {
        if (*at < '0' || *at > '9' || number > (UINT64_MAX - 9) / 10) return otherwise;
        number = number * 10 + (uint64_t)(*at - '0');
    }
    return number;
}
