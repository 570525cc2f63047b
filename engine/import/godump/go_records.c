#include "engine/import/godump/go_records.h"

#include <string.h>

#define HEADER_SIZE (sizeof headers[0] - 1)
#define STATISTICS_COUNT (24 + 256 + 1) // numbers

static const char headers[][17] = {"go1.5 heap dump\n", "go1.6 heap dump\n", "go1.7 heap dump\n"};

// What records consist of: n: a number, s: a text, f: fields.
static const char *const grammar[MC_GO_TAG_COUNT] = {[MC_GO_END] = "",
                                                     [MC_GO_OBJECT] = "nsf",
                                                     [MC_GO_OTHER_ROOT] = "sn",
                                                     [MC_GO_TYPE] = "nnsn",
                                                     [MC_GO_GOROUTINE] = "nnnnnnnnsnnnn",
                                                     [MC_GO_FRAME] = "nnnsnnnsf",
                                                     [MC_GO_PARAMETERS] = "nnnnssn",
                                                     [MC_GO_FINALIZER] = "nnnnn",
                                                     [MC_GO_ITAB] = "nn",
                                                     [MC_GO_THREAD] = "nnn",
                                                     [MC_GO_STATISTICS] = "", // by hand
                                                     [MC_GO_QUEUED_FINALIZER] = "nnnnn",
                                                     [MC_GO_DATA] = "nsf",
                                                     [MC_GO_BSS] = "nsf",
                                                     [MC_GO_DEFER] = "nnnnnnn",
                                                     [MC_GO_PANIC] = "nnnnnn",
                                                     [MC_GO_BUCKET] = "nn", // then by hand
                                                     [MC_GO_SAMPLE] = "nn"};

bool mc_go_detect(const void *data, size_t size) {
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (size >= HEADER_SIZE && memcmp(data, headers[i], HEADER_SIZE) == 0) return true;
    return false;
}

mc_go_cursor mc_go_cursor_begin(const unsigned char *data, uint64_t size) {
    return (mc_go_cursor){data, data + HEADER_SIZE, data + size};
}

static mc_go_outcome take_long_number(mc_go_cursor *c, uint64_t *number, const char **wanted) {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (c->at == c->end) return MC_GO_CUT;
        const unsigned char byte = *c->at++;
        if (shift == 63 && byte > 1) break;
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            *number = value;
            return MC_GO_READ;
        }
    }
    *wanted = "a number of at most 64 bits";
    return MC_GO_WRONG;
}

static inline mc_go_outcome take_number(mc_go_cursor *c, uint64_t *number, const char **wanted) {
    if (c->at == c->end || *c->at >= 0x80) return take_long_number(c, number, wanted);
    *number = *c->at++;
    return MC_GO_READ;
}

static inline mc_go_outcome take_text(mc_go_cursor *c, mc_span *text, const char **wanted) {
    uint64_t size;
    mc_go_outcome outcome = take_number(c, &size, wanted);
    if (outcome != MC_GO_READ) return outcome;
    if (size > (uint64_t)(c->end - c->at)) return MC_GO_CUT;
    *text = (mc_span){(const char *)c->at, (size_t)size};
    c->at += size;
    return MC_GO_READ;
}

static mc_go_outcome take_fields(mc_go_cursor *c, mc_go_record *record, const char **wanted) {
    const unsigned char *begin = c->at;
    record->field_count = 0;
    for (;; record->field_count++) {
        // Most offsets have one byte, or two.
        while (c->end - c->at > 2 && c->at[0] == 1 && (c->at[1] < 0x80 || c->at[2] < 0x80)) {
            c->at += c->at[1] < 0x80 ? 2 : 3;
            record->field_count++;
        }
        uint64_t kind, offset;
        mc_go_outcome outcome = take_number(c, &kind, wanted);
        if (outcome == MC_GO_READ && kind == 0) break;
        if (outcome == MC_GO_READ && kind != 1) {
            *wanted = "the place of a pointer, or the end of the list (1 or 0)";
            return MC_GO_WRONG;
        }
        if (outcome == MC_GO_READ) outcome = take_number(c, &offset, wanted);
        if (outcome != MC_GO_READ) return outcome;
    }
    record->fields = (mc_span){(const char *)begin, (size_t)(c->at - begin)};
    return MC_GO_READ;
}

