// Following a recording: new steps are taken over as they come, and everything else stays as it is.
#include "app/session/follow.h"

#include "app/answers/arrange.h"
#include "app/session/history.h"
#include "app/session/layout.h"
#include "app/session/methods.h"
#include "app/session/opening.h"
#include "app/session/queries.h"
#include "app/session/status_text.h"
#include "app/session/why.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include "engine/store/mct/mct.h"
#include <math.h>
#include <string.h>
#include <sys/stat.h>

#define LOOK_MOST_NS UINT64_C(500000000)
#define LOOK_LEAST_NS UINT64_C(10000000)
#define LOOKS 8 // between two steps
#define WATCH_MOST_NS UINT64_C(200000000)
#define WATCH_TICK_NS 2000000

// ---- the file

static bool has_changed(mc_session_file_look *look, const char *path) {
    struct stat status;
    if (stat(path, &status) != 0) return false;
    bool is_same = status.st_size == look->size && status.st_mtim.tv_sec == look->changed.tv_sec &&
                   status.st_mtim.tv_nsec == look->changed.tv_nsec;
    look->size = status.st_size;
    look->changed = status.st_mtim;
    return !is_same;
}

static mc_result fail_cancelled(mc_error *error) {
    return mc_fail(error, MC_ERROR_CANCELLED, "cancelled");
}

// Until it changes, but not for longer than `most_ns`; false: it has not, or nobody waits any more.
static bool wait_for_change(mc_session_file_look *look, const char *path, uint64_t most_ns,
                            const mc_progress *progress) {
    uint64_t end_ns = mc_clock_now_ns() + most_ns;
    while (!has_changed(look, path)) {
        if (mc_clock_now_ns() >= end_ns || !mc_progress_report(progress, 0, 1)) return false;
        nanosleep(&(struct timespec){.tv_nsec = WATCH_TICK_NS}, NULL);
    }
    return true;
}

// ---- the task: the file's trace with its new steps, laid out

typedef struct follow_task {
    char *path;
    mc_dataset *known; // what is shown
    mc_layout *before; // likewise
    uint32_t known_count;
    uint64_t watch_ns; // for how long it waits for the file to change; 0: it has
    mc_session_file_look look;
    bool skip_bad_steps, extends_window;
    const mc_view_kind *kind; // of what is shown
    mc_settings wanted;
    mc_text root_key; // what is shown; empty: the whole heap

    bool is_live;
    mc_dataset *dataset; // NULL: there is nothing new
    mc_layout *shown;
} follow_task;

static void destroy_task(void *context) {
    follow_task *task = context;
    mc_layout_release(task->shown);
    mc_layout_release(task->before);
    mc_dataset_release(task->dataset);
    mc_dataset_release(task->known);
    mc_text_deinit(&task->root_key);
    mc_free(task->path);
    mc_free(task);
}

// As what is shown is.
static mc_result regroup(follow_task *task, mc_error *error) {
    mc_grouped grouped;
    if (!task->known->base) return MC_OK;
    mc_result result =
        mc_dataset_arrange(task->dataset, task->wanted.group_by, task->wanted.frame_s,
                           &task->wanted.layout, task->known->trace, NULL, &grouped, error);
    if (result != MC_OK || !grouped.dataset) return result;
    mc_dataset_release(task->dataset);
    task->dataset = grouped.dataset;
    grouped.dataset = NULL;
    mc_grouped_deinit(&grouped);
    return MC_OK;
}

static mc_result run_task(void *context, const mc_progress *progress, mc_error *error) {
    follow_task *task = context;
    mc_mct_state state;
    if (task->watch_ns > 0 && !wait_for_change(&task->look, task->path, task->watch_ns, progress))
        return mc_progress_report(progress, 0, 1) ? MC_OK : fail_cancelled(error);
    mc_result result = mc_mct_peek(task->path, &state, error);
    if (result != MC_OK) return result;
    const mc_trace *known = mc_trace_get_base(task->known->trace);
    task->is_live = !state.is_finished;
    if (state.step_count == task->known_count || state.step_count == 0) return MC_OK;
    mc_mct_open_desc open = {
        .path = task->path, .skip_bad_steps = task->skip_bad_steps, .before = known};
    mc_trace *trace;
    result = mc_mct_open(&open, &trace, NULL, error);
    if (result != MC_OK) return result;
    if (!mc_trace_keep_notes(trace, known)) {
        mc_trace_destroy(trace);
        return mc_error_out_of_memory(error);
    }
    task->dataset = mc_dataset_create_next(task->known, trace);
    if (!task->dataset) return mc_error_out_of_memory(error);
    result = regroup(task, error);
    if (result != MC_OK) return result;
    trace = task->dataset->trace;
    if (mc_trace_goes_on(task->known->trace, trace))
        task->dataset->numbering = task->known->numbering;
    mc_settings settings = task->wanted;
    uint32_t *window = settings.layout.window, last = mc_trace_get_step_count(trace) - 1;
    if (task->extends_window || window[1] > last) window[1] = last;
    if (window[0] > last) window[0] = 0;
    settings.root_node = 0;
    if (task->root_key.size > 0)
        settings.root_node = mc_trace_find_node(trace, task->root_key.data, task->root_key.size);
    if (settings.root_node == MC_NONE) settings.root_node = 0;
    return mc_layout_create(task->kind, task->dataset, &settings, MC_SESSION_HEADROOM, task->before,
                            progress, &task->shown, error);
}

