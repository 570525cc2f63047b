#include "app/node_text.h"
#include "app/view/view_state.h"

#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/base/printable.h"
#include "engine/import/import.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Progress of a part of the work: `share` of the whole, after `before`.
typedef struct part_progress {
    const mc_progress *whole;
    double before, share;
} part_progress;

static bool report_part(void *user, uint64_t done, uint64_t total) {
    const part_progress *part = user;
    double at = total > 0 ? (double)done / (double)total : 0;
    return mc_progress_report(part->whole, (uint64_t)((part->before + part->share * at) * 1e6),
                              1000000);
}

typedef struct open_task {
    char **paths;
    uint32_t path_count;
    bool skip_bad_steps;
    bool partial, no_references;
    const char *group_by;       // the view's desc's
    const mc_step_times *times; // likewise
    int usage_code;             // MC_EXIT_OK, or what wrong options end the program with
    mc_layout_options layout;
    double headroom;
    bool is_live;
    const mc_log *log; // the view's; warnings go there and into `warnings`
    mc_view_warnings warnings;
    mc_import_report report;
    mc_trace *trace;
    mc_city *city;
} open_task;

static void drop_warnings(mc_view_warnings *warnings) {
    for (uint32_t i = 0; i < warnings->count; i++) {
        mc_free(warnings->texts[i]);
    }
    *warnings = (mc_view_warnings){0};
}

// In the task's thread.
static void collect_warning(void *user, mc_log_level level, const char *message) {
    open_task *task = user;
    mc_view_warnings *warnings = &task->warnings;
    mc_log_write(task->log, level, "%s", message);
    if (level == MC_LOG_INFO) return;
    warnings->all_count++;
    if (warnings->count == MC_VIEW_WARNING_CAPACITY) return;
    warnings->texts[warnings->count] = mc_copy_string(message);
    if (warnings->texts[warnings->count]) warnings->count++;
}

static void destroy_open(void *context) {
    open_task *task = context;
    mc_city_destroy(task->city);
    mc_trace_destroy(task->trace);
    for (uint32_t i = 0; i < task->path_count; i++) {
        mc_free(task->paths[i]);
    }
    mc_free(task->paths);
    drop_warnings(&task->warnings);
    mc_free(task);
}

static mc_result run_open(void *context, const mc_progress *progress, mc_error *error) {
    open_task *task = context;
    part_progress reading = {progress, 0, 0.9}, laying = {progress, 0.9, 0.1};
    mc_progress parts[2] = {{report_part, &reading}, {report_part, &laying}};
    mc_log log = {collect_warning, task};
    mc_import_desc desc = {
        .paths = (const char *const *)task->paths,
        .path_count = task->path_count,
        .skip_bad_steps = task->skip_bad_steps,
        .is_live = task->is_live,
        .partial = task->partial,
        .no_references = task->no_references,
        .temporary_folder = getenv("TMPDIR"),
        .group_by = task->group_by,
        .times = task->times,
        .log = &log,
        .progress = &parts[0],
    };
    mc_result result = mc_import_trace(&desc, &task->trace, &task->report, error);
    if (result != MC_OK) return result;
    mc_city_desc city_desc;
    task->layout.is_whole = task->is_live; // it goes on
    task->layout.is_silent = true;
    task->usage_code = mc_command_get_city_desc(&task->layout, task->trace, &city_desc);
    if (task->usage_code != MC_EXIT_OK) {
        return mc_error_set(error, MC_ERROR_UNSUPPORTED, MC_ERROR_NO_OFFSET,
                            "the options given do not fit this trace; the terminal says which");
    }
    city_desc.headroom = task->headroom;
    return mc_city_create(task->trace, &city_desc, &parts[1], &task->city, error);
}

typedef struct layout_task {
    const mc_trace *trace; // the view's, which outlives the task
    mc_city_desc desc;
    mc_city *city;
} layout_task;

static void destroy_layout(void *context) {
    layout_task *task = context;
    mc_city_destroy(task->city);
    mc_free(task);
}

static mc_result run_layout(void *context, const mc_progress *progress, mc_error *error) {
    layout_task *task = context;
    return mc_city_create(task->trace, &task->desc, progress, &task->city, error);
}

