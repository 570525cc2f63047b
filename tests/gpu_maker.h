// gpu_maker.h - a quiet GPU with the validation layers on: for tests and benchmarks.
#pragma once
#include "engine/gpu/device.h"
#include "tests/test.h"
#include <stdio.h>

static inline void made_write_message(void *user, mc_log_level level, const char *message) {
    (void)user;
    if (level != MC_LOG_INFO) fprintf(stderr, "%s\n", message);
}

// Vulkan promises 16 steps in a pixel of the grid on which triangles are drawn. Stored pictures are
// of devices that have 256: on a coarse grid borders lie elsewhere by up to a 32nd of a pixel, and
// thin boxes look otherwise.
static inline bool made_is_coarse(const mc_gpu *gpu) {
    return gpu->limits.subPixelPrecisionBits < 8;
}

static inline mc_gpu *made_gpu_create(bool validation) {
    static const mc_log log = {.write = made_write_message};
    mc_gpu_desc desc = {.validation = validation,
                        .abort_on_validation = validation,
                        .without = getenv("MEMCITY_WITHOUT"),
                        .log = &log};
    mc_gpu *gpu = NULL;
    mc_error error = {0};
    if (mc_gpu_create(&desc, &gpu, &error) != MC_OK) fprintf(stderr, "%s\n", error.message);
    REQUIRE(gpu);
    return gpu;
}
