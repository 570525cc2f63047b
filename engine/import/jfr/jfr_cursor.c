#include "engine/import/jfr/jfr_cursor.h"

#include "engine/base/utf8.h"

// Of 16-bit units; what is half a pair becomes U+FFFD.
static void append_units(mc_jfr_cursor *c, uint64_t count, mc_text *out) {
    uint32_t high = 0;
    char bytes[4];
    for (uint64_t i = 0; i < count && c->at; i++) {
        uint32_t unit = (uint32_t)mc_jfr_take_number(c, 2) & 0xffff, code = unit;
        if (!c->at) return;
        if (high && unit >= 0xdc00 && unit < 0xe000)
            code = 0x10000 + ((high - 0xd800) << 10) + (unit - 0xdc00);
        else if (high)
            mc_text_append_string(out, "\xef\xbf\xbd");
        high = unit >= 0xd800 && unit < 0xdc00 ? unit : 0;
        if (high) continue;
        if (code >= 0xd800 && code < 0xe000) code = 0xfffd;
        mc_text_append(out, bytes, mc_utf8_encode(code, bytes));
    }
    if (high) mc_text_append_string(out, "\xef\xbf\xbd");
}

static void append_latin(const unsigned char *at, uint64_t size, mc_text *out) {
    char bytes[4];
    for (uint64_t i = 0; i < size; i++)
        mc_text_append(out, bytes, mc_utf8_encode(at[i], bytes));
}

static void append_utf8(const unsigned char *at, uint64_t size, mc_text *out) {
    if (mc_utf8_is_valid((const char *)at, (size_t)size)) {
        mc_text_append(out, (const char *)at, (size_t)size);
        return;
    }
    for (uint64_t i = 0, length; i < size; i += length) {
        length = mc_utf8_measure(at + i, (size_t)(size - i));
        if (length > 0)
            mc_text_append(out, (const char *)at + i, (size_t)length);
        else
            mc_text_append_string(out, "\xef\xbf\xbd");
        if (length == 0) length = 1;
    }
}

enum { STRING_NULL, STRING_EMPTY, STRING_POOLED, STRING_UTF8, STRING_UNITS, STRING_LATIN };

static bool skip_units(mc_jfr_cursor *c, uint64_t count) {
    if (!c->at || count > (uint64_t)(c->end - c->at)) return mc_jfr_cursor_fail(c);
    for (uint64_t i = 0; i < count && c->at; i++)
        mc_jfr_take_number(c, 2);
    return c->at != NULL;
}

bool mc_jfr_take_string(mc_jfr_cursor *c, mc_text *out, uint64_t *pooled, bool *is_null) {
    *pooled = MC_JFR_NOT_POOLED;
    *is_null = false;
    if (!c->at || c->at == c->end) return mc_jfr_cursor_fail(c);
    unsigned char form = *c->at++;
    if (form == STRING_NULL) *is_null = true;
    if (form == STRING_NULL || form == STRING_EMPTY) return true;
    if (form == STRING_POOLED) {
        *pooled = mc_jfr_take_long(c);
        return c->at != NULL;
    }
    if (form > STRING_LATIN) return mc_jfr_cursor_fail(c);
    uint64_t size = mc_jfr_take_int(c);
    const unsigned char *at = c->at;
    if (form == STRING_UNITS && !out) return skip_units(c, size);
    if (!at || size > (uint64_t)(c->end - at)) return mc_jfr_cursor_fail(c);
    if (form == STRING_UNITS) {
        append_units(c, size, out);
        return c->at != NULL;
    }
    if (out && form == STRING_UTF8) append_utf8(at, size, out);
    if (out && form == STRING_LATIN) append_latin(at, size, out);
    return mc_jfr_cursor_skip(c, size);
}
