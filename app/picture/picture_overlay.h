// picture_overlay.h - draws names and a legend over a picture without a window.
//
// Only one at a time, for there is only one UI per process (ui.h). Threads: the main thread.
#pragma once
#include "app/picture/picture_options.h"
#include "app/ui/ui.h"
#include "app/views/city/city_view_state.h"
#include "engine/render/core/ui_draw.h"

typedef struct mc_picture_overlay mc_picture_overlay;

typedef struct mc_picture_overlay_desc {
    const mc_city_view *view; // must outlive the overlay
    const mc_picture_options *picture;
    const char *note; // a sentence below the name; NULL: the default remark on the picture
    uint32_t width, height;
} mc_picture_overlay_desc;

// The scale of text in a picture `height` pixels high. It is proportional to the height, so that a
// slide is readable at any resolution.
float mc_picture_get_text_scale(uint32_t height);
// The scale of its lines: rims, beacons, thin frustums. Likewise, but never thinner than in a plain
// window.
float mc_picture_get_pixel_scale(uint32_t height);

mc_result mc_picture_overlay_create(const mc_picture_overlay_desc *desc,
                                    mc_picture_overlay **overlay, mc_error *error);
void mc_picture_overlay_destroy(mc_picture_overlay *overlay); // NULL is fine

// Draws the overlay of the prepared frame. `draw` is valid until the next call.
void mc_picture_overlay_draw(mc_picture_overlay *overlay, mc_ui *ui, mc_ui_draw *draw);
