// file.h - maps whole files for reading, and writes files so that they are complete or do not
// exist.
//
// Threads: separate objects may be used in parallel.
#pragma once
#include "engine/base/file_target.h"
#include <stdio.h>

#define MC_FILE_PADDING 64 // readable zero bytes behind the mapped file's last byte

typedef struct mc_file_map {
    const unsigned char *data; // never NULL after success, also for an empty file
    size_t size;
    size_t mapped_size;
    int fd;         // of its own, to see how long the file is in the end
    uint32_t guard; // see map_guard.h
} mc_file_map;

// Call it once per program; otherwise a file that is truncated by another program while it is
// mapped ends ours with SIGBUS. Afterwards such a file reads as zeros from where it was cut.
void mc_file_map_survive_cuts(void);

// Maps `path` read-only with at least MC_FILE_PADDING zero bytes behind it. On failure `map` is
// zeroed and the message names the path.
mc_result mc_file_map_open(mc_file_map *map, const char *path, mc_error *error);
// As above, of an open file, which `path` names in messages; the caller closes it, even at once.
mc_result mc_file_map_descriptor(mc_file_map *map, int fd, const char *path, mc_error *error);
void mc_file_map_close(mc_file_map *map);

// Call it after the last read: MC_ERROR_IO if some of what was read is not the file's, because it
// was truncated meanwhile. All results from it are then invalid, messages about bad data included.
mc_result mc_file_map_check(const mc_file_map *map, const char *path, mc_error *error);
// The same for who has come to `result`: that, or MC_ERROR_IO.
mc_result mc_file_map_finish(const mc_file_map *map, const char *path, mc_result result,
                             mc_error *error);
// Pages in [begin, end) of the mapping are not needed soon, and need not be resident. When they
// are read again, they mostly come from the system's cache.
void mc_file_map_give_back(const unsigned char *data, uint64_t begin, uint64_t end);

// A file under construction: see file_target.h. Commit gives it its name; discard (or a failed
// commit) removes it.
typedef struct mc_file_writer {
    FILE *stream; // write here
    mc_file_target target;
    mc_file_sync sync; // MC_FILE_SYNC_NAME, if it isn't set otherwise after begin
} mc_file_writer;

mc_result mc_file_writer_begin(mc_file_writer *writer, const char *path, mc_error *error);
mc_result mc_file_writer_commit(mc_file_writer *writer, mc_error *error);
void mc_file_writer_discard(mc_file_writer *writer); // safe on a zeroed or finished writer

// All of it to an open file, from `offset` on. 0, or errno; ENOSPC if the system writes nothing.
int mc_file_write_at(int fd, const void *bytes, size_t size, uint64_t offset);

// Opens a file without a name in a folder, for reading and writing; it is gone when it is closed.
// -1: errno says why not.
int mc_file_open_nameless(const char *folder);

// Whether both exist and are one file, by whatever names.
bool mc_file_is_same(const char *path, const char *other);

// All of it at once: a file of `size` bytes.
mc_result mc_file_write(const char *path, const void *bytes, size_t size, mc_error *error);
