// runtime_names.h - what belongs to a runtime itself, by its name: the counterpart of a JVM's
// packages (class_names.h) for JavaScript, Python, Ruby and Go.
//
// Pure functions, any thread.
#pragma once
#include "engine/base/base.h"

// A type that is the language's own: a Map, a dict, what an engine keeps of its own. A plain object
// is data of the program.
bool mc_runtime_is_own_type(const char *name, size_t size);
// A variable or function of the runtime's own library: "closure variable `a` of `b`
// (node:internal/timers:12)".
bool mc_runtime_is_own_place(const char *name, size_t size);
