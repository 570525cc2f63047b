// spool.h - many streams of bytes that grow side by side, more than memory should hold.
//
// What does not fit into some memory goes to a temporary file, which has no name any more while it
// is used: it goes with the program, whatever ends that.
// Threads: one object serves one thread at a time.
#pragma once
#include "engine/trace/mct/mct_codec.h"

typedef struct mc_spool mc_spool;

// The temporary file is made, once it is needed, beside `path`. Streams count from 0. `most_size`
// bytes stay in memory, at most about that.
mc_result mc_spool_create(const char *path, uint32_t stream_count, size_t most_size,
                          mc_spool **spool, mc_error *error);
void mc_spool_destroy(mc_spool *spool); // NULL is fine

mc_result mc_spool_append(mc_spool *spool, uint32_t stream, const void *data, size_t size,
                          mc_error *error);
// How many bytes the stream has.
uint64_t mc_spool_get_size(const mc_spool *spool, uint32_t stream);
// Appends all of the stream to `bytes`; the stream is empty afterwards.
mc_result mc_spool_take(mc_spool *spool, uint32_t stream, mc_mct_bytes *bytes, mc_error *error);
