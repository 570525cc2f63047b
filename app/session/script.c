#include "app/session/script.h"

#include "app/session/action.h"
#include "app/session/turn.h"
#include "engine/base/memory.h"
#include "engine/import/json/json_tokens.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIZE_MAX_BYTES (16u << 20) // a script is written by hand, or by a program that tests
#define STDIN_NAME "stdin"

typedef enum word {
    WORD_ACTION,
    WORD_WAIT,
    WORD_WAIT_STOPPED,
    WORD_WAIT_STEPS,
    WORD_EXPECT,
    WORD_PRINT
} word;

typedef struct line {
    uint32_t number; // in the file, from 1
    word word;
    const mc_action *action;
    uint32_t step_count; // that are waited for
    char *text;          // what follows the name, in the script's memory
} line;

struct mc_script {
    char *path, *bytes;
    line *lines;
    size_t capacity;
    uint32_t count, next;
};

void mc_script_destroy(mc_script *script) {
    if (!script) return;
    mc_free(script->path);
    mc_free(script->bytes);
    mc_free(script->lines);
    mc_free(script);
}

void mc_script_print_words(void) {
    printf("  %-26s %s\n  %-26s %s\n  %-26s %s\n  %-26s %s\n  %-26s %s\n", "wait idle",
           "Until all that was begun is done", "wait stopped", "Until it no longer plays",
           "wait steps N", "Until a recording that is followed has N steps", "expect FIELD VALUE",
           "End with an error if a field of --state is something else", "print FIELD",
           "Print a field of --state, as JSON");
}

static bool is_word(const char *name, size_t size, const char *word_name) {
    return strlen(word_name) == size && memcmp(name, word_name, size) == 0;
}

static mc_result fail(const mc_script *script, uint32_t number, const char *what, const char *text,
                      mc_error *error) {
    return mc_fail(error, MC_ERROR_BAD_DATA, "%.300s:%u: %s \"%.200s\"", script->path, number, what,
                   text);
}

// What is waited for.
static bool take_wait(line *added) {
    static const char steps[] = "steps ";
    const char *rest = added->text;
    char *end;
    added->word = strcmp(rest, "idle") == 0 ? WORD_WAIT : WORD_WAIT_STOPPED;
    if (strncmp(rest, steps, strlen(steps)) != 0)
        return added->word == WORD_WAIT || strcmp(rest, "stopped") == 0;
    rest += strlen(steps);
    added->word = WORD_WAIT_STEPS;
    unsigned long count = rest[0] >= '0' && rest[0] <= '9' ? strtoul(rest, &end, 10) : 0;
    added->step_count = (uint32_t)count;
    return count > 0 && count < UINT32_MAX && *end == '\0';
}

static mc_result add_line(mc_script *script, uint32_t number, char *text, mc_error *error) {
    size_t size = strcspn(text, " \t");
    char *rest = text + size + strspn(text + size, " \t");
    line added = {.number = number, .text = rest};
    if (is_word(text, size, "wait")) {
        if (!take_wait(&added))
            return fail(script, number,
                        "expected \"wait idle\", \"wait stopped\" or \"wait steps N\", found", text,
                        error);
    } else if (is_word(text, size, "expect")) {
        added.word = WORD_EXPECT;
        if (!strchr(rest, ' '))
            return fail(script, number, "expected a field and its value, found", text, error);
    } else if (is_word(text, size, "print")) {
        added.word = WORD_PRINT;
        if (!rest[0] || strchr(rest, ' '))
            return fail(script, number, "expected a field, found", text, error);
    } else {
        added.action = mc_action_find(text, size);
        if (!added.action) return fail(script, number, "there is no command", text, error);
        if (!rest[0] && mc_action_get_argument_name(added.action))
            return fail(script, number, "its argument is missing:", text, error);
        if (rest[0] && !mc_action_get_argument_name(added.action))
            return fail(script, number, "it takes no argument:", text, error);
    }
    size_t needed = (size_t)script->count + 1;
    if (!mc_reserve(&script->lines, &script->capacity, needed, sizeof *script->lines))
        return mc_error_out_of_memory(error);
    script->lines[script->count++] = added;
    return MC_OK;
}

