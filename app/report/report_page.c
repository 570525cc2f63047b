#include "app/report/report_page.h"

#include "app/base64.h"
#include "app/caption_text.h"
#include "app/format.h"
#include "app/pace_text.h"
#include "app/print/print.h"
#include "app/report/report_chart.h"
#include "app/report/report_methods.h"
#include "app/subject_text.h"
#include "engine/analyze/node_facts.h"
#include "engine/trace/regroup/sliding_window.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// Both themes, and paper.
static const char style[] =
    ":root{--page:#fff;--text:#1c2430;--muted:#5a6675;--line:#dfe4ea;--soft:#f3f6f9;"
    "--blue:#2563b8;--area:#c9dcf4;--violet:#7a3fb0;--red:#c2361b}\n"
    "@media (prefers-color-scheme:dark){:root{--page:#12161c;--text:#e6eaf0;--muted:#9aa7b6;"
    "--line:#2a323d;--soft:#1a2029;--blue:#7db0f5;--area:#23405f;--violet:#c79cf0;--red:#ff8a6b}}\n"
    "*{box-sizing:border-box}body{margin:0 auto;max-width:1120px;padding:32px 24px 64px;"
    "overflow-wrap:anywhere;background:var(--page);color:var(--text);font:15px/1.5 Inter,\"Noto "
    "Sans\",\"DejaVu Sans\","
    "system-ui,sans-serif;font-variant-numeric:tabular-nums}\n"
    "a{color:var(--blue)}h1{font-size:26px;line-height:1.25;margin:0;overflow-wrap:anywhere}"
    "h2{font-size:17px;margin:40px 0 12px}p{margin:8px 0}"
    ".muted,figcaption,th{color:var(--muted)}"
    ".note{background:var(--soft);border-left:3px solid var(--blue);padding:10px 14px;"
    "border-radius:0 6px 6px 0}\n"
    ".verdict{font-size:17px;margin:16px 0}.facts{display:flex;flex-wrap:wrap;gap:12px "
    "40px;margin:20px 0;padding:0;list-style:none}"
    ".facts b{display:block;font-size:20px;font-weight:600}.facts span{color:var(--muted)}\n"
    "figure{margin:0}figure img{width:100%;display:block;border-radius:8px;"
    "border:1px solid var(--line)}figcaption{font-size:13px;margin-top:6px}"
    ".legend{display:flex;flex-wrap:wrap;gap:4px 20px;font-size:13px;margin:14px 0 8px}"
    ".legend i{display:inline-block;width:12px;height:12px;border-radius:3px;"
    "background:var(--l);margin-right:6px;vertical-align:-1px}"
    ".legend .ramp{width:150px;margin:0 6px}.walk-picture{margin:0 0 16px}"
    "@media (prefers-color-scheme:dark){.legend i{background:var(--d)}}\n"
    ".row{display:grid;grid-template-columns:repeat(auto-fit,minmax(240px,1fr));gap:16px;"
    "margin-top:16px}\n"
    ".scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}"
    "th{font-weight:500;text-align:right;font-size:13px}"
    "th,td{overflow-wrap:normal;padding:6px 10px;border-bottom:1px solid "
    "var(--line);vertical-align:middle}"
    "td{text-align:right;white-space:nowrap}"
    "th.name,td.name{text-align:left;white-space:normal;overflow-wrap:anywhere;min-width:220px}"
    "td small{display:block;color:var(--muted)}td.up{color:var(--red);font-weight:600}\n"
    "section{background:var(--soft);border-radius:8px;padding:14px 18px;margin:0 0 12px}"
    ".cause{font-weight:600;margin:0 0 10px}dl{display:grid;grid-template-columns:100px 1fr;"
    "gap:4px 14px;margin:0}dt{color:var(--muted)}dd{margin:0}"
    ".summary{font-weight:600;margin:0 0 10px}.walk{list-style:none;margin:0;padding:0}"
    ".walk li{display:flex;gap:14px;padding:4px 0}.walk p{margin:0}.walk div{flex:1}"
    ".walk small{color:var(--muted);margin-left:4px;font-size:13px}"
    ".walk i{font-style:normal;font-size:12px;flex:0 0 76px;height:20px;line-height:20px;"
    "text-align:center;border-radius:10px;border:1px solid var(--line);color:var(--muted);"
    "margin-top:2px}.walk .cause i{background:var(--red);border-color:var(--red);"
    "color:var(--page);font-weight:600}.walk .muted{font-size:13px}"
    "details summary{cursor:pointer;color:var(--blue)}\n";

