// spool.h - many byte streams that grow side by side and together exceed memory.
//
// What does not fit into the memory given goes to a temporary file. The file has no name while it
// is used, so it vanishes with the program, however that ends. Threads: one object serves one
// thread at a time.
#pragma once
#include "engine/store/mct/mct_codec.h"

typedef struct mc_spool mc_spool;

// The temporary file is created beside `path` when it is first needed. Streams count from 0. About
// `most_size` bytes stay in memory.
mc_result mc_spool_create(const char *path, uint32_t stream_count, size_t most_size,
                          mc_spool **spool, mc_error *error);
void mc_spool_destroy(mc_spool *spool); // NULL is fine

mc_result mc_spool_append(mc_spool *spool, uint32_t stream, const void *data, size_t size,
                          mc_error *error);
// Returns the size of the stream in bytes.
uint64_t mc_spool_get_size(const mc_spool *spool, uint32_t stream);
// Appends all of the stream to `bytes`; the stream is empty afterwards.
mc_result mc_spool_take(mc_spool *spool, uint32_t stream, mc_mct_bytes *bytes, mc_error *error);
