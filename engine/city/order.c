#include "engine/city/order.h"

// Items [item, item + count) of one district, whose cuts begin at `cut`.
typedef struct city_part {
    uint32_t item, cut, count;
} city_part;

typedef struct order_walk {
    const mc_city *city;
    float eye[2]; // x, z
    uint32_t (*waiting)[3];
    uint32_t waiting_count;
    uint32_t *next; // in the order
} order_walk;

uint32_t mc_city_order_scratch_count(const mc_city *city) {
    // The parts that wait are disjoint, and none is empty.
    return city->building_count + city->district_count;
}

static void put_off(order_walk *walk, city_part part) {
    uint32_t *entry = walk->waiting[walk->waiting_count++];
    entry[0] = part.item;
    entry[1] = part.cut;
    entry[2] = part.count;
}

// Cuts down to the farthest row or item; what is nearer waits. No branch depends on the eye's side,
// which is as good as random within a district.
static city_part cut_to_row(order_walk *walk, city_part part) {
    const mc_cut *cuts = walk->city->cuts;
    while (part.count > 1 && !cuts[part.cut].is_row) {
        mc_cut cut = cuts[part.cut];
        uint32_t left = cut.left_count;
        bool is_below = walk->eye[cut.axis] < cut.position;
        uint32_t *near = walk->waiting[walk->waiting_count++];
        near[0] = part.item + (is_below ? 0 : left);
        near[1] = part.cut + (is_below ? 1 : left);
        near[2] = is_below ? left : part.count - left;
        part.item += is_below ? left : 0;
        part.cut += is_below ? left : 1;
        part.count = is_below ? part.count - left : left;
    }
    return part;
}

// Which item of a row the eye is level with: how many cuts lie at or below it.
static uint32_t find_in_row(const mc_cut *cuts, uint32_t cut_count, float eye) {
    if (cut_count == 0 || eye < cuts[0].position) return 0;
    if (!(eye < cuts[cut_count - 1].position)) return cut_count;
    uint32_t low = 0, high = cut_count - 1; // the eye is beyond cuts[low], before cuts[high]
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (eye < cuts[middle].position)
            high = middle;
        else
            low = middle;
    }
    return high;
}

// Writes the buildings of a row, from both ends towards the eye, up to the first district: that is
// returned (MC_NONE: there was none), and what is nearer waits.
static uint32_t write_row(order_walk *walk, city_part row) {
    const uint32_t *items = walk->city->items + row.item;
    const mc_cut *cuts = walk->city->cuts + row.cut;
    uint32_t middle = row.count > 1 ? find_in_row(cuts, row.count - 1, walk->eye[cuts->axis]) : 0;
    for (uint32_t i = 0; i < middle; i++) {
        if (items[i] & MC_ITEM_DISTRICT) {
            put_off(walk, (city_part){row.item + i + 1, row.cut + i + 1, row.count - i - 1});
            return items[i] & ~MC_ITEM_DISTRICT;
        }
        *walk->next++ = items[i];
    }
    for (uint32_t i = row.count; i-- > middle;) {
        if (items[i] & MC_ITEM_DISTRICT) {
            if (i > middle)
                put_off(walk, (city_part){row.item + middle, row.cut + middle, i - middle});
            return items[i] & ~MC_ITEM_DISTRICT;
        }
        *walk->next++ = items[i];
    }
    return MC_NONE;
}

void mc_city_order(const mc_city *city, float eye_x, float eye_z, uint32_t (*scratch)[3],
                   uint32_t *order) {
    if (city->district_count == 0) {
        if (city->building_count > 0) order[0] = 0;
        return;
    }
    order_walk walk = {.city = city, .eye = {eye_x, eye_z}, .waiting = scratch, .next = order};
    uint32_t district = 0;
    for (;;) {
        city_part part;
        if (district != MC_NONE) {
            uint32_t first = city->district_item_first[district];
            part.item = part.cut = first;
            part.count = city->district_item_count[district];
        } else if (walk.waiting_count > 0) {
            const uint32_t *entry = scratch[--walk.waiting_count];
            part.item = entry[0];
            part.cut = entry[1];
            part.count = entry[2];
        } else {
            break;
        }
        district = write_row(&walk, cut_to_row(&walk, part));
    }
    assert(walk.next == order + city->building_count);
}

// Does a cut along `axis` lie between the two coordinates?
static bool is_crossed(const mc_cut *cuts, uint32_t count, const float low[2],
                       const float high[2]) {
    for (uint32_t i = 0; i < count; i++) {
        float position = cuts[i].position;
        if (low[cuts[i].axis] < position && position <= high[cuts[i].axis]) return true;
    }
    return false;
}

bool mc_city_order_is_same(const mc_city *city, const float before[2], const float now[2]) {
    float low[2], high[2];
    bool can_cross[2]; // along this axis at all
    // A district's cuts lie in its plot, but for rounding.
    float slack = 1e-6f * (city->width > city->depth ? city->width : city->depth);
    for (uint32_t axis = 0; axis < 2; axis++) {
        low[axis] = before[axis] < now[axis] ? before[axis] : now[axis];
        high[axis] = before[axis] < now[axis] ? now[axis] : before[axis];
    }
    for (uint32_t i = 0; i < city->district_count; i++) {
        mc_plot plot = city->district_plot[i];
        can_cross[0] = low[0] < high[0] && low[0] <= plot.x1 + slack && high[0] >= plot.x0 - slack;
        can_cross[1] = low[1] < high[1] && low[1] <= plot.z1 + slack && high[1] >= plot.z0 - slack;
        if (!can_cross[0] && !can_cross[1]) {
            if (i == 0) return true; // every other plot lies in the root's
            continue;
        }
        uint32_t count = city->district_item_count[i];
        const mc_cut *cuts = city->cuts + city->district_item_first[i];
        if (count > 1 && is_crossed(cuts, count - 1, low, high)) return false;
    }
    return true;
}