// What is in it: charts, pictures, what colours say; and a phone.
static const char parts_style[] =
    ".timeline{width:100%;height:auto;display:block}.timeline text{font-size:12px;"
    "fill:var(--muted)}.grid{stroke:var(--line)}.window{fill:var(--soft)}"
    ".area{fill:var(--area);fill-opacity:.75}.main,.other{fill:none;stroke-width:2;"
    "stroke:var(--blue)}.other{stroke:var(--violet);stroke-dasharray:5 3}"
    ".mark line{stroke:var(--muted);stroke-dasharray:2 3}.mark path{fill:var(--red)}"
    ".notes{margin:4px 0 0;padding-left:20px}"
    ".dot{fill:var(--blue)}.dot.out{fill:var(--muted)}\n"
    ".trees "
    "svg{width:100%;height:auto;display:block;border-radius:8px}.trees-dark{display:none!important}"
    "@media (prefers-color-scheme:dark){.trees-light{display:none!important}"
    ".trees-dark{display:block!important}}\n"
    ".spark{width:120px;height:24px;display:block}.spark polyline{fill:none;stroke-width:1.5}"
    ".spark .in{stroke:var(--blue)}.spark .out{stroke:var(--muted);stroke-opacity:.6}\n"
    ".key i{display:inline-block;width:22px;height:0;border-top:2px solid var(--blue);"
    "vertical-align:middle;margin:0 6px 0 16px}.key i.o{border-top:2px dashed var(--violet)}\n"
    ".narrow{display:none!important}@media (max-width:640px){body{padding:20px 16px 40px}"
    "h1{font-size:22px}.wide{display:none!important}.narrow{display:block!important}"
    ".facts{gap:12px 28px}"
    ".pane{overflow-x:auto;-webkit-mask-image:linear-gradient(to right,#000 80%,transparent);"
    "mask-image:linear-gradient(to right,#000 80%,transparent)}.trees svg{width:760px;"
    "max-width:none;margin-right:72px}"
    "section{padding:12px}dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:8px}"
    "th.name,td.name{min-width:96px}td{font-size:14px}th,td{padding:6px 4px}.suspects "
    ":is(th,td):is(:nth-child(1),:nth-child(3)),.methods "
    ":is(th,td):is(:nth-child(5),:nth-child(8)),.growers "
    ":is(th,td):is(:nth-child(5),:nth-child(7),:nth-child(9)){display:none}.growers "
    "td:nth-child(6){white-space:normal}.walk li{gap:10px}}\n"
    "footer{margin-top:48px;color:var(--muted);font-size:13px}"
    "@media "
    "print{body{max-width:none;padding:0}h2{break-after:avoid}tr,figure,li{break-inside:avoid}}";

static void append_title(mc_text *out, const mc_report *report) {
    mc_format_append_markup(out, report->info->title, report->info->title_size);
}

static void append_fact(mc_text *out, const char *value, const char *what) {
    mc_text_format(out, "<li><b>%s</b><span>%s</span></li>", value, what);
}

// Of one step nothing is said of growth, nor of time.
static bool is_single(const mc_report *report) {
    return report->first_step == report->last_step;
}

// Of a metric beyond objects and bytes: what a stock has come to, or the sum of a flow.
static void append_own_fact(mc_text *out, const mc_report *report) {
    char text[MC_FORMAT_SIZE];
    const mc_metric_info *info = report->info;
    if (!report->totals) return;
    mc_node_facts facts = mc_node_facts_of_series(info, report->totals + report->first_step,
                                                  report->last_step - report->first_step + 1);
    mc_text_format(out, "<li><b>%s</b><span>",
                   mc_format_value(text, info, mc_node_facts_get_value(&facts, info)));
    append_title(out, report);
    if (info->kind == MC_METRIC_FLOW)
        mc_text_append_string(out, ", in all");
    else if (!is_single(report))
        mc_text_format(out, " at the end, from %s", mc_format_value(text, info, facts.first));
    mc_text_append_string(out, "</span></li>");
}