static mc_result add_lines(mc_script *script, mc_error *error) {
    char *at = script->bytes;
    mc_result result = MC_OK;
    for (uint32_t number = 1; at && result == MC_OK; number++) {
        char *end = strchr(at, '\n'), *text = at + strspn(at, " \t");
        size_t size = end ? (size_t)(end - at) : strlen(at);
        at[size] = '\0';
        while (size > 0 && strchr(" \t\r", at[size - 1]))
            at[--size] = '\0';
        if (text[0] && text[0] != '#') result = add_line(script, number, text, error);
        at = end ? end + 1 : NULL;
    }
    return result;
}

// Appends what there is to read, up to a byte more than a script may have.
static mc_result read_all(int fd, const char *name, mc_text *bytes, mc_error *error) {
    char part[1 << 14];
    ssize_t size;
    do {
        size = read(fd, part, sizeof part);
        if (size > 0) mc_text_append(bytes, part, (size_t)size);
    } while ((size > 0 && bytes->size <= SIZE_MAX_BYTES && !bytes->failed) ||
             (size < 0 && errno == EINTR));
    if (bytes->failed) return mc_error_out_of_memory(error);
    if (size < 0)
        return mc_fail(error, MC_ERROR_IO, "%.300s: can't read it: %s", name, strerror(errno));
    if (bytes->size > SIZE_MAX_BYTES)
        return mc_fail(error, MC_ERROR_BAD_DATA, "%.300s: expected a script of at most %u bytes",
                       name, SIZE_MAX_BYTES);
    const char *zero = bytes->size > 0 ? memchr(bytes->data, '\0', bytes->size) : NULL;
    if (zero)
        return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(zero - bytes->data),
                            "%.300s: expected a script, which is text, found a NUL", name);
    return MC_OK;
}

// A pipe is read to its end, so it need not be a regular file.
static mc_result open_and_read(const char *path, mc_text *bytes, mc_error *error) {
    if (strcmp(path, "-") == 0) return read_all(STDIN_FILENO, STDIN_NAME, bytes, error);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return mc_fail(error, MC_ERROR_IO, "%.300s: can't open it: %s", path, strerror(errno));
    mc_result result = read_all(fd, path, bytes, error);
    close(fd);
    return result;
}

mc_result mc_script_read(const char *path, mc_script **script, mc_error *error) {
    *script = NULL;
    mc_text bytes = {0};
    mc_result result = open_and_read(path, &bytes, error);
    mc_script *made = result == MC_OK ? mc_alloc_zero(1, sizeof *made) : NULL;
    if (made) {
        made->path = mc_copy_string(strcmp(path, "-") == 0 ? STDIN_NAME : path);
        made->bytes = mc_copy_string(bytes.data ? bytes.data : "");
        if (made->path && made->bytes)
            result = add_lines(made, error);
        else
            result = mc_error_out_of_memory(error);
    } else if (result == MC_OK) {
        result = mc_error_out_of_memory(error);
    }
    mc_text_deinit(&bytes);
    if (result == MC_OK)
        *script = made;
    else
        mc_script_destroy(made);
    return result;
}

// ---- what is expected

// A value as it is written; of a string, if it is not `is_json`, its text.
static bool take_value(mc_json_tokens *tokens, bool is_json, mc_text *found) {
    mc_json_string string;
    if (mc_json_peek(tokens) == '"' && !is_json) {
        if (!mc_json_take_string(tokens, "a string", &string)) return false;
        mc_text_append(found, string.bytes, string.size);
        return true;
    }
    const char *begin = (const char *)mc_json_get_place(tokens);
    if (!mc_json_skip_value(tokens)) return false;
    const char *end = (const char *)mc_json_get_place(tokens);
    mc_text_append(found, begin, (size_t)(end - begin));
    return true;
}

