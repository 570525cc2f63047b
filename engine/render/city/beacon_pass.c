#include "engine/render/city/beacon_pass.h"

#include "engine/gpu/device.h"
#include "engine/gpu/pipeline.h"

#include "beacon.frag.inc"
#include "beacon.vert.inc"

mc_result mc_beacon_pass_create(mc_beacon_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                uint32_t samples, mc_error *error) {
    mc_graphics_desc desc = mc_bindings_get_pipeline(bindings, samples, MC_SHADER_CODE(beacon_vert),
                                                     MC_SHADER_CODE(beacon_frag));
    desc.blend = true;
    desc.depth_test = false;
    desc.name = "beacons";
    return mc_pipeline_create_graphics(gpu, &desc, &pass->pipeline, error);
}

void mc_beacon_pass_destroy(mc_beacon_pass *pass) {
    mc_pipeline_destroy(pass->pipeline);
    *pass = (mc_beacon_pass){0};
}

void mc_beacon_pass_record(const mc_beacon_pass *pass, const mc_gpu *gpu,
                           const mc_bindings *bindings, VkCommandBuffer commands,
                           const mc_beacons *beacons) {
    if (!beacons || beacons->count == 0) return;
    mc_gpu_begin_label(gpu, commands, "beacons");
    mc_pipeline_record_bind(pass->pipeline, commands);
    // The most important one comes last, over the others.
    for (uint32_t i = beacons->count; i-- > 0;) {
        const mc_beacon *beacon = &beacons->items[i];
        mc_beacon_draw draw = {
            .x = beacon->foot[0],
            .y = beacon->foot[1],
            .z = beacon->foot[2],
            .half_width = beacons->half_width,
            .color = {beacon->color[0], beacon->color[1], beacon->color[2], beacon->opacity},
            .height = beacons->height,
        };
        mc_bindings_record_push(bindings, commands, &draw, sizeof draw);
        vkCmdDraw(commands, 6, 1, 0, 0);
    }
    mc_gpu_end_label(gpu, commands);
}
