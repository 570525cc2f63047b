// flat_picture.h - a cached picture of the sunbursts and icicles, without outlines of segments.
//
// Hovering changes only the outlines; the cached picture is then reused. Zeroed: none. Threads: the
// renderer's.
#pragma once
#include "engine/gpu/frame.h"
#include "engine/scene/flat_scene.h"

typedef struct mc_flat_picture {
    mc_image image; // of MC_TARGET_FORMAT, one sample a pixel
    // What it was drawn from; version 0: nothing yet.
    mc_flat_plane *planes;
    size_t plane_capacity;
    uint32_t plane_count;
    float background[3];
    uint64_t version;
} mc_flat_picture;

// Makes the image fit. *is_current: it shows the scene's planes already; otherwise it has to be
// drawn, between begin and end, and is taken to be from then on.
mc_result mc_flat_picture_prepare(mc_flat_picture *picture, mc_frames *frames,
                                  const mc_flat_scene *scene, const float background[3],
                                  uint32_t width, uint32_t height, bool *is_current,
                                  mc_error *error);
void mc_flat_picture_destroy(mc_flat_picture *picture, const mc_gpu *gpu); // zeroed is fine

// Afterwards the image can be copied from.
void mc_flat_picture_record_begin(const mc_flat_picture *picture, VkCommandBuffer commands);
void mc_flat_picture_record_end(const mc_flat_picture *picture, VkCommandBuffer commands);
