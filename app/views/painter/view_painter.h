// view_painter.h - the interface of views (app/session/view.h) to what draws them: what of a view
// needs a device.
//
// A view makes a scene, and the renderer draws it. Used by the thread that has the renderer.
#pragma once
#include "app/session/view.h"
#include "engine/render/renderer.h"

// What a renderer has of a session's view.
typedef struct mc_view_versions {
    uint32_t layout, counts, looks;
} mc_view_versions;

typedef struct mc_view_painter {
    uint32_t (*get_count)(const mc_view *view); // of what is drawn, for mc_renderer_choose()
    // Gives the renderer what has another version than is `known`. The view is shown.
    mc_result (*upload)(const mc_view *view, mc_view_versions *known, mc_renderer *renderer,
                        mc_error *error);
    // A frame, as it was prepared; what moves without end moves on.
    mc_scene (*get_scene)(mc_view *view);
    // The same without a pointer, and as if no panels covered the picture.
    mc_scene (*get_uncovered)(const mc_view *view, const mc_scene *scene);
} mc_view_painter;
