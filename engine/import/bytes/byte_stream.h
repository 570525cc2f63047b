// byte_stream.h - a JSON value whose bytes arrive piece by piece: unpacked from a file, or sent by
// a server.
//
// Threads: one object, one thread.
#pragma once
#include "engine/base/base.h"

typedef struct mc_byte_stream {
    // Waits until there is something, and gives at most `out_size` bytes; none: that was all.
    mc_result (*read)(void *user, unsigned char *out, size_t out_size, size_t *produced,
                      mc_error *error);
    // The value has ended, and these bytes came behind it: whether they, and what follows them, may
    // be there. NULL: nothing may stand behind the value.
    mc_result (*finish)(void *user, const unsigned char *rest, size_t size, mc_error *error);
    void *user;
} mc_byte_stream;
