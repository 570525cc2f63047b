#include "app/flat/flat_svg_text.h"

#include "app/format.h"
#include "engine/scene/name_fit.h"
#include <math.h>
#include <string.h>

#define TURN 6.283185307179586476925
#define LETTER_WIDTH 0.54 // of an em, on average
#define DESCENT 0.36      // of an em: so far below its middle a line of text stands

void mc_flat_svg_append_color(mc_text *out, const char *name, uint32_t color) {
    uint32_t alpha = color >> 24;
    mc_text_format(out, " %s=\"#%02x%02x%02x\"", name, color & 255, color >> 8 & 255,
                   color >> 16 & 255);
    if (alpha < 255) mc_text_format(out, " %s-opacity=\"%.2f\"", name, alpha / 255.0);
}

static double get_size(const mc_flat_sheet *sheet, mc_drawn_font font) {
    return (font == MC_DRAWN_SMALL ? MC_FLAT_NAME_SIZE : 14) * (double)sheet->scale;
}

static uint32_t count_letters(const char *text) {
    uint32_t count = 0;
    for (; *text; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

static size_t get_letter_size(const char *text) {
    size_t size = 1;
    while (((unsigned char)text[size] & 0xc0) == 0x80)
        size++;
    return size;
}

static float measure(void *user, const char *begin, const char *end) {
    (void)user;
    float letters = 0;
    for (; begin < end; begin++)
        letters += ((unsigned char)*begin & 0xc0) != 0x80;
    return letters;
}

// As much of a name as fits.
static void append_name(mc_text *out, const char *name, double room) {
    mc_name_part part;
    bool fits = room >= 1 && mc_name_fit(name, (float)floor(room), measure, NULL, &part);
    if (fits && part.is_torn && part.end - part.begin < MC_NAME_LEAST_TORN) return;
    if (!fits) part = (mc_name_part){.is_cut_after = true};
    mc_name_piece pieces[MC_NAME_PIECES_MOST];
    unsigned count = mc_name_part_get_pieces(&part, name, pieces);
    for (unsigned i = 0; i < count; i++)
        mc_text_append(out, pieces[i].begin, (size_t)(pieces[i].end - pieces[i].begin));
}

// As many letters as may fit, with an ellipsis where some do not.
static void append_fitting(mc_text *out, const char *text, bool is_name, double room) {
    uint32_t letters = count_letters(text), most = (uint32_t)fmax(room, 0);
    if (letters <= most) {
        mc_text_append_string(out, text);
        return;
    }
    if (is_name) {
        append_name(out, text, room);
        return;
    }
    const char *end = text;
    for (uint32_t i = 0; i + 1 < most && *end; i++)
        end += get_letter_size(end);
    mc_text_append(out, text, (size_t)(end - text));
    mc_text_append_string(out, MC_ELLIPSIS);
}

// The middle of a text's line: a circle around `x`, `y`.
typedef struct arc {
    double x, y, radius;
    double middle; // where on it the text's middle is, radians
    double side;   // 1: letters stand outwards, -1: inwards
    double size;   // of letters
} arc;

static arc get_arc(const mc_drawn_text *text, double size) {
    double side = text->radius > 0 ? 1 : -1, radius = fabs((double)text->radius);
    double c = cos((double)text->angle_rad), s = sin((double)text->angle_rad);
    return (arc){.x = (double)text->x - s * side * radius,
                 .y = (double)text->y + c * side * radius,
                 .radius = radius - side * size * DESCENT,
                 .middle = atan2(-c * side, s * side),
                 .side = side,
                 .size = size};
}

static void append_point(mc_text *out, const arc *a, double angle) {
    mc_text_format(out, "%.2f %.2f", a->x + a->radius * cos(angle), a->y + a->radius * sin(angle));
}

// The path along which it runs.
static void append_path(mc_text *out, const arc *a, double room) {
    double half = fmin(room / 2 + a->size, TURN * a->radius * 0.49), turn = half / a->radius;
    mc_text_append_string(out, " fill=\"none\" d=\"M");
    append_point(out, a, a->middle - turn * a->side);
    mc_text_format(out, "A%.2f %.2f 0 %d %d ", a->radius, a->radius, turn > TURN / 4, a->side > 0);
    append_point(out, a, a->middle + turn * a->side);
    mc_text_append_string(out, "\"/>");
}

// Hundredths of an em, of the first font of the document; those of others are much the same.
static double get_letter_width(const char *letter) {
    static const uint8_t widths[] = {
        28, 28, 40, 63, 64, 81, 64, 22, 36, 36, 50, 66, 28, 46, 28, 36, //  !"#$%&'()*+,-./
        63, 46, 61, 64, 64, 61, 62, 57, 62, 62, 28, 28, 66, 66, 66, 51, // 0-9:;<=>?
        94, 68, 65, 73, 72, 60, 59, 74, 74, 26, 54, 65, 56, 89, 75, 76, // @A-O
        63, 76, 64, 64, 64, 74, 68, 95, 64, 66, 63, 36, 36, 36, 47, 45, // P-Z[\]^_
        50, 56, 62, 56, 62, 58, 36, 61, 59, 24, 24, 54, 24, 87, 59, 60, // `a-o
        61, 61, 37, 52, 36, 58, 56, 81, 54, 56, 54, 36, 33, 36, 66};    // p-z{|}~
    static const char ellipsis[] = "…";
    unsigned char first = (unsigned char)*letter;
    if (first >= ' ' && first < 0x7f) return widths[first - ' '] * 0.01;
    if (strncmp(letter, ellipsis, sizeof ellipsis - 1) == 0) return 0.82;
    return first < 0xe0 ? 0.6 : 1; // of what is beyond the alphabets of Europe
}

static void append_letters(mc_text *out, const arc *a, const char *letters) {
    double width = 0, at = 0;
    for (const char *letter = letters; *letter; letter += get_letter_size(letter))
        width += get_letter_width(letter);
    for (const char *letter = letters; *letter; letter += get_letter_size(letter)) {
        double own = get_letter_width(letter);
        double angle = a->middle + a->side * (at + own / 2 - width / 2) * a->size / a->radius;
        at += own;
        if (*letter == ' ') continue;
        mc_text_append_string(out, "<text transform=\"translate(");
        append_point(out, a, angle);
        mc_text_format(out, ")rotate(%.1f)\">", (angle * 360 / TURN) + 90 * a->side);
        mc_format_append_markup(out, letter, get_letter_size(letter));
        mc_text_append_string(out, "</text>");
    }
}

static void append_font(mc_text *out, const mc_drawn_text *text, double size) {
    static const char *const anchors[] = {"middle", "start", "end"};
    mc_text_format(out, " font-size=\"%.1f\" text-anchor=\"%s\"", size, anchors[text->align]);
    mc_flat_svg_append_color(out, "fill", text->color);
    if (text->font == MC_DRAWN_STRONG) mc_text_append_string(out, " font-weight=\"600\"");
}

static void append_straight(mc_text *out, const mc_drawn_text *text, double size,
                            const mc_text *letters) {
    double x = (double)text->x, y = (double)text->y;
    mc_text_append_string(out, "<text");
    append_font(out, text, size);
    mc_text_format(out, " x=\"%.2f\" y=\"%.2f\" dy=\"%.2fem\"", x, y, DESCENT);
    if (text->angle_rad != 0)
        mc_text_format(out, " transform=\"rotate(%.3f %.2f %.2f)\"",
                       (double)text->angle_rad * 360 / TURN, x, y);
    mc_text_append_string(out, ">");
    mc_format_append_markup(out, letters->data, letters->size);
    mc_text_append_string(out, "</text>\n");
}

// Who knows text along paths takes the first form.
static void append_bent(mc_text *out, const mc_drawn_text *text, double size,
                        const mc_text *letters, uint32_t index, const char *scope) {
    arc a = get_arc(text, size);
    mc_text_append_string(out, "<switch><g requiredFeatures=\""
                               "http://www.w3.org/TR/SVG11/feature#TextOnAPath\">");
    mc_text_format(out, "<path id=\"%sp%u\"", scope, index);
    append_path(out, &a, (double)text->room);
    mc_text_append_string(out, "<text");
    append_font(out, text, size);
    mc_text_format(out, "><textPath href=\"#%sp%u\" startOffset=\"50%%\">", scope, index);
    mc_format_append_markup(out, letters->data, letters->size);
    mc_text_append_string(out, "</textPath></text></g><g");
    append_font(out, text, size);
    mc_text_append_string(out, ">");
    append_letters(out, &a, letters->data);
    mc_text_append_string(out, "</g></switch>\n");
}

void mc_flat_svg_append_text(const mc_flat_sheet *sheet, uint32_t index, const char *scope,
                             mc_text *out) {
    const mc_drawn_text *text = &sheet->texts[index];
    double size = get_size(sheet, text->font), letter = size * LETTER_WIDTH;
    double room = text->room > 0 ? (double)text->room / letter : 1e9;
    if (room < 3 && count_letters(text->text) > room) return;
    mc_text letters = {0};
    append_fitting(&letters, text->text, text->is_name, room);
    out->failed |= letters.failed;
    if (letters.data && text->radius != 0)
        append_bent(out, text, size, &letters, index, scope);
    else if (letters.data)
        append_straight(out, text, size, &letters);
    mc_text_deinit(&letters);
}
