// profile.h - what one file of stacks with values says, as its parser found it: frames, stacks,
// samples, moments.
//
// A parser fills it, profile_import.c makes steps of it. Texts point into the file's data or into
// the profile's own store. Reused from file to file: clear keeps the memory. Threads: one object
// serves one thread at a time.
#pragma once
#include "engine/import/stacks/stack_sites.h"

// What is known of all that is alive at a moment, not of single sites: metrics of the root alone.
#define MC_PROFILE_TOTAL_MOST 4

#define MC_PROFILE_RESIDENT \
    { "rss", "resident memory (RSS)", MC_UNIT_BYTES, false, MC_METRIC_STOCK }
#define MC_PROFILE_AT_PEAK                                                             \
    {                                                                                  \
        MC_METRIC_AT_PEAK, "whether it is the peak, not the end", MC_UNIT_NONE, false, \
            MC_METRIC_STOCK                                                            \
    }
#define MC_PROFILE_MOST                                                                 \
    {                                                                                   \
        MC_METRIC_MOST_SINCE, "most bytes since the step before", MC_UNIT_BYTES, false, \
            MC_METRIC_STOCK                                                             \
    }

// Gives the root of a step's tree a metric that nothing else has. MC_COUNT_UNKNOWN: not said.
// False: out of memory.
bool mc_profile_add_total(mc_step_tree *tree, const mc_path_metric *metric, uint64_t value);

#define MC_PROFILE_SAMPLING_UNTOLD UINT64_MAX // whether it was sampled is not said

// The same of "sampling": where it is there, objects and bytes are estimates, or, without a value,
// may be. For the values of mc_profile.sampling.
bool mc_profile_add_sampling(mc_step_tree *tree, uint64_t sampling);

typedef struct mc_profile_step {
    int64_t time_ms;
    bool has_time;                          // else nothing in the data says when it was
    const char *note;                       // literal, or of the store; NULL: none
    uint64_t totals[MC_PROFILE_TOTAL_MOST]; // MC_COUNT_UNKNOWN: not said
    size_t first_sample;                    // its samples go up to those of the next step
} mc_profile_step;

typedef struct mc_profile_sample {
    uint32_t frames_begin, frame_count; // in `stack_frames`, the innermost first
    uint32_t labels_begin, label_count; // in `labels`
    const char *name; // literal: what lies behind these frames, as one group; NULL
    uint64_t offset;  // in the data
} mc_profile_sample;

typedef struct mc_profile_block mc_profile_block;

typedef struct mc_profile {
    // By the parser, first. Up to the one whose key is NULL.
    mc_path_metric metrics[MC_PATH_METRIC_MOST + 1];
    mc_path_metric totals[MC_PROFILE_TOTAL_MOST + 1];

    mc_site_frame *frames;
    size_t frame_count, frame_capacity;
    uint32_t *stack_frames;
    size_t stack_frame_count, stack_frame_capacity;
    mc_site_label *labels;
    size_t label_count, label_capacity;
    mc_profile_sample *samples;
    size_t sample_count, sample_capacity;
    mc_stack_id *ids; // of the samples' stacks, then scratch; valid if has_ids
    size_t id_capacity;
    bool has_ids;
    uint64_t *values; // of the samples, as many each as there are metrics
    size_t value_count, value_capacity;
    mc_profile_step *steps; // in the order of their times
    size_t step_count, step_capacity;
    // Bytes that are allocated per sample, on average. At most 1: every allocation was counted.
    uint64_t sampling;
    const char *warning;      // literal; once a file; NULL: none
    mc_profile_block *blocks; // the store
    void *scratch;            // of the parser, which keeps it from file to file
    void (*free_scratch)(void *scratch);
} mc_profile;

void mc_profile_clear(mc_profile *profile);
void mc_profile_deinit(mc_profile *profile);

// Each returns false (MC_NONE, NULL) if memory is out, or there are too many.
uint32_t mc_profile_add_frame(mc_profile *profile, mc_site_frame frame);
// What is added from then on are its samples.
bool mc_profile_add_step(mc_profile *profile, mc_profile_step step);
// The sample's stack consists of the frames that were pushed since the sample before, likewise its
// labels.
bool mc_profile_grow_stacks(mc_profile *profile, size_t count); // by so many frames
static inline bool mc_profile_push_frame(mc_profile *profile, uint32_t frame) {
    if (profile->stack_frame_count == profile->stack_frame_capacity &&
        !mc_profile_grow_stacks(profile, 1))
        return false;
    profile->stack_frames[profile->stack_frame_count++] = frame;
    return true;
}
bool mc_profile_push_label(mc_profile *profile, mc_site_label label);
// `values`: one a metric. `name`: see mc_profile_sample.
bool mc_profile_add_sample(mc_profile *profile, const uint64_t *values, const char *name,
                           uint64_t offset);
// Finds which stacks its samples have, where nothing but a frame's names says what it is called.
// O(frames of stacks). False: out of memory.
bool mc_profile_identify(mc_profile *profile);
// Memory for text that stays where it is as long as the profile has it; NULL: memory is out.
char *mc_profile_store(mc_profile *profile, size_t size);
