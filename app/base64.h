// base64.h - bytes as base 64 (RFC 4648).
//
// Threads: any.
#pragma once
#include "engine/base/text.h"

// Appends the bytes, padded at the end, without breaks.
void mc_base64_append(const void *bytes, size_t size, mc_text *out);
// The size that so many bytes have then.
size_t mc_base64_get_size(size_t size);
