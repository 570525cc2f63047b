#include "engine/layout/plot_grid.h"

#include "engine/base/memory.h"
#include "engine/layout/sibling_sort.h"
#include <math.h>
#include <string.h>

enum { AXIS_X, AXIS_Y, NODES_PER_REPORT = 1 << 16 };

// In sides of a leaf: a district's border for a padding of 1, and the street between children as a
// share of that. What is usual, 0.02, is a border of 0.3.
#define BORDER_BY_PADDING 15.0
#define LARGEST_BORDER 2.0
#define STREET_SHARE 0.7
// What other rows have to save of a district's side to be taken, where cities grow: else each class
// that comes would change the rows of all that is around it.
#define LEAST_GAIN 0.3
// Below this level borders fall off with the square of the level, as those of treemaps do.
#define DEEPEST_FULL_LEVEL 8.0

typedef struct grid {
    const mc_tree_view *tree;
    const mc_treemap_columns *out; // of what is not placed yet, x1 and y1 are its size in leaves
    double *row_width;             // per district: how wide its rows may be
    double padding;
    mc_grid_order order;
    // Scratch for siblings.
    uint64_t *keys, *spare_keys;
    double *heights;
    double *row_heights;
    uint32_t *row_counts, *columns, *placed;
} grid;

typedef struct extent {
    double width, height;
} extent;

static double get_border(const grid *g, uint32_t node) {
    double border = fmin(g->padding * BORDER_BY_PADDING, LARGEST_BORDER);
    double depth = (double)g->tree->level[node] / DEEPEST_FULL_LEVEL;
    return depth > 1 ? border / (depth * depth) : border;
}

static double get_street(const grid *g, uint32_t node) {
    return get_border(g, node) * STREET_SHARE;
}

static bool is_visible(const grid *g, uint32_t node) {
    return !g->tree->visible || g->tree->visible[node];
}

// The children that have a place, in the grid's order.
static uint32_t sort_children(const grid *g, uint32_t node) {
    const mc_treemap_columns *out = g->out;
    uint32_t first = g->tree->first_child[node], count = 0;
    for (uint32_t i = 0; i < g->tree->child_count[node]; i++) {
        g->heights[i] = g->order == MC_GRID_BY_COUNT ? out->value[first + i] : out->y1[first + i];
        g->keys[count] = i;
        count += out->value[first + i] > 0;
    }
    const uint64_t *sorted = mc_sibling_sort(g->heights, g->keys, g->spare_keys, count);
    for (uint32_t i = 0; i < count; i++)
        out->child_order[first + i] = first + MC_SIBLING_INDEX(sorted[i]);
    out->visible_child_count[node] = count;
    return count;
}

// Where the row ends that begins with a child: its width is that of what stands in it. What is
// small may stand behind another one, where both are not deeper than the row's first: `columns`,
// if it isn't NULL, is told where each column ends, and `column_count` how many there are.
static uint32_t find_row_end(const grid *g, uint32_t node, uint32_t begin, double limit,
                             extent *row, uint32_t *columns, uint32_t *column_count) {
    const uint32_t *order = g->out->child_order + g->tree->first_child[node];
    uint32_t count = g->out->visible_child_count[node], end = begin + 1, done = 0;
    double street = get_street(g, node);
    extent column = {g->out->x1[order[begin]], g->out->y1[order[begin]]};
    *row = column;
    for (; end < count; end++) {
        extent next = {g->out->x1[order[end]], g->out->y1[order[end]]};
        double deeper = column.height + street + next.height;
        double wider = row->width - column.width + fmax(column.width, next.width);
        if (g->order == MC_GRID_BY_COUNT && deeper <= row->height && wider <= limit) {
            row->width = wider;
            column = (extent){fmax(column.width, next.width), deeper};
            continue;
        }
        if (row->width + street + next.width > limit) break;
        row->width += street + next.width;
        row->height = fmax(row->height, next.height);
        column = next;
        if (columns) columns[done] = end;
        done++;
    }
    if (columns) columns[done] = end;
    if (columns) *column_count = done + 1;
    return end;
}

