#include "app/format.h"
#include "app/node_text.h"
#include "app/print/diff_parts.h"
#include "app/report/report_page.h"
#include "app/report/report_pair.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

// Takes a line over as markup.
static void append_line(mc_text *out, mc_text *line) {
    if (!line->failed) mc_format_append_markup(out, line->data ? line->data : "", line->size);
    out->failed |= line->failed;
    mc_text_deinit(line);
}

static void append_name(mc_text *out, const mc_trace *trace, uint32_t node) {
    mc_text line = {0};
    mc_node_append_name_line(trace, node, &line);
    append_line(out, &line);
}

static void append_place(mc_text *out, const mc_trace *trace, uint32_t node) {
    mc_text line = {0};
    mc_node_append_place_line(trace, node, &line);
    append_line(out, &line);
}

static void append_difference(mc_text *out, const mc_metric_info *info, double difference) {
    if (difference == 0)
        mc_text_append_string(out, "±0");
    else
        mc_format_append_rate(out, info, difference);
}

static void append_value(mc_text *out, const mc_metric_info *info, uint64_t value) {
    char text[MC_FORMAT_SIZE];
    mc_text_append_string(out, mc_format_value(text, info, value));
}

// "shop-1.4.mct, step 25 of 0–26, 1:31.9"
static void append_side(mc_text *out, const mc_report_pair *pair, mc_versus_side side) {
    const mc_diff_story *story = &pair->story;
    const mc_trace *trace = story->sides[side];
    mc_step_range window = story->desc->window[side];
    char time[MC_FORMAT_SIZE];
    mc_text_append_string(out, side == MC_BEFORE ? "<dt>A</dt><dd>" : "<dt>B</dt><dd>");
    append_value(out, pair->report.info, story->diff->total[side]);
    mc_text_append_string(out, ": ");
    mc_format_append_markup(out, story->names[side], strlen(story->names[side]));
    if (pair->report.info->kind == MC_METRIC_FLOW)
        mc_text_format(out, ", steps %" PRIu32 " to %" PRIu32, window.first_step, window.last_step);
    else
        mc_text_format(out, ", step %" PRIu32, window.last_step);
    mc_text_format(out, " of 0–%" PRIu32 ", %s</dd>", mc_trace_get_step_count(trace) - 1,
                   mc_format_time(time, mc_trace_get_step(trace, window.last_step)->time_ms));
}

static void append_sides(mc_text *out, const mc_report_pair *pair, uint32_t same) {
    const uint64_t *total = pair->story.diff->total;
    const mc_metric_info *info = pair->report.info;
    char text[MC_FORMAT_SIZE];
    double before = mc_metric_get_number(info, total[MC_BEFORE]);
    double difference = mc_metric_get_number(info, total[MC_AFTER]) - before;
    mc_text_append_string(out, "<section><dl>");
    append_side(out, pair, MC_BEFORE);
    append_side(out, pair, MC_AFTER);
    mc_text_append_string(out, "<dt>B − A</dt><dd>");
    append_difference(out, info, difference);
    mc_text_append_string(out, " ");
    mc_format_append_markup(out, info->title, info->title_size);
    double share = before > 0 ? difference / before * 100 : 0;
    if (before > 0) mc_text_format(out, ", %s%.1f %%", share < 0 ? "−" : "+", fabs(share));
    mc_text_format(out, "; %s the same</dd></dl></section>\n",
                   mc_format_counted(text, same, "group"));
}

// What end of A or B is left out.
static void append_ends(mc_text *out, const mc_report_pair *pair) {
    const mc_step_range *window = pair->story.desc->window;
    uint32_t at[] = {window[MC_BEFORE].last_step, window[MC_AFTER].last_step};
    mc_text ends = {0};
    mc_pair_append_ends(pair->report.trace, at, mc_pair_side_names, &ends);
    if (ends.size > 0) mc_text_append_string(out, "<p class=note>");
    if (ends.size > 0) mc_format_append_markup(out, ends.data, ends.size);
    if (ends.size > 0) mc_text_append_string(out, "</p>\n");
    out->failed |= ends.failed;
    mc_text_deinit(&ends);
}

