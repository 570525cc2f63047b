#include "engine/import/objects/object_births.h"

#include "engine/base/memory.h"
void mc_object_births_deinit(mc_object_births *births) {
    mc_free(births->births);
    mc_free(births->moments);
    *births = (mc_object_births){0};
}

bool mc_object_births_choose(mc_object_births *births, const mc_object_moment *moments,
                             size_t count, uint32_t most) {
    const uint64_t kept = count < most ? count : most;
    mc_free(births->moments);
    births->moments = mc_alloc((size_t)kept + 1, sizeof *births->moments);
    births->moment_count = 0;
    if (!births->moments) return false;
    for (uint64_t i = 0; i < kept; i++) {
        const mc_object_moment *next = &moments[(i + 1) * count / kept - 1];
        mc_object_moment *last = births->moments + births->moment_count;
        if (births->moment_count == 0 || next->time_ms > last[-1].time_ms)
            births->moment_count++;
        else
            last--;
        *last = *next;
    }
    return true;
}
