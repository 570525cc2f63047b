#include "app/views/flat/flat_steps_frame.h"

#include "app/format.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

// Lengths times the text's scale.
#define MARGIN 12.0
#define LEAST_HEIGHT 96.0 // of all of it
#define MOST_HEIGHT 220.0
#define HEIGHT_SHARE 0.28 // of the free part of the picture
#define LABEL 18.0        // below a tree
#define LINK 15.0         // below that: room for the lines to the points
#define GAP 6.0           // between two trees
#define LEAST_WIDTH 17.0  // of a tree: where there is no room for all, they scroll
#define FILLED 0.86 // of the width at most, so that trees have room to stand above their points
#define ASPECT 0.7  // of an icicle
#define VALUE_WIDTH 50.0 // that a number below a tree needs
#define WORDS_WIDTH 84.0 // with the step before it
#define STEP_WIDTH 20.0  // the step alone

typedef struct geometry {
    double scale;
    mc_flat_rect strip; // free part of the picture that is theirs
    double width, height, gap, floor_y;
    uint32_t seen_count;
} geometry;

double mc_flat_steps_get_height(const mc_flat_view *self) {
    const mc_session *session = self->base.session;
    mc_camera_viewport v = session->viewport;
    double scale = fmax(session->input.text_scale, 0.5);
    double free_height = v.height - v.top - v.bottom;
    if (self->trees.count == 0) return 0;
    double height = fmin(free_height * HEIGHT_SHARE, MOST_HEIGHT * scale);
    return floor(fmin(fmax(height, LEAST_HEIGHT * scale), free_height * 0.5));
}

static geometry get_geometry(const mc_flat_view *self) {
    const mc_session *session = self->base.session;
    mc_camera_viewport v = session->viewport;
    double scale = fmax(session->input.text_scale, 0.5), margin = MARGIN * scale;
    uint32_t count = self->trees.count > 0 ? self->trees.count : 1;
    geometry g = {.scale = scale, .gap = floor(GAP * scale)};
    g.strip =
        (mc_flat_rect){v.left + margin, v.height - v.bottom - mc_flat_steps_get_height(self),
                       fmax(v.width - v.right - margin, v.left + margin + 1), v.height - v.bottom};
    g.floor_y = floor(g.strip.y1 - (LABEL + LINK) * scale);
    g.height = fmax(g.floor_y - g.strip.y0, 1);
    double room = g.strip.x1 - g.strip.x0, least = LEAST_WIDTH * scale;
    double most = self->form == MC_FLAT_SUNBURST ? g.height : g.height * ASPECT;
    uint32_t fitting = (uint32_t)fmax((room + g.gap) / (least + g.gap), 1);
    g.seen_count = count < fitting ? count : fitting;
    double filled = (room * FILLED + g.gap) / g.seen_count - g.gap;
    g.width = fmax(floor(fmin(fmax(filled, fmin(least, room)), most)), 1);
    if (self->form == MC_FLAT_SUNBURST) g.height = g.width;
    return g;
}

uint32_t mc_flat_steps_get_texels(const mc_flat_view *self) {
    geometry g = get_geometry(self);
    mc_flat_rect rect = {0, 0, g.width, g.height};
    mc_flat_plane plane = mc_flat_plane_get(self->form, rect, MC_FLAT_SMALL_MOST_LEVELS, 1);
    plane.row_count = MC_FLAT_SMALL_MOST_LEVELS;
    // Finer than pixels also where rows are straight: the size changes more often than this.
    return mc_strips_choose_texels(mc_flat_plane_get_most_length(&plane), true);
}

static uint32_t find_step(const mc_flat_steps *trees, uint32_t step) {
    uint32_t at = 0;
    while (at < trees->count && trees->items[at].step != step)
        at++;
    return at;
}

// The current step comes into view when it is another one, or others are seen; else one may have
// scrolled away from it.
static void keep_in_view(mc_flat_view *self, uint32_t seen_count) {
    mc_flat_steps *trees = &self->trees;
    uint32_t last_first = trees->count - seen_count, step = self->base.session->counts.step;
    uint32_t current = find_step(trees, step);
    bool is_due = step != trees->step || seen_count != trees->seen_count;
    if (is_due && current < trees->first) trees->first = current;
    if (is_due && current >= trees->first + seen_count) trees->first = current + 1 - seen_count;
    trees->step = step;
    trees->seen_count = seen_count;
    if (trees->first > last_first) trees->first = last_first;
}

