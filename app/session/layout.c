#include "app/session/layout.h"

#include "app/answers/arrange.h"
#include "app/session/metrics.h"
#include "app/session/queries.h"
#include "app/session/selection.h"
#include "app/session/series.h"
#include "engine/base/memory.h"
#include <string.h>

typedef struct layout_task {
    const mc_view_kind *kind;
    mc_dataset *dataset;
    mc_settings asked;    // what it is laid out for, in numbers of the dataset
    mc_settings settings; // what comes of it
    bool is_numbered;     // the settings' root is one of the settings' grouping
    double headroom;
    mc_grouped grouped;
    mc_layout *layout;
} layout_task;

void mc_session_drop_layout(void *context) {
    layout_task *task = context;
    mc_layout_release(task->layout);
    mc_grouped_deinit(&task->grouped);
    mc_dataset_release(task->dataset);
    mc_free(task);
}

static mc_result run_layout(void *context, const mc_progress *progress, mc_error *error) {
    layout_task *task = context;
    uint32_t *root = &task->settings.root_node;
    mc_grouped *grouped = &task->grouped;
    mc_result result =
        mc_dataset_arrange(task->dataset, task->settings.group_by, task->settings.frame_s,
                           &task->settings.layout, NULL, progress, grouped, error);
    if (result == MC_OK && !task->is_numbered)
        result = mc_arranged_translate(grouped, task->dataset, *root, root, error);
    if (*root == MC_NONE) *root = 0;
    if (result != MC_OK) return result;
    mc_pair_fit_window(task->dataset, grouped->dataset, &task->settings.layout);
    return mc_layout_create(task->kind, grouped->dataset ? grouped->dataset : task->dataset,
                            &task->settings, task->headroom, NULL, progress, &task->layout, error);
}

void mc_session_set_busy(mc_session *session, mc_session_task task, const char *what,
                         const char *name) {
    mc_free(session->work.text);
    session->work.text = NULL;
    session->work.task = task;
    if (task == MC_SESSION_IDLE) return;
    mc_text text = {0};
    mc_text_format(&text, "%s %s…", what, name);
    session->work.text = text.failed ? NULL : text.data;
    if (text.failed) mc_text_deinit(&text);
}

static bool layouts_differ(const mc_settings *a, const mc_settings *b) {
    return a->root_node != b->root_node || mc_settings_differs(a, b, MC_USE_LAYOUT);
}

// What else the layout was opened with, such as its padding, stays.
static void copy_layout(mc_settings *to, const mc_settings *from) {
    mc_settings_move(to, to, from, MC_USE_LAYOUT);
    to->root_node = from->root_node;
}

void mc_session_revert_layout(mc_session *session) {
    copy_layout(&session->work.wanted, &session->shown->settings);
    copy_layout(&session->settings, &session->shown->settings);
    session->work.is_numbered = false;
}

void mc_session_sync_layout(mc_session *session) {
    // A trace that is being opened brings a layout of its own, after which this is asked again.
    if (!session->trace || session->work.task == MC_SESSION_OPENING) return;
    mc_session_settle_metrics(session);
    if (!layouts_differ(&session->work.wanted, &session->settings)) return;
    layout_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) {
        mc_session_revert_layout(session);
        return;
    }
    copy_layout(&session->work.wanted, &session->settings);
    task->dataset = mc_dataset_hold(session->dataset);
    task->asked = task->settings = session->work.wanted;
    task->kind = session->views[session->work.wanted.view]->kind;
    task->is_numbered = session->work.is_numbered;
    task->headroom = session->shown->headroom;
    mc_session_set_busy(session, MC_SESSION_LAYING_OUT, "Laying out",
                        mc_session_get_trace_name(session));
    mc_job_start(session->work.job, (mc_job_task){run_layout, mc_session_drop_layout, task});
}

void mc_session_cancel(mc_session *session) {
    if (session->work.task != MC_SESSION_IDLE) mc_job_cancel(session->work.job);
}

// What can't be read is not drawn.
static const uint64_t *get_counts(mc_session *session, uint32_t step) {
    mc_session_counts *shown = &session->counts;
    mc_error error = {0};
    mc_step_counts counts;
    if (mc_step_stream_get(shown->stream, step, &counts, &error) != MC_OK) {
        mc_session_complain(session, error.message);
        mc_session_miss(session, &error);
        counts = (mc_step_counts){shown->zeros, shown->zeros, 0}; // nothing of another step's
    }
    shown->node_values = counts.values;
    shown->leaf_total = counts.leaf_total;
    return counts.counts;
}

static void close_layout(mc_session *session) {
    mc_session_counts *counts = &session->counts;
    mc_step_stream_destroy(counts->stream);
    mc_layout_release(session->shown);
    mc_free(counts->between);
    mc_free(counts->zeros);
    session->shown = NULL;
    *counts = (mc_session_counts){.version = counts->version};
}

// The view of `layout` shows it, in the place of what is shown now.
static void hand_over(mc_session *session, mc_layout *layout, mc_layout_change change) {
    mc_view *before = session->shown ? session->view : NULL;
    session->view = session->views[layout->settings.view];
    session->view->kind->show(session->view, layout, change);
    if (before && before != session->view) before->kind->hide(before);
}

