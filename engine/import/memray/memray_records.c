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
    uint64_t contents = take_bytes(c, 1);
    if (contents > 1) expect(c, format, "all allocations (0) or their sums (1)");
    codec->is_aggregated = contents == 1;
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
    if (index < MC_MEMRAY_RECENT) return codec->recent[(codec->newest + index) & MC_MEMRAY_RECENT];
    codec->newest = (codec->newest - 1) & MC_MEMRAY_RECENT;
    return codec->recent[codec->newest] = take_delta(c, &codec->address) << 3;
}

static void take_allocation(mc_memray_codec *codec, cursor *c, uint32_t flags,
                            mc_memray_record *record) {
    const unsigned char *begin = c->at - 1;
    record->address = take_address(codec, c, flags >> 3 & 15);
    uint64_t allocator = flags & 7 ? flags & 7 : take_bytes(c, 1);
    record->kind = get_kind(c, begin, allocator);
    if (is_simple_free(allocator)) return;
    if (codec->has_native) record->native = take_delta(c, &codec->native);
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

// What is the same in all versions.
static void take_common(mc_memray_codec *codec, cursor *c, uint32_t type,
                        mc_memray_record *record) {
    switch (type) {
    case 5:
        record->kind = MC_MEMRAY_NATIVE;
        record->address = take_delta(c, &codec->instruction);
        record->native = take_delta(c, &codec->native);
        break;
    case 6: record->kind = MC_MEMRAY_IMAGES; break;
    case 7:
        record->kind = MC_MEMRAY_IMAGE;
        record->file = take_text(c);
        (void)take_varint(c); // the number of segments
        record->address = take_bytes(c, 8);
        break;
    case 8:
        record->kind = MC_MEMRAY_SEGMENT;
        record->address = take_bytes(c, 8);
        record->size = take_varint(c);
        break;
    case 10: (void)take_text(c); break; // a thread's name
    case 12: take_thread(c, record); break;
    default: break;
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
        record->is_entry = first & 1;
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
    } else if (first == 14) {
        take_code(codec, c, record);
    } else if ((first >= 5 && first <= 8) || first == 10 || first == 12) {
        take_common(codec, c, first, record);
    } else if (first != 0) { // a filler
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
        if (type == 2) record->native = take_delta(c, &codec->native);
        break;
    case 3:
        record->kind = MC_MEMRAY_FRAME;
        record->is_entry = !(flags & 1);
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
    case 5:
    case 6:
    case 7:
    case 8:
    case 10:
    case 12: take_common(codec, c, type, record); break;
    default: expect(c, begin, "a record's first byte"); break;
    }
}

// ---- sums

static void take_snapshot(const mc_memray_codec *codec, cursor *c, mc_memray_record *record) {
    uint64_t time_ms = take_bytes(c, 8), start_ms = (uint64_t)codec->start_ms;
    record->kind = MC_MEMRAY_MEMORY;
    record->time_ms = time_ms > start_ms ? time_ms - start_ms : 0;
    record->size = take_bytes(c, 8);
    record->heap = take_bytes(c, 8);
}

static void take_total(cursor *c, mc_memray_record *record) {
    enum { AS_LONG = 8 }; // as the allocator's field is, of which one byte is its own
    record->kind = MC_MEMRAY_TOTAL;
    record->id = take_bytes(c, 8);
    skip(c, AS_LONG);
    record->native = take_bytes(c, 8);
    record->count = take_bytes(c, 8);
    record->generation = take_bytes(c, 8);
    record->totals.objects_at_peak = take_bytes(c, 8);
    record->totals.objects_at_end = take_bytes(c, 8);
    record->totals.bytes_at_peak = take_bytes(c, 8);
    record->totals.bytes_at_end = take_bytes(c, 8);
}

static void take_listed(const mc_memray_codec *codec, cursor *c, mc_memray_record *record) {
    record->kind = MC_MEMRAY_LISTED;
    if (codec->version >= COMPACT) {
        record->count = take_varint(c);
        record->id = take_varint(c);
        record->instruction = (int64_t)take_signed(c);
    } else {
        record->id = record->count = take_bytes(c, 8);
        record->function = take_text(c);
        record->file = take_text(c);
        record->line = (int32_t)take_bytes(c, 4);
    }
    record->is_entry = take_bytes(c, 1) != 0;
}

static void take_node(const mc_memray_codec *codec, cursor *c, mc_memray_record *record) {
    record->kind = MC_MEMRAY_NODE;
    record->id = codec->version >= COMPACT ? take_varint(c) : take_bytes(c, 8);
    record->count = codec->version >= COMPACT ? take_varint(c) : take_bytes(c, 8);
}

static void take_aggregated(mc_memray_codec *codec, cursor *c, mc_memray_record *record) {
    const unsigned char *begin = c->at;
    uint32_t type = (uint32_t)take_bytes(c, 1);
    bool is_compact = codec->version >= COMPACT;
    if (type == 1) {
        take_snapshot(codec, c, record);
    } else if (type == 2) {
        take_total(c, record);
    } else if (type == 3) {
        take_node(codec, c, record);
    } else if (type == 4) {
        take_listed(codec, c, record);
    } else if ((type >= 5 && type <= 8) || type == 10 || type == 12) {
        take_common(codec, c, type, record);
    } else if (type == 13 && is_compact) { // an object that is left
        (void)take_varint(c);
        if (codec->has_native) (void)take_varint(c);
    } else if (type == 14 && is_compact) {
        take_code(codec, c, record);
    } else if (type == 15) {
        record->kind = MC_MEMRAY_END;
    } else {
        expect(c, begin, "a record's first byte");
    }
}

// ---- the frequent ones, where the data goes on behind them

enum { FAST_MOST = 40 }; // bytes that one takes, or looks at

// Of up to eight bytes, which it puts together without a branch for each.
static inline bool take_fast_number(const unsigned char **at, uint64_t *number) {
    const uint64_t goes_on = UINT64_C(0x8080808080808080);
    uint64_t word, last;
    memcpy(&word, *at, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    last = ~word & goes_on;
    if (last == 0) return false; // rare, or wrong
    *at += (__builtin_ctzll(last) >> 3) + 1;
    word &= (last ^ (last - 1)) & ~goes_on;
    word = (word & UINT64_C(0x007f007f007f007f)) | (word & UINT64_C(0x7f007f007f007f00)) >> 1;
    word = (word & UINT64_C(0x00003fff00003fff)) | (word & UINT64_C(0x3fff00003fff0000)) >> 2;
    *number = (word & UINT64_C(0x0fffffff)) | (word & UINT64_C(0x0fffffff00000000)) >> 4;
    return true;
}

static inline uint64_t unfold(uint64_t number) {
    return number >> 1 ^ (UINT64_MAX * (number & 1));
}

// Fills what belongs to the record's kind alone. False: it is another one, or something is wrong;
// the codec has not changed then.
static bool take_fast(mc_memray_codec *codec, const unsigned char **from,
                      mc_memray_record *record) {
    const unsigned char *at = *from;
    uint32_t first = *at++;
    uint64_t number, native = 0;
    record->native = 0;
    if (first >= 128) {
        uint32_t index = first >> 3 & 15, allocator = first & 7;
        uint64_t last = codec->address;
        if (index < MC_MEMRAY_RECENT) {
            record->address = codec->recent[(codec->newest + index) & MC_MEMRAY_RECENT];
        } else {
            if (!take_fast_number(&at, &number)) return false;
            last += unfold(number);
            record->address = last << 3;
        }
        record->kind = is_simple_free(allocator) ? MC_MEMRAY_FREE : MC_MEMRAY_ALLOCATE;
        if (allocator == 0) return false;
        if (record->kind == MC_MEMRAY_ALLOCATE) {
            if (codec->has_native && !take_fast_number(&at, &native)) return false;
            if (!take_fast_number(&at, &record->size)) return false;
            if (codec->has_native) record->native = codec->native += unfold(native);
        }
        codec->address = last;
        if (index == MC_MEMRAY_RECENT) {
            codec->newest = (codec->newest - 1) & MC_MEMRAY_RECENT;
            codec->recent[codec->newest] = record->address;
        }
    } else if (first >= 64) {
        record->kind = MC_MEMRAY_PUSH;
        record->is_entry = first & 1;
        if (!take_fast_number(&at, &record->id) || !take_fast_number(&at, &number)) return false;
        record->instruction = (int64_t)unfold(number);
    } else if (first >= 16 && first < 32) {
        record->kind = MC_MEMRAY_POP;
        record->count = (first & 15) + 1;
    } else {
        return false;
    }
    *from = at;
    return true;
}

// A function of its own, so that the frequent ones need not make room for it.
static __attribute__((noinline)) mc_memray_take take_any(mc_memray_codec *codec,
                                                         const unsigned char *data, size_t size,
                                                         size_t *at, mc_memray_record *record,
                                                         const char **expected) {
    cursor c = {.at = data + *at, .end = data + size};
    mc_memray_codec taken = *codec;
    *record = (mc_memray_record){.kind = MC_MEMRAY_NOTHING};
    if (codec->is_aggregated)
        take_aggregated(&taken, &c, record);
    else if (codec->version >= COMPACT)
        take_compact(&taken, &c, record);
    else
        take_old(&taken, &c, record);
    mc_memray_take take = finish(&c, data, at, expected);
    if (take == MC_MEMRAY_TAKEN) *codec = taken;
    return take;
}

mc_memray_take mc_memray_take_record(mc_memray_codec *codec, const unsigned char *data, size_t size,
                                     size_t *at, mc_memray_record *record, const char **expected) {
    const unsigned char *from = data + *at;
    if (size - *at > FAST_MOST && codec->version >= COMPACT && !codec->is_aggregated &&
        take_fast(codec, &from, record)) {
        *at = (size_t)(from - data);
        return MC_MEMRAY_TAKEN;
    }
    return take_any(codec, data, size, at, record, expected);
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
