#include "app/views/city/city_pointing.h"

#include "app/views/city/city_framing.h"
#include "app/views/city/city_roots.h"
#include "app/views/city/city_styles.h"
#include "app/views/city/city_transition.h"
#include "engine/scene/params.h"
#include <math.h>
#include <string.h>

void mc_city_view_update_params(mc_city_view *self) {
    const mc_session *session = self->base.session;
    const mc_look *look = &session->settings.look;
    mc_theme theme = mc_theme_get(look->dark, (mc_palette)look->palette);
    mc_update_params params =
        mc_scene_get_params(look, self->city, mc_city_view_get_selected(self));
    mc_structure more[MC_MORE_SELECTED_MOST];
    mc_scene_select_more(&params, self->city, more, mc_city_view_list_more(self, more));
    params.blend = (float)session->counts.blend;
    params.transition = mc_city_view_get_transition(self);
    mc_city_view_apply_styles(self, &theme, &params);
    params.jump = 0;
    if (session->selection.jump_elapsed_s >= 0) {
        double t = session->selection.jump_elapsed_s / MC_SESSION_JUMP_S;
        params.jump = (float)(sin(t * 3.14159265) * 0.025 * self->camera.pose.distance);
    }
    // Any bit that differs may change what is under the pointer; there is no padding.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    if (memcmp(&params, &self->params, sizeof params) != 0) mc_view_pick_again(&self->base);
    self->params = params;
}

uint32_t mc_city_view_pick(mc_city_view *self, double x, double y) {
    mc_hit hit = mc_city_view_look_along(self, mc_camera_get_ray(&self->camera, x, y));
    bool is_hit = hit.structure.building != MC_NONE || hit.structure.district != MC_NONE;
    mc_structure twin = mc_city_get_twin(self->city, hit.structure);
    if (twin.building != MC_NONE || twin.district != MC_NONE)
        self->is_in_first = !mc_city_is_second(self->city, hit.structure);
    float distance = is_hit ? hit.distance : INFINITY;
    if (mc_city_view_pick_marker(self, x, y, distance) != MC_NONE) return MC_NONE;
    return mc_city_get_node(self->city, hit.structure);
}

// The middle of a building's roof, or of a district's plot.
static void get_middle(const mc_city_view *self, mc_structure structure, double point[3]) {
    const mc_city *city = self->city;
    const mc_session *session = self->base.session;
    uint32_t i = structure.building != MC_NONE ? structure.building : structure.district;
    mc_plot plot = structure.building != MC_NONE ? city->building_plot[i] : city->district_plot[i];
    point[0] = ((double)plot.x0 + (double)plot.x1) / 2;
    point[2] = ((double)plot.z0 + (double)plot.z1) / 2;
    if (structure.building == MC_NONE) {
        point[1] = (double)city->district_base[i] + (double)city->district_height;
        return;
    }
    mc_box box = mc_city_evaluate_building(city, &self->params, i, session->counts.from[i],
                                           session->counts.to[i], NULL);
    point[1] = (double)box.base + (double)box.height;
}

bool mc_city_view_locate(const mc_city_view *self, uint32_t node, mc_view_place *place) {
    mc_structure structure = mc_city_view_find(self, node);
    double point[3];
    *place = (mc_view_place){-1, -1};
    if (structure.building == MC_NONE && structure.district == MC_NONE) return false;
    get_middle(self, structure, point);
    if (!mc_camera_project(&self->camera, point, &place->x, &place->y))
        *place = (mc_view_place){-1, -1};
    return true;
}

mc_view_click mc_city_view_click(mc_city_view *self, double x, double y, bool is_double) {
    uint32_t node = mc_city_view_pick(self, x, y);
    if (node == MC_NONE && self->hovered_marker != MC_NONE)
        return (mc_view_click){MC_VIEW_CLICK_GC_ROOTS, self->hovered_marker};
    if (!is_double || node == MC_NONE) return (mc_view_click){MC_VIEW_CLICK_NODE, node};
    mc_city_view_frame(self, node, MC_VIEW_FRAME);
    return (mc_view_click){MC_VIEW_CLICK_NOTHING, MC_NONE};
}

static uint32_t get_item_node(const mc_city *city, uint32_t item) {
    return item & MC_ITEM_DISTRICT ? city->district_node[item & ~MC_ITEM_DISTRICT]
                                   : city->building_node[item];
}

// The largest part comes first; siblings are in the order in which the layout placed them.
uint32_t mc_city_view_get_neighbour(const mc_city_view *self, uint32_t node, mc_view_way way) {
    const mc_city *city = self->city;
    uint32_t parent = mc_trace_get_nodes(self->base.session->trace)->parent[node];
    uint32_t around = way == MC_VIEW_CHILD ? node : parent;
    uint32_t district = around == MC_NONE ? MC_NONE : city->node_district[around];
    if (district == MC_NONE) return MC_NONE;
    if (city->half_count > 0 && district == 0) district = 1; // the ground has no parts
    const uint32_t *items = city->items + city->district_item_first[district];
    uint32_t count = city->district_item_count[district], at = 0;
    if (way == MC_VIEW_CHILD) return count > 0 ? get_item_node(city, items[0]) : MC_NONE;
    while (at < count && get_item_node(city, items[at]) != node)
        at++;
    if (at == count || (way == MC_VIEW_PREVIOUS ? at == 0 : at + 1 == count)) return MC_NONE;
    return get_item_node(city, items[way == MC_VIEW_PREVIOUS ? at - 1 : at + 1]);
}
