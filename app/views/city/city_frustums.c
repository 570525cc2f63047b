#include "app/views/city/city_frustums.h"

#include "app/session/retaining_paths.h"
#include "app/session/walk.h"
#include "app/views/city/city_roots.h"
#include <math.h>
#include <string.h>

#define LEAST_PIXELS 5.0 // how far beside a thin frustum it is still pointed at
#define ARROW_PERIOD_S 3600.0

// What the frustums were made for.
static mc_city_frustum_key get_key(const mc_city_view *self) {
    const mc_session *session = self->base.session;
    return (mc_city_frustum_key){
        .city = self->city,
        .from = session->counts.from,
        .to = session->counts.to,
        .version = mc_asked_get_version(session->asked[MC_QUERY_REFERENCES]),
        .walk_version = session->walk.version,
        .cause_links_version = mc_asked_get_version(session->asked[MC_QUERY_CAUSE_LINKS]),
        .roots_version = session->roots.version,
        .roots = session->settings.look.roots && session->settings.look.show_incoming,
        .held_version = mc_asked_get_version(session->asked[MC_QUERY_RETAINING_PATHS]),
        .street_count = mc_session_count_streets(session),
        .arcs = session->settings.look.arcs,
    };
}

static bool keys_differ(const mc_city_frustum_key *a, const mc_city_frustum_key *b) {
    return a->city != b->city || a->from != b->from || a->to != b->to || a->version != b->version ||
           a->walk_version != b->walk_version || a->cause_links_version != b->cause_links_version ||
           a->roots_version != b->roots_version || a->roots != b->roots ||
           a->held_version != b->held_version || a->street_count != b->street_count ||
           a->arcs != b->arcs;
}

void mc_city_view_drop_frustums(mc_city_view *self) {
    mc_city_frustums *frustums = &self->frustums;
    mc_frustums_deinit(&frustums->frustums);
    *frustums = (mc_city_frustums){.emphasised = MC_NONE, .hovered = MC_NONE};
}

// The chain of the walk at the step shown, or, until that is known, as it was found at its own.
static mc_result add_chain(const mc_session *session, mc_joins *joins, mc_error *error) {
    const mc_walk *walk = mc_session_get_walk(session);
    mc_frustum_link own[MC_WALK_MOST_STOPS];
    uint32_t stops[MC_WALK_MOST_STOPS], count = 0;
    const mc_joins *chain = mc_session_get_cause_links(session);
    if (mc_asked_has_answer(session->asked[MC_QUERY_CAUSE_LINKS]))
        return mc_joins_add(joins, chain->links, chain->stops, chain->count, error);
    for (; count + 1 < walk->count; count++) {
        own[count] = mc_frustum_get_chain_link(walk->stops[count].node, &walk->stops[count].link);
        stops[count] = count;
    }
    return mc_joins_add(joins, own, stops, count, error);
}

// Behind the references.
static mc_result add_streets(const mc_session *session, mc_joins *joins, mc_error *error) {
    const mc_retaining_paths *held = mc_session_get_retaining_paths(session);
    const mc_retaining_paths_key *key = mc_asked_get_key(session->asked[MC_QUERY_RETAINING_PATHS]);
    const uint32_t *root_step = mc_asked_get_key(session->asked[MC_QUERY_ROOT_GROUPS]);
    uint32_t count = mc_session_count_streets(session);
    bool has_markers = session->settings.look.roots && key->step == *root_step;
    if (count == 0) return MC_OK;
    return mc_joins_add_streets(joins, held->streets, count, held->tree.rows[0].whole_bytes,
                                has_markers, error);
}

// References, streets behind them, then what roots hold.
static mc_result join(const mc_city_view *self, mc_joins *joins, mc_error *error) {
    const mc_session *session = self->base.session;
    const mc_references *references = mc_session_get_references(session);
    const mc_references_key *key = mc_asked_get_key(session->asked[MC_QUERY_REFERENCES]);
    mc_result result = MC_OK;
    if (session->walk.is_shown) {
        result = add_chain(session, joins, error);
    } else {
        const mc_joins *group = &references->joins;
        result = key->selection.count > 1
                     ? mc_joins_add(joins, group->links, group->stops, group->count, error)
                     : mc_joins_make_references(joins, key->node, &references->links, error);
        if (result == MC_OK) result = add_streets(session, joins, error);
    }
    return result == MC_OK ? mc_city_view_add_root_links(self, joins, error) : result;
}

// Several selected structures may share a link: their frustums bear its number, and what comes
// behind them goes on from there, as with one.
static void number_links(mc_city_view *self) {
    const mc_session *session = self->base.session;
    const mc_references *references = mc_session_get_references(session);
    const mc_references_key *key = mc_asked_get_key(session->asked[MC_QUERY_REFERENCES]);
    mc_frustums *frustums = &self->frustums.frustums;
    const mc_joins *group = &references->joins;
    if (key->selection.count < 2) return;
    for (uint32_t i = 0; i < frustums->count; i++) {
        uint32_t *link = &frustums->items[i].link;
        *link = *link < group->count ? group->stops[*link]
                                     : *link - group->count + references->links.count;
    }
}

