#include "app/format.h"
#include "app/node_text.h"
#include "app/view/view_state.h"

#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define NAME_COUNT 128

// Strings of the model that live for a frame and belong to nothing else. One view per process.
static struct {
    mc_ui_suspect suspects[MC_VIEW_SUSPECT_COUNT];
    mc_text paths[MC_VIEW_SUSPECT_COUNT];
    mc_ui_label labels[MC_VIEW_LABEL_CAPACITY];
    mc_ui_key keys[96];
    char limit_note[128], hint[96], hint_action[96], first_label[32], last_label[32],
        growth_note[64];
    mc_text names[NAME_COUNT]; // those that can't be shown as they are, in turn
    size_t next_name;
} frame;

static const char *show(const char *name, size_t size) {
    if (mc_printable_measure(name, size) == size) return name;
    mc_text *text = &frame.names[frame.next_name++ % NAME_COUNT];
    mc_text_clear(text);
    mc_format_append_line(text, name, size);
    return text->data && !text->failed ? text->data : "";
}

const char *mc_view_get_name(const mc_view *view, uint32_t node) {
    size_t size;
    const char *name = mc_trace_get_name(view->trace, node, &size);
    return show(name, size);
}

static const char *get_role(const mc_view *view, uint32_t classifier) {
    size_t size;
    const char *name = mc_trace_get_classifier(view->trace, classifier, &size);
    return show(name, size);
}

static mc_metric get_metric(const mc_view *view) {
    return view->city->desc.metric;
}

static const char *format_value(const mc_view *view, char out[MC_FORMAT_SIZE], uint64_t value) {
    return get_metric(view) == MC_METRIC_BYTES ? mc_format_bytes(out, value)
                                               : mc_format_count(out, value);
}

static const char *format_growth(const mc_view *view, char out[MC_FORMAT_SIZE], int64_t growth) {
    return get_metric(view) == MC_METRIC_BYTES ? mc_format_bytes_growth(out, growth)
                                               : mc_format_growth(out, growth);
}

static double get_share(uint64_t part, uint64_t whole) {
    return whole > 0 ? (double)part / (double)whole : 0;
}

// What a node counts now, against the window's first step.
typedef struct figures {
    uint64_t objects, bytes, value, first, last;
    double share;
} figures;

static figures get_figures(mc_view *view, uint32_t node) {
    uint32_t step = view->playback.step;
    mc_column column = mc_metric_get_column(get_metric(view));
    figures f = {
        .objects = mc_view_read_value(view, step, MC_COLUMN_OBJECTS, node),
        .bytes = mc_view_read_value(view, step, MC_COLUMN_BYTES, node),
        .first = mc_view_read_value(view, view->city->desc.window.first_step, column, node),
        .last = mc_view_read_value(view, view->city->desc.window.last_step, column, node),
    };
    f.value = column == MC_COLUMN_BYTES ? f.bytes : f.objects;
    // An input whose root is smaller than its parts contradicts itself; no part is more than all.
    uint64_t root = mc_view_read_value(view, step, column, 0);
    f.share = get_share(f.value, node > 0 && view->leaf_total > root ? view->leaf_total : root);
    return f;
}

static mc_ui_row *add_row(mc_ui_model *model, const char *label) {
    mc_ui_row *row = &model->rows[model->row_count++];
    row->label = label;
    row->value[0] = row->exact[0] = '\0';
    return row;
}

static void add_value_row(const mc_view *view, mc_ui_model *model, const char *label,
                          uint64_t value) {
    mc_ui_row *row = add_row(model, label);
    char exact[MC_FORMAT_SIZE];
    format_value(view, row->value, value);
    if (get_metric(view) == MC_METRIC_BYTES) {
        snprintf(row->exact, sizeof row->exact, "%s bytes", mc_format_count(exact, value));
    }
}

static void add_retained_row(mc_view *view, mc_ui_model *model, uint32_t node) {
    if (!mc_trace_has_column(view->trace, MC_COLUMN_RETAINED_SIZE)) return;
    uint64_t size = mc_view_read_value(view, view->playback.step, MC_COLUMN_RETAINED_SIZE, node);
    mc_ui_row *row = add_row(model, "Retained");
    char exact[MC_FORMAT_SIZE];
    if (size == MC_COUNT_UNKNOWN) {
        snprintf(row->value, sizeof row->value, "not computed");
        return;
    }
    mc_format_bytes(row->value, size);
    snprintf(row->exact, sizeof row->exact, "%s bytes", mc_format_count(exact, size));
}