static void set_busy(mc_view *view, mc_view_task task, const char *what, const char *name) {
    mc_free(view->busy_text);
    view->busy_text = NULL;
    view->task = task;
    if (task == MC_VIEW_IDLE) return;
    mc_text text = {0};
    mc_text_format(&text, "%s %s…", what, name);
    view->busy_text = text.failed ? NULL : text.data;
    if (text.failed) mc_text_deinit(&text);
}

void mc_view_open(mc_view *view, const char *const *paths, uint32_t path_count, bool is_first) {
    mc_error error = {0};
    open_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) goto fail;
    task->skip_bad_steps = view->desc->skip_bad_steps;
    task->partial = view->desc->partial;
    task->no_references = view->desc->no_references;
    task->group_by = view->desc->group_by;
    task->times = is_first ? view->desc->times : NULL; // another trace has other steps
    task->log = &view->log;
    task->layout = view->layout;
    task->headroom = mc_view_get_headroom(view);
    task->is_live = view->follow.is_on;
    if (!is_first) {
        task->layout.window[0] = task->layout.window[1] = MC_NONE;
        if (view->trace) {
            task->layout.metric = view->wish.layout.metric;
            task->layout.scaling = view->wish.layout.scaling;
            task->layout.tiling = view->wish.layout.tiling;
            task->layout.child_limit = view->wish.layout.child_limit;
        }
    }
    task->paths = mc_alloc_zero(path_count, sizeof *task->paths);
    if (!task->paths) goto fail;
    for (uint32_t i = 0; i < path_count; i++) {
        task->paths[i] = mc_copy_string(paths[i]);
        if (!task->paths[i]) goto fail;
        task->path_count++;
    }
    if (view->comfort.has_wanted) {
        mc_view_file_deinit(&view->comfort.wanted); // another wish
        view->comfort.has_wanted = false;
    }
    char *name = mc_command_get_trace_name(paths[0]);
    set_busy(view, MC_VIEW_OPENING, "Opening", name ? name : "");
    mc_free(name);
    mc_view_set_message(view, NULL);
    mc_job_start(view->job, (mc_job_task){run_open, destroy_open, task});
    return;
fail:
    if (task) destroy_open(task);
    mc_error_out_of_memory(&error);
    mc_view_set_message(view, error.message);
}

static bool layouts_differ(const mc_city_desc *a, const mc_wish *b) {
    return (uint32_t)a->metric != b->layout.metric || (uint32_t)a->scaling != b->layout.scaling ||
           (uint32_t)a->treemap.tiling != b->layout.tiling ||
           a->child_limit != b->layout.child_limit || a->root_node != b->root_node ||
           a->window.first_step != b->layout.window[0] ||
           a->window.last_step != b->layout.window[1];
}

static void revert_layout_settings(mc_view *view) {
    mc_layout_options *layout = &view->wish.layout;
    view->wanted = view->city->desc;
    layout->metric = (uint32_t)view->wanted.metric;
    layout->scaling = (uint32_t)view->wanted.scaling;
    layout->tiling = (uint32_t)view->wanted.treemap.tiling;
    layout->child_limit = view->wanted.child_limit;
    layout->window[0] = view->wanted.window.first_step;
    layout->window[1] = view->wanted.window.last_step;
    view->wish.root_node = view->wanted.root_node;
}

void mc_view_sync_layout(mc_view *view) {
    // A trace that is being opened brings a city of its own, after which this is asked again.
    if (!view->trace || view->task == MC_VIEW_OPENING) return;
    if (!layouts_differ(&view->wanted, &view->wish)) return;
    layout_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) {
        revert_layout_settings(view);
        return;
    }
    view->wanted.metric = (mc_metric)view->wish.layout.metric;
    view->wanted.scaling = (mc_scaling)view->wish.layout.scaling;
    view->wanted.treemap.tiling = (mc_tiling)view->wish.layout.tiling;
    view->wanted.child_limit = view->wish.layout.child_limit;
    view->wanted.root_node = view->wish.root_node;
    view->wanted.window = (mc_step_range){view->wish.layout.window[0], view->wish.layout.window[1]};
    task->trace = view->trace;
    task->desc = view->wanted;
    set_busy(view, MC_VIEW_LAYING_OUT, "Laying out", view->trace_name);
    mc_job_start(view->job, (mc_job_task){run_layout, destroy_layout, task});
}

void mc_view_cancel(mc_view *view) {
    if (view->task != MC_VIEW_IDLE) mc_job_cancel(view->job);
}

