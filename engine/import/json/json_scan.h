// json_scan.h - finds positions in raw JSON text at which it can be split, at memory speed.
//
// It tracks strings and brackets, nothing else: the grammar is checked when the pieces are read.
// Reads no byte outside of the data it is given. Threads: separate objects may run in parallel.
#pragma once
#include "engine/base/base.h"

typedef struct mc_json_cut {
    size_t size;      // the piece ends here: outside of strings, numbers and literals
    bool has_escapes; // there may be backslashes in the piece
    bool is_unclosed; // the data ends within a string; `size` then is all of it
} mc_json_cut;

// Cuts off a piece of at least `wanted` bytes, or all if there are less. `data` begins outside of
// strings. O(piece).
mc_json_cut mc_json_cut_piece(const unsigned char *data, size_t size, size_t wanted);

// The elements of a JSON array, one by one, so that a file of any size can be read by element. The
// data may come in parts.
typedef enum mc_json_array_state {
    MC_JSON_ARRAY_BEFORE_FIRST,
    MC_JSON_ARRAY_IN_ELEMENT,
    MC_JSON_ARRAY_BEHIND_ELEMENT,
    MC_JSON_ARRAY_BEHIND_COMMA,
    MC_JSON_ARRAY_BEHIND_END
} mc_json_array_state;

// The instructions that may be used, if the processor has them.
typedef enum mc_json_width { MC_JSON_WIDEST, MC_JSON_WIDE, MC_JSON_PLAIN } mc_json_width;

typedef struct mc_json_array {
    const unsigned char *data;
    size_t size, at;
    uint64_t count;     // elements found so far
    bool is_partial;    // more data may follow; set by the caller
    bool is_within;     // what stands behind the end is none of its business
    bool is_single;     // one element, without brackets
    mc_json_width most; // for tests
    bool is_done;
    mc_json_array_state state;

    // the element that is being measured
    size_t element, scanned;
    uint64_t depth, inside; // brackets open; all bits set: in a string
    bool is_escaped;        // a backslash precedes
} mc_json_array;

// True if the first byte that is no white space opens an array. A byte order mark is skipped.
bool mc_json_is_array(const unsigned char *data, size_t size);

// Likewise, an object.
bool mc_json_is_object(const unsigned char *data, size_t size);

typedef enum mc_json_guess {
    MC_JSON_STEPS, // an object, or the first one of an array, has a field that a step or a pointer
                   // map has
    MC_JSON_NO_STEPS, // it has none of them, or there is another value
    MC_JSON_UNCLEAR   // the data ends before that shows, or is no JSON: it may be a damaged step
} mc_json_guess;

// What a JSON text, or the beginning of one, is meant to be, by the names of its outermost fields.
// O(bytes up to that field).
mc_json_guess mc_json_guess_steps(const unsigned char *data, size_t size);

typedef enum mc_json_search { MC_JSON_FOUND, MC_JSON_MISSING, MC_JSON_CUT } mc_json_search;

// The outermost field of that name in an object: where the first byte of its value is. Cut: the
// data ends before that shows. Missing also if it is no JSON. O(bytes up to the field).
mc_json_search mc_json_find_field(const unsigned char *data, size_t size, const char *name,
                                  size_t *value);

// Only for data that mc_json_is_array() says yes to.
void mc_json_array_begin(mc_json_array *array, const unsigned char *data, size_t size);

// A value in a larger text, at data[0]: an array, or an object, which is then the one element. What
// stands behind the value is not looked at: when it is done, that begins at `at`.
void mc_json_array_begin_within(mc_json_array *array, const unsigned char *data, size_t size);

// Finds the next element, at data[*begin .. *begin + *element_size). If there is none, the size is
// 0 and `is_done` is set behind the last; if it is not, more data is needed. Returns
// MC_ERROR_BAD_DATA with the byte offset where a comma or the array's end is missing, or where
// something follows it; the array is then done, too. An element that the data's end cuts off is
// found as far as it goes; whoever reads it will find it wrong, so that no more is said here.
mc_result mc_json_array_next(mc_json_array *array, size_t *begin, size_t *element_size,
                             mc_error *error);

// The data before this offset is not needed any more.
size_t mc_json_array_get_needed(const mc_json_array *array);
// Goes on with other data: without the first `dropped` bytes, and more at the end.
void mc_json_array_move(mc_json_array *array, const unsigned char *data, size_t size,
                        size_t dropped);
