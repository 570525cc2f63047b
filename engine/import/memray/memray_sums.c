#include "engine/import/memray/memray_sums.h"

#include "engine/base/memory.h"
#include "engine/import/stacks/profile.h"
#include "engine/trace/notes.h"
#include <string.h>

enum { AT_PEAK, AT_END, STEP_COUNT };
enum { OBJECTS, BYTES, METRIC_COUNT };

static const mc_path_metric metrics[METRIC_COUNT] = {MC_SITES_OBJECTS, MC_SITES_BYTES};
static const mc_path_metric at_peak = MC_PROFILE_AT_PEAK, most = MC_PROFILE_MOST,
                            resident = MC_PROFILE_RESIDENT;

void mc_memray_sums_deinit(mc_memray_sums *sums) {
    mc_free(sums->items);
    mc_free(sums->groups);
    memset(sums, 0, sizeof *sums);
}

void mc_memray_sums_add_moment(mc_memray_sums *sums, const mc_memray_record *record) {
    const mc_memray_moment moment = {(int64_t)record->time_ms, record->size, record->heap};
    if (!sums->has_moments || moment.heap_bytes > sums->peak.heap_bytes) {
        sums->peak = moment;
        sums->most_since = 0;
    }
    if (moment.heap_bytes > sums->most_since) sums->most_since = moment.heap_bytes;
    sums->last = moment;
    sums->has_moments = true;
}

bool mc_memray_sums_add(mc_memray_sums *sums, mc_memray_stack stack,
                        const mc_memray_totals *totals) {
    if (sums->count >= MC_NONE / 4 ||
        !mc_reserve(&sums->items, &sums->capacity, sums->count + 1, sizeof *sums->items))
        return false;
    sums->items[sums->count++] = (mc_memray_sum){stack, *totals};
    sums->peak_bytes += totals->bytes_at_peak;
    sums->end_bytes += totals->bytes_at_end;
    return true;
}

mc_result mc_memray_sums_create_sites(const mc_profile_options *options, mc_stack_sites **sites,
                                      mc_error *error) {
    mc_stack_sites_desc desc = {.depth = options->depth ? options->depth : MC_SITES_DEPTH,
                                .has_libraries = options->has_libraries};
    memcpy(desc.metrics, metrics, sizeof metrics);
    return mc_stack_sites_create(&desc, sites, error);
}

bool mc_memray_sums_find_groups(mc_memray_sums *sums, mc_memray_sites *sites) {
    sums->groups = mc_alloc(sums->count + 1, sizeof *sums->groups);
    if (!sums->groups) return false;
    for (size_t i = 0; i < sums->count; i++) {
        sums->groups[i] = mc_memray_sites_find(sites, sums->items[i].stack);
        if (sums->groups[i] == MC_NONE) return false;
    }
    if (sums->peak_bytes == 0) sums->next_step = AT_END;
    return true;
}

static mc_result count_all(const mc_memray_sums *sums, mc_stack_sites *sites, uint32_t step,
                           mc_error *error) {
    for (size_t i = 0; i < sums->count; i++) {
        const mc_memray_totals *totals = &sums->items[i].totals;
        bool is_peak = step == AT_PEAK;
        uint64_t values[METRIC_COUNT] = {
            [OBJECTS] = is_peak ? totals->objects_at_peak : totals->objects_at_end,
            [BYTES] = is_peak ? totals->bytes_at_peak : totals->bytes_at_end};
        if (values[OBJECTS] > 0 && !mc_stack_sites_count(sites, sums->groups[i], values, 0)) {
            mc_stack_sites_clear(sites);
            return mc_error_set(error, MC_ERROR_BAD_DATA, 0,
                                "memray recording: all together is more than 2^63 - 1");
        }
    }
    return MC_OK;
}

static uint64_t get_total(uint64_t bytes, bool is_known) {
    return is_known && bytes <= MC_COUNT_MAX ? bytes : MC_COUNT_UNKNOWN;
}

mc_result mc_memray_sums_next_step(mc_memray_sums *sums, mc_stack_sites *sites, int64_t start_ms,
                                   int64_t end_ms, const char *missing, mc_step_tree *tree,
                                   bool *is_there, mc_error *error) {
    uint32_t step = sums->next_step;
    *is_there = step < STEP_COUNT;
    if (!*is_there) return MC_OK;
    sums->next_step++;
    mc_result result = count_all(sums, sites, step, error);
    if (result == MC_OK) result = mc_stack_sites_fill_tree(sites, tree, error);
    const mc_memray_moment *moment = step == AT_PEAK ? &sums->peak : &sums->last;
    uint64_t most_bytes = step == AT_PEAK                      ? sums->peak_bytes
                          : sums->most_since > sums->end_bytes ? sums->most_since
                                                               : sums->end_bytes;
    if (result == MC_OK &&
        (!mc_profile_add_total(tree, &at_peak, step == AT_PEAK) ||
         !mc_profile_add_total(tree, &most, get_total(most_bytes, true)) ||
         !mc_profile_add_total(tree, &resident,
                               get_total(moment->resident_bytes, sums->has_moments))))
        result = mc_error_out_of_memory(error);
    if (result != MC_OK) return result;
    int64_t time_ms = moment->time_ms;
    if (step == AT_END) {
        if (time_ms < end_ms) time_ms = end_ms;
        if (time_ms <= sums->peak.time_ms && sums->peak_bytes > 0) time_ms = sums->peak.time_ms + 1;
    }
    if (step == AT_PEAK) tree->note = MC_NOTE_PEAK;
    tree->time_ms = start_ms + time_ms;
    tree->missing = missing;
    return MC_OK;
}
