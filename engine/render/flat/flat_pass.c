#include "engine/render/flat/flat_pass.h"

#include "engine/gpu/device.h"
#include <math.h>
#include <string.h>

#include "flat.frag.inc"
#include "flat.vert.inc"
#include "flat_mark.frag.inc"
#include "flat_mark.vert.inc"

_Static_assert(sizeof(mc_flat_plane) % 16 == 0 && sizeof(mc_flat_mark) % 16 == 0, "std430");

enum { SUM_SIZE = 4 * sizeof(float), SPAN_SIZE = 2 * sizeof(float) };

static VkDescriptorType get_type(uint32_t binding) {
    bool is_texels = binding >= MC_BINDING_FLAT_COLUMN_COUNT;
    return is_texels ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

static mc_result create_sets(mc_flat_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                             mc_error *error) {
    mc_result result = MC_OK;
    VkDescriptorSetLayoutBinding items[MC_BINDING_FLAT_COUNT];
    for (uint32_t i = 0; i < MC_BINDING_FLAT_COUNT; i++)
        items[i] = (VkDescriptorSetLayoutBinding){.binding = i,
                                                  .descriptorType = get_type(i),
                                                  .descriptorCount = 1,
                                                  .stageFlags = VK_SHADER_STAGE_VERTEX_BIT |
                                                                VK_SHADER_STAGE_FRAGMENT_BIT};
    MC_TRY(mc_descriptor_sets_create(gpu, items, MC_BINDING_FLAT_COUNT, MC_FRAME_COUNT, "flat",
                                     &pass->sets, error));
    MC_TRY(mc_bindings_extend(bindings, gpu, pass->sets.layout, "flat", &pass->layout, error));
fail:
    return result;
}

static mc_result create_pipelines(mc_flat_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                                  mc_error *error) {
    mc_graphics_desc desc =
        mc_bindings_get_pipeline(bindings, 1, MC_SHADER_CODE(flat_vert), MC_SHADER_CODE(flat_frag));
    desc.layout = pass->layout;
    desc.depth_format = VK_FORMAT_UNDEFINED;
    desc.depth_test = false;
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < 2 * MC_FLAT_SHAPE_COUNT && result == MC_OK; i++) {
        uint32_t form = i / 2, has_ends = i % 2, constants[] = {form, has_ends};
        if (form == MC_FLAT_BENT && !has_ends) continue; // not for long
        desc.constants = constants;
        desc.constant_count = 2;
        desc.name = has_ends ? "flat" : "flat, within rows";
        mc_pipeline **pipeline = has_ends ? &pass->wholes[form] : &pass->insides[form];
        result = mc_pipeline_create_graphics(gpu, &desc, pipeline, error);
    }
    desc.vertex = MC_SHADER_CODE(flat_mark_vert);
    desc.fragment = MC_SHADER_CODE(flat_mark_frag);
    desc.constant_count = 0;
    desc.blend = true;
    desc.name = "flat marks";
    return result == MC_OK ? mc_pipeline_create_graphics(gpu, &desc, &pass->marks, error) : result;
}

mc_result mc_flat_pass_need(mc_flat_pass *pass, mc_gpu *gpu, const mc_bindings *bindings,
                            mc_error *error) {
    mc_result result = MC_OK;
    if (pass->marks) return MC_OK;
    MC_TRY(create_sets(pass, gpu, bindings, error));
    MC_TRY(create_pipelines(pass, gpu, bindings, error));
    return MC_OK;
fail:
    mc_flat_pass_destroy(pass, gpu);
    return result;
}

void mc_flat_pass_destroy(mc_flat_pass *pass, const mc_gpu *gpu) {
    for (uint32_t i = 0; i < MC_FRAME_COUNT; i++) {
        mc_flat_buffers *buffers = &pass->buffers[i];
        mc_buffer_destroy(gpu, &buffers->planes);
        mc_buffer_destroy(gpu, &buffers->marks);
        mc_buffer_destroy(gpu, &buffers->sums);
        mc_buffer_destroy(gpu, &buffers->spans);
    }
    for (uint32_t form = 0; form < MC_FLAT_SHAPE_COUNT; form++) {
        mc_pipeline_destroy(pass->insides[form]);
        mc_pipeline_destroy(pass->wholes[form]);
    }
    mc_pipeline_destroy(pass->marks);
    if (pass->layout) vkDestroyPipelineLayout(gpu->device, pass->layout, NULL);
    mc_descriptor_sets_destroy(&pass->sets, gpu);
    mc_flat_picture_destroy(&pass->picture, gpu);
    *pass = (mc_flat_pass){0};
}

