#include "app/session/describe.h"

#include "app/estimate.h"
#include "app/format.h"
#include "app/incomplete_text.h"
#include "app/node_text.h"
#include "app/pair.h"
#include "app/session/children.h"
#include "app/session/differences.h"
#include "app/session/gc_roots.h"
#include "app/session/group.h"
#include "app/session/lag.h"
#include "app/session/linked.h"
#include "app/session/members.h"
#include "app/session/methods.h"
#include "app/session/metrics.h"
#include "app/session/name_cache.h"
#include "app/session/notes.h"
#include "app/session/pairing.h"
#include "app/session/properties.h"
#include "app/session/references.h"
#include "app/session/retaining_paths.h"
#include "app/session/search.h"
#include "app/session/series.h"
#include "app/session/suspect_facts.h"
#include "app/session/tables.h"
#include "app/session/time_window.h"
#include "app/session/unit.h"
#include "app/session/walk.h"
#include "app/session/what_if.h"
#include "app/session/why.h"
#include "app/session/zoom_root.h"
#include "app/subject_text.h"
#include "app/walk_text.h"
#include "engine/base/memory.h"
#include "engine/base/utf8.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define LABEL_CAPACITY 120

// Figures of a node, which are read from the trace when what they depend on changes.
typedef struct known_row {
    uint32_t node, step, layout_version;
    mc_selection group; // instead of the node, if it is several
    uint64_t leaf_total;
    bool is_known;
    mc_session_row row;
    uint64_t retained; // if the trace has it
    uint64_t error;    // of the bytes, if they are an estimate; else 0
    uint32_t pin;
    uint64_t pinned;                 // what it is at that step; if there is one
    uint64_t sides[MC_VERSUS_SIDES]; // of a pair
} known_row;

struct mc_session_frame {
    char share_label[32];
    known_row selection, hover;
    mc_fact_metric metrics[MC_FACT_METRIC_MOST];
    mc_fact_classifier classifiers[MC_FACT_CLASSIFIER_MOST];
    char metric_titles[MC_FACT_METRIC_MOST][MC_FACT_METRIC_TITLE_SIZE];
    mc_suspect_facts suspects;
    mc_label places[LABEL_CAPACITY];
    mc_fact_label labels[LABEL_CAPACITY];
    char limit_note[128], hint[256], hint_action[96], first_label[32], last_label[32],
        pinned_label[48];
    mc_text hover_path, hover_text, selection_path;
    mc_fact_path_part *parts; // of the selection's path
    size_t part_capacity;
};

mc_session_frame *mc_session_frame_create(void) {
    return mc_alloc_zero(1, sizeof(mc_session_frame));
}

void mc_session_frame_destroy(mc_session_frame *frame) {
    if (!frame) return;
    mc_suspect_facts_deinit(&frame->suspects);
    mc_text_deinit(&frame->hover_path);
    mc_text_deinit(&frame->hover_text);
    mc_text_deinit(&frame->selection_path);
    mc_free(frame->parts);
    mc_free(frame);
}

static mc_metric get_metric(const mc_session *session) {
    return mc_pair_get_plain(session->trace, session->shown->metric);
}

static const char *get_title(const mc_session *session, mc_metric metric) {
    return session->frame->metric_titles[metric];
}

// The same in small letters for objects and bytes, which stand within a sentence.
static const char *get_unit(const mc_session *session) {
    mc_metric metric = get_metric(session);
    return metric < MC_METRIC_FIRST_OWN ? mc_metric_names[metric] : get_title(session, metric);
}

static const char *format_value(const mc_session *session, char out[MC_FORMAT_SIZE],
                                uint64_t value) {
    return mc_format_value(out, mc_session_get_metric(session), value);
}

// "–" where one of the two is not known.
static const char *format_growth_between(const mc_session *session, char out[MC_FORMAT_SIZE],
                                         uint64_t first, uint64_t last) {
    const mc_metric_info *info = mc_session_get_metric(session);
    if (first == MC_COUNT_UNKNOWN || last == MC_COUNT_UNKNOWN)
        return mc_format_value(out, info, MC_COUNT_UNKNOWN);
    return mc_format_value_growth(
        out, info, (int64_t)(mc_metric_get_count(info, last) - mc_metric_get_count(info, first)));
}