// Appends a field of a JSON object to `found`. False: there is no such field.
static bool find_value(const mc_text *object, const char *field, bool is_json, mc_text *found) {
    mc_json_tokens tokens;
    mc_error error = {0};
    mc_json_string name;
    bool is_found = false, is_first = true;
    if (!mc_json_tokens_init(&tokens)) return false;
    mc_json_tokens_begin(&tokens, (const unsigned char *)object->data, object->size, 0, &error);
    bool goes_on = mc_json_take(&tokens, '{');
    while (goes_on && !is_found) {
        goes_on = mc_json_next_member(&tokens, is_first, &name) == MC_JSON_MEMBER;
        is_first = false;
        if (!goes_on) break;
        is_found = strlen(field) == name.size && memcmp(field, name.bytes, name.size) == 0;
        goes_on = is_found ? take_value(&tokens, is_json, found) : mc_json_skip_value(&tokens);
    }
    mc_json_tokens_deinit(&tokens);
    return is_found && !found->failed;
}

// Those of whoever runs the script.
typedef struct context {
    mc_session *session;
    void (*append_state)(void *user, mc_text *out);
    void *user;
} context;

static bool check_expected(const mc_script *script, const context *at, const line *expected) {
    size_t size = strcspn(expected->text, " ");
    const char *value = expected->text + size + strspn(expected->text + size, " ");
    char field[64] = "";
    mc_text state = {0}, found = {0};
    if (size < sizeof field) memcpy(field, expected->text, size);
    at->append_state(at->user, &state);
    bool fits = !state.failed && find_value(&state, field, false, &found) &&
                strcmp(found.data ? found.data : "", value) == 0;
    if (!fits)
        mc_message_say("%s:%u: expected %s to be %s, found %s", script->path, expected->number,
                       field, value, found.data ? found.data : "no such field, or nothing in it");
    mc_text_deinit(&state);
    mc_text_deinit(&found);
    return fits;
}

static bool print(const mc_script *script, const context *at, const line *printed) {
    mc_text state = {0}, found = {0};
    at->append_state(at->user, &state);
    bool fits = !state.failed && find_value(&state, printed->text, true, &found);
    if (fits)
        printf("%s\n", found.data);
    else
        mc_message_say("%s:%u: there is no field \"%s\" now", script->path, printed->number,
                       printed->text);
    fflush(stdout);
    mc_text_deinit(&state);
    mc_text_deinit(&found);
    return fits;
}

// ---- going on

bool mc_script_is_over(const mc_script *script) {
    return !script || script->next == script->count;
}

static void end(mc_session *session, int exit_code) {
    session->exit_code = exit_code;
    session->ends = true;
}

// What is not followed gets no other ones.
static bool has_steps(const mc_session *session, uint32_t count) {
    if (!session->follow.is_on) return true;
    return session->trace && mc_trace_get_step_count(session->trace) >= count;
}

void mc_script_run(mc_script *script, mc_session *session,
                   void (*append_state)(void *user, mc_text *out), void *user) {
    context at = {session, append_state, user};
    while (script && script->next < script->count && !session->ends) {
        const line *next = &script->lines[script->next];
        mc_error error = {0};
        if (next->word == WORD_WAIT && !mc_session_is_idle(session)) return;
        if (next->word == WORD_WAIT_STOPPED && session->playback.playing) return;
        if (next->word == WORD_WAIT_STEPS && !has_steps(session, next->step_count)) return;
        script->next++;
        if (next->word == WORD_EXPECT && !check_expected(script, &at, next)) {
            end(session, MC_EXIT_FAILED);
        } else if (next->word == WORD_PRINT && !print(script, &at, next)) {
            end(session, MC_EXIT_BAD_INPUT);
        } else if (next->word == WORD_ACTION &&
                   mc_session_do_text(session, next->action, next->text, &error) != MC_OK) {
            mc_message_say("%s:%u: %s", script->path, next->number, error.message);
            end(session, MC_EXIT_BAD_INPUT);
        }
    }
}
