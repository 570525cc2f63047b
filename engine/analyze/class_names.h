// class_names.h - what the name of a class tells: of the language's library or the program's own,
// the inside of a container, a class loader.
//
// Pure CPU code. Names are those of Java and .NET, and of C++'s library; nothing else in a trace
// says whose a class is. Threads: any.
#pragma once
#include "engine/trace/trace.h"

// Whether a class of this name is: of a language's library, an array, or primitive. What comes
// behind the class's own name does not matter.
bool mc_class_is_library_name(const char *name, size_t size);

// Whether a leaf is of a language's library, an array, or primitive, by its keys below the root but
// those of sites and threads. O(depth).
bool mc_class_is_library(const mc_trace *trace, uint32_t node);

// The same of all nodes at once: parents come first. is_library: an entry per node. O(nodes).
void mc_class_find_libraries(const mc_trace *trace, uint8_t *is_library);

// An array, or the entries and nodes of which maps and lists of the library are made.
bool mc_class_is_container_part(const mc_trace *trace, uint32_t node);

// Class loaders, but for those that reflection makes.
bool mc_class_is_loader(const mc_trace *trace, uint32_t node);

// Whether the name of a class, with its package, is one of a language's library.
bool mc_class_is_library_name(const char *name, size_t size);

// Whether a GC root is the program's own: a static field of one of its classes ("static
// a.B.field"), a local variable of its methods ("thread "main" in a.B.c(B.java:12)").
bool mc_class_is_program_root(mc_root_kind kind, const char *name, size_t size);

// What a leaf's class is for whoever looks for what holds its objects.
bool mc_class_is_class(const mc_trace *trace, uint32_t node);  // class objects: java.lang.Class
bool mc_class_is_thread(const mc_trace *trace, uint32_t node); // java.lang.Thread, or a kind of it
bool mc_class_is_thread_local(const mc_trace *trace, uint32_t node); // a thread's entries of them
// Of the library, and made to hold what others give it: arrays, collections, what threads keep.
bool mc_class_is_container(const mc_trace *trace, uint32_t node);
