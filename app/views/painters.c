#include "app/views/painters.h"

#include "app/views/city/city_painter.h"
#include "app/views/city/city_view.h"
#include "app/views/flat/flat_painter.h"
#include "app/views/flat/flat_view.h"
#include "engine/scene/params.h"

// A row a view.
static const struct {
    const mc_view_kind *kind;
    const mc_view_painter *painter;
} painters[] = {{&mc_city_view_kind, &mc_city_painter},
                {&mc_sunburst_view_kind, &mc_flat_painter},
                {&mc_icicle_view_kind, &mc_flat_painter}};

const mc_view_painter *mc_view_get_painter(const mc_view *view) {
    for (size_t i = 0; i < sizeof painters / sizeof *painters; i++)
        if (painters[i].kind == view->kind) return painters[i].painter;
    return NULL;
}

mc_scene mc_view_get_empty_scene(const mc_look *look, mc_camera_viewport viewport) {
    static const mc_camera_bounds unit = {{0, 0, 0}, {1, 1, 1}};
    mc_update_params params = {0};
    mc_camera camera;
    mc_camera_init(&camera, &unit, viewport);
    return mc_scene_make(look, &camera, &params, MC_STRUCTURE_NONE, MC_STRUCTURE_NONE, NULL);
}
