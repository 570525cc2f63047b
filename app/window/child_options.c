#include "app/window/child_options.h"

#include "app/session/saved_view.h"
#include "engine/base/memory.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

mc_result mc_viewer_write_view(const mc_viewer *viewer, char **path, mc_error *error) {
    const char *folder = getenv("TMPDIR");
    mc_text text = {0};
    mc_text_format(&text, "%s/memcity-view-XXXXXX", folder && folder[0] == '/' ? folder : "/tmp");
    if (text.failed) {
        mc_text_deinit(&text);
        return mc_error_out_of_memory(error);
    }
    int file = mkstemp(text.data);
    if (file < 0) {
        mc_fail(error, MC_ERROR_IO, "%s: can't make it: %s", text.data, strerror(errno));
        mc_text_deinit(&text);
        return MC_ERROR_IO;
    }
    close(file);
    mc_view_file snapshot;
    mc_result result = MC_OK;
    if (mc_session_make_snapshot(viewer->session, &snapshot)) {
        result = mc_view_file_write(&snapshot, text.data, error);
        mc_view_file_deinit(&snapshot);
    } else {
        result = mc_error_out_of_memory(error);
    }
    *path = text.data;
    if (result == MC_OK) return MC_OK;
    mc_viewer_remove_view(*path);
    *path = NULL;
    return result;
}

void mc_viewer_remove_view(char *path) {
    if (path) unlink(path);
    mc_free(path);
}

uint32_t mc_viewer_add_child_options(const mc_viewer *viewer, bool draws, const char **arguments,
                                     uint32_t count) {
    const mc_viewer_desc *desc = viewer->desc;
    const mc_dataset *dataset = viewer->session->dataset;
    if (draws && desc->device_name) {
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
    if (desc->session.deep.binary) {
        arguments[count++] = "--binary";
        arguments[count++] = desc->session.deep.binary;
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
