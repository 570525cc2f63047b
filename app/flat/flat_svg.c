#include "app/flat/flat_svg.h"

#include "app/flat/flat_svg_text.h"
#include "app/format.h"
#include "app/node_text.h"
#include <math.h>
#include <string.h>

#define TURN 6.283185307179586476925
#define LEAST_SIZE 0.5 // pixels: what is thinner is merged
#define PLAIN_SIZE 3.0 // pixels: what is wider has an outline
#define TITLE_SIZE 4.0 // pixels: what is wider says what it is
#define WHOLE 0.9999   // so much of a ring is drawn as a circle

// A segment, or some thin ones beside each other.
typedef struct segment {
    double from, to;
    double color[4]; // sum of linear light times alpha times extent
    uint32_t entry;  // MC_NONE: several
} segment;

typedef struct writer {
    mc_text *out;
    const mc_flat_figure *figure;
    const mc_flat_plane *plane;
    double length; // pixels along the row
    uint32_t row;
    const mc_theme *theme;
} writer;

static double decode(uint32_t byte) {
    double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static uint32_t encode(double c) {
    double encoded = c <= 0.0031308 ? c * 12.92 : 1.055 * pow(c, 1 / 2.4) - 0.055;
    return (uint32_t)lround(fmin(fmax(encoded, 0), 1) * 255);
}

static uint32_t get_color(const segment *s) {
    double alpha = s->color[3] / (s->to - s->from);
    uint32_t packed = (uint32_t)lround(fmin(alpha, 1) * 255) << 24;
    for (int c = 0; c < 3; c++)
        packed |= encode(s->color[c] / s->color[3]) << (8 * c);
    return packed;
}

static void append_title(const writer *w, uint32_t entry) {
    const mc_flat_figure *figure = w->figure;
    const mc_tree *tree = figure->pane->tree;
    char number[MC_FORMAT_SIZE];
    mc_text text = {0};
    mc_node_append_path_line(figure->trace, tree->node[entry], &text);
    if (mc_tree_is_other(tree, entry))
        mc_text_format(
            &text, " → Other (%s)",
            mc_format_counted(number, tree->other_group_count[tree->other[entry]], "group"));
    mc_text_append_string(&text, ": ");
    uint64_t word = mc_metric_get_word(figure->metric, figure->pane->now.values[entry]);
    mc_format_append_value(&text, figure->metric, word);
    mc_text_append_string(w->out, "<title>");
    if (text.data) mc_format_append_markup(w->out, text.data, text.size);
    mc_text_append_string(w->out, "</title>");
    w->out->failed |= text.failed;
    mc_text_deinit(&text);
}

static void append_point(const writer *w, char command, double row, double along) {
    double x, y;
    mc_flat_plane_place(w->plane, (mc_flat_point){row, along}, &x, &y);
    mc_text_format(w->out, "%c%.2f %.2f", command, x, y);
}

static void append_arc(const writer *w, double row, double from, double to) {
    double radius = row * (double)w->plane->row_size, x, y;
    mc_flat_plane_place(w->plane, (mc_flat_point){row, to}, &x, &y);
    mc_text_format(w->out, "A%.2f %.2f 0 %d %d %.2f %.2f", radius, radius, fabs(to - from) > 0.5,
                   to > from, x, y);
}

static void append_ring_segment(const writer *w, const segment *s, bool is_thin) {
    const mc_flat_plane *plane = w->plane;
    double inner = w->row, outer = w->row + 1.0;
    if (s->to - s->from >= WHOLE) {
        double size = (double)plane->row_size;
        mc_text_format(w->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"",
                       (double)plane->origin_x, (double)plane->origin_y,
                       w->row == 0 ? size : size * (inner + 0.5));
        if (w->row > 0)
            mc_text_format(w->out, " class=\"t\" stroke-width=\"%.2f\"", fmax(size - 1, 0.5));
        mc_flat_svg_append_color(w->out, w->row > 0 ? "stroke" : "fill", get_color(s));
        return;
    }
    mc_text_append_string(w->out, "<path d=\"");
    if (is_thin) { // an arc as thick as the ring
        append_point(w, 'M', inner + 0.5, s->from);
        append_arc(w, inner + 0.5, s->from, s->to);
    } else {
        append_point(w, 'M', outer, s->from);
        append_arc(w, outer, s->from, s->to);
        append_point(w, 'L', inner, s->to);
        if (w->row > 0) append_arc(w, inner, s->to, s->from);
        mc_text_append_string(w->out, "Z");
    }
    mc_text_append_string(w->out, is_thin ? "\" class=\"t\"" : "\" class=\"o\"");
    mc_flat_svg_append_color(w->out, is_thin ? "stroke" : "fill", get_color(s));
}

static void append_rectangle(const writer *w, const segment *s, bool is_thin) {
    double x0, y0, x1, y1;
    mc_flat_plane_place(w->plane, (mc_flat_point){w->row, s->from}, &x0, &y0);
    mc_flat_plane_place(w->plane, (mc_flat_point){w->row + 1.0, s->to}, &x1, &y1);
    x0 = fmax(x0, (double)w->plane->x0);
    y0 = fmax(y0, (double)w->plane->y0);
    mc_text_format(w->out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"", x0, y0,
                   x1 - x0, y1 - y0);
    if (!is_thin) mc_text_append_string(w->out, " class=\"o\"");
    mc_flat_svg_append_color(w->out, "fill", get_color(s));
}

static void append_segment(const writer *w, const segment *s) {
    double size = (s->to - s->from) * w->length;
    bool is_thin = size < PLAIN_SIZE, is_round = w->plane->form == MC_FLAT_SUNBURST;
    if (!(s->color[3] > 0)) return;
    if (is_round)
        append_ring_segment(w, s, is_thin);
    else
        append_rectangle(w, s, is_thin);
    if (s->entry != MC_NONE && size >= TITLE_SIZE) {
        mc_text_append_string(w->out, ">");
        append_title(w, s->entry);
        const char *end = !is_round                  ? "</rect>\n"
                          : s->to - s->from >= WHOLE ? "</circle>\n"
                                                     : "</path>\n";
        mc_text_append_string(w->out, end);
    } else {
        mc_text_append_string(w->out, "/>\n");
    }
}

static void add(segment *s, mc_interval span, uint32_t color) {
    double weight = (span.to - span.from) * (color >> 24) / 255.0;
    for (int c = 0; c < 3; c++)
        s->color[c] += decode(color >> (8 * c) & 255) * weight;
    s->color[3] += weight;
    s->to = span.to;
}

static void append_row(const writer *w, mc_node_span entries) {
    const mc_flat_pane *pane = w->figure->pane;
    double least = LEAST_SIZE / w->length;
    segment run = {.entry = MC_NONE};
    for (uint32_t i = entries.first; i < entries.end; i++) {
        mc_interval span = pane->now.intervals[i];
        if (!(span.to > span.from)) continue;
        bool is_own = span.to - span.from >= least, is_apart = span.from - run.to > least / 2;
        if (run.to > run.from && (is_own || is_apart)) {
            append_segment(w, &run);
            run = (segment){.entry = MC_NONE};
        }
        if (!(run.to > run.from)) run = (segment){.from = span.from, .entry = MC_NONE};
        if (is_own) run.entry = i;
        add(&run, span, pane->now.colors[i]);
        if (is_own || run.to - run.from >= least) {
            append_segment(w, &run);
            run = (segment){.entry = MC_NONE};
        }
    }
    if (run.to > run.from) append_segment(w, &run);
}

static void append_frames(mc_flat_sheet *sheet, const mc_flat_figure *figure,
                          const mc_flat_plane *plane) {
    for (uint32_t i = 0; i < figure->selected_count; i++) {
        mc_flat_mark mark;
        if (!mc_flat_pane_get_mark(figure->pane, plane, figure->selected[i],
                                   sheet->theme.selection_outline, 3, &mark))
            continue;
        segment frame = {.from = (double)mark.from, .to = (double)mark.to, .entry = MC_NONE};
        frame.color[3] = (frame.to - frame.from) * 1e-9; // no fill to speak of
        writer w = {.out = &sheet->svg,
                    .figure = figure,
                    .plane = plane,
                    .row = (uint32_t)mark.row,
                    .theme = &sheet->theme};
        const float *c = sheet->theme.selection_outline;
        mc_text_format(&sheet->svg, "<g class=\"s\" style=\"stroke:rgb(%.0f,%.0f,%.0f)\">\n",
                       (double)c[0] * 255, (double)c[1] * 255, (double)c[2] * 255);
        if (plane->form == MC_FLAT_SUNBURST)
            append_ring_segment(&w, &frame, false);
        else
            append_rectangle(&w, &frame, true);
        mc_text_append_string(&sheet->svg, "/>\n</g>\n");
    }
}

void mc_flat_svg_append_tree(mc_flat_sheet *sheet, const mc_flat_figure *figure,
                             const mc_flat_plane *plane) {
    const mc_flat_pane *pane = figure->pane;
    mc_partition_tree partition = mc_tree_get_partition(pane->tree);
    mc_node_span entries = {pane->now.root, pane->now.root + 1};
    for (uint32_t row = 0; row < pane->now.row_count; row++) {
        writer w = {.out = &sheet->svg,
                    .figure = figure,
                    .plane = plane,
                    .row = row,
                    .length = mc_flat_plane_get_length(plane, row + 0.5),
                    .theme = &sheet->theme};
        mc_text_format(&sheet->svg, "<g class=\"l\" stroke-width=\"%.2f\">\n",
                       (double)plane->row_size);
        append_row(&w, entries);
        mc_text_append_string(&sheet->svg, "</g>\n");
        entries = mc_partition_get_children(&partition, entries);
    }
    append_frames(sheet, figure, plane);
}

// ---- lines and texts

static void append_shape(const mc_drawn_shape *shape, mc_text *out) {
    const float *p = shape->points;
    if (shape->kind == MC_DRAWN_DISC) {
        mc_text_format(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"", (double)p[0],
                       (double)p[1], (double)shape->width);
        mc_flat_svg_append_color(out, "fill", shape->color);
        mc_text_append_string(out, "/>\n");
        return;
    }
    bool is_area = shape->kind == MC_DRAWN_AREA;
    mc_text_append_string(out, "<path d=\"");
    if (is_area) mc_text_format(out, "M%.2f %.2f", (double)p[0], (double)shape->width);
    for (uint32_t i = 0; i < shape->count; i++)
        mc_text_format(out, "%c%.2f %.2f", i == 0 && !is_area ? 'M' : 'L', (double)p[i * 2],
                       (double)p[i * 2 + 1]);
    if (is_area)
        mc_text_format(out, "L%.2f %.2fZ", (double)p[shape->count * 2 - 2], (double)shape->width);
    mc_text_append_string(out, "\"");
    mc_flat_svg_append_color(out, is_area ? "fill" : "stroke", shape->color);
    if (!is_area) mc_text_format(out, " fill=\"none\" stroke-width=\"%.2f\"", (double)shape->width);
    mc_text_append_string(out, "/>\n");
}

static void append_rgb(mc_text *out, const float c[3]) {
    mc_text_format(out, "#%02x%02x%02x", (unsigned)lroundf(c[0] * 255),
                   (unsigned)lroundf(c[1] * 255), (unsigned)lroundf(c[2] * 255));
}

// What applies to classes and to names of parts is for this document alone, also as one of several
// in a page.
static void append_style(const mc_flat_sheet *sheet, const char *scope, mc_text *out) {
    const char *dot = *scope ? "." : "", *space = *scope ? " " : "";
    mc_text_format(out, "<style>%s%s%s.o{stroke-width:1;stroke:", dot, scope, space);
    append_rgb(out, sheet->theme.background_top);
    mc_text_format(out, "}%s%s%s.t{fill:none}%s%s%s.s *{fill:none;stroke:inherit;stroke-width:3}",
                   dot, scope, space, dot, scope, space);
    mc_text_append_string(out, "</style>\n");
}

mc_result mc_flat_svg_append_sheet(mc_flat_sheet *sheet, const char *title, const char *scope,
                                   mc_text *out, mc_error *error) {
    mc_result result = mc_flat_sheet_finish(sheet, error);
    if (result != MC_OK) return result;
    mc_text_append_string(out, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    if (*scope) mc_text_format(out, " class=\"%s\"", scope);
    mc_text_format(out,
                   " width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" font-family=\"Inter, 'Noto "
                   "Sans', 'DejaVu Sans', sans-serif\">\n<title>",
                   sheet->width, sheet->height, sheet->width, sheet->height);
    mc_format_append_markup(out, title, strlen(title));
    mc_text_append_string(out, "</title>\n");
    append_style(sheet, scope, out);
    mc_text_append_string(out, "<rect width=\"100%\" height=\"100%\" fill=\"");
    append_rgb(out, sheet->theme.background_top);
    mc_text_append_string(out, "\"/>\n");
    if (sheet->svg.data) mc_text_append(out, sheet->svg.data, sheet->svg.size);
    for (uint32_t i = 0; i < sheet->shape_count; i++)
        append_shape(&sheet->shapes[i], out);
    for (uint32_t i = 0; i < sheet->text_count; i++)
        mc_flat_svg_append_text(sheet, i, scope, out);
    mc_text_append_string(out, "</svg>\n");
    return out->failed ? mc_error_out_of_memory(error) : MC_OK;
}
