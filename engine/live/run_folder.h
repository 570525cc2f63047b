// run_folder.h - a folder of the run's own that only its user can enter: for the socket or the
// secret through which agents connect, and for a temporary recording.
//
// It lies in XDG_RUNTIME_DIR, if that belongs to the user and nobody else can enter it, otherwise
// in /tmp/memcity-UID, which is created with these permissions. It is locked as long as the run
// lasts, and every process sees the lock; what a killed run left is removed by the next one.
// Threads: the main thread.
#pragma once
#include "engine/base/base.h"

#define MC_RUN_FOLDER_SIZE \
    108u // of a path; with a file's name behind it, it is short enough for a
         // socket and has no character that options of an agent could not

// What may lie in there, with the journals of their writers; nothing else is ever removed.
#define MC_RUN_SOCKET "socket"
#define MC_RUN_SECRET "secret"
#define MC_RUN_RECORDING "live.mct"
#define MC_RUN_METHODS "live.methods.mct" // beside the other one

typedef struct mc_run_folder {
    char path[MC_RUN_FOLDER_SIZE]; // "": there is none
    int fd;                        // which has the lock
} mc_run_folder;

// Removes what other runs left, and creates the folder. MC_ERROR_IO: it can't be created, or the
// user's folder in /tmp exists but is not one that only the user can enter.
mc_result mc_run_folder_make(mc_run_folder *folder, mc_error *error);
// Zeroed or removed ones, too.
void mc_run_folder_remove(mc_run_folder *folder);
