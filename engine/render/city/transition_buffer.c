#include "engine/render/city/transition_buffer.h"

#include "engine/base/memory.h"
#include "engine/city/evaluate.h"
#include "engine/gpu/device.h"

static void add_to_bounds(mc_transition_buffer *buffer, const mc_box *box) {
    vec3 low = {box->footprint.x0, box->base, box->footprint.z0};
    vec3 high = {box->footprint.x1, box->base + box->height, box->footprint.z1};
    if (box->height <= 0.0f) return;
    glm_vec3_minv(buffer->low, low, buffer->low);
    glm_vec3_maxv(buffer->high, high, buffer->high);
}

static mc_result upload(mc_transition_buffer *buffer, mc_gpu *gpu, const mc_city *city,
                        mc_error *error) {
    mc_result result = MC_OK;
    size_t count = (size_t)city->building_count + city->district_count;
    size_t before_size = count * sizeof(mc_box);
    size_t size = before_size + city->district_count * sizeof(mc_box);
    mc_box *districts = mc_alloc((size_t)city->district_count + 1, sizeof *districts);
    if (!districts) return mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < city->district_count; i++)
        districts[i] = mc_city_get_district_box(city, i);
    for (size_t i = 0; i < count; i++)
        add_to_bounds(buffer, &city->before[i]);
    MC_TRY(mc_buffer_create(gpu, size,
                            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
                            MC_MEMORY_DEVICE, "boxes before", &buffer->boxes, error));
    MC_TRY(mc_buffer_create_column(gpu, &buffer->boxes, VK_FORMAT_R32G32B32A32_UINT,
                                   4 * sizeof(uint32_t), error));
    MC_TRY(mc_buffer_upload(gpu, &buffer->boxes, 0, city->before, before_size, error));
    if (city->district_count > 0)
        MC_TRY(mc_buffer_upload(gpu, &buffer->boxes, before_size, districts, size - before_size,
                                error));
    buffer->has_boxes = true;
fail:
    mc_free(districts);
    return result;
}

mc_result mc_transition_buffer_init(mc_transition_buffer *buffer, mc_gpu *gpu, const mc_city *city,
                                    mc_error *error) {
    *buffer = (mc_transition_buffer){0};
    if (!city || !city->before || city->building_count + city->district_count == 0) return MC_OK;
    mc_result result = upload(buffer, gpu, city, error);
    if (result != MC_OK) {
        mc_buffer_destroy(gpu, &buffer->boxes);
        *buffer = (mc_transition_buffer){0};
    }
    return result;
}

void mc_transition_buffer_retire(mc_transition_buffer *buffer, mc_frames *frames) {
    mc_frames_retire_buffer(frames, &buffer->boxes);
    *buffer = (mc_transition_buffer){0};
}
