#include "app/size_text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool mc_size_parse(const char *text, uint64_t *size_bytes) {
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"", 1},
                 {"b", 1},
                 {"k", 1024},
                 {"m", 1048576},
                 {"g", 1073741824},
                 {"t", 1099511627776},
                 {"kib", 1024},
                 {"mib", 1048576},
                 {"gib", 1073741824},
                 {"tib", 1099511627776},
                 {"kb", 1e3},
                 {"mb", 1e6},
                 {"gb", 1e9},
                 {"tb", 1e12}};
    char *end;
    // No sign, no "inf", no "0x10": a number begins with a digit, and is decimal.
    if (text[0] < '0' || text[0] > '9' || strspn(text, "0123456789.") == 0) return false;
    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) return false;
    double number = strtod(text, &end);
    while (*end == ' ')
        end++;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcasecmp(end, units[i].name) != 0) continue;
        double size = number * units[i].factor;
        if (!(size >= 1) || size >= 9223372036854775808.0) return false;
        *size_bytes = (uint64_t)size;
        return true;
    }
    return false;
}