static void append_heap_facts(mc_text *out, const mc_report *report) {
    const mc_step_info *first = report->steps[report->first_step];
    const mc_step_info *last = report->steps[report->last_step];
    char text[MC_FORMAT_SIZE], what[128], other[MC_FORMAT_SIZE];
    if (is_single(report)) {
        append_fact(out, mc_format_bytes(text, last->bytes), report->is_heap ? "heap" : "in all");
        if (report->has_objects) append_fact(out, mc_format_si(text, last->objects), "objects");
        return;
    }
    snprintf(what, sizeof what, "%s at the end, from %s", report->is_heap ? "heap" : "in all",
             mc_format_bytes(other, first->bytes));
    append_fact(out, mc_format_bytes(text, last->bytes), what);
    if (!report->has_objects) return;
    snprintf(what, sizeof what, "objects, from %s", mc_format_si(other, first->objects));
    append_fact(out, mc_format_si(text, last->objects), what);
}

static void append_facts(mc_text *out, const mc_report *report) {
    const mc_step_info *first = report->steps[report->first_step];
    const mc_step_info *last = report->steps[report->last_step];
    char text[MC_FORMAT_SIZE], what[128], other[MC_FORMAT_SIZE];
    mc_text_append_string(out, "<ul class=facts>");
    append_own_fact(out, report);
    if (report->has_heap) append_heap_facts(out, report);
    if (!is_single(report))
        append_fact(out, mc_format_time(text, last->time_ms - first->time_ms), "of the run");
    snprintf(text, sizeof text, "%u", report->last_step - report->first_step + 1);
    append_fact(out, text, report->last_step > report->first_step ? "steps" : "step");
    snprintf(what, sizeof what, report->methods ? "methods, %s groups in all" : "groups, %s in all",
             mc_format_count(other, report->group_count));
    append_fact(out, mc_format_count(text, report->leaf_count), what);
    mc_text_append_string(out, "</ul>\n");
}

static void append_data(mc_text *out, const mc_text *png) {
    mc_text_append_string(out, "data:image/png;base64,");
    mc_base64_append(png->data, png->size, out);
}

static void append_source(mc_text *out, const char *media, const mc_text *png) {
    if (png->size == 0) return;
    mc_text_format(out, "<source media=\"%s\" srcset=\"", media);
    append_data(out, png);
    mc_text_append_string(out, "\">");
}

// The browser takes the one for its page, and decodes no other.
void mc_report_append_image(mc_text *out, const mc_report_picture *picture, const char *what) {
    mc_text_append_string(out, "<picture>");
    append_source(out, "(max-width:640px) and (prefers-color-scheme:dark)",
                  &picture->narrow[MC_REPORT_DARK]);
    append_source(out, "(max-width:640px)", &picture->narrow[MC_REPORT_LIGHT]);
    append_source(out, "(prefers-color-scheme:dark)", &picture->png[MC_REPORT_DARK]);
    mc_text_format(out, "<img alt=\"%s at step %u\" src=\"", what, picture->step);
    append_data(out, &picture->png[MC_REPORT_LIGHT]);
    mc_text_append_string(out, "\"></picture>");
}

static void append_picture(mc_text *out, const mc_report *report,
                           const mc_report_picture *picture) {
    const mc_step_info *step = report->steps[picture->step];
    char time[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE], objects[MC_FORMAT_SIZE];
    char what[64];
    mc_format_time(time, step->time_ms);
    snprintf(what, sizeof what, "The %s as a city", report->subject);
    mc_text_append_string(out, "<figure>");
    mc_report_append_image(out, picture, what);
    mc_text_format(out, "<figcaption>Step %u at %s: ", picture->step, time);
    if (report->totals) {
        mc_text_format(out, "%s ",
                       mc_format_value(bytes, report->info, report->totals[picture->step]));
        append_title(out, report);
    }
    if (report->has_heap)
        mc_text_format(out, "%s%s", report->totals ? ", " : "",
                       mc_format_bytes(bytes, step->bytes));
    if (report->has_objects)
        mc_text_format(out, ", %s", mc_format_counted(objects, step->objects, "object"));
    mc_text_append_string(out, "</figcaption></figure>\n");
}

