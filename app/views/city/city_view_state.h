// city_view_state.h - the state of the city's view, shared by the files of this folder.
//
// A layout's `content` is a mc_city. While it is shown, only the view changes it, by adding styles
// and the places before a transition.
#pragma once
#include "app/session/session.h"
#include "app/session/view_requests.h"
#include "engine/city/frustum.h"
#include "engine/city/side_by_side.h"
#include "engine/scene/legend.h"
#include "engine/scene/root_marks.h"
#include "engine/scene/scale_marks.h"
#include "engine/scene/style_source.h"
#include "engine/scene/theme.h"

// ---- city_frustums.h

typedef struct mc_city_frustum_key {
    const void *city, *from, *to;
    uint32_t version, walk_version, cause_links_version, roots_version, held_version, street_count;
    bool roots;
    uint32_t arcs;
} mc_city_frustum_key;

// The references in the picture.
typedef struct mc_city_frustums {
    mc_frustums frustums;
    mc_city_frustum_key key; // what they were made for
    uint32_t emphasised;     // link
    uint32_t hovered;        // frustum under the pointer
    double time_s;           // for the arrows
} mc_city_frustums;

// ---- city_styles.h

typedef struct mc_city_style_query {
    bool is_needed; // false: buildings look as without styles
    mc_style_mapping mapping;
    uint32_t layout_version;
} mc_city_style_query;

// Colours and heights of buildings beyond growth.
typedef struct mc_city_styles {
    mc_slot *slot;
    mc_style_source *source; // NULL: none
    mc_city_style_query shown;
    uint32_t step;                                       // the step of the source
    uint32_t search_version;                             // of the hits that are highlighted
    bool walk_is_marked;                                 // as of the last turn
    uint32_t what_if_version;                            // of what is fallen
    uint32_t marked[MC_LABEL_MOST_MARKED], marked_count; // the largest highlighted ones, for names
    // For two traces: what changed at the step, for names.
    bool is_of_change;
    uint32_t changed[MC_LABEL_MOST_GROWERS], changed_count;
    mc_legend legend;
    uint32_t version; // for caches: changes with the styles
} mc_city_styles;

// ---- city_framing.h

typedef enum mc_city_framed {
    MC_CITY_FRAMED_NOTHING, // the user has the camera
    MC_CITY_FRAMED_WHOLE,
    MC_CITY_FRAMED_STRUCTURE, // with its strongest partners
    MC_CITY_FRAMED_GROUP      // the stops of a walk
} mc_city_framed;

typedef struct mc_city_framing {
    mc_city_framed kind;
    uint32_t nodes[MC_WALK_MOST_STOPS], count;
    bool is_alone;       // without partners
    bool only_if_needed; // nothing moves if all of it is in the picture
} mc_city_framing;

typedef struct mc_city_view {
    mc_view base;
    mc_city *city; // of the layout shown; NULL: another view is shown
    mc_camera camera;
    mc_city_framing framing, due; // what the camera keeps in the picture; what it will frame next
    mc_update_params params;      // of the last frame
    mc_beacons beacons;           // likewise
    double transition_elapsed_s;  // since the transition began; < 0: there is none
    mc_box *before;               // where it was; the city's while it transitions
    mc_city_frustums frustums;
    mc_city_styles styles;
    // Markers of GC roots; hovered_marker MC_NONE: none is under the pointer.
    mc_city_markers markers;
    uint32_t hovered_marker;
    bool is_in_first; // of two cities, the pointer was last in the first one
} mc_city_view;

static inline mc_city_view *mc_city_view_of(const mc_view *view) {
    return (mc_city_view *)view;
}

// The building or district of a node; of two cities, in the one where the pointer was last.
// MC_STRUCTURE_NONE: no node, or the city lacks it.
static inline mc_structure mc_city_view_find(const mc_city_view *self, uint32_t node) {
    mc_structure found = node == MC_NONE ? MC_STRUCTURE_NONE : mc_city_find_node(self->city, node);
    mc_structure twin = self->is_in_first ? mc_city_get_twin(self->city, found) : MC_STRUCTURE_NONE;
    return twin.building != MC_NONE || twin.district != MC_NONE ? twin : found;
}

// The first hit of a ray in the city as drawn now.
static inline mc_hit mc_city_view_look_along(const mc_city_view *self, mc_ray ray) {
    const mc_session *session = self->base.session;
    return mc_city_pick(self->city, &self->params, session->counts.from, session->counts.to, ray);
}

// Lists the selected structures except the first, and twins in a second city: at most
// MC_MORE_SELECTED_MOST. Returns how many.
static inline uint32_t mc_city_view_list_more(const mc_city_view *self,
                                              mc_structure more[MC_MORE_SELECTED_MOST]) {
    const mc_selection *selection = &self->base.session->settings.selection;
    uint32_t count = 0;
    for (uint32_t i = 1; i < selection->count && count < MC_MORE_SELECTED_MOST; i++)
        more[count++] = mc_city_view_find(self, selection->nodes[i]);
    for (uint32_t i = 0; i < selection->count && self->city->half_count > 0; i++) {
        mc_structure twin =
            mc_city_get_twin(self->city, mc_city_view_find(self, selection->nodes[i]));
        if (count < MC_MORE_SELECTED_MOST) more[count++] = twin;
    }
    return count;
}

static inline mc_structure mc_city_view_get_selected(const mc_city_view *self) {
    return mc_city_view_find(self, mc_session_get_selected(self->base.session));
}
