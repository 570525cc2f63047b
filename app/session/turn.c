#include "app/session/turn.h"
#include "app/find_key.h"

#include "app/session/action.h"
#include "app/session/describe.h"
#include "app/session/follow.h"
#include "app/session/group.h"
#include "app/session/history.h"
#include "app/session/lag.h"
#include "app/session/layout.h"
#include "app/session/name_cache.h"
#include "app/session/opening.h"
#include "app/session/queries.h"
#include "app/session/saved_view.h"
#include "app/session/selection.h"
#include "app/session/status_text.h"
#include "app/session/to_linked.h"
#include "app/session/walk.h"
#include "app/session/zoom_root.h"
#include "engine/base/clock.h"
#include "engine/base/memory.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define LEAD_S (1.0 / 60) // a frame's time

static void take_preferences(mc_session *session) {
    const mc_session_desc *desc = session->desc;
    if (desc->preferences) {
        session->preferences = *desc->preferences;
        *desc->preferences = (mc_preferences){0};
    }
    session->opening.is_first = session->preferences.path && session->preferences.recent.count == 0;
    if (desc->trouble) mc_session_complain(session, desc->trouble);
    session->settings = desc->settings;
    mc_layout_options *layout = &session->settings.layout, usual = mc_settings_default().layout;
    if (!layout->metric[0]) memcpy(layout->metric, usual.metric, sizeof layout->metric);
    if (layout->scaling == MC_NONE) layout->scaling = usual.scaling;
    if (layout->tiling == MC_NONE) layout->tiling = usual.tiling;
    session->settings.selection = session->settings.tree_opened = mc_selection_of(MC_NONE);
    session->settings.demolished = mc_selection_of(MC_NONE);
    session->remembered = session->settings;
}

static mc_result create_views(mc_session *session, mc_error *error) {
    const mc_view_kind *const *kinds = session->desc->views;
    mc_result result = MC_OK;
    for (uint32_t i = 0; result == MC_OK && kinds[i]; i++) {
        assert(i < MC_VIEW_CAPACITY && strcmp(kinds[i]->name, mc_view_names[i]) == 0);
        result = kinds[i]->create(session, &session->views[i], error);
    }
    session->view = session->views[session->settings.view];
    return result;
}

mc_result mc_session_create(const mc_session_desc *desc, mc_session **out, mc_error *error) {
    *out = NULL;
    mc_session *session = mc_alloc_zero(1, sizeof *session);
    if (!session) return mc_error_out_of_memory(error);
    session->desc = desc;
    session->opening.layout = desc->settings.layout;
    session->hover.node = MC_NONE;
    session->selection.jump_elapsed_s = -1;
    session->input = (mc_session_input){.width = 1, .height = 1, .pixel_scale = 1, .text_scale = 1};
    session->turn.now_ns = mc_clock_now_ns();
    mc_session_redraw(session);
    take_preferences(session);
    mc_playback_init(&session->playback, 0, 0);
    session->viewport = (mc_camera_viewport){.width = 1, .height = 1};
    session->names = mc_name_cache_create();
    session->frame = mc_session_frame_create();
    mc_result result = session->names && session->frame
                           ? mc_job_create(desc->host.wake, &session->work.job, error)
                           : mc_error_out_of_memory(error);
    if (result == MC_OK) result = mc_session_begin_queries(session, error);
    if (result == MC_OK) result = create_views(session, error);
    if (result == MC_OK)
        *out = session;
    else
        mc_session_destroy(session);
    return result;
}

void mc_session_begin(mc_session *session) {
    const mc_session_desc *desc = session->desc;
    if (desc->path_count == 1 && !desc->follow && mc_session_is_saved_view(desc->paths[0])) {
        mc_session_open_path(session, desc->paths[0]);
    } else if (mc_session_is_pictured(session) || mc_session_begin_follow(session)) {
        mc_session_open(session, desc->paths, desc->path_count, true);
    }
}