// Of A alone no references, roots and owners are told.
static bool tells_of_a(const mc_session *session) {
    return mc_versus_is_before(session->trace, session->shown->metric);
}

// Of the bytes of all of them, of which none is in another: variances add up.
static uint64_t read_error(mc_session *session, uint32_t step, const mc_selection *nodes) {
    mc_metric variance = mc_estimate_find_variance(session->trace, MC_METRIC_BYTES);
    if (variance == MC_NONE || tells_of_a(session)) return 0;
    const mc_metric_info *info = mc_trace_get_metric(session->trace, variance);
    uint64_t word = mc_metric_get_word(info, 0), bytes = 0;
    for (uint32_t i = 0; i < nodes->count; i++) {
        uint64_t more = mc_session_read_value(session, step, variance, nodes->nodes[i]);
        if (more == MC_COUNT_UNKNOWN) return 0;
        word = mc_metric_add(info, word, more);
        bytes += mc_session_read_value(session, step, MC_METRIC_BYTES, nodes->nodes[i]);
    }
    return mc_estimate_get_error(session->trace, variance, word, bytes);
}

// `group`: NULL or empty, or what the row is the sum of.
static const known_row *get_row(mc_session *session, known_row *known, uint32_t node,
                                const mc_selection *group) {
    uint32_t step = session->playback.step;
    mc_selection none = mc_selection_of(MC_NONE);
    if (!group || group->count < 2) group = &none;
    uint32_t pin = mc_session_get_pin(session);
    bool is_same = known->is_known && known->pin == pin && known->node == node &&
                   known->step == step && mc_selection_equals(&known->group, group) &&
                   known->layout_version == session->layout_version &&
                   known->leaf_total == session->counts.leaf_total;
    if (is_same) return known;
    *known = (known_row){.node = node,
                         .step = step,
                         .layout_version = session->layout_version,
                         .leaf_total = session->counts.leaf_total,
                         .group = *group,
                         .is_known = true,
                         .row = group->count > 0 ? mc_session_read_group_row(session)
                                                 : mc_session_read_row(session, node)};
    known->pin = pin;
    if (pin != MC_NONE)
        known->pinned =
            group->count > 0
                ? mc_session_read_group_value(session, pin)
                : mc_session_read_value(session, pin,
                                        mc_session_get_told_metric(session, session->shown->metric),
                                        node);
    mc_metric retained = mc_trace_find_metric(session->trace, mc_metric_retained);
    if (retained != MC_NONE) known->retained = mc_session_read_value(session, step, retained, node);
    if (mc_trace_is_versus(session->trace) && group->count == 0)
        mc_session_read_pair(session, node, known->sides);
    mc_selection outer = group->count > 0 ? mc_session_get_outer(session) : mc_selection_of(node);
    known->error = read_error(session, step, &outer);
    return known;
}

// " ± 1.2 MiB" of the bytes, where they are an estimate.
static void append_error(const known_row *known, char *text, size_t size) {
    char bytes[MC_FORMAT_SIZE];
    size_t length = strlen(text);
    if (known->error > 0)
        snprintf(text + length, size - length, " ± %s", mc_format_bytes(bytes, known->error));
}

static mc_fact_row *add_row(mc_facts *model, const char *label) {
    mc_fact_row *row = &model->rows[model->row_count++];
    row->label = label;
    row->value[0] = row->exact[0] = '\0';
    return row;
}

static void add_value_row(const mc_session *session, mc_facts *model, const char *label,
                          uint64_t value) {
    mc_fact_row *row = add_row(model, label);
    const mc_metric_info *info = mc_session_get_metric(session);
    char exact[MC_FORMAT_SIZE];
    format_value(session, row->value, value);
    bool is_rounded = info->unit != MC_UNIT_COUNT || info->is_real;
    if (is_rounded && value != MC_COUNT_UNKNOWN)
        snprintf(row->exact, sizeof row->exact, "%s %s", mc_format_figure(exact, info, value),
                 get_unit(session));
}

