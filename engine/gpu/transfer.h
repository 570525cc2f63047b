// transfer.h - runs commands and waits for them at once: uploads at load time.
//
// Threads: the one that owns the mc_gpu.
#pragma once
#include "engine/gpu/gpu.h"

// Records with `record`, submits, and waits until the GPU is done.
mc_result mc_transfer_run(mc_gpu *gpu, void (*record)(VkCommandBuffer commands, const void *user),
                          const void *user, mc_error *error);
