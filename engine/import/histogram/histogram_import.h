// histogram_import.h - imports files of class histograms as steps of a trace, one step per
// histogram.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_histogram_format;