static void complain(mc_view *view, const char *message) {
    mc_view_set_message(view, message);
    mc_log_write(&view->log, MC_LOG_WARNING, "%s", message);
}

// What can't be read is not drawn.
static const uint64_t *get_counts(mc_view *view, uint32_t step) {
    mc_error error = {0};
    mc_step_counts counts;
    if (mc_step_stream_get(view->steps, step, &counts, &error) != MC_OK) {
        complain(view, error.message);
        counts = (mc_step_counts){view->zeros, view->zeros, 0}; // nothing of another step's
    }
    view->node_values = counts.values;
    view->leaf_total = counts.leaf_total;
    return counts.counts;
}

uint64_t mc_view_read_value(mc_view *view, uint32_t step, mc_column column, uint32_t node) {
    mc_error error = {0};
    uint64_t value = 0;
    if (mc_trace_read_value(view->trace, step, column, node, &value, &error) == MC_OK) return value;
    if (!view->message) complain(view, error.message);
    return 0;
}

static void close_city(mc_view *view) {
    mc_step_stream_destroy(view->steps);
    mc_city_destroy(view->city);
    mc_free(view->between);
    mc_free(view->zeros);
    view->steps = NULL;
    view->city = NULL;
    view->between = view->zeros = NULL;
    view->from = view->to = view->node_values = NULL;
}

bool mc_view_swap_city(mc_view *view, mc_city *city, bool glides) {
    mc_error error = {0};
    size_t count = (size_t)city->building_count + 1; // never none
    uint64_t *between = mc_alloc_zero(count, sizeof *between);
    uint64_t *zeros = mc_alloc_zero(count + city->node_count, sizeof *zeros);
    mc_step_stream *steps = NULL;
    mc_result result = between && zeros ? mc_step_stream_create(view->trace, city, &steps, &error)
                                        : mc_error_out_of_memory(&error);
    if (glides)
        mc_view_begin_glide(view, city);
    else
        mc_view_end_glide(view);
    if (result == MC_OK) result = mc_view_fit_renderer(view, city->building_count, &error);
    if (result == MC_OK) result = mc_renderer_set_city(view->renderer, city, &error);
    if (result != MC_OK) {
        mc_step_stream_destroy(steps);
        mc_free(between);
        mc_free(zeros);
        mc_city_destroy(city);
        return mc_view_fail(view, &error);
    }
    mc_view_forget_city(view);
    close_city(view);
    view->steps = steps;
    view->between = between;
    view->zeros = zeros;
    view->city = city;
    view->wanted = city->desc;
    mc_playback_set_range(&view->playback, city->desc.window.first_step,
                          city->desc.window.last_step);
    view->playback.tween_elapsed_s = -1;
    view->shown_step = view->playback.step;
    view->from = view->to = get_counts(view, view->shown_step);
    view->params.blend = 1;
    result = mc_renderer_set_counts(view->renderer, view->to, view->to, &error);
    if (result != MC_OK) return mc_view_fail(view, &error);
    if (!mc_view_compute_series(view)) {
        mc_error_out_of_memory(&error);
        return mc_view_fail(view, &error);
    }
    view->hovered = MC_STRUCTURE_NONE;
    view->hover_is_stale = true;
    mc_view_select_node(view, mc_view_get_selected(view), false);
    return true;
}

static mc_camera_viewport get_viewport(const mc_view *view) {
    uint32_t width, height;
    mc_window_get_size(view->window, &width, &height);
    return (mc_camera_viewport){.width = width > 0 ? width : 1, .height = height > 0 ? height : 1};
}

static void name_trace(mc_view *view, const open_task *task) {
    mc_free(view->trace_name);
    view->trace_name = mc_command_get_trace_name(task->paths[0]);
    mc_view_set_paths(view, task->paths, task->path_count);
    for (uint32_t i = task->path_count; i > 0; i--) {
        mc_view_remember_path(view, task->paths[i - 1]);
    }
}

