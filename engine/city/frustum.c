#include "engine/city/frustum.h"

#include <math.h>
#include <stdlib.h>

#include "engine/base/memory.h"
#include "engine/base/parallel.h"

enum {
    ARC_SEARCH_LIMIT = 64,   // the strongest links find the flattest free arc, the others guess
    ARC_PROBE_COUNT = 12,    // straight pieces of an arc that are looked at
    PICK_SEGMENT_COUNT = 24, // of an arc
    BUNDLE_LEAST = 3,        // references that are a bundle
    ARCS_PER_RANGE = 64,
    PARALLEL_LEAST = 512 // fewer are found sooner than a thread is started
};

#define BUNDLE_GAP 0.21f   // radians between two of a bundle, at most
#define BUNDLE_WIDTH 0.87f // between all of them

// Arcs to try, as shares of the distance; what finds no free one takes the guess.
static const float arc_heights[] = {0.10f, 0.16f, 0.24f, 0.34f, 0.46f, 0.60f};
#define ARC_GUESS 0.30f
#define CHAIN_SHARE 0.45f   // of a reference's radius
#define STREET_SHARE 0.009f // of the city's side: half the width of the widest street

mc_frustum_link mc_frustum_get_link(uint32_t node, const mc_link *link) {
    float node_share = (float)link->node_share, partner_share = (float)link->partner_share;
    if (link->direction == MC_LINK_INCOMING)
        return (mc_frustum_link){link->partner,       node, partner_share, node_share,
                                 MC_FRUSTUM_INCOMING, false};
    return (mc_frustum_link){node,          link->partner,       node_share,
                             partner_share, MC_FRUSTUM_OUTGOING, false};
}

mc_frustum_link mc_frustum_get_chain_link(uint32_t node, const mc_link *link) {
    mc_frustum_link chain = mc_frustum_get_link(node, link);
    chain.from_share *= CHAIN_SHARE;
    chain.to_share *= CHAIN_SHARE;
    chain.kind = MC_FRUSTUM_CHAIN;
    return chain;
}

mc_frustum_link mc_frustum_get_street(uint32_t from, uint32_t to, double share, bool is_new) {
    uint32_t kind = is_new ? MC_FRUSTUM_NEW_STREET : MC_FRUSTUM_STREET;
    return (mc_frustum_link){from, to, (float)share, (float)share, kind, false};
}

static bool is_street(uint32_t kind) {
    return kind == MC_FRUSTUM_STREET || kind == MC_FRUSTUM_NEW_STREET;
}

// ---- shape

static float ease(float t) {
    t = t < 0.0f ? 0.0f : t > 1.0f ? 1.0f : t;
    return t * t * (3.0f - 2.0f * t);
}

static float mix(float a, float b, float t) {
    return a * (1.0f - t) + b * t;
}

static mc_box get_box(const mc_city *city, const mc_update_params *params, const uint64_t *from,
                      const uint64_t *to, uint32_t box_index) {
    uint32_t marker = box_index - city->building_count - city->district_count;
    if (box_index >= city->building_count + city->district_count)
        return city->markers && marker < city->markers->count ? city->markers->boxes[marker]
                                                              : (mc_box){.height = 0.0f};
    if (box_index >= city->building_count)
        return mc_city_evaluate_district(city, params, box_index - city->building_count);
    return mc_city_evaluate_building(city, params, box_index, from[box_index], to[box_index], NULL);
}

static void get_center(const mc_box *box, vec2 center) {
    center[0] = 0.5f * (box->footprint.x0 + box->footprint.x1);
    center[1] = 0.5f * (box->footprint.z0 + box->footprint.z1);
}

// How far it is from a place to the side ahead, `half_side` from the middle.
static float get_way(float half_side, float place, float ahead) {
    return ahead > 0.0f ? (half_side - place) / ahead
                        : (ahead < 0.0f ? (half_side + place) / -ahead : INFINITY);
}

