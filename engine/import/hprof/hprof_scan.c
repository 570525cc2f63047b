#include "engine/import/hprof/hprof_scan.h"

uint32_t mc_hprof_measure_type(uint8_t type, uint32_t id_size) {
    static const uint8_t sizes[MC_HPROF_TYPE_COUNT] = {
        [4] = 1, [5] = 2, [6] = 4, [7] = 8, [8] = 1, [9] = 2, [10] = 4, [11] = 8};
    if (type == MC_HPROF_TYPE_OBJECT) return id_size;
    return type < MC_HPROF_TYPE_COUNT ? sizes[type] : 0;
}

uint32_t mc_hprof_measure_root(uint8_t tag, uint32_t id_size) {
    switch (tag) {
    case 0xff: // unknown
    case 0x05: // sticky class
    case 0x07: // monitor
    case 0x89: // Android: interned string, finalizing, debugger, reference cleanup, VM internal,
    case 0x8a: // unreachable
    case 0x8b:
    case 0x8c:
    case 0x8d:
    case 0x90: return id_size;
    case 0x01: return 2 * id_size; // JNI global
    case 0x04:                     // native stack
    case 0x06: return id_size + 4; // thread block
    case 0x02:                     // JNI local
    case 0x03:                     // Java frame
    case 0x08:                     // thread object
    case 0x8e: return id_size + 8; // Android: JNI monitor
    case 0xfe: return 4 + id_size; // Android: which heap what follows is in
    default: return 0;
    }
}

// Values of a class's list, `head` bytes (a name or an index) before each; NULL: cut off, or with
// *is_bad, no such type.
static const unsigned char *skip_values(const unsigned char *at, const unsigned char *end,
                                        uint32_t count, uint32_t head, uint32_t id_size,
                                        bool *is_bad) {
    for (uint32_t i = 0; i < count; i++) {
        if ((size_t)(end - at) < head + 1) return NULL;
        uint32_t size = mc_hprof_measure_type(at[head], id_size);
        *is_bad = size == 0;
        at += head + 1;
        if (size == 0 || (size_t)(end - at) < size) return NULL;
        at += size;
    }
    return at;
}

static const unsigned char *take_count(const unsigned char *at, const unsigned char *end,
                                       uint32_t *count) {
    if (!at || end - at < 2) return NULL;
    *count = mc_hprof_read_u2(at);
    return at + 2;
}

static mc_hprof_kind parse_class(const unsigned char *begin, const unsigned char *end,
                                 uint32_t id_size, mc_hprof_class_record *record) {
    const unsigned char *at = begin;
    bool is_bad = false;
    if ((size_t)(end - at) < 8 + 7 * (size_t)id_size) return MC_HPROF_CUT;
    record->id = mc_hprof_read_id(at, id_size);
    at += id_size + 4;
    record->super_id = mc_hprof_read_id(at, id_size);
    record->loader_id = mc_hprof_read_id(at + id_size, id_size);
    record->signers_id = mc_hprof_read_id(at + 2 * (size_t)id_size, id_size);
    record->domain_id = mc_hprof_read_id(at + 3 * (size_t)id_size, id_size);
    at += 6 * (size_t)id_size;
    record->instance_size = mc_hprof_read_u4(at);
    record->constants = at = take_count(at + 4, end, &record->constant_count);
    if (at) at = skip_values(at, end, record->constant_count, 2, id_size, &is_bad);
    record->statics = at = take_count(at, end, &record->static_count);
    if (at) at = skip_values(at, end, record->static_count, id_size, id_size, &is_bad);
    record->fields = at = take_count(at, end, &record->field_count);
    if (is_bad) return MC_HPROF_BAD;
    if (!at || (size_t)(end - at) < record->field_count * (size_t)(id_size + 1))
        return MC_HPROF_CUT;
    for (uint32_t i = 0; i < record->field_count; i++, at += id_size + 1)
        if (mc_hprof_measure_type(at[id_size], id_size) == 0) return MC_HPROF_BAD;
    record->size = (size_t)(at - begin) + 1;
    return MC_HPROF_CLASS;
}

mc_hprof_kind mc_hprof_parse_class(const unsigned char *at, const unsigned char *end,
                                   uint32_t id_size, mc_hprof_class_record *record) {
    *record = (mc_hprof_class_record){.id = 0};
    mc_hprof_kind kind = parse_class(at, end, id_size, record);
    if (kind != MC_HPROF_CLASS)
        record->constant_count = record->static_count = record->field_count = 0;
    return kind;
}

static mc_hprof_kind take_class(mc_hprof_cursor *cursor, mc_hprof_item *item) {
    mc_hprof_class_record record;
    mc_hprof_kind kind =
        mc_hprof_parse_class(cursor->at + 1, cursor->end, cursor->id_size, &record);
    if (kind != MC_HPROF_CLASS) return kind;
    item->id = record.id;
    cursor->at += record.size;
    return kind;
}

// Android: a primitive array whose elements were left out.
static mc_hprof_kind take_array_without_data(mc_hprof_cursor *cursor, mc_hprof_item *item) {
    const unsigned char *at = cursor->at;
    size_t size = 10 + (size_t)cursor->id_size;
    if ((size_t)(cursor->end - at) < size) return MC_HPROF_CUT;
    item->id = mc_hprof_read_id(at + 1, cursor->id_size);
    item->count = mc_hprof_read_u4(at + 5 + cursor->id_size);
    item->type = at[9 + cursor->id_size];
    if (mc_hprof_measure_type(item->type, 0) == 0) return MC_HPROF_BAD;
    item->data = at + size;
    item->data_size = 0;
    cursor->at += size;
    return MC_HPROF_PRIMITIVES;
}

mc_hprof_kind mc_hprof_take_other(mc_hprof_cursor *cursor, mc_hprof_item *item) {
    if (*cursor->at == 0x20) return take_class(cursor, item);
    if (*cursor->at == 0xc3) return take_array_without_data(cursor, item);
    uint32_t size = mc_hprof_measure_root(*cursor->at, cursor->id_size);
    if (size == 0) return MC_HPROF_BAD;
    if ((size_t)(cursor->end - cursor->at) < 1 + (size_t)size) return MC_HPROF_CUT;
    cursor->at += 1 + size;
    return MC_HPROF_ROOT;
}
