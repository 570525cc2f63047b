// hprof_shapes.h - which different rows a heap dump's objects have in some columns, and how many
// objects have each: many objects are alike.
//
// One pass over the dump. Memory: an entry per different row and thread. Threads: those of the
// heap's crew.
#pragma once
#include "engine/import/hprof/hprof_columns.h"
#include "engine/import/hprof/hprof_dump.h"

#define MC_HPROF_SHAPES_MOST 1000000u

// Zero-initialise but for `strings`; deinit.
typedef struct mc_hprof_shapes {
    // A row after another: the columns' words, then how many objects have them. MC_HPROF_NO_VALUE
    // is nothing.
    uint64_t *words;
    size_t count;
    mc_strings *strings; // where texts are put; a word is the number that they have there
    bool is_too_many;    // more than MC_HPROF_SHAPES_MOST: there are no words
} mc_hprof_shapes;

void mc_hprof_shapes_deinit(mc_hprof_shapes *shapes);
// Whether the columns are such that objects are alike: those on the class, bytes and lengths.
bool mc_hprof_shapes_can(const mc_hprof_columns *columns);
// `dump` was opened. MC_ERROR_OUT_OF_MEMORY, MC_ERROR_CANCELLED.
mc_result mc_hprof_shapes_read(mc_hprof_dump *dump, const mc_hprof_columns *columns,
                               mc_hprof_shapes *shapes, mc_error *error);
