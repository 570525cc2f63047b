#include "app/print/print_diff.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/pair.h"
#include "engine/analyze/diff_chance.h"
#include <inttypes.h>
#include <math.h>
#include <string.h>

static const mc_metric_info *get_info(const mc_diff_story *story) {
    return mc_trace_get_metric(story->desc->trace, story->desc->metric);
}

// The other trace's node that an entry was; MC_NONE: it is new.
static uint32_t get_before_node(const mc_diff_story *story, uint32_t node) {
    return mc_versus_get_node(story->desc->trace, MC_BEFORE, node);
}

static bool is_within_most(const mc_diff_story *story, uint32_t count) {
    return story->most == 0 || count < story->most;
}

static void append_more(const mc_diff_story *story, uint32_t count, mc_text *out) {
    char text[MC_FORMAT_SIZE];
    if (story->most > 0 && count > story->most)
        mc_text_format(out, "  and %s more\n", mc_format_count(text, count - story->most));
}

// ---- text

const char *const mc_diff_kind_names[] = {"Grew", "Shrank", "New", "Gone"};

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

// The groups of a kind; `kind` MC_DIFF_KIND_COUNT: all.
static void print_groups(mc_print *print, const mc_diff_story *story, uint32_t kind) {
    const mc_metric_info *info = get_info(story);
    const mc_trace *trace = story->desc->trace, *base = story->sides[MC_BEFORE];
    const uint32_t plain = MC_IN_TSV | MC_IN_TEXT;
    const mc_column columns[] = {
        {.key = "key", .forms = MC_IN_JSON},
        {.key = "state", .forms = MC_IN_JSON},
        {.key = "by_chance", .forms = MC_IN_JSON},
        {.key = "was", .forms = MC_IN_JSON},
        {.key = "values", .forms = MC_IN_JSON},
        {.key = "first", .forms = MC_IN_JSON},
        {"difference", "difference", .before = "  ", .width = 14, .after = "  "},
        {"before", "before", .forms = plain, .width = 14, .after = "  "},
        {"after", "after", .forms = plain, .width = 14, .after = "  "},
        {.key = "state", .forms = MC_IN_TSV},
        {"key", "", .forms = plain},
        {"was", "", .forms = plain, .before = "  (was ", .after = ")"}};
    MC_PRINT_BEGIN_ROWS(print, "groups", columns);
    for (uint32_t i = 0, told = 0; i < story->diff->count && is_within_most(story, told); i++) {
        const mc_diff_entry *entry = &story->diff->entries[i];
        if (kind != MC_DIFF_KIND_COUNT && entry->kind != kind) continue;
        mc_cell key = mc_cell_node(trace, entry->node);
        mc_cell state = mc_cell_text(mc_diff_state_names[entry->state]);
        mc_cell was = mc_cell_node(base, get_before_node(story, entry->node));
        if (!entry->is_moved) was = mc_cell_absent();
        mc_cell values[] = {mc_cell_value(info, entry->value[MC_BEFORE]),
                            mc_cell_value(info, entry->value[MC_AFTER])};
        MC_PRINT_ROW(print, key, state,
                     mc_cell_if(entry->kind == MC_DIFF_KIND_CHANCE, mc_cell_bool(true)), was,
                     mc_cell_list(values, 2),
                     MC_LIST(mc_cell_value(info, entry->first[MC_BEFORE]),
                             mc_cell_value(info, entry->first[MC_AFTER])),
                     mc_cell_rate(info, entry->difference), values[MC_BEFORE], values[MC_AFTER],
                     state, key, was);
        told++;
    }
    mc_print_end_rows(print);
}

static void print_kind(mc_print *print, const mc_diff_story *story, mc_diff_kind kind,
                       uint32_t count) {
    char text[MC_FORMAT_SIZE];
    if (count == 0) return;
    mc_text_format(print->out, "\n%s: %s\n", mc_diff_kind_names[kind],
                   mc_format_counted(text, count, "group"));
    print_groups(print, story, kind);
    append_more(story, count, print->out);
}

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
        if (!is_any) mc_text_append_string(out, "\nTaken for one name\n");
        is_any = true;
        mc_text_format(out, "  %s by ", mc_format_counted(text, fold->count, "name"));
        mc_format_append_line(out, fold->pattern, strlen(fold->pattern));
        mc_text_append_string(out, "=");
        mc_format_append_line(out, fold->by, strlen(fold->by));
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

void mc_diff_append_ends(const mc_diff_story *story, mc_text *out) {
    static const char *const names[] = {[MC_BEFORE] = "BEFORE", [MC_AFTER] = "AFTER"};
    const mc_diff_desc *desc = story->desc;
    uint32_t at[] = {desc->window[MC_BEFORE].last_step, desc->window[MC_AFTER].last_step};
    mc_pair_append_ends(desc->trace, at, names, out);
}

static void append_ends_line(const mc_diff_story *story, mc_text *out) {
    size_t size = out->size;
    mc_diff_append_ends(story, out);
    if (out->size > size) mc_text_append_string(out, "\n");
}

