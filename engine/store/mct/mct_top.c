#include "engine/store/mct/mct_top.h"

#include <stdlib.h>
#include <string.h>

// < 0: `a` comes first.
static int compare(const void *a, const void *b) {
    const mc_mct_top_item *x = a, *y = b;
    if (x->growth != y->growth) return x->growth > y->growth ? -1 : 1;
    if (x->max != y->max) return x->max > y->max ? -1 : 1;
    return x->row < y->row ? -1 : x->row > y->row;
}

// A double's bits as a number that sorts like it.
static int64_t make_sortable(double value) {
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? bits ^ INT64_MAX : bits;
}

static int64_t get_growth(const mc_metric_info *info, uint64_t first, uint64_t last) {
    if (info->is_real) {
        double growth = mc_metric_unpack(last) - mc_metric_unpack(first);
        return make_sortable(growth == 0 ? 0 : growth); // there are two zeros
    }
    return (int64_t)last - (int64_t)first;
}

static void swap(mc_mct_top *top, uint32_t a, uint32_t b) {
    mc_mct_top_item held = top->items[a];
    top->items[a] = top->items[b];
    top->items[b] = held;
}

// The one that comes last of all is on top of the heap: it gives way first.
static void sink(mc_mct_top *top, uint32_t at) {
    for (;;) {
        uint32_t child = 2 * at + 1;
        if (child >= top->count) return;
        if (child + 1 < top->count && compare(&top->items[child + 1], &top->items[child]) > 0)
            child++;
        if (compare(&top->items[at], &top->items[child]) >= 0) return;
        swap(top, at, child);
        at = child;
    }
}

static void rise(mc_mct_top *top, uint32_t at) {
    while (at > 0) {
        uint32_t parent = (at - 1) / 2;
        // cppcheck-suppress arrayIndexOutOfBoundsCond // `at` is below top->count
        if (compare(&top->items[at], &top->items[parent]) <= 0) return;
        swap(top, at, parent);
        at = parent;
    }
}

void mc_mct_top_offer(mc_mct_top *top, const mc_metric_info *info, int64_t row, uint64_t first,
                      uint64_t last, uint64_t max) {
    if (first == MC_COUNT_UNKNOWN || last == MC_COUNT_UNKNOWN) return;
    mc_mct_top_item item = {get_growth(info, first, last), max, row};
    bool is_full = top->count == MC_MCT_TOP_COUNT;
    if (is_full && item.growth < top->items[0].growth) return; // as most are
    if (!is_full) {
        top->items[top->count++] = item;
        rise(top, top->count - 1);
    } else if (compare(&item, &top->items[0]) < 0) {
        top->items[0] = item;
        sink(top, 0);
    }
}

void mc_mct_top_sort(mc_mct_top *top) {
    if (top->count > 1) qsort(top->items, top->count, sizeof *top->items, compare);
}