static void append_picture(mc_text *out, const mc_report_pair *pair, mc_pair_show show) {
    static const char *const texts[] = {"The difference", "A", "B"};
    mc_report report = pair->report;
    report.legend = &pair->pictures->legends[show];
    mc_text_append_string(out, "<figure>");
    mc_report_append_image(out, &pair->pictures->items[show], texts[show]);
    mc_text_format(out, "<figcaption>%s", texts[show]);
    if (show == MC_PAIR_DIFFERENCE) {
        mc_text_append_string(out, ": of each group the larger of both");
    } else {
        mc_versus_side side = show == MC_PAIR_A ? MC_BEFORE : MC_AFTER;
        mc_text_append_string(out, ": ");
        mc_format_append_markup(out, pair->story.names[side], strlen(pair->story.names[side]));
    }
    mc_text_append_string(out, "</figcaption>");
    mc_report_append_legend(out, &report);
    mc_text_append_string(out, "</figure>\n");
}

static void append_pictures(mc_text *out, const mc_report_pair *pair) {
    if (!pair->pictures) return;
    mc_text_append_string(out, "<h2>The city</h2>\n");
    append_picture(out, pair, MC_PAIR_DIFFERENCE);
    mc_text_append_string(out, "<div class=row>\n");
    append_picture(out, pair, MC_PAIR_A);
    append_picture(out, pair, MC_PAIR_B);
    mc_text_format(out,
                   "</div>\n<p class=muted>A building is a group%s, in the same place in all "
                   "pictures.</p>\n",
                   pair->report.is_heap ? " of objects" : "");
}

static void print_entry(mc_print *print, const mc_report_pair *pair, const mc_diff_entry *entry) {
    const mc_trace *trace = pair->report.trace;
    const mc_metric_info *info = pair->report.info;
    mc_text name = {0};
    append_name(&name, trace, entry->node);
    mc_text_append_string(&name, "<small>");
    append_place(&name, trace, mc_trace_get_nodes(trace)->parent[entry->node]);
    if (entry->state != MC_DIFF_BOTH)
        mc_text_format(&name, " (%s)", mc_diff_state_names[entry->state]);
    if (entry->is_moved) {
        mc_text_append_string(&name, " (was ");
        append_place(&name, pair->story.sides[MC_BEFORE],
                     mc_versus_get_node(trace, MC_BEFORE, entry->node));
        mc_text_append_string(&name, ")");
    }
    mc_text_append_string(&name, "</small>");
    MC_PRINT_ROW(
        print, mc_cell_ready(&name),
        mc_cell_marked(mc_cell_rate(info, entry->difference), entry->difference > 0 ? "up" : NULL),
        mc_cell_value(info, entry->value[MC_BEFORE]), mc_cell_value(info, entry->value[MC_AFTER]));
    print->out->failed |= name.failed;
    mc_text_deinit(&name);
}

static bool is_within_most(const mc_report_pair *pair, uint32_t count) {
    return pair->story.most == 0 || count < pair->story.most;
}

static void append_more(mc_text *out, const mc_report_pair *pair, uint32_t count) {
    char text[MC_FORMAT_SIZE];
    if (is_within_most(pair, count) || count == pair->story.most) return;
    mc_text_format(out, "<p class=muted>and %s more</p>\n",
                   mc_format_count(text, count - pair->story.most));
}

static void append_part(mc_text *out, const mc_report_pair *pair, const mc_diff_parts *parts,
                        uint32_t part) {
    const mc_diff *diff = pair->story.diff;
    const uint32_t count = mc_diff_parts_count(parts, part);
    mc_text group = {0};
    mc_print print = {.form = MC_PRINT_HTML, .out = out};
    if (count == 0) return;
    mc_text_append_string(out, "<h2>");
    mc_diff_parts_append_heading(parts, part, out);
    mc_text_append_string(out, "</h2>\n");
    mc_text_format(&group, "group, by %s", pair->report.info->title);
    const mc_column columns[] = {{.heading = group.data, .mark = "name"},
                                 {.heading = "difference"},
                                 {.heading = "A"},
                                 {.heading = "B"}};
    MC_PRINT_BEGIN_ROWS(&print, NULL, columns);
    for (uint32_t i = 0, told = 0; i < diff->count && is_within_most(pair, told); i++) {
        if (!mc_diff_parts_has(parts, part, &diff->entries[i])) continue;
        print_entry(&print, pair, &diff->entries[i]);
        told++;
    }
    mc_print_end_rows(&print);
    mc_text_append_string(out, "\n");
    append_more(out, pair, count);
    out->failed |= group.failed;
    mc_text_deinit(&group);
}

