// json_index.h - finds the offsets at which the tokens of a piece of JSON text begin: simdjson's
// first stage.
//
// Does not check the grammar. Reads no byte outside of the piece. Memory: four bytes for each byte
// of the longest piece, of which only as many are touched as there are tokens. Threads: separate
// objects may run in parallel.
#pragma once
#include "engine/base/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mc_json_index mc_json_index;

typedef enum mc_json_index_result {
    MC_JSON_INDEX_OK,
    MC_JSON_INDEX_INVALID, // no UTF-8, a control character in a string, or a string without end
    MC_JSON_INDEX_TOO_LARGE,
    MC_JSON_INDEX_OUT_OF_MEMORY
} mc_json_index_result;

mc_json_index *mc_json_index_create(void);        // NULL if memory is out
void mc_json_index_destroy(mc_json_index *index); // NULL is fine

// Lists the offsets of brackets, commas, colons, strings' opening quotes and the first bytes of
// everything else that is no white space. `(*tokens)[*count]` exists, too, and is `size`. They are
// valid until the next call.
mc_json_index_result mc_json_index_find(mc_json_index *index, const unsigned char *data,
                                        size_t size, const uint32_t **tokens, uint32_t *count);

// Reads a number as JSON writes it, in no locale. False: no double holds it.
bool mc_json_read_real(const char *begin, const char *end, double *value);

#ifdef __cplusplus
}
#endif
