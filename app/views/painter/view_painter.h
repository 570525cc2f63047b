// view_painter.h - draws a view (app/session/view.h) on a device: the interface between views and
// the renderer.
//
// A view makes a scene, and the renderer draws it. Threads: the renderer's thread.
#pragma once
#include "app/session/view.h"
#include "engine/render/renderer.h"

// The versions of a view's data that a renderer has.
typedef struct mc_view_versions {
    uint32_t layout, counts, looks;
} mc_view_versions;

typedef struct mc_view_painter {
    // Number of elements drawn, for mc_renderer_choose().
    uint32_t (*get_count)(const mc_view *view);
    // Uploads the data whose version differs from `known`. The view is the one shown.
    mc_result (*upload)(const mc_view *view, mc_view_versions *known, mc_renderer *renderer,
                        mc_error *error);
    // The scene of the prepared frame; advances endless animations.
    mc_scene (*get_scene)(mc_view *view);
    // The same scene without a pointer, and as if no panels covered the picture.
    mc_scene (*get_uncovered)(const mc_view *view, const mc_scene *scene);
} mc_view_painter;
