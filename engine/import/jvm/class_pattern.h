// class_pattern.h - patterns of class names as users write them: "com.acme.Cache,com.acme.*Pool".
//
// Separated by commas; a '*' (or "**") stands for any text, dots among it. Names may have dots or
// slashes between packages. Pure functions, any thread.
#pragma once
#include "engine/base/base.h"

// Whether one of the patterns is the whole name. NULL: none is. O(patterns * name) at worst.
bool mc_class_pattern_matches(const char *patterns, const char *name, size_t size);
