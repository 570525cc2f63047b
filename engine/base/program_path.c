#include "engine/base/program_path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool mc_program_is_there(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

bool mc_program_find(const char *name, mc_text *path) {
    const char *folder = getenv("PATH");
    if (!folder) folder = "/bin:/usr/bin";
    while (*folder) {
        size_t size = strcspn(folder, ":");
        mc_text_clear(path);
        mc_text_append(path, size > 0 ? folder : ".", size > 0 ? size : 1);
        mc_text_format(path, "/%s", name);
        if (path->failed) return false;
        if (mc_program_is_there(path->data)) return true;
        folder += size + (folder[size] == ':');
    }
    return false;
}

bool mc_program_find_own(mc_text *path) {
    char found[PATH_MAX];
    const char *started = getenv(MC_OWN_PROGRAM);
    mc_text_clear(path);
    if (started && mc_program_is_there(started)) {
        mc_text_append_string(path, started);
        return !path->failed;
    }
    ssize_t size = readlink("/proc/self/exe", found, sizeof found);
    if (size <= 0 || (size_t)size == sizeof found) return false;
    mc_text_append(path, found, (size_t)size);
    return !path->failed;
}
