// ruby_reader.h - reads what Ruby's ObjectSpace.dump_all writes as a heap of objects.
//
// First objects, with where their references stand, then those. Values of texts are not looked at.
// Lines that are no JSON are left out and counted. Untrusted input. Memory: some 60 bytes an object
// and 8 a reference while reading, beside what object_heap.h says. Threads: as many as requested.
#pragma once
#include "engine/import/objects/object_import.h"

extern const mc_object_reader mc_ruby_reader;

bool mc_ruby_detect(const void *data, size_t size);
