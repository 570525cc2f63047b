// generate.h - wide traces made from a seed, the same on every machine, for benchmarks and tests.
//
// Two levels below the root (Package, Type): about sqrt(leaves) districts of heavy-tailed sizes;
// leaves of heavy-tailed sizes of which 68 % keep them (but for 3 % noise), 12 % grow, 5 % shrink
// and 15 % come and go. Random numbers are a stateless hash and doubles meet nothing but + - * /
// and sqrt, so that bench/peers/gen.mjs makes the same data, number for number. Memory: O(leaves).
// Threads: separate objects may run in parallel; one object serves one thread at a time.
#pragma once
#include "engine/import/import.h"
#include <stdio.h>

typedef struct mc_generate_desc {
    uint32_t leaf_count, step_count; // at least 1; at most MC_GENERATE_MAX_*
    uint32_t seed;
    uint32_t renamed; // percent of the leaves that are called otherwise than without this
} mc_generate_desc;

#define MC_GENERATE_MAX_LEAVES 100000000u
#define MC_GENERATE_MAX_STEPS 100000u

typedef struct mc_generator mc_generator;

mc_result mc_generator_create(const mc_generate_desc *desc, mc_generator **generator,
                              mc_error *error);
void mc_generator_destroy(mc_generator *generator); // NULL is fine

// Computes the values of a step, in any order of steps. O(leaves).
void mc_generator_set_step(mc_generator *generator, uint32_t step_index);

// The current step as an importer would read it. Leaves without objects are not in its tree.
mc_result mc_generator_fill_tree(const mc_generator *generator, mc_step_tree *tree,
                                 mc_error *error);
// The same as a document in the AntTracks form, about 225 bytes a leaf. On failure `stream` holds a
// part of it.
mc_result mc_generator_write_json(const mc_generator *generator, FILE *stream, mc_error *error);

// All steps, without the way through JSON, to where an importer's steps go, or into a trace. The
// sink's add_references is not called. `progress` (may be NULL) counts steps.
mc_result mc_generate_steps(const mc_generate_desc *desc, const mc_import_sink *sink,
                            const mc_progress *progress, mc_error *error);
mc_result mc_generate_trace(const mc_generate_desc *desc, const mc_progress *progress,
                            mc_trace **trace, mc_error *error);
// All steps as files DIRECTORY/step_00000.json and so on; the directory must exist. *size is what
// they hold together, in bytes.
mc_result mc_generate_files(const mc_generate_desc *desc, const char *directory,
                            const mc_progress *progress, uint64_t *size, mc_error *error);
// The name of a step's file in a directory, as mc_generate_files() writes it.
void mc_generate_append_path(const char *directory, uint32_t step_index, mc_text *path);
