#include "engine/render/city/city_buffers.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/city/evaluate.h"
#include "engine/gpu/device.h"
#include "engine/render/city/box_windows.h"
#include <math.h>
#include <string.h>

_Static_assert(sizeof(mc_building_static) == 48, "three 16-byte loads a building");
_Static_assert(sizeof(mc_box) == 32, "two 16-byte loads a box");
_Static_assert(sizeof(mc_color) == 16, "one 16-byte load a colour");
_Static_assert(sizeof(mc_count) == sizeof(uint64_t), "wide columns are copied as they are");

#define PART_SIZE 16 // of an element that is read in parts: a texel

enum {
    PART_COUNT = 1 << 20,       // statics that are uploaded at a time
    STACK_COUNT = 256,          // the same by a thread that writes into the buffer itself
    THREAD_COUNT_MIN = 1 << 16, // for less, threads are not worth starting
    CHANGES_AT_ONCE = 4096      // that are looked for before it is asked whether they are too many
};

static mc_building_static get_static(const mc_city *city, uint32_t building) {
    uint64_t max = city->building_max[building], first = city->building_first[building];
    return (mc_building_static){.plot = city->building_plot[building],
                                .base = city->building_base[building],
                                .growth_rank = city->building_growth_rank[building],
                                .max_low = (uint32_t)max,
                                .max_high = (uint32_t)(max >> 32),
                                .first_low = (uint32_t)first,
                                .first_high = (uint32_t)(first >> 32)};
}

typedef struct static_task {
    mc_gpu *gpu;
    const mc_buffer *statics; // which is mapped
    const mc_city *city;
} static_task;

static void write_range(void *user, uint32_t begin, uint32_t end, uint32_t thread) {
    const static_task *task = user;
    mc_building_static statics[STACK_COUNT];
    (void)thread;
    for (uint32_t at = begin; at < end; at += STACK_COUNT) {
        uint32_t count = end - at < STACK_COUNT ? end - at : STACK_COUNT;
        for (uint32_t i = 0; i < count; i++)
            statics[i] = get_static(task->city, at + i);
        (void)mc_buffer_upload(task->gpu, task->statics, at * sizeof *statics, statics,
                               count * sizeof *statics, NULL); // copies, which can't fail
    }
}

static mc_result upload_buildings(mc_city_buffers *buffers, mc_gpu *gpu, const mc_city *city,
                                  mc_error *error) {
    if (buffers->statics.mapped) {
        static_task task = {gpu, &buffers->statics, city};
        mc_parallel_run_ranges(city->building_count, THREAD_COUNT_MIN, mc_parallel_get_core_count(),
                               write_range, &task);
        return MC_OK;
    }
    uint32_t count = city->building_count, most = count < PART_COUNT ? count : PART_COUNT;
    mc_result result = MC_OK;
    if (count == 0) return MC_OK;
    mc_building_static *statics = mc_alloc_zero(most, sizeof *statics);
    if (!statics) return mc_error_out_of_memory(error);
    for (uint32_t at = 0; at < count && result == MC_OK; at += most) {
        uint32_t part = count - at < most ? count - at : most;
        for (uint32_t i = 0; i < part; i++)
            statics[i] = get_static(city, at + i);
        result = mc_buffer_upload(gpu, &buffers->statics, at * sizeof *statics, statics,
                                  part * sizeof *statics, error);
    }
    mc_free(statics);
    return result;
}

// The methods of a class.
static bool is_block(const mc_city *city, uint32_t district) {
    const uint32_t *items = city->items + city->district_item_first[district];
    if (city->desc.scaling != MC_SCALING_ELEVATION || district == 0) return false;
    for (uint32_t i = 0; i < city->district_item_count[district]; i++)
        if (items[i] & MC_ITEM_DISTRICT) return false;
    return true;
}