void mc_flat_steps_scroll(mc_flat_view *self, int count) {
    mc_flat_steps *trees = &self->trees;
    if (trees->count == 0) return;
    uint32_t last_first = trees->count - get_geometry(self).seen_count, before = trees->first;
    int64_t wanted = (int64_t)trees->first + count;
    trees->first = wanted < 0 ? 0 : wanted > last_first ? last_first : (uint32_t)wanted;
    if (trees->first == before) return;
    trees->changes++;
    mc_view_redraw(&self->base);
}

// ---- drawing

// Where a step's point is in the chart; without one, where it would be over the whole width.
static double get_point(const mc_flat_view *self, const geometry *g, uint32_t step) {
    const mc_session *session = self->base.session;
    double x0 = session->input.chart_x0, x1 = session->input.chart_x1;
    if (!(x0 < x1)) {
        x0 = g->strip.x0 + g->width / 2;
        x1 = fmax(g->strip.x1 - g->width / 2, x0);
    }
    return x0 + (x1 - x0) * (double)session->charts.step_places[step];
}

static void put_text(mc_flat_sheet *sheet, double x, double y, const char *words,
                     mc_drawn_align align, mc_flat_ink ink) {
    mc_drawn_text text = {.text = words,
                          .x = (float)x,
                          .y = (float)y,
                          .color = mc_flat_sheet_get_ink(sheet, ink),
                          .font = MC_DRAWN_SMALL,
                          .align = align};
    mc_flat_sheet_put_text(sheet, &text);
}

static void put_line(mc_flat_sheet *sheet, mc_flat_rect from_to, double width, mc_flat_ink ink) {
    float points[] = {(float)from_to.x0, (float)from_to.y0, (float)from_to.x1, (float)from_to.y1};
    mc_drawn_shape line = {MC_DRAWN_LINE, points, 2, (float)width,
                           mc_flat_sheet_get_ink(sheet, ink)};
    mc_flat_sheet_put_shape(sheet, &line);
}

static double get_share(const mc_flat_view *self, const mc_flat_step_tree *item) {
    const mc_flat_content *content = self->base.session->shown->content;
    if (!self->base.session->settings.tree_steps_scaled || content->most == 0) return 1;
    return fmin((double)item->small.value / (double)content->most, 1);
}

// As much of "4 · 93,805 objects" as there is room for.
static void put_label(mc_flat_view *self, const geometry *g, const mc_flat_step_tree *item,
                      bool is_current) {
    const mc_session *session = self->base.session;
    const mc_metric_info *metric = mc_trace_get_metric(session->trace, session->shown->metric);
    char value[MC_FORMAT_SIZE], words[MC_FORMAT_SIZE + 16];
    double width = g->width + g->gap;
    if (width < STEP_WIDTH * g->scale) return;
    bool has_value = item->version > 0 && width >= VALUE_WIDTH * g->scale;
    mc_format_value(value, metric, mc_metric_get_word(metric, item->small.value));
    if (has_value && width < WORDS_WIDTH * g->scale)
        snprintf(words, sizeof words, "%s", value);
    else
        snprintf(words, sizeof words, "%" PRIu32 "%s%s", item->step, has_value ? " · " : "",
                 has_value ? value : "");
    put_text(&self->sheet, (item->rect.x0 + item->rect.x1) / 2, g->floor_y + LABEL / 2 * g->scale,
             words, MC_DRAWN_CENTER, is_current ? MC_INK_TEXT : MC_INK_MUTED);
}