static bool start(mc_session *session, const char *path, uint64_t watch_ns) {
    mc_error error = {0};
    mc_session_follow *follow = &session->follow;
    follow_task *task = mc_alloc_zero(1, sizeof *task);
    if (!task) return false;
    task->path = mc_copy_string(path);
    if (!task->path) goto fail;
    task->known = mc_dataset_hold(session->dataset);
    task->before = mc_layout_hold(session->shown);
    task->known_count = follow->step_count;
    task->watch_ns = watch_ns;
    task->look = follow->look;
    task->is_live = follow->is_live;
    task->skip_bad_steps = session->desc->skip_bad_steps;
    task->wanted = session->work.wanted;
    task->kind = session->view->kind;
    task->extends_window =
        session->work.wanted.layout.window[1] + 1 == mc_trace_get_step_count(session->trace);
    if (session->work.wanted.root_node != 0)
        mc_trace_append_full_key(session->trace, session->work.wanted.root_node, &task->root_key);
    if (task->root_key.failed) goto fail;
    if (!follow->job && mc_job_create(session->desc->host.wake, &follow->job, &error) != MC_OK)
        goto fail;
    mc_job_start(follow->job, (mc_job_task){run_task, destroy_task, task});
    return true;
fail:
    destroy_task(task);
    return false;
}

// ---- taking over

static uint32_t map_node(const uint32_t *map, uint32_t count, uint32_t node) {
    return node < count ? map[node] : MC_NONE;
}

// A district that is no more gives way to all of it.
static uint32_t map_root(const uint32_t *map, uint32_t count, uint32_t root) {
    uint32_t node = map_node(map, count, root);
    return node == MC_NONE ? 0 : node;
}

static void map_selection(mc_selection *selection, const uint32_t *map, uint32_t count) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < selection->count; i++) {
        uint32_t node = map_node(map, count, selection->nodes[i]);
        if (node != MC_NONE) selection->nodes[kept++] = node;
    }
    selection->count = kept;
}

// Whatever names a node of the old trace names it in the new one.
static void map_view(mc_session *session, const uint32_t *map, uint32_t count) {
    map_selection(&session->settings.selection, map, count);
    map_selection(&session->settings.tree_opened, map, count);
    map_selection(&session->settings.demolished, map, count);
    session->settings.root_node = map_root(map, count, session->settings.root_node);
    mc_selection_history *trail = &session->selection.history;
    for (size_t i = 0; i < trail->count; i++)
        trail->nodes[i] = map_node(map, count, trail->nodes[i]);
    mc_session_renumber_methods(session, map, count);
    mc_session_history *history = &session->history;
    for (uint32_t i = 0; i < history->count; i++) {
        mc_session_moment *moment = &history->moments[i];
        map_selection(&moment->settings.selection, map, count);
        map_selection(&moment->settings.tree_opened, map, count);
        map_selection(&moment->settings.demolished, map, count);
        moment->settings.root_node = map_root(map, count, moment->settings.root_node);
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < session->suspects.count; i++) {
        session->suspects.items[kept] = session->suspects.items[i];
        session->suspects.items[kept].node = map_node(map, count, session->suspects.items[i].node);
        session->suspects.items[kept].because =
            map_node(map, count, session->suspects.items[kept].because);
        kept += session->suspects.items[kept].node != MC_NONE;
    }
    session->suspects.count = kept;
}

// The stream reads the old trace and city, and must end before they change; what it gave is still
// shown.
static bool keep_counts(mc_session *session, uint64_t **kept) {
    mc_session_counts *counts = &session->counts;
    size_t count = session->shown->node_count;
    *kept = mc_alloc(2 * count + 1, sizeof **kept);
    if (!*kept) return false;
    memcpy(*kept, counts->from, count * sizeof **kept);
    memcpy(*kept + count, counts->to, count * sizeof **kept);
    counts->from = *kept;
    counts->to = *kept + count;
    mc_step_stream_destroy(counts->stream);
    counts->stream = NULL;
    return true;
}