// Makes room, and copies. `format`: of texels; VK_FORMAT_UNDEFINED: a storage buffer.
static mc_result fill(mc_buffer *buffer, mc_frames *frames, const void *data, size_t count,
                      uint32_t element_size, VkFormat format, const char *name, mc_error *error) {
    mc_result result = MC_OK;
    size_t size = count * element_size;
    bool is_texels = format != VK_FORMAT_UNDEFINED;
    VkBufferUsageFlags usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    if (is_texels) usage |= VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
    if (!buffer->handle || buffer->size < size) {
        mc_frames_retire_buffer(frames, buffer);
        MC_TRY(mc_buffer_create(frames->gpu, size, usage, MC_MEMORY_DYNAMIC, name, buffer, error));
        if (is_texels)
            MC_TRY(mc_buffer_create_column(frames->gpu, buffer, format, element_size, error));
    }
    if (size > 0) memcpy(buffer->mapped, data, size);
    return MC_OK;
fail:
    mc_frames_retire_buffer(frames, buffer);
    return result;
}

// Where the picture is current, a frame may have no strips, and nothing reads them. Of columns one
// kind is read, and the other one bound.
static void write_set(const mc_flat_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                      uint32_t index) {
    const mc_flat_buffers *own = &pass->buffers[index];
    const mc_buffer *buffers[MC_BINDING_FLAT_COUNT] = {
        [MC_BINDING_FLAT_PLANES] = &own->planes,
        [MC_BINDING_FLAT_MARKS] = &own->marks,
        [MC_BINDING_FLAT_SUMS] = &own->sums,
        [MC_BINDING_FLAT_SPANS] = &own->spans,
        [MC_BINDING_FLAT_SUM_TEXELS] = own->sums.view ? &own->sums : &bindings->no_floats,
        [MC_BINDING_FLAT_SPAN_TEXELS] = own->spans.view ? &own->spans : &bindings->no_floats,
    };
    VkDescriptorBufferInfo infos[MC_BINDING_FLAT_COUNT];
    VkWriteDescriptorSet writes[MC_BINDING_FLAT_COUNT];
    uint32_t count = 0;
    for (uint32_t i = 0; i < MC_BINDING_FLAT_COUNT; i++) {
        if (!buffers[i]->handle) continue;
        infos[i] = (VkDescriptorBufferInfo){.buffer = buffers[i]->handle, .range = VK_WHOLE_SIZE};
        writes[count++] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                 .dstSet = pass->sets.items[index],
                                                 .dstBinding = i,
                                                 .descriptorCount = 1,
                                                 .descriptorType = get_type(i),
                                                 .pBufferInfo = &infos[i],
                                                 .pTexelBufferView = &buffers[i]->view};
    }
    vkUpdateDescriptorSets(gpu->device, count, writes, 0, NULL);
}

mc_result mc_flat_pass_prepare(mc_flat_pass *pass, mc_frames *frames, const mc_bindings *bindings,
                               const mc_frame *frame, const mc_flat_scene *scene,
                               const float background[3], uint32_t width, uint32_t height,
                               mc_error *error) {
    mc_result result = MC_OK;
    mc_flat_buffers *own = &pass->buffers[frame->index];
    MC_TRY(fill(&own->planes, frames, scene->planes, scene->plane_count, sizeof *scene->planes,
                VK_FORMAT_UNDEFINED, "flat planes", error));
    MC_TRY(fill(&own->marks, frames, scene->marks, scene->mark_count, sizeof *scene->marks,
                VK_FORMAT_UNDEFINED, "flat marks", error));
    MC_TRY(mc_flat_picture_prepare(&pass->picture, frames, scene, background, width, height,
                                   &pass->is_current, error));
    if (!pass->is_current && own->version != scene->version) {
        own->version = 0;
        MC_TRY(fill(&own->sums, frames, scene->sums, scene->sum_count, SUM_SIZE,
                    VK_FORMAT_R32G32B32A32_SFLOAT, "flat sums", error));
        MC_TRY(fill(&own->spans, frames, scene->spans, scene->span_count, SPAN_SIZE,
                    VK_FORMAT_R32G32_SFLOAT, "flat spans", error));
        own->version = scene->version;
    }
    write_set(pass, frames->gpu, bindings, frame->index);
fail:
    return result;
}

