#include "app/print/diff_parts.h"

#include "app/format.h"
#include "app/node_text.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const mc_metric_info *get_info(const mc_diff_story *story) {
    return mc_trace_get_metric(story->desc->trace, story->desc->metric);
}

static bool is_within_most(const mc_diff_story *story, uint32_t count) {
    return story->most == 0 || count < story->most;
}

static void append_more(const mc_diff_story *story, uint32_t count, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    if (story->most > 0 && count > story->most)
        mc_text_format(out, "  and %s more\n", mc_format_count(text, count - story->most));
}

// Right-aligned; signs and dashes are more than one byte wide, and so is what is between numbers.
static void append_right(mc_text *out, const char *text, int width) {
    int letters = 0;
    for (const char *at = text; *at; at++)
        letters += ((unsigned char)*at & 0xc0) != 0x80;
    mc_text_format(out, "%*s%s  ", letters < width ? width - letters : 0, "", text);
}

static void append_difference(const mc_diff_story *story, double difference, mc_text *out) {
    mc_text text = {0};
    if (difference == 0)
        mc_text_append_string(&text, "±0");
    else
        mc_format_append_rate(&text, get_info(story), difference);
    append_right(out, text.failed ? "" : text.data, 14);
    out->failed |= text.failed;
    mc_text_deinit(&text);
}

// ---- groups

static void print_rows(mc_print *print, const mc_diff_parts *parts, uint32_t part) {
    const mc_diff_story *story = parts->story;
    const mc_metric_info *info = get_info(story);
    const mc_trace *trace = story->desc->trace, *base = story->sides[MC_BEFORE];
    bool is_any_marked = false;
    for (uint32_t i = 0, told = 0; i < story->diff->count && is_within_most(story, told); i++) {
        if (!mc_diff_parts_has(parts, part, &story->diff->entries[i])) continue;
        is_any_marked |= story->diff->entries[i].state != MC_DIFF_BOTH;
        told++;
    }
    const mc_column columns[] = {
        {.heading = "difference", .before = "  ", .width = 14, .after = "  "},
        {.heading = "before", .width = 14, .after = "  "},
        {.heading = "after", .width = 14, .after = "  "},
        {.heading = "", .width = -4, .after = "  ", .unknown = "", .is_off = !is_any_marked},
        {.heading = ""},
        {.heading = "", .before = "  (was ", .after = ")"}};
    MC_PRINT_BEGIN_ROWS(print, NULL, columns);
    for (uint32_t i = 0, told = 0; i < story->diff->count && is_within_most(story, told); i++) {
        const mc_diff_entry *entry = &story->diff->entries[i];
        if (!mc_diff_parts_has(parts, part, entry)) continue;
        mc_cell was = mc_cell_node(base, mc_versus_get_node(trace, MC_BEFORE, entry->node));
        mc_cell mark = mc_cell_text(mc_diff_state_names[entry->state]);
        if (entry->state == MC_DIFF_BOTH) mark = mc_cell_text("");
        MC_PRINT_ROW(print, mc_cell_rate(info, entry->difference),
                     mc_cell_value(info, entry->value[MC_BEFORE]),
                     mc_cell_value(info, entry->value[MC_AFTER]), mark,
                     mc_cell_node(trace, entry->node), mc_cell_if(entry->is_moved, was));
        told++;
    }
    mc_print_end_rows(print);
}

static void print_part(mc_print *print, const mc_diff_parts *parts, uint32_t part) {
    const uint32_t count = mc_diff_parts_count(parts, part);
    if (count == 0) return;
    mc_text_append_string(print->out, "\n");
    mc_diff_parts_append_heading(parts, part, print->out);
    mc_text_append_string(print->out, "\n");
    print_rows(print, parts, part);
    append_more(parts->story, count, print->out);
}

// ---- the rest

