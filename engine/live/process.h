// process.h - reads facts on another process from /proc.
//
// A moment later they may be outdated, or the number may belong to another process. Threads: any.
#pragma once
#include "engine/base/base.h"

#define MC_PROCESS_NAME_SIZE 256 // as long as a file's name may be

// The process's start time, which tells it from a later one with the same number, and its name (may
// be NULL). False: there is no such process, or it has ended.
bool mc_process_read(uint32_t pid, uint64_t *start_ticks, char *name, size_t name_size);

// What the file that it runs is called, "node"; also if that was replaced since. False: it can't be
// read, as of another user's process.
bool mc_process_read_file_name(uint32_t pid, char name[MC_PROCESS_NAME_SIZE]);

// Its arguments, each ending with a NUL; what is cut off at `capacity` ends there, too. Returns
// their size without that: 0: they can't be read.
size_t mc_process_read_arguments(uint32_t pid, char *arguments, size_t capacity);

// What a file's name says, as of /proc; 0: it is no process.
uint32_t mc_process_parse_pid(const char *name);

// How long ago it was started.
double mc_process_get_uptime_s(uint64_t start_ticks);

// The user and group that it acts as. `*is_ours`: by all of its ids, so that no program counts that
// changes them. False: there is no such process.
bool mc_process_get_user(uint32_t pid, uint32_t *user, uint32_t *group, bool *is_ours);

// Whether every path means the same to the process as to us.
bool mc_process_sees_our_files(uint32_t pid);

// Whether an address of this machine is the same to the process as to us.
bool mc_process_sees_our_network(uint32_t pid);

// Whether the process has said what is to be done on a signal: it does not end by it.
bool mc_process_catches(uint32_t pid, int signal);

// Whether the process may read our /proc/PID/fd, and finds it there.
bool mc_process_sees_our_descriptors(uint32_t pid);
