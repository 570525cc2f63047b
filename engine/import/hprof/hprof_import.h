// hprof_import.h - imports heap dump files as steps of a trace, with their references.
//
// Packed dumps are unpacked into a file first. Reads in as many threads as there are cores.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_hprof_format;
