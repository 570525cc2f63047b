#include "engine/import/v8profile/v8_profile.h"

#include "engine/base/memory.h"
#include "engine/import/json/json_tokens.h"
#include <string.h>

#define DETECT_SIZE 1000 // in which the first node begins
#define FRAMES_MOST 128u // of a stack: V8 records no more

typedef struct call {
    uint32_t parent; // a call; MC_NONE: the root
    uint32_t frame;  // of the profile; MC_NONE: it says none
    uint64_t bytes;  // that it allocated itself
    uint64_t offset; // in the data
} call;

typedef struct parser {
    mc_profile *profile;
    mc_json_tokens tokens;
    call *calls; // parents first
    size_t call_count, call_capacity;
} parser;

static bool fail_memory(parser *self) {
    return mc_json_fail_memory(&self->tokens);
}

// ---- frames

static bool take_text(parser *self, const char *expected, mc_span *text) {
    mc_json_string string;
    if (!mc_json_take_string(&self->tokens, expected, &string)) return false;
    char *stored = mc_profile_store(self->profile, string.size + 1);
    if (!stored) return fail_memory(self);
    memcpy(stored, string.bytes, string.size);
    *text = (mc_span){stored, string.size};
    return true;
}

// From 0 on in the file; -1: not known.
static bool take_line(parser *self, uint32_t *line) {
    int64_t number;
    if (!mc_json_take_integer(&self->tokens, -1, &number)) return false;
    *line = number < 0 || number >= INT32_MAX ? 0 : (uint32_t)number + 1;
    return true;
}

static bool take_frame_member(parser *self, mc_json_string name, mc_site_frame *frame) {
    if (mc_json_string_is(name, "functionName"))
        return take_text(self, "the name of a function", &frame->function);
    if (mc_json_string_is(name, "url"))
        return take_text(self, "the address of a file", &frame->file);
    if (mc_json_string_is(name, "lineNumber")) return take_line(self, &frame->line);
    return mc_json_skip_value(&self->tokens);
}

static bool take_frame(parser *self, uint32_t *number) {
    static const char scheme[] = "file://", unnamed[] = "(anonymous)", engine[] = "[V8]";
    mc_json_string name;
    mc_json_member member;
    mc_site_frame frame = {.line = 0};
    if (!mc_json_take(&self->tokens, '{')) return mc_json_fail(&self->tokens, "a call's frame");
    for (bool is_first = true;
         (member = mc_json_next_member(&self->tokens, is_first, &name)) == MC_JSON_MEMBER;
         is_first = false)
        if (!take_frame_member(self, name, &frame)) return false;
    if (member == MC_JSON_FAILED) return false;
    if (frame.function.size == 0) frame.function = (mc_span){unnamed, sizeof unnamed - 1};
    if (frame.file.size == 0) frame.module = (mc_span){engine, sizeof engine - 1};
    const size_t prefix = sizeof scheme - 1;
    if (frame.file.size > prefix && memcmp(frame.file.at, scheme, prefix) == 0)
        frame.file = (mc_span){frame.file.at + prefix, frame.file.size - prefix};
    *number = mc_profile_add_frame(self->profile, frame);
    return *number != MC_NONE || fail_memory(self);
}

// ---- calls

static bool take_bytes(parser *self, uint64_t *bytes) {
    mc_json_number number;
    const double most = (double)(MC_COUNT_MAX / 2);
    if (!mc_json_take_number(&self->tokens, &number)) return false;
    if (number.is_real && !(number.real < most)) return mc_json_fail(&self->tokens, "fewer bytes");
    *bytes = number.is_real ? (uint64_t)(number.real + 0.5) : number.whole;
    return true;
}

static bool begin_call(parser *self, uint32_t parent) {
    const call added = {
        .parent = parent, .frame = MC_NONE, .offset = mc_json_get_offset(&self->tokens)};
    if (!mc_json_take(&self->tokens, '{')) return mc_json_fail(&self->tokens, "an object, a call");
    if (self->call_count >= MC_NONE / 2 ||
        !mc_reserve(&self->calls, &self->call_capacity, self->call_count + 1, sizeof added))
        return fail_memory(self);
    self->calls[self->call_count++] = added;
    return true;
}

// Goes on behind a call: to the next one with this parent, or up. `at` becomes MC_NONE at the end.
static bool end_call(parser *self, uint32_t *at, bool *is_first) {
    const uint32_t parent = self->calls[*at].parent;
    *is_first = false;
    *at = parent;
    if (parent == MC_NONE || mc_json_take(&self->tokens, ']')) return true;
    if (!mc_json_take(&self->tokens, ',')) return mc_json_fail(&self->tokens, "',' or ']'");
    *is_first = true;
    *at = (uint32_t)self->call_count;
    return begin_call(self, parent);
}

