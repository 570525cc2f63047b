// jfr_import.h - imports JFR recordings: a file is a series of steps.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_jfr_format;