// The middle of an end; returns its radius. `ahead` points to the other end, `aside` beside the way
// from the referencing end, both of length 1 on the ground.
static float get_end(const mc_box *box, bool is_district, float share, float top, vec2 ahead,
                     vec2 aside, vec3 end) {
    float width = box->footprint.x1 - box->footprint.x0;
    float depth = box->footprint.z1 - box->footprint.z0;
    float height = is_district ? top : box->height;
    float room = is_district ? 0.0f : 0.5f * fminf(width, depth);
    float radius = 0.5f * height * MC_FRUSTUM_RADIUS_SHARE * share;
    vec2 center, start;
    get_center(box, center);
    glm_vec2_scale(aside, MC_FRUSTUM_ASIDE_SHARE * room, start);
    if (!is_district) {
        float x = get_way(0.5f * width, start[0], ahead[0]);
        float z = get_way(0.5f * depth, start[1], ahead[1]);
        glm_vec2_muladds(ahead, MC_FRUSTUM_AHEAD_SHARE * fminf(x, z), start);
    }
    glm_vec2_add(center, start, center);
    end[0] = center[0];
    end[1] = box->base + box->height + (is_district ? height : 0.0f) + radius;
    end[2] = center[1];
    return radius;
}

// Of a street: on the ground that its end stands on, or on a district.
static float get_street_end(const mc_box *box, bool is_district, float half_width, vec2 aside,
                            vec3 end) {
    vec2 center;
    get_center(box, center);
    glm_vec2_muladds(aside, half_width, center);
    end[0] = center[0];
    end[1] = box->base + (is_district ? box->height : 0.0f);
    end[2] = center[1];
    return half_width;
}

static void set_bow(mc_frustum_shape *shape, const mc_frustum *frustum) {
    vec2 right = {shape->from[2] - shape->to[2], shape->to[0] - shape->from[0]};
    glm_vec2_scale(right, frustum->sway / fmaxf(glm_vec2_norm(right), 1e-6f), right);
    glm_vec3_copy((vec3){right[0], frustum->arc, right[1]}, shape->bow);
}

mc_frustum_shape mc_frustum_get_shape(const mc_city *city, const mc_update_params *params,
                                      const uint64_t *from, const uint64_t *to,
                                      const mc_frustum *frustum) {
    mc_frustum_shape shape = {0};
    mc_box from_box = get_box(city, params, from, to, frustum->from_box);
    mc_box to_box = get_box(city, params, from, to, frustum->to_box);
    float t = ease(params->blend);
    vec2 from_center, to_center, ahead, back;
    get_center(&from_box, from_center);
    get_center(&to_box, to_center);
    glm_vec2_sub(to_center, from_center, ahead);
    glm_vec2_divs(ahead, fmaxf(glm_vec2_norm(ahead), 1e-6f), ahead);
    glm_vec2_negate_to(ahead, back);
    vec2 aside = {-ahead[1], ahead[0]};
    if (is_street(frustum->kind)) {
        shape.from_radius = get_street_end(&from_box, frustum->from_box >= city->building_count,
                                           frustum->from_share, aside, shape.from);
        shape.to_radius = get_street_end(&to_box, frustum->to_box >= city->building_count,
                                         frustum->to_share, aside, shape.to);
        shape.is_drawn = from_box.height > 0.0f && to_box.height > 0.0f && frustum->reveal > 0.0f;
        return shape;
    }
    shape.from_radius =
        get_end(&from_box, frustum->from_box >= city->building_count, frustum->from_share,
                mix(frustum->from_top0, frustum->from_top1, t), ahead, aside, shape.from);
    shape.to_radius = get_end(&to_box, frustum->to_box >= city->building_count, frustum->to_share,
                              mix(frustum->to_top0, frustum->to_top1, t), back, aside, shape.to);
    set_bow(&shape, frustum);
    shape.is_drawn = from_box.height > 0.0f && to_box.height > 0.0f && frustum->reveal > 0.0f;
    return shape;
}

static bool is_straight(const mc_frustum_shape *shape) {
    return shape->bow[0] == 0.0f && shape->bow[1] == 0.0f && shape->bow[2] == 0.0f;
}

void mc_frustum_shape_bound(mc_frustum_shape *shape, const float eye[3], float least, float most) {
    float *thick = shape->from_radius > shape->to_radius ? shape->from : shape->to;
    float radius = fmaxf(shape->from_radius, shape->to_radius);
    if (!(radius > 0.0f)) return;
    vec3 at = {thick[0], thick[1] - radius, thick[2]}, place = {eye[0], eye[1], eye[2]};
    float distance = glm_vec3_distance(at, place);
    float scale = fmaxf(least * distance, fminf(most * distance, radius)) / radius;
    shape->from[1] += shape->from_radius * (scale - 1.0f);
    shape->to[1] += shape->to_radius * (scale - 1.0f);
    shape->from_radius *= scale;
    shape->to_radius *= scale;
}