static void add_retained_row(const mc_session *session, mc_facts *model, uint64_t size) {
    mc_metric retained = mc_trace_find_metric(session->trace, mc_metric_retained);
    if (retained == MC_NONE) return;
    mc_fact_row *row = add_row(model, "Retained");
    char exact[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE], share[MC_FORMAT_SIZE];
    if (size == MC_COUNT_UNKNOWN) {
        snprintf(row->value, sizeof row->value, "not computed");
        return;
    }
    double heap = (double)mc_trace_get_step(session->trace, session->playback.step)->bytes;
    snprintf(row->value, sizeof row->value, "%s · %s", mc_format_bytes(bytes, size),
             mc_format_share(share, heap > 0 ? (double)size / heap : 0));
    snprintf(row->exact, sizeof row->exact,
             "%s: freed at least if all of it goes. What groups hold together is in none of "
             "them.",
             mc_format_counted(exact, size, "byte"));
}

static bool shows_retained(const mc_session *session) {
    return get_metric(session) == mc_trace_find_metric(session->trace, mc_metric_retained);
}

// How many of the selection's objects GC roots name, and which roots.
static void add_roots_row(const mc_session *session, mc_facts *model, uint64_t objects) {
    mc_text names = {0};
    uint64_t held;
    char count[MC_FORMAT_SIZE], share[MC_FORMAT_SIZE];
    if (mc_session_count_selection_roots(session, &held, &names)) {
        mc_fact_row *row = add_row(model, "Named by GC roots");
        double part = objects > held ? (double)held / (double)objects : 1;
        if (held == 0)
            snprintf(row->value, sizeof row->value, "none");
        else
            snprintf(row->value, sizeof row->value, "%s · %s", mc_format_count(count, held),
                     mc_format_share(share, part));
        if (names.data && !names.failed) snprintf(row->exact, sizeof row->exact, "%s", names.data);
    }
    mc_text_deinit(&names);
}

static const char *name_pin(const mc_session *session) {
    return mc_settings_get_pin(&session->settings) != MC_NONE ? "the pinned step" : "step";
}

// There, and what has become of it here.
static void add_pinned_rows(mc_session *session, mc_facts *model, const known_row *known) {
    char *label = session->frame->pinned_label, exact[MC_FORMAT_SIZE];
    snprintf(label, sizeof session->frame->pinned_label, "At %s %" PRIu32, name_pin(session),
             known->pin);
    add_value_row(session, model, label, known->pinned);
    mc_fact_row *row = add_row(model, "Difference");
    format_growth_between(session, row->value, known->pinned, known->row.value);
    snprintf(row->exact, sizeof row->exact, "%s %s from step %" PRIu32 " to step %" PRIu32,
             mc_format_figure_growth(exact, mc_session_get_metric(session), known->pinned,
                                     known->row.value),
             get_unit(session), known->pin, session->playback.step);
}

// Whether there are objects and bytes at all.
static bool has_heap(const mc_session *session) {
    return mc_trace_get_usual_metric(session->trace) == MC_METRIC_BYTES;
}

// What shares are of: what a group retains is the heap's, too.
static const char *get_whole(const mc_session *session) {
    return mc_subject_get_whole(session->trace,
                                shows_retained(session) ? MC_METRIC_BYTES : get_metric(session));
}

// Of one step nothing can be said but what there is.
static bool has_other_steps(const mc_session *session) {
    mc_step_range window = session->shown->window;
    return window.first_step < window.last_step || session->playback.step != window.first_step;
}

// At the ends of the time window, at the pinned step, and at most.
static void add_window_rows(mc_session *session, mc_facts *model, const known_row *known) {
    mc_session_frame *frame = session->frame;
    mc_step_range window = session->shown->window;
    const char *largest = mc_session_has_methods(session) ? "Highest" : "Largest";
    snprintf(frame->first_label, sizeof frame->first_label, "At step %" PRIu32, window.first_step);
    snprintf(frame->last_label, sizeof frame->last_label, "At step %" PRIu32, window.last_step);
    uint32_t step = session->playback.step; // whose values stand above already
    if (step != window.first_step && known->pin != window.first_step)
        add_value_row(session, model, frame->first_label, known->row.first);
    if (known->pin != MC_NONE) add_pinned_rows(session, model, known);
    if (!has_other_steps(session)) return;
    if (session->charts.has_selection)
        add_value_row(session, model, largest, session->charts.selection_max);
    else
        snprintf(add_row(model, largest)->value, MC_FORMAT_SIZE, "…");
    if (step != window.last_step) add_value_row(session, model, frame->last_label, known->row.last);
}

