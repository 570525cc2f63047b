#include "app/answers/dataset.h"

#include "app/far/far_trace.h"
#include "app/trace_location.h"
#include "app/what_if.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

mc_dataset *mc_dataset_create(mc_trace *trace) {
    static atomic_uint_fast64_t count;
    mc_dataset *dataset = mc_alloc_zero(1, sizeof *dataset);
    if (!dataset) {
        mc_trace_destroy(trace);
        return NULL;
    }
    dataset->trace = trace;
    dataset->recording = dataset->numbering = atomic_fetch_add(&count, 1) + 1;
    atomic_init(&dataset->referrer_count, 1);
    return dataset;
}

mc_dataset *mc_dataset_create_next(const mc_dataset *before, mc_trace *trace) {
    mc_dataset *dataset = mc_dataset_create(trace);
    if (!dataset) return NULL;
    if (before->name) dataset->name = mc_copy_string(before->name);
    for (uint32_t i = 0; i < before->paths.count; i++) {
        const char *path = before->paths.items[i];
        if (!mc_form_texts_add(&dataset->paths, path, strlen(path))) goto fail;
    }
    for (uint32_t i = 0; i < before->far_words.count; i++) {
        const char *word = before->far_words.items[i];
        if (!mc_form_texts_add(&dataset->far_words, word, strlen(word))) goto fail;
    }
    if (before->dump_count > 0) {
        dataset->dump_times_ms = mc_alloc(before->dump_count, sizeof *dataset->dump_times_ms);
        if (!dataset->dump_times_ms) goto fail;
        dataset->dump_count = before->dump_count;
        memcpy(dataset->dump_times_ms, before->dump_times_ms,
               before->dump_count * sizeof *dataset->dump_times_ms);
    }
    for (uint32_t i = 0; i < before->warnings.count; i++)
        mc_dataset_warnings_add(&dataset->warnings, before->warnings.texts[i]);
    dataset->warnings.all_count = before->warnings.all_count;
    dataset->is_of_jvm = before->is_of_jvm;
    if (dataset->name || !before->name) return dataset;
fail:
    mc_dataset_release(dataset);
    return NULL;
}

mc_dataset *mc_dataset_hold(mc_dataset *dataset) {
    atomic_fetch_add_explicit(&dataset->referrer_count, 1, memory_order_relaxed);
    return dataset;
}

void mc_dataset_pair_destroy(mc_dataset_pair *pair) {
    if (!pair) return;
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        mc_dataset_release(pair->sides[side]);
    mc_name_folds_deinit(&pair->folds);
    mc_free(pair);
}

void mc_dataset_release(mc_dataset *dataset) {
    if (!dataset) return;
    // What others have read of it comes before what frees it.
    if (atomic_fetch_sub_explicit(&dataset->referrer_count, 1, memory_order_acq_rel) > 1) return;
    mc_trace_destroy(dataset->trace);
    mc_dataset_release(dataset->base); // which the trace has read
    mc_dataset_pair_destroy(dataset->pair);
    mc_free(dataset->name);
    mc_free(dataset->group_list);
    mc_free(dataset->dump_times_ms);
    mc_form_texts_deinit(&dataset->far_words);
    mc_form_texts_deinit(&dataset->paths);
    mc_dataset_warnings_deinit(&dataset->warnings);
    mc_free(dataset);
}

void mc_dataset_set_paths(mc_dataset *dataset, char *const *paths, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        char *whole = mc_trace_location_make_whole(paths[i]);
        const char *path = whole ? whole : paths[i];
        mc_form_texts_add(&dataset->paths, path, strlen(path));
        mc_free(whole);
    }
    dataset->dump_count = mc_what_if_find_dumps((const char *const *)dataset->paths.items,
                                                dataset->paths.count, &dataset->dump_times_ms);
    if (dataset->paths.count == 1)
        mc_far_trace_find_words(dataset->paths.items[0], &dataset->far_words);
}

void mc_dataset_warnings_add(mc_dataset_warnings *warnings, const char *text) {
    warnings->all_count++;
    if (warnings->count == MC_DATASET_WARNING_CAPACITY) return;
    warnings->texts[warnings->count] = mc_copy_string(text);
    if (warnings->texts[warnings->count]) warnings->count++;
}

void mc_dataset_warnings_deinit(mc_dataset_warnings *warnings) {
    for (uint32_t i = 0; i < warnings->count; i++)
        mc_free(warnings->texts[i]);
    *warnings = (mc_dataset_warnings){0};
}
