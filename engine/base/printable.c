#include "engine/base/printable.h"

#include "engine/base/utf8.h"
#include <string.h>

static const char replacement[] = "\xef\xbf\xbd"; // U+FFFD
static const char ellipsis[] = "\xe2\x80\xa6";    // U+2026

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

// What stands at bytes[0] and can't be shown: its length.
static size_t measure_bad(const char *bytes, size_t size) {
    size_t length;
    mc_utf8_decode((const unsigned char *)bytes, size, &length);
    return length;
}

void mc_printable_append(mc_text *text, const char *bytes, size_t size) {
    for (size_t at = 0; at < size;) {
        size_t fine = mc_printable_measure(bytes + at, size - at);
        mc_text_append(text, bytes + at, fine);
        at += fine;
        if (at == size) break;
        mc_text_append(text, replacement, sizeof replacement - 1);
        at += measure_bad(bytes + at, size - at);
    }
}

// ---- lines

static bool is_structure(const mc_printable_lines *lines, char byte) {
    return !lines->is_quoted && (byte == '\n' || byte == '\t');
}

// Whole characters alone.
static void append_lines(mc_printable_lines *lines, mc_text *text, const char *bytes, size_t size) {
    size_t begin = 0;
    for (size_t at = 0; at < size; at++) {
        bool is_kept = is_structure(lines, bytes[at]);
        if (lines->quote && bytes[at] == lines->quote) lines->is_quoted = !lines->is_quoted;
        if (!is_kept) continue;
        mc_printable_append(text, bytes + begin, at - begin);
        mc_text_append(text, bytes + at, 1);
        begin = at + 1;
    }
    mc_printable_append(text, bytes + begin, size - begin);
}

// How many bytes at the end may be the beginning of a character.
static size_t measure_begun(const char *bytes, size_t size) {
    for (size_t count = 1; count < 4 && count <= size; count++) {
        unsigned char first = (unsigned char)bytes[size - count];
        if ((first & 0xc0) == 0x80) continue;
        size_t whole = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
        return whole > count ? count : 0;
    }
    return 0;
}

void mc_printable_lines_append(mc_printable_lines *lines, mc_text *text, const char *bytes,
                               size_t size) {
    size_t taken = 0;
    // Until the character that was kept is whole, or no more can belong to it.
    while (lines->kept_size > 0 && taken < size) {
        lines->kept[lines->kept_size++] = bytes[taken++];
        size_t begun = measure_begun(lines->kept, lines->kept_size);
        size_t known = lines->kept_size - begun;
        append_lines(lines, text, lines->kept, known);
        memmove(lines->kept, lines->kept + known, begun);
        lines->kept_size = begun;
    }
    size_t begun = measure_begun(bytes + taken, size - taken);
    if (lines->kept_size > 0) return; // all of it
    append_lines(lines, text, bytes + taken, size - taken - begun);
    memcpy(lines->kept, bytes + size - begun, begun);
    lines->kept_size = begun;
}

void mc_printable_lines_end(mc_printable_lines *lines, mc_text *text) {
    append_lines(lines, text, lines->kept, lines->kept_size);
    lines->kept_size = 0;
}

// ---- buffers

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
        at += measure_bad(bytes + at, size - at);
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