// What the children take in rows of at most this width.
static extent measure(const grid *g, uint32_t node, double limit) {
    uint32_t count = g->out->visible_child_count[node];
    extent all = {0, 0}, row;
    for (uint32_t begin = 0, end; begin < count; begin = end) {
        end = find_row_end(g, node, begin, limit, &row, NULL, NULL);
        all.width = fmax(all.width, row.width);
        all.height += row.height + (begin > 0 ? get_street(g, node) : 0);
    }
    return all;
}

// Rows that make the district fit best into a rectangle that is `aspect` times as wide as high.
static extent choose_rows(const grid *g, uint32_t node, double aspect) {
    static const double shares[] = {1, 1.12, 1.25, 1.4, 1.6};
    const uint32_t *order = g->out->child_order + g->tree->first_child[node];
    double street = get_street(g, node), area = 0, widest = 0;
    for (uint32_t i = 0; i < g->out->visible_child_count[node]; i++) {
        double width = g->out->x1[order[i]];
        area += (width + street) * (g->out->y1[order[i]] + street);
        widest = fmax(widest, width);
    }
    double gain = g->order == MC_GRID_BY_COUNT ? LEAST_GAIN : 1e-9;
    extent best = {0, 0};
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        // The street behind a row's last child does not count, nor does what rounding adds.
        double limit = fmax(sqrt(area * aspect) * shares[i] - street, widest) * (1 + 1e-9);
        extent all = measure(g, node, limit);
        bool is_better = fmax(all.width / aspect, all.height) <
                         fmax(best.width / aspect, best.height) * (1 - gain);
        if (i > 0 && !is_better) continue;
        best = all;
        g->row_width[node] = limit;
    }
    return best;
}

// From the leaves up.
static void measure_node(const grid *g, uint32_t node, double aspect) {
    const mc_treemap_columns *out = g->out;
    bool is_leaf = g->tree->child_count[node] == 0, is_shown = is_visible(g, node);
    bool is_building = is_leaf && is_shown && g->tree->weight[node] > 0;
    out->visible_child_count[node] = 0;
    out->value[node] = out->x1[node] = out->y1[node] = is_building;
    if (is_leaf || !is_shown) return;
    uint32_t count = sort_children(g, node);
    for (uint32_t i = 0; i < count; i++)
        out->value[node] += out->value[out->child_order[g->tree->first_child[node] + i]];
    if (count == 0) return;
    extent inner = choose_rows(g, node, aspect);
    out->x1[node] = inner.width + 2 * get_border(g, node);
    out->y1[node] = inner.height + 2 * get_border(g, node);
}

// Gives a column's children their plots, up to `bottom`, and the cuts between them; returns its
// width. The first one stands nearest.
static double place_column(const grid *g, uint32_t *children, uint32_t count, double x,
                           double bottom, double street, double scale, mc_cut *cuts) {
    const mc_treemap_columns *out = g->out;
    double width = 0, y = bottom;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t child = children[i];
        double height = out->y1[child] * scale;
        width = fmax(width, out->x1[child] * scale);
        out->x0[child] = x;
        out->x1[child] = x + out->x1[child] * scale;
        out->y1[child] = y;
        out->y0[child] = y - height;
        y -= height + street;
        g->placed[count - 1 - i] = child;
    }
    // From the far side on, as cuts have it.
    if (count > 1) memcpy(children, g->placed, count * sizeof *children);
    for (uint32_t i = 0; cuts && i + 1 < count; i++)
        cuts[i] = (mc_cut){(float)(out->y1[children[i]] + street / 2), 1, AXIS_Y, 1};
    return width;
}

