#include "app/view/view_state.h"

#include "engine/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_PIXELS 5.0     // how far beside a thin frustum it is still pointed at
#define SMOOTH_FRAME_S 0.012 // what a frame may cost for arrows to move all the time
#define ARROW_PERIOD_S 3600.0

// What the frustums were made for.
static mc_view_frustum_key get_key(const mc_view *view) {
    const mc_view_references *references = &view->explore.references;
    return (mc_view_frustum_key){
        .city = view->city,
        .from = view->from,
        .to = view->to,
        .version = references->version,
        .walk_version = view->explore.walk.version,
        .arcs = view->wish.look.arcs,
    };
}

static bool keys_differ(const mc_view_frustum_key *a, const mc_view_frustum_key *b) {
    return a->city != b->city || a->from != b->from || a->to != b->to || a->version != b->version ||
           a->walk_version != b->walk_version || a->arcs != b->arcs;
}

void mc_view_drop_frustums(mc_view *view) {
    mc_view_frustums *frustums = &view->explore.frustums;
    mc_frustums_deinit(&frustums->frustums);
    *frustums = (mc_view_frustums){.emphasised = MC_NONE, .hovered = MC_NONE};
}

static void make(mc_view *view) {
    mc_view_frustums *frustums = &view->explore.frustums;
    const mc_view_references *references = &view->explore.references;
    const mc_walk *walk = &view->explore.walk.walk;
    bool is_walk = view->explore.walk.is_shown;
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
    mc_frustum_arcs arcs = view->wish.look.arcs ? MC_FRUSTUM_ARCS_NEEDED : MC_FRUSTUM_ARCS_NONE;
    mc_result result =
        mc_frustums_make(&frustums->frustums, view->city, mc_trace_get_nodes(view->trace),
                         &view->params, view->from, view->to, links, count, arcs, &error);
    mc_free(links);
    if (result != MC_OK) mc_view_set_message(view, error.message);
}

// Which frustum the pointer is on; buildings in front do not hide it, for neither do they in the
// picture.
static void point_at(mc_view *view) {
    mc_view_frustums *frustums = &view->explore.frustums;
    frustums->hovered = MC_NONE;
    if (frustums->frustums.count == 0 || !mc_view_is_over_city(view)) return;
    mc_ray ray = mc_camera_get_ray(&view->camera, view->pointer_x, view->pointer_y);
    double height = fmax(view->camera.viewport.height, 1);
    double pixel = 2 * tan(view->camera.fov_rad / 2) / height;
    double scale = (double)mc_window_get_scale(view->window);
    mc_frustum_hit hit =
        mc_frustums_pick(&frustums->frustums, view->city, &view->params, view->from, view->to, ray,
                         (float)(LEAST_PIXELS * scale * pixel));
    frustums->hovered = hit.frustum;
}

void mc_view_update_frustums(mc_view *view) {
    mc_view_frustums *frustums = &view->explore.frustums;
    mc_view_frustum_key key = get_key(view);
    bool is_new = keys_differ(&key, &frustums->key);
    if (is_new) {
        frustums->key = key;
        make(view);
    }
    for (uint32_t i = 0; view->explore.walk.is_shown && i < frustums->frustums.count; i++) {
        mc_frustum *frustum = &frustums->frustums.items[i];
        frustum->reveal = mc_view_get_link_reveal(view, frustum->link);
    }
    if (view->hover_is_stale || is_new) point_at(view);
    uint32_t lit = view->explore.walk.is_shown ? MC_NONE : view->explore.references.lit_link;
    if (lit == frustums->emphasised && !is_new) return;
    frustums->emphasised = lit;
    mc_frustums_emphasise(&frustums->frustums, lit);
}

uint32_t mc_view_get_pointed_link(const mc_view *view) {
    const mc_view_frustums *frustums = &view->explore.frustums;
    uint32_t hovered = frustums->hovered;
    bool fits = !view->explore.walk.is_shown && hovered < frustums->frustums.count &&
                frustums->key.version == view->explore.references.version;
    uint32_t link = fits ? frustums->frustums.items[hovered].link : MC_NONE;
    return link < view->explore.references.links.count ? link : MC_NONE;
}

// Arrows move while nothing else does, where that is no burden to the machine.
bool mc_view_has_moving_arrows(const mc_view *view) {
    return view->explore.frustums.frustums.count > 0 && view->wish.motion &&
           !mc_gpu_is_software(view->gpu) && view->frame_cost_s < SMOOTH_FRAME_S;
}

void mc_view_fill_frustum_scene(mc_view *view, mc_scene *scene) {
    mc_view_frustums *frustums = &view->explore.frustums;
    if (mc_view_has_moving_arrows(view)) {
        frustums->time_s = fmod(frustums->time_s + fmin(view->elapsed_s, 0.1), ARROW_PERIOD_S);
    }
    scene->frustums = frustums->frustums.items;
    scene->frustum_count = frustums->frustums.count;
    scene->time_s = frustums->time_s;
}
