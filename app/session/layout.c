#include "app/session/layout.h"

#include "app/session/camera.h"
#include "app/session/derived.h"
#include "app/session/glide.h"
#include "app/session/metrics.h"
#include "app/session/selection.h"
#include "app/session/series.h"
#include "engine/base/memory.h"
#include <stdio.h>

typedef struct layout_task {
    mc_dataset *dataset;
    mc_city_desc desc;
    mc_held_city *held;
} layout_task;

void mc_session_drop_layout(void *context) {
    layout_task *task = context;
    mc_held_city_release(task->held);
    mc_dataset_release(task->dataset);
    mc_free(task);
}

static mc_result run_layout(void *context, const mc_progress *progress, mc_error *error) {
    layout_task *task = context;
    mc_city *city;
    mc_result result = mc_city_create(task->dataset->trace, &task->desc, progress, &city, error);
    if (result != MC_OK) return result;
    task->held = mc_held_city_create(task->dataset, city);
    return task->held ? MC_OK : mc_error_out_of_memory(error);
}

void mc_session_set_busy(mc_session *session, mc_session_task task, const char *what,
                         const char *name) {
    mc_free(session->busy_text);
    session->busy_text = NULL;
    session->task = task;
    if (task == MC_SESSION_IDLE) return;
    mc_text text = {0};
    mc_text_format(&text, "%s %s…", what, name);
    session->busy_text = text.failed ? NULL : text.data;
    if (text.failed) mc_text_deinit(&text);
}

static bool layouts_differ(const mc_trace *trace, const mc_city_desc *a, const mc_wish *b) {
    return a->metric != mc_trace_find_metric(trace, b->layout.metric) ||
           (uint32_t)a->scaling != b->layout.scaling ||
           (uint32_t)a->treemap.tiling != b->layout.tiling ||
           a->child_limit != b->layout.child_limit || a->root_node != b->root_node ||
           a->window.first_step != b->layout.window[0] ||
           a->window.last_step != b->layout.window[1];
}

void mc_session_revert_layout(mc_session *session) {
    mc_layout_options *layout = &session->wish.layout;
    session->wanted = session->city->desc;
    const char *metric = mc_trace_get_metric(session->trace, session->wanted.metric)->key;
    (void)mc_form_set_name(layout->metric, sizeof layout->metric, metric);
    layout->scaling = (uint32_t)session->wanted.scaling;
    layout->tiling = (uint32_t)session->wanted.treemap.tiling;
    layout->child_limit = session->wanted.child_limit;
    layout->window[0] = session->wanted.window.first_step;
    layout->window[1] = session->wanted.window.last_step;
    session->wish.root_node = session->wanted.root_node;
}

void mc_session_sync_layout(mc_session *session) {
    // A trace that is being opened brings a city of its own, after which this is asked again.
    if (!session->trace || session->task == MC_SESSION_OPENING) return;
    mc_session_settle_metrics(session);
    if (!layouts_differ(session->trace, &session->wanted, &session->wish)) return;
    layout_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) {
        mc_session_revert_layout(session);
        return;
    }
    session->wanted.metric = mc_trace_find_metric(session->trace, session->wish.layout.metric);
    session->wanted.scaling = (mc_scaling)session->wish.layout.scaling;
    session->wanted.treemap.tiling = (mc_tiling)session->wish.layout.tiling;
    session->wanted.child_limit = session->wish.layout.child_limit;
    session->wanted.root_node = session->wish.root_node;
    session->wanted.window =
        (mc_step_range){session->wish.layout.window[0], session->wish.layout.window[1]};
    task->dataset = mc_dataset_hold(session->dataset);
    task->desc = session->wanted;
    mc_session_set_busy(session, MC_SESSION_LAYING_OUT, "Laying out",
                        mc_session_get_trace_name(session));
    mc_job_start(session->job, (mc_job_task){run_layout, mc_session_drop_layout, task});
}

void mc_session_cancel(mc_session *session) {
    if (session->task != MC_SESSION_IDLE) mc_job_cancel(session->job);
}

