#include "app/report/report_chart.h"

#include "app/format.h"
#include <string.h>

#define HEIGHT 220.0
#define LEFT 78.0
#define RIGHT 62.0
#define TOP 12.0
#define BOTTOM 28.0
#define MOST_DOTS 80 // more steps than that are a line alone

// Two lines: the metric that the report is of and bytes; of a report of objects or bytes, these
// two; where there is no heap the first alone.
enum { MAIN, OTHER, LINE_COUNT };

typedef struct plot {
    const mc_report *report;
    int line_count;
    const mc_metric_info *info[LINE_COUNT];
    double largest[LINE_COUNT];
    int64_t start_ms, span_ms;
    double width;
    int part_count; // of the time axis, by its numbers
} plot;

// Of a page as wide as a desk's, and as a phone's: text keeps its size.
static const struct {
    const char *class;
    double width;
    int part_count;
} shapes[] = {{"wide", 1000, 4}, {"narrow", 420, 2}};

static uint64_t get_total(const mc_report *report, uint32_t step, int line) {
    const mc_step_info *info = report->steps[step];
    if (report->totals) return line == MAIN ? report->totals[step] : info->bytes;
    return line == MAIN ? info->bytes : info->objects;
}

// Beside a metric of its own it is bytes, beside bytes objects.
static bool has_other(const mc_report *report) {
    return report->totals ? report->has_heap : report->has_objects;
}

static double get_number(const plot *p, uint32_t step, int line) {
    return mc_metric_get_number(p->info[line], get_total(p->report, step, line));
}

static bool is_known(const plot *p, uint32_t step, int line) {
    return get_total(p->report, step, line) != MC_COUNT_UNKNOWN;
}

static plot get_plot(const mc_report *report, double width, int part_count) {
    plot p = {.report = report,
              .line_count = has_other(report) ? LINE_COUNT : MAIN + 1,
              .start_ms = report->steps[0]->time_ms,
              .width = width,
              .part_count = part_count};
    bool is_own = report->totals != NULL;
    p.info[MAIN] = is_own ? report->info : mc_trace_get_metric(report->trace, MC_METRIC_BYTES);
    p.info[OTHER] =
        mc_trace_get_metric(report->trace, is_own ? MC_METRIC_BYTES : MC_METRIC_OBJECTS);
    for (int line = 0; line < p.line_count; line++) {
        for (uint32_t i = 0; i < report->step_count; i++) {
            double total = get_number(&p, i, line);
            if (total > p.largest[line]) p.largest[line] = total;
        }
        // What is nothing at all lies on the floor.
        if (!(p.largest[line] > 0)) p.largest[line] = 1;
    }
    p.span_ms = report->steps[report->step_count - 1]->time_ms - p.start_ms;
    return p;
}

// Steps are where they were in time; a trace of one step is a point in the middle.
static double get_x(const plot *p, uint32_t step) {
    double at = 0.5;
    if (p->span_ms > 0)
        at = (double)(p->report->steps[step]->time_ms - p->start_ms) / (double)p->span_ms;
    return LEFT + at * (p->width - LEFT - RIGHT);
}

static double get_y(const plot *p, uint32_t step, int line) {
    double share = get_number(p, step, line) / p->largest[line];
    return TOP + (1 - share) * (HEIGHT - TOP - BOTTOM);
}

// Of the steps of which the value is known.
static void append_points(mc_text *out, const plot *p, int line) {
    const char *separator = "";
    for (uint32_t i = 0; i < p->report->step_count; i++) {
        if (!is_known(p, i, line)) continue;
        mc_text_format(out, "%s%.1f,%.1f", separator, get_x(p, i), get_y(p, i, line));
        separator = " ";
    }
}

// A number of an axis: as a value of the metric.
static const char *format_tick(char out[MC_FORMAT_SIZE], const plot *p, int line, double share) {
    const mc_metric_info *info = p->info[line];
    double number = p->largest[line] * share;
    return mc_format_brief(out, info, info->is_real ? mc_metric_pack(number) : (uint64_t)number);
}

static int64_t get_part_time(const plot *p, int part, int part_count) {
    return p->start_ms + p->span_ms / part_count * part +
           p->span_ms % part_count * part / part_count;
}

