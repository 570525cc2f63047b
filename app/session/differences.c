#include "app/session/differences.h"

#include "app/format.h"
#include "app/node_text.h"
#include "app/print/diff_parts.h"
#include "app/session/metrics.h"
#include "app/session/name_cache.h"
#include "app/session/selection.h"
#include "app/session/series.h"
#include "engine/base/printable.h"
#include <stdio.h>
#include <string.h>

void mc_session_sync_differences(mc_session *session) {
    mc_asked *asked = session->asked[MC_QUERY_DIFFERENCES];
    mc_differences_key key = {.is_wanted = false};
    if (session->shown && mc_trace_is_versus(session->trace))
        key = (mc_differences_key){true, session->counts.step,
                                   mc_pair_get_plain(session->trace, session->shown->metric)};
    if (!mc_asked_want(asked, session->dataset, &key)) return;
    // Those of the step before stay until the new ones are there; those of another metric would be
    // told in this one's unit.
    const mc_differences_key *found = mc_asked_get_key(asked);
    if (!key.is_wanted || key.metric != found->metric) mc_asked_drop_answer(asked);
    mc_session_redraw(session);
}

void mc_session_take_differences(mc_session *session, const mc_error *error) {
    if (error) {
        mc_asked_drop_answer(session->asked[MC_QUERY_DIFFERENCES]);
        mc_session_set_message(session, error->message);
    }
    mc_session_tell_differences(session);
    mc_session_redraw(session);
}

// ---- the list: what differs, then what was moved

static const mc_versus_move *get_moves(const mc_session *session, uint32_t *move_count) {
    return mc_versus_get_moves(session->trace, move_count);
}

static uint32_t get_row_node(const mc_session *session, uint32_t row) {
    const mc_differences *differences = mc_session_get_differences(session);
    uint32_t move_count;
    const mc_versus_move *moves = get_moves(session, &move_count);
    if (row < differences->count) return differences->diff.entries[row].node;
    row -= differences->count;
    return row < move_count ? moves[row].node : MC_NONE;
}

static void append_was(const mc_session *session, uint32_t before_node, mc_text *out) {
    const mc_trace *before = mc_versus_get_side(session->trace, MC_BEFORE);
    mc_node_append_name_line(before, before_node, out);
}

// Where the trace has A's places, the name is that which B has.
static void append_is(const mc_session *session, uint32_t node, bool is_path, mc_text *out) {
    const mc_trace *after = mc_versus_get_side(session->trace, MC_AFTER);
    uint32_t at = mc_versus_get_node(session->trace, MC_AFTER, node);
    if (is_path)
        mc_node_append_path_line(after, at, out);
    else
        mc_node_append_name_line(after, at, out);
}

static void append_difference(const mc_session *session, const mc_diff_entry *entry, mc_text *out) {
    const mc_metric_info *info = mc_session_get_metric(session);
    char text[MC_FORMAT_SIZE];
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++)
        mc_text_format(out, "%s %s", side == MC_BEFORE ? "A" : ", B",
                       mc_format_figure(text, info, entry->value[side]));
}

static void describe_move(mc_session *session, const mc_versus_move *move, mc_fact_list_row *row) {
    mc_text *name = mc_session_get_text(session);
    char text[MC_FORMAT_SIZE];
    append_was(session, move->before_node, name);
    mc_text_append_string(name, " → ");
    append_is(session, move->node, false, name);
    row->name = mc_text_get(name);
    snprintf(row->values[0], sizeof row->values[0], move->is_merged ? "merged" : "moved");
    snprintf(row->values[1], sizeof row->values[1], "%.31s",
             mc_format_count(text, move->leaf_count));
}

static void describe(void *user, uint32_t index, mc_fact_list_row *row) {
    mc_session *session = user;
    const mc_differences *differences = mc_session_get_differences(session);
    const mc_metric_info *info = mc_session_get_metric(session);
    uint32_t node = get_row_node(session, index), move_count;
    char text[MC_FORMAT_SIZE];
    row->lit = session->hover.node == node;
    if (index >= differences->count) {
        const mc_versus_move *moves = get_moves(session, &move_count);
        describe_move(session, &moves[index - differences->count], row);
        return;
    }
    const mc_diff_entry *entry = &differences->diff.entries[index];
    static const char *const states[] = {
        [MC_DIFF_BOTH] = "", [MC_DIFF_NEW] = "new", [MC_DIFF_GONE] = "gone"};
    row->name = mc_session_get_name(session, node);
    uint64_t after = mc_metric_get_count(info, entry->value[MC_AFTER]);
    uint64_t before = mc_metric_get_count(info, entry->value[MC_BEFORE]);
    snprintf(row->values[0], sizeof row->values[0], "%.31s",
             mc_format_value_growth(text, info, (int64_t)(after - before)));
    snprintf(row->values[1], sizeof row->values[1], "%s",
             entry->is_moved ? "moved" : states[entry->state]);
}

