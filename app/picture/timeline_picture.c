#include "app/picture/timeline_picture.h"

#include "app/flat/flat_figure.h"
#include "app/flat/flat_timeline.h"
#include "app/format.h"
#include "app/picture/flat_title.h"
#include "engine/base/memory.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

// Lengths times the sheet's scale.
#define MARGIN 16
#define TITLE 44
#define CHART_SHARE 0.26 // of the picture's height
#define AXIS 22          // below the chart
#define GAP 8            // between trees
#define LETTER 7         // of a small text: as wide as a wide one
#define WORDS_LETTER 6   // of one with spaces and full stops
#define FILLED 0.82 // of the width at most, so that trees have room to stand above their points
#define FILLED_ROUND 0.94 // of circles, of which most are smaller
#define LEAST_SLOT 56     // of a tree, for the number below it
#define CHART_MOST 0.45   // of the picture's height, where trees don't need it

enum { USUAL_TREES = 6 };

typedef struct timeline {
    mc_stage *stage;
    mc_flat_sheet *sheet;
    const mc_metric_info *metric;
    mc_step_range window;
    const uint64_t *totals; // at the window's steps
    uint64_t most_total;
    const mc_form_steps *steps;
    double times_end; // of the times below the chart, so far
    double words_end; // of what is said below trees
} timeline;

mc_form_steps mc_timeline_choose_steps(mc_step_range window) {
    mc_form_steps steps = {.count = 0};
    uint32_t last = window.last_step - window.first_step;
    steps.count = last + 1 < USUAL_TREES ? last + 1 : USUAL_TREES;
    for (uint32_t i = 0; i < steps.count; i++)
        steps.items[i] = window.first_step +
                         (steps.count > 1 ? (uint32_t)((uint64_t)last * i / (steps.count - 1)) : 0);
    return steps;
}

static int show_step(mc_stage *stage, uint32_t step) {
    int code = mc_stage_set_step(stage, step);
    return code == MC_EXIT_OK ? mc_stage_prepare(stage, 1) : code;
}

// ---- the chart

typedef struct chart {
    double x0, x1, y0, y1;
    int64_t first_ms, last_ms;
} chart;

static uint64_t get_total(const timeline *t, uint32_t step) {
    return t->totals[step - t->window.first_step];
}

static double get_x(const timeline *t, const chart *c, uint32_t step) {
    mc_step_range window = t->window;
    if (c->last_ms <= c->first_ms)
        return window.last_step > window.first_step
                   ? c->x0 + (c->x1 - c->x0) * (step - window.first_step) /
                                 (window.last_step - window.first_step)
                   : (c->x0 + c->x1) / 2;
    double ms = (double)(mc_trace_get_step(t->stage->trace, step)->time_ms - c->first_ms);
    return c->x0 + (c->x1 - c->x0) * ms / (double)(c->last_ms - c->first_ms);
}

static double get_y(const timeline *t, const chart *c, uint32_t step) {
    double most = (double)t->most_total;
    return c->y1 - (c->y1 - c->y0) * (most > 0 ? (double)get_total(t, step) / most : 0);
}

static void put_line(mc_flat_sheet *sheet, double x0, double y0, double x1, double y1, double width,
                     mc_flat_ink ink) {
    float points[] = {(float)x0, (float)y0, (float)x1, (float)y1};
    mc_drawn_shape line = {MC_DRAWN_LINE, points, 2, (float)width,
                           mc_flat_sheet_get_ink(sheet, ink)};
    mc_flat_sheet_put_shape(sheet, &line);
}

static void put_label(mc_flat_sheet *sheet, double x, double y, const char *words,
                      mc_drawn_align align, mc_flat_ink ink) {
    mc_drawn_text text = {.text = words,
                          .x = (float)x,
                          .y = (float)y,
                          .color = mc_flat_sheet_get_ink(sheet, ink),
                          .font = MC_DRAWN_SMALL,
                          .align = align};
    mc_flat_sheet_put_text(sheet, &text);
}

