#include "app/session/view_reach.h"

#include "app/trace_location.h"
#include "app/user_files.h"
#include "engine/import/websocket/ws_address.h"
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>

typedef struct reach {
    const char *view; // its path
    bool allows_network;
} reach;

// Ctrl+D has made those of the user's own.
static bool is_bookmark(const char *path) {
    mc_text folder = {0};
    bool is_known = mc_user_append_bookmarks_path(&folder) && !folder.failed;
    char *own = is_known ? realpath(folder.data, NULL) : NULL, *view = realpath(path, NULL);
    char *slash = view ? strrchr(view, '/') : NULL;
    if (slash) *slash = '\0';
    bool is_one = own && view && strcmp(own, view) == 0;
    free(own);
    free(view);
    mc_text_deinit(&folder);
    return is_one;
}

static mc_result refuse(const reach *self, const char *field, const char *what, const char *path,
                        mc_error *error) {
    mc_fail(error, MC_ERROR_BAD_DATA, "%s: expected a file or a folder, found %s: %s", field, what,
            path);
    return mc_error_prepend(error, self->view);
}

// What is read there are the system's answers, some of which wait for something.
static bool is_of_system(const char *path) {
    struct statfs status;
    if (statfs(path, &status) != 0) return false;
    switch ((unsigned long)status.f_type) {
    case PROC_SUPER_MAGIC:
    case SYSFS_MAGIC:
    case DEBUGFS_MAGIC:
    case TRACEFS_MAGIC:
    case CGROUP_SUPER_MAGIC:
    case CGROUP2_SUPER_MAGIC: return true;
    default: return false;
    }
}

static const char *get_kind(mode_t mode) {
    return S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

static mc_result check(const reach *self, const char *field, const char *path, mc_error *error) {
    struct stat status;
    if (!path) return MC_OK;
    // Kept as what was opened last, it would be two, each as if the user had named it.
    if (mc_trace_location_is_pair(path)) return refuse(self, field, "a pair", path, error);
    if (mc_ws_is_address(path)) {
        if (self->allows_network || is_bookmark(self->view)) return MC_OK;
        mc_fail(error, MC_ERROR_UNSUPPORTED,
                "this view would connect to %s: open that address yourself and then the view, "
                "or start memcity with --allow-network",
                path);
        return mc_error_prepend(error, self->view);
    }
    if (strncmp(path, "//", 2) == 0)
        return refuse(self, field, "a share of another machine", path, error);
    if (stat(path, &status) != 0) return MC_OK;
    if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return refuse(self, field, get_kind(status.st_mode), path, error);
    return is_of_system(path) ? refuse(self, field, "one of the system's own", path, error) : MC_OK;
}

mc_result mc_view_file_check_reach(const mc_view_file *file, const char *path, bool allows_network,
                                   mc_error *error) {
    const reach self = {path, allows_network};
    mc_result result = MC_OK;
    for (uint32_t i = 0; i < file->paths.count && result == MC_OK; i++) {
        char field[24];
        snprintf(field, sizeof field, "trace[%u]", i);
        result = check(&self, field, file->paths.items[i], error);
    }
    if (result == MC_OK) result = check(&self, "versus", file->versus, error);
    return result == MC_OK ? check(&self, "with", file->with, error) : result;
}
