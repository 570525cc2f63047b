#include "engine/scene/params.h"

#include "engine/scene/theme.h"

static void select_buildings(mc_update_params *params, const mc_city *city, mc_structure selected) {
    params->selected_first = params->selected_count = 0;
    if (selected.building != MC_NONE) {
        params->selected_first = selected.building;
        params->selected_count = 1;
    } else if (selected.district != MC_NONE) {
        params->selected_first = city->district_building_first[selected.district];
        params->selected_count = city->district_building_count[selected.district];
    }
}

mc_update_params mc_scene_get_params(const mc_look *look, const mc_city *city,
                                     mc_structure selected) {
    mc_update_params params = mc_update_params_default(city);
    if (!look->color_by_growth) params.flags &= ~MC_UPDATE_COLOR_BY_GROWTH;
    if (!look->opacity_by_growth) params.flags &= ~MC_UPDATE_OPACITY_BY_GROWTH;
    params.opaque_count = look->opaque_count;
    params.opacity = look->opacity;
    mc_theme theme = mc_theme_get(look->dark, (mc_palette)look->palette);
    mc_theme_apply(&theme, &params);
    select_buildings(&params, city, selected);
    return params;
}

mc_scene mc_scene_make(const mc_look *look, const mc_camera *camera, const mc_update_params *params,
                       mc_structure hovered, mc_structure selected, const mc_frustums *frustums) {
    return (mc_scene){
        .view = mc_camera_get_view(camera),
        .params = *params,
        .theme = mc_theme_get(look->dark, (mc_palette)look->palette),
        .hovered = hovered,
        .selected = selected,
        .edges = look->edges,
        .frustums = frustums ? frustums->items : NULL,
        .frustum_count = frustums ? frustums->count : 0,
    };
}
