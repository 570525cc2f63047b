#include "engine/import/memray/memray_records.h"

#include <string.h>

static const char magic[] = "memray"; // with its NUL

enum { OLDEST = 11, COMPACT = 12, WITH_PATHS = 13 };

// As memray numbers them.
enum { PYMALLOC_FREE = 1, FREE = 5, MMAP = 14, MUNMAP = 15 };

typedef struct cursor {
    const unsigned char *at, *end;
    bool is_short;        // the data ends within what was asked for
    const char *expected; // what was not there; NULL: all was
    const unsigned char *wrong;
} cursor;

static bool is_fine(const cursor *c) {
    return !c->is_short && !c->expected;
}

static void expect(cursor *c, const unsigned char *where, const char *what) {
    if (!is_fine(c)) return;
    c->expected = what;
    c->wrong = where;
}

static uint64_t take_bytes(cursor *c, size_t size) {
    uint64_t value = 0;
    if ((size_t)(c->end - c->at) < size) c->is_short = true;
    if (!is_fine(c)) return 0;
    for (size_t i = 0; i < size; i++)
        value |= (uint64_t)c->at[i] << (8 * i);
    c->at += size;
    return value;
}

static uint64_t take_varint(cursor *c) {
    const unsigned char *begin = c->at;
    uint64_t value = 0;
    for (unsigned shift = 0; is_fine(c); shift += 7) {
        unsigned char byte = (unsigned char)take_bytes(c, 1);
        if (shift > 63 || (shift == 63 && (byte & 0x7e))) {
            expect(c, begin, "a number of at most 64 bits");
            return 0;
        }
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) return value;
    }
    return 0;
}

static uint64_t take_signed(cursor *c) {
    uint64_t value = take_varint(c);
    return value >> 1 ^ (UINT64_MAX * (value & 1));
}

static uint64_t take_delta(cursor *c, uint64_t *last) {
    return *last += take_signed(c);
}

static mc_span take_text(cursor *c) {
    size_t left = (size_t)(c->end - c->at);
    const unsigned char *end = is_fine(c) && left > 0 ? memchr(c->at, 0, left) : NULL;
    if (!end) {
        if (is_fine(c)) c->is_short = true;
        return (mc_span){NULL, 0};
    }
    mc_span text = {(const char *)c->at, (size_t)(end - c->at)};
    c->at = end + 1;
    return text;
}

static void skip(cursor *c, uint64_t size) {
    if ((uint64_t)(c->end - c->at) < size)
        c->is_short = true;
    else if (is_fine(c))
        c->at += size;
}

static mc_memray_take finish(const cursor *c, const unsigned char *data, size_t *at,
                             const char **expected) {
    if (c->is_short) return MC_MEMRAY_MORE;
    if (!c->expected) {
        *at = (size_t)(c->at - data);
        return MC_MEMRAY_TAKEN;
    }
    *at = (size_t)(c->wrong - data);
    *expected = c->expected;
    return MC_MEMRAY_BAD;
}

// ---- the header

bool mc_memray_detect(const unsigned char *data, size_t size) {
    return size >= sizeof magic && memcmp(data, magic, sizeof magic) == 0;
}

// Runs of texts, each of which ends with an empty one.
static void skip_texts(cursor *c) {
    while (is_fine(c) && take_text(c).size > 0) {
    }
}

static void take_header(mc_memray_codec *codec, cursor *c) {
    const unsigned char *begin = c->at;
    if (take_bytes(c, sizeof magic) >> 56 != 0) expect(c, begin, "memray's magic word");
    if (is_fine(c) && memcmp(begin, magic, sizeof magic) != 0)
        expect(c, begin, "memray's magic word");
    const unsigned char *version = c->at;
    codec->version = (uint32_t)take_bytes(c, 4);
    if (codec->version < OLDEST || codec->version > WITH_PATHS) {
        expect(c, version, "file format 11 to 13, as memray 1.11 to 1.20 write it");
        return;
    }
    if (codec->version >= COMPACT) codec->python = (uint32_t)take_bytes(c, 4);
    codec->has_native = take_bytes(c, 1) != 0;
    const unsigned char *format = c->at;
    if (take_bytes(c, 1) != 0)
        expect(c, format, "a file of all allocations, recorded without --aggregate");
    skip(c, 16); // numbers of allocations and frames
    codec->start_ms = (int64_t)take_bytes(c, 8);
    codec->end_ms = (int64_t)take_bytes(c, 8);
    (void)take_text(c); // the command
    skip(c, 4);         // the process
    codec->main_thread = take_bytes(c, 8);
    codec->skipped_frames = take_bytes(c, 8);
    skip(c, codec->version >= COMPACT ? 3 : 2); // allocators and lifetimes that are followed
    if (codec->version < WITH_PATHS) return;
    (void)take_text(c); // paths of Python
    skip_texts(c);
    skip_texts(c);
}

