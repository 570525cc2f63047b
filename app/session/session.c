#include "app/session/session.h"

#include "app/message.h"
#include "engine/base/memory.h"
#include "engine/base/printable_text.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NOTICE_S 6.0                // that good news stay
#define CALM_NS UINT64_C(150000000) // without a step, where they come fast
#define FAST_NS UINT64_C(500000000) // between steps: a city takes longer to settle

// ---- frames

uint64_t mc_session_get_pace_ns(const mc_session *session) {
    uint32_t count = session->trace ? mc_trace_get_step_count(session->trace) : 0;
    if (count < 2 || !session->follow.is_live) return 0;
    int64_t ms = mc_trace_get_step(session->trace, count - 1)->time_ms -
                 mc_trace_get_step(session->trace, count - 2)->time_ms;
    return ms > 0 && ms < INT32_MAX ? (uint64_t)ms * 1000000 : 0;
}

bool mc_session_follows_fast(const mc_session *session) {
    uint64_t pace_ns = mc_session_get_pace_ns(session);
    return session->follow.is_on && pace_ns > 0 && pace_ns < FAST_NS;
}

// Where steps come fast, the next one is not to wait for a picture of the last one to be perfect:
// further frames come with it, or when none comes.
void mc_session_redraw_found(mc_session *session) {
    if (mc_session_follows_fast(session))
        session->turn.calm_ns = session->turn.now_ns + CALM_NS;
    else
        session->turn.frames_due = 3;
}

void mc_session_redraw(mc_session *session) {
    mc_session_redraw_found(session);
    mc_session_redraw_once(session);
}

void mc_session_redraw_when_calm(mc_session *session) {
    bool is_calm =
        session->turn.now_ns >= session->turn.calm_ns || !mc_session_follows_fast(session);
    if (session->turn.calm_ns == 0 || !is_calm) return;
    session->turn.calm_ns = 0;
    session->turn.frames_due = 3;
}

// ---- messages

static void put_message(mc_session *session, const char *message, bool is_notice) {
    mc_text text = {0};
    if (message) mc_printable_append(&text, message, strlen(message));
    mc_free(session->message.text);
    session->message.text = text.data;
    session->message.is_notice = is_notice;
}

static void say(mc_session *session) {
    const mc_session_host *host = &session->desc->host;
    if (session->message.text && host->say)
        host->say(host->user, session->message.text, session->message.is_notice);
}

void mc_session_set_message(mc_session *session, const char *message) {
    put_message(session, message, false);
    say(session);
}

void mc_session_miss(mc_session *session, const mc_error *error) {
    const mc_session_host *host = &session->desc->host;
    mc_session_set_message(session, error->message);
    if (host->fail) host->fail(host->user, error);
}

bool mc_session_fail(mc_session *session, const mc_error *error) {
    session->exit_code = mc_command_fail(error);
    if (session->exit_code == MC_EXIT_OK) session->exit_code = MC_EXIT_FAILED;
    session->ends = true;
    return false;
}

void mc_session_set_notice(mc_session *session, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put_message(session, text, true);
    session->message.end_ns = session->turn.now_ns + (uint64_t)(NOTICE_S * 1e9);
    mc_session_redraw(session);
    say(session);
}

void mc_session_complain(mc_session *session, const char *message) {
    put_message(session, message, false);
    mc_message_warn("%s", message);
}

int mc_session_complain_of(mc_session *session, const mc_error *error) {
    put_message(session, error->message, false);
    return mc_command_fail(error);
}

uint64_t mc_session_read_value(mc_session *session, uint32_t step, mc_metric column,
                               uint32_t node) {
    mc_error error = {0};
    uint64_t value = 0;
    if (mc_trace_read_value(session->trace, step, column, node, &value, &error) == MC_OK)
        return value;
    if (!session->message.text) mc_session_complain(session, error.message);
    return 0;
}

void mc_session_look_at(mc_session *session, uint32_t node, mc_view_framing how) {
    if (session->shown) session->view->kind->frame(session->view, node, how);
}

void mc_session_set_viewport(mc_session *session, mc_camera_viewport viewport) {
    session->viewport = viewport;
    for (uint32_t i = 0; i < MC_VIEW_CAPACITY && session->views[i]; i++)
        session->views[i]->kind->set_viewport(session->views[i], viewport);
}

void mc_session_focus(mc_session *session, const char *field) {
    if (session->desc->host.focus) session->desc->host.focus(session->desc->host.user, field);
}

void mc_session_remember_path(mc_session *session, const char *path) {
    mc_error error = {0};
    if (mc_preferences_remember_path(&session->preferences, path, &error) != MC_OK)
        mc_message_warn("%s", error.message);
}

mc_selection mc_session_get_outer(const mc_session *session) {
    const uint32_t *parents = mc_trace_get_nodes(session->trace)->parent;
    const mc_selection *all = &session->settings.selection;
    mc_selection outer = mc_selection_of(MC_NONE);
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t up = parents[all->nodes[i]];
        while (up != MC_NONE && !mc_selection_has(all, up))
            up = parents[up];
        if (up == MC_NONE) mc_selection_add(&outer, all->nodes[i]);
    }
    return outer;
}