static void append_moves(const mc_diff_story *story, mc_text *out) {
    uint32_t count;
    const mc_versus_move *moves = mc_versus_get_moves(story->desc->trace, &count);
    char text[MC_FORMAT_SIZE];
    if (count == 0) return;
    mc_text_append_string(out, "\nMoved or renamed\n");
    for (uint32_t i = 0; i < count && is_within_most(story, i); i++) {
        mc_text_append_string(out, "  ");
        mc_node_append_place_line(story->sides[MC_BEFORE], moves[i].before_node, out);
        mc_text_append_string(out, moves[i].is_merged ? "  was moved into  " : "  is  ");
        mc_node_append_place_line(story->desc->trace, moves[i].node, out);
        mc_text_format(out, ", %s\n", mc_format_counted(text, moves[i].leaf_count, "group"));
    }
    append_more(story, count, out);
}

static void append_folds(const mc_diff_story *story, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    bool is_any = false;
    for (uint32_t i = 0; i < story->folds->count; i++) {
        const mc_fold *fold = &story->folds->items[i];
        if (fold->count == 0) continue;
        if (!is_any)
            mc_text_append_string(out, "\nTaken for one name, as it differs from run to run "
                                       "(--no-folds: not)\n");
        is_any = true;
        mc_text_format(out, "  %s %s ", mc_format_counted(text, fold->count, "name"),
                       fold->what ? "of" : "by");
        mc_diff_append_fold(fold, out);
        mc_text_append_string(out, "\n");
    }
}

static void append_side(const mc_diff_story *story, mc_versus_side side, mc_text *out) {
    mc_step_range window = story->desc->window[side];
    char value[MC_FORMAT_SIZE];
    const mc_metric_info *info = get_info(story);
    mc_text_append_string(out, side == MC_BEFORE ? "before  " : "after   ");
    append_right(out, mc_format_value(value, info, story->diff->total[side]), 14);
    mc_format_append_line(out, story->names[side], strlen(story->names[side]));
    if (info->kind == MC_METRIC_FLOW || story->desc->is_growth)
        mc_text_format(out, ", steps %" PRIu32 " to %" PRIu32 "\n", window.first_step,
                       window.last_step);
    else
        mc_text_format(out, ", step %" PRIu32 "\n", window.last_step);
}

static void append_total(const mc_diff_story *story, uint32_t same, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    const uint64_t *total = story->diff->total;
    const mc_metric_info *info = get_info(story);
    double before = mc_metric_get_number(info, total[MC_BEFORE]);
    double difference = mc_metric_get_number(info, total[MC_AFTER]) - before;
    mc_text_append_string(out, "        ");
    append_difference(story, difference, out);
    mc_format_append_line(out, info->key, info->key_size);
    if (before > 0)
        mc_text_format(out, ", %s%.1f %%", difference < 0 ? "−" : "+",
                       fabs(difference / before * 100));
    mc_text_format(out, "; %s the same\n", mc_format_counted(text, same, "group"));
}

static void append_ends_line(const mc_diff_story *story, mc_text *out) {
    size_t size = out->size;
    mc_diff_append_ends(story, out);
    if (out->size > size) mc_text_append_string(out, "\n");
}

static void append_result(const mc_diff_parts *parts, mc_text *out) {
    size_t size = out->size;
    mc_diff_parts_append_sentence(parts, out);
    if (out->size > size) mc_text_append_string(out, "\n\n");
}

static void print_all(mc_print *print, const mc_diff_parts *parts) {
    const mc_diff_story *story = parts->story;
    mc_text *out = print->out;
    append_result(parts, out);
    append_side(story, MC_BEFORE, out);
    append_side(story, MC_AFTER, out);
    append_total(story, story->diff->kind_counts[MC_DIFF_KIND_SAME], out);
    append_ends_line(story, out);
    if (story->desc->is_growth)
        mc_text_append_string(out, "differences are those of growth over the steps\n");
    for (uint32_t part = 0; part < MC_DIFF_PARTS; part++)
        print_part(print, parts, part);
    append_moves(story, out);
    append_folds(story, out);
    if (story->diff->kind_counts[MC_DIFF_KIND_CHANCE] == 0) return;
    mc_text_append_string(out, "\n");
    mc_diff_append_chance(story->diff, out);
    mc_text_append_string(out, "\n");
}

void mc_diff_print_text(mc_print *print, const mc_diff_story *story) {
    mc_diff_parts parts;
    if (mc_diff_parts_init(&parts, story))
        print_all(print, &parts);
    else
        print->out->failed = true;
    mc_diff_parts_deinit(&parts);
}