void mc_frustum_shape_get_point(const mc_frustum_shape *shape, float at, vec3 point) {
    for (int i = 0; i < 3; i++)
        point[i] = mix(shape->from[i], shape->to[i], at) + 4.0f * shape->bow[i] * at * (1.0f - at);
}

// ---- making

typedef struct maker {
    const mc_city *city;
    const mc_node_columns *nodes;
    const uint64_t *from, *to;
    mc_update_params before, now; // at rest at the two steps
    float (*tops)[2];             // per district; < 0: not known yet
    mc_frustum_shape *shapes;     // of frustums, without arcs and bundles
    mc_frustums *frustums;
    mc_frustum_arcs arcs;
} maker;

// The node's own structure, or the district that hides it. MC_NONE: the city shows neither.
static uint32_t find_box(const maker *m, uint32_t node, bool *is_hidden) {
    *is_hidden = false;
    for (; node != MC_NONE; node = m->nodes->parent[node], *is_hidden = true) {
        mc_structure structure = mc_city_find_node(m->city, node);
        if (structure.building != MC_NONE) return structure.building;
        if (structure.district != MC_NONE) return m->city->building_count + structure.district;
    }
    return MC_NONE;
}

static uint32_t find_marker(const maker *m, uint32_t marker) {
    const mc_city *city = m->city;
    if (!city->markers || marker >= city->markers->count) return MC_NONE;
    return city->building_count + city->district_count + marker;
}

static bool is_marker(const maker *m, uint32_t box_index) {
    return box_index >= m->city->building_count + m->city->district_count;
}

static bool is_there(const maker *m, uint32_t box_index) {
    const mc_city *city = m->city;
    if (is_marker(m, box_index)) return true;
    if (box_index < city->building_count) return m->to[box_index] > 0;
    uint32_t district = box_index - city->building_count;
    uint32_t first = city->district_building_first[district];
    for (uint32_t i = first; i < first + city->district_building_count[district]; i++)
        if (m->to[i] > 0) return true;
    return false;
}

// How far above the district's roof its tallest building reaches, at the two steps; of a building
// how tall it is.
static void find_tops(maker *m, uint32_t box_index, float tops[2]) {
    const mc_city *city = m->city;
    tops[0] = tops[1] = 0.0f;
    if (is_marker(m, box_index)) return;
    if (box_index < city->building_count) {
        tops[0] = get_box(city, &m->before, m->from, m->to, box_index).height;
        tops[1] = get_box(city, &m->now, m->from, m->to, box_index).height;
        return;
    }
    uint32_t district = box_index - city->building_count;
    float *known = m->tops[district];
    if (known[0] < 0.0f) {
        float roof = city->district_base[district] + city->district_height;
        uint32_t first = city->district_building_first[district];
        known[0] = known[1] = 0.0f;
        for (uint32_t i = first; i < first + city->district_building_count[district]; i++) {
            mc_box a = mc_city_evaluate_building(city, &m->before, i, m->from[i], m->to[i], NULL);
            mc_box b = mc_city_evaluate_building(city, &m->now, i, m->from[i], m->to[i], NULL);
            if (a.height > 0.0f) known[0] = fmaxf(known[0], a.base + a.height - roof);
            if (b.height > 0.0f) known[1] = fmaxf(known[1], b.base + b.height - roof);
        }
    }
    tops[0] = known[0];
    tops[1] = known[1];
}

// Also by a taller end, whose upper edge a straight one to its roof would cut.
static bool is_arc_blocked(const maker *m, mc_frustum_shape shape, float arc) {
    shape.bow[1] = arc;
    // Along its lower side, and not quite: it lies on its ends' roofs.
    float gap = 1e-3f * fmaxf(m->city->width, m->city->depth);
    shape.from[1] += gap - 0.9f * shape.from_radius;
    shape.to[1] += gap - 0.9f * shape.to_radius;
    // From the lower end on, where most are blocked; the next of them by the upper edge of the
    // other.
    bool is_falling = shape.from[1] > shape.to[1];
    uint32_t count = is_straight(&shape) ? 1 : ARC_PROBE_COUNT;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t piece = i == 0 ? 0 : i == 1 ? count - 1 : i - 1;
        float low = (float)piece / (float)count, high = (float)(piece + 1) / (float)count;
        vec3 begin, end;
        mc_frustum_shape_get_point(&shape, is_falling ? 1.0f - low : low, begin);
        mc_frustum_shape_get_point(&shape, is_falling ? 1.0f - high : high, end);
        if (mc_city_is_blocked(m->city, &m->now, m->from, m->to, begin, end)) return true;
    }
    return false;
}