void mc_diff_append_chance(const mc_diff *diff, mc_text *out) {
    char new[MC_FORMAT_SIZE], gone[MC_FORMAT_SIZE], samples[MC_FORMAT_SIZE], seen[MC_FORMAT_SIZE];
    if (diff->kind_counts[MC_DIFF_KIND_CHANCE] == 0) return;
    mc_text_format(out,
                   "Chance may explain %s and %s, which are left out: each was seen in %s at most, "
                   "and %s were seen at all (p > %g).",
                   mc_format_counted(new, diff->chance_counts[MC_AFTER], "new group"),
                   mc_format_counted(gone, diff->chance_counts[MC_BEFORE], "gone one"),
                   mc_format_counted(samples, (uint64_t)ceil(diff->most_by_chance), "sample"),
                   mc_format_counted(seen, diff->seen_count, "group"), MC_DIFF_CHANCE);
}

static void print_text(mc_print *print, const mc_diff_story *story) {
    const uint32_t *counts = story->diff->kind_counts;
    mc_text *out = print->out;
    append_side(story, MC_BEFORE, out);
    append_side(story, MC_AFTER, out);
    append_total(story, counts[MC_DIFF_KIND_SAME], out);
    append_ends_line(story, out);
    if (story->desc->is_growth)
        mc_text_append_string(out, "differences are those of growth over the steps\n");
    for (mc_diff_kind i = 0; i < MC_DIFF_KIND_SAME; i++)
        print_kind(print, story, i, counts[i]);
    append_moves(story, out);
    append_folds(story, out);
    if (story->diff->kind_counts[MC_DIFF_KIND_CHANCE] == 0) return;
    mc_text_append_string(out, "\n");
    mc_diff_append_chance(story->diff, out);
    mc_text_append_string(out, "\n");
}

// ---- JSON

static void put_side(mc_print *print, const mc_diff_story *story, mc_versus_side side) {
    const mc_trace *trace = story->desc->trace;
    mc_step_range window = story->desc->window[side];
    uint32_t last = mc_pair_get_last(trace, side);
    bool is_left_out =
        window.last_step < last && window.last_step == mc_pair_get_range(trace, side).last_step;
    mc_cell left_out = MC_LIST(mc_cell_count(window.last_step + 1), mc_cell_count(last));
    mc_print_break(print);
    mc_print_put(print, side == MC_BEFORE ? "before" : "after",
                 MC_OBJECT({"trace", mc_cell_text(story->names[side])},
                           {"window", MC_LIST(mc_cell_count(window.first_step),
                                              mc_cell_count(window.last_step))},
                           {"left_out", is_left_out ? left_out : mc_cell_null()},
                           {"total", mc_cell_value(get_info(story), story->diff->total[side])}));
}

// What end of a side is left out; null: none is.
static void put_ends(mc_print *print, const mc_diff_story *story) {
    mc_text ends = {0};
    mc_diff_append_ends(story, &ends);
    mc_print_break(print);
    mc_print_put(print, "ends", ends.size > 0 ? mc_cell_line(&ends) : mc_cell_null());
    print->out->failed |= ends.failed;
    mc_text_deinit(&ends);
}

static void put_moves(mc_print *print, const mc_diff_story *story) {
    uint32_t count;
    const mc_trace *trace = story->desc->trace;
    const mc_versus_move *moves = mc_versus_get_moves(trace, &count);
    mc_print_break(print);
    mc_print_begin_list(print, "moved");
    for (uint32_t i = 0; i < count; i++) {
        mc_print_break(print);
        mc_print_put(print, NULL,
                     MC_OBJECT({"was", mc_cell_node(story->sides[MC_BEFORE], moves[i].before_node)},
                               {"is", mc_cell_node(trace, moves[i].node)},
                               {"groups", mc_cell_count(moves[i].leaf_count)},
                               {"merged", mc_cell_if(moves[i].is_merged, mc_cell_bool(true))}));
    }
    mc_print_end_list(print);
}

static void put_folds(mc_print *print, const mc_diff_story *story) {
    mc_print_break(print);
    mc_print_begin_list(print, "folded");
    for (uint32_t i = 0; i < story->folds->count; i++) {
        const mc_fold *fold = &story->folds->items[i];
        if (fold->count == 0) continue;
        mc_print_break(print);
        mc_print_put(print, NULL,
                     MC_OBJECT({"regex", mc_cell_text(fold->pattern)},
                               {"name", mc_cell_text(fold->by)},
                               {"names", mc_cell_count(fold->count)}));
    }
    mc_print_end_list(print);
}

static void print_json(mc_print *print, const mc_diff_story *story) {
    const mc_diff *diff = story->diff;
    mc_print_begin_object(print, NULL);
    MC_PRINT(print, {"metric", mc_cell_metric(get_info(story))},
             {"by", mc_cell_text(story->desc->is_growth ? "growth" : "value")});
    put_side(print, story, MC_BEFORE);
    put_side(print, story, MC_AFTER);
    put_ends(print, story);
    mc_print_break(print);
    if (diff->is_sampled)
        mc_print_put(print, "by_chance",
                     MC_OBJECT({"new", mc_cell_count(diff->chance_counts[MC_AFTER])},
                               {"gone", mc_cell_count(diff->chance_counts[MC_BEFORE])}));
    mc_print_break(print);
    print_groups(print, story, MC_DIFF_KIND_COUNT);
    put_moves(print, story);
    put_folds(print, story);
    mc_print_end_object(print);
    mc_print_end(print);
}

void mc_diff_print(mc_print *print, const mc_diff_story *story) {
    if (print->form == MC_PRINT_TEXT)
        print_text(print, story);
    else if (print->form == MC_PRINT_JSON)
        print_json(print, story);
    else
        print_groups(print, story, MC_DIFF_KIND_COUNT);
}
