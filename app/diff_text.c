#include "app/diff_text.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/pair.h"
#include "engine/analyze/diff_chance.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
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

static void append_entry(const mc_diff_story *story, const mc_diff_entry *entry, mc_text *out) {
    char value[MC_FORMAT_SIZE];
    mc_text_append_string(out, "  ");
    append_difference(story, entry->difference, out);
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        append_right(out, mc_format_value(value, get_info(story), entry->value[side]), 14);
    mc_node_append_place_line(story->desc->trace, entry->node, out);
    if (entry->is_moved) {
        mc_text_append_string(out, "  (was ");
        mc_node_append_place_line(story->sides[MC_BEFORE], get_before_node(story, entry->node),
                                  out);
        mc_text_append_string(out, ")");
    }
    mc_text_append_string(out, "\n");
}

static void append_kind(const mc_diff_story *story, mc_diff_kind wanted, uint32_t count,
                        mc_text *out) {
    char text[MC_FORMAT_SIZE];
    if (count == 0) return;
    mc_text_format(out, "\n%s: %s\n", mc_diff_kind_names[wanted],
                   mc_format_counted(text, count, "group"));
    mc_text_append_string(out, "  ");
    append_right(out, "difference", 14);
    append_right(out, "before", 14);
    append_right(out, "after", 14);
    mc_text_append_string(out, "\n");
    for (uint32_t i = 0, told = 0; i < story->diff->count && is_within_most(story, told); i++) {
        const mc_diff_entry *entry = &story->diff->entries[i];
        if (entry->kind != wanted) continue;
        append_entry(story, entry, out);
        told++;
    }
    if (story->most > 0 && count > story->most)
        mc_text_format(out, "  and %s more\n", mc_format_count(text, count - story->most));
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
    if (story->most > 0 && count > story->most)
        mc_text_format(out, "  and %s more\n", mc_format_count(text, count - story->most));
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

void mc_diff_append_text(const mc_diff_story *story, mc_text *out) {
    const uint32_t *counts = story->diff->kind_counts;
    append_side(story, MC_BEFORE, out);
    append_side(story, MC_AFTER, out);
    append_total(story, counts[MC_DIFF_KIND_SAME], out);
    append_ends_line(story, out);
    if (story->desc->is_growth)
        mc_text_append_string(out, "differences are those of growth over the steps\n");
    for (mc_diff_kind i = 0; i < MC_DIFF_KIND_SAME; i++)
        append_kind(story, i, counts[i], out);
    append_moves(story, out);
    append_folds(story, out);
    if (story->diff->kind_counts[MC_DIFF_KIND_CHANCE] == 0) return;
    mc_text_append_string(out, "\n");
    mc_diff_append_chance(story->diff, out);
    mc_text_append_string(out, "\n");
}

// ---- JSON

static void append_pair(const mc_diff_story *story, const char *name, const uint64_t *words,
                        mc_text *out) {
    char before[MC_FORMAT_SIZE], after[MC_FORMAT_SIZE];
    mc_text_format(out, ",\"%s\":[%s,%s]", name,
                   mc_format_exact(before, get_info(story), words[MC_BEFORE]),
                   mc_format_exact(after, get_info(story), words[MC_AFTER]));
}

static void append_side_json(const mc_diff_story *story, mc_versus_side side, mc_text *out) {
    char value[MC_FORMAT_SIZE];
    mc_step_range window = story->desc->window[side];
    mc_text_format(out, "\"%s\":{\"trace\":", side == MC_BEFORE ? "before" : "after");
    mc_format_append_json(out, story->names[side], strlen(story->names[side]));
    uint32_t last = mc_pair_get_last(story->desc->trace, side);
    mc_text_format(out, ",\"window\":[%" PRIu32 ",%" PRIu32 "],\"left_out\":", window.first_step,
                   window.last_step);
    bool is_left_out = window.last_step < last &&
                       window.last_step == mc_pair_get_range(story->desc->trace, side).last_step;
    if (is_left_out)
        mc_text_format(out, "[%" PRIu32 ",%" PRIu32 "]", window.last_step + 1, last);
    else
        mc_text_append_string(out, "null");
    mc_text_format(out, ",\"total\":%s},\n",
                   mc_format_exact(value, get_info(story), story->diff->total[side]));
}

// What end of a side is left out; null: none is.
static void append_ends_json(const mc_diff_story *story, mc_text *out) {
    mc_text ends = {0};
    mc_diff_append_ends(story, &ends);
    mc_text_append_string(out, "\"ends\":");
    if (ends.size > 0)
        mc_format_append_json(out, ends.data, ends.size);
    else
        mc_text_append_string(out, "null");
    mc_text_append_string(out, ",\n");
    out->failed |= ends.failed;
    mc_text_deinit(&ends);
}

// A node that the trace calls otherwise than before; null: nothing was.
static void append_before_key(const mc_diff_story *story, uint32_t node, mc_text *out) {
    uint32_t before = get_before_node(story, node);
    if (before == MC_NONE)
        mc_text_append_string(out, "null");
    else
        mc_node_append_key_json(story->sides[MC_BEFORE], before, out);
}

static void append_groups_json(const mc_diff_story *story, mc_text *out) {
    const mc_trace *trace = story->desc->trace;
    mc_text_append_string(out, "\"groups\":[");
    for (uint32_t i = 0; i < story->diff->count && is_within_most(story, i); i++) {
        const mc_diff_entry *entry = &story->diff->entries[i];
        mc_text_append_string(out, i > 0 ? ",\n{\"key\":" : "\n{\"key\":");
        mc_node_append_key_json(trace, entry->node, out);
        mc_text_format(out, ",\"state\":\"%s\"", mc_diff_state_names[entry->state]);
        if (entry->kind == MC_DIFF_KIND_CHANCE) mc_text_append_string(out, ",\"by_chance\":true");
        if (entry->is_moved) {
            mc_text_append_string(out, ",\"was\":");
            append_before_key(story, entry->node, out);
        }
        append_pair(story, "values", entry->value, out);
        append_pair(story, "first", entry->first, out);
        mc_text_format(out, ",\"difference\":%.17g}", entry->difference);
    }
    mc_text_append_string(out, "],\n");
}

static void append_moves_json(const mc_diff_story *story, mc_text *out) {
    uint32_t count;
    const mc_versus_move *moves = mc_versus_get_moves(story->desc->trace, &count);
    mc_text_append_string(out, "\"moved\":[");
    for (uint32_t i = 0; i < count; i++) {
        mc_text_append_string(out, i > 0 ? ",\n{\"was\":" : "\n{\"was\":");
        mc_node_append_key_json(story->sides[MC_BEFORE], moves[i].before_node, out);
        mc_text_append_string(out, ",\"is\":");
        mc_node_append_key_json(story->desc->trace, moves[i].node, out);
        mc_text_format(out, ",\"groups\":%" PRIu32 "%s}", moves[i].leaf_count,
                       moves[i].is_merged ? ",\"merged\":true" : "");
    }
    mc_text_append_string(out, "],\n\"folded\":[");
    bool is_any = false;
    for (uint32_t i = 0; i < story->folds->count; i++) {
        const mc_fold *fold = &story->folds->items[i];
        if (fold->count == 0) continue;
        mc_text_append_string(out, is_any ? ",\n{\"regex\":" : "\n{\"regex\":");
        is_any = true;
        mc_format_append_json(out, fold->pattern, strlen(fold->pattern));
        mc_text_append_string(out, ",\"name\":");
        mc_format_append_json(out, fold->by, strlen(fold->by));
        mc_text_format(out, ",\"names\":%" PRIu32 "}", fold->count);
    }
    mc_text_append_string(out, "]}\n");
}

void mc_diff_append_json(const mc_diff_story *story, mc_text *out) {
    const mc_metric_info *info = get_info(story);
    mc_text_append_string(out, "{\"metric\":");
    mc_format_append_json(out, info->key, info->key_size);
    mc_text_format(out, ",\"by\":\"%s\",\n", story->desc->is_growth ? "growth" : "value");
    append_side_json(story, MC_BEFORE, out);
    append_side_json(story, MC_AFTER, out);
    append_ends_json(story, out);
    if (story->diff->is_sampled)
        mc_text_format(out, "\"by_chance\":{\"new\":%" PRIu32 ",\"gone\":%" PRIu32 "},\n",
                       story->diff->chance_counts[MC_AFTER], story->diff->chance_counts[MC_BEFORE]);
    append_groups_json(story, out);
    append_moves_json(story, out);
}

// ---- TSV

void mc_diff_append_tsv(const mc_diff_story *story, mc_text *out) {
    mc_text_append_string(out, "difference\tbefore\tafter\tstate\tkey\twas\n");
    for (uint32_t i = 0; i < story->diff->count && is_within_most(story, i); i++) {
        const mc_diff_entry *entry = &story->diff->entries[i];
        char before[MC_FORMAT_SIZE], after[MC_FORMAT_SIZE];
        mc_text_format(out, "%.17g\t%s\t%s\t%s\t", entry->difference,
                       mc_format_exact(before, get_info(story), entry->value[MC_BEFORE]),
                       mc_format_exact(after, get_info(story), entry->value[MC_AFTER]),
                       mc_diff_state_names[entry->state]);
        mc_node_append_key_tsv(story->desc->trace, entry->node, out);
        mc_text_append_string(out, "\t");
        if (entry->is_moved)
            mc_node_append_key_tsv(story->sides[MC_BEFORE], get_before_node(story, entry->node),
                                   out);
        mc_text_append_string(out, "\n");
    }
}
