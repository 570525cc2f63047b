// hprof_collections.h - recognises collection classes (the JDK's, their subclasses, and those that
// the user names), and finds the fields in which collections and string builders keep their
// content. Pure functions, any thread.
#pragma once
#include "engine/import/hprof/hprof_fields.h"

// `patterns` are names of classes as the source writes them, separated by commas, in which a '*'
// stands for anything: "com.acme.Cache,com.acme.*Pool". NULL: none.

// Of each class whether it is one, or one of its superclasses. O(classes). For mc_free(); NULL if
// memory is out.
bool *mc_hprof_list_collections(const mc_hprof_classes *classes, const char *patterns);
// Whether the class itself is one of those: not a subclass.
bool mc_hprof_is_listed(const mc_hprof_class *class, const char *patterns);
// Whether the class is nested in one of those: HashMap$Node.
bool mc_hprof_is_in_listed(const mc_hprof_class *class, const char *patterns);

// How to see whether an instance is empty: one int that is 0, or two that are equal.
typedef struct mc_hprof_emptiness {
    uint32_t first, second; // offsets; MC_NONE: none
} mc_hprof_emptiness;

// Where a StringBuilder or StringBuffer has its characters: offsets; MC_NONE: none.
typedef struct mc_hprof_builder {
    uint32_t value; // the array
    uint32_t count; // how many characters of it are in use
    uint32_t coder; // a byte, 1: they are of 16 bits; MC_NONE: as the array's type says
} mc_hprof_builder;

// `value` or `count` is MC_NONE if the class is none. `of_super`: what its superclass has; NULL: it
// has none. O(the class's own fields).
mc_hprof_builder mc_hprof_get_builder(const mc_hprof_class *class, const mc_hprof_file *file,
                                      const mc_hprof_builder *of_super);

// `first` is MC_NONE if that can't be seen. Otherwise likewise.
mc_hprof_emptiness mc_hprof_get_emptiness(const mc_hprof_class *class, const mc_hprof_file *file,
                                          const mc_hprof_emptiness *of_super);
