#include "engine/live/process.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

bool mc_process_read(uint32_t pid, uint64_t *start_ticks, char *name, size_t name_size) {
    char path[64], line[1024];
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/stat", pid);
    FILE *file = fopen(path, "re");
    if (!file) return false;
    size_t size = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[size] = '\0';
    // "pid (name) state …": the name may contain anything.
    char *open = strchr(line, '('), *close = strrchr(line, ')');
    if (!open || !close || close < open || close[1] != ' ') return false;
    char state = close[2];
    if (name) snprintf(name, name_size, "%.*s", (int)(close - open - 1), open + 1);
    const char *at = close + 2;
    for (int field = 3; field < 22 && at; field++) {
        at = strchr(at, ' ');
        if (at) at++;
    }
    if (!at) return false;
    *start_ticks = strtoull(at, NULL, 10);
    return state != 'Z' && state != 'X';
}

bool mc_process_read_file_name(uint32_t pid, char name[MC_PROCESS_NAME_SIZE]) {
    char link[64], path[PATH_MAX + 1];
    snprintf(link, sizeof link, "/proc/%" PRIu32 "/exe", pid);
    const ssize_t size = readlink(link, path, sizeof path - 1);
    if (size <= 0) return false;
    path[size] = '\0';
    char *deleted = strstr(path, " (deleted)");
    if (deleted) *deleted = '\0';
    const char *slash = strrchr(path, '/');
    snprintf(name, MC_PROCESS_NAME_SIZE, "%.255s", slash ? slash + 1 : path);
    return true;
}

size_t mc_process_read_arguments(uint32_t pid, char *arguments, size_t capacity) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/cmdline", pid);
    FILE *file = fopen(path, "re");
    const size_t size = file ? fread(arguments, 1, capacity - 1, file) : 0;
    if (file) fclose(file);
    arguments[size] = '\0';
    return size;
}

uint32_t mc_process_parse_pid(const char *name) {
    char *end;
    if (name[0] < '1' || name[0] > '9' || strlen(name) > 9) return 0;
    unsigned long pid = strtoul(name, &end, 10);
    return *end == '\0' ? (uint32_t)pid : 0;
}

double mc_process_get_uptime_s(uint64_t start_ticks) {
    struct timespec now; // since the machine's start, as /proc counts
    long ticks_per_s = sysconf(_SC_CLK_TCK);
    if (clock_gettime(CLOCK_BOOTTIME, &now) != 0 || ticks_per_s <= 0) return 0;
    double uptime_s =
        (double)now.tv_sec + (double)now.tv_nsec * 1e-9 - (double)start_ticks / (double)ticks_per_s;
    return uptime_s > 0 ? uptime_s : 0;
}

// ---- who it is

typedef struct status {
    unsigned users[4], groups[4];  // real, effective, saved, of the file system
    uint64_t permitted, effective; // capabilities
} status;

static bool read_status(const char *process, status *found) {
    char path[64], line[256];
    int count = 0;
    snprintf(path, sizeof path, "/proc/%s/status", process);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        unsigned *user = found->users, *group = found->groups;
        count += sscanf(line, "Uid: %u %u %u %u", user, user + 1, user + 2, user + 3) == 4;
        count += sscanf(line, "Gid: %u %u %u %u", group, group + 1, group + 2, group + 3) == 4;
        count += sscanf(line, "CapPrm: %" SCNx64, &found->permitted) == 1;
        count += sscanf(line, "CapEff: %" SCNx64, &found->effective) == 1;
    }
    if (file) fclose(file);
    return count == 4;
}

static bool read_status_of(uint32_t pid, status *found) {
    char process[16];
    snprintf(process, sizeof process, "%" PRIu32, pid);
    return read_status(process, found);
}

static bool are_all(const unsigned ids[4], unsigned id) {
    return ids[0] == id && ids[1] == id && ids[2] == id && ids[3] == id;
}

bool mc_process_get_user(uint32_t pid, uint32_t *user, uint32_t *group, bool *is_ours) {
    status its;
    if (!read_status_of(pid, &its)) return false;
    *user = its.users[3];
    *group = its.groups[3];
    *is_ours = are_all(its.users, geteuid());
    return true;
}

// ---- what it sees

static bool is_same(uint32_t pid, const char *what) {
    char its_path[64], our_path[64];
    struct stat its, ours;
    snprintf(its_path, sizeof its_path, "/proc/%" PRIu32 "/%s", pid, what);
    snprintf(our_path, sizeof our_path, "/proc/self/%s", what);
    return stat(its_path, &its) == 0 && stat(our_path, &ours) == 0 && its.st_dev == ours.st_dev &&
           its.st_ino == ours.st_ino;
}

bool mc_process_sees_our_files(uint32_t pid) {
    return is_same(pid, "root") && is_same(pid, "ns/mnt");
}

bool mc_process_sees_our_network(uint32_t pid) {
    return is_same(pid, "ns/net");
}

bool mc_process_catches(uint32_t pid, int signal) {
    char path[64], line[256];
    uint64_t caught = 0;
    snprintf(path, sizeof path, "/proc/%" PRIu32 "/status", pid);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file))
        (void)sscanf(line, "SigCgt: %" SCNx64, &caught);
    if (file) fclose(file);
    return (caught >> (signal - 1) & 1) != 0;
}

// What the kernel asks of who looks at another process (ptrace(2), PTRACE_MODE_READ_FSCREDS).
bool mc_process_sees_our_descriptors(uint32_t pid) {
    status its, ours;
    if (!is_same(pid, "ns/pid") || !is_same(pid, "ns/user")) return false;
    if (!read_status_of(pid, &its) || !read_status("self", &ours)) return false;
    return are_all(ours.users, its.users[3]) && are_all(ours.groups, its.groups[3]) &&
           (ours.permitted & ~its.effective) == 0;
}
