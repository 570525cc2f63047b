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
#include "engine/trace/step_tree.h"

typedef enum mc_group_criterion {
    MC_GROUP_PACKAGE,
    MC_GROUP_TYPE,
    MC_GROUP_LOADER,
    MC_GROUP_MODULE,
    MC_GROUP_STRUCTURE, // not of a class but of each object: see mc_class_groups_find_within()
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
bool mc_grouping_has(const mc_grouping *grouping, mc_group_criterion criterion);
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

// The groups that were seen so far. A leaf is numbered when it is seen first; classes that agree in
// all criteria are one leaf.
typedef struct mc_class_groups mc_class_groups;

mc_result mc_class_groups_create(const mc_grouping *grouping, mc_class_groups **groups,
                                 mc_error *error);
void mc_class_groups_destroy(mc_class_groups *groups); // NULL is fine

// The leaf of a class, MC_NONE if memory is out. O(name).
uint32_t mc_class_groups_find(mc_class_groups *groups, const mc_class_place *place);
// The leaf of what is in the leaf `leaf` of `others`, whose criteria are those of `groups` but for
// the data structure, and in the data structure with this key. MC_NONE if memory is out.
uint32_t mc_class_groups_find_within(mc_class_groups *groups, const mc_class_groups *others,
                                     uint32_t leaf, const char *structure, size_t structure_size);
uint32_t mc_class_groups_get_count(const mc_class_groups *groups); // leaves

// The group's own key, without those around it.
const char *mc_class_groups_get_key(const mc_class_groups *groups, uint32_t group, size_t *size);
// Appends "Heap#java.lang#String".
void mc_class_groups_append_full_key(const mc_class_groups *groups, uint32_t leaf, mc_text *text);

// All groups, the root and leaves among them; those around one have lower numbers.
uint32_t mc_class_groups_get_group_count(const mc_class_groups *groups);
uint32_t mc_class_groups_get_group(const mc_class_groups *groups, uint32_t leaf);
uint32_t mc_class_groups_get_parent(const mc_class_groups *groups, uint32_t group); // or MC_NONE
void mc_class_groups_append_group_key(const mc_class_groups *groups, uint32_t group, mc_text *text);
// The group with this full key, MC_NONE: there is none. O(groups).
uint32_t mc_class_groups_find_key(const mc_class_groups *groups, const char *key, size_t size);

// Fills a step's tree (but for its time) with all leaves that have objects or bytes, and the groups
// above them. `objects` and `bytes` have an entry a leaf. `offsets`: where each begins in the
// input, for messages; may be NULL. `tree_nodes`, an entry a group, is filled with the group's node
// in the tree, MC_NONE if it has none; may be NULL. MC_ERROR_BAD_DATA if a sum is larger than
// MC_COUNT_MAX.
mc_result mc_class_groups_fill_tree(const mc_class_groups *groups, const uint64_t *objects,
                                    const uint64_t *bytes, const uint64_t *offsets,
                                    mc_step_tree *tree, uint32_t *tree_nodes, mc_error *error);
