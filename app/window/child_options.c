#include "app/window/child_options.h"

uint32_t mc_viewer_add_child_options(const mc_viewer *viewer, const char **arguments,
                                     uint32_t count) {
    const mc_viewer_desc *desc = viewer->desc;
    const mc_dataset *dataset = viewer->session->dataset;
    if (desc->device_name) {
        arguments[count++] = "--device";
        arguments[count++] = desc->device_name;
    }
    // Of dumps; else a view says it.
    if (dataset && dataset->is_of_jvm && dataset->group_list &&
        !viewer->session->settings.group_by[0]) {
        arguments[count++] = "--group-by";
        arguments[count++] = dataset->group_list;
    }
    if (desc->session.deep.collections) {
        arguments[count++] = "--collections";
        arguments[count++] = desc->session.deep.collections;
    }
    if (desc->session.deep.fast) arguments[count++] = "--fast";
    if (desc->session.deep.all) arguments[count++] = "--deep";
    if (desc->session.deep.retained) arguments[count++] = "--retained";
    if (desc->session.deep.paths) arguments[count++] = "--paths";
    if (desc->session.deep.waste) arguments[count++] = "--waste";
    if (desc->times_option) {
        arguments[count++] = "--times";
        arguments[count++] = desc->times_option;
    }
    if (desc->session.skip_bad_steps) arguments[count++] = "--skip-bad-steps";
    if (desc->session.settings.layout.padding) {
        arguments[count++] = "--padding";
        arguments[count++] = desc->session.settings.layout.padding;
    }
    return count;
}
