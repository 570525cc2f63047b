// formats.h - the table of formats, and detecting a file's format by its content.
//
// A new format is a folder and a row. .mct files are not in the table: they are opened directly
// (import.h). Threads: any.
#pragma once
#include "engine/import/format/format.h"

#define MC_FORMAT_COUNT 22

// In a folder that holds several, the first of these is taken.
extern const mc_format *const mc_formats[MC_FORMAT_COUNT];

// The format of a file, plain or packed; NULL: none that is known, or it does not show, which
// *is_unclear says.
const mc_format *mc_formats_detect(const mc_file_map *mapping, bool *is_unclear);

// Of those whose files have names like this one, by its extension; NULL: none.
const mc_format *mc_formats_find_by_name(const char *name);
