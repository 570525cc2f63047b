// v8_file.h - the parts of a V8 heap snapshot (.heapsnapshot, .heaptimeline) in a text: what its
// fields are, where its arrays lie, its strings.
//
// Parts may stand in any order; strings come last in what V8 writes. A file that ends in its
// strings is read as far as possible. Untrusted input: nothing is believed but what is there.
// Threads: reading, any.
#pragma once
#include "engine/base/text.h"
#include "engine/import/v8/v8_ints.h"

typedef enum mc_v8_node_kind {
    MC_V8_HIDDEN,
    MC_V8_ARRAY,
    MC_V8_STRING,
    MC_V8_OBJECT,
    MC_V8_CODE,
    MC_V8_CLOSURE,
    MC_V8_REGEXP,
    MC_V8_NUMBER,
    MC_V8_NATIVE,
    MC_V8_SYNTHETIC,
    MC_V8_CONCATENATED,
    MC_V8_SLICED,
    MC_V8_SYMBOL,
    MC_V8_BIGINT,
    MC_V8_SHAPE,
    MC_V8_WASM,
    MC_V8_NODE_KIND_COUNT // or of a kind that is not known
} mc_v8_node_kind;

typedef enum mc_v8_edge_kind {
    MC_V8_CONTEXT,
    MC_V8_ELEMENT,
    MC_V8_PROPERTY,
    MC_V8_INTERNAL,
    MC_V8_HIDDEN_EDGE,
    MC_V8_SHORTCUT,
    MC_V8_WEAK,
    MC_V8_EDGE_KIND_COUNT // likewise
} mc_v8_edge_kind;

typedef enum mc_v8_node_field {
    MC_V8_NODE_TYPE,
    MC_V8_NODE_NAME,
    MC_V8_NODE_ID,
    MC_V8_NODE_SIZE,
    MC_V8_NODE_EDGES,
    MC_V8_NODE_DETACHED,
    MC_V8_NODE_FIELD_COUNT
} mc_v8_node_field;

typedef enum mc_v8_edge_field {
    MC_V8_EDGE_TYPE,
    MC_V8_EDGE_NAME,
    MC_V8_EDGE_TARGET,
    MC_V8_EDGE_FIELD_COUNT
} mc_v8_edge_field;

#define MC_V8_FIELDS_MAX 16
#define MC_V8_KINDS_MAX 64

typedef struct mc_v8_file {
    const char *data, *end;
    // By the place of a field among those of a node: which it is; MC_NONE: another one.
    uint32_t node_fields[MC_V8_FIELDS_MAX], edge_fields[MC_V8_FIELDS_MAX];
    uint32_t node_field_count, edge_field_count;
    uint8_t node_kinds[MC_V8_KINDS_MAX], edge_kinds[MC_V8_KINDS_MAX]; // by their numbers
    // Places of fields; MC_NONE: there is none.
    uint32_t location_field_count, location_object, location_line, location_column;
    mc_v8_ints nodes, edges, locations;
    mc_v8_ints samples; // microseconds and the last id until then, in turn
    // Where each string begins, behind its quote, and one more. Bytes up to 2^40.
    uint64_t *strings;
    uint32_t string_count;
    bool is_cut; // it ends in its strings
} mc_v8_file;

bool mc_v8_detect(const void *data, size_t size);
// To be deinitialised in any case. MC_ERROR_BAD_DATA with the offset.
mc_result mc_v8_file_init(mc_v8_file *file, const unsigned char *data, uint64_t size,
                          uint32_t thread_count, mc_error *error);
void mc_v8_file_deinit(mc_v8_file *file);
// Appends a string, at most `most` bytes of it, as UTF-8; halves of pairs that are none become
// U+FFFD. Of a number that is none: "(unknown)".
void mc_v8_file_append_string(const mc_v8_file *file, uint32_t index, size_t most, mc_text *text);
// As it stands there, with escapes; *size 0: it is not there.
const char *mc_v8_file_get_raw(const mc_v8_file *file, uint32_t index, size_t *size);