mc_memray_take mc_memray_take_header(mc_memray_codec *codec, const unsigned char *data, size_t size,
                                     size_t *at, const char **expected) {
    mc_memray_codec taken = {.version = 0};
    cursor c = {.at = data + *at, .end = data + size};
    take_header(&taken, &c);
    mc_memray_take take = finish(&c, data, at, expected);
    if (take == MC_MEMRAY_TAKEN) *codec = taken;
    return take;
}

// ---- records

static bool is_simple_free(uint64_t allocator) {
    return allocator == PYMALLOC_FREE || allocator == FREE;
}

static mc_memray_kind get_kind(cursor *c, const unsigned char *begin, uint64_t allocator) {
    if (allocator < PYMALLOC_FREE || allocator > MUNMAP) expect(c, begin, "an allocator, 1 to 15");
    return is_simple_free(allocator) ? MC_MEMRAY_FREE
           : allocator == MMAP       ? MC_MEMRAY_MAP
           : allocator == MUNMAP     ? MC_MEMRAY_UNMAP
                                     : MC_MEMRAY_ALLOCATE;
}

// Which one of the addresses before, or a new one.
static uint64_t take_address(mc_memray_codec *codec, cursor *c, uint32_t index) {
    if (index < MC_MEMRAY_RECENT) return codec->recent[index];
    uint64_t address = take_delta(c, &codec->address) << 3;
    memmove(codec->recent + 1, codec->recent, sizeof codec->recent - sizeof *codec->recent);
    return codec->recent[0] = address;
}

static void take_allocation(mc_memray_codec *codec, cursor *c, uint32_t flags,
                            mc_memray_record *record) {
    const unsigned char *begin = c->at - 1;
    record->address = take_address(codec, c, flags >> 3 & 15);
    uint64_t allocator = flags & 7 ? flags & 7 : take_bytes(c, 1);
    record->kind = get_kind(c, begin, allocator);
    if (is_simple_free(allocator)) return;
    if (codec->has_native) (void)take_delta(c, &codec->native);
    record->size = take_varint(c);
}

static void take_code(mc_memray_codec *codec, cursor *c, mc_memray_record *record) {
    record->kind = MC_MEMRAY_CODE;
    record->id = take_varint(c);
    record->function = take_text(c);
    record->file = take_text(c);
    record->line = (int64_t)take_delta(c, &codec->line);
    uint64_t size = take_varint(c);
    const unsigned char *table = c->at;
    skip(c, size);
    if (is_fine(c)) record->table = (mc_span){(const char *)table, (size_t)size};
}

static void take_memory(cursor *c, mc_memray_record *record) {
    record->kind = MC_MEMRAY_MEMORY;
    record->size = take_varint(c);
    record->time_ms = take_varint(c);
}

static void take_thread(cursor *c, mc_memray_record *record) {
    record->kind = MC_MEMRAY_THREAD;
    record->id = take_bytes(c, 8);
}

// What says where native code lies, which no frame is shown of.
static void skip_native(mc_memray_codec *codec, cursor *c, uint32_t type) {
    switch (type) {
    case 5:
        (void)take_delta(c, &codec->instruction);
        (void)take_delta(c, &codec->native);
        break;
    case 7:
        (void)take_text(c);
        (void)take_varint(c);
        skip(c, 8);
        break;
    case 8:
        skip(c, 8);
        (void)take_varint(c);
        break;
    case 10: (void)take_text(c); break; // a thread's name
    default: break;                     // 0: filler; 6: a list begins
    }
}

// Of version 12 and later.
static void take_compact(mc_memray_codec *codec, cursor *c, mc_memray_record *record) {
    const unsigned char *begin = c->at;
    uint32_t first = (uint32_t)take_bytes(c, 1);
    if (first >= 128) {
        take_allocation(codec, c, first & 127, record);
    } else if (first >= 64) {
        record->kind = MC_MEMRAY_PUSH;
        record->id = take_varint(c);
        record->instruction = (int64_t)take_signed(c);
    } else if (first >= 32) { // an object begins or ends
        (void)take_address(codec, c, first >> 1 & 15);
        if (codec->has_native && first & 1) (void)take_delta(c, &codec->native);
    } else if (first >= 16) {
        record->kind = MC_MEMRAY_POP;
        record->count = (first & 15) + 1;
    } else if (first == 1) {
        record->kind = MC_MEMRAY_END;
    } else if (first == 2) {
        take_memory(c, record);
    } else if (first == 12) {
        take_thread(c, record);
    } else if (first == 14) {
        take_code(codec, c, record);
    } else if (first == 0 || (first >= 5 && first <= 8) || first == 10) {
        skip_native(codec, c, first);
    } else {
        expect(c, begin, "a record's first byte");
    }
}

