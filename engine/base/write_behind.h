// write_behind.h - writes to a file in a thread of its own, while the caller produces the next
// data.
//
// The caller fills a buffer and submits it; it waits only while all buffers are pending. If no
// thread can be started, submitting writes at once. Memory: four buffers. Threads: one.
#pragma once
#include "engine/base/base.h"

typedef struct mc_write_behind mc_write_behind;

// Writes to `fd` from its beginning, whatever its offset is; it must stay open until destroyed.
mc_result mc_write_behind_create(int fd, size_t buffer_size, mc_write_behind **writer,
                                 mc_error *error);
// Waits for the write in progress, and writes nothing more. NULL is fine.
void mc_write_behind_destroy(mc_write_behind *writer);

// Room for buffer_size bytes, the same until it is handed on.
unsigned char *mc_write_behind_get_buffer(mc_write_behind *writer);
// Submits the first `size` bytes of the buffer, to be written at `offset`. False: a write failed,
// now or before, and nothing more is written.
bool mc_write_behind_submit(mc_write_behind *writer, size_t size, uint64_t offset);
// Waits until everything is written: 0, or the errno of the first write that failed.
int mc_write_behind_finish(mc_write_behind *writer);
