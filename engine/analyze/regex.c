#include "engine/analyze/regex.h"

#include "engine/base/memory.h"
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

#define MOST_STEPS 200000u // of one match
#define MOST_DEPTH 20000u
#define MOST_HEAP_KIB 16384u
#define JIT_STACK_SIZE ((size_t)1 << 20)

struct mc_regex {
    pcre2_general_context *memory;
    pcre2_compile_context *compile;
    pcre2_match_context *limits;
    pcre2_jit_stack *stack;
    pcre2_code *code;
    pcre2_match_data *match;
};

static void *allocate(size_t size, void *user) {
    (void)user;
    return mc_alloc(size, 1);
}

static void release(void *memory, void *user) {
    (void)user;
    mc_free(memory);
}

void mc_regex_destroy(mc_regex *m) {
    if (!m) return;
    pcre2_match_data_free(m->match);
    pcre2_code_free(m->code);
    pcre2_jit_stack_free(m->stack);
    pcre2_match_context_free(m->limits);
    pcre2_compile_context_free(m->compile);
    pcre2_general_context_free(m->memory);
    mc_free(m);
}

static mc_result refuse(int code, size_t place, mc_error *error) {
    PCRE2_UCHAR text[256];
    if (code == PCRE2_ERROR_NOMEMORY || code == PCRE2_ERROR_HEAP_FAILED)
        return mc_error_out_of_memory(error);
    if (pcre2_get_error_message(code, text, sizeof text) < 0) text[0] = '\0';
    return mc_fail(error, MC_ERROR_BAD_DATA, "not a regular expression: %s, after %zu bytes",
                   (const char *)text, place);
}

static mc_result init(mc_regex *m, const char *pattern, size_t size, uint32_t options,
                      mc_error *error) {
    m->memory = pcre2_general_context_create(allocate, release, NULL);
    if (!m->memory) return mc_error_out_of_memory(error);
    m->compile = pcre2_compile_context_create(m->memory);
    m->limits = pcre2_match_context_create(m->memory);
    if (!m->compile || !m->limits) return mc_error_out_of_memory(error);
    int code;
    size_t place;
    // Keys should be UTF-8, but a file may hold anything.
    m->code =
        pcre2_compile((PCRE2_SPTR)pattern, size, options | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF,
                      &code, &place, m->compile);
    if (!m->code) return refuse(code, place, error);
    m->match = pcre2_match_data_create_from_pattern(m->code, m->memory);
    if (!m->match) return mc_error_out_of_memory(error);
    pcre2_set_match_limit(m->limits, MOST_STEPS);
    pcre2_set_depth_limit(m->limits, MOST_DEPTH);
    pcre2_set_heap_limit(m->limits, MOST_HEAP_KIB);
    // Where there is no compiler for the machine, or no memory for it, the interpreter does.
    if (pcre2_jit_compile(m->code, PCRE2_JIT_COMPLETE) == 0) {
        m->stack = pcre2_jit_stack_create(32768, JIT_STACK_SIZE, m->memory);
        if (m->stack) pcre2_jit_stack_assign(m->limits, NULL, m->stack);
    }
    return MC_OK;
}

mc_result mc_regex_create(const char *pattern, size_t size, bool is_of_either_case,
                          mc_regex **regex, mc_error *error) {
    mc_regex *made = mc_alloc_zero(1, sizeof *made);
    *regex = NULL;
    if (!made) return mc_error_out_of_memory(error);
    mc_result result = init(made, pattern, size, is_of_either_case ? PCRE2_CASELESS : 0, error);
    if (result == MC_OK)
        *regex = made;
    else
        mc_regex_destroy(made);
    return result;
}

static mc_result refuse_match(int code, mc_error *error) {
    if (code == PCRE2_ERROR_NOMEMORY) return mc_error_out_of_memory(error);
    return mc_fail(error, MC_ERROR_BAD_DATA,
                   "this regular expression takes too long on some keys: make it simpler");
}

mc_result mc_regex_find(const mc_regex *m, const char *text, size_t size, size_t from, size_t *end,
                        mc_error *error) {
    int code =
        pcre2_match(m->code, (PCRE2_SPTR)text, size, from, PCRE2_NOTEMPTY, m->match, m->limits);
    *end = 0;
    if (code == PCRE2_ERROR_NOMATCH) return MC_OK;
    if (code < 0) return refuse_match(code, error);
    *end = pcre2_get_ovector_pointer(m->match)[1];
    return MC_OK;
}

mc_result mc_regex_replace(const mc_regex *m, const char *text, size_t size, const char *by,
                           mc_text *out, bool *is_found, mc_error *error) {
    PCRE2_UCHAR small[512], *into = small;
    PCRE2_SIZE room = sizeof small;
    uint32_t options = PCRE2_SUBSTITUTE_GLOBAL | PCRE2_SUBSTITUTE_OVERFLOW_LENGTH |
                       PCRE2_SUBSTITUTE_UNSET_EMPTY | PCRE2_NOTEMPTY;
    int code = pcre2_substitute(m->code, (PCRE2_SPTR)text, size, 0, options, m->match, m->limits,
                                (PCRE2_SPTR)by, PCRE2_ZERO_TERMINATED, into, &room);
    if (code == PCRE2_ERROR_NOMEMORY && room > sizeof small) {
        into = mc_alloc(room, 1);
        if (!into) return mc_error_out_of_memory(error);
        code = pcre2_substitute(m->code, (PCRE2_SPTR)text, size, 0, options, m->match, m->limits,
                                (PCRE2_SPTR)by, PCRE2_ZERO_TERMINATED, into, &room);
    }
    *is_found = code > 0;
    if (code > 0) mc_text_append(out, (const char *)into, room);
    if (into != small) mc_free(into);
    if (code == PCRE2_ERROR_BADREPLACEMENT || code == PCRE2_ERROR_NOSUBSTRING ||
        code == PCRE2_ERROR_BADREPESCAPE || code == PCRE2_ERROR_REPMISSINGBRACE)
        return mc_fail(error, MC_ERROR_BAD_DATA,
                       "\"%.200s\" can't stand for what is found: $1 is its first group", by);
    return code < 0 ? refuse_match(code, error) : MC_OK;
}