static void put_chart(timeline *t, const chart *c) {
    mc_flat_sheet *sheet = t->sheet;
    mc_step_range window = t->window;
    uint32_t count = window.last_step - window.first_step + 1;
    float *points = mc_alloc((size_t)count * 2, sizeof *points);
    double scale = (double)sheet->scale;
    char number[MC_FORMAT_SIZE];
    if (!points) {
        sheet->failed = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        points[i * 2] = (float)get_x(t, c, window.first_step + i);
        points[i * 2 + 1] = (float)get_y(t, c, window.first_step + i);
    }
    mc_drawn_shape area = {MC_DRAWN_AREA, points, count, (float)c->y1,
                           mc_flat_sheet_get_ink(sheet, MC_INK_FILL)};
    mc_drawn_shape line = {MC_DRAWN_LINE, points, count, (float)(1.5 * scale),
                           mc_flat_sheet_get_ink(sheet, MC_INK_LINE)};
    put_line(sheet, c->x0, c->y1, c->x1, c->y1, scale, MC_INK_FAINT);
    put_line(sheet, c->x0, c->y0, c->x1, c->y0, scale, MC_INK_FAINT);
    mc_flat_sheet_put_shape(sheet, &area);
    mc_flat_sheet_put_shape(sheet, &line);
    for (uint32_t i = 0; i < count; i++) {
        mc_drawn_shape dot = {MC_DRAWN_DISC, points + (size_t)i * 2, 1, (float)(2 * scale),
                              mc_flat_sheet_get_ink(sheet, MC_INK_LINE)};
        mc_flat_sheet_put_shape(sheet, &dot);
    }
    uint64_t most = mc_metric_get_word(t->metric, t->most_total);
    put_label(sheet, c->x0, c->y0 - 8 * scale, mc_format_value(number, t->metric, most),
              MC_DRAWN_LEFT, MC_INK_MUTED);
    mc_free(points);
}

// ---- trees

// Below its point; at the chart's ends within it. One that would run into the one before gives way.
static void put_time(timeline *t, const chart *c, uint32_t step) {
    mc_flat_sheet *sheet = t->sheet;
    char words[MC_FORMAT_SIZE];
    mc_format_time(words, mc_trace_get_step(t->stage->trace, step)->time_ms);
    double scale = (double)sheet->scale;
    double half = (double)strlen(words) * LETTER * scale / 2;
    double middle = fmin(fmax(get_x(t, c, step), c->x0 + half), c->x1 - half);
    if (middle - half < t->times_end) return;
    t->times_end = middle + half;
    put_label(sheet, middle, c->y1 + 12 * scale, words, MC_DRAWN_CENTER, MC_INK_MUTED);
}

// `slot`: how wide what is said below may be.
static int put_tree(timeline *t, const chart *c, uint32_t index, mc_flat_rect rect, double slot) {
    mc_stage *stage = t->stage;
    mc_flat_sheet *sheet = t->sheet;
    double scale = (double)sheet->scale, middle = (rect.x0 + rect.x1) / 2;
    uint32_t step = t->steps->items[index];
    char number[MC_FORMAT_SIZE];
    int code = show_step(stage, step);
    if (code != MC_EXIT_OK) return code;
    // From the tree to its point.
    float at[] = {(float)get_x(t, c, step), (float)get_y(t, c, step)};
    put_line(sheet, middle, rect.y1 + 24 * scale, (double)at[0], (double)at[1], scale,
             MC_INK_FAINT);
    mc_drawn_shape dot = {MC_DRAWN_DISC, at, 1, (float)(4 * scale),
                          mc_flat_sheet_get_ink(sheet, MC_INK_LINE)};
    mc_flat_sheet_put_shape(sheet, &dot);
    mc_flat_figure figure = mc_flat_view_get_figure(stage->session->view, rect);
    if (stage->desc.flat.form == MC_FLAT_SUNBURST) figure.share = 1; // it has its own size
    mc_flat_figure_put(sheet, &figure);
    uint64_t word = mc_metric_get_word(t->metric, get_total(t, step));
    mc_text words = {0};
    mc_text_format(&words, "%" PRIu32 " · %s", step, mc_format_value(number, t->metric, word));
    bool is_narrow = slot < 90 * scale;
    mc_format_value(number, t->metric, word);
    const char *said = is_narrow || !words.data ? number : words.data;
    double half = (double)strlen(said) * WORDS_LETTER * scale / 2;
    if (middle - half >= t->words_end) { // one that would run into the one before gives way
        put_label(sheet, middle, rect.y1 + 13 * scale, said, MC_DRAWN_CENTER, MC_INK_MUTED);
        t->words_end = middle + half;
    }
    put_time(t, c, step);
    mc_text_deinit(&words);
    return MC_EXIT_OK;
}

// How large trees are, and where they may stand.
typedef struct place {
    double top, floor_y, width;        // of one as large as the heap at most
    double widths[MC_FLAT_MOST_TREES]; // each tree's own
    double slots[MC_FLAT_MOST_TREES];  // with room for what is said below
} place;

// A circle's area is the heap's.
static double get_circle_share(const timeline *t, uint32_t index) {
    if (!t->stage->picture->settings.tree_scaled || t->most_total == 0) return 1;
    double total = (double)get_total(t, t->steps->items[index]);
    return sqrt(fmin(total / (double)t->most_total, 1));
}

