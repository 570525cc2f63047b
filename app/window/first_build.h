// first_build.h - builds what the first picture of a city needs of the device while the trace is
// opened, in a thread of its own: drivers take as long for that as opening takes.
//
// Threads: the window's; the renderer may be used meanwhile for all but frames.
#pragma once
#include "engine/render/renderer.h"
#include <pthread.h>
#include <stdatomic.h>

typedef struct mc_first_build {
    mc_renderer *renderer;
    mc_first_picture picture;
    pthread_t thread;
    bool has_thread;
    atomic_bool is_over;
} mc_first_build;

// Without a thread all is built when it is first used.
void mc_first_build_begin(mc_first_build *build, mc_renderer *renderer,
                          const mc_first_picture *picture);
// Until all is built, or only what has begun. Safe on a zeroed or ended one.
void mc_first_build_end(mc_first_build *build, bool is_needed);
