#include "app/picture/picture_names.h"

mc_result mc_picture_names_init(mc_picture_names *names, const mc_picture_highlights *highlights,
                                mc_error *error) {
    mc_styles *styles = highlights->styles ? mc_style_source_get(highlights->styles) : NULL;
    uint32_t grower_count, most = highlights->picture->settings.look.opaque_count;
    mc_result result = mc_label_find_growers(highlights->trace, highlights->city, names->growers,
                                             &grower_count, error);
    names->settings = (mc_label_request){
        .selected = mc_city_get_node(highlights->city, highlights->selected),
        .more_selected = highlights->selection.nodes.nodes,
        .more_selected_count = highlights->selection.nodes.count,
        .walk = highlights->walk.count > 0 ? &highlights->walk : NULL,
        .is_marking = styles && styles->is_marking,
        .marked = names->marked,
        .growers = names->growers,
        .grower_count = grower_count < most ? grower_count : most,
    };
    if (styles)
        names->settings.marked_count = mc_label_find_marked(
            styles, highlights->city, highlights->hits, highlights->hit_count, names->marked);
    names->most = most;
    return result;
}

void mc_picture_names_set_step(mc_picture_names *names, const mc_picture_highlights *highlights) {
    uint32_t count;
    const mc_styles *styles = highlights->styles ? mc_style_source_get(highlights->styles) : NULL;
    names->settings.is_of_change =
        styles && mc_label_find_changed(styles, highlights->city, names->growers, &count);
    if (names->settings.is_of_change)
        names->settings.grower_count = count < names->most ? count : names->most;
}
