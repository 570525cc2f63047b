// dump_place.h - the folder that a JVM writes its heap dumps to, arranged so that none is left
// behind: dumps contain the program's data and are as large as its heap.
//
// Each dump has a folder of its own that only the program's user can enter. The dump's name is
// removed as soon as the dump has begun. A keeper, a process that does nothing else, removes the
// folder with its content when the dump or this program ends, however it ends. If both are killed,
// the next recording into the same place removes what is left. Once the folder is gone, a late JVM
// can no longer write.
//
// Threads: the main thread, while there is no other.
#pragma once
#include "engine/base/base.h"
#include <limits.h>
#include <sys/types.h>

typedef struct mc_dump_place {
    int parent;            // the folder
    char path[PATH_MAX];   // what the JVM calls it
    bool is_by_descriptor; // it finds ours only by way of our /proc/PID/fd
    bool is_shared;        // it is another user's
    uint32_t user, group;  // of the JVM
} mc_dump_place;

// `folder` is where process `pid`, a JVM, is to write. If it sees other files than we do (a
// container), that is the folder that it has by this name. MC_ERROR_IO: there is no such folder;
// MC_ERROR_UNSUPPORTED: no way there. What was removed is said to `log` (NULL: to nobody). To be
// deinitialised in any case, zeroed or not.
mc_result mc_dump_place_init(mc_dump_place *place, uint32_t pid, const char *folder,
                             const mc_log *log, mc_error *error);
void mc_dump_place_deinit(mc_dump_place *place);

typedef struct mc_dump {
    const mc_dump_place *place;
    char name[32];       // of the folder
    int outer, folder;   // it, and where the dump lies: the same, or one in it that is the JVM's
    int keeper_pipe;     // the keeper ends with it
    pid_t keeper;        // 0: none
    int file;            // the dump; -1: it isn't there yet
    char path[PATH_MAX]; // the dump, as the JVM calls it
} mc_dump;

// Makes the folder. The dump is to be ended in any case. MC_ERROR_IO: it can't be made.
mc_result mc_dump_begin(mc_dump *dump, const mc_dump_place *place, mc_error *error);
// Opens the dump and takes its name away, once it is there. To be called again and again while it
// is written, and when that is done. True: it is open.
bool mc_dump_take(mc_dump *dump);
void mc_dump_end(mc_dump *dump);
