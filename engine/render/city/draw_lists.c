#include "engine/render/city/draw_lists.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/city/order.h"
#include "engine/gpu/device.h"
#include <string.h>

#define WRITTEN_GLASS UINT64_MAX // instead of a version of what is opaque

static void free_columns(mc_draw_lists *lists) {
    mc_free(lists->order);
    mc_free(lists->opaque);
    mc_free(lists->is_opaque);
    mc_free(lists->by_rank);
    mc_free(lists->marked);
    mc_free(lists->is_fallen);
    mc_free(lists->slabs);
    mc_free(lists->scratch);
}

// Lists the other way round, in ranges: several threads write where no other does.
enum { BUILDINGS_PER_RANGE = 1 << 16 };

typedef struct inverse_task {
    const uint32_t *from;
    uint32_t *to, *copy; // where each entry of `from` is; `from` itself, unless it is NULL
    uint32_t count;
} inverse_task;

static void invert(void *user, uint32_t begin, uint32_t end, uint32_t thread) {
    const inverse_task *task = user;
    (void)thread;
    if (task->copy)
        memcpy(task->copy + begin, task->from + begin, (end - begin) * sizeof(uint32_t));
    for (uint32_t i = begin; i < end; i++)
        if (task->from[i] < task->count) task->to[task->from[i]] = i;
}

static void run_inverse(inverse_task *task) {
    mc_parallel_run_ranges(task->count, BUILDINGS_PER_RANGE, mc_parallel_get_core_count(), invert,
                           task);
}

mc_result mc_draw_lists_init(mc_draw_lists *lists, mc_gpu *gpu, const mc_city *city,
                             mc_error *error) {
    mc_result result = MC_OK;
    *lists = (mc_draw_lists){.city = city};
    uint32_t count = city ? city->building_count : 0;
    if (count > 0) {
        uint32_t scratch_count = mc_city_order_scratch_count(city);
        lists->order = mc_alloc(count, sizeof *lists->order);
        lists->opaque = mc_alloc(count, sizeof *lists->opaque);
        lists->is_opaque = mc_alloc_zero(count, sizeof *lists->is_opaque);
        lists->by_rank = mc_alloc(count, sizeof *lists->by_rank);
        lists->marked = mc_alloc(count, sizeof *lists->marked);
        lists->is_fallen = mc_alloc_zero(count, sizeof *lists->is_fallen);
        lists->slabs = mc_alloc(count, sizeof *lists->slabs);
        lists->scratch = mc_alloc(scratch_count > 0 ? scratch_count : 1, sizeof *lists->scratch);
        if (!lists->order || !lists->opaque || !lists->is_opaque || !lists->by_rank ||
            !lists->marked || !lists->is_fallen || !lists->slabs || !lists->scratch) {
            result = mc_error_out_of_memory(error);
            goto fail;
        }
        memset(lists->by_rank, 0xff, count * sizeof *lists->by_rank);
        inverse_task task = {city->building_growth_rank, lists->by_rank, NULL, count};
        run_inverse(&task);
    }
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++)
        MC_TRY(mc_buffer_create(gpu, (VkDeviceSize)count * 2 * sizeof(uint32_t),
                                VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MC_MEMORY_DYNAMIC, "draw lists",
                                &lists->buffers[i], error));
    return MC_OK;
fail:
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++)
        mc_buffer_destroy(gpu, &lists->buffers[i]);
    free_columns(lists);
    *lists = (mc_draw_lists){0};
    return result;
}

void mc_draw_lists_retire(mc_draw_lists *lists, mc_frames *frames) {
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++)
        mc_frames_retire_buffer(frames, &lists->buffers[i]);
    free_columns(lists);
    *lists = (mc_draw_lists){0};
}

void mc_draw_lists_set_styles(mc_draw_lists *lists, const mc_building_style *styles) {
    uint32_t count = lists->city && styles ? lists->city->building_count : 0;
    lists->marked_count = lists->slab_count = 0;
    lists->has_fallen = false;
    for (uint32_t i = 0; i < count; i++) {
        if (styles[i].bits & MC_STYLE_MARKED) lists->marked[lists->marked_count++] = i;
        if (styles[i].bits & MC_STYLE_UNKNOWN) lists->slabs[lists->slab_count++] = i;
        lists->is_fallen[i] = styles[i].standing < 1.0f || (styles[i].bits & MC_STYLE_DEMOLISHED);
        lists->has_fallen |= lists->is_fallen[i];
    }
    lists->has_opaque = false;
}

static float clamp(float value, float high) {
    return value > 0.0f ? (value < high ? value : high) : 0.0f; // NaN becomes 0
}

// All cuts lie inside the city, so the order depends on the eye's nearest point in it only: it
// stays the same for every eye beyond one of the city's corners.
static void update_order(mc_draw_lists *lists, const float eye[3]) {
    float x = clamp(eye[0], lists->city->width), z = clamp(eye[2], lists->city->depth);
    const float before[2] = {lists->eye_x, lists->eye_z}, now[2] = {x, z};
    if (lists->has_order && mc_city_order_is_same(lists->city, before, now)) return;
    mc_city_order(lists->city, x, z, lists->scratch, lists->order);
    lists->has_order = true;
    lists->eye_x = x;
    lists->eye_z = z;
    lists->order_version++;
}

static void add_opaque(mc_draw_lists *lists, uint32_t building) {
    if (building == MC_NONE || lists->is_opaque[building]) return;
    lists->is_opaque[building] = true;
    lists->opaque[lists->opaque_count++] = building;
}

static bool has_same_more(const mc_draw_lists *lists, const mc_update_params *params) {
    size_t size = params->more_selected_count * sizeof *params->more_selected;
    return lists->more_selected_count == params->more_selected_count &&
           memcmp(lists->more_selected, params->more_selected, size) == 0;
}

