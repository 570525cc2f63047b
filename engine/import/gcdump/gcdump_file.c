#include "engine/import/gcdump/gcdump_file.h"

#include "engine/base/memory.h"
#include <string.h>

// Tags of FastSerialization.
enum { NOTHING = 1, REFERENCE = 2, OBJECT = 4, PRIVATE_OBJECT = 5, END = 6, BYTE = 8 };

enum { OLDEST = 9, NEWEST = 10, GRAPH_NEWEST = 1 };
enum { TYPE_SIZE_LEAST = 12 };

static const char magic[] = "!FastSerialization.1";

bool mc_gcdump_detect(const void *data, size_t size) {
    static const char type[] = "GCHeapDump";
    const size_t length = sizeof magic - 1;
    return size > 4 + length && memcmp((const char *)data + 4, magic, length) == 0 &&
           memmem(data, size < 64 ? size : 64, type, sizeof type - 1) != NULL;
}

// ---- FastSerialization

typedef struct cursor {
    const unsigned char *begin, *at, *end;
    mc_result result;
    mc_error *error;
} cursor;

static void fail(cursor *c, const unsigned char *at, const char *expected) {
    if (c->result != MC_OK) return;
    c->result = mc_error_set(c->error, MC_ERROR_BAD_DATA, (uint64_t)(at - c->begin),
                             ".gcdump: expected %s", expected);
}

static const unsigned char *take(cursor *c, uint64_t size, const char *expected) {
    const unsigned char *at = c->at;
    if (c->result == MC_OK && (uint64_t)(c->end - c->at) < size) fail(c, at, expected);
    if (c->result != MC_OK) return NULL;
    c->at += size;
    return at;
}

