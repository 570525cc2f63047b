// pprof_import.h - imports profiles of pprof as steps of a trace, one step per file.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_pprof_format;
