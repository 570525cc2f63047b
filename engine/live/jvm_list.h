// jvm_list.h - lists this user's running Java programs.
//
// Finds them as the JDK's own tools do: by the files that each JVM keeps in /tmp/hsperfdata_USER
// unless told not to. No process is started and no JVM is asked. Threads: any.
#pragma once
#include "engine/base/base.h"

#define MC_JVM_NAME_SIZE 96

typedef struct mc_jvm_entry {
    uint32_t pid;
    char name[MC_JVM_NAME_SIZE]; // the main class or the archive, printable
    uint32_t user;               // that it acts as
    uint64_t start_ticks;        // tells it from a later one with the same number
    double uptime_s;
    uint64_t heap_bytes; // in use, garbage included; 0: not known
} mc_jvm_entry;

// Fills in at most `capacity`, by their start, the newest last; returns how many. O(files there),
// some 0.2 ms each.
uint32_t mc_jvm_list(mc_jvm_entry *entries, uint32_t capacity);

// What a JVM runs, from its arguments as /proc/PID/cmdline has them: each ends with a NUL. Of a
// program that is not called "java": that; "java" if they don't say.
void mc_jvm_get_program(const char *arguments, size_t size, char name[MC_JVM_NAME_SIZE]);
// The same of a process; false: its arguments can't be read.
bool mc_jvm_read_program(uint32_t pid, char name[MC_JVM_NAME_SIZE]);
