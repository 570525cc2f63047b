// memory_contents.h - what a JVM says of the objects in its heap, class by class, and of its
// metaspace, class loader by class loader.
//
// Sources: `jcmd PID GC.class_histogram` (`-all` counts what is no longer reachable, too) and `jcmd
// PID VM.metaspace show-loaders scale=1` of HotSpot (JDK 17 and later). Pure: lines are given one
// by one, spans point into them. O(bytes). Threads: one object serves one thread at a time.
#pragma once
#include "engine/import/stacks/line_reader.h"

typedef struct mc_memory_content {
    mc_span name;   // a class as the JVM writes it, or a loader ("\"app\" instance of X")
    uint64_t bytes; // that are used
} mc_memory_content;

typedef struct mc_memory_contents {
    mc_memory_content *items; // names may occur several times
    size_t count, capacity;
    uint64_t sum;    // of all bytes
    uint64_t filled; // bytes of what fills gaps, which is no object of the program's and not here
    bool has_end;    // of the table
} mc_memory_contents;

void mc_memory_contents_deinit(mc_memory_contents *contents);
void mc_memory_contents_clear(mc_memory_contents *contents);

// Whether a line begins one of the two tables.
bool mc_memory_contents_begins_classes(mc_span line);
bool mc_memory_contents_begins_loaders(mc_span line);

// The table's next line. NULL: it is fine; else what was expected, or MC_MEMORY_CONTENTS_FULL: out
// of memory.
const char *mc_memory_contents_read_class(mc_memory_contents *contents, mc_span line);
const char *mc_memory_contents_read_loader(mc_memory_contents *contents, mc_span line);
extern const char MC_MEMORY_CONTENTS_FULL[];