void mc_session_destroy(mc_session *session) {
    if (!session) return;
    mc_job_destroy(session->work.job);
    mc_session_end_follow(session);
    mc_session_end_queries(session);
    mc_session_close_layout(session);
    for (uint32_t i = 0; i < MC_VIEW_CAPACITY && session->views[i]; i++)
        session->views[i]->kind->destroy(session->views[i]);
    mc_dataset_release(session->dataset);
    mc_view_file_deinit(&session->opening.view);
    mc_preferences_deinit(&session->preferences);
    mc_free(session->work.text);
    mc_free(session->message.text);
    mc_text_deinit(&session->status.text);
    mc_name_cache_destroy(session->names);
    mc_session_frame_destroy(session->frame);
    mc_free(session);
}

// ---- results

// Of a saved view, the full key; of the command line, its end will do.
static uint32_t find_wanted(mc_session *session, const char *key) {
    bool is_lenient = session->desc->is_lenient;
    uint32_t node = MC_NONE;
    mc_text text = {0}, hint = {0};
    mc_error error = {0};
    if (is_lenient)
        node = mc_trace_find_node(session->trace, key, strlen(key));
    else if (mc_find_key(session->trace, key, &node, &hint, &error) != MC_OK)
        mc_text_append_string(&hint, error.message);
    mc_text_format(&text,
                   is_lenient ? "The view's selection is not in this trace: %s"
                              : "--select: no node has the full key \"%s\"",
                   key);
    if (hint.size > 0 && !hint.failed) mc_text_format(&text, " (%s)", hint.data);
    if (node == MC_NONE && !text.failed) mc_session_complain(session, text.data);
    mc_text_deinit(&text);
    mc_text_deinit(&hint);
    return node;
}

static void select_wanted(mc_session *session) {
    const mc_session_desc *desc = session->desc;
    mc_selection *selection = &session->settings.selection;
    *selection = mc_selection_of(MC_NONE);
    for (uint32_t i = 0; i < desc->selection_key_count; i++)
        if (!mc_selection_add(selection, find_wanted(session, desc->selection_keys[i])))
            mc_session_complain(session, "--select: 16 can be selected at once");
}

// What the command line asked for beside the layout.
static void apply_first_settings(mc_session *session) {
    const mc_session_desc *desc = session->desc;
    mc_error error = {0};
    bool begins = desc->playing && !session->follow.is_on;
    if (desc->step != MC_NONE || begins) {
        mc_playback_set_step(&session->playback, desc->step != MC_NONE ? desc->step : 0);
        session->playback.tween_elapsed_s = -1;
    }
    if (desc->selection_key_count > 0) select_wanted(session);
    if (desc->opened) mc_session_find_opened(session, desc->opened, &session->settings.tree_opened);
    bool demolishes = desc->demolished && desc->demolished->count > 0;
    if (demolishes) session->asks_elsewhere = !desc->is_lenient;
    if (demolishes)
        mc_session_find_demolished(session, desc->demolished->items, desc->demolished->count,
                                   &session->settings.demolished);
    const mc_view_kind *kind = session->view->kind;
    if (desc->camera && kind->look_from &&
        kind->look_from(session->view, desc->camera, &error) != MC_OK)
        mc_session_complain(session, error.message);
    if (!desc->camera && !desc->settings.is_home) kind->go_to(session->view, &desc->settings, true);
    if (desc->playing) mc_playback_toggle(&session->playback);
}

