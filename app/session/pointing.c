#include "app/session/pointing.h"

#include "app/session/camera.h"
#include "app/session/glide.h"
#include "app/session/references.h"
#include "app/session/selection.h"
#include "app/session/styles.h"
#include "engine/scene/params.h"
#include <math.h>
#include <string.h>

#define JUMP_S 0.3

void mc_session_update_params(mc_session *session) {
    const mc_look *look = &session->wish.look;
    mc_theme theme = mc_theme_get(look->dark, (mc_palette)look->palette);
    mc_update_params params = mc_scene_get_params(look, session->city, session->selected);
    params.blend = (float)mc_playback_get_blend(&session->playback);
    params.glide = mc_session_get_glide(session);
    mc_session_apply_styles(session, &theme, &params);
    params.jump = 0;
    if (session->jump_elapsed_s >= 0) {
        double t = session->jump_elapsed_s / JUMP_S;
        params.jump = (float)(sin(t * 3.14159265) * 0.025 * session->camera.pose.distance);
    }
    // Any bit that differs may change what is under the pointer; there is no padding.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    if (memcmp(&params, &session->params, sizeof params) != 0) session->hover_is_stale = true;
    session->params = params;
}

static mc_structure pick(const mc_session *session, double x, double y) {
    return mc_city_pick(session->city, &session->params, session->from, session->to,
                        mc_camera_get_ray(&session->camera, x, y))
        .structure;
}

void mc_session_update_hover(mc_session *session) {
    if (!session->input.is_over_city) {
        session->hovered = MC_STRUCTURE_NONE;
        return;
    }
    if (!session->hover_is_stale) return;
    session->hover_is_stale = false;
    session->hovered = pick(session, session->input.x, session->input.y);
}

void mc_session_click(mc_session *session, double x, double y, bool is_double) {
    mc_structure structure = pick(session, x, y);
    uint32_t node = mc_city_get_node(session->city, structure);
    if (!is_double && mc_session_show_pointed_partner(session)) return;
    if (is_double && node != MC_NONE) {
        mc_session_frame_structure(session, structure, false);
        return;
    }
    mc_session_select_node(session, node, true);
}
