#include "engine/import/format/format.h"

#include <inttypes.h>

mc_result mc_import_report_progress(const mc_import_context *context, mc_error *error) {
    uint64_t total = context->input_size, done = atomic_load(&context->watch->done);
    if (total > 0 && done > total) done = total; // without one, nobody knows how much there is
    if (mc_progress_report(context->desc->progress, done, total)) return MC_OK;
    atomic_store(&context->watch->stop, true);
    return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
}

mc_result mc_import_pass_step(const mc_import_context *context, const mc_import_step *step,
                              mc_step_tree *tree, mc_text *name, mc_time_origin *origin,
                              mc_error *error) {
    mc_result result = mc_step_clock_get(context->clock, step->path, step->index, step->known_ms,
                                         &tree->time_ms, origin, error);
    if (result != MC_OK) return result;
    mc_text_clear(name);
    mc_text_append_string(name, step->path);
    if (step->is_numbered) mc_text_format(name, "[%" PRIu32 "]", step->index);
    if (name->failed) return mc_error_out_of_memory(error);
    result = context->sink->add_step(context->sink->user, tree, name->data, error);
    if (result == MC_OK) context->report->step_count++;
    return result;
}