// What another trace begins with.
static void begin_trace(mc_session *session, uint32_t skipped_count) {
    mc_session_restart_follow(session);
    mc_session_end_pending(session, false); // it was of the trace before
    if (!session->linked.keeps_history) mc_session_forget_history(session);
    mc_session_restore_wanted(session);
    if (!session->opening.has_begun) {
        session->opening.has_begun = true;
        apply_first_settings(session);
        mc_selection selection = session->settings.selection;
        mc_session_select_all(session, &selection, false);
        mc_session_show_step(session);
        if (session->desc->walks) mc_session_walk_from(session, MC_NONE);
    }
    mc_session_arrive_at_linked(session);
    mc_session_arrive_at_undone(session);
    session->exit_code = MC_EXIT_OK;
    if (session->opening.is_first)
        mc_session_set_status(session, "New here? F1 says how to read this, 1 shows %s.",
                              mc_session_has_methods(session) ? "the highest method"
                                                              : "what grew the most");
    session->opening.is_first = false;
    if (skipped_count == 0) return;
    char text[96];
    snprintf(text, sizeof text, "Left out %u bad inputs; the warnings say which.", skipped_count);
    mc_session_set_message(session, text);
}

static void say_failure(mc_session *session, const mc_error *error, bool is_opening) {
    if (error->code == MC_OK || error->code == MC_ERROR_CANCELLED) return;
    int code = mc_session_complain_of(session, error);
    if (is_opening && !session->trace) session->exit_code = code;
}

static void take_results(mc_session *session) {
    mc_job_outcome outcome;
    uint32_t skipped_count = 0;
    if (!mc_job_take(session->work.job, &outcome)) return;
    mc_session_redraw(session);
    bool is_opening = session->work.task == MC_SESSION_OPENING;
    mc_session_set_busy(session, MC_SESSION_IDLE, NULL, NULL);
    if (outcome.result != MC_OK) say_failure(session, &outcome.error, is_opening);
    if (is_opening) {
        if (mc_session_take_opened(session, &outcome, &skipped_count))
            begin_trace(session, skipped_count);
        else
            mc_session_resume_pending(session);
    } else {
        bool fits = mc_session_take_layout(session, &outcome);
        mc_session_end_pending(session, fits);
        if (fits) mc_session_frame_due(session);
        if (session->shown) mc_session_restore_wanted(session);
    }
}

// ---- a turn

static bool is_on_its_way(const mc_session *session) {
    return session->view->kind->is_moving(session->view) ||
           mc_playback_is_tweening(&session->playback) || session->selection.jump_elapsed_s >= 0 ||
           session->walk.elapsed_s >= 0;
}

bool mc_session_is_animating(const mc_session *session) {
    return session->shown &&
           (is_on_its_way(session) || session->view->kind->is_lively(session->view));
}

bool mc_session_is_idle(const mc_session *session) {
    if (mc_session_is_asking(session) || mc_job_is_busy(session->work.job)) return false;
    return session->work.task == MC_SESSION_IDLE && session->turn.frames_due == 0 &&
           !is_on_its_way(session) && !session->history.has_pending;
}

static double get_rest_s(const mc_session *session, uint64_t end_ns) {
    return end_ns > session->turn.now_ns ? (double)(end_ns - session->turn.now_ns) * 1e-9 : 0;
}

double mc_session_get_wait_s(const mc_session *session, bool is_seen) {
    double timeout = session->shown ? mc_playback_get_wait_s(&session->playback) : INFINITY;
    if (is_seen && (session->turn.frames_due > 0 || mc_session_is_animating(session))) return 0;
    if (session->message.text && session->message.is_notice)
        timeout = fmin(timeout, get_rest_s(session, session->message.end_ns));
    if (session->status.text.size > 0)
        timeout = fmin(timeout, get_rest_s(session, session->status.end_ns));
    if (session->turn.calm_ns > 0)
        timeout = fmin(timeout, get_rest_s(session, session->turn.calm_ns));
    timeout = fmin(timeout, mc_session_get_lag_wait_s(session));
    return fmin(timeout, mc_session_get_follow_wait_s(session));
}

