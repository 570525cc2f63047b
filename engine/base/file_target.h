// file_target.h - writes a file so that its name refers to the old content or to the complete new
// one, however the program ends.
//
// It is written beside its name as NAME.memcity.part, under a lock, and renamed once it is on disk.
// What a killed program left there is removed when the same file is written the next time; what
// another program is still writing stays. On a file system without locks, leftovers stay, too.
// Threads: separate objects may be used in parallel.
#pragma once
#include "engine/base/base.h"

typedef struct mc_file_target {
    char *path;           // what it becomes; links are resolved
    char *temporary_path; // where it is written; NULL: at once into `path`
    int fd;               // open for writing
    int lock;             // held by the temporary file; -1: none
} mc_file_target;

// What is on disk, as far as the system tells, when a target is committed: should the machine
// crash, the name then stands for the old content or the new.
typedef enum mc_file_sync {
    MC_FILE_SYNC_NONE,    // it may be neither
    MC_FILE_SYNC_CONTENT, // the content: for many files, whose folder is synchronised in the end
    MC_FILE_SYNC_NAME     // the name as well: it is the new one
} mc_file_sync;

// A symbolic link is followed and stays. What is no regular file is written in place: a device, a
// pipe that somebody reads from (one that nobody reads from is an error, not waited for), or a
// descriptor of this program by its name (/dev/stdout, /dev/fd/N). On failure `target` is zeroed.
mc_result mc_file_target_begin(mc_file_target *target, const char *name, mc_error *error);
// The last step: renames, with the permissions of what is replaced. On failure nothing has changed,
// and the target can only be discarded.
mc_result mc_file_target_commit(mc_file_target *target, mc_file_sync sync, mc_error *error);
// The same for a name that no file has, without a moment at which there is one that is not whole.
// MC_ERROR_IO and *is_taken: somebody has made one meanwhile, which stays; where the file system
// knows no way to be sure of that, one that is made in the last moment is replaced.
mc_result mc_file_target_commit_new(mc_file_target *target, mc_file_sync sync, bool *is_taken,
                                    mc_error *error);
// Removes what was written beside the name. Safe on a zeroed or committed target.
void mc_file_target_discard(mc_file_target *target);

// Whether the name is one of this program's own descriptors, which are written to as they are.
bool mc_file_is_descriptor(const char *name);

// What `name` is once all links are followed, also one that leads to a file that is still to be
// made: an absolute path, for mc_free(). On failure *path is NULL.
mc_result mc_file_resolve(const char *name, char **path, mc_error *error);
// Whether `path` still names the file that is open as `fd`.
bool mc_file_is_at(int fd, const char *path);
// What happened to the names in the folder of `path` is on disk afterwards, as far as the system
// tells.
void mc_file_sync_folder_of(const char *path);

// Makes the folders that `path` is to lie in, with permissions `mode` less the umask. A folder that
// is there is fine.
mc_result mc_file_make_parents(const char *path, unsigned mode, mc_error *error);
