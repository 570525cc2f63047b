#include "app/far/far_paths.h"

#include "engine/base/printable.h"
#include <dirent.h>
#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEPTH_MOST 16 // of folders in a folder

// A pattern's special characters in the home folder's own name stand for themselves.
static void append_home(mc_text *out, bool is_pattern) {
    const char *home = getenv("HOME");
    for (; home && *home; home++) {
        if (is_pattern && strchr("*?[\\", *home)) mc_text_append(out, "\\", 1);
        mc_text_append(out, home, 1);
    }
}

static void make_absolute(const char *path, bool is_pattern, mc_text *out) {
    mc_text_clear(out);
    bool is_home = path[0] == '~' && (path[1] == '/' || path[1] == '\0');
    if (is_home) append_home(out, is_pattern);
    mc_text_append_string(out, is_home ? path + 1 : path);
}

mc_result mc_far_paths_expand(const char *pattern, mc_text *paths, uint32_t *count,
                              mc_error *error) {
    mc_text whole = {0};
    glob_t found = {0};
    mc_result result = MC_OK;
    make_absolute(pattern, false, &whole);
    if (!whole.failed && access(whole.data, F_OK) == 0) {
        mc_text_append(paths, whole.data, whole.size + 1);
        (*count)++;
    } else {
        int reason = errno;
        make_absolute(pattern, true, &whole);
        int state = whole.failed ? GLOB_NOSPACE : glob(whole.data, 0, NULL, &found);
        for (size_t i = 0; state == 0 && i < found.gl_pathc; i++)
            mc_text_append(paths, found.gl_pathv[i], strlen(found.gl_pathv[i]) + 1);
        if (state == 0) *count += (uint32_t)found.gl_pathc;
        mc_excerpt shown;
        if (state == GLOB_NOMATCH)
            result = mc_fail(error, MC_ERROR_IO, "%s: %s",
                             mc_excerpt_make(&shown, pattern, strlen(pattern)),
                             strpbrk(pattern, "*?[") ? "no file matches" : strerror(reason));
        else if (state != 0)
            result = mc_error_out_of_memory(error);
        globfree(&found);
    }
    mc_text_deinit(&whole);
    return result == MC_OK && paths->failed ? mc_error_out_of_memory(error) : result;
}

static void identify(const char *path, int depth, mc_text *out) {
    struct stat its;
    if (stat(path, &its) != 0) return;
    mc_text_format(out, "%llu %lld.%09ld %llu %llu %s\n", (unsigned long long)its.st_size,
                   (long long)its.st_mtim.tv_sec, (long)its.st_mtim.tv_nsec,
                   (unsigned long long)its.st_dev, (unsigned long long)its.st_ino, path);
    struct dirent **entries = NULL;
    int count =
        S_ISDIR(its.st_mode) && depth < DEPTH_MOST ? scandir(path, &entries, NULL, alphasort) : 0;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        mc_text below = {0};
        mc_text_format(&below, "%s/%s", path, name);
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !below.failed)
            identify(below.data, depth + 1, out);
        mc_text_deinit(&below);
        free(entries[i]);
    }
    free(entries);
}

void mc_far_paths_identify(const char *path, mc_text *out) {
    identify(path, 0, out);
}
