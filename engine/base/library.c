#include "engine/base/library.h"

#include "engine/base/memory.h"
#include <dlfcn.h>
#include <string.h>

// POSIX says that the address of a function fits into a pointer to data.
_Static_assert(sizeof(void *) == sizeof(void (*)(void)), "functions are found as data");

mc_result mc_library_load(const char *file, const char *const *names, size_t count, void *functions,
                          mc_error *error) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) return mc_fail(error, MC_ERROR_UNSUPPORTED, "can't load %s", dlerror());
    void **found = mc_alloc(count, sizeof *found);
    if (!found) {
        dlclose(library);
        return mc_error_out_of_memory(error);
    }
    mc_result result = MC_OK;
    for (size_t i = 0; i < count && result == MC_OK; i++) {
        found[i] = dlsym(library, names[i]);
        if (!found[i])
            result = mc_fail(error, MC_ERROR_UNSUPPORTED, "%s has no %s()", file, names[i]);
    }
    if (result == MC_OK)
        memcpy(functions, found, count * sizeof *found);
    else
        dlclose(library);
    mc_free(found);
    return result;
}
