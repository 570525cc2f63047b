// driver_leaks.c - what the address sanitizer is told of Vulkan drivers and layers, in whatever can
// start one.
//
// They keep a little until the process ends. A leak is told to be theirs by the library that
// allocated it, so all libraries stay loaded; leaks of our own are still found while a device is
// there. memcity_gpu pulls this in wherever the sanitizer is on.
#include <dlfcn.h>

extern const int mc_driver_leaks;
const int mc_driver_leaks = 1; // what the linker asks for

const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
    return "leak:libvulkan\nleak:libVkLayer\nleak:libvk_\nleak:libLLVM\nleak:libstdc++\n";
}

// What was left out is no message of the program's.
const char *__lsan_default_options(void);
const char *__lsan_default_options(void) {
    return "print_suppressions=0";
}

int dlclose(void *library) {
    (void)library;
    return 0;
}
