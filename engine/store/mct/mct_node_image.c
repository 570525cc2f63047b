#include "engine/store/mct/mct_node_image.h"

#include "engine/base/memory.h"
#include "engine/store/mct/mct_schema.h"
#include <string.h>

#define PAGE 65536u // the largest that there is
#define LEAVES_MOST 24
#define FIRST_LEAF 2 // pages before: the header with the schema, the table's root
#define LEAF_HEADER 8
#define INNER_HEADER 12
#define HEADER 100   // of the database
#define CELL_MAX 200 // without the name
#define FORMAT 4     // of the schema: 0 and 1 take no bytes in a record
#define ENCODING 1   // UTF-8

enum { LEAF = 0x0d, INNER = 0x05, POINTER = 2 };

// ---- numbers

static unsigned char *put_big(unsigned char *at, uint64_t number, uint32_t size) {
    for (uint32_t i = size; i-- > 0; number >>= 8)
        at[i] = (unsigned char)number;
    return at + size;
}

static uint32_t get_varint_size(uint64_t number) {
    uint32_t size = 1;
    while (size < 9 && number >> (7 * size))
        size++;
    return size;
}

// The highest bits first; a ninth byte has eight bits.
static unsigned char *put_varint(unsigned char *at, uint64_t number) {
    uint32_t size = get_varint_size(number), i = size;
    if (size == 9) {
        at[--i] = (unsigned char)number;
        number >>= 8;
    }
    for (; i-- > 0; number >>= 7)
        at[i] = (unsigned char)(0x80 | (number & 0x7f));
    if (size < 9) at[size - 1] &= 0x7f;
    return at + size;
}

// How SQLite stores an integer: its type, and the bytes that it takes.
static unsigned char get_type(int64_t number, uint32_t *size) {
    static const uint8_t sizes[] = {0, 1, 2, 3, 4, 6, 8};
    uint64_t bits = (uint64_t)(number < 0 ? ~number : number);
    *size = 0;
    if (number == 0 || number == 1) return (unsigned char)(8 + number);
    unsigned char type = bits <= 0x7f             ? 1
                         : bits <= 0x7fff         ? 2
                         : bits <= 0x7fffff       ? 3
                         : bits <= 0x7fffffff     ? 4
                         : bits <= 0x7fffffffffff ? 5
                                                  : 6;
    *size = sizes[type];
    return type;
}

// ---- pages

static unsigned char *get_leaf(const mc_mct_node_image *image, uint32_t leaf) {
    return image->pages + (size_t)(FIRST_LEAF + leaf) * PAGE;
}

void mc_mct_node_image_deinit(mc_mct_node_image *image) {
    mc_free(image->pages);
    mc_free(image->last_ids);
    *image = (mc_mct_node_image){0};
}

static const char *find_schema(void) {
    for (const char *const *sql = mc_mct_schema; *sql; sql++)
        if (strncmp(*sql, "CREATE TABLE node(", 18) == 0) return *sql;
    return NULL;
}

static void put_cell_pointer(unsigned char *pointers, uint32_t cell, uint32_t at) {
    (void)put_big(pointers + (size_t)cell * POINTER, at, POINTER);
}

static void put_page_header(unsigned char *page, unsigned char kind, uint32_t cell_count,
                            uint32_t content_at) {
    unsigned char *at = page;
    *at++ = kind;
    at = put_big(at, 0, 2); // no free block
    at = put_big(at, cell_count, 2);
    at = put_big(at, content_at, 2); // the whole page's size is 0
    *at = 0;                         // no fragments
}

