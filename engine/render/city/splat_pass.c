#include "engine/render/city/splat_pass.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"

#include "resolve.frag.inc"
#include "resolve.vert.inc"
#include "splat.comp.inc"

// A box of more pixel centres is faster on the triangle hardware than in one invocation's loop, for
// which others wait.
// With rays of light a pixel costs so much that none should have them that something is in front
// of, as happens where boxes are drawn one by one. On a software driver, whose invocations may take
// long, but whose loops end after 65,535 turns of all loops of an invocation.
enum { PIXEL_LIMIT = 256, LIT_TURNS = 64000 };

_Static_assert(MC_VISIBLE_EPOCH_BITS + MC_VISIBLE_DEPTH_BITS + MC_VISIBLE_AXIS_BITS +
                       MC_VISIBLE_BOX_BITS ==
                   64,
               "one 64-bit atomic a pixel");

// By how it is lit and whether it draws edges.
static mc_result create_resolves(mc_splat_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                 mc_error *error) {
    mc_result result = MC_OK;
    mc_graphics_desc desc = mc_bindings_get_pipeline(bindings, 1, MC_SHADER_CODE(resolve_vert),
                                                     MC_SHADER_CODE(resolve_frag));
    desc.depth_write = true;
    desc.cull_back = true;
    desc.name = "resolve";
    for (uint32_t variant = 0; variant < 2 * MC_LIGHT_KIND_COUNT && result == MC_OK; variant++) {
        const uint32_t constants[] = {variant & 1, variant >> 1};
        desc.constants = constants;
        desc.constant_count = 2;
        result = mc_pipeline_create_graphics(gpu, &desc, &pass->resolve[variant], error);
    }
    return result;
}

static mc_result create_splat(mc_gpu *gpu, const mc_bindings *bindings, bool sieves,
                              mc_pipeline **splat, mc_error *error) {
    const uint32_t constants[] = {sieves};
    return mc_pipeline_create_variant(gpu, MC_SHADER_CODE(splat_comp), constants, 1,
                                      bindings->layout, sieves ? "splat sieve" : "splat", splat,
                                      error);
}

mc_result mc_splat_pass_create(mc_splat_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                               uint32_t samples, mc_error *error) {
    mc_result result = MC_OK;
    *pass = (mc_splat_pass){0};
    if (samples != 1 || !gpu->has_int64_atomics) return MC_OK;
    MC_TRY(create_resolves(pass, gpu, bindings, error));
    MC_TRY(create_splat(gpu, bindings, false, &pass->splat, error));
    MC_TRY(create_splat(gpu, bindings, true, &pass->sieve, error));
    return MC_OK;
fail:
    mc_splat_pass_destroy(pass, gpu);
    return result;
}

void mc_splat_pass_destroy(mc_splat_pass *pass, const mc_gpu *gpu) {
    mc_pipeline_destroy(pass->splat);
    mc_pipeline_destroy(pass->sieve);
    for (uint32_t i = 0; i < 2 * MC_LIGHT_KIND_COUNT; i++)
        mc_pipeline_destroy(pass->resolve[i]);
    mc_buffer_destroy(gpu, &pass->visible);
    *pass = (mc_splat_pass){0};
}

static VkDeviceSize get_visible_size(uint32_t width, uint32_t height) {
    return (VkDeviceSize)width * height * sizeof(uint64_t);
}

bool mc_splat_pass_has_room(const mc_gpu *gpu, uint32_t width, uint32_t height) {
    return (uint64_t)width * height <= mc_buffer_get_largest_column(gpu, sizeof(uint64_t));
}

bool mc_splat_pass_can_draw(const mc_splat_pass *pass, const mc_gpu *gpu, uint32_t box_count,
                            uint32_t width, uint32_t height) {
    return pass->splat && box_count > 0 && box_count <= 1u << MC_VISIBLE_BOX_BITS &&
           mc_splat_get_group_count(box_count) <= gpu->limits.maxComputeWorkGroupCount[0] &&
           mc_splat_pass_has_room(gpu, width, height);
}