static void append_trees(mc_text *out, const mc_report *report) {
    if (!report->trees_light || !report->trees_dark) return;
    mc_text_append_string(out, "<h2>What it was made of</h2>\n<figure class=trees>\n");
    mc_text_append_string(out, "<div class=pane>");
    mc_text_append_string(out, report->trees_light);
    mc_text_append_string(out, report->trees_dark);
    mc_text_append_string(out,
                          "</div><p class=\"narrow muted\">It goes on to the right: swipe.</p>\n");
    mc_text_format(out, "<figcaption>At some steps, each as tall as the %s was by its ",
                   report->is_heap ? "heap" : "whole");
    append_title(out, report);
    mc_text_append_string(out,
                          ": the whole at the left, what it consists of to its right; what "
                          "grew the most over time is at the top. Its colours are the same "
                          "at all steps. Point at a part for its name.</figcaption></figure>\n");
}

static void append_color(mc_text *out, const float color[3]) {
    mc_text_append_string(out, "#");
    for (int i = 0; i < 3; i++)
        mc_text_format(out, "%02x", (unsigned)lroundf(fminf(fmaxf(color[i], 0), 1) * 255));
}

// A mark in the colour that it has on each page.
static void append_mark(mc_text *out, const float light[3], const float dark[3]) {
    mc_text_append_string(out, "<i style=\"--l:");
    append_color(out, light);
    mc_text_append_string(out, ";--d:");
    append_color(out, dark);
    mc_text_append_string(out, "\"></i>");
}

static void append_ramp(mc_text *out, const mc_report *report) {
    const mc_report_legend *legend = report->legend;
    mc_step_range window = {report->first_step, report->last_step};
    mc_text full = {0};
    mc_text_append_string(out, "<span>");
    mc_caption_append_low(&legend->of[MC_REPORT_LIGHT], &full);
    if (!full.failed) mc_format_append_markup(out, full.data, full.size);
    mc_text_clear(&full);
    mc_text_append_string(out, " <i class=ramp style=\"");
    for (int scheme = 0; scheme < MC_REPORT_SCHEME_COUNT; scheme++) {
        const mc_legend *of = &legend->of[scheme];
        mc_text_append_string(out, scheme == MC_REPORT_LIGHT ? "--l:" : ";--d:");
        mc_text_append_string(out, "linear-gradient(90deg");
        for (uint32_t i = 0; i < of->entry_count; i++) {
            mc_text_append_string(out, ",");
            append_color(out, of->entries[i].color);
        }
        mc_text_append_string(out, ")");
    }
    mc_text_append_string(out, "\"></i> ");
    mc_caption_append_full(&legend->of[MC_REPORT_LIGHT], report->trace, window, &full);
    out->failed |= full.failed;
    if (!full.failed) mc_format_append_markup(out, full.data, full.size);
    mc_text_append_string(out, "</span>");
    mc_text_deinit(&full);
}

static void append_entry(mc_text *out, const mc_legend_entry *light, const mc_legend_entry *dark) {
    mc_text_append_string(out, "<span>");
    append_mark(out, light->color, dark->color);
    mc_format_append_markup(out, light->text, strlen(light->text));
    mc_text_append_string(out, "</span>");
}

