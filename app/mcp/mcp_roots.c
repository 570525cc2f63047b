#include "app/mcp/mcp_roots.h"

#include "engine/base/memory.h"
#include <dirent.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define DEPTH_MOST 4       // of folders in a folder: a trace's own are two deep
#define ENTRIES_MOST 20000 // of all of them

static bool is_inside(char *const *roots, uint32_t root_count, const char *path) {
    for (uint32_t i = 0; i < root_count; i++) {
        size_t size = strlen(roots[i]);
        if (strcmp(roots[i], "/") == 0) return true;
        if (strncmp(path, roots[i], size) == 0 && (path[size] == '/' || path[size] == '\0'))
            return true;
    }
    return false;
}

// Whether all that is in the folder leads to where it may.
static bool is_folder_inside(char *const *roots, uint32_t root_count, const char *folder,
                             uint32_t depth, uint32_t *entries) {
    DIR *stream = opendir(folder);
    bool is_fine = true;
    mc_text path = {0};
    if (!stream) return true; // who reads it will say so
    for (struct dirent *entry; is_fine && (entry = readdir(stream));) {
        char real[PATH_MAX];
        struct stat status;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        mc_text_clear(&path);
        mc_text_format(&path, "%s/%s", folder, entry->d_name);
        is_fine = !path.failed && ++*entries <= ENTRIES_MOST;
        if (!is_fine || !realpath(path.data, real)) continue; // a link to nothing leads nowhere
        is_fine = is_inside(roots, root_count, real);
        if (is_fine && depth < DEPTH_MOST && stat(real, &status) == 0 && S_ISDIR(status.st_mode))
            is_fine = is_folder_inside(roots, root_count, path.data, depth + 1, entries);
    }
    mc_text_deinit(&path);
    closedir(stream);
    return is_fine;
}

char *mc_mcp_roots_find(char *const *roots, uint32_t root_count, const char *path,
                        mc_error *error) {
    char real[PATH_MAX];
    struct stat status;
    uint32_t entries = 0;
    mc_text whole = {0};
    if (path[0] == '/' || root_count == 0)
        mc_text_append_string(&whole, path);
    else
        mc_text_format(&whole, "%s/%s", roots[0], path);
    bool is_there = !whole.failed && path[0] && realpath(whole.data, real) != NULL;
    mc_text_deinit(&whole);
    // What lies elsewhere is not told from what is not there.
    if (!is_there || !is_inside(roots, root_count, real)) {
        mc_fail(error, MC_ERROR_USAGE, "there is no such file in the folders that may be read");
        return NULL;
    }
    if (stat(real, &status) != 0 || (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))) {
        mc_fail(error, MC_ERROR_USAGE, "it is neither a file nor a folder");
        return NULL;
    }
    if (S_ISDIR(status.st_mode) && !is_folder_inside(roots, root_count, real, 0, &entries)) {
        mc_fail(error, MC_ERROR_USAGE,
                "something in the folder leads out of the folders that may be read");
        return NULL;
    }
    return mc_copy_string(real);
}