// What can't be read is not drawn.
static const uint64_t *get_counts(mc_session *session, uint32_t step) {
    mc_error error = {0};
    mc_step_counts counts;
    if (mc_step_stream_get(session->steps, step, &counts, &error) != MC_OK) {
        mc_session_complain(session, error.message);
        counts = (mc_step_counts){session->zeros, session->zeros, 0}; // nothing of another step's
    }
    session->node_values = counts.values;
    session->leaf_total = counts.leaf_total;
    return counts.counts;
}

static void close_city(mc_session *session) {
    mc_step_stream_destroy(session->steps);
    mc_held_city_release(session->held);
    session->held = NULL;
    mc_free(session->between);
    mc_free(session->zeros);
    session->steps = NULL;
    session->city = NULL;
    session->between = session->zeros = NULL;
    session->from = session->to = session->node_values = NULL;
}

bool mc_session_swap_city(mc_session *session, mc_held_city *held, bool glides) {
    mc_city *city = held->city;
    mc_error error = {0};
    size_t count = (size_t)city->building_count + 1; // never none
    uint64_t *between = mc_alloc_zero(count, sizeof *between);
    uint64_t *zeros = mc_alloc_zero(count + city->node_count, sizeof *zeros);
    mc_step_stream *steps = NULL;
    mc_result result = between && zeros
                           ? mc_step_stream_create(session->trace, city, &steps, &error)
                           : mc_error_out_of_memory(&error);
    if (glides)
        mc_session_begin_glide(session, city);
    else
        mc_session_end_glide(session);
    if (result != MC_OK) {
        mc_step_stream_destroy(steps);
        mc_free(between);
        mc_free(zeros);
        mc_held_city_release(held);
        return mc_session_fail(session, &error);
    }
    mc_session_forget_city(session);
    close_city(session);
    session->steps = steps;
    session->between = between;
    session->zeros = zeros;
    session->held = held;
    session->city = city;
    session->wanted = city->desc;
    mc_playback_set_range(&session->playback, city->desc.window.first_step,
                          city->desc.window.last_step);
    session->playback.tween_elapsed_s = -1;
    session->shown_step = session->playback.step;
    session->from = session->to = get_counts(session, session->shown_step);
    session->params.blend = 1;
    session->city_version++;
    session->counts_version++;
    session->counts_advance = false;
    if (!mc_session_compute_series(session)) {
        mc_error_out_of_memory(&error);
        return mc_session_fail(session, &error);
    }
    session->hovered = MC_STRUCTURE_NONE;
    session->hover_is_stale = true;
    mc_session_select_node(session, mc_session_get_selected(session), false);
    return true;
}

void mc_session_close_city(mc_session *session) {
    mc_session_end_glide(session);
    close_city(session);
}

void mc_session_show_step(mc_session *session) {
    uint32_t step = session->playback.step;
    if (!session->steps || step == session->shown_step) return;
    double blend = (double)session->params.blend;
    bool is_at_rest = blend >= 1;
    if (is_at_rest) {
        session->from = session->to;
    } else {
        // On the way from one step to another: shapes go on from about where they are.
        for (uint32_t i = 0; i < session->city->building_count; i++) {
            double from = (double)session->from[i], to = (double)session->to[i];
            session->between[i] = (uint64_t)(from + (to - from) * blend);
        }
        session->from = session->between;
    }
    session->to = get_counts(session, step);
    session->shown_step = step;
    session->hover_is_stale = true;
    session->counts_version++;
    session->counts_advance = is_at_rest;
}

bool mc_session_take_layout(mc_session *session, mc_job_outcome *outcome) {
    layout_task *task = outcome->context;
    mc_held_city *held = task->held;
    task->held = NULL;
    mc_session_drop_layout(task);
    if (outcome->result != MC_OK) {
        mc_session_revert_layout(session);
        return false;
    }
    if (!mc_session_swap_city(session, held, true)) return false;
    mc_camera_bounds world = mc_camera_bounds_of_city(session->city);
    mc_camera_set_world(&session->camera, &world);
    if (session->wish.is_home) mc_session_frame_structure(session, MC_STRUCTURE_NONE, true);
    return true;
}
