#include "engine/scene/params.h"

#include "engine/scene/theme.h"

static mc_building_range get_buildings(const mc_city *city, mc_structure structure) {
    if (structure.building != MC_NONE) return (mc_building_range){structure.building, 1};
    if (structure.district == MC_NONE) return (mc_building_range){0, 0};
    return (mc_building_range){city->district_building_first[structure.district],
                               city->district_building_count[structure.district]};
}

mc_update_params mc_scene_get_params(const mc_look *look, const mc_city *city,
                                     mc_structure selected) {
    mc_update_params params = mc_update_params_default(city);
    if (!look->color_by_growth) params.flags &= ~MC_UPDATE_COLOR_BY_GROWTH;
    if (!look->opacity_by_growth) params.flags &= ~MC_UPDATE_OPACITY_BY_GROWTH;
    // What is highest stands out by that.
    if (city->desc.scaling == MC_SCALING_ELEVATION) params.flags &= ~MC_UPDATE_OPACITY_BY_GROWTH;
    bool has_glass = look->opacity_mode == MC_OPACITY_GLASS;
    if (has_glass && params.flags & MC_UPDATE_OPACITY_BY_GROWTH)
        params.flags ^= MC_UPDATE_OPACITY_BY_GROWTH | MC_UPDATE_GLASS;
    params.opaque_count = look->opaque_count;
    params.opacity = look->opacity;
    mc_theme theme = mc_theme_get(look->dark, (mc_palette)look->palette);
    mc_theme_apply(&theme, &params);
    if (has_glass)
        params.gradient[0] = (mc_color){theme.solid[0], theme.solid[1], theme.solid[2], 1.0f};
    mc_building_range range = get_buildings(city, selected);
    params.selected_first = range.first;
    params.selected_count = range.count;
    return params;
}

void mc_scene_select_more(mc_update_params *params, const mc_city *city, const mc_structure *more,
                          uint32_t count) {
    params->more_selected_count = count < MC_MORE_SELECTED_MOST ? count : MC_MORE_SELECTED_MOST;
    for (uint32_t i = 0; i < params->more_selected_count; i++)
        params->more_selected[i] = get_buildings(city, more[i]);
}

mc_scene mc_scene_make(const mc_look *look, const mc_camera *camera, const mc_update_params *params,
                       mc_structure hovered, mc_structure selected, const mc_frustums *frustums) {
    return (mc_scene){
        .view = mc_camera_get_view(camera),
        .params = *params,
        .theme = mc_theme_get(look->dark, (mc_palette)look->palette),
        .hovered = hovered,
        .selected = selected,
        .pixel_scale = 1,
        .edges = look->edges,
        .light = look->light,
        .frustums = frustums ? frustums->items : NULL,
        .frustum_count = frustums ? frustums->count : 0,
    };
}