static void fill_rows(mc_view *view, mc_ui_model *model, uint32_t node) {
    figures f = get_figures(view, node);
    char exact[MC_FORMAT_SIZE];
    mc_format_count(add_row(model, "Objects")->value, f.objects);
    mc_ui_row *bytes = add_row(model, "Bytes");
    mc_format_bytes(bytes->value, f.bytes);
    snprintf(bytes->exact, sizeof bytes->exact, "%s bytes", mc_format_count(exact, f.bytes));
    if (node > 0) mc_format_share(add_row(model, "Share of the heap")->value, f.share);
    add_retained_row(view, model, node);
    mc_ui_row *growth = add_row(model, "Growth so far");
    int64_t grown = (int64_t)(f.value - f.first);
    format_growth(view, growth->value, grown);
    snprintf(growth->exact, sizeof growth->exact, "%s %s since step %" PRIu32,
             mc_format_growth(exact, grown),
             get_metric(view) == MC_METRIC_BYTES ? "bytes" : "objects",
             view->city->desc.window.first_step);
    mc_step_range window = view->city->desc.window;
    snprintf(frame.first_label, sizeof frame.first_label, "At step %" PRIu32, window.first_step);
    snprintf(frame.last_label, sizeof frame.last_label, "At step %" PRIu32, window.last_step);
    uint32_t step = view->playback.step; // whose values stand above already
    if (step != window.first_step) add_value_row(view, model, frame.first_label, f.first);
    if (view->has_selection_values) {
        add_value_row(view, model, "Largest", view->selection_max);
    } else {
        snprintf(add_row(model, "Largest")->value, MC_FORMAT_SIZE, "…");
    }
    if (step != window.last_step) add_value_row(view, model, frame.last_label, f.last);
}

// The names from the root down to the selection, as links.
static void fill_path(mc_view *view, mc_ui_model *model, uint32_t node) {
    const mc_node_columns *nodes = mc_trace_get_nodes(view->trace);
    size_t count = (size_t)nodes->level[node] + 1;
    model->path_count = 0;
    if (!mc_reserve(&view->parts, &view->part_capacity, count, sizeof *view->parts)) return;
    size_t at = count;
    for (uint32_t i = node; i != MC_NONE && at > 0; i = nodes->parent[i]) {
        view->parts[--at] = (mc_ui_path_part){mc_view_get_name(view, i), i};
    }
    model->path = view->parts;
    model->path_count = (uint32_t)count;
}

static void fill_selection(mc_view *view, mc_ui_model *model) {
    model->has_selection = mc_view_get_selected(view) != MC_NONE;
    uint32_t node = mc_view_get_focus(view);
    const mc_node_columns *nodes = mc_trace_get_nodes(view->trace);
    fill_path(view, model, node);
    fill_rows(view, model, node);
    model->selection_name = mc_view_get_name(view, node);
    uint32_t role = nodes->role[node];
    bool is_leaf = nodes->child_count[node] == 0;
    model->selection_role = role != MC_NONE ? get_role(view, role)
                            : is_leaf       ? "Building"
                                            : "District";
    if (view->selected.building == MC_NONE && view->selected.district == MC_NONE) {
        model->selection_role = "Not shown in this city";
    }
    model->selection_path = view->selection_path.data ? view->selection_path.data : "";
    model->selection_values = view->has_selection_values ? view->selection_values : NULL;
}

static uint32_t pack_color(const float color[3]) {
    uint32_t packed = 0xff000000u;
    for (int i = 0; i < 3; i++) {
        packed |= (uint32_t)lroundf(fminf(fmaxf(color[i], 0), 1) * 255) << (8 * i);
    }
    return packed;
}

// The colour that a building has that grew by `share` of the largest growth.
static uint32_t get_growth_color(const mc_theme *theme, double share) {
    float at = (float)fmin(fmax(share, 0), 1) * 2, mix = at <= 1 ? at : at - 1, color[3];
    const float *low = theme->gradient[at <= 1 ? 0 : 1], *high = theme->gradient[at <= 1 ? 1 : 2];
    for (int i = 0; i < 3; i++) {
        color[i] = low[i] + (high[i] - low[i]) * mix;
    }
    return pack_color(color);
}

