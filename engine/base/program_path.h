// program_path.h - finds programs, and this one, by their files.
//
// Threads: any.
#pragma once
#include "engine/base/text.h"

// Whether the path is that of a file that this user may run.
bool mc_program_is_there(const char *path);

// The first such file of that name in the folders of PATH, instead of what `path` has. False: there
// is none, or memory is out.
bool mc_program_find(const char *name, mc_text *path);

// Set by the script that starts a program with libraries of its own, which the system would name
// after its dynamic linker: the script's path.
#define MC_OWN_PROGRAM "MEMCITY_OWN_PROGRAM"

// The file of the program that runs, instead of what `path` has. False: it isn't known, or memory
// is out.
bool mc_program_find_own(mc_text *path);