// False: the session ends. `map` is NULL where all nodes are what they were.
static bool take_over(mc_session *session, follow_task *task, const uint32_t *map, uint32_t count) {
    uint64_t *kept = NULL;
    mc_error error = {0};
    uint32_t node_count = mc_trace_get_nodes(task->dataset->trace)->count;
    bool was_last = session->playback.step == session->work.wanted.layout.window[1];
    mc_session_forget_queries(session, true);
    mc_result result = keep_counts(session, &kept) ? MC_OK : mc_error_out_of_memory(&error);
    if (result == MC_OK && map)
        result = session->view->kind->renumber(session->view, session->shown, map, count,
                                               node_count, &error);
    if (result != MC_OK) {
        mc_free(kept);
        return mc_session_fail(session, &error);
    }
    uint32_t selected = session->settings.selection.count;
    if (map) map_view(session, map, count);
    if (map) mc_session_drop_causes(session); // others are on their way
    if (session->settings.selection.count != selected) {
        mc_asked_reset(session->asked[MC_QUERY_SELECTION_SERIES]);
        session->charts.has_selection = false;
    }
    mc_layout *shown = task->shown;
    mc_dataset *old = session->dataset;
    session->dataset = task->dataset;
    session->trace = session->dataset->trace;
    task->dataset = NULL;
    task->shown = NULL;
    session->settings.layout.window[0] = shown->window.first_step;
    session->settings.layout.window[1] = shown->window.last_step;
    bool fits = mc_session_swap_layout(session, shown, MC_LAYOUT_GROWN);
    mc_free(kept);
    mc_dataset_release(old);
    if (!fits) return false;
    if (was_last && !session->playback.playing) {
        mc_playback_set_step(&session->playback, shown->window.last_step);
        // Shapes have to be there well before the next step is.
        double pace_s = (double)mc_session_get_pace_ns(session) * 1e-9;
        if (pace_s > 0) session->playback.tween_s = fmin(session->playback.tween_s, pace_s / 4);
    }
    mc_session_accept_extent(session);
    mc_session_redraw(session);
    return true;
}

// Whether the view is still what the task began with.
static bool is_current(const mc_session *session, const follow_task *task) {
    const mc_settings *now = &session->work.wanted, *then = &task->wanted;
    return session->work.task == MC_SESSION_IDLE && session->dataset == task->known &&
           now->root_node == then->root_node && !mc_settings_differs(now, then, MC_USE_LAYOUT);
}

// From what is shown to what it became; a map of NULL: nodes are what they were. False: it is
// another recording.
static bool map_nodes(const mc_trace *before, const mc_trace *after, uint32_t **map,
                      mc_error *error) {
    const mc_trace *from = mc_trace_get_base(before), *to = mc_trace_get_base(after);
    uint32_t *base_map = NULL;
    *map = NULL;
    // Threads may come without any group of methods.
    if (mc_trace_goes_on(from, to) || mc_trace_goes_on(before, after)) return true;
    if (mc_trace_map_nodes(from, to, &base_map, error) != MC_OK) return false;
    if (from == before) {
        *map = base_map;
        return true;
    }
    mc_result result = mc_trace_regroup_map_on(before, after, base_map, map, error);
    mc_free(base_map);
    return result == MC_OK;
}

static uint64_t get_watch_ns(const mc_session *session) {
    uint64_t most_ns = 2 * mc_session_get_pace_ns(session);
    return most_ns < WATCH_MOST_NS ? most_ns : WATCH_MOST_NS;
}

// Nothing moves under the user's hands, nor while a chain is shown that is of these steps.
static bool is_disturbing(const mc_session *session) {
    return session->input.is_dragging || session->walk.is_shown || session->walk.is_walking ||
           session->history.has_pending || session->work.task != MC_SESSION_IDLE ||
           (session->view->kind->is_settling(session->view) && !mc_session_follows_fast(session));
}

static void take(mc_session *session) {
    mc_session_follow *follow = &session->follow;
    mc_job_outcome outcome;
    if (!follow->job || !mc_job_take(follow->job, &outcome)) return;
    follow->is_busy = false;
    follow_task *task = outcome.context;
    uint32_t *map = NULL;
    mc_error error = {0};
    bool is_known = session->dataset == task->known && outcome.result != MC_ERROR_CANCELLED;
    if (is_known) follow->look = task->look;
    if (outcome.result != MC_OK) {
        if (outcome.result != MC_ERROR_CANCELLED)
            mc_session_set_message(session, outcome.error.message);
    } else if (!is_current(session, task) ||
               (task->watch_ns > 0 && task->dataset && is_disturbing(session))) {
        follow->look.size = -1; // looked at anew
    } else {
        if (follow->is_live != task->is_live) mc_session_redraw(session);
        follow->is_live = task->is_live;
        uint32_t count = mc_trace_get_nodes(session->trace)->count;
        if (task->dataset && !map_nodes(session->trace, task->dataset->trace, &map, &error)) {
            // Another recording has taken its place.
            const char *path = session->dataset->paths.items[0];
            mc_session_open(session, &path, 1, false);
        } else if (task->dataset) {
            follow->step_count = mc_trace_get_step_count(task->dataset->trace);
            task->dataset->recording = session->dataset->recording;
            (void)take_over(session, task, map, count);
        }
    }
    mc_free(map);
    destroy_task(task);
}

