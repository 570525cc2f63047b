#include "engine/live/run_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define SHARED "/tmp"
#define PARENT_PREFIX "memcity-" // and the user's number
#define PREFIX "memcity-run-"
#define EARLIER_PREFIX "memcity-live-" // of versions that locked nothing; and the process's number
#define PARENT_MOST 60u                // bytes of its path
#define OPEN_FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define OTHERS (S_IRWXG | S_IRWXO)

static mc_result fail(const char *doing, const char *path, mc_error *error) {
    return mc_fail(error, MC_ERROR_IO, "can't %s %s: %s", doing, path, strerror(errno));
}

static bool is_private(const struct stat *its) {
    return S_ISDIR(its->st_mode) && its->st_uid == geteuid() && (its->st_mode & OTHERS) == 0;
}

// ---- what is left

static void empty(int folder) {
    static const char *const files[] = {MC_RUN_SOCKET,           MC_RUN_SECRET,
                                        MC_RUN_RECORDING,        MC_RUN_RECORDING "-journal",
                                        MC_RUN_RECORDING "-wal", MC_RUN_RECORDING "-shm",
                                        MC_RUN_METHODS,          MC_RUN_METHODS "-journal",
                                        MC_RUN_METHODS "-wal",   MC_RUN_METHODS "-shm"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlinkat(folder, files[i], 0);
}

static bool begins_with(const char *name, const char *prefix) {
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

// Nobody listens at it any more. That is asked by way of a datagram, which a stream's socket
// refuses otherwise if it lives, in whatever namespace, and without noticing.
static bool is_socket_dead(const char *parent, const char *name) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int size =
        snprintf(address.sun_path, sizeof address.sun_path, "%s/%s/" MC_RUN_SOCKET, parent, name);
    if (size < 0 || (size_t)size >= sizeof address.sun_path) return false;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return false;
    bool is_dead = connect(fd, (const struct sockaddr *)&address, sizeof address) != 0 &&
                   errno == ECONNREFUSED;
    close(fd);
    return is_dead;
}

// A process that is not seen may run nevertheless, in another PID namespace.
static bool is_earlier_left(const char *parent, const char *name) {
    long pid = strtol(name + strlen(EARLIER_PREFIX), NULL, 10);
    return pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH && is_socket_dead(parent, name);
}

// Who uses a folder has its lock.
static void remove_if_left(int parent, const char *parent_path, const char *name) {
    bool is_earlier = begins_with(name, EARLIER_PREFIX);
    struct stat its;
    if (!is_earlier && !begins_with(name, PREFIX)) return;
    int folder = openat(parent, name, OPEN_FOLDER);
    if (folder < 0) return;
    bool is_left = fstat(folder, &its) == 0 && is_private(&its) &&
                   flock(folder, LOCK_EX | LOCK_NB) == 0 &&
                   (!is_earlier || is_earlier_left(parent_path, name));
    if (is_left) {
        empty(folder);
        unlinkat(parent, name, AT_REMOVEDIR);
    }
    close(folder);
}

static void remove_left(int parent, const char *path) {
    int own = openat(parent, ".", OPEN_FOLDER);
    DIR *entries = own >= 0 ? fdopendir(own) : NULL;
    if (!entries && own >= 0) close(own);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        remove_if_left(parent, path, entry->d_name);
    if (entries) closedir(entries);
}

// ---- where it lies

static bool is_plain(const char *path) {
    return path && path[0] == '/' && strlen(path) < PARENT_MOST && !strpbrk(path, " ;,\"'\\=\t\n");
}

// -1: there is none that is ours alone.
static int open_runtime(char path[PARENT_MOST]) {
    const char *given = getenv("XDG_RUNTIME_DIR");
    struct stat its;
    int fd = is_plain(given) ? open(given, OPEN_FOLDER) : -1;
    if (fd < 0) return -1;
    if (fstat(fd, &its) != 0 || !is_private(&its) || faccessat(fd, ".", W_OK, 0) != 0) {
        close(fd);
        return -1;
    }
    snprintf(path, PARENT_MOST, "%s", given);
    return fd;
}

static mc_result refuse(const char *path, const struct stat *its, const char *wanted,
                        mc_error *error) {
    return mc_fail(error, MC_ERROR_IO,
                   "%s: expected %s, found user %u and mode %04o; XDG_RUNTIME_DIR may name "
                   "another folder that only you can enter",
                   path, wanted, (unsigned)its->st_uid, (unsigned)its->st_mode & 07777u);
}

// Anybody may have made one of its name. Once it is ours, nobody else can take it away, as the
// folder that it is in is sticky.
static mc_result make_parent(int shared, char path[PARENT_MOST], int *parent, mc_error *error) {
    struct stat its;
    if (fstat(shared, &its) != 0) return fail("read", SHARED, error);
    if ((its.st_mode & (S_IWGRP | S_IWOTH)) != 0 && (its.st_mode & S_ISVTX) == 0)
        return refuse(SHARED, &its, "mode 1777, so that nobody renames what is another's", error);
    snprintf(path, PARENT_MOST, SHARED "/" PARENT_PREFIX "%u", (unsigned)geteuid());
    const char *name = path + sizeof SHARED;
    if (mkdirat(shared, name, 0700) != 0 && errno != EEXIST) return fail("make", path, error);
    if (fstatat(shared, name, &its, AT_SYMLINK_NOFOLLOW) != 0) return fail("read", path, error);
    if (!is_private(&its))
        return refuse(path, &its, "a folder of yours that only you can enter (mode 0700)", error);
    *parent = openat(shared, name, OPEN_FOLDER);
    if (*parent < 0 || fstat(*parent, &its) != 0 || !is_private(&its))
        return fail("open", path, error);
    return MC_OK;
}

static mc_result open_parent(char path[PARENT_MOST], int *parent, mc_error *error) {
    *parent = open_runtime(path);
    if (*parent >= 0) return MC_OK;
    int shared = open(SHARED, OPEN_FOLDER & ~O_NOFOLLOW);
    if (shared < 0) return fail("open", SHARED, error);
    mc_result result = make_parent(shared, path, parent, error);
    if (result == MC_OK) remove_left(shared, SHARED); // of earlier versions
    close(shared);
    return result;
}

// ---- the folder

// Another run may take it for one that was left, before it is locked. Where there are no locks,
// nothing is ever taken for left.
static bool is_held(int folder) {
    struct stat its;
    bool is_taken = flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    return !is_taken && fstat(folder, &its) == 0 && its.st_nlink > 0;
}

static mc_result make_in(mc_run_folder *self, const char *parent, mc_error *error) {
    for (;;) {
        snprintf(self->path, sizeof self->path, "%s/" PREFIX "XXXXXX", parent);
        bool is_made = mkdtemp(self->path) != NULL;
        self->fd = is_made ? open(self->path, OPEN_FOLDER) : -1;
        if (self->fd >= 0 && is_held(self->fd)) return MC_OK;
        if (self->fd >= 0) {
            close(self->fd);
        } else if (!is_made || errno != ENOENT) {
            mc_result result = fail("make", self->path, error);
            if (is_made) rmdir(self->path);
            self->path[0] = '\0';
            return result;
        }
    }
}

mc_result mc_run_folder_make(mc_run_folder *folder, mc_error *error) {
    char path[PARENT_MOST] = "";
    int parent = -1;
    *folder = (mc_run_folder){.fd = -1};
    mc_result result = open_parent(path, &parent, error);
    if (result == MC_OK) {
        remove_left(parent, path);
        result = make_in(folder, path, error);
    }
    if (parent >= 0) close(parent);
    return result;
}

void mc_run_folder_remove(mc_run_folder *folder) {
    if (!folder->path[0]) return;
    empty(folder->fd);
    rmdir(folder->path);
    close(folder->fd);
    *folder = (mc_run_folder){.fd = -1};
}
