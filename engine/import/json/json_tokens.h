// json_tokens.h - iterates over the tokens of one JSON document of any size, without recursion.
//
// The document is indexed (json_index.h) piece by piece, so that memory does not grow with it and
// the pieces stay in the cache. Strict: values that a caller skips are checked like those that it
// reads. After a failure every call fails, and the first error stays. Reads no byte outside of the
// document. Threads: one object serves one thread at a time.
#pragma once
#include "engine/base/text.h"
#include "engine/import/bytes/watch.h"
#include "engine/import/json/json_index.h"
#include <string.h>

#define MC_JSON_DEPTH_MAX 1000000 // levels of arrays and objects in each other

typedef struct mc_json_tokens {
    mc_json_index *index;
    mc_import_watch *watch; // may be NULL
    bool is_counted;        // add the bytes that are read to the watch
    const unsigned char *data;
    size_t size;
    uint64_t offset;            // of data[0] in the input, for messages
    const unsigned char *piece; // tokens are relative to this
    const uint32_t *at, *end;   // *end exists: the size of the piece
    size_t piece_size;          // at least; 0: what suits the caches
    size_t wanted;              // of the next piece, if piece_size is 0
    size_t next;                // where the next piece begins
    size_t seen;                // up to where bytes were looked at
    size_t bad_at;              // next is followed by something broken here; SIZE_MAX: no
    const char *bad_expected;   // what should be there
    bool has_escapes;           // in this piece
    bool failed;
    mc_error *error;        // what went wrong, may be NULL
    mc_text unescaped;      // the last string that had escapes
    unsigned char *nesting; // of what is skipped: the opening bracket of each level
    size_t nesting_capacity;
} mc_json_tokens;

typedef struct mc_json_string {
    const char *bytes; // unescaped, valid until the next string is taken
    size_t size;
} mc_json_string;

static inline bool mc_json_string_is(mc_json_string string, const char *wanted) {
    return string.size == strlen(wanted) && memcmp(string.bytes, wanted, string.size) == 0;
}

typedef struct mc_json_number {
    bool is_real; // written with a decimal point or an exponent
    uint64_t whole;
    double real;
} mc_json_number;

typedef enum mc_json_member { MC_JSON_MEMBER, MC_JSON_END, MC_JSON_FAILED } mc_json_member;

// Whether what begins like this is an object in whose first bytes, `within` at most, all of these
// texts stand. `wanted` ends with NULL.
bool mc_json_detect(const unsigned char *data, size_t size, size_t within,
                    const char *const *wanted);

bool mc_json_tokens_init(mc_json_tokens *tokens); // false if memory is out
void mc_json_tokens_deinit(mc_json_tokens *tokens);

// A byte order mark at the beginning is skipped.
void mc_json_tokens_begin(mc_json_tokens *tokens, const unsigned char *data, size_t size,
                          uint64_t offset, mc_error *error);

// Adds what lies before data[offset] to what was looked at.
void mc_json_tokens_note_seen(mc_json_tokens *tokens, size_t offset);

// Goes on at data[offset], which is where a token begins, or white space before one. What lies
// between was read by other means; it held no error.
void mc_json_tokens_seek(mc_json_tokens *tokens, size_t offset);

// Behind the token that was taken last, a bracket, comma or colon of this piece: its offset.
static inline size_t mc_json_get_end(const mc_json_tokens *tokens) {
    return (size_t)(tokens->piece - tokens->data) + tokens->at[-1] + 1;
}

// Fetches tokens when there are none. False at the document's end and after a failure.
bool mc_json_tokens_refill(mc_json_tokens *tokens);

// All of these return false (or MC_JSON_FAILED), so that a caller can `return mc_json_fail(...)`.
// `expected` completes "expected …"; what was found is added.
bool mc_json_fail(mc_json_tokens *tokens, const char *expected); // at the next token
bool mc_json_fail_at(mc_json_tokens *tokens, const unsigned char *at, const char *format, ...)
    MC_PRINTF(3, 4);
