#include "app/page/page_column.h"

#include "engine/base/memory.h"
#include <string.h>

void mc_page_columns_deinit(mc_page_columns *columns) {
    mc_text_deinit(&columns->bytes);
    *columns = (mc_page_columns){0};
}

static void add(mc_page_columns *columns, const char *name, uint32_t plane_count, size_t count) {
    assert(columns->count < MC_PAGE_COLUMN_CAPACITY);
    columns->items[columns->count++] = (mc_page_column){name, plane_count, count};
}

void mc_page_columns_add(mc_page_columns *columns, const char *name, const uint64_t *numbers,
                         size_t count) {
    uint64_t all = 0;
    uint32_t plane_count = 0;
    for (size_t i = 0; i < count; i++)
        all |= numbers[i];
    for (; all > 0; all >>= 8)
        plane_count++;
    add(columns, name, plane_count, count);
    unsigned char *plane = mc_alloc(count + 1, 1);
    columns->bytes.failed |= !plane;
    for (uint32_t k = 0; k < plane_count && plane; k++) {
        for (size_t i = 0; i < count; i++)
            plane[i] = (unsigned char)(numbers[i] >> 8 * k);
        mc_text_append(&columns->bytes, (const char *)plane, count);
    }
    mc_free(plane);
}

void mc_page_columns_add_bytes(mc_page_columns *columns, const char *name, const void *bytes,
                               size_t count) {
    add(columns, name, 1, count);
    if (count > 0) mc_text_append(&columns->bytes, bytes, count);
}
