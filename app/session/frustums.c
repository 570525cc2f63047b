#include "app/session/frustums.h"

#include "app/session/walk.h"
#include "engine/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_PIXELS 5.0 // how far beside a thin frustum it is still pointed at
#define ARROW_PERIOD_S 3600.0

// What the frustums were made for.
static mc_session_frustum_key get_key(const mc_session *session) {
    const mc_session_references *references = &session->references;
    return (mc_session_frustum_key){
        .city = session->city,
        .from = session->from,
        .to = session->to,
        .version = references->version,
        .walk_version = session->walk.version,
        .arcs = session->wish.look.arcs,
    };
}

static bool keys_differ(const mc_session_frustum_key *a, const mc_session_frustum_key *b) {
    return a->city != b->city || a->from != b->from || a->to != b->to || a->version != b->version ||
           a->walk_version != b->walk_version || a->arcs != b->arcs;
}

void mc_session_drop_frustums(mc_session *session) {
    mc_session_frustums *frustums = &session->frustums;
    mc_frustums_deinit(&frustums->frustums);
    *frustums = (mc_session_frustums){.emphasised = MC_NONE, .hovered = MC_NONE};
}

static void make(mc_session *session) {
    mc_session_frustums *frustums = &session->frustums;
    const mc_session_references *references = &session->references;
    const mc_walk *walk = &session->walk.walk;
    bool is_walk = session->walk.is_shown;
    uint32_t count = is_walk ? walk->count - 1 : references->links.count;
    mc_error error = {0};
    frustums->emphasised = frustums->hovered = MC_NONE;
    mc_frustum_link *links = count > 0 ? mc_alloc(count, sizeof *links) : NULL;
    if (!links) {
        mc_frustums_deinit(&frustums->frustums);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (is_walk) {
            links[i] = mc_frustum_get_chain_link(walk->stops[i].node, &walk->stops[i].link);
        } else {
            links[i] = mc_frustum_get_link(references->found.node, &references->links.links[i]);
        }
    }
    mc_frustum_arcs arcs = session->wish.look.arcs ? MC_FRUSTUM_ARCS_NEEDED : MC_FRUSTUM_ARCS_NONE;
    mc_result result =
        mc_frustums_make(&frustums->frustums, session->city, mc_trace_get_nodes(session->trace),
                         &session->params, session->from, session->to, links, count, arcs, &error);
    mc_free(links);
    if (result != MC_OK) mc_session_set_message(session, error.message);
}

// Which frustum the pointer is on; buildings in front do not hide it, for neither do they in the
// picture.
static void point_at(mc_session *session) {
    mc_session_frustums *frustums = &session->frustums;
    frustums->hovered = MC_NONE;
    if (frustums->frustums.count == 0 || !session->input.is_over_city) return;
    mc_ray ray = mc_camera_get_ray(&session->camera, session->input.x, session->input.y);
    double height = fmax(session->camera.viewport.height, 1);
    double pixel = 2 * tan(session->camera.fov_rad / 2) / height;
    double scale = session->input.pixel_scale;
    mc_frustum_hit hit =
        mc_frustums_pick(&frustums->frustums, session->city, &session->params, session->from,
                         session->to, ray, (float)(LEAST_PIXELS * scale * pixel));
    frustums->hovered = hit.frustum;
}

void mc_session_update_frustums(mc_session *session) {
    mc_session_frustums *frustums = &session->frustums;
    mc_session_frustum_key key = get_key(session);
    bool is_new = keys_differ(&key, &frustums->key);
    if (is_new) {
        frustums->key = key;
        make(session);
    }
    for (uint32_t i = 0; session->walk.is_shown && i < frustums->frustums.count; i++) {
        mc_frustum *frustum = &frustums->frustums.items[i];
        frustum->reveal = mc_session_get_link_reveal(session, frustum->link);
    }
    if (session->hover_is_stale || is_new) point_at(session);
    uint32_t lit = session->walk.is_shown ? MC_NONE : session->references.lit_link;
    if (lit == frustums->emphasised && !is_new) return;
    frustums->emphasised = lit;
    mc_frustums_emphasise(&frustums->frustums, lit);
}

uint32_t mc_session_get_pointed_link(const mc_session *session) {
    const mc_session_frustums *frustums = &session->frustums;
    uint32_t hovered = frustums->hovered;
    bool fits = !session->walk.is_shown && hovered < frustums->frustums.count &&
                frustums->key.version == session->references.version;
    uint32_t link = fits ? frustums->frustums.items[hovered].link : MC_NONE;
    return link < session->references.links.count ? link : MC_NONE;
}

// Arrows move while nothing else does, where that is no burden to the machine.
bool mc_session_has_moving_arrows(const mc_session *session) {
    return session->frustums.frustums.count > 0 && session->wish.motion &&
           session->input.can_idle_moving;
}

void mc_session_fill_frustum_scene(mc_session *session, mc_scene *scene) {
    mc_session_frustums *frustums = &session->frustums;
    if (mc_session_has_moving_arrows(session)) {
        frustums->time_s = fmod(frustums->time_s + fmin(session->elapsed_s, 0.1), ARROW_PERIOD_S);
    }
    scene->frustums = frustums->frustums.items;
    scene->frustum_count = frustums->frustums.count;
    scene->time_s = frustums->time_s;
}
