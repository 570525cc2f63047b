#include "app/page/page_links.h"

#include "engine/base/memory.h"
#include <stdlib.h>

#define MOST_HOLDERS 5u    // of a building
#define MOST_LINKS 100000u // of all, the strongest

typedef struct link {
    uint32_t held, holder;
    uint64_t references;
} link;

static int compare_strength(uint64_t a, uint64_t b) {
    return a > b ? -1 : a < b;
}

static int compare_by_held(const void *left, const void *right) {
    const link *a = left, *b = right;
    if (a->held != b->held) return a->held < b->held ? -1 : 1;
    int order = compare_strength(a->references, b->references);
    if (order != 0) return order;
    return a->holder < b->holder ? -1 : a->holder > b->holder;
}

static int compare_by_strength(const void *left, const void *right) {
    const link *a = left, *b = right;
    int order = compare_strength(a->references, b->references);
    return order != 0 ? order : compare_by_held(left, right);
}

// Of each building the strongest.
static uint32_t keep_strongest(link *links, uint32_t count) {
    uint32_t kept = 0, of_held = 0;
    for (uint32_t i = 0; i < count; i++) {
        of_held = i > 0 && links[i].held == links[i - 1].held ? of_held + 1 : 0;
        if (of_held < MOST_HOLDERS) links[kept++] = links[i];
    }
    return kept;
}

static uint32_t fill(const mc_page_plan *plan, const mc_reference_rows *rows, link *links) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < rows->count; i++) {
        const mc_reference *row = &rows->items[i];
        uint32_t held = mc_page_plan_find(plan, row->to);
        uint32_t holder = mc_page_plan_find(plan, row->from);
        bool is_known = row->points_to != MC_COUNT_UNKNOWN && row->points_to > 0;
        if (held == MC_NONE || holder == MC_NONE || held == holder || !is_known) continue;
        links[count++] = (link){held, holder, row->points_to};
    }
    qsort(links, count, sizeof *links, compare_by_held);
    count = keep_strongest(links, count);
    if (count <= MOST_LINKS) return count;
    qsort(links, count, sizeof *links, compare_by_strength);
    qsort(links, MOST_LINKS, sizeof *links, compare_by_held);
    return MOST_LINKS;
}

static bool append(const link *links, uint32_t count, mc_page_columns *out) {
    uint64_t *numbers = mc_alloc((size_t)count + 1, sizeof *numbers);
    if (!numbers) return false;
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = links[i].held;
    mc_page_columns_add(out, "held", numbers, count);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = links[i].holder;
    mc_page_columns_add(out, "holder", numbers, count);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = links[i].references;
    mc_page_columns_add(out, "references", numbers, count);
    mc_free(numbers);
    return true;
}

mc_result mc_page_links_append(const mc_trace *trace, const mc_page_plan *plan, uint32_t step,
                               mc_page_columns *out, mc_error *error) {
    if (!mc_trace_has_references(trace)) return MC_OK;
    mc_reference_rows rows = {0};
    mc_result result = mc_trace_read_references(trace, step, &rows, error);
    link *links = mc_alloc((size_t)rows.count + 1, sizeof *links);
    if (result == MC_OK && (!links || !append(links, fill(plan, &rows, links), out)))
        result = mc_error_out_of_memory(error);
    if (result == MC_OK && out->bytes.failed) result = mc_error_out_of_memory(error);
    mc_free(links);
    mc_reference_rows_deinit(&rows);
    return result;
}
