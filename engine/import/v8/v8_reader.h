// v8_reader.h - reads a V8 heap snapshot as a heap of objects (object_heap.h).
//
// What keeps alive is as in Chrome's DevTools: neither weak edges nor shortcuts do, but those of
// the root; of a WeakMap's value its key does. Synthetic nodes are roots. Untrusted input. Memory:
// some 60 bytes a node and 17 an edge while reading. Threads: as many as requested.
#pragma once
#include "engine/import/objects/object_import.h"

extern const mc_object_reader mc_v8_reader;
