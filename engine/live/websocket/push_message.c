#include "engine/live/websocket/push_message.h"

#include "engine/base/memory.h"
#include "engine/import/json/json_tokens.h"
#include <string.h>

static bool is_space(unsigned char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static void give_up(mc_push_message *self, const char *expected) {
    self->state = MC_PUSH_WRONG;
    mc_fail(&self->wrong, MC_ERROR_BAD_DATA, "expected %s", expected);
}

// ---- what it is

// The text of the field's value, if it is a string without escapes, with its quotes.
static bool is_value(const unsigned char *text, size_t size, size_t at, const char *value) {
    size_t length = strlen(value);
    return size - at >= length + 2 && text[at] == '"' &&
           memcmp(text + at + 1, value, length) == 0 && text[at + 1 + length] == '"';
}

// What a wrapper says before its data.
static bool find_kind(mc_push_message *self, size_t data) {
    static const char *const kinds[] = {[MC_SOURCE_STEP] = "trees",
                                        [MC_SOURCE_POINTS_TO] = "points-to-maps",
                                        [MC_SOURCE_POINTED_FROM] = "pointed-from-maps"};
    static const char *const capabilities[] = {[MC_SOURCE_STEP] = "GET-ALL-TREES",
                                               [MC_SOURCE_POINTS_TO] = "GET-ALL-POINTS-TO-MAPS",
                                               [MC_SOURCE_POINTED_FROM] =
                                                   "GET-ALL-POINTED-FROM-MAPS"};
    const unsigned char *text = self->bytes;
    size_t at, inner;
    const char *const *names = kinds;
    if (mc_json_find_field(text, data, "kind", &at) != MC_JSON_FOUND) {
        names = capabilities;
        if (mc_json_find_field(text, data, "request", &at) != MC_JSON_FOUND ||
            mc_json_find_field(text + at, data - at, "capability", &inner) != MC_JSON_FOUND)
            return false;
        at += inner;
        if (is_value(text, data, at, "GET-SINGLE-TREE")) {
            self->kind = MC_SOURCE_STEP;
            return true;
        }
    }
    for (int i = MC_SOURCE_STEP; i <= MC_SOURCE_POINTED_FROM; i++)
        if (is_value(text, data, at, names[i])) {
            self->kind = (mc_source_kind)i;
            return true;
        }
    return false;
}

static void drop(mc_push_message *self, size_t size) {
    if (size == 0) return; // or a document that comes in small pieces is moved with each
    self->size -= size;
    self->offset += size;
    memmove(self->bytes, self->bytes + size, self->size);
}

// The data begins at `at`.
static void begin_data(mc_push_message *self, size_t at) {
    self->state = MC_PUSH_DATA;
    drop(self, at);
    mc_json_array_begin_within(&self->array, self->bytes, self->size);
    self->array.is_partial = true;
}

static void begin_wrapped(mc_push_message *self, size_t data) {
    if (self->bytes[data] != '[' && self->bytes[data] != '{') {
        give_up(self, "an array as \"data\"");
    } else if (!find_kind(self, data)) {
        give_up(self, "before \"data\" a \"kind\": \"trees\", \"points-to-maps\" or "
                      "\"pointed-from-maps\"");
    } else {
        self->is_wrapped = true;
        mc_text_append(&self->around, (const char *)self->bytes, data);
        mc_text_append_string(&self->around, "null");
        begin_data(self, data);
    }
}

// Looks what kind of message it is, once that shows.
static void look(mc_push_message *self, bool is_end) {
    size_t data, begin = 0;
    if (!is_end && self->size < self->look_at) return;
    while (begin < self->size && is_space(self->bytes[begin]))
        begin++;
    drop(self, begin);
    if (self->size == 0) {
        if (is_end) give_up(self, "an array of steps, found nothing");
        return;
    }
    self->kind = MC_SOURCE_STEP;
    self->look_at = 2 * self->size;
    if (self->bytes[0] != '[' && self->bytes[0] != '{') {
        give_up(self, "an array of steps or an object, found something else");
    } else if (self->bytes[0] == '[' ||
               mc_json_guess_steps(self->bytes, self->size) == MC_JSON_STEPS) {
        begin_data(self, 0);
    } else if (mc_json_find_field(self->bytes, self->size, "data", &data) == MC_JSON_FOUND) {
        begin_wrapped(self, data);
    } else if (is_end || self->size > MC_PUSH_AROUND_MOST ||
               mc_json_find_field(self->bytes, self->size, "data", &data) == MC_JSON_MISSING) {
        give_up(self, "a step (\"time\", \"root\") or \"data\" within the first 64 KiB");
    }
}

// ---- its documents

static mc_result take_documents(mc_push_message *self, bool is_end, size_t document_most,
                                const mc_push_sink *sink, mc_error *error) {
    mc_json_array *array = &self->array;
    array->is_partial = !is_end;
    mc_json_array_move(array, self->bytes, self->size, 0);
    while (self->state == MC_PUSH_DATA) {
        mc_error own = {.code = MC_OK};
        size_t begin, size;
        if (mc_json_array_next(array, &begin, &size, &own) != MC_OK) {
            own.byte_offset += self->offset;
            self->wrong = own;
            self->state = MC_PUSH_WRONG;
        } else if (size > 0) {
            mc_result result = sink->take(sink->user, self->kind, self->bytes + begin, size,
                                          self->offset + begin, array->count - 1, error);
            if (result != MC_OK) return result;
        } else if (array->is_done) {
            drop(self, array->at);
            self->state = MC_PUSH_TAIL;
        } else {
            size_t dropped = mc_json_array_get_needed(array);
            drop(self, dropped);
            mc_json_array_move(array, self->bytes, self->size, dropped);
            if (self->size > document_most) give_up(self, "no document as large as this");
            return MC_OK;
        }
    }
    return MC_OK;
}

// ---- what is around them

static void take_tail(mc_push_message *self) {
    mc_text_append(&self->around, (const char *)self->bytes, self->size);
    drop(self, self->size);
    if (self->around.size > 2 * MC_PUSH_AROUND_MOST)
        give_up(self, "less than 64 KiB behind the data");
}

static bool is_blank(const mc_text *text) {
    for (size_t i = 0; i < text->size; i++)
        if (!is_space((unsigned char)text->data[i])) return false;
    return true;
}

static mc_result check_around(mc_push_message *self, mc_error *error) {
    mc_json_tokens tokens = {0};
    if (self->around.failed) return mc_error_out_of_memory(error);
    if (!self->is_wrapped) {
        if (!is_blank(&self->around)) give_up(self, "the message's end behind its data");
        return MC_OK;
    }
    if (!mc_json_tokens_init(&tokens)) return mc_error_out_of_memory(error);
    mc_error own = {.code = MC_OK};
    mc_json_tokens_begin(&tokens, (const unsigned char *)self->around.data, self->around.size, 0,
                         &own);
    if (!mc_json_skip_value(&tokens) || !mc_json_take_end(&tokens)) {
        self->state = MC_PUSH_WRONG;
        self->wrong = own;
        self->wrong.byte_offset = MC_ERROR_NO_OFFSET; // it would be one without the data
        mc_error_prepend(&self->wrong, "around the data");
    }
    mc_json_tokens_deinit(&tokens);
    return MC_OK;
}

static mc_result end_message(mc_push_message *self, mc_error *fault, mc_error *error) {
    mc_result result = MC_OK;
    if (self->state == MC_PUSH_TAIL) result = check_around(self, error);
    if (self->state == MC_PUSH_WRONG) *fault = self->wrong;
    unsigned char *bytes = self->bytes;
    mc_text around = self->around;
    size_t capacity = self->capacity;
    mc_text_clear(&around);
    around.failed = false;
    if (capacity > (size_t)4 << 20) { // one large message is no reason to keep its room
        mc_free(bytes);
        bytes = NULL;
        capacity = 0;
    }
    *self = (mc_push_message){.bytes = bytes, .capacity = capacity, .around = around};
    return result;
}

static mc_result keep(mc_push_message *self, const unsigned char *bytes, size_t size,
                      mc_error *error) {
    if (size == 0) return MC_OK;
    if (!mc_reserve(&self->bytes, &self->capacity, self->size + size, 1))
        return mc_error_out_of_memory(error);
    memcpy(self->bytes + self->size, bytes, size);
    self->size += size;
    return MC_OK;
}

mc_result mc_push_message_add(mc_push_message *self, const unsigned char *bytes, size_t size,
                              bool is_end, size_t document_most, const mc_push_sink *sink,
                              mc_error *fault, mc_error *error) {
    mc_result result = MC_OK;
    *fault = (mc_error){.code = MC_OK};
    if (self->state != MC_PUSH_WRONG) result = keep(self, bytes, size, error);
    if (result == MC_OK && self->state == MC_PUSH_HEAD) look(self, is_end);
    if (result == MC_OK && self->state == MC_PUSH_DATA)
        result = take_documents(self, is_end, document_most, sink, error);
    if (result == MC_OK && self->state == MC_PUSH_TAIL && self->size > 0) take_tail(self);
    return result == MC_OK && is_end ? end_message(self, fault, error) : result;
}

void mc_push_message_deinit(mc_push_message *self) {
    mc_free(self->bytes);
    mc_text_deinit(&self->around);
    *self = (mc_push_message){.bytes = NULL};
}