static void describe_more(void *user, uint32_t index, mc_text *text) {
    mc_session *session = user;
    const mc_differences *differences = mc_session_get_differences(session);
    uint32_t node = get_row_node(session, index), move_count;
    const mc_versus_move *moves = get_moves(session, &move_count);
    mc_node_append_path_line(session->trace, node, text);
    mc_text_append_string(text, "\n");
    if (index < differences->count) {
        append_difference(session, &differences->diff.entries[index], text);
    } else {
        const mc_versus_move *move = &moves[index - differences->count];
        mc_text_append_string(text, "was ");
        mc_node_append_path_line(mc_versus_get_side(session->trace, MC_BEFORE), move->before_node,
                                 text);
    }
}

// "164 names of lambdas", "3 names by --fold REGEX=NAME", a line each. Returns how many names, and
// by how many rules.
static uint32_t write_rules(const mc_session *session, mc_text *rules, uint32_t *rule_count) {
    const mc_name_folds *folds = &session->dataset->pair->folds;
    char text[MC_FORMAT_SIZE];
    uint32_t name_count = 0;
    *rule_count = 0;
    for (uint32_t i = 0; i < folds->count; i++) {
        const mc_fold *fold = &folds->items[i];
        if (fold->count == 0) continue;
        name_count += fold->count;
        mc_text_append_string(rules, ++*rule_count > 1 ? "\n" : "");
        mc_text_format(rules, "%s %s ", mc_format_counted(text, fold->count, "name"),
                       fold->what ? "of" : "by");
        mc_diff_append_fold(fold, rules);
    }
    return name_count;
}

// "12 grew, 3 shrank, 2 new, 1 gone, 4 moved; 165 names taken for one by 2 rules"
static void write_note(const mc_session *session, mc_text *note, mc_text *rules) {
    static const char *const kinds[] = {[MC_DIFF_KIND_GREW] = "grew",
                                        [MC_DIFF_KIND_SHRANK] = "shrank",
                                        [MC_DIFF_KIND_NEW] = "new",
                                        [MC_DIFF_KIND_GONE] = "gone"};
    char text[MC_FORMAT_SIZE];
    uint32_t move_count, rule_count, name_count = write_rules(session, rules, &rule_count);
    get_moves(session, &move_count);
    const mc_diff *diff = &mc_session_get_differences(session)->diff;
    for (uint32_t i = 0; i < MC_DIFF_KIND_SAME; i++)
        mc_text_format(note, "%s %s, ", mc_format_count(text, diff->kind_counts[i]), kinds[i]);
    mc_text_format(note, "%s moved", mc_format_count(text, move_count));
    uint32_t chance_count = diff->kind_counts[MC_DIFF_KIND_CHANCE];
    if (chance_count > 0)
        mc_text_format(note, "; %s new or gone by chance", mc_format_count(text, chance_count));
    if (rule_count > 0)
        mc_text_format(note, "; %s taken for one by ", mc_format_counted(text, name_count, "name"));
    if (rule_count > 0) mc_text_append_string(note, mc_format_counted(text, rule_count, "rule"));
}

void mc_session_fill_differences(mc_session *session, mc_fact_differences *model) {
    mc_text *note = mc_session_get_text(session), *rules = mc_session_get_text(session);
    uint32_t move_count;
    *model = (mc_fact_differences){.is_there = mc_trace_is_versus(session->trace)};
    if (!model->is_there) return;
    get_moves(session, &move_count);
    write_note(session, note, rules);
    model->note = mc_text_get(note);
    model->rules = mc_text_get(rules);
    model->is_looking = mc_asked_is_looking(session->asked[MC_QUERY_DIFFERENCES]);
    model->list = (mc_fact_list){
        .count = mc_session_get_differences(session)->count + move_count,
        .describe = describe,
        .describe_more = describe_more,
        .user = session,
        .wanted_row = MC_NONE,
    };
}

void mc_session_show_difference(mc_session *session, uint32_t row) {
    if (!mc_trace_is_versus(session->trace)) return;
    uint32_t node = get_row_node(session, row);
    if (node != MC_NONE) mc_session_visit(session, node);
}