// ---- once a turn

// As often as steps come: what is new should not wait for long.
static uint64_t get_look_ns(const mc_session *session) {
    uint64_t pace_ns = mc_session_get_pace_ns(session);
    if (pace_ns == 0 || pace_ns / LOOKS > LOOK_MOST_NS) return LOOK_MOST_NS;
    return pace_ns / LOOKS > LOOK_LEAST_NS ? pace_ns / LOOKS : LOOK_LEAST_NS;
}

bool mc_session_begin_follow(mc_session *session) {
    const mc_session_desc *desc = session->desc;
    mc_mct_state state;
    mc_error error = {0};
    session->follow.is_on = desc->follow;
    session->follow.look.size = -1;
    if (desc->path_count == 0) return false;
    if (!desc->follow) return true;
    struct stat status;
    bool is_waiting =
        stat(desc->paths[0], &status) != 0 ||
        (mc_mct_peek(desc->paths[0], &state, &error) == MC_OK && state.step_count == 0);
    if (is_waiting) session->follow.waits_for = mc_copy_string(desc->paths[0]);
    return !session->follow.waits_for;
}

void mc_session_wait_for(mc_session *session, const char *path) {
    mc_session_follow *follow = &session->follow;
    mc_free(follow->waits_for);
    follow->waits_for = path ? mc_copy_string(path) : NULL;
    follow->is_on = follow->is_on || path;
    follow->look.size = -1;
    mc_session_redraw(session);
}

// A recording that is still to begin.
static void wait_for_first_step(mc_session *session) {
    const char *path = session->follow.waits_for;
    mc_mct_state state;
    mc_error error = {0};
    if (!has_changed(&session->follow.look, path)) return;
    if (mc_mct_peek(path, &state, &error) != MC_OK || state.step_count == 0) return;
    mc_session_open(session, &path, 1, !session->opening.has_begun);
}

void mc_session_sync_follow(mc_session *session) {
    mc_session_follow *follow = &session->follow;
    if (!follow->is_on) return;
    if (follow->is_busy) take(session);
    if (follow->is_busy || session->turn.now_ns < follow->next_ns) return;
    follow->next_ns = session->turn.now_ns + get_look_ns(session);
    if (follow->waits_for && session->work.task == MC_SESSION_IDLE) {
        wait_for_first_step(session);
        return;
    }
    if (!session->trace || is_disturbing(session) || session->dataset->paths.count != 1 ||
        !mc_mct_is_file(mc_trace_get_base(session->trace)))
        return;
    const char *path = session->dataset->paths.items[0];
    // Where steps come fast the task waits for the next one, as frames in between may take longer.
    if (mc_session_follows_fast(session))
        follow->is_busy = start(session, path, get_watch_ns(session));
    else if (has_changed(&follow->look, path))
        follow->is_busy = start(session, path, 0);
}

double mc_session_get_follow_wait_s(const mc_session *session) {
    const mc_session_follow *follow = &session->follow;
    if (!follow->is_on || follow->is_busy) return INFINITY; // the task wakes the window
    return follow->next_ns > session->turn.now_ns
               ? (double)(follow->next_ns - session->turn.now_ns) * 1e-9
               : 0;
}

// Of another trace: what is on its way is of the one before.
void mc_session_restart_follow(mc_session *session) {
    mc_session_follow *follow = &session->follow;
    if (follow->job) mc_job_cancel(follow->job);
    follow->look.size = -1;
    follow->step_count = session->trace ? mc_trace_get_step_count(session->trace) : 0;
    follow->is_live = false;
}

void mc_session_toggle_follow(mc_session *session) {
    session->follow.is_on = !session->follow.is_on;
    mc_session_set_status(session, "Following the recording: %s",
                          session->follow.is_on ? "on" : "off");
    mc_session_restart_follow(session);
}

void mc_session_end_follow(mc_session *session) {
    mc_job_destroy(session->follow.job);
    session->follow.job = NULL;
    mc_free(session->follow.waits_for);
    session->follow.waits_for = NULL;
}
