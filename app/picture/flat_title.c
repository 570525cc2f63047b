#include "app/picture/flat_title.h"

#include "app/format.h"
#include "app/pair.h"
#include "app/picture/session_caption.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

// Lengths times the sheet's scale.
#define TITLE 44
#define NOTE 19 // a line more
#define FIRST_LINE 10
#define SECOND_LINE 29
#define BAR_WIDTH 96
#define BAR_HEIGHT 8
#define LETTER 6 // of a small text, in the mean

enum { BAR_PARTS = 24 };

double mc_flat_title_get_height(const mc_trace *trace) {
    bool has_note = mc_trace_is_versus(trace) && mc_pair_ends_differ(trace);
    return TITLE + (has_note ? NOTE : 0);
}

// ---- what colours say, where that is not seen from what they are of

// From -1, what shrank the most, to 1.
static uint32_t get_color(const mc_theme *theme, double share) {
    const float *colors[] = {theme->gradient[0],
                             share < 0 ? theme->shrinking[0] : theme->gradient[1],
                             share < 0 ? theme->shrinking[1] : theme->gradient[2]};
    int half = fabs(share) >= 0.5;
    float at = (float)(fabs(share) * 2 - half);
    uint32_t color = 0xff000000u;
    for (int i = 0; i < 3; i++) {
        float c = colors[half][i] + (colors[half + 1][i] - colors[half][i]) * at;
        color |= (uint32_t)lroundf(c * 255) << (8 * i);
    }
    return color;
}

static void put_small(mc_flat_sheet *sheet, double x, double y, const char *words) {
    mc_drawn_text text = {.text = words,
                          .x = (float)x,
                          .y = (float)y,
                          .color = mc_flat_sheet_get_ink(sheet, MC_INK_MUTED),
                          .font = MC_DRAWN_SMALL,
                          .align = MC_DRAWN_RIGHT};
    mc_flat_sheet_put_text(sheet, &text);
}

// Its end at `right`. Returns its width.
static double put_gradient(mc_flat_sheet *sheet, double right, double y, const char *title,
                           const mc_fact_legend *legend) {
    const char *low = legend->low[0] ? legend->low : "0";
    bool is_diverging = legend->count > 3;
    double scale = (double)sheet->scale, letter = LETTER * scale;
    double bar = BAR_WIDTH * scale, part = bar / BAR_PARTS;
    double end = right - ((double)strlen(legend->full) + 1) * letter, begin = end - bar;
    double top = y + (SECOND_LINE - BAR_HEIGHT / 2.0) * scale, bottom = top + BAR_HEIGHT * scale;
    put_small(sheet, right, y + FIRST_LINE * scale, title);
    for (int i = 0; i < BAR_PARTS; i++) {
        double x = begin + part * i, share = (i + 0.5) / BAR_PARTS;
        float points[] = {(float)x, (float)top, (float)(x + part), (float)top};
        mc_drawn_shape shape = {MC_DRAWN_AREA, points, 2, (float)bottom,
                                get_color(&sheet->theme, is_diverging ? 2 * share - 1 : share)};
        mc_flat_sheet_put_shape(sheet, &shape);
    }
    put_small(sheet, begin - letter, y + SECOND_LINE * scale, low);
    put_small(sheet, right, y + SECOND_LINE * scale, legend->full);
    return fmax((double)strlen(title) * letter, right - begin + ((double)strlen(low) + 3) * letter);
}

static double put_legend(mc_session *session, mc_flat_sheet *sheet, double right, double y) {
    mc_fact_legend legend = {0};
    mc_text title = {0};
    session->view->kind->fill_legend(session->view, &legend);
    if (!legend.title) return 0;
    mc_text_append_string(&title, legend.title);
    for (uint32_t i = 0; i < legend.apart_count; i++)
        mc_text_format(&title, "%s%s: %s", i == 0 ? "; " : ", ", i == 0 ? "green" : "pink",
                       legend.apart_texts[i]);
    double width = put_gradient(sheet, right, y, mc_text_get(&title), &legend);
    sheet->failed |= title.failed;
    mc_text_deinit(&title);
    return width;
}

// ---- the lines

static void append_second(const mc_session *session, bool has_step, mc_text *out) {
    const mc_layout *shown = session->shown;
    const mc_metric_info *metric = mc_trace_get_metric(session->trace, shown->metric);
    char number[MC_FORMAT_SIZE];
    if (has_step) {
        uint64_t total = session->counts.to[shown->root_node];
        mc_session_append_moment(session, mc_metric_get_word(metric, total), "", out);
    } else {
        mc_format_append_line(out, metric->title, metric->title_size);
        mc_text_format(out, "  ·  steps %" PRIu32 "–%" PRIu32, shown->window.first_step,
                       shown->window.last_step);
    }
    if (session->settings.search_open)
        mc_text_format(out, "  ·  %s",
                       mc_format_counted(number, mc_session_get_hits(session)->count, "hit"));
}

void mc_flat_title_put(mc_session *session, mc_flat_sheet *sheet, float x, float y, bool has_step) {
    float scale = sheet->scale;
    double width = sheet->width;
    double legend = put_legend(session, sheet, width - (double)x, (double)y);
    mc_text words = {0};
    mc_session_append_title(session, &words);
    mc_drawn_text text = {.text = mc_text_get(&words),
                          .x = x,
                          .y = y + FIRST_LINE * scale,
                          .room = (float)(width - legend) - 2 * x,
                          .color = mc_flat_sheet_get_ink(sheet, MC_INK_TEXT),
                          .font = MC_DRAWN_STRONG,
                          .align = MC_DRAWN_LEFT};
    mc_flat_sheet_put_text(sheet, &text);
    mc_text_clear(&words);
    append_second(session, has_step, &words);
    text.text = mc_text_get(&words);
    text.y = y + SECOND_LINE * scale;
    text.color = mc_flat_sheet_get_ink(sheet, MC_INK_MUTED);
    text.font = MC_DRAWN_REGULAR;
    mc_flat_sheet_put_text(sheet, &text);
    mc_text_clear(&words);
    if (has_step) mc_pair_append_end_note(session->trace, session->counts.step, &words);
    text.text = mc_text_get(&words);
    text.y = y + (SECOND_LINE + NOTE) * scale;
    text.room = (float)width - 2 * x;
    if (words.size > 0) mc_flat_sheet_put_text(sheet, &text);
    sheet->failed |= words.failed;
    mc_text_deinit(&words);
}
