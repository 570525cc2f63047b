#include "engine/render/city/glass_pass.h"

#include "engine/base/memory.h"
#include "engine/base/parallel.h"
#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"
#include "engine/render/city/splat_pass.h"
#include <math.h>

#include "glass.comp.inc"
#include "glass_marks.comp.inc"

_Static_assert(MC_CULL_GROUP_SIZE == MC_SPLAT_GROUP_SIZE, "groups take as many boxes");

#define TILES_OFFSET (MC_GLASS_MARK_MOST * sizeof(mc_glass_mark))
#define GROUPS_OFFSET (TILES_OFFSET + MC_GLASS_COLUMNS * MC_GLASS_ROWS * sizeof(mc_glass_tile))

_Static_assert(sizeof(mc_glass_mark) == 64 && sizeof(mc_glass_tile) == 16 &&
                   sizeof(mc_glass_group) == 32,
               "read as texels of 16 bytes");

mc_result mc_glass_pass_create(mc_glass_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                               const mc_box_windows *windows, mc_error *error) {
    mc_result result = MC_OK;
    *pass = (mc_glass_pass){0};
    MC_TRY(mc_pipeline_create_compute(gpu, MC_SHADER_CODE(glass_marks_comp), bindings->layout,
                                      "glass marks", &pass->marks, error));
    MC_TRY(mc_pipeline_create_compute(gpu, MC_SHADER_CODE(glass_comp), windows->layout, "glass",
                                      &pass->choose, error));
    return MC_OK;
fail:
    mc_glass_pass_destroy(pass);
    return result;
}

void mc_glass_pass_destroy(mc_glass_pass *pass) {
    mc_pipeline_destroy(pass->marks);
    mc_pipeline_destroy(pass->choose);
    *pass = (mc_glass_pass){0};
}

// Buildings never leave their plots, nor do they get higher than at their maximum.
static mc_glass_group get_group(const mc_city *city, uint32_t first, uint32_t end) {
    mc_glass_group group = {.low_x = INFINITY, .low_y = INFINITY, .low_z = INFINITY};
    group.high_x = group.high_y = group.high_z = -INFINITY;
    for (uint32_t i = first; i < end; i++) {
        mc_plot plot = city->building_plot[i];
        float base = city->building_base[i];
        group.low_x = fminf(group.low_x, plot.x0);
        group.low_y = fminf(group.low_y, base);
        group.low_z = fminf(group.low_z, plot.z0);
        group.high_x = fmaxf(group.high_x, plot.x1);
        group.high_y = fmaxf(group.high_y, base + mc_city_get_building_height(city, i));
        group.high_z = fmaxf(group.high_z, plot.z1);
    }
    return group;
}

enum { GROUP_SIZE = MC_SPLAT_GROUP_SIZE * MC_SPLAT_BOXES, GROUPS_PER_PART = 1 << 8 };

typedef struct group_task {
    const mc_city *city;
    mc_glass_group *groups;
} group_task;

static void find_groups(void *user, uint32_t begin, uint32_t end, uint32_t thread) {
    const group_task *task = user;
    const uint32_t building_count = task->city->building_count;
    (void)thread;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t first = i * GROUP_SIZE;
        bool is_last = building_count - first < GROUP_SIZE;
        task->groups[i] =
            get_group(task->city, first, is_last ? building_count : first + GROUP_SIZE);
    }
}

mc_result mc_glass_buffer_create(mc_gpu *gpu, const mc_city *city, mc_buffer *buffer,
                                 mc_error *error) {
    mc_result result = MC_OK;
    uint32_t building_count = city ? city->building_count : 0;
    uint32_t count = mc_splat_get_group_count(building_count);
    mc_glass_group *groups = mc_alloc_zero((size_t)count + 1, sizeof *groups);
    *buffer = (mc_buffer){0};
    if (!groups) return mc_error_out_of_memory(error);
    group_task task = {city, groups};
    mc_parallel_run_ranges(count, GROUPS_PER_PART, mc_parallel_get_core_count(), find_groups,
                           &task);
    MC_TRY(mc_buffer_create(gpu, GROUPS_OFFSET + count * sizeof *groups,
                            VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
                            MC_MEMORY_DEVICE, "glass", buffer, error));
    MC_TRY(mc_buffer_create_column(gpu, buffer, VK_FORMAT_R32G32B32A32_UINT, 4 * sizeof(uint32_t),
                                   error));
    if (count > 0)
        MC_TRY(mc_buffer_upload(gpu, buffer, GROUPS_OFFSET, groups, count * sizeof *groups, error));
fail:
    if (result != MC_OK) mc_buffer_destroy(gpu, buffer);
    mc_free(groups);
    return result;
}

