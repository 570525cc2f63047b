#include "engine/import/json/json_reader_state.h"

#include "engine/base/printable.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void mc_json_reader_begin(mc_json_reader *reader, const unsigned char *data, size_t size,
                          uint64_t offset, mc_error *error) {
    *error = (mc_error){.code = MC_OK};
    mc_json_tokens_begin(&reader->tokens, data, size, offset, error);
    reader->form = MC_JSON_FORM_UNDECIDED;
    reader->field = NULL;
    reader->has_time = reader->in_root = false;
    reader->has_classifiers = reader->has_late_classifiers = false;
    reader->time_ms = 0;
    reader->key_count = 0;
    reader->frame_count = reader->classifier_count = 0;
    reader->last_role = MC_NONE;
    reader->metric_name.bytes = NULL;
    reader->retained = reader->closure = MC_NONE;
    reader->declared = 0;
    mc_json_pattern_forget(&reader->pattern);
    mc_strings_deinit(&reader->roles);
}

typedef struct path_text {
    char text[384];
    size_t size;
} path_text;

MC_PRINTF(2, 3) static void append(path_text *path, const char *format, ...) {
    size_t room = sizeof path->text - path->size;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(path->text + path->size, room, format, arguments);
    va_end(arguments);
    if (length > 0 && (size_t)length < room) path->size += (size_t)length;
    path->text[path->size] = '\0'; // what does not fit is left out as a whole
}

// The path in the document, such as root.children[3].objects; the middle of a long one is left out.
static void append_node_path(const mc_json_reader *reader, path_text *path) {
    const size_t head = 8, tail = 8;
    if (!reader->in_root) return;
    append(path, "root");
    for (size_t i = 0; i + 1 < reader->frame_count; i++) {
        if (i == head && reader->frame_count - 1 > head + tail) {
            append(path, "…");
            i = reader->frame_count - 1 - tail;
        }
        append(path, ".children[%u]", reader->frames[i].child_count - 1);
    }
}

mc_result mc_json_reader_finish(mc_json_reader *reader, mc_error *error) {
    if (!reader->tokens.failed) return MC_OK;
    if (error->code != MC_ERROR_BAD_DATA) return error->code;
    path_text path = {.size = 0};
    append_node_path(reader, &path);
    if (reader->field) append(&path, "%s%s", path.size > 0 ? "." : "", reader->field);
    if (reader->metric_name.bytes && reader->metric_name.size > 0) {
        mc_excerpt name;
        append(&path, ".%s",
               mc_excerpt_make(&name, reader->metric_name.bytes, reader->metric_name.size));
    }
    if (path.size == 0) return error->code;
    char message[MC_ERROR_MESSAGE_SIZE];
    memcpy(message, error->message, sizeof message);
    return mc_error_set(error, error->code, error->byte_offset, "%s: %.*s", path.text,
                        (int)(sizeof message - sizeof path.text), message);
}

bool mc_json_reader_fail_twice(mc_json_reader *reader) {
    return mc_json_fail_at(&reader->tokens, mc_json_get_place(&reader->tokens),
                           "expected this field once in an object, found it again");
}

bool mc_json_reader_take_time(mc_json_reader *reader) {
    mc_json_tokens *tokens = &reader->tokens;
    const unsigned char *at = mc_json_get_place(tokens);
    if (!mc_json_take_integer(tokens, INT64_MIN, &reader->time_ms)) return false;
    if (reader->time_ms < MC_TIME_MIN || reader->time_ms > MC_TIME_MAX)
        return mc_json_fail_at(tokens, at,
                               "expected a time from %" PRId64 " to %" PRId64 " ms, found %" PRId64,
                               MC_TIME_MIN, MC_TIME_MAX, reader->time_ms);
    reader->has_time = true;
    return true;
}
