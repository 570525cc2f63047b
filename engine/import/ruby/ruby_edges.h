// ruby_edges.h - the references of a Ruby dump as edges between its objects, in several threads.
//
// Memory: 8 bytes a reference of some thousand objects, beside the edges. Untrusted input.
#pragma once
#include "engine/import/objects/object_ids.h"

typedef struct mc_ruby_references {
    const char *at; // the first one, as mc_ruby_row has it; NULL: there is none
    uint32_t label; // of all of them
} mc_ruby_references;

// Fills edges and edge_begins of `heap`, whose objects are there, with those that lead to objects.
// `references`: by object. `mapping`: of a file, where it begins: what was read may go; NULL: none.
// `end`: of the data. MC_ERROR_UNSUPPORTED: there are too many.
mc_result mc_ruby_edges_read(mc_object_heap *heap, const mc_object_ids *ids,
                             const mc_ruby_references *references, const char *mapping,
                             const char *end, mc_error *error);
