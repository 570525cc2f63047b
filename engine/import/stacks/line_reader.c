#include "engine/import/stacks/line_reader.h"

#include "engine/base/ascii.h"
#include "engine/import/stacks/stack_sites.h"
#include "engine/trace/metrics.h"
#include <string.h>

bool mc_lines_next(mc_lines *lines, mc_span *line) {
    if (lines->at == lines->end) return false;
    const char *feed = memchr(lines->at, '\n', (size_t)(lines->end - lines->at));
    const char *end = feed ? feed : lines->end;
    *line = (mc_span){lines->at, (size_t)(end - lines->at)};
    if (line->size > 0 && line->at[line->size - 1] == '\r') line->size--;
    lines->at = feed ? feed + 1 : end;
    return true;
}

bool mc_span_begins_with(mc_span text, const char *prefix) {
    size_t size = strlen(prefix);
    return text.size >= size && memcmp(text.at, prefix, size) == 0;
}

bool mc_span_is(mc_span text, const char *wanted) {
    return text.size == strlen(wanted) && mc_span_begins_with(text, wanted);
}

static void drop(mc_span *text, size_t size) {
    text->at += size;
    text->size -= size;
}

bool mc_span_skip(mc_span *text, const char *prefix) {
    if (!mc_span_begins_with(*text, prefix)) return false;
    drop(text, strlen(prefix));
    return true;
}

void mc_span_skip_blanks(mc_span *text) {
    while (text->size > 0 && (*text->at == ' ' || *text->at == '\t'))
        drop(text, 1);
}

bool mc_span_take_decimal(mc_span *text, uint64_t *number) {
    size_t size = 0;
    *number = 0;
    for (; size < text->size && mc_is_digit(text->at[size]); size++) {
        uint64_t digit = (uint64_t)(text->at[size] - '0');
        if (*number > (MC_COUNT_MAX - digit) / 10) return false;
        *number = *number * 10 + digit;
    }
    drop(text, size);
    return size > 0;
}

bool mc_span_take_hex(mc_span *text, uint64_t *number) {
    size_t size = 0;
    if (!mc_span_skip(text, "0x")) (void)mc_span_skip(text, "0X");
    *number = 0;
    for (; size < text->size; size++) {
        char byte = mc_to_lower(text->at[size]);
        uint64_t digit = mc_is_digit(byte)            ? (uint64_t)(byte - '0')
                         : byte >= 'a' && byte <= 'f' ? (uint64_t)(byte - 'a') + 10
                                                      : 16;
        if (digit > 15) break;
        if (*number >> 60 != 0) return false;
        *number = *number << 4 | digit;
    }
    drop(text, size);
    return size > 0;
}

// "shop.c:12" or "in /lib/libshop.so"
static void parse_place(mc_span place, mc_site_frame *frame) {
    if (mc_span_skip(&place, "in ")) {
        frame->module = place;
        return;
    }
    const char *colon = place.size > 0 ? memrchr(place.at, ':', place.size) : NULL;
    frame->file = place;
    if (!colon) return;
    mc_span line = {colon + 1, place.size - (size_t)(colon + 1 - place.at)};
    uint64_t number;
    if (!mc_span_take_decimal(&line, &number) || line.size > 0 || number >= MC_NONE) return;
    frame->file.size = (size_t)(colon - place.at);
    frame->line = (uint32_t)number;
}

mc_site_frame mc_span_parse_valgrind(mc_span label) {
    mc_site_frame frame = {.line = 0};
    mc_span rest = label;
    if (mc_span_begins_with(rest, "0x") && mc_span_take_hex(&rest, &frame.address) &&
        mc_span_skip(&rest, ": "))
        label = rest;
    if (mc_span_is(label, "???")) return frame;
    frame.function = label;
    const char *open = label.size > 0 && label.at[label.size - 1] == ')'
                           ? memrchr(label.at, '(', label.size)
                           : NULL;
    if (!open || open < label.at + 2 || open[-1] != ' ') return frame;
    frame.function.size = (size_t)(open - 1 - label.at);
    parse_place((mc_span){open + 1, (size_t)(label.at + label.size - 1 - (open + 1))}, &frame);
    if (mc_span_is(frame.function, "???")) frame.function.size = 0;
    return frame;
}
