// hprof_words.h - what a heap dump says of its kinds, fields and roots: a JVM's words for heap.h.
#pragma once
#include "engine/heap/heap.h"

// The reader is a mc_hprof_dump (hprof_dump.h), linked with notes where roots are to be named.
extern const mc_heap_words mc_hprof_words;
