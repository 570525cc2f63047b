// One way for keys, buttons and scripts to have something done.
#include "app/session/action.h"

#include "app/find_key.h"
#include "app/session/available.h"
#include "app/session/grouping.h"
#include "app/session/metrics.h"
#include "app/session/session.h"
#include "app/session/status_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const mc_action *mc_action_find(const char *name, size_t size) {
    for (uint32_t i = 0; i < mc_action_count; i++) {
        const char *known = mc_actions[i].name;
        if (known && strlen(known) == size && memcmp(known, name, size) == 0) return &mc_actions[i];
    }
    return NULL;
}

const char *mc_action_get_argument_name(const mc_action *action) {
    static const char *const names[] = {
        [MC_TAKES_NOTHING] = NULL,
        [MC_TAKES_STEP] = "K",
        [MC_TAKES_NODE] = "KEY",
        [MC_TAKES_ROW] = "ROW",
        [MC_TAKES_NUMBER] = "N",
        [MC_TAKES_TEXT] = "TEXT",
        [MC_TAKES_SETTING] = "FIELD VALUE",
    };
    return names[action->takes];
}

static bool ask_window(mc_session *session, const mc_action *action, mc_action_argument argument) {
    const mc_session_host *host = &session->desc->host;
    return host->run && host->run(host->user, action->id, argument.number);
}

// False: that is for a window, and there is none.
static bool run(mc_session *session, const mc_action *action, mc_action_argument argument) {
    if (action->needs_city && !session->shown) return true;
    if (action->takes == MC_TAKES_NOTHING) argument.number = action->value;
    const char *obstacle = mc_action_get_kind_obstacle(session, action->id);
    if (obstacle) {
        const mc_session_host *host = &session->desc->host;
        mc_session_set_status(session, "%s", obstacle);
        if (host->say) host->say(host->user, obstacle, false);
        return true;
    }
    mc_settings before = session->settings;
    uint64_t status_count = session->status.count, notice_end_ns = session->message.end_ns;
    bool is_own = action->run || action->call || action->call_index;
    if (action->run) action->run(session, argument);
    if (action->call) action->call(session);
    if (action->call_index) action->call_index(session, (uint32_t)argument.number);
    // Unless it has put it in words of its own.
    if (session->status.count == status_count && session->message.end_ns == notice_end_ns)
        mc_session_set_status_of_changes(session, "", &before, &session->settings);
    bool is_done = is_own || ask_window(session, action, argument);
    mc_session_redraw(session);
    return is_done;
}

void mc_session_do(mc_session *session, mc_action_id id, uint32_t number) {
    for (uint32_t i = 0; id != MC_NO_ACTION && i < mc_action_count; i++) {
        if (mc_actions[i].id != id) continue;
        (void)run(session, &mc_actions[i], (mc_action_argument){.number = number});
        return;
    }
}

static mc_result fail(mc_error *error, const char *expected, const char *text) {
    return mc_fail(error, MC_ERROR_BAD_DATA, "expected %s, found \"%.200s\"", expected, text);
}

static mc_result take_number(const char *text, int64_t least, int64_t most, const char *expected,
                             int64_t *number, mc_error *error) {
    char *end;
    bool is_number = text[0] >= '0' && text[0] <= '9' && strlen(text) < 12;
    *number = is_number ? strtoll(text, &end, 10) : -1;
    if (!is_number || *end != '\0' || *number < least || *number > most)
        return fail(error, expected, text);
    return MC_OK;
}

// By its full key, or by the end of it.
static mc_result take_node(mc_session *session, const char *text, int64_t *number,
                           mc_error *error) {
    uint32_t node = MC_NONE;
    mc_text hint = {0};
    mc_result result = mc_find_key(session->trace, text, &node, &hint, error);
    *number = node;
    if (result == MC_OK && node == MC_NONE && hint.size > 0 && !hint.failed)
        result =
            mc_fail(error, MC_ERROR_BAD_DATA,
                    "expected the full key of a node, found \"%.200s\" (%.300s)", text, hint.data);
    else if (result == MC_OK && node == MC_NONE)
        result = fail(error, "the full key of a node", text);
    mc_text_deinit(&hint);
    return result;
}

static mc_result take_argument(mc_session *session, const mc_action *action, const char *text,
                               mc_action_argument *argument, mc_error *error) {
    char expected[64];
    uint32_t last = session->trace ? mc_trace_get_step_count(session->trace) - 1 : 0;
    mc_settings settings = session->settings;
    argument->text = text;
    switch (action->takes) {
    case MC_TAKES_NOTHING: return text[0] ? fail(error, "nothing behind it", text) : MC_OK;
    case MC_TAKES_STEP:
        snprintf(expected, sizeof expected, "a step from 0 to %" PRIu32, last);
        return take_number(text, 0, last, expected, &argument->number, error);
    case MC_TAKES_NODE: return take_node(session, text, &argument->number, error);
    case MC_TAKES_ROW:
        return take_number(text, 0, UINT32_MAX - 1, "a row, from 0", &argument->number, error);
    case MC_TAKES_NUMBER:
        return take_number(text, 1, UINT32_MAX, "a number from 1", &argument->number, error);
    case MC_TAKES_TEXT:
        if (action->id == MC_ACTION_GROUP) return mc_session_check_grouping(session, text, error);
        return text[0] ? MC_OK : fail(error, "a text", text);
    case MC_TAKES_SETTING: {
        mc_result result = mc_settings_set(&settings, text, error);
        if (result == MC_OK) result = mc_session_check_grouping(session, settings.group_by, error);
        return result == MC_OK ? mc_session_check_metrics(session, &settings, error) : result;
    }
    }
    return MC_OK;
}

mc_result mc_session_do_text(mc_session *session, const mc_action *action, const char *text,
                             mc_error *error) {
    mc_action_argument argument = {0};
    if (action->needs_city && !session->shown)
        return mc_fail(error, MC_ERROR_BAD_DATA, "%s: no trace is open (wait idle)", action->name);
    mc_result result = take_argument(session, action, text, &argument, error);
    if (result == MC_OK && !run(session, action, argument))
        result = mc_fail(error, MC_ERROR_BAD_DATA, "%s: there is no window", action->name);
    return result;
}
