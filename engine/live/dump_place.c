#include "engine/live/dump_place.h"

#include "engine/live/process.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FOLDER_PREFIX "memcity-heap-"
#define NAME_SIZE 12       // random characters behind it: 60 bits
#define DUMP "heap.hprof"  // and what JVMs call the parts of one: heap.hprof.p0 …
#define INNER "of-the-jvm" // the folder in ours for a JVM of another user
#define KEEPER_TRIES 100   // a JVM that still writes makes parts while they are removed
#define KEEPER_PAUSE_MS 10
#define OPEN_FOLDER (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static mc_result fail(mc_error *error, mc_result code, const char *folder, const char *what) {
    return mc_fail(error, code, "%s: %s; --temporary FOLDER names another", folder, what);
}

static void close_descriptor(int *fd) {
    if (*fd >= 0) close(*fd);
    *fd = -1;
}

// ---- what is removed

// Only what a JVM calls a dump and its parts.
static void empty(int folder) {
    int own = openat(folder, ".", OPEN_FOLDER);
    DIR *entries = own >= 0 ? fdopendir(own) : NULL;
    if (!entries && own >= 0) close(own);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        if (strncmp(entry->d_name, DUMP, sizeof DUMP - 1) == 0) unlinkat(folder, entry->d_name, 0);
    if (entries) closedir(entries);
}

// True: it is gone.
static bool remove_folder(int parent, const char *name, int outer) {
    int inner = openat(outer, INNER, OPEN_FOLDER);
    if (inner >= 0) {
        empty(inner);
        close(inner);
        unlinkat(outer, INNER, AT_REMOVEDIR);
    }
    empty(outer);
    return unlinkat(parent, name, AT_REMOVEDIR) == 0 || errno == ENOENT;
}

static void remove_surely(int parent, const char *name, int outer) {
    for (int i = 0; i < KEEPER_TRIES && !remove_folder(parent, name, outer); i++)
        poll(NULL, 0, KEEPER_PAUSE_MS);
}

// ---- what recorders left that were killed with their keepers

static bool is_our_name(const char *name) {
    const size_t prefix = sizeof FOLDER_PREFIX - 1;
    return strncmp(name, FOLDER_PREFIX, prefix) == 0 && strlen(name) == prefix + NAME_SIZE &&
           strspn(name + prefix, "abcdefghijklmnopqrstuvwxyz234567") == NAME_SIZE;
}

// A folder is ours by its name, owner and mode; who uses it holds its lock.
static bool remove_left(int parent, const char *name) {
    struct stat status;
    int outer = is_our_name(name) ? openat(parent, name, OPEN_FOLDER) : -1;
    if (outer < 0) return false;
    bool is_ours = fstat(outer, &status) == 0 && status.st_uid == geteuid() &&
                   (status.st_mode & 05066) == 0; // may have its parent's group
    bool is_left = is_ours && flock(outer, LOCK_EX | LOCK_NB) == 0;
    bool is_gone = is_left && remove_folder(parent, name, outer);
    close(outer);
    return is_gone;
}

static void remove_all_left(const mc_dump_place *place, const mc_log *log) {
    uint32_t count = 0;
    int own = openat(place->parent, ".", OPEN_FOLDER);
    DIR *entries = own >= 0 ? fdopendir(own) : NULL;
    if (!entries && own >= 0) close(own);
    for (struct dirent *entry; entries && (entry = readdir(entries));)
        count += remove_left(place->parent, entry->d_name);
    if (entries) closedir(entries);
    if (count > 0)
        mc_log_write(log, MC_LOG_WARNING, "%s: removed what %" PRIu32 " killed %s left there",
                     place->path, count, count == 1 ? "recording" : "recordings");
}

// ---- the place

// jcmd joins its arguments to a line that the JVM takes apart again, with quotes, commas, = and %
// of its own, in the encoding of its own locale.
static bool is_plain(const char *path) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@:~";
    return path[strspn(path, plain)] == '\0' && strlen(path) < 512;
}

