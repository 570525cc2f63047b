#include "app/picture/session_picture.h"

#include "app/png_file.h"
#include "app/session/tables.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <stdio.h>

void mc_session_write_picture(mc_session *session, mc_renderer *renderer, const mc_scene *scene,
                              const mc_ui_draw *ui, uint32_t width, uint32_t height) {
    mc_error error = {0};
    mc_text path = {0};
    char suffix[64] = "";
    if (session->shown) snprintf(suffix, sizeof suffix, "-step%" PRIu32, session->playback.step);
    uint8_t *pixels = mc_alloc((size_t)width * height, 4);
    if (!pixels) {
        mc_error_out_of_memory(&error);
    } else if (mc_session_append_output_path(session, &path, suffix, "png") &&
               mc_renderer_render_image(renderer, scene, ui, width, height, pixels, &error) ==
                   MC_OK &&
               mc_png_write(path.data, pixels, width, height, &error) == MC_OK) {
        mc_session_set_notice(session, "Wrote %s", path.data);
    }
    if (error.code != MC_OK) mc_session_set_message(session, error.message);
    mc_free(pixels);
    mc_text_deinit(&path);
}