// Some steps within a second may have the same time to a tenth.
static bool are_parts_distinct(const plot *p) {
    char last[MC_FORMAT_SIZE] = "", text[MC_FORMAT_SIZE];
    for (int i = 0; i <= p->part_count; i++) {
        mc_format_time(text, get_part_time(p, i, p->part_count));
        if (strcmp(text, last) == 0) return false;
        memcpy(last, text, sizeof last);
    }
    return true;
}

// Dates need more room than minutes: then only both ends are said.
static int count_parts(const plot *p) {
    char text[MC_FORMAT_SIZE];
    if (p->span_ms == 0) return p->part_count;
    double label = 6.6 * (double)strlen(mc_format_time(text, p->start_ms));
    bool fits = label * (p->part_count + 1) < p->width - LEFT - RIGHT;
    return fits && are_parts_distinct(p) ? p->part_count : 1;
}

static void append_axes(mc_text *out, const plot *p) {
    char text[MC_FORMAT_SIZE];
    double floor = HEIGHT - BOTTOM;
    for (int i = 0; i <= 2; i++) {
        double share = i / 2.0, y = TOP + (1 - share) * (floor - TOP);
        mc_text_format(out, "<line class=grid x1=%.0f y1=%.1f x2=%.0f y2=%.1f />", LEFT, y,
                       p->width - RIGHT, y);
        mc_text_format(out, "<text x=%.0f y=%.1f text-anchor=end>%s</text>", LEFT - 8, y + 4,
                       format_tick(text, p, MAIN, share));
        if (p->line_count <= OTHER) continue;
        mc_text_format(out, "<text x=%.0f y=%.1f>%s</text>", p->width - RIGHT + 8, y + 4,
                       format_tick(text, p, OTHER, share));
    }
    int count = count_parts(p);
    for (int i = 0; i <= count; i++) {
        const char *anchor = i == 0 ? "start" : i == count ? "end" : "middle";
        if (p->span_ms == 0 && i != count / 2) continue;
        double x = LEFT + (p->width - LEFT - RIGHT) * i / count;
        mc_text_format(out, "<text x=%.1f y=%.0f text-anchor=%s>%s</text>", x, HEIGHT - 8, anchor,
                       mc_format_time(text, get_part_time(p, i, count)));
    }
}

static void append_dots(mc_text *out, const plot *p) {
    const mc_report *report = p->report;
    if (report->step_count > MOST_DOTS) return;
    for (uint32_t i = 0; i < report->step_count; i++) {
        char time[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE], objects[MC_FORMAT_SIZE];
        const mc_step_info *step = report->steps[i];
        if (!is_known(p, i, MAIN)) continue;
        bool inside = i >= report->first_step && i <= report->last_step;
        mc_text_format(out,
                       "<circle class=\"dot%s\" cx=%.1f cy=%.1f r=3>"
                       "<title>step %u at %s: ",
                       inside ? "" : " out", get_x(p, i), get_y(p, i, MAIN), i,
                       mc_format_time(time, step->time_ms));
        if (report->totals) {
            mc_text_format(out, "%s ", mc_format_value(bytes, report->info, report->totals[i]));
            mc_format_append_markup(out, report->info->title, report->info->title_size);
        }
        if (report->has_heap)
            mc_text_format(out, "%s%s", report->totals ? ", " : "",
                           mc_format_bytes(bytes, step->bytes));
        if (report->has_objects)
            mc_text_format(out, ", %s", mc_format_counted(objects, step->objects, "object"));
        mc_text_append_string(out, "</title></circle>");
    }
}

// Where something was noted: a line, and a mark that says it.
static void append_notes(mc_text *out, const plot *p) {
    double floor = HEIGHT - BOTTOM;
    for (uint32_t i = 0; i < p->report->step_count; i++) {
        const char *note = mc_trace_get_note(p->report->trace, i);
        double x = get_x(p, i);
        if (!note) continue;
        mc_text_format(out,
                       "<g class=mark><line x1=%.1f y1=%.1f x2=%.1f y2=%.1f /><path "
                       "d=\"M%.1f %.1fh10l-5 8z\"/><title>step %u: ",
                       x, TOP, x, floor, x - 5, TOP - 8, i);
        mc_format_append_markup(out, note, strlen(note));
        mc_text_append_string(out, "</title></g>");
    }
}