// What the process has under this path, wherever its root is; -1: nothing, or it can't be looked at
// (errno EACCES).
static int open_as_seen(uint32_t pid, const char *path) {
    char root_path[64];
    struct open_how how = {.flags = O_PATH | O_DIRECTORY | O_CLOEXEC, .resolve = RESOLVE_IN_ROOT};
    snprintf(root_path, sizeof root_path, "/proc/%" PRIu32 "/root", pid);
    int root = open(root_path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) return -1;
    int fd = (int)syscall(SYS_openat2, root, path, &how, sizeof how);
    int code = errno;
    close(root);
    errno = code;
    return fd;
}

static bool is_same_folder(int a, int b) {
    struct stat x, y;
    return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static mc_result choose_way(mc_dump_place *place, uint32_t pid, mc_error *error) {
    int seen = open_as_seen(pid, place->path);
    bool is_unknown = seen < 0 && errno != ENOENT && errno != ENOTDIR;
    bool is_same = is_unknown || (seen >= 0 && is_same_folder(seen, place->parent));
    mc_result result = MC_OK;
    if (is_same && is_plain(place->path)) {
        // by its name
    } else if (mc_process_sees_our_descriptors(pid)) {
        place->is_by_descriptor = true;
    } else if (is_same) {
        result = fail(error, MC_ERROR_UNSUPPORTED, place->path,
                      "jcmd can't name such a folder to a JVM");
    } else if (seen < 0) {
        result = fail(error, MC_ERROR_UNSUPPORTED, place->path,
                      "the program sees other files, and has no such folder");
    } else if (!is_plain(place->path)) {
        result = fail(error, MC_ERROR_UNSUPPORTED, place->path,
                      "the program sees other files, and jcmd can't name such a folder to it");
    } else {
        close(place->parent);
        place->parent = seen;
        return MC_OK;
    }
    if (seen >= 0) close(seen);
    return result;
}

mc_result mc_dump_place_init(mc_dump_place *place, uint32_t pid, const char *folder,
                             const mc_log *log, mc_error *error) {
    bool is_ours;
    *place = (mc_dump_place){.parent = -1};
    // The JVM is somewhere else. What is no folder here may be one there.
    if (!realpath(folder, place->path)) snprintf(place->path, sizeof place->path, "%s", folder);
    place->parent = open(place->path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (place->parent < 0 && place->path[0] == '/') place->parent = open_as_seen(pid, place->path);
    if (place->parent < 0) return fail(error, MC_ERROR_IO, folder, strerror(errno));
    if (!mc_process_get_user(pid, &place->user, &place->group, &is_ours))
        return mc_fail(error, MC_ERROR_IO, "process %" PRIu32 " has ended", pid);
    place->is_shared = place->user != geteuid();
    mc_result result = choose_way(place, pid, error);
    if (result == MC_OK) remove_all_left(place, log);
    return result;
}

void mc_dump_place_deinit(mc_dump_place *place) {
    close_descriptor(&place->parent);
}

// ---- a folder

static bool choose_name(char *name, size_t size) {
    unsigned char bytes[NAME_SIZE];
    char random[NAME_SIZE + 1] = {0};
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return false;
    for (int i = 0; i < NAME_SIZE; i++)
        random[i] = "abcdefghijklmnopqrstuvwxyz234567"[bytes[i] % 32];
    snprintf(name, size, "%s%s", FOLDER_PREFIX, random);
    return true;
}

// Another recorder may take it for one that was left, before it is locked: then there is another
// one to be made. Where there are no locks, nothing is ever taken for left.
static bool is_held(int outer) {
    struct stat status;
    bool is_taken = flock(outer, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    return !is_taken && fstat(outer, &status) == 0 && status.st_nlink > 0;
}

static bool make_outer(mc_dump *dump) {
    const mc_dump_place *place = dump->place;
    while (dump->outer < 0) {
        if (!choose_name(dump->name, sizeof dump->name)) return false;
        if (mkdirat(place->parent, dump->name, 0700) != 0) {
            if (errno == EEXIST) continue;
            return false;
        }
        dump->outer = openat(place->parent, dump->name, OPEN_FOLDER);
        if (dump->outer < 0 && errno != ENOENT) return false;
        if (dump->outer >= 0 && !is_held(dump->outer)) close_descriptor(&dump->outer);
    }
    return true;
}

// Ours can be entered, but only its part for the JVM be written.
static bool make_inner(mc_dump *dump) {
    const mc_dump_place *place = dump->place;
    if (fchmod(dump->outer, 0711) != 0 || mkdirat(dump->outer, INNER, 0700) != 0) return false;
    dump->folder = openat(dump->outer, INNER, OPEN_FOLDER);
    return dump->folder >= 0 && fchown(dump->folder, place->user, place->group) == 0;
}

static bool make_folders(mc_dump *dump) {
    const mc_dump_place *place = dump->place;
    if (!make_outer(dump)) return false;
    if (place->is_shared) {
        if (!make_inner(dump)) return false;
    } else {
        dump->folder = fcntl(dump->outer, F_DUPFD_CLOEXEC, 0);
        if (dump->folder < 0) return false;
    }
    int size = place->is_by_descriptor
                   ? snprintf(dump->path, sizeof dump->path, "/proc/%d/fd/%d/" DUMP, (int)getpid(),
                              dump->folder)
                   : snprintf(dump->path, sizeof dump->path, "%s/%s/%s" DUMP, place->path,
                              dump->name, place->is_shared ? INNER "/" : "");
    return size > 0 && (size_t)size < sizeof dump->path;
}

// ---- the keeper

// Waits until nobody has the pipe's other end any more.
static _Noreturn void keep(const mc_dump *dump, int pipe) {
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &ignore, NULL);
    setsid(); // what is sent to the recorder's group or terminal is not for us
    prctl(PR_SET_NAME, "memcity-keeper");
    // Nothing else stays open: files that are locked, pipes whose end somebody waits for.
    enum { LEAST = 3 };
    const int from[LEAST] = {pipe, dump->place->parent, dump->outer};
    int moved[LEAST];
    for (int i = 0; i < LEAST; i++)
        moved[i] = fcntl(from[i], F_DUPFD, LEAST);
    for (int i = 0; i < LEAST; i++)
        if (moved[i] < 0 || dup2(moved[i], i) < 0) _exit(1);
    close_range(LEAST, UINT_MAX, 0);
    char byte;
    while (read(0, &byte, 1) != 0 && errno == EINTR)
        continue;
    remove_surely(1, dump->name, 2);
    _exit(0);
}

// Without one, the next recording has more to do.
static void start_keeper(mc_dump *dump) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return;
    dump->keeper = fork();
    if (dump->keeper == 0) keep(dump, ends[0]);
    close(ends[0]);
    dump->keeper_pipe = ends[1];
    if (dump->keeper > 0) return;
    dump->keeper = 0;
    close_descriptor(&dump->keeper_pipe);
}

// ---- a dump

mc_result mc_dump_begin(mc_dump *dump, const mc_dump_place *place, mc_error *error) {
    *dump = (mc_dump){.place = place, .outer = -1, .folder = -1, .keeper_pipe = -1, .file = -1};
    if (!make_folders(dump)) {
        char what[256];
        snprintf(what, sizeof what, "can't make a folder there: %s", strerror(errno));
        return fail(error, MC_ERROR_IO, place->path, what);
    }
    start_keeper(dump);
    return MC_OK;
}

bool mc_dump_take(mc_dump *dump) {
    struct stat status;
    if (dump->file >= 0 || dump->folder < 0) return dump->file >= 0;
    int fd = openat(dump->folder, DUMP, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd < 0) return false;
    // Where another user can write, that another file lies there is possible.
    bool is_dump = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
                   status.st_uid == dump->place->user && status.st_nlink == 1;
    if (is_dump && unlinkat(dump->folder, DUMP, 0) == 0)
        dump->file = fd;
    else
        close(fd);
    return dump->file >= 0;
}

void mc_dump_end(mc_dump *dump) {
    if (dump->keeper > 0) {
        close_descriptor(&dump->keeper_pipe);
        while (waitpid(dump->keeper, NULL, 0) < 0 && errno == EINTR)
            continue;
    }
    // Mostly gone by now.
    if (dump->outer >= 0) remove_surely(dump->place->parent, dump->name, dump->outer);
    close_descriptor(&dump->file);
    close_descriptor(&dump->folder);
    close_descriptor(&dump->outer);
}
