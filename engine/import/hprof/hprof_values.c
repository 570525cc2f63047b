#include "engine/import/hprof/hprof_values.h"

#include "engine/base/row_text.h"
#include "engine/base/utf8.h"
#include <inttypes.h>
#include <math.h>

enum { // as the format numbers them
    TYPE_CHAR = 5,
    TYPE_FLOAT = 6,
    TYPE_DOUBLE = 7,
    TYPE_BYTE = 8,
    TYPE_SHORT = 9,
    TYPE_INT = 10
};

#define CLASSES_MOST 1000 // in a row of superclasses; a dump may claim that they form a circle

static void append_character(uint32_t code, mc_text *text) {
    char bytes[4];
    mc_text_append(text, bytes, mc_utf8_encode(code, bytes));
}

// Halves of a pair, which stand for nothing by themselves, become U+FFFD.
static uint32_t read_unit(const unsigned char *at) {
    uint32_t unit = mc_hprof_read_u2(at);
    return unit >= 0xd800 && unit < 0xe000 ? 0xfffd : unit;
}

// ---- arrays

static uint64_t hash_bytes(const unsigned char *bytes, uint64_t size) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325); // FNV-1a
    for (uint64_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
    return hash;
}

// A pair of halves is one character.
static uint64_t append_pair(const unsigned char *at, uint64_t left, mc_text *text) {
    uint32_t high = mc_hprof_read_u2(at), low = left >= 4 ? mc_hprof_read_u2(at + 2) : 0;
    if (high < 0xd800 || high >= 0xdc00 || low < 0xdc00 || low >= 0xe000) {
        append_character(read_unit(at), text);
        return 2;
    }
    append_character(0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00), text);
    return 4;
}

static void append_characters(const mc_hprof_item *item, mc_text *text) {
    bool is_wide = item->type == TYPE_CHAR;
    uint64_t at = 0, width = is_wide ? 2 : 1;
    for (uint32_t i = 0; i < MC_HPROF_VALUE_CHARACTERS && at + width <= item->data_size; i++) {
        if (is_wide) {
            at += append_pair(item->data + at, item->data_size - at, text);
        } else {
            append_character(item->data[at++], text);
        }
    }
    if (at + width <= item->data_size)
        mc_text_format(text, "… (%" PRIu32 ", %016" PRIx64 ")", item->count,
                       hash_bytes(item->data, item->data_size));
}

// ---- instances

static void append_quoted(const char *bytes, size_t size, mc_text *text) {
    mc_text_append_string(text, "\"");
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)bytes[i];
        if (byte == '"' || byte == '\\')
            mc_text_format(text, "\\%c", byte);
        else if (byte < 0x20)
            mc_text_format(text, "\\u%04x", byte);
        else
            mc_text_append(text, &bytes[i], 1);
    }
    mc_text_append_string(text, "\"");
}

static void append_real(double value, mc_text *text) {
    char number[MC_ROW_NUMBER_SIZE];
    if (isfinite(value))
        mc_text_append(text, number, (size_t)(mc_row_put_real(number, value) - number));
    else
        mc_text_append_string(text, "null");
}

static double read_double(const unsigned char *at) {
    uint64_t bits = mc_hprof_read_u8(at);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float read_float(const unsigned char *at) {
    uint32_t bits = mc_hprof_read_u4(at);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void append_primitive(uint8_t type, const unsigned char *at, mc_text *text) {
    mc_text character = {0};
    switch (type) {
    case MC_HPROF_TYPE_BOOLEAN: mc_text_append_string(text, *at ? "true" : "false"); return;
    case TYPE_CHAR:
        append_character(read_unit(at), &character);
        append_quoted(mc_text_get(&character), character.size, text);
        text->failed |= character.failed;
        mc_text_deinit(&character);
        return;
    case TYPE_FLOAT: append_real(read_float(at), text); return;
    case TYPE_DOUBLE: append_real(read_double(at), text); return;
    case TYPE_BYTE: mc_text_format(text, "%d", (signed char)*at); return;
    case TYPE_SHORT: mc_text_format(text, "%d", (int16_t)mc_hprof_read_u2(at)); return;
    case TYPE_INT: mc_text_format(text, "%" PRId32, (int32_t)mc_hprof_read_u4(at)); return;
    default: mc_text_format(text, "%" PRId64, (int64_t)mc_hprof_read_u8(at)); return;
    }
}

// Fields of one class; `offset` is where they begin in the instance.
static void append_fields(const mc_hprof_file *file, const mc_hprof_class *class, uint64_t offset,
                          const mc_hprof_item *item, bool *is_first, mc_text *text) {
    size_t name_size;
    for (uint32_t i = 0; i < class->own_field_count; i++) {
        uint8_t type = mc_hprof_get_field_type(file, class->own_fields, i);
        uint32_t width = mc_hprof_measure_type(type, file->id_size);
        if (width == 0 || offset + width > item->data_size) return;
        if (type != MC_HPROF_TYPE_OBJECT) {
            uint64_t id = mc_hprof_read_id(class->own_fields + (size_t)i * (file->id_size + 1),
                                           file->id_size);
            const char *name = mc_hprof_file_get_string(file, id, &name_size);
            mc_text_append_string(text, *is_first ? "{" : ",");
            *is_first = false;
            append_quoted(name ? name : "", name ? name_size : 0, text);
            mc_text_append_string(text, ":");
            append_primitive(type, item->data + offset, text);
        }
        offset += width;
    }
}

static void append_instance(const mc_hprof_classes *classes, const mc_hprof_file *file,
                            uint32_t class, const mc_hprof_item *item, mc_text *text) {
    bool is_first = true;
    uint64_t offset = 0;
    for (uint32_t i = 0; class != MC_NONE && i < CLASSES_MOST; i++) {
        const mc_hprof_class *at = &classes->items[class];
        append_fields(file, at, offset, item, &is_first, text);
        offset += at->own_size;
        if (offset > item->data_size) break;
        class = at->super;
    }
    if (!is_first) mc_text_append_string(text, "}");
}

static void append_class(const mc_hprof_class *class, mc_text *text) {
    size_t package_size;
    bool is_primitive;
    mc_class_name_append(text, class->name, class->name_size, &package_size, &is_primitive);
}

void mc_hprof_append_value(const mc_hprof_classes *classes, const mc_hprof_file *file,
                           mc_hprof_kind kind, uint32_t class, const mc_hprof_item *item,
                           mc_text *text) {
    if (kind == MC_HPROF_INSTANCE && class != MC_NONE)
        append_instance(classes, file, class, item, text);
    else if (kind == MC_HPROF_PRIMITIVES && (item->type == TYPE_CHAR || item->type == TYPE_BYTE))
        append_characters(item, text);
    else if (kind == MC_HPROF_CLASS && class != MC_NONE && classes->items[class].name)
        append_class(&classes->items[class], text);
}
