// page_column.h - whole numbers as a page has them: columns in planes of bytes, one after another.
//
// The low bytes of all numbers come first, then the next ones, as many planes as the largest number
// needs: what is alike stands together, which is what deflate finds. Threads: one object serves one
// thread at a time.
#pragma once
#include "engine/base/text.h"

typedef struct mc_page_column {
    const char *name;
    uint32_t plane_count;
    uint64_t count;
} mc_page_column;

#define MC_PAGE_COLUMN_CAPACITY 32

// Zero-initialise; deinit. `bytes` says if memory ran out.
typedef struct mc_page_columns {
    mc_page_column items[MC_PAGE_COLUMN_CAPACITY];
    uint32_t count;
    mc_text bytes;
} mc_page_columns;

void mc_page_columns_deinit(mc_page_columns *columns);
void mc_page_columns_add(mc_page_columns *columns, const char *name, const uint64_t *numbers,
                         size_t count);
// Bytes as they are: a single plane.
void mc_page_columns_add_bytes(mc_page_columns *columns, const char *name, const void *bytes,
                               size_t count);

// A signed number as one without a sign: 0, -1, 1, -2 …
static inline uint64_t mc_page_fold_sign(int64_t number) {
    return (uint64_t)number << 1 ^ (number < 0 ? UINT64_MAX : 0);
}