// With more boxes than pixels, most are sorted out by a first look.
static bool is_crowded(uint32_t box_count, uint32_t width, uint32_t height) {
    return box_count >= (uint64_t)width * height;
}

mc_result mc_splat_pass_prepare(mc_splat_pass *pass, mc_frames *frames, uint32_t width,
                                uint32_t height, mc_error *error) {
    VkDeviceSize size = get_visible_size(width, height);
    if (pass->visible.size < size) {
        mc_frames_retire_buffer(frames, &pass->visible);
        mc_result result =
            mc_buffer_create(frames->gpu, size,
                             VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
                                 VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT,
                             MC_MEMORY_DEVICE, "visibility", &pass->visible, error);
        if (result == MC_OK)
            result = mc_buffer_create_column(frames->gpu, &pass->visible, VK_FORMAT_R32G32_UINT,
                                             sizeof(uint64_t), error);
        if (result != MC_OK) return result;
        pass->epoch = 0;
    }
    return MC_OK;
}

// What earlier frames left has a lower epoch, and so counts as empty until epochs are used up.
static void record_next_epoch(mc_splat_pass *pass, VkCommandBuffer commands) {
    const VkPipelineStageFlags2 users =
        VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    const VkAccessFlags2 shader_access =
        VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
    bool is_empty = pass->epoch == 0 || pass->epoch + 1 == 1u << MC_VISIBLE_EPOCH_BITS;
    pass->epoch = is_empty ? 1 : pass->epoch + 1;
    if (!is_empty) {
        mc_buffer_record_barrier(commands, users, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                                 VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, shader_access);
        return;
    }
    mc_buffer_record_barrier(commands, users, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                             VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT);
    vkCmdFillBuffer(commands, pass->visible.handle, 0, VK_WHOLE_SIZE, 0);
    mc_buffer_record_barrier(commands, VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT,
                             VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                             shader_access);
}

void mc_splat_pass_record(mc_splat_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                          const mc_kept_boxes *kept, uint32_t width, uint32_t height,
                          uint32_t light_kind, VkCommandBuffer commands) {
    bool takes_large = light_kind != MC_LIGHT_NONE && mc_gpu_is_software(gpu);
    bool sieves = is_crowded(kept->box_count, width, height);
    uint32_t at_once = sieves ? MC_SPLAT_SIEVED : MC_SPLAT_BOXES;
    uint32_t boxes = MC_SPLAT_GROUP_SIZE * at_once;
    mc_gpu_begin_label(gpu, commands, "splat");
    record_next_epoch(pass, commands);
    mc_pipeline_record_bind(sieves ? pass->sieve : pass->splat, commands);
    mc_splat_draw draw = {.box_count = kept->box_count,
                          .epoch = pass->epoch,
                          .pixel_limit = takes_large ? LIT_TURNS / at_once : PIXEL_LIMIT};
    mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
    vkCmdDispatch(commands, (kept->box_count + boxes - 1) / boxes, 1, 1);
    mc_gpu_end_label(gpu, commands);
}

void mc_splat_pass_record_resolve(const mc_splat_pass *pass, const mc_gpu *gpu,
                                  const mc_bindings *bindings, VkCommandBuffer commands,
                                  const float low[3], const float high[3], bool edges,
                                  uint32_t light_kind) {
    mc_gpu_begin_label(gpu, commands, "resolve");
    mc_pipeline_record_bind(pass->resolve[light_kind * 2 + (edges ? 1 : 0)], commands);
    mc_splat_draw draw = {.epoch = pass->epoch,
                          .low_x = low[0],
                          .low_y = low[1],
                          .low_z = low[2],
                          .high_x = high[0],
                          .high_y = high[1],
                          .high_z = high[2]};
    mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
    vkCmdDraw(commands, 36, 1, 0, 0);
    mc_gpu_end_label(gpu, commands);
}
