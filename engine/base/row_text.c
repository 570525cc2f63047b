#include "engine/base/row_text.h"

#include <stdio.h>
#include <stdlib.h>

// What stands behind the backslash; 0: the byte is written as it is.
static char get_escape(char byte) {
    switch (byte) {
    case '\t': return 't';
    case '\n': return 'n';
    case '\r': return 'r';
    case '\b': return 'b';
    case '\f': return 'f';
    case '\0': return '0';
    case '\\': return '\\';
    default: return 0;
    }
}

static void append_tsv(mc_text *row, const char *bytes, size_t size) {
    size_t begin = 0;
    for (size_t i = 0; i < size; i++) {
        const char escape[2] = {'\\', get_escape(bytes[i])};
        if (escape[1] == 0) continue;
        mc_text_append(row, bytes + begin, i - begin);
        mc_text_append(row, escape, sizeof escape);
        begin = i + 1;
    }
    mc_text_append(row, bytes + begin, size - begin);
}

// What is empty would be no value, and so, to ClickHouse, would be \N; \. alone on a line would end
// what PostgreSQL reads; some trim blanks.
static bool needs_quotes(const char *bytes, size_t size) {
    if (size == 0 || bytes[0] == ' ' || bytes[size - 1] == ' ') return true;
    if (size == 2 && bytes[0] == '\\' && (bytes[1] == '.' || bytes[1] == 'N')) return true;
    for (size_t i = 0; i < size; i++)
        if (bytes[i] == '"' || bytes[i] == ',' || bytes[i] == '\n' || bytes[i] == '\r' ||
            bytes[i] == '\t')
            return true;
    return false;
}

static void append_csv(mc_text *row, const char *bytes, size_t size) {
    if (!needs_quotes(bytes, size)) {
        mc_text_append(row, bytes, size);
        return;
    }
    size_t begin = 0;
    mc_text_append(row, "\"", 1);
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != '"') continue;
        mc_text_append(row, bytes + begin, i + 1 - begin);
        begin = i; // and once more
    }
    mc_text_append(row, bytes + begin, size - begin);
    mc_text_append(row, "\"", 1);
}

void mc_row_append_text(mc_text *row, mc_row_form form, const char *bytes, size_t size) {
    if (form == MC_ROW_TSV)
        append_tsv(row, bytes, size);
    else if (form == MC_ROW_CSV)
        append_csv(row, bytes, size);
    else
        mc_text_append(row, bytes, size);
}

char *mc_row_put_number(char *out, uint64_t number) {
    static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                                "25262728293031323334353637383940414243444546474849"
                                "50515253545556575859606162636465666768697071727374"
                                "75767778798081828384858687888990919293949596979899";
    char digits[MC_ROW_NUMBER_SIZE], *at = digits + sizeof digits;
    while (number >= 100) {
        at -= 2;
        memcpy(at, pairs + number % 100 * 2, 2);
        number /= 100;
    }
    if (number >= 10) {
        at -= 2;
        memcpy(at, pairs + number * 2, 2);
    } else {
        *--at = (char)('0' + number);
    }
    return mc_row_put(out, at, (size_t)(digits + sizeof digits - at));
}

char *mc_row_put_real(char *out, double number) {
    char text[MC_ROW_NUMBER_SIZE];
    int length = 0;
    for (int digits = 15; digits <= 17; digits++) {
        length = snprintf(text, sizeof text, "%.*g", digits, number);
        if (strtod(text, NULL) == number) break;
    }
    return mc_row_put(out, text, (size_t)length);
}
