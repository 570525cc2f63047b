// heap_text_import.h - imports heap profiles as text, one step per file.
#pragma once
#include "engine/import/format/format.h"

extern const mc_format mc_heap_text_format;
