// page_pack.h - bytes as a page carries them: deflated, as base 64.
//
// Threads: any.
#pragma once
#include "engine/base/text.h"

// Raw deflate (RFC 1951), with nothing around it. False: out of memory.
bool mc_page_deflate(const void *bytes, size_t size, mc_text *out);
// Lines of base 64 (RFC 4648); each is to be decoded by itself.
void mc_page_append_base64(const void *bytes, size_t size, mc_text *out);
// The size that a page has for so many bytes.
size_t mc_page_get_base64_size(size_t size);