static mc_result upload_districts(mc_city_buffers *buffers, mc_gpu *gpu, const mc_city *city,
                                  mc_error *error) {
    mc_result result = MC_OK;
    uint32_t count = city->district_count;
    if (count == 0) return MC_OK;
    mc_box *boxes = mc_alloc_zero(count, sizeof *boxes);
    mc_color *colors = mc_alloc_zero(count, sizeof *colors);
    if (!boxes || !colors) {
        result = mc_error_out_of_memory(error);
        goto fail;
    }
    float deepest = city->deepest_level > 0 ? (float)city->deepest_level : 1.0f;
    for (uint32_t i = 0; i < count; i++) {
        boxes[i] = mc_city_get_district_box(city, i);
        // Most districts of a deep tree lie near its root: their steps get more of the range.
        float level = sqrtf((float)city->district_level[i] / deepest);
        float block = is_block(city, i) ? 1.0f : 0.0f;
        colors[i] = (mc_color){.r = level, .g = block, .opacity = 1.0f};
    }
    VkDeviceSize first = city->building_count;
    MC_TRY(mc_buffer_upload(gpu, &buffers->boxes, first * sizeof *boxes, boxes,
                            count * sizeof *boxes, error));
    MC_TRY(mc_buffer_upload(gpu, &buffers->colors, first * sizeof *colors, colors,
                            count * sizeof *colors, error));
fail:
    mc_free(boxes);
    mc_free(colors);
    return result;
}

// All of the room: what is not there has no height.
static mc_result upload_markers(mc_city_buffers *buffers, mc_gpu *gpu,
                                const mc_city_markers *markers, mc_error *error) {
    VkDeviceSize first = (VkDeviceSize)buffers->building_count + buffers->district_count;
    mc_result result = mc_buffer_upload(gpu, &buffers->boxes, first * sizeof *markers->boxes,
                                        markers->boxes, sizeof markers->boxes, error);
    if (result == MC_OK)
        result = mc_buffer_upload(gpu, &buffers->colors, first * sizeof *markers->colors,
                                  markers->colors, sizeof markers->colors, error);
    return result;
}

static void destroy(mc_city_buffers *buffers, const mc_gpu *gpu) {
    mc_buffer_destroy(gpu, &buffers->statics);
    mc_buffer_destroy(gpu, &buffers->boxes);
    mc_buffer_destroy(gpu, &buffers->colors);
    for (uint32_t i = 0; i < MC_COUNT_SLOT_COUNT; i++) {
        mc_buffer_destroy(gpu, &buffers->slots[i].buffer);
        mc_buffer_destroy(gpu, &buffers->slots[i].changed);
    }
    *buffers = (mc_city_buffers){0};
}

static mc_result check_size(const mc_gpu *gpu, uint64_t building_count, uint64_t box_count,
                            mc_error *error) {
    uint64_t most_parts = mc_buffer_get_largest_read_column(gpu, PART_SIZE);
    uint64_t most = most_parts / (sizeof(mc_building_static) / PART_SIZE);
    uint64_t most_boxes = most_parts / (sizeof(mc_box) / PART_SIZE);
    // Lists of what is drawn, and counts of 64 bits, have two words a building.
    uint64_t most_pairs = mc_buffer_get_largest_storage(gpu) / sizeof(mc_count);
    if (most_boxes > most_pairs) most_boxes = most_pairs;
    if (most_boxes > mc_box_windows_get_most(gpu)) most_boxes = mc_box_windows_get_most(gpu);
    if (most > most_boxes) most = most_boxes;
    if (building_count <= most && box_count <= most_boxes) return MC_OK;
    return mc_fail(error, MC_ERROR_UNSUPPORTED,
                   "This city has %llu buildings and %llu districts; %s can draw %llu "
                   "buildings, and %llu of both (set a child limit)",
                   (unsigned long long)building_count,
                   (unsigned long long)(box_count - building_count), gpu->name,
                   (unsigned long long)most, (unsigned long long)most_boxes);
}

static const VkBufferUsageFlags column_usage =
    VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
    VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT;

// Shaders read a count as two words: of a narrow one's texel the second reads as 0. On failure the
// slot is as it was.
static mc_result create_slot(mc_gpu *gpu, uint32_t building_count, bool is_wide,
                             mc_count_slot *slot, mc_error *error) {
    uint32_t size = is_wide ? sizeof(mc_count) : sizeof(uint32_t);
    VkFormat format = is_wide ? VK_FORMAT_R32G32_UINT : VK_FORMAT_R32_UINT;
    mc_buffer buffer;
    mc_result result = mc_buffer_create(gpu, (VkDeviceSize)building_count * size, column_usage,
                                        MC_MEMORY_DYNAMIC, "counts", &buffer, error);
    if (result != MC_OK) return result;
    result = mc_buffer_create_column(gpu, &buffer, format, size, error);
    if (result == MC_OK) {
        slot->buffer = buffer;
        slot->is_wide = is_wide;
    } else {
        mc_buffer_destroy(gpu, &buffer);
    }
    return result;
}

