// input_kind.h - what a file holds, by its content: the one place that tells the formats apart.
//
// Looks at a file's beginning; of JSON, at the names of the outermost object's fields up to the
// first that a step has. Nothing is judged: a file of some kind may be wrong all the same. Threads:
// any.
#pragma once
#include "engine/base/file.h"

typedef enum mc_input_kind {
    MC_INPUT_DUMP,       // a heap dump of a JVM
    MC_INPUT_STEPS,      // JSON: steps, or pointer maps
    MC_INPUT_HISTOGRAMS, // class histograms of a JVM
    MC_INPUT_OTHER,      // none of these
    MC_INPUT_UNCLEAR     // empty, or cut off before it shows
} mc_input_kind;

// Plain or packed.
mc_input_kind mc_input_detect(const mc_file_map *mapping);
