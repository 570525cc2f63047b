#include "engine/import/websocket/ws_answer.h"

#include "engine/base/printable.h"
#include "engine/import/json/json_scan.h"
#include "engine/import/json/json_tokens.h"
#include <string.h>

mc_result mc_ws_answer_add(mc_ws_answer *answer, const unsigned char *bytes, size_t size,
                           mc_error *error) {
    if (answer->text.size + size > MC_WS_ANSWER_MOST)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "expected an answer {\"status\":…,\"data\":…}, found one with more "
                       "than %zu MiB around its data",
                       MC_WS_ANSWER_MOST >> 20);
    mc_text_append(&answer->text, (const char *)bytes, size);
    return answer->text.failed ? mc_error_out_of_memory(error) : MC_OK;
}

mc_ws_answer_state mc_ws_answer_look(const mc_ws_answer *answer, size_t *data) {
    const unsigned char *text = (const unsigned char *)answer->text.data;
    size_t size = answer->text.size;
    if (size == 0) return MC_WS_ANSWER_UNCLEAR;
    switch (mc_json_find_field(text, size, "data", data)) {
    case MC_JSON_CUT:
        return size < MC_WS_ANSWER_HEAD_MOST ? MC_WS_ANSWER_UNCLEAR : MC_WS_ANSWER_SMALL;
    case MC_JSON_FOUND:
        return text[*data] == '[' || text[*data] == '{' ? MC_WS_ANSWER_DATA : MC_WS_ANSWER_SMALL;
    default: return MC_WS_ANSWER_SMALL;
    }
}

void mc_ws_answer_cut(mc_ws_answer *answer, size_t data) {
    assert(data <= answer->text.size);
    answer->text.size = data;
    mc_text_append_string(&answer->text, "null");
}

void mc_ws_answer_deinit(mc_ws_answer *answer) {
    mc_text_deinit(&answer->text);
}

// ---- what it says

typedef struct reading {
    mc_json_tokens tokens;
    mc_excerpt status, fault;
    bool has_status, has_data;
    mc_remote_tab *tabs; // NULL: data is not read
    uint32_t most, count;
} reading;

static bool is_named(mc_json_string name, const char *text) {
    return name.size == strlen(text) && memcmp(name.bytes, text, name.size) == 0;
}

// A text; anything else is skipped.
static bool take_text(reading *self, mc_excerpt *text) {
    mc_json_string string;
    if (mc_json_peek(&self->tokens) != '"') return mc_json_skip_value(&self->tokens);
    if (!mc_json_take_string(&self->tokens, "a string", &string)) return false;
    mc_excerpt_make(text, string.bytes, string.size);
    return true;
}

static bool take_tab(reading *self) {
    mc_json_tokens *tokens = &self->tokens;
    mc_json_string name;
    mc_json_member member;
    mc_excerpt title = {.text = ""};
    int64_t id = -1;
    if (!mc_json_take(tokens, '{')) return mc_json_fail(tokens, "a tab (an object)");
    for (bool is_first = true;
         (member = mc_json_next_member(tokens, is_first, &name)) == MC_JSON_MEMBER;
         is_first = false) {
        bool is_fine = is_named(name, "tabId")  ? mc_json_take_integer(tokens, INT64_MIN, &id)
                       : is_named(name, "name") ? take_text(self, &title)
                                                : mc_json_skip_value(tokens);
        if (!is_fine) return false;
    }
    if (member == MC_JSON_FAILED) return false;
    if (id < 0 || id > INT32_MAX)
        return mc_json_fail(tokens, "a tab with a tabId from 0 to 2147483647 before this");
    if (self->count < self->most) {
        mc_remote_tab *tab = &self->tabs[self->count];
        tab->id = (int32_t)id;
        mc_printable_copy(tab->name, sizeof tab->name, title.text, strlen(title.text));
    }
    self->count++;
    return true;
}

static bool take_tabs(reading *self) {
    mc_json_tokens *tokens = &self->tokens;
    if (!mc_json_take(tokens, '[')) return mc_json_skip_value(tokens); // null
    if (mc_json_take(tokens, ']')) return true;
    do {
        if (!take_tab(self)) return false;
    } while (mc_json_take(tokens, ','));
    return mc_json_take(tokens, ']') || mc_json_fail(tokens, "',' or ']' behind a tab");
}

static bool take_member(reading *self, mc_json_string name) {
    if (is_named(name, "status")) {
        self->has_status = true;
        return take_text(self, &self->status);
    }
    if (is_named(name, "error")) return take_text(self, &self->fault);
    if (!is_named(name, "data")) return mc_json_skip_value(&self->tokens);
    if (self->has_data) return mc_json_fail(&self->tokens, "no second \"data\"");
    self->has_data = true;
    return self->tabs ? take_tabs(self) : mc_json_skip_value(&self->tokens);
}

static bool take_answer(reading *self) {
    mc_json_tokens *tokens = &self->tokens;
    mc_json_string name;
    mc_json_member member;
    if (!mc_json_take(tokens, '{'))
        return mc_json_fail(tokens, "an answer {\"status\":…,\"data\":…}");
    for (bool is_first = true;
         (member = mc_json_next_member(tokens, is_first, &name)) == MC_JSON_MEMBER;
         is_first = false)
        if (!take_member(self, name)) return false;
    return member != MC_JSON_FAILED && mc_json_take_end(tokens);
}

static mc_result read_answer(const mc_ws_answer *answer, reading *self, mc_error *error) {
    mc_error own;
    if (!error) error = &own;
    *error = (mc_error){.code = MC_OK};
    if (!mc_json_tokens_init(&self->tokens)) return mc_error_out_of_memory(error);
    mc_json_tokens_begin(&self->tokens, (const unsigned char *)answer->text.data, answer->text.size,
                         0, error);
    bool is_read = take_answer(self);
    mc_json_tokens_deinit(&self->tokens);
    if (!is_read) { // offsets are of an answer without its data, which would lead astray
        error->byte_offset = MC_ERROR_NO_OFFSET;
        if (error->code == MC_ERROR_BAD_DATA) mc_error_prepend(error, "the server's answer");
        return error->code;
    }
    if (self->has_status && strcmp(self->status.text, "success") == 0) return MC_OK;
    if (self->has_status && strcmp(self->status.text, "failed") == 0)
        return mc_fail(error, MC_ERROR_UNSUPPORTED, "the server says that it failed%s%s",
                       self->fault.text[0] ? ": " : "", self->fault.text);
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "the server's answer: expected the status \"success\" or \"failed\", "
                   "found %s%s%s",
                   self->has_status ? "\"" : "none", self->status.text,
                   self->has_status ? "\"" : "");
}

mc_result mc_ws_answer_check(const mc_ws_answer *answer, mc_error *error) {
    reading self = {.tabs = NULL};
    return read_answer(answer, &self, error);
}

mc_result mc_ws_answer_read_tabs(const mc_ws_answer *answer, mc_remote_tab *tabs, uint32_t most,
                                 uint32_t *count, mc_error *error) {
    reading self = {.tabs = tabs, .most = most};
    mc_result result = read_answer(answer, &self, error);
    *count = self.count;
    return result;
}
