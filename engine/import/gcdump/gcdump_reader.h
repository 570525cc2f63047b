// gcdump_reader.h - reads a .gcdump of .NET (gcdump_file.h) into a heap of objects.
//
// Nodes that stand for roots, "[static var Shop.sessions]", are no objects, but what the roots of
// their children are called. References have no names. Threads: as object_import.h says.
#pragma once
#include "engine/import/objects/object_import.h"

extern const mc_object_reader mc_gcdump_reader;