// The first page: of one table, whose root is the next page.
static void put_first_page(unsigned char *page) {
    static const unsigned char types[] = {5 * 2 + 13, 4 * 2 + 13, 4 * 2 + 13, 1}; // texts, a byte
    const char *sql = find_schema();
    size_t sql_size = strlen(sql);
    uint32_t type_size = get_varint_size(2 * sql_size + 13);
    uint64_t header_size = 1 + sizeof types + type_size;
    uint64_t size = header_size + 5 + 4 + 4 + 1 + sql_size;
    uint32_t cell_at = PAGE - (uint32_t)(get_varint_size(size) + 1 + size);
    memcpy(page, "SQLite format 3", 16);
    (void)put_big(page + 16, 1, 2); // a page of 64 KB
    page[18] = page[19] = 1;        // a rollback journal
    page[21] = 64;
    page[22] = page[23] = 32;
    (void)put_big(page + 24, 1, 4); // changes
    (void)put_big(page + 40, 1, 4); // of the schema
    (void)put_big(page + 44, FORMAT, 4);
    (void)put_big(page + 56, ENCODING, 4);
    (void)put_big(page + 92, 1, 4); // changes when the size was noted
    (void)put_big(page + 96, SQLITE_VERSION_NUMBER, 4);
    put_page_header(page + HEADER, LEAF, 1, cell_at);
    put_cell_pointer(page + HEADER + LEAF_HEADER, 0, cell_at);
    unsigned char *at = put_varint(page + cell_at, size);
    at = put_varint(at, 1);
    at = put_varint(at, header_size);
    memcpy(at, types, sizeof types);
    at = put_varint(at + sizeof types, 2 * sql_size + 13);
    for (const char *word = "tablenodenode"; *word; word++)
        *at++ = (unsigned char)*word;
    *at++ = 2; // the root
    memcpy(at, sql, sql_size);
}

static void put_page_count(mc_mct_node_image *image, uint32_t count) {
    (void)put_big(image->pages + 28, count, 4);
}

static void forget(mc_mct_node_image *image) {
    image->leaf_count = 0;
    image->cell_count = 0;
    image->content_at = 0;
}

bool mc_mct_node_image_init(mc_mct_node_image *image) {
    if (!image->pages) image->pages = mc_alloc_zero(FIRST_LEAF + LEAVES_MOST, PAGE);
    if (!image->last_ids) image->last_ids = mc_alloc(LEAVES_MOST, sizeof *image->last_ids);
    if (!image->pages || !image->last_ids) return false;
    put_first_page(image->pages);
    forget(image);
    return true;
}

bool mc_mct_node_image_attach(mc_mct_file *file) {
    int most = sqlite3_limit(file->db, SQLITE_LIMIT_ATTACHED, 1);
    int code = sqlite3_exec(file->db, "ATTACH ':memory:' AS made", NULL, NULL, NULL);
    sqlite3_limit(file->db, SQLITE_LIMIT_ATTACHED, most);
    return code == SQLITE_OK;
}

// ---- rows

// What stands in front of a record's values: their types. The id is the row's key.
typedef struct record_head {
    unsigned char bytes[64];
    uint32_t size;
    uint32_t sizes[3 + MC_MCT_NODE_NUMBERS]; // of the integers
    uint64_t value_size;                     // of all
} record_head;

static int64_t get_integer(const mc_mct_node_row *row, uint32_t index) {
    return index == 0   ? (int64_t)row->parent
           : index == 1 ? (int64_t)row->role
           : index == 2 ? (int64_t)row->is_leaf
                        : row->numbers[index - 3];
}

static bool is_null(const mc_mct_node_row *row, uint32_t index) {
    return (index == 0 && row->parent == MC_NONE) || (index == 1 && row->role == MC_NONE);
}

static void make_head(const mc_mct_node_row *row, record_head *head) {
    unsigned char *at = head->bytes + 1;
    head->value_size = row->name_size;
    *at++ = 0; // the id
    for (uint32_t i = 0; i < 3 + MC_MCT_NODE_NUMBERS; i++) {
        if (i == 1) at = put_varint(at, 2 * row->name_size + 13);
        head->sizes[i] = 0;
        *at++ = is_null(row, i) ? 0 : get_type(get_integer(row, i), &head->sizes[i]);
        head->value_size += head->sizes[i];
    }
    head->size = (uint32_t)(at - head->bytes);
    head->bytes[0] = (unsigned char)head->size;
}

