// collapsed_import.h - imports files of collapsed stacks as steps of a trace, one step per file.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_collapsed_format;
