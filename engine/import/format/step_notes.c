#include "engine/import/format/step_notes.h"

#include "engine/base/file.h"
#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/base/utf8.h"
#include "engine/import/format/step_times.h"
#include <inttypes.h>
#include <string.h>

typedef struct reader {
    mc_note_list *list;
    uint32_t line;
    mc_error *error;
} reader;

static mc_result fail(const reader *self, size_t column, const char *what, const char *found,
                      size_t size) {
    mc_excerpt excerpt;
    return mc_fail(self->error, MC_ERROR_BAD_DATA,
                   "%s: line %" PRIu32 ", column %zu: %s, found \"%s\"", self->list->path,
                   self->line, column, what, mc_excerpt_make(&excerpt, found, size));
}

static bool is_number(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (text[i] < '0' || text[i] > '9') return false;
    return size > 0 && size < 10;
}

static int64_t get_number(const char *text, size_t size) {
    int64_t number = 0;
    for (size_t i = 0; i < size; i++)
        number = number * 10 + (text[i] - '0');
    return number;
}

static mc_result add(reader *self, mc_listed_note note, const char *text, size_t size) {
    mc_note_list *list = self->list;
    if (list->count == MC_LISTED_NOTES_MOST)
        return fail(self, 1, "expected at most 10000 notes", text, size);
    note.line = self->line;
    note.text = mc_strings_intern(&list->texts, text, size);
    if (note.text == MC_NONE ||
        !mc_reserve(&list->items, &list->capacity, (size_t)list->count + 1, sizeof *list->items))
        return mc_error_out_of_memory(self->error);
    list->items[list->count++] = note;
    return MC_OK;
}

static mc_result read_line(reader *self, const char *line, size_t size) {
    static const char form[] = "expected a step's number or a time as 90s, 1h30m or "
                               "2024-05-01T12:00:00, a tab and a text";
    while (size > 0 && (line[size - 1] == '\r' || line[size - 1] == ' ' || line[size - 1] == '\t'))
        size--;
    if (size == 0 || line[0] == '#') return MC_OK;
    const char *tab = memchr(line, '\t', size);
    size_t when = tab ? (size_t)(tab - line) : size, text = when;
    if (!tab) return fail(self, 1, form, line, size);
    while (text < size && (line[text] == '\t' || line[text] == ' '))
        text++;
    mc_listed_note note = {.column = 1};
    if (is_number(line, when))
        note.at = get_number(line, when);
    else if (mc_step_time_parse(line, when, &note.at))
        note.is_time = true;
    else
        return fail(self, 1, form, line, when);
    size_t printable = mc_printable_measure(line + text, size - text);
    if (printable < size - text)
        return fail(self, text + printable + 1, "expected printable UTF-8", line + text,
                    size - text);
    if (size - text >= MC_NOTE_SIZE)
        return fail(self, text + MC_NOTE_SIZE, "expected at most 399 bytes", line + text,
                    size - text);
    return add(self, note, line + text, size - text);
}

mc_result mc_note_list_parse(mc_note_list *list, const char *path, const char *text, size_t size,
                             mc_error *error) {
    reader self = {list, 0, error};
    mc_result result = MC_OK;
    mc_note_list_deinit(list);
    list->path = mc_copy_string(path);
    if (!list->path) return mc_error_out_of_memory(error);
    for (size_t at = 0; at < size && result == MC_OK;) {
        const char *end = memchr(text + at, '\n', size - at);
        size_t length = end ? (size_t)(end - text) - at : size - at;
        self.line++;
        result = read_line(&self, text + at, length);
        at += length + 1;
    }
    return result;
}

mc_result mc_note_list_read(mc_note_list *list, const char *path, mc_error *error) {
    mc_file_map map;
    mc_result result = mc_file_map_open(&map, path, error);
    if (result != MC_OK) return result;
    result = mc_note_list_parse(list, path, (const char *)map.data, map.size, error);
    result = mc_file_map_finish(&map, path, result, error);
    mc_file_map_close(&map);
    return result;
}
