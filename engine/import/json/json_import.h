// json_import.h - imports steps and pointer maps in JSON: files with one document, or with an array
// of them.
//
// Memory, beyond the files, which are mapped: the steps being read. These are usually two; more if
// they are small compared with the trace, or take at most 16 MB. Compressed files are unpacked into
// memory as a whole, arrays element by element. Reads in up to four threads of its own, at most as
// many as there are cores.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_json_format;
