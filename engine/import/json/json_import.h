// json_import.h - steps and pointer maps in JSON: files with one document, or with an array of
// them.
//
// Memory, beyond the files, which are mapped: steps that are being read: two as a rule, more as far
// as they are little beside the trace, or take 16 MB. Compressed files are unpacked into memory as
// a whole, arrays element by element. Reads in up to four threads of its own, at most as many as
// there are cores.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_json_format;
