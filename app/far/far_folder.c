#include "app/far/far_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define PREFIX "memcity-far-"
#define OPEN_MOST 16 // folders at once, while one is removed

static int remove_entry(const char *path, const struct stat *its, int kind, struct FTW *place) {
    (void)its;
    (void)kind;
    (void)place;
    return remove(path) == 0 ? 0 : -1;
}

void mc_far_folder_remove_tree(const char *path) {
    nftw(path, remove_entry, OPEN_MOST, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static int lock(const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
    close(fd);
    return -1;
}

// Only what is the user's own and nobody works in.
static void remove_left(const char *parent) {
    DIR *entries = opendir(parent);
    for (struct dirent *entry; entries && (entry = readdir(entries));) {
        mc_text path = {0};
        struct stat its;
        if (strncmp(entry->d_name, PREFIX, strlen(PREFIX)) != 0) continue;
        mc_text_format(&path, "%s/%s", parent, entry->d_name);
        int fd = path.failed ? -1 : lock(path.data);
        bool is_own = fd >= 0 && fstat(fd, &its) == 0 && its.st_uid == geteuid() &&
                      (its.st_mode & (S_IRWXG | S_IRWXO)) == 0;
        if (is_own) mc_far_folder_remove_tree(path.data);
        if (fd >= 0) close(fd);
        mc_text_deinit(&path);
    }
    if (entries) closedir(entries);
}

mc_result mc_far_folder_make(mc_far_folder *folder, mc_error *error) {
    const char *parents[] = {getenv("TMPDIR"), "/var/tmp", "/tmp"};
    int reason = ENOENT;
    *folder = (mc_far_folder){.fd = -1};
    for (size_t i = 0; i < sizeof parents / sizeof *parents; i++) {
        if (!parents[i] || parents[i][0] != '/') continue;
        int size = snprintf(folder->path, sizeof folder->path, "%s/" PREFIX "XXXXXX", parents[i]);
        if (size < 0 || (size_t)size >= sizeof folder->path) continue;
        remove_left(parents[i]);
        bool is_made = mkdtemp(folder->path) != NULL;
        if (is_made) folder->fd = lock(folder->path);
        if (folder->fd >= 0) return MC_OK;
        reason = errno;
        if (is_made) rmdir(folder->path); // another call may have taken it for one that is left
    }
    folder->path[0] = '\0';
    return mc_fail(error, MC_ERROR_IO, "can't make a folder in TMPDIR, /var/tmp or /tmp: %s",
                   strerror(reason));
}

void mc_far_folder_remove(mc_far_folder *folder) {
    if (folder->path[0]) mc_far_folder_remove_tree(folder->path);
    if (folder->path[0] && folder->fd >= 0) close(folder->fd);
    *folder = (mc_far_folder){.fd = -1};
}
