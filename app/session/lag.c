#include "app/session/lag.h"

#include "app/format.h"
#include <math.h>
#include <stdio.h>
#include <time.h>

#define LATE_NS UINT64_C(500000000) // that it has to lag for before it is said
#define SECONDS_MS 5000.0           // from where on nothing came, rather than late
#define MOST_MS 60000.0

static double get_wall_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static bool is_measured(const mc_session *session) {
    if (!session->shown || !session->follow.is_on || !session->follow.is_live ||
        !mc_session_has_methods(session))
        return false;
    uint32_t last = mc_trace_get_step_count(session->trace) - 1;
    return session->playback.step == last && !session->playback.playing &&
           mc_format_is_date(mc_trace_get_step(session->trace, last)->time_ms);
}

static double get_age_ms(const mc_session *session, uint32_t step) {
    return get_wall_ms() - (double)mc_trace_get_step(session->trace, step)->time_ms;
}

// What is said changes with it: tenths of a second, then seconds, then no more.
static uint32_t get_said(double lag_ms) {
    if (lag_ms < SECONDS_MS) return (uint32_t)(lag_ms / 100);
    return 100 + (uint32_t)(fmin(lag_ms, MOST_MS) / 1000);
}

void mc_session_sync_lag(mc_session *session) {
    mc_session_lag *lag = &session->follow.lag;
    bool was_late = lag->is_late;
    uint32_t said = get_said(lag->ms);
    lag->ms = is_measured(session) ? fmax(get_age_ms(session, session->playback.step), 0) : 0;
    if (lag->ms <= MC_LAG_FINE_MS) lag->fine_ns = session->turn.now_ns;
    lag->is_late = session->turn.now_ns - lag->fine_ns > LATE_NS;
    if (lag->is_late != was_late || (lag->is_late && get_said(lag->ms) != said))
        mc_session_redraw_once(session);
}

double mc_session_get_lag_wait_s(const mc_session *session) {
    const mc_session_lag *lag = &session->follow.lag;
    if (!lag->is_late || lag->ms >= MOST_MS) return INFINITY;
    return lag->ms < SECONDS_MS ? 0.1 : 1;
}

bool mc_session_describe_lag(const mc_session *session, char *out, size_t size) {
    const mc_session_lag *lag = &session->follow.lag;
    if (!lag->is_late) return false;
    if (lag->ms < SECONDS_MS)
        snprintf(out, size, "lags by %.1f s", fmax(lag->ms, 200) / 1000);
    else if (lag->ms < MOST_MS)
        snprintf(out, size, "nothing came for %.0f s", floor(lag->ms / 1000));
    else
        snprintf(out, size, "nothing came for a minute");
    return true;
}

double mc_session_take_latency(mc_session *session) {
    mc_session_lag *lag = &session->follow.lag;
    uint32_t step = session->counts.step, before = lag->drawn_step;
    bool is_new = is_measured(session) && session->playback.step == step && step != before;
    if (!is_new) return -1;
    lag->drawn_step = step;
    return before < step ? get_age_ms(session, before) : -1;
}