bool mc_session_swap_layout(mc_session *session, mc_layout *layout, mc_layout_change change) {
    mc_error error = {0};
    size_t count = (size_t)layout->node_count + 1; // never none
    uint32_t all_count = mc_trace_get_nodes(layout->dataset->trace)->count;
    // Most of these are never looked at.
    uint64_t *between = mc_alloc_zero_scattered(count, sizeof *between);
    uint64_t *zeros = mc_alloc_zero_scattered(count + all_count, sizeof *zeros);
    mc_step_stream *steps = NULL;
    mc_step_stream_desc desc = {.metric = layout->metric,
                                .window = layout->window,
                                .nodes = layout->nodes,
                                .node_count = layout->node_count,
                                .half_count = layout->half_count};
    mc_result result = between && zeros
                           ? mc_step_stream_create(session->trace, &desc, &steps, &error)
                           : mc_error_out_of_memory(&error);
    if (result != MC_OK) {
        mc_step_stream_destroy(steps);
        mc_free(between);
        mc_free(zeros);
        mc_layout_release(layout);
        return mc_session_fail(session, &error);
    }
    hand_over(session, layout, change);
    close_layout(session);
    session->shown = layout;
    copy_layout(&session->work.wanted, &layout->settings);
    mc_playback_set_range(&session->playback, layout->window.first_step, layout->window.last_step);
    session->playback.tween_elapsed_s = -1;
    session->counts = (mc_session_counts){.stream = steps,
                                          .between = between,
                                          .zeros = zeros,
                                          .blend = 1,
                                          .step = session->playback.step,
                                          .version = session->counts.version + 1};
    session->counts.from = session->counts.to = get_counts(session, session->counts.step);
    session->layout_version++;
    session->charts.is_going_on = change == MC_LAYOUT_GROWN;
    if (!mc_session_compute_series(session)) {
        mc_error_out_of_memory(&error);
        return mc_session_fail(session, &error);
    }
    session->hover.node = MC_NONE;
    mc_session_pick_again(session);
    mc_selection selection = session->settings.selection;
    mc_session_select_all(session, &selection, false);
    session->charts.is_going_on = false;
    return true;
}

void mc_session_close_layout(mc_session *session) {
    if (session->shown) session->view->kind->hide(session->view);
    close_layout(session);
}

void mc_session_show_step(mc_session *session) {
    mc_session_counts *counts = &session->counts;
    uint32_t step = session->playback.step;
    if (!counts->stream) return;
    if (step == counts->step) {
        bool is_alone = mc_session_is_pictured(session) || session->holds_queries;
        if (!is_alone) mc_step_stream_read_ahead(counts->stream);
        return;
    }
    double blend = counts->blend;
    bool is_at_rest = blend >= 1;
    if (is_at_rest) {
        counts->from = counts->to;
    } else {
        // On the way from one step to another: shapes go on from about where they are.
        for (uint32_t i = 0; i < session->shown->node_count; i++) {
            double from = (double)counts->from[i], to = (double)counts->to[i];
            counts->between[i] = (uint64_t)(from + (to - from) * blend);
        }
        counts->from = counts->between;
    }
    counts->to = get_counts(session, step);
    counts->step = step;
    mc_session_pick_again(session);
    counts->version++;
    counts->advance = is_at_rest;
}

// What names a node of the old trace names what stands for it.
static void translate_selection(mc_selection *selection, const mc_grouped *grouped,
                                const mc_dataset *before) {
    mc_selection found = mc_selection_of(MC_NONE);
    for (uint32_t i = 0; i < selection->count; i++) {
        uint32_t node = MC_NONE;
        if (mc_arranged_translate(grouped, before, selection->nodes[i], &node, NULL) == MC_OK)
            (void)mc_selection_add(&found, node);
    }
    *selection = found;
}

// `is_numbered`: the settings' nodes are those of the new one already.
static bool adopt_grouped(mc_session *session, mc_grouped *grouped, mc_layout *layout,
                          bool is_numbered) {
    mc_dataset *before = session->dataset;
    mc_settings *settings = &session->settings;
    uint32_t *came_from = grouped->came_from;
    mc_session_forget_queries(session, false);
    if (is_numbered) {
        settings->selection = mc_selection_of(MC_NONE); // who has numbered it selects it
    } else {
        translate_selection(&settings->selection, grouped, before);
        translate_selection(&settings->tree_opened, grouped, before);
        translate_selection(&settings->demolished, grouped, before);
    }
    settings->root_node = layout->root_node;
    session->dataset = grouped->dataset;
    session->trace = session->dataset->trace;
    *grouped = (mc_grouped){.dataset = NULL};
    session->trace_version++;
    layout->came_from = came_from;
    uint32_t step = mc_pair_find_step(before, session->dataset, session->playback.step);
    memcpy(settings->layout.window, layout->settings.layout.window, sizeof settings->layout.window);
    bool fits = mc_session_swap_layout(session, layout, MC_LAYOUT_WANTED);
    if (fits) session->shown->came_from = NULL;
    if (fits) mc_playback_set_step(&session->playback, step);
    mc_free(came_from);
    mc_dataset_release(before);
    return fits;
}

// What came of the settings are the settings from now on, unless the user has changed them already:
// those that can't be fulfilled to the letter are laid out once, not forever.
static void settle_wish(mc_session *session, const layout_task *task) {
    bool is_asked = !layouts_differ(&session->settings, &task->asked);
    if (is_asked) copy_layout(&session->settings, &task->layout->settings);
}

bool mc_session_take_layout(mc_session *session, mc_job_outcome *outcome) {
    layout_task *task = outcome->context;
    if (outcome->result != MC_OK) {
        mc_session_drop_layout(task);
        mc_session_revert_layout(session);
        return false;
    }
    settle_wish(session, task);
    mc_layout *layout = task->layout;
    mc_grouped grouped = task->grouped;
    task->layout = NULL;
    task->grouped = (mc_grouped){.dataset = NULL};
    session->work.is_numbered = false;
    bool fits = grouped.dataset ? adopt_grouped(session, &grouped, layout, task->is_numbered)
                                : mc_session_swap_layout(session, layout, MC_LAYOUT_WANTED);
    mc_session_drop_layout(task);
    return fits;
}
