// json_tokens.h - walks over the tokens of one JSON document of any size, without recursion.
//
// The document is indexed (json_index.h) piece by piece, so that memory does not grow with it and
// the pieces stay in the cache. Strict: what a caller skips is checked as well as what it reads.
// After a failure every call fails, the first error stays. Reads no byte outside of the document.
// Threads: one object serves one thread at a time.
#pragma once
#include "engine/base/text.h"
#include "engine/import/json_index.h"
#include "engine/import/watch.h"

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
    size_t next;                // where the next piece begins
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

typedef enum mc_json_member { MC_JSON_MEMBER, MC_JSON_END, MC_JSON_FAILED } mc_json_member;

bool mc_json_tokens_init(mc_json_tokens *tokens); // false if memory is out
void mc_json_tokens_deinit(mc_json_tokens *tokens);

// A byte order mark at the beginning is skipped.
void mc_json_tokens_begin(mc_json_tokens *tokens, const unsigned char *data, size_t size,
                          uint64_t offset, mc_error *error);

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

// Behind an object's opening brace or a member's value: takes the next member's name and its colon,
// or the closing brace.
mc_json_member mc_json_next_member(mc_json_tokens *tokens, bool is_first, mc_json_string *name);

// Takes a string. `expected` is for the message if there is none.
bool mc_json_take_string(mc_json_tokens *tokens, const char *expected, mc_json_string *string);

// Takes a whole number from `least` (0, -1 or INT64_MIN) to INT64_MAX.
bool mc_json_take_integer(mc_json_tokens *tokens, int64_t least, int64_t *value);

// Takes any value, however deep.
bool mc_json_skip_value(mc_json_tokens *tokens);

// The document's end must follow.
bool mc_json_take_end(mc_json_tokens *tokens);
