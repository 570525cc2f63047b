#include "app/program_files.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

bool mc_program_append_path(mc_text *path, const char *name) {
    char program[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
    if (size <= 0) return false;
    program[size] = '\0';
    char *slash = strrchr(program, '/');
    if (!slash) return false;
    *slash = '\0';
    mc_text_format(path, "%s/../share/memcity/%s", program, name);
    return !path->failed && access(path->data, R_OK) == 0;
}