static void make(mc_city_view *self) {
    const mc_session *session = self->base.session;
    mc_city_frustums *frustums = &self->frustums;
    mc_joins joins = {0};
    mc_error error = {0};
    frustums->emphasised = frustums->hovered = MC_NONE;
    mc_frustum_arcs arcs = (mc_frustum_arcs)session->settings.look.arcs;
    mc_result result = join(self, &joins, &error);
    if (joins.count == 0)
        mc_frustums_deinit(&frustums->frustums);
    else if (result == MC_OK)
        result = mc_frustums_make(
            &frustums->frustums, self->city, mc_trace_get_nodes(session->trace), &self->params,
            session->counts.from, session->counts.to, joins.links, joins.count, arcs, &error);
    if (result == MC_OK && !session->walk.is_shown) number_links(self);
    mc_joins_deinit(&joins);
    if (result != MC_OK) mc_view_miss(&self->base, &error);
}

// The stop that a frustum of the walk begins at.
static uint32_t get_stop(const mc_session *session, uint32_t link) {
    const mc_joins *chain =
        mc_session_get_cause_links(session); // without links where none is known
    return link < chain->count ? chain->stops[link] : link;
}

// Which frustum the pointer is on; buildings in front do not hide it, for neither do they in the
// picture.
static void point_at(mc_city_view *self) {
    const mc_session *session = self->base.session;
    mc_city_frustums *frustums = &self->frustums;
    frustums->hovered = MC_NONE;
    if (frustums->frustums.count == 0 || !session->input.is_over_picture) return;
    mc_ray ray = mc_camera_get_ray(&self->camera, session->input.x, session->input.y);
    double pixel = 1 / mc_camera_get_focal(&self->camera);
    double scale = session->input.pixel_scale;
    mc_frustum_hit hit = mc_frustums_pick(
        &frustums->frustums, self->city, &self->params, session->counts.from, session->counts.to,
        ray, (float)(LEAST_PIXELS * scale * pixel), MC_FRUSTUM_MOST_THICK * (float)(scale * pixel));
    frustums->hovered = hit.frustum;
}

void mc_city_view_update_frustums(mc_city_view *self) {
    const mc_session *session = self->base.session;
    mc_city_frustums *frustums = &self->frustums;
    mc_city_frustum_key key = get_key(self);
    bool is_new = keys_differ(&key, &frustums->key);
    if (is_new) {
        frustums->key = key;
        make(self);
    }
    for (uint32_t i = 0; session->walk.is_shown && i < frustums->frustums.count; i++) {
        mc_frustum *frustum = &frustums->frustums.items[i];
        frustum->reveal = mc_session_get_link_reveal(session, get_stop(session, frustum->link));
    }
    if (session->hover.is_stale || is_new) point_at(self);
    uint32_t lit = session->walk.is_shown ? MC_NONE : session->hover.link;
    uint32_t street =
        lit == MC_NONE && !session->walk.is_shown ? mc_session_find_lit_street(session) : MC_NONE;
    if (street != MC_NONE) lit = mc_session_get_references(session)->links.count + street;
    if (lit == frustums->emphasised && !is_new) return;
    frustums->emphasised = lit;
    mc_frustums_emphasise(&frustums->frustums, lit);
}

uint32_t mc_city_view_get_pointed_link(const mc_city_view *self) {
    const mc_session *session = self->base.session;
    const mc_city_frustums *frustums = &self->frustums;
    uint32_t hovered = frustums->hovered;
    bool fits =
        !session->walk.is_shown && hovered < frustums->frustums.count &&
        frustums->key.version == mc_asked_get_version(session->asked[MC_QUERY_REFERENCES]) &&
        frustums->key.held_version ==
            mc_asked_get_version(session->asked[MC_QUERY_RETAINING_PATHS]);
    uint32_t link = fits ? frustums->frustums.items[hovered].link : MC_NONE;
    uint32_t count =
        mc_session_get_references(session)->links.count + mc_session_count_streets(session);
    return link < count ? link : MC_NONE;
}

bool mc_city_view_has_moving_arrows(const mc_city_view *self) {
    const mc_session *session = self->base.session;
    return self->frustums.frustums.count > 0 && session->settings.motion &&
           session->input.can_idle_moving;
}

double mc_city_view_get_time(mc_city_view *self) {
    mc_city_frustums *frustums = &self->frustums;
    if (mc_city_view_has_moving_arrows(self))
        frustums->time_s =
            fmod(frustums->time_s + fmin(self->base.session->turn.elapsed_s, 0.1), ARROW_PERIOD_S);
    return frustums->time_s;
}

_Static_assert(MC_FRUSTUM_KIND_COUNT <= (int)MC_FACT_LEGEND_CAPACITY, "a row a kind");

void mc_city_view_fill_join_legend(const mc_city_view *self, mc_fact_legend *legend) {
    const mc_look *look = &self->base.session->settings.look;
    mc_theme theme = mc_theme_get(look->dark, (mc_palette)look->palette);
    bool is_shown[MC_FRUSTUM_KIND_COUNT];
    mc_legend_find_joins(&self->frustums.frustums, is_shown);
    legend->can_have_joins = mc_trace_has_references(self->base.session->trace);
    for (uint32_t kind = 0; kind < MC_FRUSTUM_KIND_COUNT; kind++) {
        if (!is_shown[kind]) continue;
        legend->join_colors[legend->join_count] = mc_theme_pack(theme.frustums[kind], 255);
        legend->join_texts[legend->join_count++] = mc_legend_joins[kind];
    }
}