// Gives a row's children their plots, and the cuts between them.
static void place_row(const grid *g, uint32_t *children, const uint32_t *columns,
                      uint32_t column_count, double x, double bottom, double street, double scale,
                      mc_cut *cuts) {
    bool is_row = columns[column_count - 1] == column_count; // each child is a column
    for (uint32_t i = 0, begin = 0; i < column_count; begin = columns[i++]) {
        uint32_t count = columns[i] - begin;
        bool is_last = i + 1 == column_count;
        mc_cut *cut = cuts && !is_last ? cuts++ : NULL;
        x += place_column(g, children + begin, count, x, bottom, street, scale, cuts) + street;
        if (cut) *cut = (mc_cut){(float)(x - street / 2), count & 0x3fffffffu, AXIS_X, is_row};
        if (cuts) cuts += count - 1;
    }
}

// Of far-first rows their children have one side in common, too: the far one.
static void align_far(const grid *g, const uint32_t *children, uint32_t count, double y) {
    const mc_treemap_columns *out = g->out;
    for (uint32_t i = 0; i < count; i++) {
        out->y1[children[i]] += y - out->y0[children[i]];
        out->y0[children[i]] = y;
    }
}

// Finds the rows: how many children each has, and how deep it is. Where they begin at the near
// side, the children's order becomes that from the far side on.
static uint32_t list_rows(const grid *g, uint32_t node) {
    uint32_t *order = g->out->child_order + g->tree->first_child[node];
    uint32_t count = g->out->visible_child_count[node], rows = 0;
    bool is_near = g->order == MC_GRID_BY_COUNT;
    for (uint32_t begin = 0; begin < count; rows++) {
        extent row;
        uint32_t end = find_row_end(g, node, begin, g->row_width[node], &row, NULL, NULL);
        g->row_counts[rows] = end - begin;
        g->row_heights[rows] = row.height;
        memcpy(g->placed + (is_near ? count - end : begin), order + begin,
               (end - begin) * sizeof *order);
        begin = end;
    }
    memcpy(order, g->placed, count * sizeof *order);
    for (uint32_t i = 0, k = rows; is_near && i + 1 < k--; i++) {
        uint32_t children = g->row_counts[i];
        double height = g->row_heights[i];
        g->row_counts[i] = g->row_counts[k];
        g->row_heights[i] = g->row_heights[k];
        g->row_counts[k] = children;
        g->row_heights[k] = height;
    }
    return rows;
}

// The columns of a row that was found, among the row's children: where each ends.
static uint32_t list_columns(const grid *g, uint32_t node, uint32_t first, uint32_t count) {
    uint32_t columns;
    extent row;
    (void)find_row_end(g, node, first, g->row_width[node], &row, g->columns, &columns);
    // What the row did not reach when it was found, as its neighbour was another one then.
    while (columns > 1 && g->columns[columns - 2] - first >= count)
        columns--;
    g->columns[columns - 1] = first + count;
    for (uint32_t i = 0; i < columns; i++)
        g->columns[i] -= first;
    return columns;
}

// From the root down: the children of a district that stands, its content beginning at x, y.
static void place_children(const grid *g, uint32_t node, double x, double y, double scale) {
    const mc_treemap_columns *out = g->out;
    uint32_t first = g->tree->first_child[node], at = 0;
    double street = get_street(g, node) * scale;
    mc_cut *cuts = out->cuts ? out->cuts + first : NULL;
    uint32_t rows = list_rows(g, node);
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t count = g->row_counts[row], *children = out->child_order + first + at;
        double height = g->row_heights[row] * scale;
        if (cuts && row + 1 < rows)
            *cuts++ = (mc_cut){(float)(y + height + street / 2), count & 0x3fffffffu, AXIS_Y, 0};
        uint32_t columns = list_columns(g, node, at, count);
        place_row(g, children, g->columns, columns, x, y + height, street, scale, cuts);
        if (g->order == MC_GRID_BY_SIZE) align_far(g, children, count, y);
        if (cuts) cuts += count - 1;
        at += count;
        y += height + street;
    }
}

