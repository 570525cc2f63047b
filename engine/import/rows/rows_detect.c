#include "engine/import/rows/rows_detect.h"

#include <string.h>

bool mc_rows_is_csv_header(const char *text, size_t size) {
    bool is_within = false;
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"') is_within = !is_within;
        if (is_within) continue;
        if (text[i] == '\t') return false;
        if (text[i] == ',') return true;
        if (text[i] == '\n') break;
    }
    return false;
}

bool mc_rows_detect(const unsigned char *data, size_t size) {
    const char *text = (const char *)data, *end = memchr(text, '\n', size);
    bool has_time = false, has_count = false;
    if (!end) return false;
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
    char separator = mc_rows_is_csv_header(text, (size_t)(end - text)) ? ',' : '\t';
    while (text < end) {
        const char *stop = memchr(text, separator, (size_t)(end - text));
        size_t length = (size_t)((stop ? stop : end) - text);
        if (!stop && length > 0 && text[length - 1] == '\r') length--;
        if (length >= 2 && text[0] == '"' && text[length - 1] == '"') {
            text++;
            length -= 2;
        }
        has_time |= length == 4 && memcmp(text, "time", 4) == 0;
        has_count |= (length == 7 && memcmp(text, "objects", 7) == 0) ||
                     (length == 5 && memcmp(text, "bytes", 5) == 0);
        text = stop ? stop + 1 : end;
    }
    return has_time && has_count;
}
