// modified_utf8.h - converts the JVM's modified UTF-8 to UTF-8.
//
// Modified UTF-8 encodes each surrogate by itself, and NUL in two bytes. The JVM's arguments may
// contain any bytes. Threads: any.
#pragma once
#include <stddef.h>

#define MC_MODIFIED_UTF8_MOST 4 // bytes of what something becomes

// What stands at text[0], where no character of UTF-8 does: a pair of surrogates becomes one
// character, half of one and NUL "?", any other byte "\\xHH". Returns how many bytes it takes, and
// in `*made` how many it becomes. `size` is at least 1.
size_t mc_modified_utf8_convert(const unsigned char *text, size_t size,
                                char out[MC_MODIFIED_UTF8_MOST], size_t *made);

// As snprintf(), but what does not fit is cut off behind a character.
void mc_modified_utf8_print(char *text, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// The same of what a buffer of `size` bytes has from snprintf(), which returned `wanted`.
void mc_modified_utf8_trim(char *text, size_t size, int wanted);