static void append_note_list(mc_text *out, const mc_report *report) {
    bool is_first = true;
    for (uint32_t i = 0; i < report->step_count; i++) {
        char time[MC_FORMAT_SIZE];
        const char *note = mc_trace_get_note(report->trace, i);
        if (!note) continue;
        mc_text_append_string(out, is_first ? "<ul class=notes>\n" : "");
        mc_text_format(out, "<li>Step %u at %s: ", i,
                       mc_format_time(time, report->steps[i]->time_ms));
        mc_format_append_markup(out, note, strlen(note));
        mc_text_append_string(out, "</li>\n");
        is_first = false;
    }
    if (!is_first) mc_text_append_string(out, "</ul>\n");
}

// Below the main line, from the first step that is known to the last.
static void append_area(mc_text *out, const plot *p, double floor) {
    uint32_t first = 0, last = p->report->step_count - 1;
    while (first < last && !is_known(p, first, MAIN))
        first++;
    while (last > first && !is_known(p, last, MAIN))
        last--;
    if (!is_known(p, first, MAIN)) return;
    mc_text_format(out, "<polygon class=area points=\"%.1f,%.1f ", get_x(p, first), floor);
    append_points(out, p, MAIN);
    mc_text_format(out, " %.1f,%.1f\"/>", get_x(p, last), floor);
}

static void append_timeline(mc_text *out, const mc_report *report, uint32_t shape) {
    plot p = get_plot(report, shapes[shape].width, shapes[shape].part_count);
    double floor = HEIGHT - BOTTOM;
    mc_text_format(out,
                   "<svg class=\"timeline %s\" viewBox=\"0 0 %.0f %.0f\" role=img "
                   "aria-label=\"The %s over time\">",
                   shapes[shape].class, p.width, HEIGHT, report->subject);
    double from = get_x(&p, report->first_step), to = get_x(&p, report->last_step);
    mc_text_format(out, "<rect class=window x=%.1f y=%.1f width=%.1f height=%.1f />", from, TOP,
                   to - from, floor - TOP);
    append_axes(out, &p);
    append_area(out, &p, floor);
    mc_text_append_string(out, "<polyline class=main points=\"");
    append_points(out, &p, MAIN);
    mc_text_append_string(out, "\"/>");
    if (p.line_count > OTHER) {
        mc_text_append_string(out, "<polyline class=other points=\"");
        append_points(out, &p, OTHER);
        mc_text_append_string(out, "\"/>");
    }
    append_notes(out, &p);
    append_dots(out, &p);
    mc_text_append_string(out, "</svg>\n");
}

void mc_report_append_timeline(mc_text *out, const mc_report *report) {
    for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        append_timeline(out, report, i);
}

static void append_part(mc_text *out, const plot *p, const uint64_t *values, uint64_t largest,
                        uint32_t first, uint32_t last, const char *class) {
    if (first >= last) return;
    mc_text_format(out, "<polyline class=%s points=\"", class);
    for (uint32_t i = first; i <= last; i++) {
        double at = (get_x(p, i) - LEFT) / (p->width - LEFT - RIGHT);
        double share = largest > 0 ? (double)values[i] / (double)largest : 0;
        mc_text_format(out, "%s%.1f,%.1f", i > first ? " " : "", 2 + 116 * at, 22 - 20 * share);
    }
    mc_text_append_string(out, "\"/>");
}

void mc_report_append_timeline_key(mc_text *out, const mc_report *report) {
    mc_text_append_string(out, "<p class=\"muted key\"><i></i>");
    if (report->totals)
        mc_format_append_markup(out, report->info->title, report->info->title_size);
    else
        mc_text_append_string(out, "bytes");
    if (has_other(report))
        mc_text_format(out, "<i class=o></i>%s", report->totals ? "bytes" : "objects");
    mc_text_append_string(out, "</p>\n");
    append_note_list(out, report);
}

void mc_report_append_sparkline(mc_text *out, const mc_report *report, const uint64_t *values) {
    plot p = get_plot(report, shapes[0].width, shapes[0].part_count);
    uint64_t largest = 0;
    for (uint32_t i = 0; i < report->step_count; i++)
        if (values[i] > largest) largest = values[i];
    mc_text_append_string(out, "<svg class=spark viewBox=\"0 0 120 24\" aria-hidden=true>");
    append_part(out, &p, values, largest, 0, report->first_step, "out");
    append_part(out, &p, values, largest, report->first_step, report->last_step, "in");
    append_part(out, &p, values, largest, report->last_step, report->step_count - 1, "out");
    mc_text_append_string(out, "</svg>");
}