static bool begin_children(parser *self, uint32_t *at, bool *is_first) {
    if (!mc_json_take(&self->tokens, '[')) return mc_json_fail(&self->tokens, "a list of calls");
    if (mc_json_take(&self->tokens, ']')) return true;
    const uint32_t parent = *at;
    *is_first = true;
    *at = (uint32_t)self->call_count;
    return begin_call(self, parent);
}

static bool take_call_member(parser *self, mc_json_string name, uint32_t *at, bool *is_first) {
    call *of = &self->calls[*at];
    if (mc_json_string_is(name, "callFrame")) return take_frame(self, &of->frame);
    if (mc_json_string_is(name, "selfSize")) return take_bytes(self, &of->bytes);
    if (mc_json_string_is(name, "children")) return begin_children(self, at, is_first);
    return mc_json_skip_value(&self->tokens);
}

// Calls may be nested as deep as a program's stack ever was: no recursion.
static bool take_calls(parser *self) {
    uint32_t at = 0;
    bool is_first = true;
    if (self->call_count > 0) return mc_json_fail(&self->tokens, "one tree of calls");
    if (!begin_call(self, MC_NONE)) return false;
    while (at != MC_NONE) {
        mc_json_string name;
        mc_json_member member = mc_json_next_member(&self->tokens, is_first, &name);
        if (member == MC_JSON_FAILED) return false;
        is_first = false;
        if (member == MC_JSON_END ? !end_call(self, &at, &is_first)
                                  : !take_call_member(self, name, &at, &is_first))
            return false;
    }
    return true;
}

static bool take_document(parser *self) {
    mc_json_string name;
    mc_json_member member;
    if (!mc_json_take(&self->tokens, '{')) return mc_json_fail(&self->tokens, "an object");
    for (bool is_first = true;
         (member = mc_json_next_member(&self->tokens, is_first, &name)) == MC_JSON_MEMBER;
         is_first = false)
        if (mc_json_string_is(name, "head") ? !take_calls(self)
                                            : !mc_json_skip_value(&self->tokens))
            return false;
    return member == MC_JSON_END && mc_json_take_end(&self->tokens);
}

// ---- the step

// The root is nobody's call: "(root)".
static bool add_sample(parser *self, const call *from) {
    uint32_t count = 0;
    for (const call *at = from; at->parent != MC_NONE && count < FRAMES_MOST;
         at = &self->calls[at->parent], count++)
        if (at->frame != MC_NONE && !mc_profile_push_frame(self->profile, at->frame)) return false;
    return mc_profile_add_sample(self->profile, &from->bytes, NULL, from->offset);
}

static mc_result add_step(parser *self, mc_error *error) {
    if (self->call_count == 0)
        return mc_error_set(error, MC_ERROR_BAD_DATA, 0, "V8 heap profile: it lacks \"head\"");
    bool is_done = mc_profile_add_step(self->profile, (mc_profile_step){.has_time = false});
    for (size_t i = 0; i < self->call_count && is_done; i++)
        if (self->calls[i].bytes > 0) is_done = add_sample(self, &self->calls[i]);
    return is_done ? MC_OK : mc_error_out_of_memory(error);
}

mc_result mc_v8_profile_parse(const mc_profile_input *input, mc_profile *profile, mc_error *error) {
    static const mc_path_metric bytes = MC_SITES_BYTES;
    mc_error own = {.code = MC_OK};
    parser self = {.profile = profile};
    mc_result result = MC_OK;
    if (!error) error = &own;
    profile->metrics[0] = bytes;
    profile->metrics[1].key = NULL;
    profile->sampling = MC_PROFILE_SAMPLING_UNTOLD;
    if (!mc_json_tokens_init(&self.tokens)) return mc_error_out_of_memory(error);
    mc_json_tokens_begin(&self.tokens, input->data, input->size, 0, error);
    self.tokens.watch = input->watch;
    if (!take_document(&self)) result = error->code == MC_OK ? MC_ERROR_BAD_DATA : error->code;
    if (result == MC_OK) result = add_step(&self, error);
    mc_json_tokens_deinit(&self.tokens);
    mc_free(self.calls);
    return result;
}

bool mc_v8_profile_detect(const unsigned char *data, size_t size) {
    static const char *const wanted[] = {"\"head\"", "\"callFrame\"", NULL};
    return mc_json_detect(data, size, DETECT_SIZE, wanted);
}
