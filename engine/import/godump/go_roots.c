#include "engine/base/memory.h"
#include "engine/import/godump/go_state.h"
#include <inttypes.h>
#include <string.h>

#define NAME_MOST 300 // bytes of a name that are told
#define WAITING 4u    // a goroutine's status

typedef struct roots {
    mc_go_state *state;
    size_t goroutine;     // whose frames come, among all; SIZE_MAX: none yet
    bool is_inner;        // so far they are of the runtime alone
    mc_text words;        // of it
    const char *variable; // the last one that was asked for
    uint32_t variable_text;
    uint32_t finalizer_text;
} roots;

static mc_result add_root(const roots *self, uint64_t pointer, mc_root_kind kind, uint32_t name) {
    mc_go_state *state = self->state;
    if (pointer == 0) return MC_OK;
    const uint32_t object = mc_go_spans_find(&state->spans, pointer);
    if (object == MC_NONE) return MC_OK;
    const mc_object_heap *heap = state->heap;
    if (heap->root_count > 0) { // arrays of pointers into one object
        const mc_object_root *last = &heap->roots[heap->root_count - 1];
        if (last->object == object && last->kind == kind && last->name == name) return MC_OK;
    }
    if (heap->root_count >= MC_NONE / 2)
        return mc_fail(state->error, MC_ERROR_UNSUPPORTED, "too many roots: 2^31 or more");
    return mc_object_heap_add_root(state->heap, object, kind, name)
               ? MC_OK
               : mc_error_out_of_memory(state->error);
}

static uint32_t intern(const roots *self, const mc_text *text) {
    return text->failed ? MC_NONE
                        : mc_object_heap_add_text(self->state->heap, mc_text_get(text), text->size);
}

static void append_name(mc_text *text, const char *name, size_t size) {
    mc_text_append(text, name, size < NAME_MOST ? size : NAME_MOST);
}

// ---- global variables

// The linker names all variables of Go's packages.
static bool is_of_runtime(const mc_go_state *state, const char *name) {
    return state->program && (!name || strncmp(name, "runtime.", 8) == 0);
}

static mc_result add_variable(roots *self, const mc_go_record *segment, uint64_t offset,
                              uint64_t pointer) {
    mc_go_state *state = self->state;
    const uint64_t address = segment->numbers[0] + offset;
    const char *name = state->program ? mc_go_program_get_variable(state->program, address) : NULL;
    if (!name || name != self->variable) {
        mc_text_clear(&state->text);
        mc_text_append_string(&state->text, "global ");
        if (name)
            append_name(&state->text, name, strlen(name));
        else
            mc_text_format(&state->text, "%s+0x%" PRIx64,
                           segment->tag == MC_GO_DATA ? "data" : "bss", offset);
        self->variable = name;
        self->variable_text = intern(self, &state->text);
        if (self->variable_text == MC_NONE) return mc_error_out_of_memory(state->error);
    }
    return add_root(self, pointer,
                    is_of_runtime(state, name) ? MC_ROOT_VM_INTERNAL : MC_ROOT_GLOBAL,
                    self->variable_text);
}

static mc_result add_segment(roots *self, mc_go_record *record) {
    mc_go_state *state = self->state;
    const unsigned char *begin = record->begin;
    uint64_t offset, pointer;
    bool is_wrong = false;
    mc_result result = MC_OK;
    while (result == MC_OK && mc_go_pointer_take(state, record, &offset, &pointer, &is_wrong))
        if (mc_go_spans_find(&state->spans, pointer) != MC_NONE)
            result = add_variable(self, record, offset, pointer);
    return is_wrong ? mc_go_fail(state, begin, "pointers within the segment") : result;
}

// ---- goroutines

static const mc_go_goroutine *get_goroutine(const roots *self) {
    static const mc_go_goroutine none;
    const mc_go_state *state = self->state;
    return self->goroutine < state->goroutine_count ? &state->goroutines[self->goroutine] : &none;
}

// ", created by main.serve, waits in chan receive"
static void append_circumstances(const roots *self, const mc_go_record *record, bool has_comma,
                                 mc_text *words) {
    const uint64_t creation = record->numbers[3], status = record->numbers[4];
    const mc_span begun = get_goroutine(self)->begun, reason = record->texts[0];
    const mc_go_program *program = self->state->program;
    const char *creator =
        program && creation > 0 ? mc_go_program_get_function(program, creation - 1) : NULL;
    // What the runtime creates is known by what it does.
    const bool is_own = creator && (strncmp(creator, "runtime.", 8) != 0 || begun.size == 0);
    const bool is_known = is_own || begun.size > 0;
    if (is_known) mc_text_append_string(words, has_comma ? ", " : " ");
    if (is_own) {
        mc_text_append_string(words, "created by ");
        append_name(words, creator, strlen(creator));
    } else if (is_known) {
        mc_text_append_string(words, "started in ");
        append_name(words, begun.at, begun.size);
    }
    if (status != WAITING || reason.size == 0) return;
    mc_text_append_string(words, is_known || has_comma ? ", waits in " : " that waits in ");
    append_name(words, reason.at, reason.size);
}

// "main.handle (goroutine created by main.serve, waits in chan receive)"
static mc_result name_frame(roots *self, mc_span function, uint32_t *text) {
    mc_text *words = &self->state->text;
    mc_text_clear(words);
    append_name(words, function.size > 0 ? function.at : "a stack",
                function.size > 0 ? function.size : strlen("a stack"));
    if (self->words.size > 0) mc_text_format(words, " (%s)", mc_text_get(&self->words));
    *text = self->words.failed ? MC_NONE : intern(self, words);
    return *text == MC_NONE ? mc_error_out_of_memory(self->state->error) : MC_OK;
}

