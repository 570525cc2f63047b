#include "agent/native/modified_utf8.h"

#include "engine/base/utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define SURROGATE_SIZE 3
#define HIGH 0xd800u
#define LOW 0xdc00u
#define NO_SURROGATE 0u

static bool is_tail(unsigned char byte) {
    return (byte & 0xc0) == 0x80;
}

static uint32_t get_surrogate(const unsigned char *at, size_t size) {
    if (size < SURROGATE_SIZE || at[0] != 0xed || at[1] < 0xa0 || !is_tail(at[1]) ||
        !is_tail(at[2]))
        return NO_SURROGATE;
    return 0xd000u | (uint32_t)(at[1] & 0x3f) << 6 | (at[2] & 0x3f);
}

size_t mc_modified_utf8_convert(const unsigned char *text, size_t size,
                                char out[MC_MODIFIED_UTF8_MOST], size_t *made) {
    static const char digits[] = "0123456789abcdef";
    uint32_t first = get_surrogate(text, size);
    uint32_t second = first != NO_SURROGATE
                          ? get_surrogate(text + SURROGATE_SIZE, size - SURROGATE_SIZE)
                          : NO_SURROGATE;
    if (first != NO_SURROGATE && first < LOW && second >= LOW) {
        *made = mc_utf8_encode(0x10000 + ((first - HIGH) << 10) + (second - LOW), out);
        return (size_t)2 * SURROGATE_SIZE;
    }
    bool is_nul = size >= 2 && text[0] == 0xc0 && text[1] == 0x80;
    if (first != NO_SURROGATE || is_nul) {
        *made = 1;
        out[0] = '?';
        return is_nul ? 2 : SURROGATE_SIZE;
    }
    *made = 4;
    memcpy(out, (const char[]){'\\', 'x', digits[text[0] >> 4], digits[text[0] & 0xf]}, 4);
    return 1;
}

void mc_modified_utf8_trim(char *text, size_t size, int wanted) {
    const unsigned char *bytes = (const unsigned char *)text;
    if (wanted < 0 || (size_t)wanted < size) return;
    size_t end = strlen(text), at = end;
    while (at > 0 && end - at < 3 && is_tail(bytes[at - 1]))
        at--;
    if (at == 0 || bytes[at - 1] < 0xc0) return; // not within a character
    size_t length = bytes[at - 1] < 0xe0 ? 2 : bytes[at - 1] < 0xf0 ? 3 : 4;
    bool is_whole = end - (at - 1) >= length;
    uint32_t surrogate = get_surrogate(bytes + at - 1, end - (at - 1));
    if (!is_whole || (surrogate != NO_SURROGATE && surrogate < LOW)) text[at - 1] = '\0';
}

void mc_modified_utf8_print(char *text, size_t size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    mc_modified_utf8_trim(text, size, vsnprintf(text, size, format, arguments));
    va_end(arguments);
}
