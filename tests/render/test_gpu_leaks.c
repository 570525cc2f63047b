// What the address sanitizer says once a device is gone: nothing of what its driver keeps, all that
// we lose.
#include "engine/gpu/gpu.h"
#include "tests/test.h"
#include <link.h>
#include <stdint.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/lsan_interface.h>
#define CHECKS_LEAKS 1
#endif
#endif

#ifdef CHECKS_LEAKS
static int count_drivers(struct dl_phdr_info *library, size_t size, void *user) {
    (void)size;
    const char *name = library->dlpi_name ? library->dlpi_name : "";
    if (strstr(name, "libvulkan") || strstr(name, "libvk_")) ++*(int *)user;
    return 0;
}

static int get_driver_count(void) {
    int count = 0;
    dl_iterate_phdr(count_drivers, &count);
    return count;
}

static uintptr_t hidden; // every bit is turned, so that it is no pointer for whoever looks for one

__attribute__((noinline)) static void lose(void) {
    hidden = ~(uintptr_t)malloc(77);
}
#endif

int main(void) {
    mc_gpu *gpu = NULL;
    REQUIRE(mc_gpu_create(&(mc_gpu_desc){.validation = true}, &gpu, NULL) == MC_OK);
#ifdef CHECKS_LEAKS
    int loaded = get_driver_count();
    CHECK(loaded > 1); // the loader and a driver
    mc_gpu_destroy(gpu);
    CHECK(get_driver_count() == loaded);
    CHECK(!__lsan_do_recoverable_leak_check());
    lose();
    CHECK(__lsan_do_recoverable_leak_check());
    free((void *)~hidden);
#else
    mc_gpu_destroy(gpu);
#endif
    return test_finish();
}