static float find_arc(const maker *m, const mc_frustum *frustum, mc_frustum_shape shape) {
    set_bow(&shape, frustum);
    float distance = glm_vec3_distance(shape.to, shape.from);
    if (m->arcs == MC_FRUSTUM_ARCS_NEEDED && !is_arc_blocked(m, shape, 0.0f)) return 0.0f;
    if (frustum->link >= ARC_SEARCH_LIMIT) return ARC_GUESS * distance;
    for (size_t i = 0; i < sizeof arc_heights / sizeof *arc_heights; i++)
        if (!is_arc_blocked(m, shape, arc_heights[i] * distance)) return arc_heights[i] * distance;
    return ARC_GUESS * distance;
}

static void add(maker *m, mc_frustums *frustums, const mc_frustum_link *link, uint32_t index) {
    bool from_hidden = false, to_hidden;
    uint32_t from_box = link->is_from_marker ? find_marker(m, link->from_node)
                                             : find_box(m, link->from_node, &from_hidden);
    uint32_t to_box = find_box(m, link->to_node, &to_hidden);
    if (from_box == MC_NONE || to_box == MC_NONE) {
        frustums->outside_count++;
        return;
    }
    if (from_box == to_box) {
        frustums->inside_count++;
        return;
    }
    if (!is_there(m, from_box) || !is_there(m, to_box)) {
        frustums->undrawn_count++;
        return;
    }
    float from_tops[2], to_tops[2];
    find_tops(m, from_box, from_tops);
    find_tops(m, to_box, to_tops);
    mc_frustum frustum = {.from_box = from_box,
                          .to_box = to_box,
                          .kind = link->kind,
                          .from_share = from_hidden ? 0.0f : fminf(link->from_share, 1.0f),
                          .to_share = to_hidden ? 0.0f : fminf(link->to_share, 1.0f),
                          .reveal = 1.0f,
                          .from_top0 = from_tops[0],
                          .from_top1 = from_tops[1],
                          .to_top0 = to_tops[0],
                          .to_top1 = to_tops[1],
                          .link = index};
    if (is_street(link->kind)) {
        float widest = STREET_SHARE * fmaxf(m->city->width, m->city->depth);
        frustum.from_share = frustum.to_share = widest * fminf(link->from_share, 1.0f);
    }
    frustums->items[frustums->count++] = frustum;
    frustums->hidden_end_count += (uint32_t)from_hidden + (uint32_t)to_hidden;
}

// ---- bundles

// A reference as seen from the structure that it has in common with others.
typedef struct spoke {
    uint32_t hub, kind, frustum;
    float angle, length; // on the ground; radians
} spoke;

static spoke get_spoke(const mc_frustum *frustum, mc_frustum_shape shape, uint32_t index) {
    bool is_outgoing = frustum->kind == MC_FRUSTUM_OUTGOING;
    float side = is_outgoing ? 1.0f : -1.0f;
    float x = side * (shape.to[0] - shape.from[0]), z = side * (shape.to[2] - shape.from[2]);
    return (spoke){is_outgoing ? frustum->from_box : frustum->to_box, frustum->kind, index,
                   atan2f(z, x), hypotf(x, z)};
}

static int compare_spokes(const void *a, const void *b) {
    const spoke *x = a, *y = b;
    if (x->hub != y->hub) return x->hub < y->hub ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->angle < y->angle || x->angle > y->angle) return x->angle < y->angle ? -1 : 1;
    return x->frustum < y->frustum ? -1 : x->frustum > y->frustum;
}

// They part as they go: how far aside each of them is grows by the square of the way.
static void bend_bundle(mc_frustums *frustums, const spoke *spokes, uint32_t count) {
    float middle = 0.5f * (spokes[0].angle + spokes[count - 1].angle);
    for (uint32_t i = 0; count >= BUNDLE_LEAST && i < count; i++) {
        float sway = 0.25f * spokes[i].length * tanf(middle - spokes[i].angle);
        frustums->items[spokes[i].frustum].sway =
            spokes[i].kind == MC_FRUSTUM_OUTGOING ? sway : -sway;
    }
}