bool mc_json_fail_memory(mc_json_tokens *tokens);

// The next token's first byte, -1 at the end.
static inline int mc_json_peek(mc_json_tokens *tokens) {
    if (tokens->at == tokens->end && !mc_json_tokens_refill(tokens)) return -1;
    return tokens->piece[*tokens->at];
}

// Where the next token is, or the document's end.
static inline const unsigned char *mc_json_get_place(mc_json_tokens *tokens) {
    return mc_json_peek(tokens) < 0 ? tokens->data + tokens->size : tokens->piece + *tokens->at;
}

static inline uint64_t mc_json_get_offset(mc_json_tokens *tokens) {
    return tokens->offset + (uint64_t)(mc_json_get_place(tokens) - tokens->data);
}

// Takes a bracket, comma or colon if it is the next token.
static inline bool mc_json_take(mc_json_tokens *tokens, char token) {
    if (mc_json_peek(tokens) != token) return false;
    tokens->at++;
    return true;
}

// What the two functions below do when it is not as simple as they hope.
bool mc_json_take_any_string(mc_json_tokens *tokens, const char *expected, mc_json_string *string);
bool mc_json_take_any_integer(mc_json_tokens *tokens, int64_t least, int64_t *value);

// Takes a string. `expected` is for the message if there is none.
static inline bool mc_json_take_string(mc_json_tokens *tokens, const char *expected,
                                       mc_json_string *string) {
    if (mc_json_peek(tokens) != '"' || tokens->has_escapes)
        return mc_json_take_any_string(tokens, expected, string);
    uint32_t begin = tokens->at[0] + 1, end = tokens->at[1]; // of the next token
    if (end - begin < 1 || tokens->piece[end - 1] != '"')
        return mc_json_take_any_string(tokens, expected, string);
    *string = (mc_json_string){(const char *)tokens->piece + begin, end - 1 - begin};
    tokens->at++;
    return true;
}

// Takes a whole number from `least` (0, -1 or INT64_MIN) to INT64_MAX.
static inline bool mc_json_take_integer(mc_json_tokens *tokens, int64_t least, int64_t *value) {
    int first = mc_json_peek(tokens);
    if (first < '1' || first > '9') return mc_json_take_any_integer(tokens, least, value);
    const unsigned char *at = tokens->piece + tokens->at[0], *end = tokens->piece + tokens->at[1];
    if (end - at > 18) return mc_json_take_any_integer(tokens, least, value);
    int64_t number = 0;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9') return mc_json_take_any_integer(tokens, least, value);
        number = number * 10 + (*at - '0');
    }
    *value = number;
    tokens->at++;
    return true;
}

// Takes a number that is not negative: a whole one up to INT64_MAX, or one that a double can hold.
bool mc_json_take_number(mc_json_tokens *tokens, mc_json_number *number);

bool mc_json_take_boolean(mc_json_tokens *tokens, bool *value);

// Behind an object's opening brace or a member's value: takes the next member's name and its colon,
// or the closing brace.
mc_json_member mc_json_fail_member(mc_json_tokens *tokens, const char *expected);
static inline mc_json_member mc_json_next_member(mc_json_tokens *tokens, bool is_first,
                                                 mc_json_string *name) {
    if (mc_json_take(tokens, '}')) return MC_JSON_END;
    if (!is_first && !mc_json_take(tokens, ','))
        return mc_json_fail_member(tokens, "',' or '}' behind a field");
    const char *expected = is_first ? "a field's name or '}'" : "a field's name";
    if (!mc_json_take_string(tokens, expected, name)) return MC_JSON_FAILED;
    if (mc_json_take(tokens, ':')) return MC_JSON_MEMBER;
    return mc_json_fail_member(tokens, "':' behind a field's name");
}

// Takes any value, however deep.
bool mc_json_skip_value(mc_json_tokens *tokens);

// The document's end must follow.
bool mc_json_take_end(mc_json_tokens *tokens);
