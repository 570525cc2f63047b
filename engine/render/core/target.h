// target.h - the images that a picture is drawn into: colour, depth and, with several samples a
// pixel, the samples that are averaged into the colour.
//
// The colour has two views of the same texels: sRGB for the city (shaded and blended in linear
// light) and plain for the UI (blended as encoded). Its channels are in the order that windows use.
// Threads: the renderer's.
#pragma once
#include "engine/gpu/frame.h"

#define MC_TARGET_FORMAT VK_FORMAT_B8G8R8A8_SRGB
#define MC_TARGET_PLAIN_FORMAT VK_FORMAT_B8G8R8A8_UNORM
#define MC_TARGET_DEPTH_FORMAT VK_FORMAT_D32_SFLOAT
#define MC_TARGET_MEAN_FORMAT VK_FORMAT_R16G16B16A16_SFLOAT // linear light

typedef struct mc_target {
    uint32_t width, height, samples;
    VkRect2D area; // what is drawn and pasted is limited to it; no width: to nothing
    mc_image color, depth;
    mc_image many, plain_depth; // zeroed with one sample; the depth of the first of several
    mc_image mean;              // of several drawings; zeroed until it is asked for
    mc_image backdrop;          // what is behind the city; likewise
    uint64_t backdrop_key;      // the caller's, of what the backdrop shows; 0: nothing
    mc_buffer readback;         // zeroed until it is asked for
} mc_target;

// Makes the target fit, retiring images of another size. MC_ERROR_UNSUPPORTED for a size beyond the
// device's limit.
mc_result mc_target_resize(mc_target *target, mc_frames *frames, uint32_t width, uint32_t height,
                           uint32_t samples, mc_error *error);
void mc_target_retire(mc_target *target, mc_frames *frames);

// Gives the target a mean.
mc_result mc_target_prepare_mean(mc_target *target, mc_gpu *gpu, mc_error *error);

// Gives it a backdrop, which has one sample a pixel as the target must.
mc_result mc_target_prepare_backdrop(mc_target *target, mc_gpu *gpu, mc_error *error);

// Between begin and end the city is drawn, between begin_rims and end_rims what comes over it with
// one sample a pixel and is tested against its depth, between begin_ui and end_ui the UI over both.
// Afterwards the colour is ready to be copied from.
void mc_target_record_begin(const mc_target *target, VkCommandBuffer commands);
void mc_target_record_end(const mc_target *target, VkCommandBuffer commands);
// After end: what was drawn is the backdrop from now on. Then, and in other frames: begins over it.
void mc_target_record_keep(const mc_target *target, VkCommandBuffer commands);
void mc_target_record_begin_kept(const mc_target *target, VkCommandBuffer commands);
// In between, with one sample a pixel: ends, makes the depth so far ready to be sampled and goes on
// without depth; then with it again.
void mc_target_record_begin_deep(const mc_target *target, VkCommandBuffer commands);
void mc_target_record_end_deep(const mc_target *target, VkCommandBuffer commands);
void mc_target_record_begin_rims(const mc_target *target, VkCommandBuffer commands);
void mc_target_record_end_rims(const mc_target *target, VkCommandBuffer commands);
// Between the city and the rims: draws to the mean, with the colour as a texture; draws to the
// colour, with the mean as a texture, until vkCmdEndRendering(). `is_first`: what the mean held is
// of no account.
void mc_target_record_begin_mean(const mc_target *target, VkCommandBuffer commands, bool is_first);
void mc_target_record_end_mean(const mc_target *target, VkCommandBuffer commands);
void mc_target_record_begin_show(const mc_target *target, VkCommandBuffer commands);
void mc_target_record_begin_ui(const mc_target *target, VkCommandBuffer commands);
void mc_target_record_end_ui(const mc_target *target, VkCommandBuffer commands);
// Instead of begin and end: takes the picture from an image of the target's size and format, which
// can be copied from; what is drawn between begin_over and end_over, with one sample a pixel and
// without depth, comes over it.
void mc_target_record_paste(const mc_target *target, VkCommandBuffer commands,
                            const mc_image *picture);
void mc_target_record_begin_over(const mc_target *target, VkCommandBuffer commands);
void mc_target_record_end_over(const mc_target *target, VkCommandBuffer commands);
void mc_target_record_finish(const mc_target *target, VkCommandBuffer commands);

// After end, with one sample a pixel: colour and depth are read by fragment shaders, and nothing
// else is done with them until they are drawn anew.
void mc_target_record_to_textures(const mc_target *target, VkCommandBuffer commands);
// Instead of begin, with one sample a pixel: every pixel's depth is to be drawn; every pixel's
// colour, as encoded. End as usual.
void mc_target_record_begin_depth(const mc_target *target, VkCommandBuffer commands);
void mc_target_record_begin_plain(const mc_target *target, VkCommandBuffer commands);

// Copies the finished colour to the CPU. prepare may fail; read is called once the GPU is done.
mc_result mc_target_prepare_readback(mc_target *target, mc_gpu *gpu, mc_error *error);
void mc_target_record_readback(const mc_target *target, VkCommandBuffer commands);
void mc_target_read(const mc_target *target, uint8_t *rgba);

// Copies the finished colour to an image of a window and makes that ready to be shown.
void mc_target_record_copy(const mc_target *target, VkCommandBuffer commands, VkImage image,
                           VkFormat format);