// What is hidden, or below what is, has no plot.
static void clear(const grid *g, uint32_t node) {
    const mc_treemap_columns *out = g->out;
    out->x0[node] = out->y0[node] = out->x1[node] = out->y1[node] = 0;
    out->value[node] = 0;
    out->visible_child_count[node] = 0;
}

static mc_result place_all(const grid *g, const mc_treemap_desc *desc, const mc_progress *progress,
                           uint8_t *shown) {
    const mc_treemap_columns *out = g->out;
    const mc_tree_view *tree = g->tree;
    double width = out->x1[0], height = out->y1[0], border = get_border(g, 0);
    double scale = width > 0 && height > 0 ? fmin(desc->width / width, desc->height / height) : 0;
    for (uint32_t node = 0; node < tree->count; node++) {
        shown[node] =
            node == 0 ? is_visible(g, 0) : shown[tree->parent[node]] && out->value[node] > 0;
        if (!shown[node]) {
            clear(g, node);
        } else if (node == 0) {
            double x = (desc->width - width * scale) / 2, y = (desc->height - height * scale) / 2;
            place_children(g, node, x + border * scale, y + border * scale, scale);
            out->x0[0] = out->y0[0] = 0;
            out->x1[0] = desc->width;
            out->y1[0] = desc->height;
        } else if (tree->child_count[node] > 0) {
            double inset = get_border(g, node) * scale;
            place_children(g, node, out->x0[node] + inset, out->y0[node] + inset, scale);
        }
        if (node % NODES_PER_REPORT == 0 && !mc_progress_report(progress, node, tree->count))
            return MC_ERROR_CANCELLED;
    }
    return MC_OK;
}

mc_result mc_plot_grid_layout(const mc_treemap_desc *desc, mc_grid_order order,
                              const mc_tree_view *tree, const mc_progress *progress,
                              const mc_treemap_columns *out) {
    uint32_t most = 0;
    if (tree->count == 0) return MC_OK;
    for (uint32_t i = 0; i < tree->count; i++)
        most = tree->child_count[i] > most ? tree->child_count[i] : most;
    bool is_relative = desc->padding_kind == MC_PADDING_RELATIVE;
    grid g = {.tree = tree, .out = out, .order = order, .padding = is_relative ? desc->padding : 0};
    uint8_t *shown = mc_alloc(tree->count, 1);
    g.row_width = mc_alloc(tree->count, sizeof *g.row_width);
    g.keys = mc_alloc((size_t)most + 1, sizeof *g.keys);
    g.spare_keys = mc_alloc((size_t)most + 1, sizeof *g.spare_keys);
    g.heights = mc_alloc((size_t)most + 1, sizeof *g.heights);
    g.row_heights = mc_alloc((size_t)most + 1, sizeof *g.row_heights);
    g.row_counts = mc_alloc((size_t)most + 1, sizeof *g.row_counts);
    g.columns = mc_alloc((size_t)most + 1, sizeof *g.columns);
    g.placed = mc_alloc((size_t)most + 1, sizeof *g.placed);
    mc_result result = shown && g.row_width && g.keys && g.spare_keys && g.heights &&
                               g.row_heights && g.row_counts && g.columns && g.placed
                           ? MC_OK
                           : MC_ERROR_OUT_OF_MEMORY;
    for (uint32_t node = tree->count; node-- > 0 && result == MC_OK;)
        measure_node(&g, node, node == 0 ? desc->width / desc->height : 1);
    if (result == MC_OK) result = place_all(&g, desc, progress, shown);
    mc_free(shown);
    mc_free(g.row_width);
    mc_free(g.keys);
    mc_free(g.spare_keys);
    mc_free(g.heights);
    mc_free(g.row_heights);
    mc_free(g.row_counts);
    mc_free(g.columns);
    mc_free(g.placed);
    return result;
}
