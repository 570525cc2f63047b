// gzip.h - zlib's streams, with memory from this project's allocator; for inflate.c and the
// unpacking of heap dumps.
//
// Threads: separate streams may be used in parallel.
#pragma once
#include "engine/base/base.h"
#include <zlib.h>

// For gzip data only, and for zlib's own; end it with inflateEnd(). False: out of memory.
bool mc_gzip_begin(z_stream *stream);
bool mc_zlib_begin(z_stream *stream);
// As much of `data` as zlib can count, in one go.
void mc_gzip_set_input(z_stream *stream, const unsigned char *data, size_t size);
