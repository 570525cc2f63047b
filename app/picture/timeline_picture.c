#include "app/picture/timeline_picture.h"

#include "app/flat/flat_timeline.h"
#include "app/format.h"
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
#define FILLED 0.82 // of the width at most, so that trees have room to stand above their points

enum { USUAL_TREES = 6 };

typedef struct timeline {
    mc_flat_stage *stage;
    const mc_form_steps *steps;
    double times_end; // of the times below the chart, so far
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

// ---- the chart

typedef struct chart {
    double x0, x1, y0, y1;
    int64_t first_ms, last_ms;
} chart;

static double get_x(const timeline *t, const chart *c, uint32_t step) {
    mc_step_range window = t->stage->desc.window;
    if (c->last_ms <= c->first_ms)
        return window.last_step > window.first_step
                   ? c->x0 + (c->x1 - c->x0) * (step - window.first_step) /
                                 (window.last_step - window.first_step)
                   : (c->x0 + c->x1) / 2;
    double ms = (double)(mc_trace_get_step(t->stage->trace, step)->time_ms - c->first_ms);
    return c->x0 + (c->x1 - c->x0) * ms / (double)(c->last_ms - c->first_ms);
}

static double get_y(const timeline *t, const chart *c, uint32_t step) {
    double most = (double)t->stage->most_total;
    return c->y1 - (c->y1 - c->y0) * (most > 0 ? (double)t->stage->totals[step] / most : 0);
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
    mc_flat_stage *stage = t->stage;
    mc_flat_sheet *sheet = &stage->sheet;
    mc_step_range window = stage->desc.window;
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
    uint64_t most = mc_metric_get_word(stage->metric, stage->most_total);
    put_label(sheet, c->x0, c->y0 - 8 * scale, mc_format_value(number, stage->metric, most),
              MC_DRAWN_LEFT, MC_INK_MUTED);
    mc_free(points);
}

// ---- trees

// Below its point; at the chart's ends within it. One that would run into the one before gives way.
static void put_time(timeline *t, const chart *c, uint32_t step) {
    mc_flat_sheet *sheet = &t->stage->sheet;
    char words[MC_FORMAT_SIZE];
    mc_format_time(words, mc_trace_get_step(t->stage->trace, step)->time_ms);
    double scale = (double)sheet->scale;
    double half = (double)strlen(words) * LETTER * scale / 2;
    double middle = fmin(fmax(get_x(t, c, step), c->x0 + half), c->x1 - half);
    if (middle - half < t->times_end) return;
    t->times_end = middle + half;
    put_label(sheet, middle, c->y1 + 12 * scale, words, MC_DRAWN_CENTER, MC_INK_MUTED);
}

static int put_tree(timeline *t, const chart *c, uint32_t index, mc_flat_rect rect) {
    mc_flat_stage *stage = t->stage;
    mc_flat_sheet *sheet = &stage->sheet;
    double scale = (double)sheet->scale, middle = (rect.x0 + rect.x1) / 2;
    uint32_t step = t->steps->items[index], selected[MC_SELECTION_CAPACITY];
    char number[MC_FORMAT_SIZE];
    int code = mc_flat_stage_set_step(stage, step, false);
    if (code != MC_EXIT_OK) return code;
    // From the tree to its point.
    float at[] = {(float)get_x(t, c, step), (float)get_y(t, c, step)};
    put_line(sheet, middle, rect.y1 + 24 * scale, (double)at[0], (double)at[1], scale,
             MC_INK_FAINT);
    mc_drawn_shape dot = {MC_DRAWN_DISC, at, 1, (float)(4 * scale),
                          mc_flat_sheet_get_ink(sheet, MC_INK_LINE)};
    mc_flat_sheet_put_shape(sheet, &dot);
    mc_flat_figure figure = mc_flat_stage_get_figure(stage, rect, selected);
    mc_flat_figure_put(sheet, &figure);
    uint64_t word = mc_metric_get_word(stage->metric, stage->totals[step]);
    mc_text words = {0};
    mc_text_format(&words, "%" PRIu32 " · %s", step, mc_format_value(number, stage->metric, word));
    bool is_narrow = rect.x1 - rect.x0 < 90 * scale;
    mc_format_value(number, stage->metric, word);
    put_label(sheet, middle, rect.y1 + 13 * scale, is_narrow || !words.data ? number : words.data,
              MC_DRAWN_CENTER, MC_INK_MUTED);
    put_time(t, c, step);
    mc_text_deinit(&words);
    return MC_EXIT_OK;
}

int mc_timeline_put(mc_flat_stage *stage, const mc_form_steps *steps, bool has_title) {
    timeline t = {.stage = stage, .steps = steps};
    double scale = (double)stage->sheet.scale, margin = MARGIN * scale;
    double bottom = stage->height - margin - AXIS * scale;
    chart c = {.x0 = margin,
               .x1 = stage->width - margin,
               .y0 = bottom - stage->height * CHART_SHARE,
               .y1 = bottom,
               .first_ms = mc_trace_get_step(stage->trace, stage->desc.window.first_step)->time_ms,
               .last_ms = mc_trace_get_step(stage->trace, stage->desc.window.last_step)->time_ms};
    double top = margin + (has_title ? TITLE * scale : 0), floor_y = c.y0 - 56 * scale;
    double height = fmax(floor_y - top, 1), gap = GAP * scale;
    double width = ((c.x1 - c.x0) * FILLED + gap) / steps->count - gap;
    bool is_round = stage->options->form == MC_FLAT_SUNBURST;
    width = fmin(width, is_round ? height : height * 0.62);
    double points[MC_FLAT_MOST_TREES], x[MC_FLAT_MOST_TREES];
    if (!(width >= 1))
        return mc_command_wrong_usage("--size: too small for %" PRIu32 " trees", steps->count);
    for (uint32_t i = 0; i < steps->count; i++)
        points[i] = get_x(&t, &c, steps->items[i]);
    mc_flat_row row = {c.x0, c.x1, width, gap};
    mc_flat_row_place(&row, points, steps->count, x);
    if (has_title) mc_flat_stage_put_title(stage, (float)margin, (float)margin, false);
    put_chart(&t, &c);
    int code = MC_EXIT_OK;
    for (uint32_t i = 0; i < steps->count && code == MC_EXIT_OK; i++) {
        double y0 = is_round ? floor_y - width : top;
        code = put_tree(&t, &c, i, (mc_flat_rect){x[i] - width / 2, y0, x[i] + width / 2, floor_y});
    }
    return code;
}
