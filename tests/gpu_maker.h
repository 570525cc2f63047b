// gpu_maker.h - a quiet GPU with the validation layers on: for tests and benchmarks.
#pragma once
#include "engine/gpu/gpu.h"
#include "tests/test.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

// Drivers and layers, and the C++ libraries that only they use here, keep a little until the
// process ends; what our own code loses is still found.
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libvulkan\nleak:libVkLayer\nleak:libLLVM\nleak:libstdc++\n";
}

// Keeps a library loaded, so that the leak checker can tell whose the memory is.
static inline int made_keep_library(struct dl_phdr_info *info, size_t size, void *user) {
    (void)size, (void)user;
    if (info->dlpi_name && info->dlpi_name[0])
        (void)dlopen(info->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
    return 0;
}

static inline void made_write_message(void *user, mc_log_level level, const char *message) {
    (void)user;
    if (level != MC_LOG_INFO) fprintf(stderr, "%s\n", message);
}

static inline mc_gpu *made_gpu_create(bool validation) {
    static const mc_log log = {.write = made_write_message};
    mc_gpu_desc desc = {.validation = validation, .abort_on_validation = validation, .log = &log};
    mc_gpu *gpu = NULL;
    mc_error error = {0};
    if (mc_gpu_create(&desc, &gpu, &error) != MC_OK) fprintf(stderr, "%s\n", error.message);
    REQUIRE(gpu);
    dl_iterate_phdr(made_keep_library, NULL);
    return gpu;
}
