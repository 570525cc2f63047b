// formats.h - the formats that there are, and which of them a file is of, by its content.
//
// A new one is a folder and a row. .mct files are none: they are opened as they are (import.h).
// Threads: any.
#pragma once
#include "engine/import/format/format.h"

#define MC_FORMAT_COUNT 5

// In a folder that holds several, the first of these is taken.
extern const mc_format *const mc_formats[MC_FORMAT_COUNT];

// The format of a file, plain or packed; NULL: none that is known, or it does not show, which
// *is_unclear says.
const mc_format *mc_formats_detect(const mc_file_map *mapping, bool *is_unclear);

// Of those whose files have names like this one, by its extension; NULL: none.
const mc_format *mc_formats_find_by_name(const char *name);
