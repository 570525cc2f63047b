// profile_options.h - the user's options for importing allocation profiles:
// docs/reference/profiles.md.
#pragma once
#include "engine/base/base.h"

#define MC_PROFILE_MOMENTS 60 // of a film, unless the user says otherwise

// Zeroed: as is usual.
typedef struct mc_profile_options {
    uint32_t depth;        // frames of a stack that are groups; 0: as is usual
    uint32_t moment_count; // steps of a file that has every allocation; 0: as is usual
    bool has_libraries;    // sites may lie in libraries (stack_sites.h)
    const char *symbols;   // programs and libraries in which addresses are looked up, separated by
                           // commas; NULL: none
} mc_profile_options;