// "13.7 % of the heap · rises 833/s", "… · stopped at step 6".
static void describe_suspect(const mc_view *view, const mc_view_suspect *suspect, char *out,
                             size_t size) {
    char share[MC_FORMAT_SIZE], rate[MC_FORMAT_SIZE];
    mc_format_share(share, get_share(view->node_values[suspect->node], view->leaf_total));
    const mc_trend *trend = &suspect->trend;
    uint64_t slope = (uint64_t)fmin(fabs(trend->slope_per_s), 1e18);
    const char *per_s = get_metric(view) == MC_METRIC_BYTES ? mc_format_bytes(rate, slope)
                                                            : mc_format_si(rate, slope);
    if (trend->growth.kind == MC_GROWTH_STOPPED)
        snprintf(out, size, "%s of the heap · stopped at step %" PRIu32, share,
                 view->city->desc.window.first_step + trend->growth.until);
    else if (trend->growth.kind == MC_GROWTH_GOES_ON)
        snprintf(out, size, "%s of the heap · rises %s%s/s", share, slope == 0 ? "< " : "",
                 slope == 0 ? "1" : per_s);
    else
        snprintf(out, size, "%s of the heap", share);
}

static void fill_suspects(mc_view *view, mc_ui_model *model, mc_ui_suspect *suspects,
                          mc_text paths[MC_VIEW_SUSPECT_COUNT]) {
    mc_theme theme = mc_theme_get(view->wish.look.dark, (mc_palette)view->wish.look.palette);
    for (uint32_t i = 0; i < view->suspect_count; i++) {
        const mc_view_suspect *from = &view->suspects[i];
        mc_ui_suspect *to = &suspects[i];
        mc_text_clear(&paths[i]);
        mc_node_append_path_line(view->trace, from->node, &paths[i]);
        double most = (double)view->city->largest_growth;
        *to = (mc_ui_suspect){
            .name = mc_view_get_name(view, from->node),
            .path = paths[i].data && !paths[i].failed ? paths[i].data : "",
            .values = from->values,
            .node = from->node,
            .color = get_growth_color(&theme, most > 0 ? (double)from->growth / most : 0),
            .selected = from->node == mc_view_get_selected(view),
        };
        char exact[MC_FORMAT_SIZE];
        bool is_single = view->verdict == MC_HEAP_SINGLE;
        if (is_single)
            format_value(view, to->growth, (uint64_t)from->growth);
        else
            format_growth(view, to->growth, from->growth);
        snprintf(to->exact, sizeof to->exact, "%s %s",
                 is_single ? mc_format_count(exact, (uint64_t)from->growth)
                           : mc_format_growth(exact, from->growth),
                 get_metric(view) == MC_METRIC_BYTES ? "bytes" : "objects");
        describe_suspect(view, from, to->detail, sizeof to->detail);
    }
    mc_step_range window = view->city->desc.window;
    if (window.first_step > 0 || window.last_step + 1 < mc_trace_get_step_count(view->trace)) {
        snprintf(frame.growth_note, sizeof frame.growth_note,
                 "Growth from step %" PRIu32 " to %" PRIu32, window.first_step, window.last_step);
        model->growth_note = frame.growth_note;
    }
    model->suspects = suspects;
    model->suspect_count = view->suspect_count;
    const mc_text *verdict = &view->verdict_text;
    if (!view->has_verdict)
        model->verdict = "Judging what grows…";
    else if (verdict->size > 0 && !verdict->failed)
        model->verdict = verdict->data;
}

static void describe_step(void *user, uint32_t step, char *text, size_t size) {
    const mc_view *view = user;
    const mc_step_info *info = mc_trace_get_step(view->trace, step);
    char time[MC_FORMAT_SIZE], objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE];
    snprintf(text, size, "%s   step %" PRIu32 " of 0–%" PRIu32 "\n%s objects · %s",
             mc_format_time(time, info->time_ms), step, mc_trace_get_step_count(view->trace) - 1,
             mc_format_count(objects, info->objects), mc_format_bytes(bytes, info->bytes));
}

static void fill_time(mc_view *view, mc_ui_model *model) {
    const mc_playback *playback = &view->playback;
    char time[MC_FORMAT_SIZE];
    model->step_count = mc_trace_get_step_count(view->trace);
    model->step = playback->step;
    model->step_values = view->total_values;
    model->other_values = view->other_values;
    bool is_bytes = get_metric(view) == MC_METRIC_BYTES;
    model->values_name = is_bytes ? "Bytes" : "Objects";
    model->others_name = is_bytes ? "Objects" : "Bytes";
    model->playing = playback->playing;
    int64_t time_ms = mc_trace_get_step(view->trace, playback->step)->time_ms;
    snprintf(model->time_text, sizeof model->time_text, "%.31s", mc_format_time(time, time_ms));
    bool is_live = view->follow.is_on && view->follow.is_live;
    snprintf(model->step_text, sizeof model->step_text, "Step %" PRIu32 " of 0–%" PRIu32 "%s",
             playback->step, model->step_count - 1, is_live ? " · live" : "");
    model->describe_step = describe_step;
    model->user = view;
}

