#include "engine/import/smaps/memory_contents.h"

#include "engine/base/ascii.h"
#include "engine/base/memory.h"
#include <string.h>

#define BYTES_MOST (UINT64_C(1) << 60) // that a table may have in all

const char MC_MEMORY_CONTENTS_FULL[] = "more memory";
static const char too_many[] = "less than 2^60 bytes";

void mc_memory_contents_deinit(mc_memory_contents *contents) {
    mc_free(contents->items);
    *contents = (mc_memory_contents){0};
}

void mc_memory_contents_clear(mc_memory_contents *contents) {
    contents->count = 0;
    contents->sum = contents->filled = 0;
    contents->has_end = false;
}

static bool contains(mc_span text, const char *what) {
    return text.size > 0 && memmem(text.at, text.size, what, strlen(what)) != NULL;
}

bool mc_memory_contents_begins_classes(mc_span line) {
    mc_span_skip_blanks(&line);
    return mc_span_skip(&line, "num ") && contains(line, "#bytes") && contains(line, "class name");
}

bool mc_memory_contents_begins_loaders(mc_span line) {
    return mc_span_begins_with(line, "Usage per loader:");
}

static const char *add(mc_memory_contents *contents, mc_span name, uint64_t bytes) {
    if (bytes > BYTES_MOST - contents->sum) return too_many;
    if (!mc_reserve(&contents->items, &contents->capacity, contents->count + 1,
                    sizeof *contents->items))
        return MC_MEMORY_CONTENTS_FULL;
    contents->items[contents->count++] = (mc_memory_content){name, bytes};
    contents->sum += bytes;
    return NULL;
}

static bool take_number(mc_span *at, uint64_t *number) {
    mc_span_skip_blanks(at);
    return mc_span_take_decimal(at, number);
}

// With it the collector fills a gap, of which it writes the first bytes only.
static bool is_filler(mc_span class) {
    return mc_span_is(class, "[Ljdk.internal.vm.FillerElement;") ||
           mc_span_is(class, "jdk.internal.vm.FillerObject");
}

// "   1:         70288       31823632  [B (java.base@17.0.15)", and behind the last class
// "Total        268408       40816640".
const char *mc_memory_contents_read_class(mc_memory_contents *contents, mc_span line) {
    uint64_t rank, count, bytes;
    mc_span at = line;
    mc_span_skip_blanks(&at);
    if (mc_span_skip(&at, "Total")) {
        contents->has_end = true;
        return take_number(&at, &count) && take_number(&at, &bytes) &&
                       bytes == contents->sum + contents->filled
                   ? NULL
                   : "the sum of all classes' bytes";
    }
    if (at.size == 0 || *at.at == '-') return NULL;
    if (!mc_span_take_decimal(&at, &rank) || !mc_span_skip(&at, ":") || !take_number(&at, &count) ||
        !take_number(&at, &bytes))
        return "a class's number, \":\", its objects, its bytes and its name";
    mc_span_skip_blanks(&at);
    const char *module = at.size > 0 ? memchr(at.at, ' ', at.size) : NULL;
    if (module) at.size = (size_t)(module - at.at);
    if (at.size == 0) return "a class's name";
    if (!is_filler(at)) return add(contents, at, bytes);
    if (bytes > BYTES_MOST - contents->filled) return too_many;
    contents->filled += bytes;
    return NULL;
}

// "1.5 KB", "2776 bytes".
static bool take_bytes(mc_span at, uint64_t *bytes) {
    static const struct {
        const char *name;
        uint64_t bytes;
    } units[] = {{"bytes", 1},
                 {"KB", UINT64_C(1) << 10},
                 {"MB", UINT64_C(1) << 20},
                 {"GB", UINT64_C(1) << 30}};
    uint64_t whole, hundredths = 0;
    if (!take_number(&at, &whole)) return false;
    if (mc_span_skip(&at, ".")) {
        for (uint64_t unit = 10; at.size > 0 && mc_is_digit(*at.at); unit /= 10) {
            hundredths += (uint64_t)(*at.at - '0') * unit;
            at.at++;
            at.size--;
        }
    }
    mc_span_skip_blanks(&at);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (!mc_span_begins_with(at, units[i].name)) continue;
        if (whole > BYTES_MOST / units[i].bytes) return false;
        *bytes = whole * units[i].bytes + hundredths * units[i].bytes / 100;
        return true;
    }
    return false;
}

// "   9: CLD 0x00007ffb5c14fa30: "app" instance of X, 1 class": what stands before its classes.
static const char *add_loader(mc_memory_contents *contents, mc_span at) {
    uint64_t address;
    if (!mc_span_skip(&at, ": CLD ") || !mc_span_take_hex(&at, &address) ||
        !mc_span_skip(&at, ": "))
        return "\": CLD\", an address and a loader";
    for (size_t i = at.size; i > 0; i--) {
        if (at.at[i - 1] != ',') continue;
        at.size = i - 1;
        return at.size > 0 ? add(contents, at, 0) : "a loader's name";
    }
    return "\",\" and how many classes it has";
}

// "Both:  2 chunks, 6144 bytes capacity, 6144 bytes (100%) committed, 3296 bytes ( 54%) used, …"
static const char *read_both(mc_memory_contents *contents, mc_span line) {
    static const char expected[] = "how many bytes are used";
    while (line.size > 0) {
        const char *comma = memchr(line.at, ',', line.size);
        mc_span part = {line.at, comma ? (size_t)(comma - line.at) : line.size};
        line.at += part.size + (comma ? 1 : 0);
        line.size -= part.size + (comma ? 1 : 0);
        if (!contains(part, ") used")) continue;
        mc_memory_content *last = &contents->items[contents->count - 1];
        if (!take_bytes(part, &last->bytes) || last->bytes > BYTES_MOST - contents->sum)
            return expected;
        contents->sum += last->bytes;
        return NULL;
    }
    return expected;
}

const char *mc_memory_contents_read_loader(mc_memory_contents *contents, mc_span line) {
    uint64_t rank;
    if (mc_span_begins_with(line, "Total Usage")) {
        contents->has_end = true;
        return NULL;
    }
    mc_span_skip_blanks(&line);
    if (mc_span_take_decimal(&line, &rank)) return add_loader(contents, line);
    if (!mc_span_skip(&line, "Both:")) return NULL;
    if (contents->count == 0 || contents->items[contents->count - 1].bytes > 0)
        return "a loader before what it uses";
    return read_both(contents, line);
}
