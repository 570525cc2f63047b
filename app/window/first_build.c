#include "app/window/first_build.h"

static void *run(void *user) {
    mc_first_build *build = user;
    while (!atomic_load(&build->is_over) &&
           mc_renderer_build_first(build->renderer, &build->picture))
        continue;
    return NULL;
}

void mc_first_build_begin(mc_first_build *build, mc_renderer *renderer,
                          const mc_first_picture *picture) {
    build->renderer = renderer;
    build->picture = *picture;
    atomic_store(&build->is_over, false);
    build->has_thread = pthread_create(&build->thread, NULL, run, build) == 0;
}

void mc_first_build_end(mc_first_build *build, bool is_needed) {
    if (!build->has_thread) return;
    if (!is_needed) atomic_store(&build->is_over, true);
    pthread_join(build->thread, NULL);
    build->has_thread = false;
}
