#include "app/commands/rss_table.h"

#include "app/subject_text.h"
#include "engine/base/memory.h"
#include <stdlib.h>
#include <string.h>

#define KILO 1024

// What the table shows of each node, at the last step; the first one of BYTES is at the first step.
enum { FIRST, BYTES, PROPORTIONAL, SWAPPED, DIRTY, ESTIMATED, COLUMN_COUNT };

typedef struct table {
    const mc_trace *trace;
    const mc_rss_table_desc *desc;
    uint64_t *values[COLUMN_COUNT]; // by node
    uint32_t *order;                // of children, the largest first
    bool has_growth;
} table;

bool mc_rss_table_fits(const mc_trace *trace) {
    return mc_subject_is_resident_memory(trace);
}

// ---- values

static mc_result read(table *self, mc_error *error) {
    static const char *const keys[COLUMN_COUNT] = {
        [FIRST] = "bytes",  [BYTES] = "bytes", [PROPORTIONAL] = "pss",
        [SWAPPED] = "swap", [DIRTY] = "dirty", [ESTIMATED] = "estimated"};
    const uint32_t count = mc_trace_get_nodes(self->trace)->count;
    const uint32_t last = mc_trace_get_step_count(self->trace) - 1;
    self->order = mc_alloc(count, sizeof *self->order);
    if (!self->order) return mc_error_out_of_memory(error);
    for (int i = 0; i < COLUMN_COUNT; i++) {
        mc_metric metric = mc_trace_find_metric(self->trace, keys[i]);
        self->values[i] = mc_alloc_zero(count, sizeof *self->values[i]);
        if (!self->values[i]) return mc_error_out_of_memory(error);
        if (metric == MC_NONE) continue;
        mc_result result = mc_trace_read_counts(self->trace, i == FIRST ? 0 : last, metric,
                                                self->values[i], error);
        if (result != MC_OK) return result;
    }
    self->has_growth = last > 0;
    return MC_OK;
}

// ---- order

typedef struct ranked {
    uint64_t bytes, first;
    uint32_t node;
} ranked;

static int compare(const void *left, const void *right) {
    const ranked *a = left, *b = right;
    if (a->bytes != b->bytes) return a->bytes > b->bytes ? -1 : 1;
    if (a->first != b->first) return a->first > b->first ? -1 : 1;
    return a->node < b->node ? -1 : 1;
}

// Children of a node, the largest first; those that have nothing and never had are left out.
static bool order_children(table *self, uint32_t node, uint32_t *count) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->trace);
    const uint32_t all = nodes->child_count[node];
    *count = 0;
    if (all == 0) return true;
    ranked *items = mc_alloc(all, sizeof *items);
    if (!items) return false;
    for (uint32_t i = 0; i < all; i++) {
        uint32_t child = nodes->first_child[node] + i;
        ranked one = {self->values[BYTES][child], self->values[FIRST][child], child};
        if (one.bytes > 0 || one.first > 0 || self->values[SWAPPED][child] > 0)
            items[(*count)++] = one;
    }
    qsort(items, *count, sizeof *items, compare);
    for (uint32_t i = 0; i < *count; i++)
        self->order[nodes->first_child[node] + i] = items[i].node;
    mc_free(items);
    return true;
}

// ---- rows

static mc_cell get_kilobytes(uint64_t bytes) {
    return mc_cell_count(bytes / KILO);
}

// `name`: what people read.
static void print_row(mc_print *print, const table *self, uint32_t node, const uint64_t *values,
                      const char *indent, mc_cell name) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->trace);
    const uint64_t all = self->values[BYTES][0];
    const bool is_group = node != MC_NONE;
    uint32_t kind = !is_group || nodes->level[node] == 0 ? MC_NONE
                    : nodes->level[node] == 1            ? node
                                                         : nodes->parent[node];
    uint32_t mapping = is_group && nodes->level[node] > 1 ? node : MC_NONE;
    int64_t growth = (int64_t)(values[BYTES] - values[FIRST]);
    MC_PRINT_ROW(print, get_kilobytes(values[BYTES]),
                 mc_cell_share(all > 0 ? (double)values[BYTES] / (double)all : 0),
                 mc_cell_number(growth / KILO), get_kilobytes(values[PROPORTIONAL]),
                 get_kilobytes(values[SWAPPED]), get_kilobytes(values[DIRTY]),
                 get_kilobytes(values[ESTIMATED]), mc_cell_text(indent), name,
                 kind == MC_NONE ? mc_cell_null() : mc_cell_string(self->trace, nodes->name[kind]),
                 mapping == MC_NONE ? mc_cell_null()
                                    : mc_cell_string(self->trace, nodes->key[mapping]),
                 mc_cell_bytes(values[BYTES]), mc_cell_number(growth),
                 mc_cell_bytes(values[PROPORTIONAL]), mc_cell_bytes(values[SWAPPED]),
                 mc_cell_bytes(values[DIRTY]), mc_cell_bytes(values[ESTIMATED]));
}