static void put_tree(mc_flat_view *self, const geometry *g, mc_flat_step_tree *item,
                     double middle) {
    const mc_session *session = self->base.session;
    mc_flat_sheet *sheet = &self->sheet;
    bool is_current = item->step == session->counts.step;
    double x0 = floor(middle - g->width / 2), bottom = g->floor_y + LABEL * g->scale;
    item->rect = (mc_flat_rect){x0, g->floor_y - g->height, x0 + g->width, g->floor_y};
    if (session->input.chart_x0 < session->input.chart_x1)
        put_line(
            sheet,
            (mc_flat_rect){x0 + g->width / 2, bottom, get_point(self, g, item->step), g->strip.y1},
            g->scale, is_current ? MC_INK_LINE : MC_INK_FAINT);
    if (is_current)
        put_line(sheet,
                 (mc_flat_rect){x0, g->floor_y + g->scale, x0 + g->width, g->floor_y + g->scale},
                 2 * g->scale, MC_INK_LINE);
    put_label(self, g, item, is_current);
    mc_flat_plane plane = mc_flat_small_get_plane(&item->small, item->rect, get_share(self, item));
    if (plane.row_count == 0 || mc_flat_plane_get_most_length(&plane) < 0.5) return;
    item->plane = plane;
    mc_flat_sheet_put_strips(sheet, &item->small.strips, &item->plane);
}

// How many are to either side of those that are seen.
static void put_rest(mc_flat_view *self, const geometry *g) {
    const mc_flat_steps *trees = &self->trees;
    uint32_t behind = trees->count - trees->first - g->seen_count;
    char words[32];
    double y = g->strip.y0 + LABEL / 2 * g->scale;
    snprintf(words, sizeof words, "‹ %" PRIu32, trees->first);
    if (trees->first > 0)
        put_text(&self->sheet, g->strip.x0, y, words, MC_DRAWN_LEFT, MC_INK_MUTED);
    snprintf(words, sizeof words, "%" PRIu32 " ›", behind);
    if (behind > 0) put_text(&self->sheet, g->strip.x1, y, words, MC_DRAWN_RIGHT, MC_INK_MUTED);
}

void mc_flat_steps_put(mc_flat_view *self) {
    mc_flat_steps *trees = &self->trees;
    double points[MC_FLAT_MOST_TREES] = {0}, middles[MC_FLAT_MOST_TREES];
    for (uint32_t i = 0; i < trees->count; i++)
        trees->items[i].plane = (mc_flat_plane){0};
    if (trees->count == 0) return;
    geometry g = get_geometry(self);
    keep_in_view(self, g.seen_count);
    mc_flat_step_tree *items = trees->items + trees->first;
    for (uint32_t i = 0; i < g.seen_count; i++)
        points[i] = get_point(self, &g, items[i].step);
    mc_flat_row row = {g.strip.x0, g.strip.x1, g.width, g.gap, NULL};
    mc_flat_row_place(&row, points, g.seen_count, middles);
    for (uint32_t i = 0; i < g.seen_count; i++)
        put_tree(self, &g, &items[i], middles[i]);
    put_rest(self, &g);
}

void mc_flat_steps_put_mark(mc_flat_view *self, uint32_t entry, const float rgb[3], double width) {
    for (uint32_t i = 0; i < self->trees.count; i++) {
        const mc_flat_step_tree *item = &self->trees.items[i];
        mc_flat_mark mark;
        if (item->plane.row_count == 0) continue;
        if (mc_flat_small_get_mark(&item->small, self->tree, &item->plane, entry, rgb, width,
                                   &mark))
            mc_flat_sheet_add_mark(&self->sheet, &mark);
    }
}

// ---- pointing

uint32_t mc_flat_steps_find(const mc_flat_view *self, double x, double y) {
    const mc_flat_steps *trees = &self->trees;
    if (trees->count == 0) return MC_NONE;
    geometry g = get_geometry(self);
    if (y < g.strip.y0 || y >= g.strip.y1) return MC_NONE;
    for (uint32_t i = trees->first; i < trees->count && i < trees->first + g.seen_count; i++)
        if (x >= trees->items[i].rect.x0 - g.gap / 2 && x < trees->items[i].rect.x1 + g.gap / 2)
            return i;
    return MC_NONE;
}

uint32_t mc_flat_steps_pick(const mc_flat_view *self, double x, double y) {
    uint32_t at = mc_flat_steps_find(self, x, y);
    if (at == MC_NONE) return MC_NONE;
    const mc_flat_step_tree *item = &self->trees.items[at];
    return mc_flat_small_pick(&item->small, &item->plane, x, y);
}