static void add_box(mc_frame_uniforms *uniforms, uint32_t box) {
    uint32_t count = uniforms->marks[0];
    if (box == MC_NONE || count == MC_GLASS_MARK_MOST) return;
    for (uint32_t i = 0; i < count; i++)
        if (uniforms->glass_boxes[i / 4][i % 4] == box) return;
    uniforms->glass_boxes[count / 4][count % 4] = box;
    uniforms->marks[0]++;
}

static void add_structure(mc_frame_uniforms *uniforms, const mc_city *city,
                          mc_structure structure) {
    if (structure.building < city->building_count)
        add_box(uniforms, structure.building);
    else if (structure.district > 0 && structure.district < city->district_count)
        add_box(uniforms, city->building_count + structure.district);
}

void mc_glass_set_boxes(mc_frame_uniforms *uniforms, const mc_scene *scene,
                        const mc_draw_lists *lists) {
    const mc_city *city = lists->city;
    if (!city || !mc_update_params_have_glass(&scene->params)) return;
    add_structure(uniforms, city, scene->selected);
    for (uint32_t i = 0; i < scene->more_selected_count; i++)
        add_structure(uniforms, city, scene->more_selected[i]);
    for (uint32_t i = 0; i < scene->frustum_count; i++) {
        if (scene->frustums[i].kind != MC_FRUSTUM_CHAIN) continue;
        add_box(uniforms, scene->frustums[i].from_box);
        add_box(uniforms, scene->frustums[i].to_box);
    }
    uniforms->marks[1] = uniforms->marks[0];
    for (uint32_t i = 0; i < scene->leading_count; i++) {
        if (uniforms->marks[0] == MC_GLASS_MARK_MOST) break;
        add_box(uniforms, scene->leading[i]);
    }
    uint32_t count = scene->leading_count > 0 ? 0 : scene->params.opaque_count;
    for (uint32_t rank = 0; rank < count && rank < city->building_count; rank++) {
        if (uniforms->marks[0] == MC_GLASS_MARK_MOST) break;
        add_box(uniforms, lists->by_rank[rank]);
    }
}

static void record_barrier(VkCommandBuffer commands, VkPipelineStageFlags2 from,
                           VkPipelineStageFlags2 to) {
    const VkAccessFlags2 access =
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    mc_buffer_record_barrier(commands, from, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, to,
                             access | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT);
}

void mc_glass_pass_record(const mc_glass_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                          const mc_box_windows *windows, const mc_buffer *buffer,
                          const mc_update_params *params, const mc_frame *frame) {
    VkCommandBuffer commands = frame->commands;
    uint32_t building_count = params->building_count;
    const VkPipelineStageFlags2 compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    const VkPipelineStageFlags2 readers =
        compute | VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    mc_gpu_begin_label(gpu, commands, "glass");
    mc_cull_draw draw = {.count = building_count,
                         .block_count = (building_count + MC_CULL_BLOCK - 1) / MC_CULL_BLOCK,
                         .is_in_transition = params->transition < 1.0f};
    mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
    // Earlier frames may still read what is overwritten.
    record_barrier(commands, readers, compute | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT);
    vkCmdFillBuffer(commands, buffer->handle, 0, GROUPS_OFFSET, 0);
    mc_buffer_record_barrier(
        commands, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT, compute,
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
    mc_pipeline_record_bind(pass->marks, commands);
    vkCmdDispatch(commands, 1, 1, 1);
    record_barrier(commands, compute, compute);
    mc_pipeline_record_bind(pass->choose, commands);
    for (uint32_t first = 0; first < building_count; first += windows->size) {
        uint32_t rest = building_count - first;
        if (first > 0) record_barrier(commands, compute, compute);
        draw.first = first;
        mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
        mc_box_windows_record_bind(windows, commands, frame->index, first);
        vkCmdDispatch(commands,
                      mc_splat_get_group_count(rest < windows->size ? rest : windows->size), 1, 1);
    }
    record_barrier(commands, compute, readers);
    mc_gpu_end_label(gpu, commands);
}
