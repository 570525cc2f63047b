// hprof_kinds.h - the kinds of a dump's objects (mc_heap_kind): of each class its instances, its
// arrays and its class object, and arrays of each primitive type.
//
// Memory: an entry per class and kind. Threads: reading, any.
#pragma once
#include "engine/heap/heap.h"
#include "engine/import/hprof/hprof_fields.h"

typedef enum mc_hprof_vertex {
    MC_HPROF_VERTEX_UNKNOWN,
    MC_HPROF_VERTEX_ROOT,
    MC_HPROF_VERTEX_FINALIZING, // late root: what pending finalizers keep
    MC_HPROF_VERTEX_SOFT,       // likewise: soft references
    MC_HPROF_VERTEX_INSTANCE,
    MC_HPROF_VERTEX_OBJECTS,    // array
    MC_HPROF_VERTEX_PRIMITIVES, // array
    MC_HPROF_VERTEX_CLASS
} mc_hprof_vertex;

enum {
    MC_HPROF_KIND_UNKNOWN,
    MC_HPROF_KIND_ROOT,
    MC_HPROF_KIND_LATE_ROOTS // of each in turn
};

typedef struct mc_hprof_kind_meaning {
    mc_hprof_vertex what;
    uint32_t class; // index; of CLASS the one that it is; of PRIMITIVES the type of the elements
} mc_hprof_kind_meaning;

// Kinds of what has to do with a class; MC_HPROF_KIND_UNKNOWN: there is no such object.
typedef struct mc_hprof_class_kinds {
    uint32_t instance, array, object;
    uint32_t weak_slot;    // of instances; MC_NONE: none
    mc_heap_region region; // that the weak slot leads into; STRONG: it keeps nothing
} mc_hprof_class_kinds;

typedef struct mc_hprof_kinds {
    mc_hprof_kind_meaning *meanings; // by kind
    mc_hprof_class_kinds *classes;   // by class
    uint32_t primitives[MC_HPROF_TYPE_COUNT];
} mc_hprof_kinds;

// Adds the kinds to `heap`. `classes` have their references. To be deinitialised in any case.
// MC_ERROR_UNSUPPORTED if there are 2^32 fields or more.
mc_result mc_hprof_kinds_init(mc_hprof_kinds *kinds, const mc_hprof_classes *classes,
                              const mc_hprof_file *file, mc_heap *heap, mc_error *error);
void mc_hprof_kinds_deinit(mc_hprof_kinds *kinds);

// The kind of the object of a record, MC_HPROF_KIND_UNKNOWN: it is not counted, as a class that is
// described once more. *class: the class's index, that of a class object its own; of an array of a
// primitive type MC_NONE.
static inline uint32_t mc_hprof_kinds_find(const mc_hprof_kinds *kinds,
                                           const mc_hprof_classes *classes,
                                           const mc_hprof_file *file, mc_hprof_recent *recent,
                                           mc_hprof_kind record, const mc_hprof_item *item,
                                           uint32_t *class) {
    *class = MC_NONE;
    if (record == MC_HPROF_PRIMITIVES) return kinds->primitives[item->type];
    *class = record == MC_HPROF_CLASS
                 ? mc_hprof_classes_find(classes, item->id)
                 : mc_hprof_classes_find_again(classes, recent, item->class_id);
    if (*class == MC_NONE) return MC_HPROF_KIND_UNKNOWN;
    const mc_hprof_class_kinds *known = &kinds->classes[*class];
    if (record == MC_HPROF_INSTANCE) return known->instance;
    if (record == MC_HPROF_OBJECTS) return known->array;
    bool is_first = classes->items[*class].record == (uint64_t)(item->begin - file->data);
    return is_first ? known->object : MC_HPROF_KIND_UNKNOWN;
}