// Both, and whose numbers all others are.
static void add_pair_rows(mc_session *session, mc_facts *model, uint32_t node,
                          const known_row *known) {
    model->row_count +=
        mc_session_fill_pair_rows(session, node, known->sides, &model->rows[model->row_count]);
    const bool is_a = tells_of_a(session);
    uint32_t step =
        mc_versus_get_step(session->trace, is_a ? MC_BEFORE : MC_AFTER, session->playback.step);
    snprintf(add_row(model, is_a ? "Of A" : "Of B")->value, MC_FORMAT_SIZE, "step %" PRIu32, step);
}

static void add_holder_rows(mc_session *session, mc_facts *model, uint32_t node,
                            const known_row *known) {
    bool is_group = mc_session_has_group(session);
    // What several retain together, and which roots name them, is no sum.
    if (!is_group) add_retained_row(session, model, known->retained);
    if (!is_group) add_roots_row(session, model, known->row.objects);
    model->row_count += mc_session_fill_property_rows(session, &model->rows[model->row_count],
                                                      MC_FACT_ROW_COUNT - model->row_count);
    if (!is_group)
        model->row_count += mc_session_fill_unit_row(session, node, &model->rows[model->row_count]);
}

static void fill_rows(mc_session *session, mc_facts *model, uint32_t node) {
    const known_row *known =
        get_row(session, &session->frame->selection, node, &session->settings.selection);
    bool is_group = mc_session_has_group(session);
    mc_session_row f = known->row;
    char exact[MC_FORMAT_SIZE];
    if (mc_trace_is_versus(session->trace) && !is_group) add_pair_rows(session, model, node, known);
    if (has_heap(session)) {
        mc_format_count(add_row(model, "Objects")->value, f.objects);
        mc_fact_row *bytes = add_row(model, "Bytes");
        mc_format_bytes(bytes->value, f.bytes);
        append_error(known, bytes->value, sizeof bytes->value);
        mc_format_counted(bytes->exact, f.bytes, "byte");
    }
    const mc_metric_info *info = mc_session_get_metric(session);
    if (get_metric(session) >= MC_METRIC_FIRST_OWN && !shows_retained(session))
        add_value_row(session, model, get_title(session, get_metric(session)), f.value);
    if (mc_session_has_methods(session)) {
        if (!is_group) mc_session_fill_method_rows(session, model, node);
        add_window_rows(session, model, known);
        return;
    }
    if ((node > 0 || is_group) && f.share >= 0) {
        snprintf(session->frame->share_label, sizeof session->frame->share_label, "Share of %s",
                 get_whole(session));
        mc_format_share(add_row(model, session->frame->share_label)->value, f.share);
    }
    if (!tells_of_a(session)) add_holder_rows(session, model, node, known);
    if (has_other_steps(session)) {
        mc_fact_row *growth = add_row(model, "Growth so far");
        format_growth_between(session, growth->value, f.first, f.value);
        snprintf(growth->exact, sizeof growth->exact, "%s %s since step %" PRIu32,
                 mc_format_figure_growth(exact, info, f.first, f.value), get_unit(session),
                 session->shown->window.first_step);
    }
    add_window_rows(session, model, known);
    // What a flow comes to.
    if (info->kind == MC_METRIC_FLOW && session->charts.has_selection)
        add_value_row(session, model, "Sum of the window", session->charts.selection_sum);
}

// The names from the root down to the selection, as links.
static void fill_path(mc_session *session, mc_facts *model, uint32_t node) {
    const mc_node_columns *nodes = mc_trace_get_nodes(session->trace);
    size_t count = (size_t)nodes->level[node] + 1;
    model->path_count = 0;
    if (!mc_reserve(&session->frame->parts, &session->frame->part_capacity, count,
                    sizeof *session->frame->parts))
        return;
    size_t at = count;
    for (uint32_t i = node; i != MC_NONE && at > 0; i = nodes->parent[i]) {
        session->frame->parts[--at] = (mc_fact_path_part){mc_session_get_name(session, i), i};
    }
    model->path = session->frame->parts;
    model->path_count = (uint32_t)count;
}

