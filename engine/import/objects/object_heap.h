// object_heap.h - a heap as most runtimes write it: objects with a type and a size, edges with or
// without a name, roots with a name. A reader adds them and ends; then it is a heap (heap.h).
//
// Objects are numbers from 0 on. A type is a leaf of the heap's groups and what its objects are
// called. A label is what an edge is called and how it keeps its target; label 0 has no name. What
// kinds the heap has follows from that: objects of one type whose edges have the same labels, in
// this order, are one kind, so that a field is a slot. A label that an object has several times is
// that of a list, and so are edges without a name; objects with many names, and those of types that
// have too many different ones, are taken for maps, whose names are data. Memory: 20 bytes an
// object and 8 an edge until the heap is linked. Threads: one object serves one thread at a time.
#pragma once
#include "engine/heap/heap.h"
#include "engine/import/objects/object_births.h"
#include "engine/trace/step_referrers.h"

// How the owners' sentences take a type (mc_heap_standing), as bits.
enum {
    MC_OBJECT_PROGRAM = 1, // the program's own, not the runtime's
    MC_OBJECT_ARRAY = 2,   // has elements, and may be a data structure
    MC_OBJECT_LASTING = 4  // what its labels of kind STATIC name lasts as long as the program
};

typedef struct mc_object_type {
    uint32_t leaf, title; // title: of texts
    uint32_t flags;
    uint32_t kind_count; // shapes of its objects so far
    uint32_t last_kind;  // of the last of them; MC_NONE: none yet
} mc_object_type;

typedef struct mc_object_label {
    uint32_t text;
    mc_heap_link_kind kind;
    bool is_whole;      // else the type's title and a dot belong before it: "Session.user"
    uint32_t seen;      // scratch: the object that had it last, + 1
    uint32_t seen_kind; // scratch; in the end, of weak ones, the slot of the current kind
} mc_object_label;

typedef struct mc_object_edge {
    uint32_t target, label;
} mc_object_edge;

typedef struct mc_object_root {
    uint32_t object, position; // position: in the graph, once it is linked
    mc_root_kind kind;
    uint32_t name;    // of texts, equal for alike roots; MC_NONE: none
    uint32_t example; // likewise: this one; MC_NONE: as the name
} mc_object_root;

// Zero-initialise, then init. What is filled by whom reads: types, labels by the functions below;
// objects as columns.
typedef struct mc_object_heap {
    mc_heap heap;
    mc_text classifiers; // the names of groups' levels, if a reader keeps them here
    mc_strings texts;
    mc_strings type_keys; // by type: what tells it from others
    mc_text scratch;
    mc_object_type *types;
    mc_object_label *labels;
    uint32_t type_count, label_count;
    size_t type_capacity, label_capacity;
    mc_slots label_slots;
    uint32_t object_count;
    uint32_t *object_types; // by object
    uint64_t *object_sizes; // likewise
    uint64_t *object_ids;   // likewise; NULL: numbers
    uint64_t *edge_begins;  // likewise, and one more: where its edges begin
    mc_object_edge *edges;  // NULL when linked
    mc_object_root *roots;  // when linked, by position
    size_t root_count, root_capacity;
    int64_t time_ms;         // 0: not known
    mc_object_births births; // no moments: not known, or not asked for
    // Filled by ending.
    uint32_t *object_kinds; // by object; NULL when linked
    uint32_t *kind_types;   // by kind
    uint32_t *link_labels;  // by link
    size_t kind_capacity, link_capacity;
    mc_slots shapes; // of kinds
    uint64_t *leaf_objects, *leaf_bytes;
    uint64_t edge_count, weak_count; // of all objects
} mc_object_heap;

// `classifiers`: as of mc_heap_groups_create(); the heap may own them (above) and is zeroed but for
// that. To be deinitialised in any case.
mc_result mc_object_heap_init(mc_object_heap *self, const char *const *classifiers,
                              uint32_t level_count, uint32_t thread_count, mc_error *error);
void mc_object_heap_deinit(mc_object_heap *self);

// All find what is there, or add it. MC_NONE: out of memory. What is no UTF-8 becomes U+FFFD.
uint32_t mc_object_heap_add_text(mc_object_heap *self, const char *bytes, size_t size);
// `keys`: of the levels of groups.
uint32_t mc_object_heap_find_type(mc_object_heap *self, const mc_heap_key *keys, mc_heap_key title,
                                  uint32_t flags);
uint32_t mc_object_heap_find_label(mc_object_heap *self, uint32_t text, mc_heap_link_kind kind,
                                   bool is_whole);
bool mc_object_heap_add_root(mc_object_heap *self, uint32_t object, mc_root_kind kind,
                             uint32_t name);

// How far reading is: phase 0 is that of objects, 1 that of edges; the end is the last. The heap's
// progress is told all of it. MC_ERROR_CANCELLED.
mc_result mc_object_heap_report(const mc_object_heap *self, uint32_t phase, uint64_t done,
                                uint64_t total, mc_error *error);
// Objects and edges are there: finds kinds, and sums up leaves. Edges are put in another order.
// MC_ERROR_BAD_DATA if a sum is too large.
mc_result mc_object_heap_end(mc_object_heap *self, mc_error *error);
// Builds the graph and its dominators, and lists groups. The heap's progress is told all of it.
mc_result mc_object_heap_link(mc_object_heap *self, mc_error *error);
void mc_object_heap_unlink(mc_object_heap *self);

// ---- what it is called (object_words.c)

// Their reader is the mc_object_heap.
extern const mc_heap_words mc_object_words;

// When linked: the root of a position that lasts longest, others behind it; NULL: none.
const mc_object_root *mc_object_find_root(const mc_object_heap *self, uint32_t position);