// What it will run.
static mc_result add_parts(roots *self, const uint64_t *pointers, uint32_t count) {
    uint32_t text = MC_NONE;
    mc_result result = MC_OK;
    for (uint32_t i = 0; result == MC_OK && i < count; i++) {
        if (mc_go_spans_find(&self->state->spans, pointers[i]) == MC_NONE) continue;
        if (text == MC_NONE) result = name_frame(self, get_goroutine(self)->inner, &text);
        if (result == MC_OK) result = add_root(self, pointers[i], MC_ROOT_STACK, text);
    }
    return result;
}

// Equal names for all of a kind, and which one it is.
static mc_result add_goroutine(roots *self, const mc_go_record *record) {
    mc_go_state *state = self->state;
    mc_text *one = &state->text;
    self->goroutine++;
    self->is_inner = true;
    mc_text_clear(&self->words);
    mc_text_append_string(&self->words, "goroutine");
    append_circumstances(self, record, false, &self->words);
    mc_text_clear(one);
    mc_text_format(one, "goroutine %" PRIu64, record->numbers[2]);
    append_circumstances(self, record, true, one);
    const uint32_t name = intern(self, &self->words), example = intern(self, one);
    if (name == MC_NONE || example == MC_NONE) return mc_error_out_of_memory(state->error);
    mc_result result = add_root(self, record->numbers[0], MC_ROOT_THREAD, name);
    mc_object_heap *heap = state->heap;
    if (result == MC_OK && heap->root_count > 0 && heap->roots[heap->root_count - 1].name == name)
        heap->roots[heap->root_count - 1].example = example;
    const uint64_t pointers[3] = {record->numbers[8], record->numbers[10], record->numbers[11]};
    return result == MC_OK ? add_parts(self, pointers, 3) : result;
}

// The list of its pointers misses some: every word may be one. What the runtime's own frames hold
// for the function that called it is that function's.
static mc_result add_frame(roots *self, const mc_go_record *record) {
    const mc_go_state *state = self->state;
    const mc_span contents = record->texts[0], inner = get_goroutine(self)->inner;
    mc_span function = record->texts[1];
    if (function.size > 0 && function.size == inner.size &&
        memcmp(function.at, inner.at, inner.size) == 0)
        self->is_inner = false;
    if (self->is_inner && inner.size > 0) function = inner;
    uint32_t text = MC_NONE;
    mc_result result = MC_OK;
    for (size_t at = 0; result == MC_OK && at + state->pointer_size <= contents.size;
         at += state->pointer_size) {
        const uint64_t word = mc_go_read_word(state, (const unsigned char *)contents.at + at);
        if (word == 0 || mc_go_spans_find(&state->spans, word) == MC_NONE) continue;
        if (text == MC_NONE) result = name_frame(self, function, &text);
        if (result == MC_OK) result = add_root(self, word, MC_ROOT_STACK, text);
    }
    return result;
}

// ---- others

static mc_result add_other(roots *self, const mc_go_record *record) {
    mc_text *words = &self->state->text;
    mc_text_clear(words);
    if (record->texts[0].size > 0)
        append_name(words, record->texts[0].at, record->texts[0].size);
    else
        mc_text_append_string(words, "the runtime");
    const uint32_t text = intern(self, words);
    if (text == MC_NONE) return mc_error_out_of_memory(self->state->error);
    return add_root(self, record->numbers[0], MC_ROOT_VM_INTERNAL, text);
}

// Its object need not be reached otherwise; the function may be a closure.
static mc_result add_finalizer(roots *self, const mc_go_record *record) {
    static const char words[] = "a finalizer";
    if (self->finalizer_text == MC_NONE)
        self->finalizer_text = mc_object_heap_add_text(self->state->heap, words, sizeof words - 1);
    if (self->finalizer_text == MC_NONE) return mc_error_out_of_memory(self->state->error);
    mc_result result = add_root(self, record->numbers[0], MC_ROOT_FINALIZING, self->finalizer_text);
    return result == MC_OK
               ? add_root(self, record->numbers[1], MC_ROOT_VM_INTERNAL, self->finalizer_text)
               : result;
}

static mc_result add_record(roots *self, mc_go_record *record) {
    switch (record->tag) {
    case MC_GO_DATA:
    case MC_GO_BSS: return add_segment(self, record);
    case MC_GO_GOROUTINE: return add_goroutine(self, record);
    case MC_GO_FRAME: return add_frame(self, record);
    case MC_GO_OTHER_ROOT: return add_other(self, record);
    case MC_GO_FINALIZER:
    case MC_GO_QUEUED_FINALIZER: return add_finalizer(self, record);
    case MC_GO_DEFER: {
        const uint64_t pointers[2] = {record->numbers[0], record->numbers[4]};
        return add_parts(self, pointers, 2);
    }
    case MC_GO_PANIC: {
        const uint64_t pointers[2] = {record->numbers[0], record->numbers[3]};
        return add_parts(self, pointers, 2);
    }
    default: return MC_OK;
    }
}

mc_result mc_go_read_roots(mc_go_state *state) {
    roots self = {
        .state = state, .goroutine = SIZE_MAX, .variable_text = MC_NONE, .finalizer_text = MC_NONE};
    mc_go_record record;
    const char *wanted;
    mc_result result = MC_OK;
    while (result == MC_OK && mc_go_record_read(&state->cursor, &record, &wanted) == MC_GO_READ) {
        result = add_record(&self, &record);
        if (result == MC_OK) result = mc_go_report(state, 1);
    }
    mc_text_deinit(&self.words);
    return result;
}