static void fill_selection(mc_session *session, mc_facts *model) {
    model->has_selection = mc_session_get_selected(session) != MC_NONE;
    uint32_t node = mc_session_get_focus(session);
    const mc_node_columns *nodes = mc_trace_get_nodes(session->trace);
    fill_path(session, model, node);
    fill_rows(session, model, node);
    model->selection_name = mc_session_get_name(session, node);
    uint32_t role = nodes->role[node];
    mc_view_place place;
    bool is_shown =
        !model->has_selection || session->view->kind->locate(session->view, node, &place);
    model->selection_role = role != MC_NONE && is_shown
                                ? mc_session_get_role(session, role)
                                : session->view->kind->get_role(session->view, node);
    mc_text *path = &session->frame->selection_path;
    mc_text_clear(path);
    mc_node_append_path_line(session->trace, node, path);
    model->selection_path = mc_text_get(path);
    model->selection_values =
        session->charts.has_selection ? session->charts.selection_values : NULL;
    if (mc_session_has_group(session)) mc_session_fill_group(session, model);
}

static void describe_step(void *user, uint32_t step, char *text, size_t size) {
    const mc_session *session = user;
    const mc_step_info *info = mc_trace_get_step(session->trace, step);
    char time[MC_FORMAT_SIZE], objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE];
    int length = snprintf(text, size, "%s   step %" PRIu32 " of 0–%" PRIu32 "\n",
                          mc_format_time(time, info->time_ms), step,
                          mc_trace_get_step_count(session->trace) - 1);
    if (length < 0 || (size_t)length >= size) return;
    if (has_heap(session))
        length += snprintf(text + length, size - (size_t)length, "%s · %s",
                           mc_format_counted(objects, info->objects, "object"),
                           mc_format_bytes(bytes, info->bytes));
    if (length < 0 || (size_t)length >= size) return;
    if (get_metric(session) >= MC_METRIC_FIRST_OWN && session->charts.has_totals)
        length += snprintf(
            text + length, size - (size_t)length, "%s%s %s", has_heap(session) ? " · " : "",
            format_value(session, bytes, session->charts.totals[step]), get_unit(session));
    if ((size_t)length >= size) return;
    mc_text line = {0};
    char note[MC_NOTE_SIZE];
    if (mc_session_get_note(session, step, note)) mc_text_format(&line, "\n%s", note);
    if (info->is_incomplete) mc_text_append_string(&line, "\n");
    mc_incomplete_append_sentence(session->trace, step, step, &line);
    size_t room = size - (size_t)length;
    size_t shown = line.failed ? 0 : mc_utf8_cut(line.data, line.size, room - 1);
    if (shown > 0) memcpy(text + length, line.data, shown);
    text[(size_t)length + shown] = '\0';
    mc_text_deinit(&line);
}

static mc_step_mark get_mark(void *user, uint32_t step) {
    const mc_session *session = user;
    char note[MC_NOTE_SIZE];
    if (mc_trace_get_step(session->trace, step)->is_incomplete) return MC_STEP_DAMAGED;
    return mc_session_get_note(session, step, note) ? MC_STEP_NOTED : MC_STEP_PLAIN;
}

static uint32_t get_ticks(void *user, uint32_t most, mc_time_tick ticks[MC_TIME_TICK_MOST]) {
    const mc_session *session = user;
    uint32_t last = mc_trace_get_step_count(session->trace) - 1;
    return mc_time_axis_make(mc_trace_get_step(session->trace, 0)->time_ms,
                             mc_trace_get_step(session->trace, last)->time_ms, most, ticks);
}

// The chart's values, what they are at most, and when.
static void fill_chart(mc_session *session, mc_facts *model) {
    char full[MC_FORMAT_SIZE];
    mc_metric other = mc_session_get_other_metric(session);
    model->step_values = session->charts.total_values;
    model->other_values = session->charts.other_values;
    model->step_places = session->charts.step_places;
    model->values_name = get_title(session, get_metric(session));
    model->others_name = has_heap(session) ? get_title(session, other) : NULL;
    model->holders_are_of_b = mc_trace_is_versus(session->trace);
    if (mc_trace_is_versus(session->trace) && get_metric(session) < MC_METRIC_FIRST_OWN) {
        bool is_bytes = get_metric(session) == MC_METRIC_BYTES;
        other = get_metric(session);
        model->values_name = is_bytes ? "Bytes of B" : "Objects of B";
        model->others_name = is_bytes ? "Bytes of A" : "Objects of A";
    }
    if (session->charts.has_totals)
        snprintf(model->values_full, sizeof model->values_full, "%s",
                 mc_format_brief(full, mc_session_get_metric(session), session->charts.total_most));
    if (model->others_name)
        snprintf(model->others_full, sizeof model->others_full, "%s",
                 mc_format_brief(full, mc_trace_get_metric(session->trace, other),
                                 session->charts.other_most));
}