void mc_report_append_legend(mc_text *out, const mc_report *report) {
    const mc_report_legend *legend = report->legend;
    const mc_legend *light = &legend->of[MC_REPORT_LIGHT], *dark = &legend->of[MC_REPORT_DARK];
    bool nothing_grew = light->is_gradient && !(light->full > 0);
    if (!light->title || nothing_grew) return;
    mc_text_append_string(out, "<p class=legend><span>");
    mc_format_append_markup(out, light->title, strlen(light->title));
    mc_text_append_string(out, ":</span>");
    if (light->is_gradient) append_ramp(out, report);
    for (uint32_t i = 0; !light->is_gradient && i < light->entry_count; i++)
        append_entry(out, &light->entries[i], &dark->entries[i]);
    for (uint32_t i = 0; i < light->apart_count; i++)
        append_entry(out, &light->apart[i], &dark->apart[i]);
    if (light->has_unknown) append_entry(out, &light->unknown, &dark->unknown);
    mc_text_append_string(out, "</p>\n");
}

static void append_walk_picture(mc_text *out, const void *user) {
    const mc_report *report = user;
    const mc_report_legend *legend = report->legend;
    if (!report->walk_picture) return;
    mc_text_append_string(out, "<figure class=walk-picture>");
    mc_report_append_image(out, report->walk_picture, "The walk in the city");
    mc_text_format(out, "<figcaption class=legend><span>");
    append_mark(out, legend->chain[MC_REPORT_LIGHT], legend->chain[MC_REPORT_DARK]);
    mc_text_format(out,
                   "keeps alive, from %s, at step %u; all else stands "
                   "back</span></figcaption></figure>\n",
                   is_single(report) ? "what is largest up to who holds it"
                                     : "what grew the most up to its cause",
                   report->walk_picture->step);
}

static void append_pictures(mc_text *out, const mc_report *report) {
    if (report->picture_count == 0) return;
    mc_text_append_string(out, "<h2>The city</h2>\n");
    append_picture(out, report, &report->pictures[0]);
    if (report->picture_count > 1) mc_text_append_string(out, "<div class=row>\n");
    for (uint32_t i = 1; i < report->picture_count; i++)
        append_picture(out, report, &report->pictures[i]);
    if (report->picture_count > 1) mc_text_append_string(out, "</div>\n");
    mc_report_append_legend(out, report);
    mc_text_format(out, "<p class=muted>A building is a %s%s",
                   report->methods   ? "method"
                   : report->is_heap ? "group of objects"
                                     : "group",
                   report->is_elevated ? ", on plots that are all the same: its height is its "
                   : report->is_uniform
                       ? ", on plots that are all the same: its colour tells of its "
                       : ": its volume grows with its ");
    append_title(out, report);
    mc_text_format(out, ".%s</p>\n",
                   report->methods || is_single(report) ? ""
                   : report->is_glass
                       ? " What stands before those that grew the most is translucent."
                       : " Those that grew the most are opaque.");
}

// In words, in `text`.
static mc_cell get_trend(const mc_report *report, const mc_report_suspect *suspect, mc_text *text) {
    const mc_trend *trend = &suspect->trend;
    mc_step_range window = {report->first_step, report->last_step};
    bool has_stopped = trend->growth.kind == MC_GROWTH_STOPPED;
    if (has_stopped)
        mc_text_format(text, "stopped at step %u", report->first_step + trend->growth.until);
    else if (trend->direction == 0)
        mc_text_append_string(text, "no trend");
    else
        mc_pace_append(report->trace, window, report->info, trend->slope_per_s, text);
    return mc_cell_marked(mc_cell_line(text),
                          has_stopped || trend->direction == 0 ? "muted" : NULL);
}

static mc_cell get_value(const mc_report *report, uint64_t count) {
    return mc_cell_value(report->info, mc_metric_get_word(report->info, count));
}

static void append_properties(mc_text *out, const mc_property_answers *properties) {
    for (uint32_t i = 0; i < MC_PROPERTY_COUNT; i++) {
        const mc_text *sentence = &properties->items[i].sentence;
        if (sentence->size == 0) continue;
        mc_text_append_string(out, "<small>");
        mc_format_append_markup(out, sentence->data, sentence->size);
        mc_text_append_string(out, "</small>");
    }
}

