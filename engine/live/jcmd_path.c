#include "engine/live/jcmd_path.h"

#include "engine/base/memory.h"
#include "engine/base/program_path.h"
#include "engine/live/process.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- whether others can change a path

// In a folder with the sticky bit others may add, but not replace what is ours or root's.
static bool is_safe(const struct stat *status) {
    if (status->st_uid != 0 && status->st_uid != geteuid()) return false;
    bool is_sticky = S_ISDIR(status->st_mode) && (status->st_mode & S_ISVTX) != 0;
    return is_sticky || (status->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

// `path`: absolute, without links. `*end`: how far it goes to what others can change.
static bool is_path_safe(char *path, size_t *end) {
    size_t size = strlen(path);
    for (*end = 1; *end <= size; (*end)++) {
        if (*end > 1 && path[*end] != '/' && path[*end] != '\0') continue;
        char kept = path[*end];
        struct stat status;
        path[*end] = '\0';
        bool is_ok = lstat(path, &status) == 0 && !S_ISLNK(status.st_mode) && is_safe(&status);
        path[*end] = kept;
        if (!is_ok) return false;
    }
    return true;
}

// ---- that of the target's JDK

// The library is HOME/lib/server/libjvm.so, in older JDKs HOME/jre/lib/amd64/server/libjvm.so.
static bool find_beside(const char *library, char *found, size_t size) {
    char home[PATH_MAX];
    snprintf(home, sizeof home, "%s", library);
    for (int level = 1; level <= 5; level++) {
        char *slash = strrchr(home, '/');
        if (!slash || slash == home) return false;
        *slash = '\0';
        snprintf(found, size, "%s/bin/jcmd", home);
        if (level >= 3 && mc_program_is_there(found)) return true;
    }
    return false;
}

// The path without links is the one that is looked at and run: nobody can put another one in
// between. jcmd loads its libraries from where the JVM's own is.
static bool check_beside(uint32_t pid, const char *beside, const char *library, char *resolved,
                         char reason[MC_JCMD_REASON_SIZE]) {
    char other[PATH_MAX];
    size_t end;
    uint32_t user, group;
    bool is_ours = false;
    if (!mc_process_get_user(pid, &user, &group, &is_ours) || !is_ours) {
        snprintf(reason, MC_JCMD_REASON_SIZE, "process %" PRIu32 " is another user's", pid);
    } else if (!mc_process_sees_our_files(pid)) {
        snprintf(reason, MC_JCMD_REASON_SIZE, "process %" PRIu32 " sees other files (a container?)",
                 pid);
    } else if (!realpath(beside, resolved) || !realpath(library, other)) {
        snprintf(reason, MC_JCMD_REASON_SIZE, "%.300s: %s", beside, strerror(errno));
    } else if (!is_path_safe(resolved, &end)) {
        snprintf(reason, MC_JCMD_REASON_SIZE, "others can change %.*s", end < 300 ? (int)end : 300,
                 resolved);
    } else if (!is_path_safe(other, &end)) {
        snprintf(reason, MC_JCMD_REASON_SIZE, "others can change %.*s", end < 300 ? (int)end : 300,
                 other);
    } else {
        return true;
    }
    return false;
}

// ---- that of the environment

static bool find_in_environment(mc_text *found) {
    const char *home = getenv("JAVA_HOME");
    mc_text_format(found, "%s/bin/jcmd", home ? home : "");
    if (home && !found->failed && mc_program_is_there(found->data)) return true;
    return mc_program_find("jcmd", found);
}

static mc_result take(const char *found, char **path, mc_error *error) {
    *path = mc_copy_string(found);
    return *path ? MC_OK : mc_error_out_of_memory(error);
}

mc_result mc_jcmd_find(uint32_t pid, const char *library, char **path,
                       char reason[MC_JCMD_REASON_SIZE], mc_error *error) {
    char beside[PATH_MAX + 16], found[PATH_MAX + 16];
    reason[0] = '\0';
    *path = NULL;
    bool is_there = find_beside(library, beside, sizeof beside);
    if (is_there && check_beside(pid, beside, library, found, reason))
        return take(found, path, error);
    mc_text other = {0};
    mc_result result =
        find_in_environment(&other) ? take(other.data, path, error) : MC_ERROR_UNSUPPORTED;
    mc_text_deinit(&other);
    if (result != MC_ERROR_UNSUPPORTED) return result;
    return mc_fail(
        error, MC_ERROR_UNSUPPORTED,
        "there is no jcmd in JAVA_HOME or PATH%s%s; a JDK has one, a JRE has not; --jcmd FILE "
        "names one",
        is_there ? ", and that of the program's JDK is not run: " : "", reason);
}