// Times of two runs compare by how long each has run.
static void describe_moment_of_pair(const mc_session *session, mc_facts *model) {
    char times[MC_VERSUS_SIDES][MC_FORMAT_SIZE];
    uint32_t steps[MC_VERSUS_SIDES], last[MC_VERSUS_SIDES];
    for (uint32_t i = 0; i < MC_VERSUS_SIDES; i++) {
        const mc_trace *side = mc_versus_get_side(session->trace, (mc_versus_side)i);
        steps[i] = mc_versus_get_step(session->trace, (mc_versus_side)i, session->playback.step);
        last[i] = mc_trace_get_step_count(side) - 1;
        mc_format_time(times[i], mc_trace_get_step(side, steps[i])->time_ms -
                                     mc_trace_get_step(side, 0)->time_ms);
    }
    snprintf(model->time_text, sizeof model->time_text, "A %.24s · B %.24s", times[MC_BEFORE],
             times[MC_AFTER]);
    snprintf(model->step_text, sizeof model->step_text,
             "Step %" PRIu32 " of 0–%" PRIu32 " · %" PRIu32 " of 0–%" PRIu32, steps[MC_BEFORE],
             last[MC_BEFORE], steps[MC_AFTER], last[MC_AFTER]);
}

static void fill_time(mc_session *session, mc_facts *model) {
    const mc_playback *playback = &session->playback;
    char time[MC_FORMAT_SIZE];
    model->step_count = mc_trace_get_step_count(session->trace);
    model->step = playback->step;
    model->pinned = mc_session_get_pin(session);
    fill_chart(session, model);
    model->playing = playback->playing;
    int64_t time_ms = mc_trace_get_step(session->trace, playback->step)->time_ms;
    snprintf(model->time_text, sizeof model->time_text, "%.31s", mc_format_time(time, time_ms));
    bool is_live = session->follow.is_on && session->follow.is_live;
    char lag[48] = "";
    bool lags = mc_session_describe_lag(session, lag, sizeof lag);
    char step[48] = "The only step";
    if (model->step_count > 1 || is_live)
        snprintf(step, sizeof step, "Step %" PRIu32 " of 0–%" PRIu32, playback->step,
                 model->step_count - 1);
    snprintf(model->step_text, sizeof model->step_text, "%s%s%s%s%s", step,
             is_live ? " · live" : "", lags ? ", " : "", lag,
             mc_trace_get_step(session->trace, playback->step)->is_incomplete ? " · incomplete"
                                                                              : "");
    if (mc_trace_is_versus(session->trace)) describe_moment_of_pair(session, model);
    model->describe_step = describe_step;
    model->get_mark = get_mark;
    model->get_ticks = get_ticks;
    model->user = session;
}

// Of what is no node: a reference, or what only the view knows.
static bool append_pointed(mc_session *session, mc_text *title, mc_text *text) {
    const mc_view *view = session->view;
    if (mc_session_append_pointed_link(session, title, text)) return true;
    if (mc_session_append_pointed_street(session, title, text)) return true;
    return session->shown && session->input.is_over_picture && view->kind->describe_pointed &&
           view->kind->describe_pointed(view, title, text);
}