static mc_go_outcome take_frames(mc_go_cursor *c, mc_go_record *record, const char **wanted) {
    uint64_t count, line;
    mc_span text;
    mc_go_outcome outcome = take_number(c, &count, wanted);
    const unsigned char *begin = c->at;
    for (uint64_t i = 0; outcome == MC_GO_READ && i < count; i++) {
        outcome = take_text(c, &text, wanted);
        if (outcome == MC_GO_READ) outcome = take_text(c, &text, wanted);
        if (outcome == MC_GO_READ) outcome = take_number(c, &line, wanted);
    }
    record->fields = (mc_span){(const char *)begin, (size_t)(c->at - begin)};
    record->field_count = count;
    return outcome;
}

static mc_go_outcome skip_numbers(mc_go_cursor *c, uint32_t count, const char **wanted) {
    uint64_t number;
    mc_go_outcome outcome = MC_GO_READ;
    for (uint32_t i = 0; outcome == MC_GO_READ && i < count; i++)
        outcome = take_number(c, &number, wanted);
    return outcome;
}

static mc_go_outcome take_object(mc_go_cursor *c, mc_go_record *record, const char **wanted) {
    mc_go_outcome outcome = take_number(c, &record->numbers[0], wanted);
    if (outcome == MC_GO_READ) outcome = take_text(c, &record->texts[0], wanted);
    return outcome == MC_GO_READ ? take_fields(c, record, wanted) : outcome;
}

static mc_go_outcome take_parts(mc_go_cursor *c, mc_go_record *record, const char **wanted) {
    uint32_t number = 0, text = 0;
    mc_go_outcome outcome = MC_GO_READ;
    if (record->tag == MC_GO_OBJECT) return take_object(c, record, wanted); // most of them
    for (const char *part = grammar[record->tag]; *part && outcome == MC_GO_READ; part++) {
        if (*part == 's')
            outcome = take_text(c, &record->texts[text++], wanted);
        else if (*part == 'f')
            outcome = take_fields(c, record, wanted);
        else
            outcome = take_number(c, &record->numbers[number++], wanted);
    }
    if (outcome != MC_GO_READ) return outcome;
    if (record->tag == MC_GO_STATISTICS) return skip_numbers(c, STATISTICS_COUNT, wanted);
    if (record->tag != MC_GO_BUCKET) return MC_GO_READ;
    outcome = take_frames(c, record, wanted);
    return outcome == MC_GO_READ ? skip_numbers(c, 2, wanted) : outcome;
}

mc_go_outcome mc_go_record_read(mc_go_cursor *c, mc_go_record *record, const char **wanted) {
    uint64_t tag;
    record->begin = c->at;
    record->fields = (mc_span){NULL, 0};
    mc_go_outcome outcome = take_number(c, &tag, wanted);
    if (outcome == MC_GO_READ && tag >= MC_GO_TAG_COUNT) {
        *wanted = "the number of a kind of record (0 to 17)";
        outcome = MC_GO_WRONG;
        c->at = record->begin;
    }
    if (outcome == MC_GO_READ) {
        record->tag = (mc_go_tag)tag;
        if (tag == MC_GO_END) return MC_GO_FINISHED;
        outcome = take_parts(c, record, wanted);
    }
    if (outcome == MC_GO_CUT) c->at = record->begin;
    return outcome;
}

bool mc_go_fields_take(mc_span *fields, uint64_t *offset) {
    const unsigned char *at = (const unsigned char *)fields->at;
    if (fields->size <= 1) return false; // the end
    if (at[0] == 1 && at[1] < 0x80) {
        *offset = at[1];
        *fields = (mc_span){fields->at + 2, fields->size - 2};
        return true;
    }
    const char *wanted;
    mc_go_cursor c = {at, at, at + fields->size};
    uint64_t kind = 0;
    if (take_number(&c, &kind, &wanted) != MC_GO_READ || kind == 0 ||
        take_number(&c, offset, &wanted) != MC_GO_READ)
        return false;
    *fields = (mc_span){(const char *)c.at, (size_t)(c.end - c.at)};
    return true;
}

bool mc_go_frames_take(mc_span *frames, mc_go_frame *frame) {
    const unsigned char *at = (const unsigned char *)frames->at;
    if (frames->size == 0) return false;
    const char *wanted;
    mc_go_cursor c = {at, at, at + frames->size};
    if (take_text(&c, &frame->function, &wanted) != MC_GO_READ ||
        take_text(&c, &frame->file, &wanted) != MC_GO_READ ||
        take_number(&c, &frame->line, &wanted) != MC_GO_READ)
        return false;
    *frames = (mc_span){(const char *)c.at, (size_t)(c.end - c.at)};
    return true;
}
