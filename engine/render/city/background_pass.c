#include "engine/render/city/background_pass.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"

#include "background.frag.inc"
#include "background.vert.inc"

mc_result mc_background_pass_create(mc_background_pass *pass, mc_gpu *gpu,
                                    const mc_bindings *bindings, uint32_t samples,
                                    mc_error *error) {
    mc_graphics_desc desc = mc_bindings_get_pipeline(
        bindings, samples, MC_SHADER_CODE(background_vert), MC_SHADER_CODE(background_frag));
    desc.name = "background";
    return mc_pipeline_create_graphics(gpu, &desc, &pass->pipeline, error);
}

void mc_background_pass_destroy(mc_background_pass *pass) {
    mc_pipeline_destroy(pass->pipeline);
    *pass = (mc_background_pass){0};
}

void mc_background_pass_record(const mc_background_pass *pass, const mc_gpu *gpu,
                               VkCommandBuffer commands) {
    mc_gpu_begin_label(gpu, commands, "background");
    mc_pipeline_record_bind(pass->pipeline, commands);
    vkCmdDraw(commands, 3, 1, 0, 0);
    mc_gpu_end_label(gpu, commands);
}
