#include "engine/base/printable_text.h"

#include "engine/base/printable.h"
#include "engine/base/utf8.h"
#include <string.h>

void mc_printable_append(mc_text *text, const char *bytes, size_t size) {
    for (size_t at = 0; at < size;) {
        size_t fine = mc_printable_measure(bytes + at, size - at);
        mc_text_append(text, bytes + at, fine);
        at += fine;
        if (at == size) break;
        size_t bad;
        mc_utf8_decode((const unsigned char *)bytes + at, size - at, &bad);
        mc_text_append_string(text, MC_PRINTABLE_REPLACEMENT);
        at += bad;
    }
}

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