static void print_suspect(mc_print *print, const mc_report *report, uint32_t index) {
    const mc_report_suspect *suspect = &report->suspects[index];
    mc_text name = {0}, spark = {0}, trend = {0};
    char growth[MC_FORMAT_SIZE];
    mc_format_append_markup(&name, suspect->name, strlen(suspect->name));
    mc_text_append_string(&name, "<small>");
    mc_format_append_markup(&name, suspect->place, strlen(suspect->place));
    mc_report_append_reason(&name, &report->why, suspect->node);
    mc_text_append_string(&name, "</small>");
    append_properties(&name, &suspect->properties);
    if (!is_single(report)) mc_report_append_sparkline(&spark, report, suspect->values);
    mc_format_value_growth(growth, report->info, suspect->growth);
    MC_PRINT_ROW(print, mc_cell_index(index + 1), mc_cell_ready(&name),
                 is_single(report) ? get_value(report, suspect->last) : mc_cell_ready(&spark),
                 mc_cell_marked(mc_cell_text(growth), "up"),
                 mc_cell_if(suspect->growth_share > 0, mc_cell_share(suspect->growth_share)),
                 get_trend(report, suspect, &trend), get_value(report, suspect->first),
                 get_value(report, suspect->last), get_value(report, suspect->max),
                 get_value(report, suspect->sum));
    print->out->failed |= name.failed || spark.failed || trend.failed;
    mc_text_deinit(&name);
    mc_text_deinit(&spark);
    mc_text_deinit(&trend);
}

static void print_suspects(mc_print *print, const mc_report *report) {
    bool is_one = is_single(report);
    mc_text group = {0};
    mc_text_format(&group, "group, by %s", report->info->title);
    const mc_column columns[] = {
        {.heading = ""},
        {.heading = group.data, .mark = "name"},
        {.heading = ""},
        {.heading = "growth", .is_off = is_one},
        {.heading = "of all growth", .is_off = is_one},
        {.heading = "trend", .is_off = is_one},
        {.heading = "first", .is_off = is_one},
        {.heading = "last", .is_off = is_one},
        {.heading = "largest", .is_off = is_one},
        {.heading = "sum", .is_off = is_one || report->info->kind != MC_METRIC_FLOW}};
    MC_PRINT_BEGIN_ROWS(print, "suspects growers", columns);
    for (uint32_t i = 0; i < report->suspect_count; i++)
        print_suspect(print, report, i);
    mc_print_end_rows(print);
    print->out->failed |= group.failed;
    mc_text_deinit(&group);
}

static void append_suspects(mc_text *out, const mc_report *report) {
    bool is_one = is_single(report);
    mc_print print = {.form = MC_PRINT_HTML, .out = out};
    mc_text_format(out, "<h2>%s</h2>\n", is_one ? "What is largest" : "What grew the most");
    if (report->suspect_count == 0) {
        mc_text_format(out, "<p>%s</p>\n", is_one ? "Nothing is there." : "Nothing grew.");
        return;
    }
    print_suspects(&print, report);
    mc_text_append_string(out, "\n");
    if (is_one) return;
    mc_text_append_string(out,
                          "<p class=muted>Trend: of what keeps growing, the median slope over all "
                          "pairs of steps (Theil–Sen); a saw-tooth, a single jump or a cache that "
                          "is full does not.</p>\n");
}

static void append_steps(mc_text *out, const mc_report *report) {
    bool has_heap = report->has_heap;
    mc_print print = {.form = MC_PRINT_HTML, .out = out};
    mc_text_format(out, "<h2>All steps</h2>\n<details><summary>The %s totals</summary>",
                   report->is_heap   ? "heap's"
                   : report->methods ? "program's"
                                     : "whole's");
    const mc_column columns[] = {{.heading = "step"},
                                 {.heading = "time"},
                                 {.heading = "objects", .is_off = !report->has_objects},
                                 {.heading = "bytes", .is_off = !has_heap},
                                 {.heading = report->totals ? report->info->title : NULL}};
    MC_PRINT_BEGIN_ROWS(&print, NULL, columns);
    for (uint32_t i = 0; i < report->step_count; i++) {
        const mc_step_info *step = report->steps[i];
        MC_PRINT_ROW(&print, mc_cell_index(i), mc_cell_time(step->time_ms),
                     mc_cell_count(step->objects), mc_cell_count(step->bytes),
                     mc_cell_figure(report->info, report->totals ? report->totals[i] : 0));
    }
    mc_print_end_rows(&print);
    mc_text_append_string(out, "</details>\n");
}