static void append_result(mc_text *out, const mc_diff_parts *parts) {
    mc_text line = {0};
    mc_diff_parts_append_sentence(parts, &line);
    if (line.size > 0) mc_text_append_string(out, "<p>");
    if (line.size > 0) mc_format_append_markup(out, line.data, line.size);
    if (line.size > 0) mc_text_append_string(out, "</p>\n");
    out->failed |= line.failed;
    mc_text_deinit(&line);
}

static void append_chance(mc_text *out, const mc_report_pair *pair) {
    mc_text line = {0};
    if (pair->story.diff->kind_counts[MC_DIFF_KIND_CHANCE] == 0) return;
    mc_diff_append_chance(pair->story.diff, &line);
    mc_text_append_string(out, "<p class=muted>");
    append_line(out, &line);
    mc_text_append_string(out, "</p>\n");
}

static void append_moves(mc_text *out, const mc_report_pair *pair) {
    const mc_trace *trace = pair->report.trace;
    uint32_t count;
    const mc_versus_move *moves = mc_versus_get_moves(trace, &count);
    mc_text after = {0};
    mc_print print = {.form = MC_PRINT_HTML, .out = out};
    const mc_column columns[] = {
        {.heading = "A", .mark = "name"}, {.heading = "B", .mark = "name"}, {.heading = "groups"}};
    if (count == 0) return;
    mc_text_append_string(out, "<h2>Moved or renamed</h2>\n");
    MC_PRINT_BEGIN_ROWS(&print, NULL, columns);
    for (uint32_t i = 0; i < count && is_within_most(pair, i); i++) {
        mc_text_clear(&after);
        if (moves[i].is_merged) mc_text_append_string(&after, "in ");
        append_place(&after, trace, moves[i].node);
        MC_PRINT_ROW(&print, mc_cell_node(pair->story.sides[MC_BEFORE], moves[i].before_node),
                     mc_cell_ready(&after), mc_cell_count(moves[i].leaf_count));
    }
    mc_print_end_rows(&print);
    mc_text_append_string(out, "\n");
    out->failed |= after.failed;
    mc_text_deinit(&after);
    append_more(out, pair, count);
}

static void append_folds(mc_text *out, const mc_report_pair *pair) {
    const mc_name_folds *folds = pair->story.folds;
    mc_print print = {.form = MC_PRINT_HTML, .out = out};
    const mc_column columns[] = {{.heading = "kind"}, {.heading = "names"}};
    mc_text what = {0};
    bool is_any = false;
    for (uint32_t i = 0; i < folds->count; i++) {
        const mc_fold *fold = &folds->items[i];
        if (fold->count == 0) continue;
        if (!is_any) {
            mc_text_append_string(out, "<h2>Taken for one name</h2>\n<details><summary>Names that "
                                       "differ from run to run</summary>");
            MC_PRINT_BEGIN_ROWS(&print, NULL, columns);
        }
        is_any = true;
        mc_text_clear(&what);
        mc_diff_append_fold(fold, &what);
        MC_PRINT_ROW(&print, mc_cell_text(mc_text_get(&what)), mc_cell_count(fold->count));
    }
    out->failed |= what.failed;
    mc_text_deinit(&what);
    if (!is_any) return;
    mc_print_end_rows(&print);
    mc_text_append_string(out, "</details>\n");
}

void mc_report_pair_append_page(mc_text *out, const mc_report_pair *pair) {
    const uint32_t *counts = pair->story.diff->kind_counts;
    mc_diff_parts parts;
    out->failed |= !mc_diff_parts_init(&parts, &pair->story);
    if (out->failed) {
        mc_diff_parts_deinit(&parts);
        return;
    }
    mc_report_append_head(out, &pair->report);
    mc_text_format(out, "<p class=muted>Two %s compared, grouped by ",
                   pair->report.is_heap ? "heaps" : "traces");
    mc_format_append_markup(out, pair->report.classifiers, strlen(pair->report.classifiers));
    mc_text_append_string(out, "</p>\n");
    append_result(out, &parts);
    append_sides(out, pair, counts[MC_DIFF_KIND_SAME]);
    append_ends(out, pair);
    append_pictures(out, pair);
    for (uint32_t part = 0; part < MC_DIFF_PARTS; part++)
        append_part(out, pair, &parts, part);
    append_chance(out, pair);
    append_moves(out, pair);
    append_folds(out, pair);
    mc_report_append_foot(out, &pair->report);
    mc_diff_parts_deinit(&parts);
}
