#include "engine/base/free_memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#define LINE_SIZE 512
#define PATH_SIZE 768

// The number behind `key` in a file of lines "key number …"; with an empty key the first number.
static bool read_number(const char *path, const char *key, uint64_t *number) {
    char line[LINE_SIZE];
    size_t size = strlen(key);
    bool is_found = false;
    FILE *file = fopen(path, "re");
    while (file && !is_found && fgets(line, sizeof line, file))
        is_found = strncmp(line, key, size) == 0 && sscanf(line + size, " %" SCNu64, number) == 1;
    if (file) fclose(file);
    return is_found;
}

// Below which the control group's files are; false: it is in none.
static bool find_group(char path[PATH_SIZE]) {
    char line[LINE_SIZE];
    bool is_found = false;
    FILE *file = fopen("/proc/self/cgroup", "re");
    while (file && !is_found && fgets(line, sizeof line, file)) {
        is_found = strncmp(line, "0::/", 4) == 0;
        line[strcspn(line, "\n")] = '\0';
        if (is_found) snprintf(path, PATH_SIZE, "/sys/fs/cgroup%s", line + 3);
    }
    if (file) fclose(file);
    return is_found;
}

static bool read_group(const char *folder, const char *name, const char *key, uint64_t *number) {
    char path[PATH_SIZE + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return read_number(path, key, number);
}

// What a limit of this process leaves, by what /proc/self/status says is in use.
static uint64_t get_left(const struct rlimit *limit, const char *used_key) {
    uint64_t used_kib;
    if (limit->rlim_cur == RLIM_INFINITY || !read_number("/proc/self/status", used_key, &used_kib))
        return UINT64_MAX;
    uint64_t used = used_kib * 1024, most = limit->rlim_cur;
    return most > used ? most - used : 1;
}

static uint64_t get_least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t get_of_system(void) {
    char group[PATH_SIZE];
    uint64_t kib, most, used, cached = 0;
    if (!read_number("/proc/meminfo", "MemAvailable:", &kib)) return 0;
    uint64_t available = kib * 1024;
    // Without a limit there is a word instead of a number.
    if (!find_group(group) || !read_group(group, "memory.max", "", &most) ||
        !read_group(group, "memory.current", "", &used))
        return available;
    if (!read_group(group, "memory.stat", "inactive_file ", &cached)) cached = 0;
    used = used > cached ? used - cached : 0;
    return get_least(most > used ? most - used : 1, available);
}

uint64_t mc_free_memory_get(void) {
    struct rlimit limit;
    uint64_t least = UINT64_MAX;
    if (getrlimit(RLIMIT_AS, &limit) == 0) least = get_left(&limit, "VmSize:");
    if (getrlimit(RLIMIT_DATA, &limit) == 0) least = get_least(least, get_left(&limit, "VmData:"));
    uint64_t of_system = get_of_system();
    if (of_system == 0) return least == UINT64_MAX ? 0 : least;
    return get_least(of_system, least);
}
