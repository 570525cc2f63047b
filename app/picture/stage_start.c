#include "app/picture/stage_start.h"

// By whoever comes first.
static void create_ui(mc_stage_start *start) {
    if (start->text_scale <= 0 || atomic_exchange(&start->has_ui, true)) return;
    start->ui_result = mc_ui_create(start->text_scale, &start->ui, &start->ui_error);
}

// On a software device what takes so long to open that there is time has many buildings.
static void create_renderer(mc_stage_start *start) {
    const mc_picture_options *picture = start->picture;
    const mc_look *look = &picture->settings.look;
    const mc_first_picture first = {.edges = look->edges, .light = look->light};
    uint32_t count = mc_gpu_is_software(start->gpu) ? UINT32_MAX : 0;
    if (!start->is_city || atomic_load(&start->is_over)) return;
    start->renderer_desc = mc_renderer_choose(start->gpu, (mc_rasterizer)picture->rasterizer, count,
                                              picture->samples, false);
    mc_error error = {0}; // whoever needs it tries again
    if (mc_renderer_create(start->gpu, &start->renderer_desc, &start->renderer, &error) != MC_OK)
        return;
    while (!atomic_load(&start->is_over) && mc_renderer_build_first(start->renderer, &first))
        continue;
}

static void create_gpu(mc_stage_start *start) {
    start->gpu_result = mc_picture_create_gpu(start->picture, &start->gpu, &start->gpu_error);
}

static void *make(void *user) {
    mc_stage_start *start = user;
    create_gpu(start);
    if (start->gpu_result != MC_OK) return NULL;
    create_ui(start);
    create_renderer(start);
    return NULL;
}

void mc_stage_start_begin(mc_stage_start *start) {
    start->has_thread = pthread_create(&start->thread, NULL, make, start) == 0;
}

void mc_stage_start_end(mc_stage_start *start, bool is_needed) {
    atomic_store(&start->is_over, true);
    if (is_needed && !start->has_thread) create_gpu(start);
    if (is_needed) create_ui(start);
    if (start->has_thread) pthread_join(start->thread, NULL);
}
