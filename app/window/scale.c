#include "app/window/scale.h"

#include "app/session/host.h"
#include <math.h>

#define STEP 1.125f
#define LEAST 0.6f
#define MOST 3.0f

float mc_viewer_get_pixel_scale(const mc_viewer *viewer) {
    double wanted = viewer->desc->scale;
    return wanted > 0 ? (float)wanted : mc_window_get_scale(viewer->window);
}

float mc_viewer_get_scale(const mc_viewer *viewer) {
    float scale = mc_viewer_get_pixel_scale(viewer) * viewer->session->settings.text_scale;
    return fminf(fmaxf(scale, 0.5f), 8);
}

void mc_viewer_update_scale(mc_viewer *viewer) {
    uint32_t width, height;
    mc_error error = {0};
    const uint8_t *texture = mc_ui_get_texture(viewer->ui, &width, &height);
    mc_result result = mc_ui_set_scale(viewer->ui, mc_viewer_get_scale(viewer), &error);
    uint32_t new_width, new_height;
    const uint8_t *new_texture = mc_ui_get_texture(viewer->ui, &new_width, &new_height);
    if (result == MC_OK && new_texture != texture) {
        result = mc_renderer_set_ui_texture(viewer->renderer, new_texture, new_width, new_height,
                                            &error);
    }
    if (result != MC_OK) mc_session_fail(viewer->session, &error);
}

void mc_viewer_change_scale(mc_viewer *viewer, int way) {
    float factor = way > 0 ? STEP : 1 / STEP;
    float scale = way == 0 ? 1 : viewer->session->settings.text_scale * factor;
    scale = fminf(fmaxf(scale, LEAST), MOST);
    if (fabsf(scale - 1) < 0.02f) scale = 1; // up and down again leads back
    mc_session_set_text_scale(viewer->session, scale);
    mc_viewer_update_scale(viewer);
}
