// smaps_import.h - imports saved memory maps of processes; a snapshot is a step.
//
// A file of what a JVM says of its memory belongs to the file of mappings given before it.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_smaps_format;