static void fill_hover(mc_session *session, mc_facts *model) {
    uint32_t node = session->hover.node;
    mc_text_clear(&session->frame->hover_path);
    mc_text_clear(&session->frame->hover_text);
    if (session->input.hides_tooltip) return;
    if (append_pointed(session, &session->frame->hover_path, &session->frame->hover_text)) {
        if (session->frame->hover_path.failed || session->frame->hover_text.failed) return;
        model->hover_path = session->frame->hover_path.data;
        model->hover_text = session->frame->hover_text.data;
        return;
    }
    if (node == MC_NONE) return;
    const known_row *known = get_row(session, &session->frame->hover, node, NULL);
    mc_session_row f = known->row;
    mc_text *text = &session->frame->hover_text;
    char objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE], figure[MC_FORMAT_SIZE];
    mc_node_append_path_line(session->trace, node, &session->frame->hover_path);
    bool is_heap = has_heap(session);
    if (is_heap) {
        mc_format_bytes(bytes, f.bytes);
        append_error(known, bytes, sizeof bytes);
        mc_text_format(text, "%s · %s", mc_format_counted(objects, f.objects, "object"), bytes);
    }
    if (get_metric(session) >= MC_METRIC_FIRST_OWN && !shows_retained(session))
        mc_text_format(text, "%s%s %s", is_heap ? " · " : "",
                       format_value(session, figure, f.value), get_unit(session));
    if (mc_session_has_methods(session)) mc_session_append_method(session, node, text);
    if (f.share >= 0)
        mc_text_format(text, " · %s of %s", mc_format_share(figure, f.share), get_whole(session));
    bool has_retained =
        mc_trace_find_metric(session->trace, mc_metric_retained) != MC_NONE && !tells_of_a(session);
    if (has_retained && known->retained != MC_COUNT_UNKNOWN)
        mc_text_format(text, " · %s retained", mc_format_bytes(figure, known->retained));
    if (!mc_session_has_methods(session))
        mc_text_format(text, " · %s since step %" PRIu32,
                       format_growth_between(session, figure, f.first, f.value),
                       session->shown->window.first_step);
    if (known->pin != MC_NONE)
        mc_text_format(text, " · %s since %s %" PRIu32,
                       format_growth_between(session, figure, known->pinned, f.value),
                       name_pin(session), known->pin);
    if (mc_trace_is_versus(session->trace))
        mc_session_append_pair_line(session, node, known->sides, text);
    if (session->frame->hover_path.failed || session->frame->hover_text.failed) return;
    model->hover_path = session->frame->hover_path.data;
    model->hover_text = session->frame->hover_text.data;
}

static void fill_lists(mc_session *session, mc_facts *model) {
    mc_fact_lists *to = &model->lists;
    to->can_be_root = mc_session_can_be_root(session);
    to->root_level = mc_trace_get_nodes(session->trace)->level[session->shown->root_node];
    mc_session_fill_search(session, &to->search);
    mc_session_fill_references(session, &to->references);
    mc_session_fill_retaining_paths(session, &to->held);
    mc_session_fill_walk(session, &to->walk);
    mc_session_fill_why(session, &to->why);
    mc_session_fill_what_if(session, &to->whatif);
    mc_session_fill_roots(session, &to->roots);
    mc_session_fill_differences(session, &to->differences);
    mc_session_fill_linked(session, &to->linked);
    session->view->kind->fill_legend(session->view, &to->legend);
    to->has_retained_sizes = mc_trace_find_metric(session->trace, mc_metric_retained) != MC_NONE;
    to->has_owners = mc_trace_has_owners(session->trace);
    mc_session_fill_children(session, &to->children);
    bool is_leaf =
        mc_trace_get_nodes(session->trace)->child_count[mc_session_get_focus(session)] == 0;
    to->children_note = mc_session_has_group(session) ? "Several are selected: see above."
                        : is_leaf                     ? "A building has no parts."
                                                      : NULL;
}

// The way to a root ends at a pin with the root's name.
static const char *get_label(mc_session *session, const mc_label *label) {
    static const char *const halves[] = {"A", "B"};
    const mc_walk *walk = mc_session_get_walk(session);
    if (label->is_whole) return halves[label->half - 1];
    if (label->number == 0 || label->number != walk->count || !mc_walk_knows_way(walk))
        return mc_session_get_label(session, label->node);
    mc_text *text = mc_session_get_text(session);
    mc_walk_append_pin(walk, session->trace, text);
    return mc_text_get(text);
}

