// film_steps.h - makes steps of a film (film.h): the counts of its kinds of allocations become
// those of their sites (stack_sites.h).
//
// Threads: one.
#pragma once
#include "engine/import/stacks/film.h"
#include "engine/import/stacks/stack_sites.h"

// The sites of a film, with its metrics.
mc_result mc_film_sites_create(uint32_t depth, bool has_libraries, mc_stack_sites **sites,
                               mc_error *error);

typedef struct mc_film_steps {
    mc_film *film; // finished
    mc_stack_sites *sites;
    const uint32_t *groups; // of the kinds
    uint32_t kind_count;
    int64_t start_ms;        // of the film's time
    const char *format;      // whose recording it is, in messages
    const char *end_missing; // what the last step lacks, in words; NULL: nothing
} mc_film_steps;

// The next step; *is_there: there was one more. MC_ERROR_BAD_DATA if its sums are too much.
mc_result mc_film_steps_next(const mc_film_steps *steps, mc_step_tree *tree, bool *is_there,
                             mc_error *error);
