// pick.h - finds the first structure that a ray hits, by a walk along the ray through the treemap's
// cuts; no GPU readback.
//
// Cost: the plots under the ray, nearest first, until one is hit; no other plot is examined.
// Threads: any.
#pragma once
#include "engine/base/vector.h"
#include "engine/city/evaluate.h"

typedef struct mc_ray {
    vec3 origin, direction; // direction need not be of unit length
} mc_ray;

static inline mc_ray mc_ray_get(const double origin[3], const double direction[3]) {
    return (mc_ray){{(float)origin[0], (float)origin[1], (float)origin[2]},
                    {(float)direction[0], (float)direction[1], (float)direction[2]}};
}

typedef struct mc_hit {
    mc_structure structure; // MC_STRUCTURE_NONE: the ray meets nothing
    float distance;         // in lengths of `direction`; 0 if the ray begins inside the structure
} mc_hit;

// `from` and `to` are the counts as in mc_city_evaluate. A structure in transition (transition.h)
// is hit in its final place. The ray passes through buildings with opacity 0 or height 0. If a
// building and a district are hit at the same point, the building is returned.
mc_hit mc_city_pick(const mc_city *city, const mc_update_params *params, const uint64_t *from,
                    const uint64_t *to, mc_ray ray);

// Whether a structure is between two points, `end` excluded. As mc_city_pick, but O(plots under the
// line) at most.
bool mc_city_is_blocked(const mc_city *city, const mc_update_params *params, const uint64_t *from,
                        const uint64_t *to, const vec3 begin, const vec3 end);
