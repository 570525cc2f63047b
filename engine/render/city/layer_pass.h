// layer_pass.h - draws translucent buildings in any order: every pixel collects its layers in a
// list, which is sorted by depth when they are blended.
//
// As boxes do not overlap, depth at a pixel is the painter's order. A compute shader tests boxes
// pixel by pixel, larger ones tile by tile; then tiles are sorted by the number of layers of their
// pixels. On a software driver, many small boxes cost a third of what rasterised triangles take. If
// memory for layers runs out, they are missing for one frame: the next has twice as much, or the
// pass asks not to be used. One sample a pixel only. Threads: the renderer's.
#pragma once
#include "engine/render/city/kept_boxes.h"
#include "engine/render/core/bindings.h"

// What a frame counted, and of how many pixels.
typedef struct mc_layer_count {
    bool has_parts, has_nodes;
    uint64_t pixel_count;
} mc_layer_count;

typedef struct mc_layer_pass { // VK_NULL_HANDLE as `layout`: the device can't do it
    // Made when they are needed first, which most cities never do. By what they are made for: see
    // get_variant().
    mc_pipeline *append[4], *append_parts[4];
    mc_pipeline *sort; // tiles by kind
    mc_pipeline *resolve[MC_LAYER_KIND_COUNT];
    VkSampler sampler;
    mc_descriptor_sets sets; // set 1: depth of what is opaque
    VkPipelineLayout layout;
    mc_buffer slots, words, nodes;
    mc_buffer heads[MC_FRAME_COUNT]; // what frames counted
    mc_layer_count counted[MC_FRAME_COUNT];
    uint32_t width, height, slot_count, node_capacity;
    uint32_t wanted_count; // nodes that the last frame which was counted had needed
    bool has_left_out;     // in some frame since it was reset
    bool has_large;        // so much of it is in large boxes that triangles are faster
} mc_layer_pass;

// Makes nothing, and reports no error, where the device lacks 64-bit integers or `samples` is
// not 1.
mc_result mc_layer_pass_create(mc_layer_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                               uint32_t samples, mc_error *error);
void mc_layer_pass_destroy(mc_layer_pass *pass, const mc_gpu *gpu);

// Can so many buildings be drawn so into a picture of this size? Not if the last frame had needed
// more memory than there can be.
bool mc_layer_pass_can_draw(const mc_layer_pass *pass, const mc_gpu *gpu, uint32_t building_count,
                            uint32_t width, uint32_t height);

// Makes the pipelines, once, and the buffers large enough for a picture of this size, and for as
// much as was needed last. An error leaves what there is; the next call goes on.
mc_result mc_layer_pass_prepare(mc_layer_pass *pass, mc_frames *frames, const mc_bindings *bindings,
                                uint32_t width, uint32_t height, mc_error *error);

// Takes what a frame that is finished has counted, and sets has_left_out if there was no memory for
// all of it; whoever has drawn it anew resets that.
void mc_layer_pass_finish(mc_layer_pass *pass, const mc_frame *frame);
// Another city: nothing is known of what it takes.
void mc_layer_pass_forget(mc_layer_pass *pass);

// Fills the layers with the translucent ones of the first `building_count` boxes. `epoch` is of the
// visibility buffer if the splat pass has been recorded before, else 0; `outlines`: some boxes are
// drawn as such. Outside rendering, with the frame's set bound for compute.
void mc_layer_pass_record(mc_layer_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                          const mc_frame *frame, uint32_t building_count, uint32_t epoch,
                          bool outlines);
// Instead, where the cull pass has been recorded: has it counted the parts that there would be.
void mc_layer_pass_record_watch(mc_layer_pass *pass, const mc_frame *frame,
                                const mc_kept_boxes *kept, uint32_t width, uint32_t height);
// Blends them over the picture, inside rendering without depth and with the frame's set bound;
// `depth` is of what is opaque, ready to be sampled.
void mc_layer_pass_record_resolve(const mc_layer_pass *pass, const mc_gpu *gpu,
                                  const mc_bindings *bindings, const mc_frame *frame,
                                  VkImageView depth);
