// sample.h - the trace that comes with the program, for those who have none yet.
#pragma once
#include "engine/base/text.h"

#define MC_SAMPLE_SUBJECT "a recorded leak: sessions of a web shop that are never closed"

// Appends its path. False: it was not installed, or memory is out.
bool mc_sample_append_path(mc_text *path);
