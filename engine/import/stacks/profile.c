#include "engine/import/stacks/profile.h"

#include "engine/base/memory.h"
#include <string.h>

#define BLOCK_SIZE ((size_t)64 << 10)
#define COUNT_MOST ((size_t)1 << 31) // numbers of frames and samples are words of 32 bits

struct mc_profile_block {
    mc_profile_block *next;
    size_t used, size;
    char bytes[];
};

static void free_blocks(mc_profile *profile) {
    for (mc_profile_block *block = profile->blocks, *next; block; block = next) {
        next = block->next;
        mc_free(block);
    }
    profile->blocks = NULL;
}

void mc_profile_clear(mc_profile *profile) {
    profile->metrics[0].key = profile->totals[0].key = NULL;
    profile->frame_count = profile->stack_frame_count = profile->label_count = 0;
    profile->sample_count = profile->value_count = profile->step_count = 0;
    profile->sampling = 0;
    profile->warning = NULL;
    profile->has_ids = false;
    free_blocks(profile);
}

void mc_profile_deinit(mc_profile *profile) {
    mc_free(profile->frames);
    mc_free(profile->stack_frames);
    mc_free(profile->labels);
    mc_free(profile->samples);
    mc_free(profile->ids);
    mc_free(profile->values);
    mc_free(profile->steps);
    free_blocks(profile);
    if (profile->scratch) profile->free_scratch(profile->scratch);
    memset(profile, 0, sizeof *profile);
}

// Room for one more element.
static bool grow(void *items, size_t *capacity, size_t count, size_t size) {
    return count < COUNT_MOST && mc_reserve(items, capacity, count + 1, size);
}

uint32_t mc_profile_add_frame(mc_profile *profile, mc_site_frame frame) {
    if (!grow(&profile->frames, &profile->frame_capacity, profile->frame_count, sizeof frame))
        return MC_NONE;
    profile->frames[profile->frame_count] = frame;
    return (uint32_t)profile->frame_count++;
}

bool mc_profile_add_step(mc_profile *profile, mc_profile_step step) {
    if (!grow(&profile->steps, &profile->step_capacity, profile->step_count, sizeof step))
        return false;
    step.first_sample = profile->sample_count;
    profile->steps[profile->step_count++] = step;
    return true;
}

bool mc_profile_grow_stacks(mc_profile *profile, size_t count) {
    return profile->stack_frame_count < COUNT_MOST && count < COUNT_MOST &&
           mc_reserve(&profile->stack_frames, &profile->stack_frame_capacity,
                      profile->stack_frame_count + count, sizeof *profile->stack_frames);
}

bool mc_profile_push_label(mc_profile *profile, mc_site_label label) {
    if (!grow(&profile->labels, &profile->label_capacity, profile->label_count, sizeof label))
        return false;
    profile->labels[profile->label_count++] = label;
    return true;
}

bool mc_profile_add_sample(mc_profile *profile, const uint64_t *values, const char *name,
                           uint64_t offset) {
    const mc_profile_sample *last =
        profile->sample_count > 0 ? &profile->samples[profile->sample_count - 1] : NULL;
    uint32_t frames = last ? last->frames_begin + last->frame_count : 0;
    uint32_t labels = last ? last->labels_begin + last->label_count : 0;
    if (!grow(&profile->samples, &profile->sample_capacity, profile->sample_count,
              sizeof *profile->samples))
        return false;
    for (size_t i = 0; profile->metrics[i].key; i++) {
        if (!grow(&profile->values, &profile->value_capacity, profile->value_count, sizeof *values))
            return false;
        profile->values[profile->value_count++] = values[i];
    }
    profile->samples[profile->sample_count++] =
        (mc_profile_sample){.frames_begin = frames,
                            .frame_count = (uint32_t)profile->stack_frame_count - frames,
                            .labels_begin = labels,
                            .label_count = (uint32_t)profile->label_count - labels,
                            .name = name,
                            .offset = offset};
    return true;
}

bool mc_profile_identify(mc_profile *profile) {
    if (!mc_reserve(&profile->ids, &profile->id_capacity,
                    profile->sample_count + profile->frame_count + 1, sizeof *profile->ids))
        return false;
    mc_stack_id *frames = profile->ids + profile->sample_count;
    for (size_t i = 0; i < profile->frame_count; i++)
        frames[i] = mc_stack_id_of_frame(&profile->frames[i]);
    for (size_t i = 0; i < profile->sample_count; i++) {
        const mc_profile_sample *sample = &profile->samples[i];
        mc_stack_id id = {{0, 0}};
        for (uint32_t at = 0; at < sample->frame_count; at++)
            mc_stack_id_add_frame(&id, at,
                                  &frames[profile->stack_frames[sample->frames_begin + at]]);
        profile->ids[i] = id;
    }
    return profile->has_ids = true;
}

char *mc_profile_store(mc_profile *profile, size_t size) {
    mc_profile_block *block = profile->blocks;
    if (!block || block->size - block->used < size) {
        size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        block = mc_alloc(sizeof *block + room, 1);
        if (!block) return NULL;
        *block = (mc_profile_block){.next = profile->blocks, .size = room};
        profile->blocks = block;
    }
    char *stored = block->bytes + block->used;
    block->used += size;
    return stored;
}

bool mc_profile_add_sampling(mc_step_tree *tree, uint64_t sampling) {
    static const mc_path_metric metric = {"sampling", "bytes allocated per sample", MC_UNIT_BYTES,
                                          false, MC_METRIC_STOCK};
    return sampling <= 1 ||
           mc_profile_add_total(tree, &metric, sampling <= INT64_MAX ? sampling : MC_COUNT_UNKNOWN);
}

bool mc_profile_add_total(mc_step_tree *tree, const mc_path_metric *metric, uint64_t value) {
    mc_metric_info info = {.key = metric->key,
                           .title = metric->title,
                           .key_size = strlen(metric->key),
                           .title_size = strlen(metric->title),
                           .unit = metric->unit,
                           .kind = metric->kind,
                           .is_real = metric->is_real,
                           .says = MC_METRIC_SAYS_ALL};
    uint32_t index = mc_step_tree_add_metric(tree, &info);
    return index != MC_NONE &&
           (value == MC_COUNT_UNKNOWN || mc_step_tree_set_value(tree, index, 0, value));
}