static void put_values(unsigned char *at, const mc_mct_node_row *row, const record_head *head) {
    at = put_big(at, (uint64_t)get_integer(row, 0), head->sizes[0]);
    if (row->name_size > 0) memcpy(at, row->name, row->name_size);
    at += row->name_size;
    for (uint32_t i = 1; i < 3 + MC_MCT_NODE_NUMBERS; i++)
        at = put_big(at, (uint64_t)get_integer(row, i), head->sizes[i]);
}

static void close_leaf(mc_mct_node_image *image) {
    if (image->leaf_count == 0) return;
    uint32_t leaf = image->leaf_count - 1;
    put_page_header(get_leaf(image, leaf), LEAF, image->cell_count, image->content_at);
    image->last_ids[leaf] = image->last_id;
}

static bool begin_leaf(mc_mct_node_image *image) {
    close_leaf(image);
    if (image->leaf_count == LEAVES_MOST) return false;
    image->leaf_count++;
    image->cell_count = 0;
    image->content_at = PAGE;
    return true;
}

bool mc_mct_node_image_add(mc_mct_node_image *image, const mc_mct_node_row *row) {
    record_head head;
    assert(row->name_size <= MC_MCT_NODE_NAME_MAX);
    make_head(row, &head);
    uint64_t size = head.size + head.value_size;
    uint32_t cell_size =
        get_varint_size(size) + get_varint_size((uint64_t)row->id) + (uint32_t)size;
    uint32_t taken = LEAF_HEADER + (image->cell_count + 1) * POINTER;
    if ((image->leaf_count == 0 || image->content_at < taken + cell_size) && !begin_leaf(image))
        return false;
    unsigned char *page = get_leaf(image, image->leaf_count - 1);
    image->content_at -= cell_size;
    put_cell_pointer(page + LEAF_HEADER, image->cell_count++, image->content_at);
    unsigned char *at = put_varint(page + image->content_at, size);
    at = put_varint(at, (uint64_t)row->id);
    memcpy(at, head.bytes, head.size);
    put_values(at + head.size, row, &head);
    image->last_id = row->id;
    return true;
}

// The root: a page number a leaf and its last id, and for the last leaf the number alone.
static void put_root(mc_mct_node_image *image) {
    unsigned char *root = image->pages + PAGE;
    uint32_t last = image->leaf_count - 1, content_at = PAGE;
    if (last == 0) {
        memcpy(root, get_leaf(image, 0), PAGE);
        put_page_count(image, FIRST_LEAF);
        return;
    }
    for (uint32_t leaf = 0; leaf < last; leaf++) {
        uint64_t id = (uint64_t)image->last_ids[leaf];
        content_at -= 4 + get_varint_size(id);
        (void)put_varint(put_big(root + content_at, FIRST_LEAF + 1 + leaf, 4), id);
        put_cell_pointer(root + INNER_HEADER, leaf, content_at);
    }
    put_page_header(root, INNER, last, content_at);
    (void)put_big(root + LEAF_HEADER, FIRST_LEAF + 1 + last, 4);
    put_page_count(image, FIRST_LEAF + image->leaf_count);
}

mc_result mc_mct_node_image_take(mc_mct_node_image *image, mc_mct_file *file, bool *is_taken,
                                 mc_error *error) {
    *is_taken = true;
    if (image->leaf_count == 0) return MC_OK;
    close_leaf(image);
    put_root(image);
    sqlite3_int64 size = (sqlite3_int64)(FIRST_LEAF + image->leaf_count) * PAGE;
    forget(image);
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_deserialize(file->db, "made", image->pages, size, size,
                                   SQLITE_DESERIALIZE_READONLY);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(file->db, "INSERT INTO main.node SELECT * FROM made.node", -1,
                                  &statement, NULL);
    *is_taken = code == SQLITE_OK;
    if (code == SQLITE_OK) code = sqlite3_step(statement);
    mc_result result =
        !*is_taken || code == SQLITE_DONE ? MC_OK : mc_mct_file_fail(file, code, error);
    sqlite3_finalize(statement);
    return result;
}
