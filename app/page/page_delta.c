#include "app/page/page_delta.h"

#include "engine/base/memory.h"
#include <string.h>

// How a column's bytes follow from those before; numbers are in docs/reference/serve.md.
typedef enum delta_kind {
    DELTA_SAME,  // nothing is sent
    DELTA_XOR,   // exclusive or with those before, plane by plane; what these lack is 0
    DELTA_MORE,  // of a row's changes those that came to it, as planes; behind its bits
    DELTA_WHOLE, // as they are
} delta_kind;

typedef struct view {
    const mc_page_column *column;
    const unsigned char *bytes;
} view;

void mc_page_content_deinit(mc_page_content *content) {
    mc_text_deinit(&content->words);
    mc_page_columns_deinit(&content->columns);
}

static view get_view(const mc_page_content *content, uint32_t index) {
    view it = {&content->columns.items[index], (const unsigned char *)content->columns.bytes.data};
    for (uint32_t i = 0; i < index; i++)
        it.bytes += content->columns.items[i].plane_count * content->columns.items[i].count;
    return it;
}

static bool ends_with(const char *name, const char *end) {
    size_t size = strlen(name), end_size = strlen(end);
    return size >= end_size && strcmp(name + size - end_size, end) == 0;
}

static size_t get_size(view it) {
    return (size_t)(it.column->plane_count * it.column->count);
}

static bool is_same(view before, view now) {
    return before.column->plane_count == now.column->plane_count &&
           before.column->count == now.column->count &&
           (get_size(now) == 0 || memcmp(before.bytes, now.bytes, get_size(now)) == 0);
}

static void append_number(mc_text *out, uint32_t number) {
    unsigned char bytes[4];
    for (int i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(number >> 8 * i);
    mc_text_append(out, (const char *)bytes, sizeof bytes);
}

static void append_xor(view before, view now, mc_text *out) {
    enum { PART_SIZE = 4096 };
    unsigned char part[PART_SIZE];
    size_t count = (size_t)now.column->count, shared = (size_t)before.column->count;
    for (uint32_t plane = 0; plane < now.column->plane_count; plane++)
        for (size_t done = 0; done < count;) {
            size_t size = count - done < PART_SIZE ? count - done : PART_SIZE;
            memcpy(part, now.bytes + plane * count + done, size);
            for (size_t i = 0; i < size && plane < before.column->plane_count; i++)
                if (done + i < shared) part[i] ^= before.bytes[plane * shared + done + i];
            mc_text_append(out, (const char *)part, size);
            done += size;
        }
}

// ---- changes: row by row, so those of a new step stand between others

// A row's bits, in planes of so many rows.
static uint32_t count_changes(view changed, size_t rows, size_t row) {
    uint32_t count = 0;
    for (size_t at = row; at < changed.column->count; at += rows)
        for (unsigned bits = changed.bytes[at]; bits > 0; bits &= bits - 1)
            count++;
    return count;
}

static uint64_t get_number(view it, size_t index) {
    uint64_t number = 0;
    for (uint32_t plane = 0; plane < it.column->plane_count; plane++)
        number |= (uint64_t)it.bytes[plane * it.column->count + index] << 8 * plane;
    return number;
}

// The numbers that came to rows; false: rows have other ones than before.
static bool collect_more(const view changed[2], const view change[2], size_t rows, uint64_t *more) {
    size_t at[2] = {0, 0}, done = 0;
    for (size_t row = 0; row < rows; row++) {
        uint32_t before = count_changes(changed[0], rows, row);
        uint32_t now = count_changes(changed[1], rows, row);
        if (now < before) return false;
        for (uint32_t i = 0; i < before; i++)
            if (get_number(change[0], at[0]++) != get_number(change[1], at[1]++)) return false;
        for (uint32_t i = before; i < now; i++)
            more[done++] = get_number(change[1], at[1]++);
    }
    return true;
}

static bool append_more(const view changed[2], const view change[2], size_t rows, mc_text *out) {
    if (change[1].column->count < change[0].column->count) return false;
    size_t count = (size_t)(change[1].column->count - change[0].column->count);
    uint64_t *more = mc_alloc(count + 1, sizeof *more);
    unsigned char *plane = mc_alloc(count + 1, 1);
    bool is_there = more && plane && collect_more(changed, change, rows, more);
    out->failed |= !more || !plane;
    if (is_there) mc_text_append(out, (const char[]){DELTA_MORE}, 1);
    for (uint32_t k = 0; is_there && k < change[1].column->plane_count; k++) {
        for (size_t i = 0; i < count; i++)
            plane[i] = (unsigned char)(more[i] >> 8 * k);
        mc_text_append(out, (const char *)plane, count);
    }
    mc_free(more);
    mc_free(plane);
    return is_there;
}

// ---- all of it

static bool are_alike(const mc_page_columns *before, const mc_page_columns *now) {
    if (before->count != now->count) return false;
    for (uint32_t i = 0; i < now->count; i++)
        if (strcmp(before->items[i].name, now->items[i].name) != 0) return false;
    return now->count > 0 && before->items[0].count == now->items[0].count;
}

static void append_column(const mc_page_content *before, const mc_page_content *now, uint32_t index,
                          mc_text *out) {
    view old = get_view(before, index), new = get_view(now, index);
    bool is_bits = ends_with(new.column->name, "changed");
    if (is_same(old, new)) {
        mc_text_append(out, (const char[]){DELTA_SAME}, 1);
        return;
    }
    if (index > 1 && ends_with(new.column->name, "change")) {
        view changed[2] = {get_view(before, index - 1), get_view(now, index - 1)};
        view change[2] = {old, new};
        size_t rows = (size_t)now->columns.items[index - 2].count;
        if (rows == before->columns.items[index - 2].count &&
            append_more(changed, change, rows, out))
            return;
    }
    bool is_xor = new.column->count == old.column->count || is_bits;
    mc_text_append(out, (const char[]){is_xor ? DELTA_XOR : DELTA_WHOLE}, 1);
    if (is_xor)
        append_xor(old, new, out);
    else
        mc_text_append(out, (const char *)new.bytes, get_size(new));
}

mc_result mc_page_delta_append(const mc_page_content *before, const mc_page_content *now,
                               mc_text *out, mc_error *error) {
    if (!are_alike(&before->columns, &now->columns)) return MC_OK;
    append_number(out, (uint32_t)now->words.size);
    mc_text_append(out, now->words.data, now->words.size);
    for (uint32_t i = 0; i < now->columns.count; i++)
        append_column(before, now, i, out);
    return out->failed ? mc_error_out_of_memory(error) : MC_OK;
}
