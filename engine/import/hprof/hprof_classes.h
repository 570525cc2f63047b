// hprof_classes.h - the classes of a heap: where references lie in their instances, how large these
// are, and which leaf of the tree they belong to.
//
// A class that has instances but no description in the dump is included: its objects count, its
// references are unknown. Class objects are instances of java.lang.Class. Memory: an entry per
// class, one per static reference, and one per reference field of classes that have instances.
// Threads: reading, any.
#pragma once
#include "engine/import/hprof/hprof_count.h"
#include "engine/import/jvm/grouping.h"

// Which field an instance's reference is.
typedef struct mc_hprof_declaration {
    uint32_t class; // that declares it
    uint32_t index; // in its own_fields
} mc_hprof_declaration;

typedef struct mc_hprof_class {
    uint64_t id, loader_id;
    uint64_t record;  // offset of its description; MC_HPROF_NO_VALUE: there is none
    const char *name; // as it is in the dump; NULL: not known
    size_t name_size;
    uint32_t super;    // MC_NONE: none, or not known
    uint32_t ancestor; // the nearest superclass that has fields of its own; MC_NONE: none
    uint32_t leaf;     // of its instances
    bool is_whole;     // its fields are all known, inherited ones, too
    bool is_kept;      // by its instances, see mc_hprof_origins_may_go(); set with the leaf
    uint32_t own_field_count;
    const unsigned char *own_fields; // as in the dump
    uint64_t own_size, field_size;   // own fields, and all, of an instance in the dump
    uint64_t size;                   // of an instance in memory
    uint64_t static_size;            // of its static fields
    size_t reference_begin;          // in `references`
    uint32_t reference_count;
    size_t static_begin;     // in `statics`
    uint32_t static_count;   // static fields that are references
    uint32_t constant_count; // of the constant pool that are references
    mc_hprof_tally tally;
} mc_hprof_class;

typedef struct mc_hprof_classes {
    mc_hprof_class *items;
    uint32_t count;
    size_t capacity;
    mc_hprof_table by_id;
    uint32_t *supers_first;             // all classes
    uint32_t *references;               // offsets in instances
    mc_hprof_declaration *declarations; // of each of `references`
    size_t reference_count, reference_capacity, declaration_capacity;
    uint32_t *statics; // where in a class's record the static field is
    size_t static_count, static_capacity;
    mc_hprof_model model;       // of the JVM that wrote the dump
    uint32_t alignment;         // of objects
    uint32_t class_leaf;        // of class objects
    uint64_t class_object_size; // without static fields, unaligned
    uint32_t stack_class;       // index of the class with a stack behind its fields; MC_NONE: none
    uint32_t stack_field;       // where in its instances the stack's size is
    uint32_t primitive_leaves[MC_HPROF_TYPE_COUNT];
    uint32_t leaf_count;
    uint64_t *objects, *bytes;  // of each leaf
    uint64_t undescribed_count; // objects of classes that are not wholly described
} mc_hprof_classes;

// What the dump says of classes, and how many instances they have. `classes` is zeroed, and to be
// deinitialised in any case.
mc_result mc_hprof_classes_init(mc_hprof_classes *classes, const mc_hprof_file *file,
                                const mc_hprof_tallies *tallies, mc_error *error);
void mc_hprof_classes_deinit(mc_hprof_classes *classes);

// The class's index, MC_NONE if no object has it.
static inline uint32_t mc_hprof_classes_find(const mc_hprof_classes *classes, uint64_t id) {
    return (uint32_t)mc_hprof_table_get(&classes->by_id, id); // the empty value becomes MC_NONE
}

// The same, of classes that were found before in this way.
static inline uint32_t mc_hprof_classes_find_again(const mc_hprof_classes *classes,
                                                   mc_hprof_recent *recent, uint64_t id) {
    uint32_t *class;
    if (!mc_hprof_recent_get(recent, id, &class)) *class = mc_hprof_classes_find(classes, id);
    return *class;
}

// What an object takes. `class`: its class's index, of a class object its own.
uint64_t mc_hprof_classes_measure(const mc_hprof_classes *classes, mc_hprof_kind kind,
                                  uint32_t class, const mc_hprof_item *item);

// The type of a class's field `i`, own fields as they are in the dump.
static inline uint8_t mc_hprof_get_field_type(const mc_hprof_file *file,
                                              const unsigned char *fields, uint32_t i) {
    return fields[(size_t)i * (file->id_size + 1) + file->id_size];
}
// Where a field of its own is in an instance; MC_NONE: it has none of that name.
uint32_t mc_hprof_find_own_field(const mc_hprof_file *file, const mc_hprof_class *class,
                                 const char *name);
