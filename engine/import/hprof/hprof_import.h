// hprof_import.h - heap dumps in files, as steps of a trace, with their references.
//
// Packed ones are unpacked into a file first. Reads in as many threads as there are cores.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_hprof_format;