void mc_report_find_subject(mc_report *report, const mc_trace *trace) {
    bool is_of_methods = mc_trace_has_methods(trace) || mc_trace_get_frame_ms(trace) > 0;
    report->has_heap = mc_trace_get_usual_metric(trace) == MC_METRIC_BYTES;
    for (uint32_t i = 0; i < mc_trace_get_step_count(trace) && report->has_heap; i++)
        report->has_objects |= mc_trace_get_step(trace, i)->objects > 0;
    report->is_heap = mc_subject_is_heap(trace);
    report->subject = report->is_heap ? "heap" : is_of_methods ? "methods" : "trace";
}

void mc_report_append_head(mc_text *out, const mc_report *report) {
    mc_text_append_string(out, "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8>"
                               "<meta name=viewport content=\"width=device-width,initial-scale=1\">"
                               "<meta http-equiv=Content-Security-Policy content=\"default-src "
                               "'none';img-src data:;style-src 'unsafe-inline'\">"
                               "<title>");
    mc_format_append_markup(out, report->title, strlen(report->title));
    mc_text_format(out, " – %s report</title>\n<style>%s%s</style></head><body>\n<h1>",
                   report->subject, style, parts_style);
    mc_format_append_markup(out, report->title, strlen(report->title));
    mc_text_append_string(out, "</h1>\n");
}

void mc_report_append_foot(mc_text *out, const mc_report *report) {
    mc_text_append_string(out, "<footer>memcity ");
    mc_format_append_markup(out, report->version, strlen(report->version));
    mc_text_append_string(out, "</footer></body></html>\n");
}

// Of a name's bytes, those that an address has for something else are written as %xx.
static void append_page_link(mc_text *out, const mc_report *report) {
    if (!report->page) return;
    mc_text_append_string(out, "<p><a class=page href=\"./");
    for (const char *at = report->page; *at; at++) {
        bool is_plain = isalnum((unsigned char)*at) || strchr("-_.~", *at);
        mc_text_format(out, is_plain ? "%c" : "%%%02x", (unsigned char)*at);
    }
    mc_text_append_string(out, "\">Walk through the city</a></p>\n");
}

void mc_report_append_page(mc_text *out, const mc_report *report) {
    mc_report_append_head(out, report);
    mc_text_append_string(out, "<p class=muted>");
    if (report->methods && report->methods->frame_ms > MC_SLIDING_WINDOW_MOST_MS)
        mc_text_append_string(out, "How busy methods were from the beginning to each step, "
                                   "grouped by ");
    else if (report->methods)
        mc_text_format(out, "How busy methods were in frames of %g s, grouped by ",
                       report->methods->frame_ms / 1000);
    else
        mc_text_format(out, "The %s over time, grouped by ", report->subject);
    mc_format_append_markup(out, report->classifiers, strlen(report->classifiers));
    mc_text_append_string(out, "</p>\n");
    if (report->note) {
        mc_text_append_string(out, "<p class=note>");
        mc_format_append_markup(out, report->note, strlen(report->note));
        mc_text_append_string(out, "</p>\n");
    }
    if (report->incomplete) {
        mc_text_append_string(out, "<p class=note>");
        mc_format_append_markup(out, report->incomplete, strlen(report->incomplete));
        mc_text_append_string(out, ".</p>\n");
    }
    if (report->why.causes) {
        mc_text_append_string(out, "<p class=verdict>");
        mc_report_append_headline(out, &report->why);
        mc_text_append_string(out, "</p>\n");
    }
    append_page_link(out, report);
    append_facts(out, report);
    mc_report_append_timeline(out, report);
    mc_report_append_timeline_key(out, report);
    append_trees(out, report);
    append_pictures(out, report);
    if (report->methods) {
        mc_report_append_methods(out, report);
    } else {
        if (report->why.causes)
            mc_report_append_why(out, &report->why, append_walk_picture, report);
        append_suspects(out, report);
    }
    append_steps(out, report);
    mc_report_append_foot(out, report);
}