// What the command line asked for beside the layout.
static void fulfil_first_wishes(mc_view *view) {
    const mc_view_desc *desc = view->desc;
    mc_error error = {0};
    bool begins = desc->playing && !view->follow.is_on;
    if (desc->step != MC_NONE || begins) {
        mc_playback_set_step(&view->playback, desc->step != MC_NONE ? desc->step : 0);
        view->playback.tween_elapsed_s = -1;
    }
    if (desc->selection_key) {
        size_t size = strlen(desc->selection_key);
        view->wish.selection =
            mc_selection_of(mc_trace_find_node(view->trace, desc->selection_key, size));
        if (mc_view_get_selected(view) == MC_NONE) {
            mc_text text = {0};
            mc_text_format(&text,
                           desc->is_lenient ? "The view's selection is not in this trace: %s"
                                            : "--select: no node has the full key \"%s\"",
                           desc->selection_key);
            if (!text.failed) complain(view, text.data);
            mc_text_deinit(&text);
        }
    }
    if (desc->camera) {
        if (mc_camera_parse(&view->camera, view->city, desc->camera, &error) == MC_OK) {
            view->wish.is_home = false;
        } else {
            complain(view, error.message);
        }
    }
    if (!desc->camera && !desc->wish.is_home) {
        mc_camera_set_pose(&view->camera, &desc->wish.pose);
        view->wish.is_home = false;
    }
    if (desc->playing) mc_playback_toggle(&view->playback);
}

static bool adopt_trace(mc_view *view, open_task *task) {
    mc_view_forget_explored(view);
    mc_view_stop_series(view);
    mc_view_forget_suspects(view);
    // The old city must go with its trace, but not before the renderer has let go of it.
    mc_trace *old = view->trace;
    view->trace = task->trace;
    view->layout = task->layout;
    drop_warnings(&view->warnings);
    view->warnings = task->warnings;
    task->warnings = (mc_view_warnings){0};
    view->wish.warnings_open = false;
    view->wish.selection = mc_selection_of(MC_NONE);
    mc_city *city = task->city;
    task->trace = NULL;
    task->city = NULL;
    mc_playback before = view->playback;
    mc_playback_init(&view->playback, city->desc.window.first_step, city->desc.window.last_step);
    mc_playback_set_duration(&view->playback, before.step_duration_s);
    view->playback.loop = before.loop;
    view->playback.smooth = before.smooth;
    // What has grown is seen at the end.
    mc_playback_set_step(&view->playback, view->playback.last_step);
    view->playback.tween_elapsed_s = -1;
    name_trace(view, task);
    mc_view_restart_follow(view);
    bool fits = mc_view_swap_city(view, city, false);
    if (!fits) {
        mc_step_stream_destroy(view->steps); // may read the old trace
        view->steps = NULL;
    }
    mc_trace_destroy(old);
    if (!fits) return false;
    revert_layout_settings(view);
    mc_camera_bounds world = mc_camera_bounds_of_city(view->city);
    bool smooth = view->camera.smooth;
    mc_camera_init(&view->camera, &world, get_viewport(view));
    view->camera.smooth = smooth;
    view->wish.is_home = true;
    view->has_insets = false;
    view->hint_dismissed = false;
    mc_view_forget_history(view);
    mc_view_restore_wanted(view);
    if (!view->opened_once) {
        view->opened_once = true;
        fulfil_first_wishes(view);
        mc_view_select_node(view, mc_view_get_selected(view), false);
        return mc_view_show_step(view);
    }
    return true;
}

static void say_failure(mc_view *view, const mc_error *error, bool is_opening) {
    if (error->code == MC_ERROR_CANCELLED) return;
    mc_view_set_message(view, error->message);
    int code = mc_command_fail(error);
    if (is_opening && !view->trace) view->exit_code = code;
}

void mc_view_take_results(mc_view *view) {
    mc_job_outcome outcome;
    mc_view_take_series(view);
    if (!mc_job_take(view->job, &outcome)) return;
    mc_view_redraw(view);
    bool is_opening = view->task == MC_VIEW_OPENING;
    set_busy(view, MC_VIEW_IDLE, NULL, NULL);
    if (!is_opening) {
        layout_task *task = outcome.context;
        if (outcome.result == MC_OK) {
            mc_city *city = task->city;
            task->city = NULL;
            if (mc_view_swap_city(view, city, true)) {
                mc_camera_bounds world = mc_camera_bounds_of_city(city);
                mc_camera_set_world(&view->camera, &world);
                if (view->wish.is_home) mc_view_frame_structure(view, MC_STRUCTURE_NONE, true);
                mc_view_end_pending(view, true);
                mc_view_frame_due(view);
            }
        } else {
            say_failure(view, &outcome.error, false);
            revert_layout_settings(view);
            mc_view_end_pending(view, false);
        }
        destroy_layout(task);
        return;
    }
    open_task *task = outcome.context;
    if (outcome.result != MC_OK) {
        say_failure(view, &outcome.error, true);
        if (task->usage_code != MC_EXIT_OK && !view->trace) view->exit_code = task->usage_code;
    } else if (adopt_trace(view, task)) {
        view->exit_code = MC_EXIT_OK;
        if (task->report.skipped_count > 0) {
            char text[96];
            snprintf(text, sizeof text, "Left out %u bad inputs; the warnings say which.",
                     task->report.skipped_count);
            mc_view_set_message(view, text);
        }
    }
    destroy_open(task);
}