static float decode(float c) {
    return c <= 0.04045f ? c / 12.92f : powf((c + 0.055f) / 1.055f, 2.4f);
}

// Cheaper than drawing it: a software driver fills memory.
static void record_background(VkCommandBuffer commands, const mc_flat_picture *picture) {
    VkClearAttachment clear = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    for (int i = 0; i < 3; i++)
        clear.clearValue.color.float32[i] = decode(picture->background[i]);
    clear.clearValue.color.float32[3] = 1;
    VkClearRect rect = {.rect = {{0, 0}, {picture->image.width, picture->image.height}},
                        .layerCount = 1};
    vkCmdClearAttachments(commands, 1, &clear, 1, &rect);
}

static bool has_thick_rows(const mc_flat_plane *plane) {
    return plane->form != MC_FLAT_BENT && plane->row_size >= (float)MC_FLAT_LEAST_ROW;
}

static void record_bands(const mc_flat_pass *pass, VkCommandBuffer commands,
                         const mc_flat_scene *scene, uint32_t first, uint32_t end) {
    uint32_t form = scene->planes[first].form;
    mc_pipeline_record_bind(pass->wholes[form], commands);
    for (uint32_t i = first; i < end; i++)
        vkCmdDraw(commands, scene->planes[i].row_count * MC_FLAT_BAND_COUNT(form), 1,
                  MC_FLAT_AREA_COUNT(form), i);
}

// The areas of planes of one form beside each other in the list are one draw.
static void record_planes(const mc_flat_pass *pass, VkCommandBuffer commands,
                          const mc_flat_scene *scene) {
    for (uint32_t first = 0, end; first < scene->plane_count; first = end) {
        uint32_t form = scene->planes[first].form;
        bool is_thick = has_thick_rows(&scene->planes[first]);
        for (end = first + 1; end < scene->plane_count && scene->planes[end].form == form &&
                              has_thick_rows(&scene->planes[end]) == is_thick;)
            end++;
        mc_pipeline_record_bind(is_thick ? pass->insides[form] : pass->wholes[form], commands);
        vkCmdDraw(commands, MC_FLAT_AREA_COUNT(form), end - first, 0, first);
        if (is_thick) record_bands(pass, commands, scene, first, end);
    }
}

void mc_flat_pass_record(const mc_flat_pass *pass, const mc_gpu *gpu, const mc_bindings *bindings,
                         const mc_frame *frame, const mc_flat_scene *scene,
                         const mc_target *target) {
    VkCommandBuffer commands = frame->commands;
    mc_gpu_begin_label(gpu, commands, "flat");
    VkDescriptorSet sets[] = {bindings->sets.items[frame->index], pass->sets.items[frame->index]};
    vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pass->layout, 0, 2, sets, 0,
                            NULL);
    if (!pass->is_current) {
        mc_flat_picture_record_begin(&pass->picture, commands);
        record_background(commands, &pass->picture);
        record_planes(pass, commands, scene);
        mc_flat_picture_record_end(&pass->picture, commands);
    }
    mc_target_record_paste(target, commands, &pass->picture.image);
    if (scene->mark_count > 0) {
        mc_target_record_begin_over(target, commands);
        mc_pipeline_record_bind(pass->marks, commands);
        vkCmdDraw(commands, 6, scene->mark_count, 0, 0);
        mc_target_record_end_over(target, commands);
    }
    mc_gpu_end_label(gpu, commands);
}
