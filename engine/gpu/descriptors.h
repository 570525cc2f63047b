// descriptors.h - descriptor sets of one layout, as many as frames in flight need.
//
// Threads: the one that owns the mc_gpu.
#pragma once
#include "engine/gpu/gpu.h"

enum { MC_DESCRIPTOR_SETS_MAX = 8 };

// Zeroed: none.
typedef struct mc_descriptor_sets {
    VkDescriptorSetLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet items[MC_DESCRIPTOR_SETS_MAX];
} mc_descriptor_sets;

// `bindings`: at most 48. `name` is for debugging. On failure `sets` is zeroed.
mc_result mc_descriptor_sets_create(mc_gpu *gpu, const VkDescriptorSetLayoutBinding *bindings,
                                    uint32_t binding_count, uint32_t set_count, const char *name,
                                    mc_descriptor_sets *sets, mc_error *error);
// Clamps to the edge. The caller destroys it.
mc_result mc_sampler_create(mc_gpu *gpu, VkFilter filter, const char *name, VkSampler *sampler,
                            mc_error *error);
// Of one image that fragments read, with a sampler that the caller destroys, also on failure.
mc_result mc_descriptor_sets_create_sampled(mc_gpu *gpu, uint32_t set_count, const char *name,
                                            VkSampler *sampler, mc_descriptor_sets *sets,
                                            mc_error *error);
// Binds an image in one of the sets. Nothing that the device still works on may use the set.
void mc_descriptor_sets_write_image(const mc_descriptor_sets *sets, const mc_gpu *gpu, uint32_t set,
                                    uint32_t binding, VkDescriptorType type, VkImageView view,
                                    VkImageLayout layout);
void mc_descriptor_sets_destroy(mc_descriptor_sets *sets, const mc_gpu *gpu); // zeroed is fine