static void advance(mc_session *session, double elapsed_s) {
    session->turn.elapsed_s = elapsed_s;
    session->playback.loop = session->settings.loop;
    session->playback.smooth = session->settings.motion;
    mc_playback_set_duration(&session->playback, session->settings.step_duration_s);
    if (!session->shown) return;
    if (mc_session_is_animating(session)) {
        mc_session_pick_again(session);
        mc_session_redraw_once(session);
    }
    session->view->kind->advance(session->view);
    if (mc_playback_advance(&session->playback, session->turn.elapsed_s))
        mc_session_redraw(session);
    if (session->selection.jump_elapsed_s >= 0) {
        session->selection.jump_elapsed_s += session->turn.elapsed_s;
        if (session->selection.jump_elapsed_s >= MC_SESSION_JUMP_S)
            session->selection.jump_elapsed_s = -1;
    }
}

void mc_session_begin_turn(mc_session *session, uint64_t now_ns) {
    take_results(session);
    mc_session_sync_follow(session);
    double elapsed_s = (double)(now_ns - session->turn.now_ns) * 1e-9;
    session->turn.now_ns = now_ns;
    advance(session, fmax(elapsed_s - session->turn.led_s, 0));
    session->turn.led_s = 0;
    session->turn.was_on_its_way = session->shown && is_on_its_way(session);
    mc_session_redraw_when_calm(session);
    mc_session_sync_lag(session);
}

// What the user has set in motion in this turn moves in its frame already. That would else show
// once more what was there before, and a frame may take long.
static void lead(mc_session *session) {
    if (!session->shown || session->turn.was_on_its_way || !is_on_its_way(session)) return;
    session->turn.led_s = LEAD_S;
    advance(session, LEAD_S);
}

// Of what a view or a command line asks for.
static void limit_steps(mc_session *session) {
    if (!session->trace || session->work.task == MC_SESSION_OPENING) return;
    uint32_t last = mc_trace_get_step_count(session->trace) - 1;
    if (mc_form_limit_steps(&session->settings.tree_steps, last))
        mc_session_set_notice(
            session, "Small trees: the steps beyond %" PRIu32 " are not in this trace.", last);
    if (mc_form_limit_steps(&session->settings.pinned, last))
        mc_session_set_notice(session, "The pinned step is not in this trace.");
    while (session->settings.pinned.count > 1) // `set` takes several
        session->settings.pinned.items[--session->settings.pinned.count] = 0;
}

void mc_session_go_on(mc_session *session) {
    session->ends = false;
}

// Who asked before it was known gets it now, unless something else was selected since.
static void select_wanted_suspect(mc_session *session) {
    const uint32_t number = session->suspects.wanted;
    if (number == 0 || !session->suspects.has_verdict) return;
    session->suspects.wanted = 0;
    mc_session_do(session, MC_ACTION_SUSPECT, number);
}

void mc_session_end_turn(mc_session *session) {
    lead(session);
    if (!session->settings.tree_pruned) session->settings.tree_opened.count = 0;
    limit_steps(session);
    mc_session_sync_group(session);
    mc_session_sync_layout(session);
    mc_session_show_step(session);
    mc_session_sync_queries(session);
    select_wanted_suspect(session);
    bool is_over = session->message.text && session->message.is_notice &&
                   session->turn.now_ns >= session->message.end_ns;
    if (is_over) {
        mc_session_set_message(session, NULL);
        mc_session_redraw(session);
    }
    mc_session_end_status(session);
    mc_session_record(session);
    if (session->work.task != MC_SESSION_IDLE) mc_session_redraw_once(session);
}

static void update_hover(mc_session *session) {
    const mc_session_input *input = &session->input;
    if (!input->is_over_picture) {
        session->hover.node = MC_NONE;
    } else if (session->hover.is_stale) {
        session->hover.is_stale = false;
        session->hover.node = session->view->kind->pick(session->view, input->x, input->y);
    }
}

void mc_session_prepare_frame(mc_session *session) {
    if (session->turn.frames_due > 0) session->turn.frames_due--;
    if (!session->shown) return;
    session->counts.blend = mc_playback_get_blend(&session->playback);
    session->view->kind->prepare(session->view);
    update_hover(session);
}
