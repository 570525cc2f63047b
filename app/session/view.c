#include "app/session/view.h"

#include "engine/base/memory.h"

mc_result mc_layout_create(const mc_view_kind *kind, mc_dataset *dataset,
                           const mc_settings *settings, double headroom, const mc_layout *before,
                           const mc_progress *progress, mc_layout **out, mc_error *error) {
    *out = NULL;
    mc_layout *layout = mc_alloc_zero(1, sizeof *layout);
    if (!layout) return mc_error_out_of_memory(error);
    layout->kind = kind;
    layout->dataset = mc_dataset_hold(dataset);
    layout->settings = *settings;
    layout->headroom = headroom;
    atomic_init(&layout->referrer_count, 1);
    bool goes_on =
        before && before->kind == kind && mc_trace_goes_on(before->dataset->trace, dataset->trace);
    mc_result result =
        kind->lay_out(layout, settings, headroom, goes_on ? before : NULL, progress, error);
    if (result == MC_OK)
        *out = layout;
    else
        mc_layout_release(layout);
    return result;
}

mc_layout *mc_layout_hold(mc_layout *layout) {
    atomic_fetch_add_explicit(&layout->referrer_count, 1, memory_order_relaxed);
    return layout;
}

void mc_layout_release(mc_layout *layout) {
    if (!layout) return;
    // What others have read of it comes before what frees it.
    if (atomic_fetch_sub_explicit(&layout->referrer_count, 1, memory_order_acq_rel) > 1) return;
    if (layout->content) layout->kind->destroy_content(layout->content);
    mc_dataset_release(layout->dataset);
    mc_free(layout);
}
