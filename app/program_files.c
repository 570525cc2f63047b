#include "app/program_files.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

// Appends the path of one of `folders`, seen from the program's own, with the name in it.
static bool append_from(mc_text *path, const char *const *folders, const char *name) {
    char program[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    if (size <= 0) return false;
    program[size] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash) return false;
    *slash = '\0';
    size_t before = path->size;
    for (; *folders; folders++) {
        mc_text_format(path, "%s/%s%s", program, *folders, name);
        if (path->failed) return false;
        if (access(path->data + before, R_OK) == 0) return true;
        if (folders[1]) path->size = before;
    }
    return false;
}

bool mc_program_append_path(mc_text *path, const char *name) {
    return append_from(path, (const char *const[]){"../share/memcity/", "share/", NULL}, name);
}

bool mc_program_append_library(mc_text *path, const char *name) {
    return append_from(path, (const char *const[]){"", "../lib/memcity/", NULL}, name);
}
