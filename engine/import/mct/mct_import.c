#include "engine/import/mct/mct_import.h"

#include "engine/store/mct/mct.h"
#include "engine/trace/trace_step.h"
#include <stdio.h>
#include <sys/stat.h>

mc_result mc_mct_import_find(const mc_import_desc *desc, const char **path, mc_error *error) {
    *path = NULL;
    for (uint32_t i = 0; i < desc->path_count; i++) {
        unsigned char beginning[MC_MCT_DETECT_SIZE];
        struct stat status;
        bool is_file = stat(desc->paths[i], &status) == 0 && S_ISREG(status.st_mode);
        FILE *file = is_file ? fopen(desc->paths[i], "rbe") : NULL;
        if (!file) continue; // who reads it says what is wrong
        size_t size = fread(beginning, 1, sizeof beginning, file);
        fclose(file);
        if (!mc_mct_detect(beginning, size)) continue;
        *path = desc->paths[i];
        if (desc->path_count > 1)
            return mc_fail(error, MC_ERROR_BAD_DATA,
                           "%s: an .mct file is a whole trace; it can't be combined with "
                           "other inputs (two are compared by memcity diff, or by --versus)",
                           *path);
    }
    return MC_OK;
}

mc_result mc_mct_import_open(const mc_import_desc *desc, const char *path, mc_trace **trace,
                             mc_import_report *report, mc_error *error) {
    mc_mct_open_desc open = {.path = path,
                             .is_live = desc->is_live,
                             .skip_bad_steps = desc->skip_bad_steps,
                             .log = desc->log,
                             .progress = desc->progress};
    mc_mct_open_report opened;
    struct stat status;
    mc_result result = mc_mct_open(&open, trace, &opened, error);
    if (result == MC_OK && report)
        *report = (mc_import_report){.step_count = mc_trace_get_step_count(*trace),
                                     .has_own_groups = true,
                                     .skipped_count = opened.skipped_count,
                                     .input_bytes =
                                         stat(path, &status) == 0 ? (uint64_t)status.st_size : 0};
    return result;
}

static mc_result pass_references(const mc_trace *trace, uint32_t step, const mc_import_sink *sink,
                                 mc_error *error) {
    mc_reference_map map = {0};
    mc_result result = MC_OK;
    for (int i = 0; i < 2 && result == MC_OK; i++) {
        mc_reference_direction direction = (mc_reference_direction)i;
        if (!(mc_trace_get_step(trace, step)->directions & 1u << direction)) continue;
        result = mc_trace_fill_reference_map(trace, step, direction, &map, error);
        if (result == MC_OK) result = sink->add_references(sink->user, &map, direction, error);
    }
    mc_reference_map_deinit(&map);
    return result;
}

// A step's paths are those of all of its groups, or not known.
static bool knows_all_paths(const mc_trace *trace) {
    bool knows = mc_trace_has_paths(trace);
    for (uint32_t node = 0; node < mc_trace_get_nodes(trace)->count && knows; node++)
        knows = mc_trace_knows_paths(trace, node);
    return knows;
}

// What a step says, reused from step to step.
typedef struct passed_step {
    mc_step_tree tree;
    mc_step_referrers referrers;
    mc_step_paths paths;
    mc_step_owners owners;
    bool has_paths; // of all groups
} passed_step;

static void passed_step_deinit(passed_step *self) {
    mc_step_tree_deinit(&self->tree);
    mc_step_referrers_deinit(&self->referrers);
    mc_step_paths_deinit(&self->paths);
    mc_step_owners_deinit(&self->owners);
}

static mc_result pass_step(const mc_trace *trace, uint32_t step, passed_step *self,
                           const char *path, const mc_import_sink *sink, mc_error *error) {
    mc_result result = mc_trace_fill_step_tree(trace, step, &self->tree, error);
    if (result == MC_OK) result = sink->add_step(sink->user, &self->tree, path, error);
    if (result != MC_OK) return result;
    const mc_step_info *info = mc_trace_get_step(trace, step);
    if (sink->add_referrers && info->has_referrers) {
        result = mc_trace_fill_step_referrers(trace, step, &self->referrers, error);
        if (result == MC_OK) result = sink->add_referrers(sink->user, &self->referrers, error);
    }
    if (result == MC_OK && sink->add_paths && self->has_paths && info->has_paths) {
        result = mc_trace_fill_step_paths(trace, step, &self->paths, error);
        if (result == MC_OK) result = sink->add_paths(sink->user, &self->paths, error);
    }
    if (result == MC_OK && sink->add_owners && info->has_owners) {
        result = mc_trace_fill_step_owners(trace, step, &self->owners, error);
        if (result == MC_OK) result = sink->add_owners(sink->user, &self->owners, error);
    }
    return result;
}

mc_result mc_mct_import_pass(const mc_trace *trace, const mc_import_desc *desc, const char *path,
                             const mc_import_sink *sink, mc_error *error) {
    passed_step passed = {.has_paths = knows_all_paths(trace)};
    mc_result result = MC_OK;
    uint32_t count = mc_trace_get_step_count(trace);
    for (uint32_t step = 0; step < count && result == MC_OK; step++) {
        result = pass_step(trace, step, &passed, path, sink, error);
        if (result == MC_OK && !mc_progress_report(desc->progress, step + 1, count))
            result = mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
    }
    passed_step_deinit(&passed);
    for (uint32_t step = 0; step < count && result == MC_OK; step++)
        result = pass_references(trace, step, sink, error);
    return result;
}
