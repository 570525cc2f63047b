// The one place where volk, which loads Vulkan's functions at run time, is compiled. Its code is
// not held to our warnings.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define VOLK_IMPLEMENTATION
#include <volk.h>
#pragma GCC diagnostic pop
