// The update pass: from two steps' counts to boxes and colours; and how fast the device copies
// memory, which is what a pass that does little else can reach.
#include "app/bench/bench_scene.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/gpu/buffer.h"
#include "engine/gpu/transfer.h"

#define COPY_SIZE ((VkDeviceSize)256 << 20)
#define BLEND_FRAMES 16

// What the pass reads and writes of each building; counts are below 2^32 in nearly all traces.
enum {
    BYTES_PER_BUILDING =
        sizeof(mc_building_static) + 2 * sizeof(uint32_t) + sizeof(mc_box) + sizeof(mc_color)
};

static void report_speed(mc_bench_report *report, const mc_city *city, double median_ms) {
    if (median_ms > 0)
        mc_bench_report_number(report, "speed",
                               (double)city->building_count * BYTES_PER_BUILDING * 1e-6 / median_ms,
                               "gb_per_s");
}

// What a frame has taken of all threads.
static mc_result draw(mc_bench_scene *scene, const mc_bench_options *options, double *cpu_ms,
                      mc_error *error) {
    double begin_s = mc_bench_get_cpu_s();
    mc_result result = mc_bench_scene_draw(scene, options, MC_BENCH_ORBIT_BEGIN_RAD, error);
    *cpu_ms = (mc_bench_get_cpu_s() - begin_s) * 1e3;
    return result;
}

// The pass runs because the blend changes with each frame; the rest of the frame doesn't count: of
// threads' time, what the same frame takes without the pass is taken off.
static mc_result measure_gpu(const mc_bench_options *options, mc_bench_report *report,
                             mc_bench_scene *scene, mc_error *error) {
    mc_bench_series pass = {0}, cpu = {0};
    double with_ms = 0, without_ms = 0;
    mc_bench_report_begin(report, "update pass");
    mc_result result = mc_bench_scene_get_step(scene, 0, error);
    if (result == MC_OK) result = mc_bench_scene_get_step(scene, 1, error);
    if (result == MC_OK)
        result = mc_renderer_set_counts(scene->renderer, scene->from, scene->to, error);
    mc_bench_loop loop = mc_bench_make_loop(options, 3, 31);
    while (result == MC_OK && mc_bench_loop_next(&loop)) {
        scene->scene.params.blend = (float)(loop.begun_count % BLEND_FRAMES) / BLEND_FRAMES;
        result = draw(scene, options, &with_ms, error);
        double pass_ms = mc_renderer_get_times(scene->renderer).update_ms;
        if (result == MC_OK) result = draw(scene, options, &without_ms, error);
        if (!mc_bench_loop_counts(&loop)) continue;
        mc_bench_series_add(&pass, pass_ms);
        mc_bench_series_add(&cpu, with_ms - without_ms);
    }
    mc_bench_report_trace(report, options, scene->trace);
    mc_bench_report_parameter(report, "buildings", scene->city->building_count);
    mc_bench_report_parameter(report, "bytes_per_building", BYTES_PER_BUILDING);
    double pass_ms = mc_bench_report_series(report, "gpu", &pass);
    mc_bench_report_series(report, "cpu", &cpu);
    report_speed(report, scene->city, pass_ms);
    mc_bench_report_end(report, result);
    return result;
}

// From a step's counts to the memory that the device reads them from.
static mc_result measure_upload(const mc_bench_options *options, mc_bench_report *report,
                                mc_bench_scene *scene, mc_error *error) {
    mc_bench_series upload = {0};
    mc_result result = MC_OK;
    mc_bench_report_begin(report, "upload of a step");
    mc_bench_loop loop = mc_bench_make_loop(options, 5, 31);
    for (uint32_t step = 0; result == MC_OK && mc_bench_loop_next(&loop); step++) {
        result = mc_bench_scene_get_step(scene, step, error);
        uint64_t begin_ns = mc_clock_now_ns();
        if (result == MC_OK) result = mc_renderer_advance_counts(scene->renderer, scene->to, error);
        mc_bench_loop_add(&loop, &upload, begin_ns);
    }
    mc_bench_report_trace(report, options, scene->trace);
    mc_bench_report_parameter(report, "buildings", scene->city->building_count);
    mc_bench_report_series(report, "cpu", &upload);
    mc_bench_report_end(report, result);
    return result;
}

