#include "engine/import/v8/v8_births.h"

#include "engine/base/memory.h"

static void store(void *user, uint64_t first, const uint64_t *values, size_t count) {
    mc_object_moment *moments = user;
    for (size_t i = 0; i < count; i++) {
        mc_object_moment *moment = &moments[(first + i) / 2];
        if ((first + i) % 2 == 0)
            moment->time_ms = (int64_t)(values[i] / 1000);
        else
            moment->last_birth = values[i];
    }
}

static mc_result fail(const mc_v8_heap *v8, const char *at, mc_error *error) {
    return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(at - v8->file.data),
                        "expected samples: pairs of a time and an id, both of which grow");
}

static mc_result read_moments(const mc_v8_heap *v8, uint32_t thread_count,
                              mc_object_moment *moments, mc_error *error) {
    const mc_v8_ints *samples = &v8->file.samples;
    const char *wrong = samples->begin;
    mc_result result = mc_v8_ints_read(samples, thread_count, store, moments, &wrong);
    if (result == MC_ERROR_BAD_DATA) return fail(v8, wrong, error);
    if (result != MC_OK) return mc_error_out_of_memory(error);
    for (uint64_t i = 1; i < samples->count / 2; i++)
        if (moments[i].time_ms < moments[i - 1].time_ms ||
            moments[i].last_birth < moments[i - 1].last_birth)
            return fail(v8, samples->begin, error);
    return MC_OK;
}

mc_result mc_v8_births_read(const mc_v8_heap *v8, const uint32_t *numbers, uint32_t object_count,
                            const mc_heap_desc *desc, mc_object_births *births, mc_error *error) {
    const uint64_t count = v8->file.samples.count;
    if (count == 0 || desc->moment_count == 0) return MC_OK;
    if (count % 2 != 0) return fail(v8, v8->file.samples.begin, error);
    mc_object_moment *moments = mc_alloc(count / 2, sizeof *moments);
    births->births = mc_alloc((size_t)object_count + 1, sizeof *births->births);
    mc_result result = moments && births->births ? MC_OK : mc_error_out_of_memory(error);
    if (result == MC_OK) result = read_moments(v8, desc->thread_count, moments, error);
    if (result == MC_OK && !mc_object_births_choose(births, moments, count / 2, desc->moment_count))
        result = mc_error_out_of_memory(error);
    for (uint32_t i = 0; i < v8->node_count && result == MC_OK; i++)
        if (numbers[i] != MC_NONE)
            births->births[numbers[i]] = v8->node_ids[i] % 2 == 1 ? v8->node_ids[i] : 0;
    mc_free(moments);
    return result;
}