// Of one structure's in one direction, by angle: where there is a gap one bundle ends, and one that
// is too wide is two.
static void bundle_spokes(mc_frustums *frustums, const spoke *spokes, uint32_t count) {
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        end = begin + 1;
        while (end < count && spokes[end].angle - spokes[end - 1].angle < BUNDLE_GAP &&
               spokes[end].angle - spokes[begin].angle < BUNDLE_WIDTH)
            end++;
        bend_bundle(frustums, spokes + begin, end - begin);
    }
}

static bool bundle(const maker *m, mc_frustums *frustums) {
    spoke *spokes = mc_alloc((size_t)frustums->count + 1, sizeof *spokes);
    uint32_t count = 0;
    if (!spokes) return false;
    for (uint32_t i = 0; i < frustums->count; i++) {
        uint32_t kind = frustums->items[i].kind;
        if (kind == MC_FRUSTUM_INCOMING || kind == MC_FRUSTUM_OUTGOING)
            spokes[count++] = get_spoke(&frustums->items[i], m->shapes[i], i);
    }
    if (count > 0) qsort(spokes, count, sizeof *spokes, compare_spokes);
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        end = begin + 1;
        while (end < count && spokes[end].hub == spokes[begin].hub &&
               spokes[end].kind == spokes[begin].kind)
            end++;
        bundle_spokes(frustums, spokes + begin, end - begin);
    }
    mc_free(spokes);
    return true;
}

// ---- arcs

static void find_shapes(void *user, uint32_t begin, uint32_t end, uint32_t thread) {
    const maker *m = user;
    (void)thread;
    for (uint32_t i = begin; i < end; i++)
        m->shapes[i] =
            mc_frustum_get_shape(m->city, &m->now, m->from, m->to, &m->frustums->items[i]);
}

static void find_arcs(void *user, uint32_t begin, uint32_t end, uint32_t thread) {
    const maker *m = user;
    (void)thread;
    for (uint32_t i = begin; i < end; i++) {
        mc_frustum *frustum = &m->frustums->items[i];
        if (!is_street(frustum->kind)) frustum->arc = find_arc(m, frustum, m->shapes[i]);
    }
}

static bool bend(maker *m, mc_frustums *frustums) {
    m->frustums = frustums;
    m->shapes = mc_alloc((size_t)frustums->count + 1, sizeof *m->shapes);
    if (!m->shapes) return false;
    uint32_t threads = frustums->count < PARALLEL_LEAST ? 1 : mc_parallel_get_core_count();
    mc_parallel_run_ranges(frustums->count, ARCS_PER_RANGE, threads, find_shapes, m);
    bool is_done = bundle(m, frustums);
    if (is_done) mc_parallel_run_ranges(frustums->count, ARCS_PER_RANGE, threads, find_arcs, m);
    mc_free(m->shapes);
    return is_done;
}

// ---- all

mc_result mc_frustums_make(mc_frustums *frustums, const mc_city *city, const mc_node_columns *nodes,
                           const mc_update_params *params, const uint64_t *from, const uint64_t *to,
                           const mc_frustum_link *links, uint32_t count, mc_frustum_arcs arcs,
                           mc_error *error) {
    mc_frustums_deinit(frustums);
    if (count == 0) return MC_OK;
    maker m = {.city = city, .nodes = nodes, .from = from, .to = to};
    m.now = *params;
    m.now.jump = 0.0f;
    m.now.transition = m.now.blend = 1.0f;
    m.before = m.now;
    m.before.blend = 0.0f;
    frustums->items = mc_alloc(count, sizeof *frustums->items);
    m.tops = mc_alloc((size_t)city->district_count + 1, sizeof *m.tops);
    if (!frustums->items || !m.tops) {
        mc_free(m.tops);
        mc_frustums_deinit(frustums);
        return mc_error_out_of_memory(error);
    }
    for (uint32_t i = 0; i < city->district_count; i++)
        m.tops[i][0] = -1.0f;
    for (uint32_t i = 0; i < count; i++)
        add(&m, frustums, &links[i], i);
    mc_free(m.tops);
    m.arcs = arcs;
    if (arcs == MC_FRUSTUM_ARCS_NONE || bend(&m, frustums)) return MC_OK;
    mc_frustums_deinit(frustums);
    return mc_error_out_of_memory(error);
}

