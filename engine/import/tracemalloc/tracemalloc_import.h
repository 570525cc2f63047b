// tracemalloc_import.h - imports snapshots of Python's tracemalloc, one step per file.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_tracemalloc_format;