bool mc_view_end_task(mc_view *view, double most_s) {
    if (view->task == MC_VIEW_IDLE) return true;
    mc_view_cancel(view);
    mc_job_outcome outcome;
    uint64_t end = mc_clock_now_ns() + (uint64_t)(most_s * 1e9);
    while (!mc_job_take(view->job, &outcome)) {
        if (mc_clock_now_ns() >= end) return false;
        mc_window_wait(view->window, 0.005);
    }
    if (view->task == MC_VIEW_OPENING) {
        destroy_open(outcome.context);
    } else {
        destroy_layout(outcome.context);
    }
    view->task = MC_VIEW_IDLE;
    return true;
}

bool mc_view_show_step(mc_view *view) {
    uint32_t step = view->playback.step;
    if (!view->steps || step == view->shown_step) return true;
    double blend = (double)view->params.blend;
    bool is_at_rest = blend >= 1;
    if (is_at_rest) {
        view->from = view->to;
    } else {
        // On the way from one step to another: shapes go on from about where they are.
        for (uint32_t i = 0; i < view->city->building_count; i++) {
            double from = (double)view->from[i], to = (double)view->to[i];
            view->between[i] = (uint64_t)(from + (to - from) * blend);
        }
        view->from = view->between;
    }
    view->to = get_counts(view, step);
    view->shown_step = step;
    view->hover_is_stale = true;
    mc_error error = {0};
    mc_result result = is_at_rest
                           ? mc_renderer_advance_counts(view->renderer, view->to, &error)
                           : mc_renderer_set_counts(view->renderer, view->from, view->to, &error);
    if (result != MC_OK) return mc_view_fail(view, &error);
    return true;
}

void mc_view_select_node(mc_view *view, uint32_t node, bool jumps) {
    view->wish.selection = mc_selection_of(node);
    mc_view_extend_trail(view, node);
    view->selected = node == MC_NONE ? MC_STRUCTURE_NONE : mc_city_find_node(view->city, node);
    if (jumps && node != MC_NONE && view->wish.motion) view->jump_elapsed_s = 0;
    mc_view_compute_selection_series(view);
    mc_text_clear(&view->selection_path);
    mc_node_append_path_line(view->trace, mc_view_get_focus(view), &view->selection_path);
    mc_view_redraw(view);
}

void mc_view_set_message(mc_view *view, const char *message) {
    mc_text text = {0};
    if (message) mc_printable_append(&text, message, strlen(message));
    mc_free(view->message);
    view->message = text.data;
    view->comfort.message_is_notice = false;
}

bool mc_view_fail(mc_view *view, const mc_error *error) {
    view->exit_code = mc_command_fail(error);
    if (view->exit_code == MC_EXIT_OK) view->exit_code = MC_EXIT_FAILED;
    mc_window_close(view->window);
    return false;
}

void mc_view_close_data(mc_view *view) {
    mc_view_end_glide(view);
    close_city(view);
    mc_trace_destroy(view->trace);
    drop_warnings(&view->warnings);
    mc_free(view->trace_name);
    mc_free(view->busy_text);
    mc_free(view->message);
    mc_free(view->parts);
    mc_free(view->total_values);
    mc_free(view->other_values);
    mc_free(view->selection_values);
    mc_free(view->suspect_values);
    mc_text_deinit(&view->verdict_text);
    mc_free(view->series);
    mc_text_deinit(&view->hover_path);
    mc_text_deinit(&view->hover_text);
    mc_text_deinit(&view->selection_path);
    mc_text_deinit(&view->report);
    mc_text_deinit(&view->reported);
}
