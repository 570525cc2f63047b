// v8_profile_import.h - imports V8's sampled heap profiles: a file is a step.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_v8_profile_format;