static uint32_t get_u32(const unsigned char *at) {
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static uint32_t take_u32(cursor *c, const char *expected) {
    const unsigned char *at = take(c, 4, expected);
    return at ? get_u32(at) : 0;
}

static unsigned take_byte(cursor *c, const char *expected) {
    const unsigned char *at = take(c, 1, expected);
    return at ? *at : 0;
}

// A number of things of at least `least` bytes each, so that they fit behind it.
static uint32_t take_count(cursor *c, uint32_t least, const char *expected) {
    const unsigned char *at = c->at;
    uint32_t count = take_u32(c, expected);
    if (c->result == MC_OK && (count > INT32_MAX || (uint64_t)(c->end - c->at) / least < count))
        fail(c, at, expected);
    return c->result == MC_OK ? count : 0;
}

static mc_span take_text(cursor *c, const char *expected) {
    const unsigned char *begin = c->at;
    uint32_t size = take_u32(c, expected);
    if (c->result != MC_OK || size == UINT32_MAX) return (mc_span){NULL, 0}; // none
    if (size > INT32_MAX) fail(c, begin, expected);
    const unsigned char *at = take(c, size, expected);
    return at ? (mc_span){(const char *)at, size} : (mc_span){NULL, 0};
}

static bool is_text(mc_span text, const char *wanted) {
    return text.size == strlen(wanted) && memcmp(text.at, wanted, text.size) == 0;
}

typedef struct object_type {
    uint32_t version, oldest_reader;
    mc_span name;
} object_type;

// Behind the tag of an object. A type that was there before is a reference to it.
static object_type take_type(cursor *c) {
    static const char expected[] = "an object's type";
    const unsigned char *begin = c->at, *back = NULL;
    unsigned tag = take_byte(c, expected);
    if (tag == REFERENCE) {
        uint32_t label = take_u32(c, expected);
        if (c->result == MC_OK && label >= (uint64_t)(begin - c->begin)) fail(c, begin, expected);
        back = c->at;
        if (c->result == MC_OK) c->at = c->begin + label;
        tag = take_byte(c, expected);
    }
    if (tag != OBJECT && tag != PRIVATE_OBJECT) fail(c, begin, expected);
    if (take_byte(c, expected) != NOTHING) fail(c, begin, expected);
    object_type type = {.version = take_u32(c, expected), .oldest_reader = take_u32(c, expected)};
    type.name = take_text(c, expected);
    if (take_byte(c, expected) != END) fail(c, begin, expected);
    if (back && c->result == MC_OK) c->at = back;
    return type;
}

static object_type begin_object(cursor *c, const char *name, const char *expected) {
    const unsigned char *begin = c->at;
    unsigned tag = take_byte(c, expected);
    if (tag != OBJECT && tag != PRIVATE_OBJECT) fail(c, begin, expected);
    object_type type = take_type(c);
    if (!is_text(type.name, name)) fail(c, begin, expected);
    return type;
}

// ---- the dump

static void check_version(cursor *c, const object_type *type, const unsigned char *begin) {
    if (c->result != MC_OK) return;
    if (type->version >= OLDEST && type->oldest_reader <= NEWEST) return;
    c->result = mc_error_set(c->error, MC_ERROR_BAD_DATA, (uint64_t)(begin - c->begin),
                             ".gcdump: version %u, for readers of version %u or later; memcity "
                             "reads %d to %d",
                             type->version, type->oldest_reader, OLDEST, NEWEST);
}

static void check_graph_version(cursor *c, const object_type *type, const unsigned char *begin) {
    if (c->result != MC_OK || type->oldest_reader == 0) return;
    if (type->oldest_reader > GRAPH_NEWEST)
        c->result = mc_error_set(c->error, MC_ERROR_BAD_DATA, (uint64_t)(begin - c->begin),
                                 ".gcdump: its graph is for readers of version %u or later; "
                                 "memcity reads those of version 0",
                                 type->oldest_reader);
    else
        c->result = mc_error_set(c->error, MC_ERROR_BAD_DATA, (uint64_t)(begin - c->begin),
                                 ".gcdump: its types are known by addresses of modules alone, as "
                                 ".NET Native has them");
}

static void take_types(cursor *c, mc_gcdump_file *file) {
    static const char expected[] = "types with names, sizes and modules";
    file->type_count = take_count(c, TYPE_SIZE_LEAST, expected);
    if (c->result != MC_OK) return;
    file->types = mc_alloc((size_t)file->type_count + 1, sizeof *file->types);
    if (!file->types) c->result = mc_error_out_of_memory(c->error);
    for (uint32_t i = 0; i < file->type_count && c->result == MC_OK; i++) {
        mc_span name = take_text(c, expected);
        int32_t size = (int32_t)take_u32(c, expected);
        file->types[i] = (mc_gcdump_type){name, take_text(c, expected), size};
    }
}

static void take_graph(cursor *c, mc_gcdump_file *file) {
    const unsigned char *begin = c->at;
    object_type type = begin_object(c, "Graphs.MemoryGraph", "a Graphs.MemoryGraph");
    check_graph_version(c, &type, begin);
    (void)take(c, 8, "the size of all");
    const unsigned char *root = c->at;
    file->root = take_u32(c, "the root's node");
    take_types(c, file);
    file->node_count = take_count(c, 4, "as many nodes as it says");
    file->offsets = take(c, (uint64_t)file->node_count * 4, "as many nodes as it says");
    file->blob_size = take_count(c, 1, "as many bytes of nodes as it says");
    file->blob = take(c, file->blob_size, "as many bytes of nodes as it says");
    file->address_count = take_count(c, 8, "as many addresses as it says");
    file->addresses = take(c, (uint64_t)file->address_count * 8, "as many addresses as it says");
    if (c->result == MC_OK && file->root >= file->node_count) fail(c, root, "the root's node");
    if (c->result == MC_OK && c->at < c->end && *c->at == BYTE)
        (void)take(c, 2, "whether pointers have 64 bits");
    begin = c->at;
    if (take_byte(c, "the end of the graph") != END) fail(c, begin, "the end of the graph");
}

// Behind the objects a table of labels, then where it is, then where that is.
static bool has_end(const mc_gcdump_file *file, const cursor *c) {
    const unsigned char *end = file->data + file->size;
    if ((uint64_t)(end - c->at) < 12 || get_u32(end - 4) != file->size - 8) return false;
    uint64_t table = get_u32(end - 8);
    if (table > file->size - 12 || table < (uint64_t)(c->at - file->data)) return false;
    return table + 4 + (uint64_t)get_u32(file->data + table) * 4 == file->size - 8;
}

// Whatever stands behind the graph may be missing.
static void take_rest(const cursor *c, mc_gcdump_file *file) {
    file->count_multiplier = file->size_multiplier = 1;
    file->is_cut = !has_end(file, c);
    if (c->end - c->at < 9) return;
    uint32_t count = get_u32(c->at + 1), size = get_u32(c->at + 5); // behind one byte
    memcpy(&file->count_multiplier, &count, sizeof count);
    memcpy(&file->size_multiplier, &size, sizeof size);
}

mc_result mc_gcdump_file_read(const unsigned char *data, uint64_t size, mc_gcdump_file *file,
                              mc_error *error) {
    cursor c = {.begin = data, .at = data, .end = data + size, .error = error};
    const size_t length = sizeof magic - 1;
    file->data = data;
    file->size = size;
    uint32_t begin = take_u32(&c, "!FastSerialization.1");
    const unsigned char *text = take(&c, length, "!FastSerialization.1");
    if (c.result == MC_OK && (begin != length || memcmp(text, magic, length) != 0))
        fail(&c, data, "!FastSerialization.1");
    const unsigned char *object = c.at;
    object_type type = begin_object(&c, "GCHeapDump", "a GCHeapDump");
    check_version(&c, &type, object);
    if (c.result == MC_OK) take_graph(&c, file);
    if (c.result == MC_OK) take_rest(&c, file);
    return c.result;
}

void mc_gcdump_file_deinit(mc_gcdump_file *file) {
    mc_free(file->types);
    memset(file, 0, sizeof *file);
}

// ---- nodes

static mc_result fail_node(const mc_gcdump_file *file, const unsigned char *at,
                           const char *expected, mc_error *error) {
    return mc_error_set(error, MC_ERROR_BAD_DATA, (uint64_t)(at - file->data),
                        ".gcdump: expected %s", expected);
}

// Seven bits each, the highest first, of which the first is signed. False: it does not end.
static bool take_number(const mc_gcdump_file *file, const unsigned char **at, int32_t *number) {
    const unsigned char *byte = *at, *end = file->blob + file->blob_size;
    uint32_t value = 0;
    for (unsigned i = 0; i < 5 && byte < end; i++) {
        value = i == 0 ? (*byte & 127u) | (0u - (*byte & 64u)) : value << 7 | (*byte & 127u);
        if (*byte++ & 128) continue;
        *at = byte;
        *number = (int32_t)value;
        return true;
    }
    return false;
}

mc_result mc_gcdump_read_node(const mc_gcdump_file *file, uint32_t index, mc_gcdump_node *node,
                              mc_error *error) {
    uint32_t offset = get_u32(file->offsets + (size_t)index * 4);
    if (offset >= file->blob_size)
        return fail_node(file, file->offsets + (size_t)index * 4, "where a node is", error);
    const unsigned char *at = file->blob + offset, *begin = at;
    int32_t type, size, count;
    bool is_there =
        take_number(file, &at, &type) && type >= 0 && (uint32_t)type >> 1 < file->type_count;
    if (!is_there) return fail_node(file, begin, "a node's type", error);
    begin = at;
    size = file->types[type >> 1].size;
    if (type & 1) is_there = take_number(file, &at, &size);
    if (!is_there || size < 0) return fail_node(file, begin, "a node's size", error);
    begin = at;
    if (!take_number(file, &at, &count) || count < 0 || count > file->blob + file->blob_size - at)
        return fail_node(file, begin, "as many children as a node says", error);
    *node = (mc_gcdump_node){at, index, (uint32_t)type >> 1, (uint32_t)count, (uint64_t)size};
    return MC_OK;
}

mc_result mc_gcdump_read_child(const mc_gcdump_file *file, mc_gcdump_node *node, uint32_t *child,
                               mc_error *error) {
    const unsigned char *begin = node->at;
    int32_t distance;
    if (!take_number(file, &node->at, &distance))
        return fail_node(file, begin, "a node's child", error);
    *child = node->index + (uint32_t)distance;
    return *child < file->node_count ? MC_OK : fail_node(file, begin, "a node's child", error);
}

uint64_t mc_gcdump_get_address(const mc_gcdump_file *file, uint32_t index) {
    if (index >= file->address_count) return 0;
    const unsigned char *at = file->addresses + (size_t)index * 8;
    return get_u32(at) | (uint64_t)get_u32(at + 4) << 32;
}