// Of version 11.
static void take_old(mc_memray_codec *codec, cursor *c, mc_memray_record *record) {
    const unsigned char *begin = c->at;
    uint32_t first = (uint32_t)take_bytes(c, 1), type = first & 15, flags = first >> 4;
    switch (type) {
    case 0:
        if (flags > 1) expect(c, begin, "the end of the records");
        record->kind = flags == 1 ? MC_MEMRAY_END : MC_MEMRAY_NOTHING;
        break;
    case 1:
    case 2:
        record->kind = get_kind(c, begin, flags);
        record->address = take_delta(c, &codec->address);
        if (type == 2 || !is_simple_free(flags)) record->size = take_varint(c);
        if (type == 2) (void)take_delta(c, &codec->native);
        break;
    case 3:
        record->kind = MC_MEMRAY_FRAME;
        record->id = take_delta(c, &codec->frame);
        record->function = take_text(c);
        record->file = take_text(c);
        record->line = (int64_t)take_delta(c, &codec->line);
        break;
    case 4:
        record->kind = MC_MEMRAY_PUSH;
        record->id = take_delta(c, &codec->frame);
        break;
    case 9:
        record->kind = MC_MEMRAY_POP;
        record->count = flags + 1;
        break;
    case 11: take_memory(c, record); break;
    case 12: take_thread(c, record); break;
    case 5:
    case 6:
    case 7:
    case 8:
    case 10: skip_native(codec, c, type); break;
    default: expect(c, begin, "a record's first byte"); break;
    }
}

mc_memray_take mc_memray_take_record(mc_memray_codec *codec, const unsigned char *data, size_t size,
                                     size_t *at, mc_memray_record *record, const char **expected) {
    mc_memray_codec taken = *codec;
    cursor c = {.at = data + *at, .end = data + size};
    *record = (mc_memray_record){.kind = MC_MEMRAY_NOTHING};
    if (codec->version >= COMPACT)
        take_compact(&taken, &c, record);
    else
        take_old(&taken, &c, record);
    mc_memray_take take = finish(&c, data, at, expected);
    if (take == MC_MEMRAY_TAKEN) *codec = taken;
    return take;
}

// ---- lines

static uint32_t take_six(const unsigned char **at, const unsigned char *end) {
    uint32_t value = 0;
    for (unsigned shift = 0; *at < end && shift < 30; shift += 6) {
        unsigned char byte = *(*at)++;
        value |= (uint32_t)(byte & 63) << shift;
        if (!(byte & 64)) break;
    }
    return value;
}

static int64_t take_six_signed(const unsigned char **at, const unsigned char *end) {
    uint32_t value = take_six(at, end);
    return value & 1 ? -(int64_t)(value >> 1) : (int64_t)(value >> 1);
}

// Since Python 3.11 (PEP 657; Objects/locations.md): an entry has a kind, how many instructions it
// is for, and how much further down they are.
static int64_t find_in_locations(const unsigned char *at, const unsigned char *end, int64_t line,
                                 int64_t instruction) {
    enum { NONE = 15, LONG = 14, NO_COLUMNS = 13, ONE_LINE = 10 };
    const int64_t first = line;
    int64_t unit = 0;
    while (at < end && *at != 0) {
        unsigned char byte = *at++;
        int kind = byte >> 3 & 15;
        if (kind == LONG || kind == NO_COLUMNS)
            line += take_six_signed(&at, end);
        else if (kind >= ONE_LINE && kind != NONE)
            line += kind - ONE_LINE;
        if (kind == LONG)
            for (int i = 0; i < 3; i++)
                (void)take_six(&at, end);
        else if (kind < NO_COLUMNS)
            at += end - at < 2 || kind < ONE_LINE ? at < end : 2;
        unit += (byte & 7) + 1;
        if (unit > instruction / 2) return line;
    }
    return first;
}

// Of Python 3.10 (PEP 626): by how many bytes and lines each entry goes on; instructions are
// counted in twos there.
static int64_t find_in_pairs(const unsigned char *at, const unsigned char *end, int64_t line,
                             int64_t instruction) {
    enum { NO_LINE = 0x80 };
    int64_t byte = 0;
    for (; end - at >= 2; at += 2) {
        byte += at[0];
        if (at[1] != NO_LINE) line += (signed char)at[1];
        if (byte > instruction * 2) break;
    }
    return line;
}

// Of Python 3.9 and earlier.
static int64_t find_in_lnotab(const unsigned char *at, const unsigned char *end, int64_t line,
                              int64_t instruction) {
    int64_t byte = 0;
    for (; end - at >= 2; at += 2) {
        byte += at[0];
        if (byte > instruction) break;
        line += (signed char)at[1];
    }
    return line;
}

int64_t mc_memray_find_line(uint32_t python, mc_span table, int64_t first, int64_t instruction) {
    const unsigned char *at = (const unsigned char *)table.at, *end = at + table.size;
    if (table.size == 0 || instruction < 0 || instruction > INT32_MAX) return first;
    if (python >= 0x030b0000) return find_in_locations(at, end, first, instruction);
    if (python >= 0x030a0000) return find_in_pairs(at, end, first, instruction);
    return find_in_lnotab(at, end, first, instruction);
}
