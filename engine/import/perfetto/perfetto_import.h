// perfetto_import.h - traces of Perfetto as an input format.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_perfetto_format;
