#include "engine/live/jvm_list.h"

#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/live/jvm.h"
#include "engine/live/perf_data.h"
#include "engine/live/process.h"
#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FOLDER "/tmp"
#define PREFIX "hsperfdata_"
#define LOOKED_MOST 100000 // names in a folder
#define ARGUMENTS_MOST 65536
#define COUNTERS_MOST (1 << 20) // bytes of a file of counters: usually 32 KiB

static bool is_one_of(const char *text, const char *const *items) {
    while (*items && strcmp(text, *items) != 0)
        items++;
    return *items != NULL;
}

void mc_jvm_get_program(const char *arguments, size_t size, char name[MC_PROGRAM_NAME_SIZE]) {
    static const char *const with_value[] = {"-cp",
                                             "-classpath",
                                             "--class-path",
                                             "-p",
                                             "--module-path",
                                             "--upgrade-module-path",
                                             "--add-modules",
                                             "--add-exports",
                                             "--add-opens",
                                             "--add-reads",
                                             "--limit-modules",
                                             "--patch-module",
                                             NULL};
    const char *end = arguments + size, *slash = NULL, *found = "java";
    if (memchr(arguments, '\0', size)) {
        slash = strrchr(arguments, '/');
        found = slash ? slash + 1 : arguments;
        if (!found[0]) found = "java";
    }
    // A tool of the JDK runs itself, and takes others' names and numbers.
    bool is_java = strcmp(found, "java") == 0, skips = true; // its own name, values of options
    for (const char *at = arguments; is_java && at < end;) {
        size_t length = strnlen(at, (size_t)(end - at));
        if (at + length == end) break; // cut off
        if (skips) {
            skips = false;
        } else if (strcmp(at, "-jar") == 0 || strcmp(at, "-m") == 0 ||
                   strcmp(at, "--module") == 0) {
            // What comes is the program, though it may look like anything.
        } else if (is_one_of(at, with_value)) {
            skips = true;
        } else if (at[0] != '-' && at[0] != '@') {
            slash = strrchr(at, '/');
            bool is_archive = length > 4 && strcmp(at + length - 4, ".jar") == 0;
            found = slash && slash[1] && is_archive ? slash + 1 : at;
            break;
        }
        at += length + 1;
    }
    (void)mc_printable_copy(name, MC_PROGRAM_NAME_SIZE, found, strlen(found));
}

bool mc_jvm_read_program(uint32_t pid, char name[MC_PROGRAM_NAME_SIZE]) {
    char *bytes = mc_alloc(ARGUMENTS_MOST, 1);
    size_t size = bytes ? mc_process_read_arguments(pid, bytes, ARGUMENTS_MOST) : 0;
    if (size > 0) mc_jvm_get_program(bytes, size, name);
    mc_free(bytes);
    return size > 0;
}

static bool read_program(uint32_t pid, char name[MC_PROGRAM_NAME_SIZE]) {
    static const char *const tools[] = {"jcmd", "jps", "jstat", "jmap", "jstack", "jinfo", NULL};
    return mc_jvm_read_program(pid, name) && !is_one_of(name, tools); // which are gone in a moment
}

// By the counters that the JVM keeps in this file.
static uint64_t read_heap(int folder, const char *name) {
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat status;
    if (file < 0) return 0;
    bool is_fine = fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0 &&
                   status.st_size <= COUNTERS_MOST;
    uint8_t *bytes = is_fine ? mc_alloc((size_t)status.st_size, 1) : NULL;
    ssize_t size = bytes ? read(file, bytes, (size_t)status.st_size) : 0;
    uint64_t used = size > 0 ? mc_perf_data_get_heap_used(bytes, (size_t)size) : 0;
    mc_free(bytes);
    close(file);
    return used;
}

static uint32_t list_folder(const char *path, mc_program *entries, uint32_t count,
                            uint32_t capacity) {
    DIR *stream = opendir(path);
    struct dirent *file;
    for (int looked = 0; stream && looked < LOOKED_MOST && (file = readdir(stream)); looked++) {
        uint32_t pid = mc_process_parse_pid(file->d_name), user, group;
        uint64_t start_ticks;
        bool is_ours;
        if (pid == 0 || count == capacity) continue;
        // The file of a JVM that was killed stays, and its number may be another process's.
        if (!mc_process_read(pid, &start_ticks, NULL, 0) ||
            !mc_process_get_user(pid, &user, &group, &is_ours) || !is_ours ||
            !mc_jvm_has_library(pid))
            continue;
        mc_program *entry = &entries[count];
        *entry = (mc_program){.pid = pid, .user = user, .start_ticks = start_ticks};
        if (!read_program(pid, entry->name)) continue;
        entry->uptime_s = mc_process_get_uptime_s(start_ticks);
        entry->heap_bytes = read_heap(dirfd(stream), file->d_name);
        count++;
    }
    if (stream) closedir(stream);
    return count;
}

uint32_t mc_jvm_list(mc_program *entries, uint32_t capacity) {
    uint32_t count = 0;
    DIR *stream = opendir(FOLDER);
    struct dirent *folder;
    for (int looked = 0; stream && looked < LOOKED_MOST && (folder = readdir(stream)); looked++) {
        struct stat status;
        char path[512];
        if (strncmp(folder->d_name, PREFIX, strlen(PREFIX)) != 0) continue;
        // Only what this user's JVMs have written: others may put there what they like.
        bool is_ours = fstatat(dirfd(stream), folder->d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
                       S_ISDIR(status.st_mode) && status.st_uid == geteuid();
        if (!is_ours) continue;
        snprintf(path, sizeof path, FOLDER "/%s", folder->d_name);
        count = list_folder(path, entries, count, capacity);
    }
    if (stream) closedir(stream);
    mc_program_sort(entries, count);
    return count;
}
