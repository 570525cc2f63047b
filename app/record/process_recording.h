// process_recording.h - what commands share that record a running process, a step now and then, and
// may go on in an .mct file that has steps already.
//
// Threads: the main thread.
#pragma once
#include "engine/store/mct/mct.h"

#define MC_PROCESS_NOTE_SIZE 64

// What a process runs; pid 0: its arguments can't be read. `start_ticks`: mc_process_read().
void mc_process_recording_learn(uint32_t pid, uint64_t start_ticks, mc_mct_program *program);

// Whether steps of `now` may come behind those of a file, as two programs in one would hide what
// grows in either. Another process of the same program is warned of, and `note` is for its first
// step; empty: it needs none. MC_ERROR_UNSUPPORTED: it is another program, and `appends` is not
// set. What the file does not know is not checked.
mc_result mc_process_recording_check(const char *path, const mc_mct_program *now, bool appends,
                                     char note[MC_PROCESS_NOTE_SIZE], mc_error *error);

// MC_ERROR_UNSUPPORTED: the file's last step is so late that none can follow.
mc_result mc_process_recording_check_last(const char *path, int64_t last_ms, mc_error *error);

// Until a step is due (mc_clock_now_ns()). False: the process has ended, or the user has had
// enough.
bool mc_process_recording_wait(uint64_t due_ns, bool (*is_alive)(const void *user),
                               const void *user);

// When the step behind one that was due then is: those that were missed are left out.
uint64_t mc_process_recording_choose_due(uint64_t begin_ns, uint64_t due_ns, int64_t every_ms);
