#include "app/page/page_pack.h"

#include "app/base64.h"
#include <string.h>
#include <zlib.h>

#define LINE_SIZE ((size_t)3 << 18) // bytes of a line, before base 64

bool mc_page_deflate(const void *bytes, size_t size, mc_text *out) {
    enum { OUT_SIZE = 1 << 16, WINDOW_BITS = 15, MEMORY_LEVEL = 9 };
    const size_t most = (size_t)1 << 30; // zlib counts in unsigned int
    unsigned char buffer[OUT_SIZE];
    const unsigned char *at = bytes;
    z_stream stream = {0};
    if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -WINDOW_BITS, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        return false;
    do {
        size_t part = size < most ? size : most;
        size -= part;
        // The pointer is not written through; zlib just does not say so by default.
        stream.next_in = (Bytef *)(uintptr_t)at;
        stream.avail_in = (uInt)part;
        at += part;
        do {
            stream.next_out = buffer;
            stream.avail_out = OUT_SIZE;
            deflate(&stream, size > 0 ? Z_NO_FLUSH : Z_FINISH);
            mc_text_append(out, (const char *)buffer, OUT_SIZE - stream.avail_out);
        } while (stream.avail_out == 0 && !out->failed);
    } while (size > 0 && !out->failed);
    deflateEnd(&stream);
    return !out->failed;
}

void mc_page_append_base64(const void *bytes, size_t size, mc_text *out) {
    const uint8_t *at = bytes;
    for (size_t done = 0; done < size; done += LINE_SIZE) {
        if (done > 0) mc_text_append(out, "\n", 1);
        mc_base64_append(at + done, size - done < LINE_SIZE ? size - done : LINE_SIZE, out);
    }
}

size_t mc_page_get_base64_size(size_t size) {
    return mc_base64_get_size(size) + size / LINE_SIZE;
}