static uint32_t fill_labels(mc_session *session) {
    mc_session_frame *frame = session->frame;
    uint32_t count = session->view->kind->fill_labels(session->view, frame->places, LABEL_CAPACITY);
    bool names = session->settings.look.names;
    for (uint32_t i = 0; i < count; i++) {
        const mc_label *label = &frame->places[i];
        frame->labels[i] = (mc_fact_label){.text = names ? get_label(session, label) : "",
                                           .node = label->node,
                                           .rank = label->rank,
                                           .number = label->number,
                                           .x = label->x,
                                           .y = label->y,
                                           .most_width = label->most_width,
                                           .over_width = label->over_width,
                                           .height = label->height,
                                           .opacity = label->opacity,
                                           .strong = label->strong,
                                           .flat = label->flat,
                                           .ink = label->ink,
                                           .halo = label->halo,
                                           .ink_width = label->ink_width,
                                           .ground = label->ground};
    }
    return count;
}

void mc_session_fill_facts(mc_session *session, mc_facts *model) {
    memset(model, 0, sizeof *model);
    model->busy_text = session->work.text;
    model->busy_progress = session->work.text ? mc_job_get_progress(session->work.job) : -1;
    model->message = session->message.text;
    model->message_is_notice = session->message.is_notice;
    model->waits_for = session->follow.waits_for;
    model->said = session->status.text.size > 0 ? session->status.text.data : NULL;
    if (!session->trace) return;
    model->trace_name = session->dataset->name ? session->dataset->name : "";
    model->warnings = (const char *const *)session->dataset->warnings.texts;
    model->warning_count = session->dataset->warnings.count;
    model->all_warning_count = session->dataset->warnings.all_count;
    model->metrics = session->frame->metrics;
    model->metric_count =
        mc_session_fill_metrics(session, session->frame->metrics, session->frame->metric_titles);
    model->classifiers = session->frame->classifiers;
    model->classifier_count =
        mc_session_fill_classifiers(session, session->frame->classifiers, MC_FACT_CLASSIFIER_MOST);
    fill_selection(session, model);
    mc_session_fill_suspects(session, &session->frame->suspects, model);
    fill_time(session, model);
    fill_hover(session, model);
    fill_lists(session, model);
    if (mc_session_has_hint(session)) {
        bool is_heap = mc_subject_is_heap(session->trace);
        if (mc_session_leaves_out_release(session)) {
            mc_text ends = {0};
            if (mc_trace_is_versus(session->trace))
                mc_pair_append_ends_at(session->trace, session->charts.freed_step, &ends);
            if (ends.size > 0 && !ends.failed)
                snprintf(session->frame->hint, sizeof session->frame->hint, "%s", ends.data);
            else
                snprintf(session->frame->hint, sizeof session->frame->hint,
                         is_heap ? "Most of the heap was freed after step %" PRIu32
                                   ", as at a shutdown: that is left out."
                                 : "Most of it was gone after step %" PRIu32 ": that is left out.",
                         session->charts.freed_step);
            mc_text_deinit(&ends);
            snprintf(session->frame->hint_action, sizeof session->frame->hint_action,
                     "Show all steps");
        } else {
            snprintf(session->frame->hint, sizeof session->frame->hint,
                     is_heap ? "Most of the heap was freed at the end."
                             : "Most of it was gone at the end.");
            snprintf(session->frame->hint_action, sizeof session->frame->hint_action,
                     "Show growth before that: steps %" PRIu32 "–%" PRIu32,
                     session->settings.layout.window[0], session->charts.freed_step);
        }
        model->hint = session->frame->hint;
        model->hint_action = session->frame->hint_action;
    }
    const mc_view_kind *kind = session->view->kind;
    if (kind->get_drawing) model->drawing = kind->get_drawing(session->view);
    if (session->settings.look.names || session->walk.is_shown) {
        model->labels = session->frame->labels;
        model->label_count = fill_labels(session);
    }
    if (session->shown->hidden_leaf_count > 0) {
        char count[MC_FORMAT_SIZE], share[MC_FORMAT_SIZE];
        snprintf(session->frame->limit_note, sizeof session->frame->limit_note,
                 session->shown->hidden_share < 0 ? "Hides %s" : "Hides %s, %s of %s",
                 mc_format_counted(count, session->shown->hidden_leaf_count, "group"),
                 mc_format_share(share, session->shown->hidden_share), get_whole(session));
        model->limit_note = session->frame->limit_note;
    }
}

void mc_session_fill_uncovered_facts(mc_session *session, mc_facts *model) {
    session->input.is_uncovered = true;
    mc_session_fill_facts(session, model);
    session->input.is_uncovered = false;
}
