// massif_import.h - imports files of valgrind's massif: a file is a series of steps.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_massif_format;
