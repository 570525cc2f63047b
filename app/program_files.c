#include "app/program_files.h"

#include "engine/base/program_path.h"
#include <string.h>
#include <unistd.h>

// Appends the path of one of `folders`, seen from the program's own, with the name in it.
static bool append_from(mc_text *path, const char *const *folders, const char *name) {
    mc_text program = {0};
    size_t before = path->size;
    bool is_known = mc_program_find_own(&program), is_there = false;
    char *slash = is_known ? strrchr(program.data, '/') : NULL;
    if (slash) *slash = '\0';
    for (; slash && *folders && !is_there; folders++) {
        path->size = before;
        mc_text_format(path, "%s/%s%s", program.data, *folders, name);
        is_there = !path->failed && access(path->data + before, R_OK) == 0;
    }
    mc_text_deinit(&program);
    return is_there;
}

bool mc_program_append_path(mc_text *path, const char *name) {
    return append_from(path, (const char *const[]){"../share/memcity/", "share/", NULL}, name);
}

bool mc_program_append_library(mc_text *path, const char *name) {
    return append_from(path, (const char *const[]){"", "../lib/memcity/", NULL}, name);
}
