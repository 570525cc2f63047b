// histogram_import.h - class histograms in files, as steps of a trace; several in a file are
// several.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_histogram_format;
