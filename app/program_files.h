// program_files.h - files that come with the program, wherever it was unpacked.
//
// Threads: any.
#pragma once
#include "engine/base/text.h"

// Appends the path of ../share/memcity/NAME, seen from the folder that the program lies in, or of
// share/NAME, as in a build folder. False if there is no such file, or memory is out; `path` may
// then end in anything.
bool mc_program_append_path(mc_text *path, const char *name);

// Appends the path of a library that lies beside the program, as in a build folder and in a
// bundle's lib/, or in ../lib/memcity/ where it is installed. False: likewise.
bool mc_program_append_library(mc_text *path, const char *name);
