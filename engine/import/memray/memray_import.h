// memray_import.h - recordings of memray as an input format.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_memray_format;
