// picture_overlay.h - names and a legend over a picture without a window.
//
// Only one at a time, for there is only one UI per process (ui.h). Threads: the main thread.
#pragma once
#include "app/picture/picture_highlights.h"
#include "app/picture/picture_names.h"
#include "engine/render/core/ui_draw.h"
#include "engine/scene/camera.h"

typedef struct mc_picture_overlay mc_picture_overlay;

typedef struct mc_picture_overlay_desc {
    const mc_picture_highlights *highlights; // with what it points to, must outlive the overlay
    const mc_picture_names *names;           // likewise
    const mc_picture_options *picture;
    const char *name; // of the trace, copied; NULL: none
    const char *note; // a sentence under it, copied; NULL: what there is to say of the picture
    uint32_t width, height;
} mc_picture_overlay_desc;

// Of a picture `height` pixels high: text keeps its share of it, so that a slide can be read
// whatever its pixels.
float mc_picture_get_text_scale(uint32_t height);
// Of its lines: rims, beacons, thin frustums. Like that, but never thinner than in a plain window.
float mc_picture_get_pixel_scale(uint32_t height);

// Gives the renderer its font.
mc_result mc_picture_overlay_create(const mc_picture_overlay_desc *desc, mc_renderer *renderer,
                                    mc_picture_overlay **overlay, mc_error *error);
void mc_picture_overlay_destroy(mc_picture_overlay *overlay); // NULL is fine

// What lies over the picture of a step, between the counts `from` and `to` (columns over
// buildings). `draw` is valid until the next one.
void mc_picture_overlay_draw(mc_picture_overlay *overlay, const mc_update_params *params,
                             const mc_camera *camera, uint32_t step, const uint64_t *from,
                             const uint64_t *to, mc_ui_draw *draw);
