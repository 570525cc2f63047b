#include "app/commands/merge_parts.h"

#include "app/command.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const extensions[] = {".gz", ".zst", ".mct", ".hprof", ".json", ".txt", NULL};

// "a/web-1.hprof.gz" -> "web-1"; for mc_free().
static char *get_name(const char *path) {
    char *name = mc_command_get_trace_name(path);
    for (bool goes_on = name != NULL; goes_on;) {
        size_t size = strlen(name);
        goes_on = false;
        for (int i = 0; extensions[i] && !goes_on; i++) {
            size_t cut = strlen(extensions[i]);
            if (size <= cut || strcmp(name + size - cut, extensions[i]) != 0) continue;
            name[size - cut] = '\0';
            goes_on = true;
        }
    }
    return name;
}

static mc_result add(mc_merge_parts *parts, const char *text, mc_error *error) {
    const char *path = text, *equals = strchr(text, '=');
    char *name = NULL;
    if (equals && access(text, F_OK) != 0) {
        path = equals + 1;
        name = mc_alloc((size_t)(equals - text) + 1, 1);
        if (name) memcpy(name, text, (size_t)(equals - text));
        if (name) name[equals - text] = '\0';
    } else {
        name = get_name(text);
    }
    char *copy = mc_copy_string(path);
    if (!name || !copy ||
        !mc_reserve(&parts->items, &parts->capacity, (size_t)parts->count + 1,
                    sizeof *parts->items)) {
        mc_free(name);
        mc_free(copy);
        return mc_error_out_of_memory(error);
    }
    parts->items[parts->count++] = (mc_merge_part){.name = name, .path = copy};
    if (!*name || !mc_utf8_is_valid(name, strlen(name)))
        return mc_fail(error, MC_ERROR_BAD_DATA, "%s: expected a name in UTF-8 before \"=\"", path);
    return MC_OK;
}

mc_result mc_merge_parts_add(mc_merge_parts *parts, const char *const *texts, uint32_t count,
                             mc_error *error) {
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < count && result == MC_OK; i++)
        result = add(parts, texts[i], error);
    return result;
}

static mc_result read_lines(mc_merge_parts *parts, FILE *stream, const char *path,
                            mc_error *error) {
    char *line = NULL;
    size_t capacity = 0;
    uint32_t number = 0;
    mc_result result = MC_OK;
    for (ssize_t size; result == MC_OK && (size = getline(&line, &capacity, stream)) >= 0;) {
        number++;
        if (size > 0 && line[size - 1] == '\n') line[--size] = '\0';
        if (size > 0 && strlen(line) != (size_t)size)
            result = mc_fail(error, MC_ERROR_BAD_DATA, "%s: line %u: expected a path, found a NUL",
                             path, number);
        else if (size > 0)
            result = add(parts, line, error);
    }
    if (result == MC_OK && ferror(stream))
        result = mc_fail(error, MC_ERROR_IO, "%s: can't read: %s", path, strerror(errno));
    free(line);
    return result;
}

mc_result mc_merge_parts_read(mc_merge_parts *parts, const char *path, mc_error *error) {
    if (strcmp(path, "-") == 0) return read_lines(parts, stdin, "the standard input", error);
    FILE *stream = fopen(path, "r");
    if (!stream) return mc_fail(error, MC_ERROR_IO, "%s: can't read: %s", path, strerror(errno));
    mc_result result = read_lines(parts, stream, path, error);
    fclose(stream);
    return result;
}

void mc_merge_parts_deinit(mc_merge_parts *parts) {
    for (uint32_t i = 0; i < parts->count; i++) {
        mc_free((char *)parts->items[i].name);
        mc_free((char *)parts->items[i].path);
    }
    mc_free(parts->items);
    *parts = (mc_merge_parts){0};
}
