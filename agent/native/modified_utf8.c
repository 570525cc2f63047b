#include "agent/native/modified_utf8.h"

#include <string.h>

static unsigned get_unit(const unsigned char *at) { // of three bytes
    return ((at[0] & 0xfu) << 12) | ((at[1] & 0x3fu) << 6) | (at[2] & 0x3fu);
}

static int is_tail(unsigned char byte) {
    return (byte & 0xc0) == 0x80;
}

void mc_modified_utf8_fix(char *text) {
    unsigned char *to = (unsigned char *)text;
    const unsigned char *at = (const unsigned char *)text;
    while (*at) {
        if (*at < 0x80) {
            *to++ = *at++;
            continue;
        }
        if (at[0] >= 0xc2 && at[0] < 0xe0 && is_tail(at[1])) {
            *to++ = *at++;
            *to++ = *at++;
            continue;
        }
        if ((at[0] & 0xf0) == 0xe0 && is_tail(at[1]) && is_tail(at[2])) {
            unsigned unit = get_unit(at);
            int has_low = unit >= 0xd800 && unit < 0xdc00 && at[3] == 0xed && is_tail(at[4]) &&
                          at[4] >= 0xb0 && is_tail(at[5]);
            if (has_low) {
                unsigned code = 0x10000 + ((unit - 0xd800) << 10) + (get_unit(at + 3) - 0xdc00);
                *to++ = (unsigned char)(0xf0 | (code >> 18));
                *to++ = (unsigned char)(0x80 | ((code >> 12) & 0x3f));
                *to++ = (unsigned char)(0x80 | ((code >> 6) & 0x3f));
                *to++ = (unsigned char)(0x80 | (code & 0x3f));
                at += 6;
                continue;
            }
            if (unit >= 0x800 && (unit < 0xd800 || unit >= 0xe000)) {
                memmove(to, at, 3);
                to += 3;
                at += 3;
                continue;
            }
        }
        *to++ = '?'; // what can't be: a lone surrogate, an encoded NUL, a byte out of place
        at++;
        while (is_tail(*at))
            at++;
    }
    *to = '\0';
}
