// collapsed_import.h - collapsed stacks in files, as steps of a trace: a file a step.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_collapsed_format;
