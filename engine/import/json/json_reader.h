// json_reader.h - reads one step, or one pointer map, from JSON text in memory.
//
// Both forms that SPEC describes; the first field that only one of them has decides which it is.
// Untrusted input: every error is MC_ERROR_BAD_DATA with the byte offset and a message that begins
// with the path in the document, such as "root.children[3].objects: expected …". Strict JSON; no
// byte outside of the given ones is read. Unknown fields are skipped, known ones may come in any
// order but only once. Cost: O(bytes); memory: the tree, and about a megabyte.
// Threads: one object serves one thread at a time; it keeps its memory from call to call.
#pragma once
#include "engine/import/json/json_tokens.h"
#include "engine/trace/step_tree.h"

typedef struct mc_json_reader mc_json_reader;

mc_json_reader *mc_json_reader_create(void);         // NULL if memory is out
void mc_json_reader_destroy(mc_json_reader *reader); // NULL is fine

// Lets others stop the reading and, if `is_counted`, follow it. `watch` may be NULL.
void mc_json_reader_set_watch(mc_json_reader *reader, mc_import_watch *watch, bool is_counted);

// Tests: documents are indexed in pieces of about this size; 0 is the usual one.
void mc_json_reader_set_piece_size(mc_json_reader *reader, size_t size);

// Tests: no leaf is read by the pattern of another one (json_pattern.h).
void mc_json_reader_forbid_patterns(mc_json_reader *reader, bool is_forbidden);

// `offset` is where data[0] is in the file, for messages. On failure the tree's (or map's) content
// is unspecified; it can be used again.
mc_result mc_json_reader_read_step(mc_json_reader *reader, const unsigned char *data, size_t size,
                                   uint64_t offset, mc_step_tree *tree, mc_error *error);
mc_result mc_json_reader_read_references(mc_json_reader *reader, const unsigned char *data,
                                         size_t size, uint64_t offset, mc_reference_map *map,
                                         mc_error *error);

// How many bytes of the last document were looked at: all, unless it was wrong.
size_t mc_json_reader_get_read_size(const mc_json_reader *reader);

// Whether the document that was read last said its time, also if it was wrong elsewhere.
bool mc_json_reader_get_time(const mc_json_reader *reader, int64_t *time_ms);
