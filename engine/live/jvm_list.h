// jvm_list.h - lists this user's running Java programs.
//
// Finds them as the JDK's own tools do: by the files that each JVM keeps in /tmp/hsperfdata_USER
// unless told not to. No process is started and no JVM is asked. Threads: any.
#pragma once
#include "engine/live/program.h"

// Fills in at most `capacity`, by their start, the newest last; returns how many. O(files there),
// some 0.2 ms each.
uint32_t mc_jvm_list(mc_program *entries, uint32_t capacity);

// What a JVM runs, from its arguments as /proc/PID/cmdline has them: each ends with a NUL. Of a
// program that is not called "java": that; "java" if they don't say.
void mc_jvm_get_program(const char *arguments, size_t size, char name[MC_PROGRAM_NAME_SIZE]);
// The same of a process; false: its arguments can't be read.
bool mc_jvm_read_program(uint32_t pid, char name[MC_PROGRAM_NAME_SIZE]);