static void fill_hover(mc_view *view, mc_ui_model *model) {
    uint32_t node = mc_city_get_node(view->city, view->hovered);
    mc_text_clear(&view->hover_path);
    mc_text_clear(&view->hover_text);
    if (view->tooltip_hidden) return;
    if (mc_view_append_pointed_link(view, &view->hover_path, &view->hover_text)) {
        if (view->hover_path.failed || view->hover_text.failed) return;
        model->hover_path = view->hover_path.data;
        model->hover_text = view->hover_text.data;
        return;
    }
    if (node == MC_NONE) return;
    figures f = get_figures(view, node);
    char objects[MC_FORMAT_SIZE], bytes[MC_FORMAT_SIZE], share[MC_FORMAT_SIZE],
        growth[MC_FORMAT_SIZE];
    mc_node_append_path_line(view->trace, node, &view->hover_path);
    mc_text_format(&view->hover_text, "%s objects · %s · %s of the heap · %s since step %" PRIu32,
                   mc_format_count(objects, f.objects), mc_format_bytes(bytes, f.bytes),
                   mc_format_share(share, f.share),
                   format_growth(view, growth, (int64_t)(f.value - f.first)),
                   view->city->desc.window.first_step);
    if (view->hover_path.failed || view->hover_text.failed) return;
    model->hover_path = view->hover_path.data;
    model->hover_text = view->hover_text.data;
}

void mc_view_fill_model(mc_view *view, mc_ui_model *model) {
    memset(model, 0, sizeof *model);
    model->busy_text = view->busy_text;
    model->busy_progress = view->busy_text ? mc_job_get_progress(view->job) : -1;
    model->message = view->message;
    model->message_is_notice = view->comfort.message_is_notice;
    mc_view_fill_comfort(view, model);
    for (uint32_t i = 0; i < mc_action_count; i++) {
        const mc_action *action = &mc_actions[i];
        bool is_shown = action->shown || !action->name;
        if (!is_shown || model->key_count == sizeof frame.keys / sizeof *frame.keys) continue;
        frame.keys[model->key_count++] = (mc_ui_key){action->shown, action->help};
    }
    model->keys = frame.keys;
    if (!view->trace) return;
    model->trace_name = view->trace_name ? view->trace_name : "";
    model->warnings = (const char *const *)view->warnings.texts;
    model->warning_count = view->warnings.count;
    model->all_warning_count = view->warnings.all_count;
    fill_selection(view, model);
    fill_suspects(view, model, frame.suspects, frame.paths);
    fill_time(view, model);
    fill_hover(view, model);
    mc_view_fill_explore(view, model);
    if (mc_view_has_hint(view)) {
        if (mc_view_leaves_out_release(view)) {
            snprintf(frame.hint, sizeof frame.hint,
                     "Most of the heap was freed after step %" PRIu32
                     ", as at a shutdown: that is left out.",
                     view->freed_step);
            snprintf(frame.hint_action, sizeof frame.hint_action, "Show all steps");
        } else {
            snprintf(frame.hint, sizeof frame.hint, "Most of the heap was freed at the end.");
            snprintf(frame.hint_action, sizeof frame.hint_action,
                     "Show growth before that: steps %" PRIu32 "–%" PRIu32,
                     view->wish.layout.window[0], view->freed_step);
        }
        model->hint = frame.hint;
        model->hint_action = frame.hint_action;
    }
    if (view->wish.look.names) {
        model->labels = frame.labels;
        model->label_count = mc_view_fill_labels(view, frame.labels);
    }
    if (view->city->hidden_leaf_count > 0) {
        char count[MC_FORMAT_SIZE], share[MC_FORMAT_SIZE];
        snprintf(frame.limit_note, sizeof frame.limit_note, "Hides %s groups, %s of the heap",
                 mc_format_count(count, view->city->hidden_leaf_count),
                 mc_format_share(share, view->city->hidden_share));
        model->limit_note = frame.limit_note;
    }
}

void mc_view_free_model(void) {
    for (size_t i = 0; i < MC_VIEW_SUSPECT_COUNT; i++) {
        mc_text_deinit(&frame.paths[i]);
    }
    for (size_t i = 0; i < NAME_COUNT; i++) {
        mc_text_deinit(&frame.names[i]);
    }
}

void mc_view_apply_answer(mc_view *view) {
    const mc_ui_answer *answer = &view->answer;
    if (answer->wants_frame) mc_view_redraw_once(view);
    mc_view_update_box(view);
    mc_view_do(view, answer->action, answer->argument);
}