void mc_session_put_pair_state(const mc_session *session, mc_print *print) {
    const mc_differences *differences = mc_session_get_differences(session);
    const mc_layout_options *layout = &session->shown->settings.layout;
    mc_versus_alignment alignment;
    bool is_pair = mc_trace_is_versus(session->trace);
    bool is_aligned = mc_versus_alignment_parse(layout->align, &alignment);
    MC_PRINT(print, {"pair", mc_cell_text(is_pair ? mc_pair_show_names[layout->pair] : "none")},
             {"align", mc_cell_text(is_aligned ? layout->align : "step")});
    if (!is_pair) return;
    uint32_t step = session->playback.step, move_count;
    const uint32_t *counts = differences->diff.kind_counts;
    mc_text ends = {0};
    get_moves(session, &move_count);
    mc_pair_append_ends_at(session->trace, step, &ends);
    MC_PRINT(
        print,
        {"pair_steps", MC_LIST(mc_cell_count(mc_versus_get_step(session->trace, MC_BEFORE, step)),
                               mc_cell_count(mc_versus_get_step(session->trace, MC_AFTER, step)))},
        {"differences", mc_cell_count(differences->count)},
        {"grew", mc_cell_count(counts[MC_DIFF_KIND_GREW])},
        {"shrank", mc_cell_count(counts[MC_DIFF_KIND_SHRANK])},
        {"new", mc_cell_count(counts[MC_DIFF_KIND_NEW])},
        {"gone", mc_cell_count(counts[MC_DIFF_KIND_GONE])}, {"moved", mc_cell_count(move_count)},
        {"ends", ends.size > 0 ? mc_cell_line(&ends) : mc_cell_null()});
    print->out->failed |= ends.failed;
    mc_text_deinit(&ends);
}

// ---- of one node

void mc_session_read_pair(mc_session *session, uint32_t node, uint64_t words[MC_VERSUS_SIDES]) {
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        mc_metric metric =
            mc_versus_get_metric(session->trace, session->shown->metric, (mc_versus_values)side);
        words[side] = mc_session_read_value(session, session->playback.step, metric, node);
    }
}

static const char *get_state(const mc_session *session, uint32_t node) {
    if (!mc_versus_has_node(session->trace, MC_BEFORE, node)) return "new: B alone has it";
    return mc_versus_has_node(session->trace, MC_AFTER, node) ? NULL : "gone: A alone has it";
}

uint32_t mc_session_fill_pair_rows(const mc_session *session, uint32_t node,
                                   const uint64_t words[MC_VERSUS_SIDES], mc_fact_row *rows) {
    static const char *const labels[] = {"In A", "In B"};
    const mc_metric_info *info = mc_session_get_metric(session);
    uint32_t row_count = 0;
    char text[MC_FORMAT_SIZE];
    for (uint32_t side = 0; side < MC_VERSUS_SIDES; side++) {
        mc_fact_row *row = &rows[row_count++];
        *row = (mc_fact_row){.label = labels[side]};
        snprintf(row->value, sizeof row->value, "%.47s", mc_format_value(text, info, words[side]));
        snprintf(row->exact, sizeof row->exact, "%s", mc_format_figure(text, info, words[side]));
    }
    const char *state = get_state(session, node);
    mc_fact_row *row = &rows[row_count++];
    *row = (mc_fact_row){.label = "From A to B"};
    int64_t growth = (int64_t)(mc_metric_get_count(info, words[MC_AFTER]) -
                               mc_metric_get_count(info, words[MC_BEFORE]));
    snprintf(row->value, sizeof row->value, "%.30s%s%.15s",
             mc_format_value_growth(text, info, growth), state ? ", " : "",
             state ? (state[0] == 'n' ? "new" : "gone") : "");
    mc_versus_move move;
    if (!mc_versus_find_move(session->trace, node, &move)) return row_count;
    mc_text name = {0};
    append_was(session, move.before_node, &name);
    row = &rows[row_count++];
    *row = (mc_fact_row){.label = move.node == node ? "Was" : "Was in"};
    if (!name.failed) mc_printable_copy(row->value, sizeof row->value, name.data, name.size);
    mc_text_clear(&name);
    mc_node_append_path_line(mc_versus_get_side(session->trace, MC_BEFORE), move.before_node,
                             &name);
    mc_text_append_string(&name, " → ");
    append_is(session, move.node, true, &name);
    mc_text_format(&name, ", %s", mc_format_counted(text, move.leaf_count, "group"));
    if (!name.failed) mc_printable_copy(row->exact, sizeof row->exact, name.data, name.size);
    mc_text_deinit(&name);
    return row_count;
}

void mc_session_append_pair_line(const mc_session *session, uint32_t node,
                                 const uint64_t words[MC_VERSUS_SIDES], mc_text *out) {
    const mc_metric_info *info = mc_session_get_metric(session);
    const char *state = get_state(session, node);
    char text[MC_FORMAT_SIZE];
    mc_text_format(out, " · A %s", mc_format_value(text, info, words[MC_BEFORE]));
    mc_text_format(out, " · B %s · ", mc_format_value(text, info, words[MC_AFTER]));
    mc_text_append_string(
        out, mc_format_value_growth(text, info,
                                    (int64_t)(mc_metric_get_count(info, words[MC_AFTER]) -
                                              mc_metric_get_count(info, words[MC_BEFORE]))));
    if (state) mc_text_format(out, " · %s", state);
}