typedef struct buffer_desc {
    mc_buffer *buffer;
    uint64_t size;
    VkFormat format;
    const char *name;
} buffer_desc;

static mc_result create_buffers(mc_city_buffers *buffers, mc_gpu *gpu, uint64_t building_count,
                                uint64_t box_count, mc_error *error) {
    mc_result result = MC_OK;
    const buffer_desc descs[] = {
        {&buffers->statics, building_count * sizeof(mc_building_static),
         VK_FORMAT_R32G32B32A32_UINT, "statics"},
        {&buffers->boxes, box_count * sizeof(mc_box), VK_FORMAT_R32G32B32A32_SFLOAT, "boxes"},
        {&buffers->colors, box_count * sizeof(mc_color), VK_FORMAT_R32G32B32A32_SFLOAT, "colors"}};
    for (uint32_t i = 0; i < sizeof descs / sizeof *descs; i++) {
        const buffer_desc *desc = &descs[i];
        MC_TRY(mc_buffer_create(gpu, desc->size, column_usage, MC_MEMORY_DEVICE, desc->name,
                                desc->buffer, error));
        MC_TRY(mc_buffer_create_column(gpu, desc->buffer, desc->format, PART_SIZE, error));
    }
    for (uint32_t i = 0; i < MC_COUNT_SLOT_COUNT; i++)
        MC_TRY(create_slot(gpu, (uint32_t)building_count, !gpu->reads_texels, &buffers->slots[i],
                           error));
fail:
    return result;
}

mc_result mc_city_buffers_init(mc_city_buffers *buffers, mc_gpu *gpu, const mc_city *city,
                               mc_error *error) {
    mc_result result = MC_OK;
    *buffers = (mc_city_buffers){0};
    uint64_t building_count = city ? city->building_count : 0;
    uint64_t district_count = city ? city->district_count : 0;
    uint64_t slab_count = city ? district_count + MC_CITY_MARKER_CAPACITY : 0;
    uint64_t box_count = building_count + slab_count;
    MC_TRY(check_size(gpu, building_count, box_count, error));
    buffers->building_count = (uint32_t)building_count;
    buffers->district_count = (uint32_t)district_count;
    buffers->slab_count = (uint32_t)slab_count;
    MC_TRY(create_buffers(buffers, gpu, building_count, box_count, error));
    memset(buffers->slots[0].buffer.mapped, 0, (size_t)buffers->slots[0].buffer.size);
    if (city) {
        MC_TRY(upload_buildings(buffers, gpu, city, error));
        MC_TRY(upload_districts(buffers, gpu, city, error));
        MC_TRY(upload_markers(buffers, gpu, &(mc_city_markers){0}, error));
    }
    return MC_OK;
fail:
    destroy(buffers, gpu);
    return result;
}

void mc_city_buffers_retire(mc_city_buffers *buffers, mc_frames *frames) {
    mc_frames_retire_buffer(frames, &buffers->statics);
    mc_frames_retire_buffer(frames, &buffers->boxes);
    mc_frames_retire_buffer(frames, &buffers->colors);
    for (uint32_t i = 0; i < MC_COUNT_SLOT_COUNT; i++) {
        mc_frames_retire_buffer(frames, &buffers->slots[i].buffer);
        mc_frames_retire_buffer(frames, &buffers->slots[i].changed);
    }
    *buffers = (mc_city_buffers){0};
}

// The slot that was used longest ago, other than `kept` (MC_NONE: any).
static uint32_t find_oldest_slot(const mc_city_buffers *buffers, uint32_t kept) {
    uint32_t oldest = MC_NONE;
    for (uint32_t i = 0; i < MC_COUNT_SLOT_COUNT; i++) {
        if (i == kept) continue;
        if (oldest == MC_NONE || buffers->slots[i].last_use < buffers->slots[oldest].last_use)
            oldest = i;
    }
    return oldest;
}

// Returns the bits that any of them has beyond 32; if there are any, what was written is of no use.
static uint64_t copy_narrow(uint32_t *restrict to, const uint64_t *restrict counts,
                            uint32_t count) {
    uint64_t bits = 0;
    for (uint32_t i = 0; i < count; i++) {
        bits |= counts[i];
        to[i] = (uint32_t)counts[i];
    }
    return bits >> 32;
}

