// go_reader.h - reads a heap dump of Go (debug.WriteHeapDump) as a heap.
//
// Objects are numbered in the order of the file. They have no types there: they are named by the
// site that allocated them, which Go notes of some, by size class and pointers otherwise. Roots are
// global variables, named by the program (go_program.h), frames of goroutines, every word of which
// may be a pointer, and finalizers. Memory: as of object_heap.h, 16 bytes a page of the heap, and 4
// an object if some were sampled. Threads: one.
#pragma once
#include "engine/import/objects/object_import.h"

bool mc_go_dump_detect(const void *data, size_t size);
extern const mc_object_reader mc_go_reader;
