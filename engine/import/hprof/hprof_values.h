// hprof_values.h - what an object of a heap dump says of itself, beside its references: the numbers
// in its fields, the characters in its array, or which class it is.
//
// Untrusted input: whatever lengths and types the data declares, no byte outside of the record is
// read. Threads: any.
#pragma once
#include "engine/import/hprof/hprof_classes.h"

#define MC_HPROF_VALUE_CHARACTERS 200 // of an array; a longer one ends with its length and a hash

// Appends the primitive fields of an instance as a JSON object, own ones first ({"size":3}), or the
// characters of a char[] or byte[] (bytes as Latin-1), or a class object's name. Nothing: it has
// none of these. `class`: its index, that of a class object its own.
void mc_hprof_append_value(const mc_hprof_classes *classes, const mc_hprof_file *file,
                           mc_hprof_kind kind, uint32_t class, const mc_hprof_item *item,
                           mc_text *text);
