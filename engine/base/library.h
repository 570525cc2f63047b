// library.h - shared libraries that are loaded when they are first used, not when the program
// starts.
//
// The functions of a library are a struct of pointers, one for each function, made from one list:
//
//     #define FUNCTIONS(X) X(glfwInit) X(glfwTerminate)
//     static struct { FUNCTIONS(MC_LIBRARY_POINTER) } functions;
//     static const char *const names[] = {FUNCTIONS(MC_LIBRARY_NAME)};
//     mc_library_load("libglfw.so.3", names, sizeof names / sizeof *names, &functions, error);
//
// A loaded library stays loaded. Threads: one per struct.
#pragma once
#include "engine/base/base.h"

// NOLINTBEGIN(bugprone-macro-parentheses): a name is declared
#ifdef __cplusplus
#define MC_LIBRARY_POINTER(function) decltype(::function) *function;
#else
#define MC_LIBRARY_POINTER(function) __typeof__(function) *function;
#endif
// NOLINTEND(bugprone-macro-parentheses)
#define MC_LIBRARY_NAME(function) #function,

// Fills `functions`, a struct of `count` pointers. On failure it is left untouched.
// Returns MC_ERROR_UNSUPPORTED where the library or a function is missing; the error says which.
mc_result mc_library_load(const char *file, const char *const *names, size_t count, void *functions,
                          mc_error *error);
