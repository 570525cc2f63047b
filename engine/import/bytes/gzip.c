#include "engine/import/bytes/gzip.h"

#include "engine/base/memory.h"

static void *allocate(void *user, unsigned count, unsigned size) {
    (void)user;
    return mc_alloc(count, size);
}

static void release(void *user, void *memory) {
    (void)user;
    mc_free(memory);
}

bool mc_gzip_begin(z_stream *stream) {
    const int gzip_only = 16;
    *stream = (z_stream){.zalloc = allocate, .zfree = release};
    return inflateInit2(stream, MAX_WBITS + gzip_only) == Z_OK;
}

bool mc_zlib_begin(z_stream *stream) {
    *stream = (z_stream){.zalloc = allocate, .zfree = release};
    return inflateInit2(stream, MAX_WBITS) == Z_OK;
}

void mc_gzip_set_input(z_stream *stream, const unsigned char *data, size_t size) {
    const size_t most = (size_t)1 << 30; // zlib counts in unsigned int
    // The pointer is not written through; zlib just does not say so by default.
    stream->next_in = (unsigned char *)(uintptr_t)data;
    stream->avail_in = (uInt)(size < most ? size : most);
}
