#include "engine/import/format/format.h"

mc_result mc_import_report_progress(const mc_import_context *context, mc_error *error) {
    uint64_t total = context->input_size, done = atomic_load(&context->watch->done);
    if (total > 0 && done > total) done = total; // without one, nobody knows how much there is
    if (mc_progress_report(context->desc->progress, done, total)) return MC_OK;
    atomic_store(&context->watch->stop, true);
    return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
}