void mc_frustums_deinit(mc_frustums *frustums) {
    mc_free(frustums->items);
    *frustums = (mc_frustums){0};
}

void mc_frustums_emphasise(mc_frustums *frustums, uint32_t link) {
    for (uint32_t i = 0; i < frustums->count; i++) {
        uint32_t *flags = &frustums->items[i].flags;
        *flags &= ~(MC_FRUSTUM_EMPHASISED | MC_FRUSTUM_FADED);
        if (link == MC_NONE) continue;
        *flags |= frustums->items[i].link == link ? MC_FRUSTUM_EMPHASISED : MC_FRUSTUM_FADED;
    }
}

// ---- picking

typedef struct meeting {
    double along; // the ray, in lengths of its direction
    double at;    // the segment, 0 to 1
    double apart; // squared
} meeting;

// Where ray and segment are nearest to one another (Ericson, "Real-Time Collision Detection", 2005,
// section 5.1.9).
static meeting meet(mc_ray ray, const vec3 begin, const vec3 end) {
    double d1[3], d2[3], r[3], first[3];
    mc_dvec3_from(ray.direction, d1);
    mc_dvec3_from(begin, first);
    mc_dvec3_from(end, d2);
    mc_dvec3_sub(d2, first, d2);
    mc_dvec3_from(ray.origin, r);
    mc_dvec3_sub(r, first, r);
    double a = mc_dvec3_dot(d1, d1), b = mc_dvec3_dot(d1, d2), c = mc_dvec3_dot(d1, r);
    double e = mc_dvec3_dot(d2, d2), f = mc_dvec3_dot(d2, r);
    double denominator = a * e - b * b, s = 0, t = 0;
    if (denominator > 1e-12 * a * e) s = fmax((b * f - c * e) / denominator, 0);
    if (e > 0) t = (b * s + f) / e;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    s = a > 0 ? fmax((b * t - c) / a, 0) : 0;
    mc_dvec3_muladds(d1, s, r);
    mc_dvec3_muladds(d2, -t, r);
    return (meeting){s, t, mc_dvec3_dot(r, r)};
}

// Does the ray meet it, and where? INFINITY: no.
static double meet_frustum(const mc_frustum_shape *shape, mc_ray ray, double least_radius) {
    uint32_t count = is_straight(shape) ? 1 : PICK_SEGMENT_COUNT;
    double direction[3], nearest = INFINITY;
    mc_dvec3_from(ray.direction, direction);
    double length = mc_dvec3_norm(direction);
    vec3 begin, end;
    mc_frustum_shape_get_point(shape, 0.0f, begin);
    for (uint32_t i = 0; i < count; i++) {
        mc_frustum_shape_get_point(shape, (float)(i + 1) / (float)count, end);
        meeting met = meet(ray, begin, end);
        double at = (i + met.at) / count;
        double radius = (1 - at) * (double)shape->from_radius + at * (double)shape->to_radius;
        double reach = fmax(radius, least_radius * met.along * length);
        if (met.apart <= reach * reach) {
            double before = length > 0 ? sqrt(fmax(radius * radius - met.apart, 0)) / length : 0;
            nearest = fmin(nearest, fmax(met.along - before, 0));
        }
        glm_vec3_copy(end, begin);
    }
    return nearest;
}

mc_frustum_hit mc_frustums_pick(const mc_frustums *frustums, const mc_city *city,
                                const mc_update_params *params, const uint64_t *from,
                                const uint64_t *to, mc_ray ray, float least_radius,
                                float most_radius) {
    mc_frustum_hit hit = {MC_NONE, 0.0f};
    double nearest = INFINITY;
    for (uint32_t i = 0; i < frustums->count; i++) {
        mc_frustum_shape shape = mc_frustum_get_shape(city, params, from, to, &frustums->items[i]);
        if (!shape.is_drawn) continue;
        mc_frustum_shape_bound(&shape, ray.origin, 0.0f, most_radius);
        double distance = meet_frustum(&shape, ray, (double)least_radius);
        if (distance >= nearest) continue;
        nearest = distance;
        hit = (mc_frustum_hit){i, (float)distance};
    }
    return hit;
}
