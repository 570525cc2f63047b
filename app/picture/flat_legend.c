#include "app/picture/flat_legend.h"

#include <math.h>
#include <string.h>

// Lengths times the sheet's scale.
#define BAR_WIDTH 96
#define BAR_HEIGHT 8
#define LETTER 6 // of a small text, in the mean

enum { BAR_PARTS = 24 };

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

static void put_text(mc_flat_sheet *sheet, double x, double y, const char *words,
                     mc_drawn_align align) {
    mc_drawn_text text = {.text = words,
                          .x = (float)x,
                          .y = (float)y,
                          .color = mc_flat_sheet_get_ink(sheet, MC_INK_MUTED),
                          .font = MC_DRAWN_SMALL,
                          .align = align};
    mc_flat_sheet_put_text(sheet, &text);
}

double mc_flat_legend_put(mc_flat_sheet *sheet, double right, double y, const char *title,
                          const char *none, const char *full, bool is_diverging) {
    double scale = (double)sheet->scale, letter = LETTER * scale;
    double bar = BAR_WIDTH * scale, part = bar / BAR_PARTS;
    double end = right - ((double)strlen(full) + 1) * letter, begin = end - bar;
    double top = y + (29 - BAR_HEIGHT / 2.0) * scale, bottom = top + BAR_HEIGHT * scale;
    put_text(sheet, right, y + 10 * scale, title, MC_DRAWN_RIGHT);
    for (int i = 0; i < BAR_PARTS; i++) {
        double x = begin + part * i, share = (i + 0.5) / BAR_PARTS;
        float points[] = {(float)x, (float)top, (float)(x + part), (float)top};
        mc_drawn_shape shape = {MC_DRAWN_AREA, points, 2, (float)bottom,
                                get_color(&sheet->theme, is_diverging ? 2 * share - 1 : share)};
        mc_flat_sheet_put_shape(sheet, &shape);
    }
    put_text(sheet, begin - letter, y + 29 * scale, none, MC_DRAWN_RIGHT);
    put_text(sheet, right, y + 29 * scale, full, MC_DRAWN_RIGHT);
    return fmax((double)strlen(title) * letter,
                right - begin + ((double)strlen(none) + 3) * letter);
}
