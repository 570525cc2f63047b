#include "engine/base/printable.h"

#include "engine/base/utf8.h"
#include <string.h>

static const char replacement[] = MC_PRINTABLE_REPLACEMENT;
static const char ellipsis[] = "\xe2\x80\xa6"; // U+2026

bool mc_is_printable(uint32_t character) {
    if (character < 0x20) return false;
    if (character < 0x7f) return true;
    if (character < 0xa0) return false; // DEL, C1
    switch (character) {
    case 0x061c: // Arabic letter mark
    case 0x200e: // left-to-right mark
    case 0x200f: // right-to-left mark
    case 0x2028: // line separator
    case 0x2029: // paragraph separator
    case 0xfffe: // no character, nor allowed in XML
    case 0xffff:
    case MC_UTF8_NONE: return false;
    default: break;
    }
    bool is_embedding = character >= 0x202a && character <= 0x202e;
    bool is_isolate = character >= 0x2066 && character <= 0x2069;
    return !is_embedding && !is_isolate;
}

size_t mc_printable_measure(const char *bytes, size_t size) {
    size_t at = 0;
    while (at < size) {
        unsigned char byte = (unsigned char)bytes[at];
        size_t length = 1;
        if (byte >= 0x20 && byte < 0x7f) {
            at++;
            continue;
        }
        if (!mc_is_printable(mc_utf8_decode((const unsigned char *)bytes + at, size - at, &length)))
            break;
        at += length;
    }
    return at;
}

// As mc_printable_copy(); `*is_cut`: not all of it fitted.
static size_t copy(char *out, size_t out_size, const char *bytes, size_t size, bool *is_cut) {
    size_t used = 0, room = out_size - 1;
    *is_cut = false;
    for (size_t at = 0; at < size && !*is_cut;) {
        size_t fine = mc_printable_measure(bytes + at, size - at);
        size_t fitting = mc_utf8_cut(bytes + at, fine, room - used);
        memcpy(out + used, bytes + at, fitting);
        used += fitting;
        at += fine;
        *is_cut = fitting < fine;
        if (at == size || *is_cut) break;
        *is_cut = room - used < sizeof replacement - 1;
        if (*is_cut) break;
        memcpy(out + used, replacement, sizeof replacement - 1);
        used += sizeof replacement - 1;
        size_t bad;
        mc_utf8_decode((const unsigned char *)bytes + at, size - at, &bad);
        at += bad;
    }
    out[used] = '\0';
    return used;
}

size_t mc_printable_copy(char *out, size_t out_size, const char *bytes, size_t size) {
    bool is_cut;
    return copy(out, out_size, bytes, size, &is_cut);
}

const char *mc_excerpt_make(mc_excerpt *excerpt, const char *bytes, size_t size) {
    bool is_cut;
    size_t used =
        copy(excerpt->text, sizeof excerpt->text - (sizeof ellipsis - 1), bytes, size, &is_cut);
    if (is_cut) memcpy(excerpt->text + used, ellipsis, sizeof ellipsis);
    return excerpt->text;
}
