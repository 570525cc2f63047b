// hprof_fields.h - the ways in which an object references others: fields, array elements, and the
// special references of class objects.
//
// A slot numbers an object's references. For an instance: in the order of
// mc_hprof_class.references, followed by its class if it keeps that alive. For a class object:
// loader, signers, protection domain, superclass, constants and static fields, in this order. All
// elements of an array share one slot. Pure functions, any thread.
#pragma once
#include "engine/import/hprof/hprof_classes.h"

typedef enum mc_hprof_field_kind {
    MC_HPROF_FIELD_UNKNOWN,
    MC_HPROF_FIELD_INSTANCE,
    MC_HPROF_FIELD_CLASS, // of an instance
    MC_HPROF_FIELD_ELEMENT,
    MC_HPROF_FIELD_STATIC,
    MC_HPROF_FIELD_LOADER,
    MC_HPROF_FIELD_SIGNERS,
    MC_HPROF_FIELD_DOMAIN,
    MC_HPROF_FIELD_SUPERCLASS,
    MC_HPROF_FIELD_CONSTANT
} mc_hprof_field_kind;

#define MC_HPROF_CLASS_SLOTS 4 // before constants and static fields

typedef struct mc_hprof_field {
    mc_hprof_field_kind kind;
    uint32_t class; // that declares it; of ELEMENT the array's
    uint64_t name;  // id of a string; of INSTANCE and STATIC
    uint64_t place; // of INSTANCE: where in the dump it is declared
    bool is_weak;   // of java.lang.ref.Reference: does not keep what it references
} mc_hprof_field;

// O(1); of classes that were grouped with has_references.
mc_hprof_field mc_hprof_get_instance_field(const mc_hprof_classes *classes,
                                           const mc_hprof_file *file, uint32_t class,
                                           uint32_t slot);
mc_hprof_field mc_hprof_get_class_field(const mc_hprof_classes *classes, const mc_hprof_file *file,
                                        uint32_t class, uint32_t slot);

// What follows is O(fields of the class). The slot of an instance's weak reference, MC_NONE if the
// class has none.
uint32_t mc_hprof_find_weak_slot(const mc_hprof_classes *classes, const mc_hprof_file *file,
                                 uint32_t class);
// Slots of a class object.
uint32_t mc_hprof_count_class_slots(const mc_hprof_classes *classes, const mc_hprof_file *file,
                                    uint32_t class);

// Calls visit(user, slot, id) for each slot of a class object, also those that hold null, until it
// returns false. Reads what lies in the file now.
void mc_hprof_visit_class_slots(const mc_hprof_file *file, const mc_hprof_class_record *record,
                                bool (*visit)(void *user, uint32_t slot, uint64_t id), void *user);

// Appends a class's name in words of the source, with its package or without.
void mc_hprof_append_class(const mc_hprof_classes *classes, uint32_t class, bool has_package,
                           mc_text *text);
// Appends "Shop.cache", "Object[] elements", "Cache.MAP" of a static field, "Shop.<loader>".
void mc_hprof_append_field(const mc_hprof_classes *classes, const mc_hprof_file *file,
                           const mc_hprof_field *field, bool has_package, mc_text *text);
