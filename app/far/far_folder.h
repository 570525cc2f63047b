// far_folder.h - a folder of a call's own for the files that it writes, in TMPDIR, /var/tmp or
// /tmp.
//
// It is locked as long as the call lasts. What a killed call left is removed by the next one.
// Threads: one.
#pragma once
#include "engine/base/text.h"

#define MC_FAR_FOLDER_SIZE 4096
typedef struct mc_far_folder {
    char path[MC_FAR_FOLDER_SIZE]; // "": there is none
    int fd;                        // which has the lock
} mc_far_folder;

mc_result mc_far_folder_make(mc_far_folder *folder, mc_error *error);
void mc_far_folder_remove(mc_far_folder *folder); // a zeroed one, too

void mc_far_folder_remove_tree(const char *path); // whatever it holds