static mc_result fill_slot(mc_city_buffers *buffers, mc_frames *frames, mc_count_slot *slot,
                           const uint64_t *counts, mc_error *error) {
    uint32_t count = buffers->building_count;
    mc_result result = mc_frames_wait(frames, slot->last_use, error);
    if (result != MC_OK) return result;
    slot->changed_count = MC_NONE;
    if (!slot->is_wide && copy_narrow(slot->buffer.mapped, counts, count) != 0) {
        // Once one step needs it, others probably do: the slot stays wide.
        mc_buffer narrow = slot->buffer;
        result = create_slot(frames->gpu, count, true, slot, error);
        if (result != MC_OK) return result;
        mc_frames_retire_buffer(frames, &narrow);
    }
    if (slot->is_wide) memcpy(slot->buffer.mapped, counts, count * sizeof *counts);
    return MC_OK;
}

// Appends to `list` the numbers from `begin` to `end` whose counts differ, or are 0.
static uint32_t list_changed(const uint32_t *restrict before, const uint32_t *restrict now,
                             uint32_t begin, uint32_t end, uint32_t *restrict list,
                             uint32_t count) {
    for (uint32_t i = begin; i < end; i++) {
        list[count] = i;
        count += now[i] != before[i] || now[i] == 0;
    }
    return count;
}

// Only of counts of 32 bits. A list that would be long is given up, and so is one that there is no
// room for.
static void find_changed(mc_city_buffers *buffers, mc_gpu *gpu, const mc_count_slot *before,
                         mc_count_slot *now) {
    uint32_t building_count = buffers->building_count, most = building_count / 2, count = 0;
    VkDeviceSize size = (most + CHANGES_AT_ONCE) * sizeof(uint32_t);
    if (before->is_wide || now->is_wide || !mc_gpu_is_software(gpu)) return;
    if (!now->changed.handle &&
        mc_buffer_create(gpu, size, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, MC_MEMORY_DYNAMIC,
                         "changed buildings", &now->changed, NULL) != MC_OK)
        return;
    for (uint32_t i = 0; i < building_count && count <= most; i += CHANGES_AT_ONCE) {
        uint32_t rest = building_count - i, part = rest < CHANGES_AT_ONCE ? rest : CHANGES_AT_ONCE;
        count = list_changed(before->buffer.mapped, now->buffer.mapped, i, i + part,
                             now->changed.mapped, count);
    }
    if (count <= most) now->changed_count = count;
}

mc_result mc_city_buffers_set_counts(mc_city_buffers *buffers, mc_frames *frames,
                                     const uint64_t *from, const uint64_t *to, mc_error *error) {
    if (buffers->building_count == 0) return MC_OK;
    uint32_t slot = find_oldest_slot(buffers, MC_NONE);
    mc_result result = fill_slot(buffers, frames, &buffers->slots[slot], from, error);
    if (result != MC_OK) return result;
    buffers->from = buffers->to = slot;
    buffers->counts_version++;
    return from == to ? MC_OK : mc_city_buffers_advance_counts(buffers, frames, to, error);
}

mc_result mc_city_buffers_advance_counts(mc_city_buffers *buffers, mc_frames *frames,
                                         const uint64_t *to, mc_error *error) {
    if (buffers->building_count == 0) return MC_OK;
    uint32_t slot = find_oldest_slot(buffers, buffers->to);
    mc_result result = fill_slot(buffers, frames, &buffers->slots[slot], to, error);
    if (result != MC_OK) return result;
    find_changed(buffers, frames->gpu, &buffers->slots[buffers->to], &buffers->slots[slot]);
    buffers->from = buffers->to;
    buffers->to = slot;
    buffers->counts_version++;
    return MC_OK;
}

void mc_city_buffers_mark_use(mc_city_buffers *buffers, uint64_t serial) {
    buffers->slots[buffers->from].last_use = serial;
    buffers->slots[buffers->to].last_use = serial;
}

mc_result mc_city_buffers_set_markers(mc_city_buffers *buffers, mc_frames *frames,
                                      const mc_city_markers *markers, mc_error *error) {
    static const mc_city_markers none;
    if (buffers->slab_count == 0) return MC_OK;
    mc_result result = mc_frames_wait(frames, frames->submitted, error);
    return result == MC_OK ? upload_markers(buffers, frames->gpu, markers ? markers : &none, error)
                           : result;
}
