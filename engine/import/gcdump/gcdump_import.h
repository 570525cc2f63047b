// gcdump_import.h - dumps of .NET as an input format.
#pragma once
#include "engine/import/format/format.h"
#include "engine/import/format/heap_format.h"

extern const mc_heap_format mc_gcdump_heap_format;
extern const mc_format mc_gcdump_format;
