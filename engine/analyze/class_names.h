// class_names.h - classifies classes by their names: library or program, part of a container, class
// loader.
//
// Pure CPU code. The names are those of Java, .NET and the C++ library; nothing else in a trace
// tells whose a class is. Threads: any.
#pragma once
#include "engine/trace/trace.h"

// Whether a class name, with its package, is that of a language's library, an array, or a
// primitive. Text behind the class's own name is ignored. A compiler of com.sun.tools is a program.
bool mc_class_is_library_name(const char *name, size_t size);

// Whether a leaf is of a language's library, an array, or a primitive, judged by its keys below the
// root except those of sites, threads and mappings. O(depth).
bool mc_class_is_library(const mc_trace *trace, uint32_t node);

// The same for all nodes at once; is_library has an entry per node. O(nodes).
void mc_class_find_libraries(const mc_trace *trace, uint8_t *is_library);

// Whether a leaf is an array, or an entry or node class that the library's maps and lists are made
// of.
bool mc_class_is_container_part(const mc_trace *trace, uint32_t node);

// Whether a leaf is a class loader other than those that reflection creates.
bool mc_class_is_loader(const mc_trace *trace, uint32_t node);

// Whether a GC root is the program's own: a static field of one of its classes ("static
// a.B.field"), a local variable of its methods ("thread "main" in a.B.c(B.java:12)").
bool mc_class_is_program_root(mc_root_kind kind, const char *name, size_t size);

// What a leaf's class is for whoever looks for what holds its objects.
bool mc_class_is_class(const mc_trace *trace, uint32_t node);  // class objects: java.lang.Class
bool mc_class_is_thread(const mc_trace *trace, uint32_t node); // java.lang.Thread, or a kind of it
bool mc_class_is_thread_local(const mc_trace *trace, uint32_t node); // a thread's entries of them
// Whether a leaf is a library class made to hold what others give it: an array, a collection, a
// thread's storage.
bool mc_class_is_container(const mc_trace *trace, uint32_t node);

// Whether its groups are those of a JVM. O(1).
bool mc_class_is_jvm_trace(const mc_trace *trace);
// Bytes below which growth of a heap whose owners are known is the runtime's own: overflow buckets
// of a map whose entries come and go, free lists of a scheduler. 0 of a JVM. Healthy programs of
// Go, of some 100 KiB, grew by 10 KiB at most (tests/runtimes/twin.go).
uint32_t mc_class_get_runtime_bytes(const mc_trace *trace);
// Whether a class name is that of the library or, of other traces than a JVM's, a type of a
// runtime's own (runtime_names.h): a Java program may have a class Map.
bool mc_class_is_library_of(const mc_trace *trace, const char *name, size_t size);
