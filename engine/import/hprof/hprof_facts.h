// hprof_facts.h - what HotSpot does to the JDK's own classes that a heap dump does not show: which
// fields it injects, and which fields it pads against false sharing (@Contended).
//
// This differs from release to release. No dump names the release that wrote it, but the classes
// and fields in it reveal it. Facts: OpenJDK's javaClasses.hpp and the sources of java.base, 8 to
// 25. Pure functions, any thread.
#pragma once
#include "engine/base/base.h"

// Fields of one class by width, without inherited ones.
typedef struct mc_hprof_field_counts {
    uint32_t of_8, of_4, of_2, of_1, references;
} mc_hprof_field_counts;

// Tells whether a class of the JDK's base is described, with a field of its own; `field` NULL: with
// any. Names have slashes. It is asked for few different ones, again and again.
typedef struct mc_hprof_schema {
    bool (*has)(void *user, const char *class, const char *field);
    void *user;
} mc_hprof_schema;

// Names of a class of the JDK's base, and of a field of its own. NULL: not known.
mc_hprof_field_counts mc_hprof_get_injected_fields(const mc_hprof_schema *schema, const char *class,
                                                   size_t size);
// Whether all fields are padded, together.
bool mc_hprof_is_padded_class(const mc_hprof_schema *schema, const char *class, size_t size);
// Whether the class has fields that are padded as one group.
bool mc_hprof_has_padded_fields(const char *class, size_t size);
bool mc_hprof_is_padded_field(const mc_hprof_schema *schema, const char *class, size_t size,
                              const char *field, size_t field_size);

// Instances of this class have a stack behind their fields, of as many words as one of them says.
#define MC_HPROF_STACK_CLASS "jdk/internal/vm/StackChunk"
#define MC_HPROF_STACK_FIELD "size"
