#include "engine/render/city/outline_pass.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"

#include "outline.frag.inc"
#include "outline.vert.inc"

enum { OUTLINE_VERTEX_COUNT = (4 + 12) * 6 }; // the walls and the edges of a box, a quad each

mc_result mc_outline_pass_create(mc_outline_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                 mc_error *error) {
    mc_result result = MC_OK;
    mc_graphics_desc desc = mc_bindings_get_pipeline(bindings, 1, MC_SHADER_CODE(outline_vert),
                                                     MC_SHADER_CODE(outline_frag));
    desc.blend = true;
    desc.name = "outline visible";
    MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->visible, error));
    desc.depth_test = false;
    desc.name = "outline hidden";
    MC_TRY(mc_pipeline_create_graphics(gpu, &desc, &pass->hidden, error));
    return MC_OK;
fail:
    mc_outline_pass_destroy(pass);
    return result;
}

void mc_outline_pass_destroy(mc_outline_pass *pass) {
    mc_pipeline_destroy(pass->visible);
    mc_pipeline_destroy(pass->hidden);
    *pass = (mc_outline_pass){0};
}

void mc_outline_pass_record(const mc_outline_pass *pass, const mc_gpu *gpu,
                            const mc_bindings *bindings, VkCommandBuffer commands,
                            const mc_outline *outline) {
    if (outline->box == MC_NONE) return;
    mc_gpu_begin_label(gpu, commands, "outline");
    // Towards the eye by a little, so that the half of a line that lies on the box's own faces
    // wins.
    mc_outline_draw draw = {
        .box = outline->box,
        .width = outline->width,
        .opacity = outline->through,
        .bias = 2e-3f,
        .color = {outline->color[0], outline->color[1], outline->color[2], 1.0f},
        .glow = outline->glow,
        .share = outline->share,
        .fill = outline->fill * outline->through};
    mc_pipeline *const pipelines[] = {pass->hidden, pass->visible};
    for (int i = 0; i < 2; i++) {
        mc_pipeline_record_bind(pipelines[i], commands);
        mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
        vkCmdDraw(commands, OUTLINE_VERTEX_COUNT, 1, 0, 0);
        draw.opacity = 1.0f;
        draw.glow = 0.0f;
        draw.fill = outline->fill;
    }
    mc_gpu_end_label(gpu, commands);
}
