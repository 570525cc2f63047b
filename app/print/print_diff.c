#include "app/print/print_diff.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/pair.h"
#include "engine/analyze/diff_chance.h"
#include <math.h>
#include <string.h>

static const mc_metric_info *get_info(const mc_diff_story *story) {
    return mc_trace_get_metric(story->desc->trace, story->desc->metric);
}

// The other trace's node that an entry was; MC_NONE: it is new.
static uint32_t get_before_node(const mc_diff_story *story, uint32_t node) {
    return mc_versus_get_node(story->desc->trace, MC_BEFORE, node);
}

void mc_diff_append_ends(const mc_diff_story *story, mc_text *out) {
    static const char *const names[] = {[MC_BEFORE] = "BEFORE", [MC_AFTER] = "AFTER"};
    const mc_diff_desc *desc = story->desc;
    uint32_t at[] = {desc->window[MC_BEFORE].last_step, desc->window[MC_AFTER].last_step};
    mc_pair_append_ends(desc->trace, at, names, out);
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

// ---- JSON and TSV

static void print_groups(mc_print *print, const mc_diff_story *story) {
    const mc_metric_info *info = get_info(story);
    const mc_trace *trace = story->desc->trace, *base = story->sides[MC_BEFORE];
    const mc_column columns[] = {{.key = "key", .forms = MC_IN_JSON},
                                 {.key = "state", .forms = MC_IN_JSON},
                                 {.key = "by_chance", .forms = MC_IN_JSON},
                                 {.key = "was", .forms = MC_IN_JSON},
                                 {.key = "values", .forms = MC_IN_JSON},
                                 {.key = "first", .forms = MC_IN_JSON},
                                 {.key = "difference"},
                                 {.key = "before", .forms = MC_IN_TSV},
                                 {.key = "after", .forms = MC_IN_TSV},
                                 {.key = "state", .forms = MC_IN_TSV},
                                 {.key = "key", .forms = MC_IN_TSV},
                                 {.key = "was", .forms = MC_IN_TSV}};
    MC_PRINT_BEGIN_ROWS(print, "groups", columns);
    const uint32_t count = story->diff->count, most = story->most;
    for (uint32_t i = 0; i < count && (most == 0 || i < most); i++) {
        const mc_diff_entry *entry = &story->diff->entries[i];
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
    }
    mc_print_end_rows(print);
}

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
    print_groups(print, story);
    put_moves(print, story);
    put_folds(print, story);
    mc_print_end_object(print);
    mc_print_end(print);
}

void mc_diff_print(mc_print *print, const mc_diff_story *story) {
    if (print->form == MC_PRINT_TEXT)
        mc_diff_print_text(print, story);
    else if (print->form == MC_PRINT_JSON)
        print_json(print, story);
    else
        print_groups(print, story);
}
