// session_turns.h - a session without a window: its turns, and what it does by name.
#pragma once
#include "app/session/action.h"
#include "app/session/describe.h"
#include "app/session/turn.h"
#include "engine/base/clock.h"
#include "tests/test.h"
#include <string.h>
#include <time.h>

#define MOST_TURNS 200000

static uint64_t now_ns; // time goes by a sixtieth of a second a turn, however long one takes

static inline void turn(mc_session *session) {
    now_ns += 16666667;
    mc_session_begin_turn(session, now_ns);
    mc_session_end_turn(session);
    bool is_due = session->turn.frames_due > 0;
    if (is_due) {
        mc_facts facts;
        mc_session_prepare_frame(session);
        mc_session_fill_facts(session, &facts);
    }
    // While a thread works, frames show its progress, as many as there is time for.
    if (!is_due || session->work.task != MC_SESSION_IDLE)
        nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
}

static inline void settle(mc_session *session) {
    int turns = 0;
    do {
        turn(session);
    } while (!mc_session_is_idle(session) && ++turns < MOST_TURNS);
    CHECK(turns < MOST_TURNS);
}

// Opens what `desc` names, in a picture 1200 pixels wide.
static inline mc_session *begin_session(const mc_session_desc *desc, uint32_t height) {
    mc_session *session;
    mc_error error = {0};
    REQUIRE(mc_session_create(desc, &session, &error) == MC_OK);
    now_ns = mc_clock_now_ns();
    session->input.width = 1200;
    session->input.height = height;
    mc_session_begin(session);
    settle(session);
    return session;
}

static inline void do_text(mc_session *session, const char *name, const char *argument) {
    mc_error error = {0};
    const mc_action *action = mc_action_find(name, strlen(name));
    REQUIRE(action);
    CHECK_MSG(mc_session_do_text(session, action, argument, &error) == MC_OK, "%s %s: %s", name,
              argument, error.message);
    settle(session);
}
