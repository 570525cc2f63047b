// dhat_import.h - imports files of valgrind's DHAT: a file is two steps, the peak and the end.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_dhat_format;
