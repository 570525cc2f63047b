// heaptrack_import.h - imports recordings of heaptrack: a file is a series of steps.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_heaptrack_format;
