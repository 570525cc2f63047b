#include "app/session/frustums.h"

#include "app/session/walk.h"
#include "engine/base/memory.h"
#include "engine/scene/params.h"
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
        .chain_version = session->chain.version,
        .arcs = session->wish.look.arcs,
    };
}

static bool keys_differ(const mc_session_frustum_key *a, const mc_session_frustum_key *b) {
    return a->city != b->city || a->from != b->from || a->to != b->to || a->version != b->version ||
           a->walk_version != b->walk_version || a->chain_version != b->chain_version ||
           a->arcs != b->arcs;
}

void mc_session_drop_frustums(mc_session *session) {
    mc_session_frustums *frustums = &session->frustums;
    mc_frustums_deinit(&frustums->frustums);
    *frustums = (mc_session_frustums){.emphasised = MC_NONE, .hovered = MC_NONE};
}

// The chain of the walk as it was found, at its step.
static uint32_t get_own_links(const mc_walk *walk, mc_frustum_link *links) {
    uint32_t count = 0;
    for (; count + 1 < walk->count; count++)
        links[count] = mc_frustum_get_chain_link(walk->stops[count].node, &walk->stops[count].link);
    return count;
}

static void make(mc_session *session) {
    mc_session_frustums *frustums = &session->frustums;
    const mc_session_references *references = &session->references;
    const mc_walk *walk = &session->walk.walk;
    mc_frustum_link own[MC_WALK_MOST_STOPS];
    mc_joins joins = {0};
    mc_error error = {0};
    mc_result result = MC_OK;
    frustums->emphasised = frustums->hovered = MC_NONE;
    const mc_frustum_link *links = own;
    uint32_t count = 0;
    if (session->walk.is_shown && session->chain.is_known) {
        links = session->chain.joins.links;
        count = session->chain.joins.count;
    } else if (session->walk.is_shown) {
        count = get_own_links(walk, own);
    } else {
        result =
            mc_joins_make_references(&joins, references->found.node, &references->links, &error);
        links = joins.links;
        count = joins.count;
    }
    mc_frustum_arcs arcs = session->wish.look.arcs ? MC_FRUSTUM_ARCS_NEEDED : MC_FRUSTUM_ARCS_NONE;
    if (count == 0)
        mc_frustums_deinit(&frustums->frustums);
    else if (result == MC_OK)
        result = mc_frustums_make(&frustums->frustums, session->city,
                                  mc_trace_get_nodes(session->trace), &session->params,
                                  session->from, session->to, links, count, arcs, &error);
    mc_joins_deinit(&joins);
    if (result != MC_OK) mc_session_set_message(session, error.message);
}

// The stop that a frustum of the walk begins at.
static uint32_t get_stop(const mc_session *session, uint32_t link) {
    const mc_session_chain *chain = &session->chain;
    return chain->is_known && link < chain->joins.count ? chain->joins.stops[link] : link;
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
        frustum->reveal = mc_session_get_link_reveal(session, get_stop(session, frustum->link));
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

// The arrows of frustums move on.
static double get_time(mc_session *session) {
    mc_session_frustums *frustums = &session->frustums;
    if (mc_session_has_moving_arrows(session))
        frustums->time_s = fmod(frustums->time_s + fmin(session->elapsed_s, 0.1), ARROW_PERIOD_S);
    return frustums->time_s;
}

mc_scene mc_session_get_scene(mc_session *session) {
    mc_scene scene =
        mc_scene_make(&session->wish.look, &session->camera, &session->params, session->hovered,
                      session->selected, session->city ? &session->frustums.frustums : NULL);
    if (session->city) scene.time_s = get_time(session);
    return scene;
}
