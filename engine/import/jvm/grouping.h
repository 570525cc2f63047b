// grouping.h - groups the classes of a JVM by criteria, and defines the groups' keys.
//
// Shared by all readers of JVM data (class histograms, heap dumps), so that cities from different
// sources have the same places. Class names are accepted in any form that JVMs write:
// "java.lang.String", "java/lang/String", "[Ljava.lang.String;", "[[I". Arrays lie in their
// element's package, primitive arrays in "(primitive)", classes without a package in "(default)";
// unknown values are "(unknown)". A type's key is its name without the package ("String[]") if the
// package is one of the criteria before it, otherwise its whole name. Threads: one object serves
// one thread at a time.
#pragma once
#include "engine/heap/groups.h"

typedef enum mc_group_criterion {
    MC_GROUP_PACKAGE,
    MC_GROUP_TYPE,
    MC_GROUP_LOADER,
    MC_GROUP_MODULE,
    MC_GROUP_STRUCTURE, // not of a class but of each object: see mc_heap_divide()
    MC_GROUP_CRITERION_COUNT
} mc_group_criterion;

// Outermost first, none twice.
typedef struct mc_grouping {
    mc_group_criterion criteria[MC_GROUP_CRITERION_COUNT];
    uint32_t count;
} mc_grouping;

// The classifiers' names: "Package", "Type", "Loader", "Module", "Data Structure".
extern const char *const mc_group_classifiers[MC_GROUP_CRITERION_COUNT];

// Reads "package,type". NULL: the default, which is just that. MC_ERROR_BAD_DATA says what was
// expected.
mc_result mc_grouping_parse(const char *list, mc_grouping *grouping, mc_error *error);
// At which level it is; MC_NONE: at none.
uint32_t mc_grouping_find(const mc_grouping *grouping, mc_group_criterion criterion);
static inline bool mc_grouping_has(const mc_grouping *grouping, mc_group_criterion criterion) {
    return mc_grouping_find(grouping, criterion) != MC_NONE;
}
// The same criteria but one.
mc_grouping mc_grouping_without(const mc_grouping *grouping, mc_group_criterion criterion);

// What a criterion can ask of a class. Sizes in bytes; NULL: not known.
typedef struct mc_class_place {
    const char *name, *loader, *module;
    size_t name_size, loader_size, module_size;
} mc_class_place;

// Appends the class's name as the source code writes it ("java.lang.String[][]"); *package_size is
// then the length of the package in front of it, without the dot; 0: there is none. Bytes that are
// no UTF-8 become U+FFFD.
void mc_class_name_append(mc_text *text, const char *name, size_t size, size_t *package_size,
                          bool *is_primitive);

// Appends the class's key by one criterion, none of a data structure. `has_package`: the package is
// told beside it, so that its type goes without.
void mc_class_place_append_key(const mc_class_place *place, mc_group_criterion criterion,
                               bool has_package, mc_text *text);

// The groups of these criteria, all of them or without the data structure.
mc_result mc_class_groups_create(const mc_grouping *grouping, mc_heap_groups **groups,
                                 mc_error *error);
// The leaf of a class, MC_NONE if memory is out. `grouping` is that of the groups. O(name).
uint32_t mc_class_groups_find(mc_heap_groups *groups, const mc_grouping *grouping,
                              const mc_class_place *place);
