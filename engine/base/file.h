// file.h - reading whole files by mapping them, and writing files that are whole or not there.
//
// Threads: separate objects may be used in parallel.
#pragma once
#include "engine/base/base.h"
#include <stdio.h>

#define MC_FILE_PADDING 64 // readable zero bytes behind the mapped file's last byte

typedef struct mc_file_map {
    const unsigned char *data; // never NULL after success, also for an empty file
    size_t size;
    size_t mapped_size;
    int fd;         // of its own, to see how long the file is in the end
    uint32_t guard; // see map_guard.h
} mc_file_map;

// For a program to call once, or a file that another one shortens while it is mapped ends it with
// SIGBUS. Afterwards such a file reads as zeros from where it was cut.
void mc_file_map_survive_cuts(void);

// Maps `path` read-only with at least MC_FILE_PADDING zero bytes behind it. On failure `map` is
// zeroed and the message names the path.
mc_result mc_file_map_open(mc_file_map *map, const char *path, mc_error *error);
// As above, of an open file, which `path` names in messages; the caller closes it, even at once.
mc_result mc_file_map_descriptor(mc_file_map *map, int fd, const char *path, mc_error *error);
void mc_file_map_close(mc_file_map *map);

// To be asked behind the last read: MC_ERROR_IO if not all of what was read is the file's, because
// it was cut meanwhile. What came of it, messages about bad data too, is then worth nothing.
mc_result mc_file_map_check(const mc_file_map *map, const char *path, mc_error *error);
// The same for who has come to `result`: that, or MC_ERROR_IO.
mc_result mc_file_map_finish(const mc_file_map *map, const char *path, mc_result result,
                             mc_error *error);
// Pages in [begin, end) of the mapping are not needed soon, and need not be resident. When they
// are read again, they mostly come from the system's cache.
void mc_file_map_give_back(const unsigned char *data, uint64_t begin, uint64_t end);

// A file under construction beside its final name. Commit renames it, so that `path` holds either
// what it held before or the whole new content; discard (or a failed commit) removes it. A symbolic
// link is followed and stays, a file that is replaced hands its permissions on. What is no regular
// file (a device, a pipe) is written in place.
typedef struct mc_file_writer {
    FILE *stream;                // write here
    char *path, *temporary_path; // no temporary path: written in place
    bool is_brief; // set after begin: of no use after a crash of the machine, so not synchronised
} mc_file_writer;

// Where such a file is written and what it becomes, for writers that are other programs: `*path`
// with links resolved, and the temporary path, NULL if `*path` is to be written in place. The
// caller frees both with mc_free().
mc_result mc_file_get_target(const char *name, char **path, char **temporary_path, mc_error *error);
// The last step: renames, with the permissions of what is replaced.
mc_result mc_file_replace(const char *temporary_path, const char *path, mc_error *error);

mc_result mc_file_writer_begin(mc_file_writer *writer, const char *path, mc_error *error);
mc_result mc_file_writer_commit(mc_file_writer *writer, mc_error *error);
void mc_file_writer_discard(mc_file_writer *writer); // safe on a zeroed or finished writer

// All of it at once: a file of `size` bytes.
mc_result mc_file_write(const char *path, const void *bytes, size_t size, mc_error *error);