static double fill_slots(const timeline *t, double width, double least, place *to) {
    double sum = 0;
    for (uint32_t i = 0; i < t->steps->count; i++) {
        to->widths[i] = width * get_circle_share(t, i);
        to->slots[i] = fmax(to->widths[i], least);
        sum += to->slots[i];
    }
    return sum;
}

// As large as height and width allow; where the width decides, the chart gets the height that is
// left.
static void place_circles(const timeline *t, chart *c, double gap, place *to) {
    double scale = (double)t->sheet->scale, height = to->floor_y - to->top;
    double room = (c->x1 - c->x0) * FILLED_ROUND - gap * (t->steps->count - 1);
    double least = fmin(LEAST_SLOT * scale, room / t->steps->count / 2), low = 0, high = height;
    if (fill_slots(t, high, least, to) > room) {
        for (int i = 0; i < 40; i++) {
            double middle = (low + high) / 2;
            *(fill_slots(t, middle, least, to) > room ? &high : &low) = middle;
        }
        (void)fill_slots(t, low, least, to);
        high = low;
    }
    to->width = high;
    double largest = 0;
    for (uint32_t i = 0; i < t->steps->count; i++)
        largest = fmax(largest, to->widths[i]);
    double most = t->stage->height * CHART_MOST - (c->y1 - c->y0);
    double up = fmin(fmax(height - largest, 0), fmax(most, 0));
    c->y0 -= up;
    to->floor_y -= up;
}

static void place_columns(const timeline *t, const chart *c, double gap, place *to) {
    to->width = ((c->x1 - c->x0) * FILLED + gap) / t->steps->count - gap;
    to->width = fmin(to->width, (to->floor_y - to->top) * 0.62);
    for (uint32_t i = 0; i < t->steps->count; i++)
        to->widths[i] = to->slots[i] = to->width;
}

// Its theme and scale are the view's, which are there with a step.
static int begin_sheet(mc_stage *stage, uint32_t step, mc_flat_sheet *sheet) {
    mc_session *session = stage->session;
    int code = show_step(stage, step);
    if (code != MC_EXIT_OK) return code;
    mc_flat_sheet_begin(sheet, stage->width, stage->height, stage->desc.flat.is_vector,
                        mc_flat_view_get_theme(session->view));
    sheet->scale = (float)session->input.text_scale;
    return MC_EXIT_OK;
}

int mc_timeline_put(mc_stage *stage, const mc_form_steps *steps, bool has_title,
                    mc_flat_sheet *sheet) {
    int code = begin_sheet(stage, steps->items[0], sheet);
    if (code != MC_EXIT_OK) return code;
    timeline t = {.stage = stage,
                  .sheet = sheet,
                  .metric = mc_trace_get_metric(stage->trace, stage->layout.metric),
                  .window = stage->layout.window,
                  .steps = steps};
    t.most_total = mc_flat_view_get_totals(stage->session->view, &t.totals);
    double scale = (double)sheet->scale, margin = MARGIN * scale;
    double bottom = stage->height - margin - AXIS * scale;
    chart c = {.x0 = margin,
               .x1 = stage->width - margin,
               .y0 = bottom - stage->height * CHART_SHARE,
               .y1 = bottom,
               .first_ms = mc_trace_get_step(stage->trace, t.window.first_step)->time_ms,
               .last_ms = mc_trace_get_step(stage->trace, t.window.last_step)->time_ms};
    place to = {.top = margin + (has_title ? TITLE * scale : 0), .floor_y = c.y0 - 56 * scale};
    to.floor_y = fmax(to.floor_y, to.top + 1);
    double points[MC_FLAT_MOST_TREES], x[MC_FLAT_MOST_TREES], gap = GAP * scale;
    bool is_round = stage->desc.flat.form == MC_FLAT_SUNBURST;
    if (is_round)
        place_circles(&t, &c, gap, &to);
    else
        place_columns(&t, &c, gap, &to);
    if (!(to.width >= 1))
        return mc_command_wrong_usage("--size: too small for %" PRIu32 " trees", steps->count);
    for (uint32_t i = 0; i < steps->count; i++)
        points[i] = get_x(&t, &c, steps->items[i]);
    mc_flat_row row = {c.x0, c.x1, to.width, gap, to.slots};
    mc_flat_row_place(&row, points, steps->count, x);
    if (has_title) mc_flat_title_put(stage->session, sheet, (float)margin, (float)margin, false);
    put_chart(&t, &c);
    for (uint32_t i = 0; i < steps->count && code == MC_EXIT_OK; i++) {
        double half = to.widths[i] / 2, y0 = is_round ? to.floor_y - to.widths[i] : to.top;
        code = put_tree(&t, &c, i, (mc_flat_rect){x[i] - half, y0, x[i] + half, to.floor_y},
                        to.slots[i]);
    }
    return code;
}