// The same work on one thread of the CPU, which tests compare the pass with.
static mc_result measure_cpu(const mc_bench_options *options, mc_bench_report *report,
                             const mc_bench_scene *scene, mc_error *error) {
    const mc_city *city = scene->city;
    mc_box *boxes = mc_alloc((size_t)city->building_count + 1, sizeof *boxes);
    mc_color *colors = mc_alloc((size_t)city->building_count + 1, sizeof *colors);
    mc_result result = boxes && colors ? MC_OK : mc_error_out_of_memory(error);
    mc_bench_series times = {0};
    mc_bench_report_begin(report, "CPU reference");
    mc_bench_loop loop = mc_bench_make_loop(options, 2, 15);
    while (result == MC_OK && mc_bench_loop_next(&loop)) {
        mc_update_params params = scene->scene.params;
        params.blend = (float)(loop.begun_count % BLEND_FRAMES) / BLEND_FRAMES;
        uint64_t begin_ns = mc_clock_now_ns();
        mc_city_evaluate(city, &params, scene->from, scene->to, boxes, colors);
        mc_bench_loop_add(&loop, &times, begin_ns);
    }
    mc_bench_report_parameter(report, "buildings", city->building_count);
    mc_bench_report_series(report, "cpu", &times);
    mc_bench_report_end(report, result);
    mc_free(boxes);
    mc_free(colors);
    return result;
}

typedef struct copy_job {
    mc_buffer from, to;
} copy_job;

static void record_copy(VkCommandBuffer commands, const void *user) {
    const copy_job *job = user;
    VkBufferCopy region = {.size = COPY_SIZE};
    vkCmdCopyBuffer(commands, job->from.handle, job->to.handle, 1, &region);
}

static mc_result measure_copy(const mc_bench_options *options, mc_bench_report *report, mc_gpu *gpu,
                              mc_error *error) {
    copy_job job = {0};
    const VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    mc_result result =
        mc_buffer_create(gpu, COPY_SIZE, usage, MC_MEMORY_DEVICE, "copy from", &job.from, error);
    if (result == MC_OK)
        result =
            mc_buffer_create(gpu, COPY_SIZE, usage, MC_MEMORY_DEVICE, "copy to", &job.to, error);
    mc_bench_series times = {0};
    mc_bench_report_begin(report, "copy on the device");
    mc_bench_loop loop = mc_bench_make_loop(options, 2, 9);
    while (result == MC_OK && mc_bench_loop_next(&loop)) {
        uint64_t begin_ns = mc_clock_now_ns();
        result = mc_transfer_run(gpu, record_copy, &job, error);
        mc_bench_loop_add(&loop, &times, begin_ns);
    }
    double moved_mb = (double)COPY_SIZE * 2 * 1e-6; // read and written
    double copy_ms = mc_bench_report_series(report, "copy", &times);
    if (copy_ms > 0) mc_bench_report_number(report, "speed", moved_mb / copy_ms, "gb_per_s");
    mc_bench_report_end(report, result);
    mc_buffer_destroy(gpu, &job.from);
    mc_buffer_destroy(gpu, &job.to);
    return result;
}

static mc_result measure(const mc_bench_options *options, mc_bench_report *report,
                         mc_bench_scene *scene, mc_error *error) {
    mc_result result = measure_gpu(options, report, scene, error);
    if (result == MC_OK) result = measure_upload(options, report, scene, error);
    if (result == MC_OK) result = measure_cpu(options, report, scene, error);
    return result == MC_OK ? measure_copy(options, report, scene->gpu, error) : result;
}

int mc_bench_update(const mc_bench_options *options, mc_bench_report *report) {
    return mc_bench_scene_run(options, report, measure);
}
