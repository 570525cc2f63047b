// root_marks.h - GC roots in the picture: markers at the city's edge, coloured by the kind of root,
// and their links.
//
// For the window and for pictures alike. The group with index i (root_groups.h) has marker i.
// Threads: any.
#pragma once
#include "engine/analyze/root_groups.h"
#include "engine/analyze/root_path.h"
#include "engine/analyze/streets.h"
#include "engine/city/markers.h"
#include "engine/scene/joins.h"
#include "engine/scene/theme.h"

_Static_assert(MC_ROOT_GROUP_CAPACITY <= MC_CITY_MARKER_CAPACITY, "a marker for each group");

// Kinds that are told apart by colour.
typedef enum mc_root_class {
    MC_ROOT_CLASS_STATIC,
    MC_ROOT_CLASS_THREAD,
    MC_ROOT_CLASS_MONITOR,
    MC_ROOT_CLASS_JNI,
    MC_ROOT_CLASS_SYSTEM,
    MC_ROOT_CLASS_OTHER,
    MC_ROOT_CLASS_COUNT
} mc_root_class;

// "Static fields", which are "Variables" where no JVM has the heap.
const char *mc_root_class_get_name(mc_root_class root_class, bool is_jvm);
mc_root_class mc_root_class_get(mc_root_kind kind);
const float *mc_root_class_get_color(mc_root_class root_class, const mc_theme *theme); // r, g, b

void mc_root_marks_make(mc_city_markers *markers, const mc_root_groups *groups, const mc_city *city,
                        const mc_theme *theme);

// Add links to `joins`, from markers to what is named by the roots of one group, the `most` first;
// to `node` from those that name objects in it, which has `objects` of them; along a trail, from
// its root down. On failure `joins` is as it was.
mc_result mc_joins_add_holds(mc_joins *joins, const mc_root_groups *groups, uint32_t group,
                             uint32_t most, mc_error *error);
mc_result mc_joins_add_roots(mc_joins *joins, const mc_root_groups *groups,
                             const mc_node_columns *nodes, uint32_t node, uint64_t objects,
                             mc_error *error);
mc_result mc_joins_add_root_path(mc_joins *joins, const mc_root_groups *groups,
                                 const mc_root_path *trail, mc_error *error);
// Adds streets, each a link as wide as its share of all that is retained (`whole_bytes`). Streets
// that begin at a root are drawn if there are markers of the step that they were found for. On
// failure `joins` is as it was.
mc_result mc_joins_add_streets(mc_joins *joins, const mc_street *streets, uint32_t count,
                               uint64_t whole_bytes, bool has_markers, mc_error *error);