// What is opaque but for what falls: that is in the list, and drawn as what it is.
static void update_opaque(mc_draw_lists *lists, const mc_update_params *params, bool all_opaque,
                          bool fades) {
    uint32_t count = lists->city->building_count;
    uint32_t rank_limit =
        params->opaque_count < count && !all_opaque ? params->opaque_count : count;
    uint32_t first = params->selected_first, selected = params->selected_count;
    bool dims = (params->flags & MC_UPDATE_DIM_UNMARKED) && !all_opaque;
    bool shows_slabs = !dims && params->flags & MC_UPDATE_UNKNOWN;
    if (dims) rank_limit = 0;
    if (lists->has_opaque && rank_limit == lists->rank_limit && first == lists->selected_first &&
        selected == lists->selected_count && has_same_more(lists, params) && dims == lists->dims &&
        fades == lists->fades && shows_slabs == lists->shows_slabs)
        return;
    lists->opaque_count = 0;
    memset(lists->is_opaque, 0, count * sizeof *lists->is_opaque);
    for (uint32_t i = first; i < count && i - first < selected; i++)
        add_opaque(lists, i);
    for (uint32_t k = 0; k < params->more_selected_count; k++) {
        mc_building_range more = params->more_selected[k];
        for (uint32_t i = more.first; i < count && i - more.first < more.count; i++)
            add_opaque(lists, i);
    }
    for (uint32_t rank = 0; rank < rank_limit; rank++)
        add_opaque(lists, lists->by_rank[rank]);
    for (uint32_t i = 0; dims && i < lists->marked_count; i++)
        add_opaque(lists, lists->marked[i]);
    for (uint32_t i = 0; shows_slabs && i < lists->slab_count; i++)
        add_opaque(lists, lists->slabs[i]);
    lists->solid_count = 0;
    for (uint32_t i = 0; i < lists->opaque_count; i++) {
        bool is_solid = !(fades && lists->is_fallen[lists->opaque[i]]);
        lists->is_opaque[lists->opaque[i]] = is_solid;
        lists->solid_count += is_solid;
    }
    lists->has_opaque = true;
    lists->dims = dims;
    lists->fades = fades;
    lists->shows_slabs = shows_slabs;
    lists->rank_limit = rank_limit;
    lists->selected_first = first;
    lists->selected_count = selected;
    lists->more_selected_count = params->more_selected_count;
    memcpy(lists->more_selected, params->more_selected, sizeof lists->more_selected);
    lists->opaque_version++;
}

// What is opaque needs no order: leaving it out spares the cull pass a look at it.
static void write_translucent(mc_draw_lists *lists, uint32_t frame_index, uint32_t *to) {
    if (lists->written_order[frame_index] == lists->order_version &&
        lists->written_rest[frame_index] == lists->opaque_version)
        return;
    for (uint32_t i = 0; i < lists->city->building_count; i++)
        if (!lists->is_opaque[lists->order[i]]) *to++ = lists->order[i];
    lists->written_order[frame_index] = lists->order_version;
    lists->written_rest[frame_index] = lists->opaque_version;
}

// All, and where each is: the glass pass marks them there. In place of what else the buffer may
// hold.
static mc_draw_plan prepare_glass(mc_draw_lists *lists, uint32_t frame_index, const float eye[3]) {
    uint32_t count = lists->city->building_count, *order = lists->buffers[frame_index].mapped;
    update_order(lists, eye);
    if (lists->written_order[frame_index] != lists->order_version ||
        lists->written_rest[frame_index] != WRITTEN_GLASS) {
        inverse_task task = {lists->order, order + count, order, count};
        run_inverse(&task);
        lists->written_order[frame_index] = lists->order_version;
        lists->written_rest[frame_index] = WRITTEN_GLASS;
        lists->written_opaque[frame_index] = 0;
    }
    return (mc_draw_plan){.opaque_count = count, .translucent_count = count, .has_glass = true};
}

mc_draw_plan mc_draw_lists_prepare(mc_draw_lists *lists, uint32_t frame_index,
                                   const mc_update_params *params, const float eye[3],
                                   uint32_t least_unordered) {
    uint32_t count = lists->city ? lists->city->building_count : 0;
    bool dims = params->flags & MC_UPDATE_DIM_UNMARKED;
    float opacity = dims ? params->dim_opacity : params->opacity;
    bool all_opaque = opacity >= 1.0f || !(dims || (params->flags & MC_UPDATE_OPACITY_BY_GROWTH));
    bool fades = (params->flags & MC_UPDATE_FADE_FALLEN) && lists->has_fallen;
    if (count > 0 && mc_update_params_have_glass(params))
        return prepare_glass(lists, frame_index, eye);
    if (count == 0 || (all_opaque && !fades)) return (mc_draw_plan){.opaque_count = count};

    uint32_t *mapped = lists->buffers[frame_index].mapped;
    update_opaque(lists, params, all_opaque, fades);
    if (lists->written_opaque[frame_index] != lists->opaque_version) {
        memcpy(mapped + count, lists->opaque, lists->opaque_count * sizeof *mapped);
        lists->written_opaque[frame_index] = lists->opaque_version;
    }
    mc_draw_plan plan = {
        .opaque_first = count, .opaque_count = lists->opaque_count, .opaque_from_list = true};
    if (opacity <= 0.0f && !fades) return plan; // the others are hidden
    plan.translucent_count = count - lists->solid_count;
    if (plan.translucent_count >= least_unordered) return plan;
    update_order(lists, eye);
    write_translucent(lists, frame_index, mapped);
    return plan;
}