static void print_node(mc_print *print, const table *self, uint32_t node) {
    static const char *const indents[] = {"", "  ", "    "};
    const mc_node_columns *nodes = mc_trace_get_nodes(self->trace);
    uint64_t values[COLUMN_COUNT];
    uint32_t level = nodes->level[node] < 2 ? nodes->level[node] : 2;
    for (int i = 0; i < COLUMN_COUNT; i++)
        values[i] = self->values[i][node];
    print_row(print, self, node, values, indents[level],
              mc_cell_string(self->trace, nodes->name[node]));
}

// In text, the last row of a kind has all that is smaller.
static void print_rest(mc_print *print, const table *self, const uint32_t *order, uint32_t count) {
    uint64_t values[COLUMN_COUNT] = {0};
    mc_text name = {0};
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < COLUMN_COUNT; k++)
            values[k] += self->values[k][order[i]];
    mc_text_format(&name, "%u more", (unsigned)count);
    print_row(print, self, MC_NONE, values, "    ", mc_cell_text(mc_text_get(&name)));
    print->out->failed |= name.failed;
    mc_text_deinit(&name);
}

static bool print_kind(mc_print *print, table *self, uint32_t kind) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->trace);
    uint32_t count, most = self->desc->most;
    if (!order_children(self, kind, &count)) return false;
    const uint32_t *order = self->order + nodes->first_child[kind];
    print_node(print, self, kind);
    if (self->desc->json || self->desc->tsv) most = count;
    if (most > 0 && count == most + 1) most++; // "1 more" takes as much room
    for (uint32_t i = 0; i < count && i < most; i++)
        print_node(print, self, order[i]);
    if (most > 0 && count > most) print_rest(print, self, order + most, count - most);
    return true;
}

static bool print_all(mc_print *print, table *self) {
    const mc_node_columns *nodes = mc_trace_get_nodes(self->trace);
    const mc_column columns[] = {
        {.heading = "Rss kB", .width = 12},
        {.heading = "share", .width = 8, .before = " "},
        {.heading = "growth kB", .width = 12, .before = " ", .is_off = !self->has_growth},
        {.heading = "Pss kB", .width = 12, .before = " "},
        {.heading = "swap kB", .width = 10, .before = " "},
        {.heading = "dirty kB", .width = 12, .before = " "},
        {.heading = "estimated kB", .width = 12, .before = " ", .after = "  "},
        {.heading = ""},
        {.heading = "memory"},
        {.key = "kind"},
        {.key = "mapping"},
        {.key = "bytes"},
        {.key = "growth_bytes", .is_off = !self->has_growth},
        {.key = "pss_bytes"},
        {.key = "swap_bytes"},
        {.key = "dirty_bytes"},
        {.key = "estimated_bytes"}};
    uint32_t count;
    print->lines = MC_LINES_BETWEEN;
    MC_PRINT_BEGIN_ROWS(print, NULL, columns);
    print_node(print, self, 0);
    bool fits = order_children(self, 0, &count);
    for (uint32_t i = 0; i < count && fits; i++)
        fits = print_kind(print, self, self->order[nodes->first_child[0] + i]);
    mc_print_end_rows(print);
    mc_print_end(print);
    return fits;
}

mc_result mc_rss_table_append(const mc_trace *trace, const mc_rss_table_desc *desc, mc_text *out,
                              mc_error *error) {
    table self = {.trace = trace, .desc = desc};
    mc_print print = mc_print_to(out, desc->json, desc->tsv);
    mc_result result = read(&self, error);
    if (result == MC_OK && !print_all(&print, &self)) result = mc_error_out_of_memory(error);
    for (int i = 0; i < COLUMN_COUNT; i++)
        mc_free(self.values[i]);
    mc_free(self.order);
    return result;
}
