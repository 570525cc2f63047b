// heapgraph_types.h - the types of a Java heap graph: names, fields, what they are to a heap.
//
// Threads: one object, one thread.
#pragma once
#include "engine/import/objects/object_heap.h"
#include "engine/import/perfetto/perfetto_interned.h"
#include "engine/import/perfetto/perfetto_real_names.h"

typedef struct mc_heapgraph_type {
    mc_span name; // as the trace has it: "com.acme.Shop$Cart[]"
    uint64_t size, superclass, location;
    uint32_t kind;                 // as the trace numbers them
    mc_proto body;                 // for its fields
    uint32_t labels, labels_count; // of its objects' references; labels: MC_NONE: not found yet
    uint32_t heap_type;            // MC_NONE: likewise
} mc_heapgraph_type;

// Zero-initialise but for `heap`; deinit.
typedef struct mc_heapgraph_types {
    mc_object_heap *heap;
    mc_perfetto_interned fields; // names, types (as MC_PERFETTO_MAPPING), and files
    mc_perfetto_real_names real; // of classes and fields
    mc_heapgraph_type *items;    // by the place of a type in `fields`
    size_t capacity;
    uint32_t *labels;
    size_t label_count, label_capacity;
    size_t label_most; // by the caller: in all; further ones have none
    mc_text text;      // scratch
} mc_heapgraph_types;

void mc_heapgraph_types_deinit(mc_heapgraph_types *types);

// A field of a heap graph that is a type (MC_PERFETTO_MAPPING), the name of a field (…TEXT) or a
// file (…PATH). False: memory is out. *wrong: where it is none; NULL: it is one.
bool mc_heapgraph_types_add(mc_heapgraph_types *types, const mc_proto_field *field,
                            mc_perfetto_table table, const unsigned char **wrong);
// NULL: there is none.
mc_heapgraph_type *mc_heapgraph_types_find(const mc_heapgraph_types *types, uint64_t id);

// These return MC_NONE if memory is out. The heap's type; `type` may be NULL: "(unknown)".
uint32_t mc_heapgraph_types_get(mc_heapgraph_types *types, mc_heapgraph_type *type);
// The label of a field, by its number, in objects of a type.
uint32_t mc_heapgraph_types_get_label(mc_heapgraph_types *types, const mc_heapgraph_type *type,
                                      uint64_t field);
// How many labels the references of an object of the type have, in types->labels, from
// type->labels on; further ones have none. Those of its superclasses come behind its own.
uint32_t mc_heapgraph_types_list_labels(mc_heapgraph_types *types, mc_heapgraph_type *type);
