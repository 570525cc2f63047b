#include "app/session/action_looks.h"

#include "app/session/grouping.h"
#include "app/session/metrics.h"
#include "app/session/session.h"
#include "app/session/status_text.h"
#include "engine/scene/theme.h"
#include "engine/trace/regroup/sliding_window.h"
#include "engine/tree/tree.h"
#include <inttypes.h>
#include <math.h>

// One of the four of a heap, but where heights are those of methods.
void mc_action_cycle_scaling(mc_session *session) {
    bool is_of_methods = session->trace && mc_trace_get_frame_ms(session->trace) > 0;
    uint32_t count = is_of_methods ? MC_SCALING_COUNT : MC_SCALING_ELEVATION;
    session->settings.layout.scaling = (session->settings.layout.scaling + 1) % count;
}

void mc_action_group(mc_session *session, mc_action_argument argument) {
    mc_session_want_grouping(session, argument.text ? argument.text : "");
}

void mc_action_change_frame(mc_session *session, mc_action_argument argument) {
    static const double frames[] = {
        0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, MC_FRAME_WHOLE_MS / 1000};
    double *frame = &session->settings.frame_s;
    *frame = mc_session_get_next(session, frames, sizeof frames / sizeof *frames, *frame,
                                 argument.number > 0);
    if (*frame * 1000 > MC_SLIDING_WINDOW_MOST_MS)
        mc_session_set_notice(session, "Methods: how busy they were from the beginning on");
    else
        mc_session_set_notice(session, "Methods: how busy they were in the last %g s", *frame);
}

void mc_action_cycle_tiling(mc_session *session) {
    session->settings.layout.tiling = (session->settings.layout.tiling + 1) % MC_TILING_COUNT;
}

void mc_action_show_view(mc_session *session, mc_action_argument argument) {
    session->settings.view = (uint32_t)argument.number;
}

void mc_action_cycle_tree_sort(mc_session *session) {
    session->settings.tree_sort = (session->settings.tree_sort + 1) % MC_TREE_SORT_COUNT;
}

void mc_action_cycle_tree_levels(mc_session *session) {
    session->settings.tree_levels = (session->settings.tree_levels + 1) % 5;
}

void mc_action_toggle_tree(mc_session *session, uint32_t step) {
    if (!mc_form_toggle_step(&session->settings.tree_steps, step))
        mc_session_set_notice(session, "There are %d small trees, the most possible.",
                              MC_FORM_STEPS_MAX);
    else if (session->settings.view == 0)
        mc_session_set_notice(session,
                              "Small trees stand below a sunburst (Alt+2) or icicle (Alt+3).");
}

// One at a time; the same once more: none.
void mc_action_pin(mc_session *session, uint32_t step) {
    bool is_pinned = mc_settings_get_pin(&session->settings) == step;
    session->settings.pinned = (mc_form_steps){.count = 0};
    if (!is_pinned) (void)mc_form_toggle_step(&session->settings.pinned, step);
}

// Whichever is pinned, the key takes it away.
void mc_action_pin_here(mc_session *session) {
    uint32_t pinned = mc_settings_get_pin(&session->settings);
    mc_action_pin(session, pinned != MC_NONE ? pinned : session->playback.step);
    if (pinned == MC_NONE)
        mc_session_set_notice(session,
                              "Step %" PRIu32 " is pinned: others are compared with it. The same "
                              "key takes the pin away.",
                              session->playback.step);
}

// For a moment, as a rule: the window ends it with the key.
void mc_action_compare(mc_session *session) {
    bool *compares = &session->settings.compares;
    *compares = !*compares;
    uint32_t step = mc_session_get_pin(session);
    if (!*compares)
        mc_text_clear(&session->status.text);
    else if (step == MC_NONE)
        mc_session_set_status(session,
                              "This is the first step: there is no earlier one to compare with.");
    else
        mc_session_set_status(session, "Compared with step %" PRIu32 "%s", step,
                              mc_settings_get_pin(&session->settings) == step ? ", which is pinned"
                                                                              : "");
}

void mc_action_toggle_tree_here(mc_session *session) {
    mc_action_toggle_tree(session, session->playback.step);
}

void mc_action_clear_trees(mc_session *session) {
    session->settings.tree_steps = (mc_form_steps){.count = 0};
}

void mc_action_change_limit(mc_session *session, mc_action_argument argument) {
    static const double limits[] = {10, 20, 50, 100, 1000, UINT32_MAX};
    uint32_t *limit = &session->settings.layout.child_limit;
    double next = mc_session_get_next(session, limits, sizeof limits / sizeof *limits,
                                      *limit == 0 ? UINT32_MAX : *limit, argument.number == 0);
    *limit = next < UINT32_MAX ? (uint32_t)next : 0;
}

void mc_action_change_opaque_count(mc_session *session, mc_action_argument argument) {
    static const double counts[] = {0, 1, 2, 3, 5, 10, 20, 50, 100};
    uint32_t *count = &session->settings.look.opaque_count;
    *count = (uint32_t)mc_session_get_next(session, counts, sizeof counts / sizeof *counts, *count,
                                           argument.number > 0);
}

// From glass through the levels and back to it.
void mc_action_cycle_opacity(mc_session *session) {
    static const double levels[] = {0, 10, 20, 40, 70, 100};
    double now = (double)lroundf(session->settings.look.opacity * 100);
    bool is_glass = session->settings.look.opacity_mode == MC_OPACITY_GLASS;
    if (now >= 100 && !is_glass) {
        session->settings.look.opacity_mode = MC_OPACITY_GLASS;
        return;
    }
    double next =
        now < 100 ? mc_session_get_next(session, levels, sizeof levels / sizeof *levels, now, true)
                  : 0;
    session->settings.look.opacity = (float)next / 100;
    session->settings.look.opacity_mode = MC_OPACITY_PAPER;
}

void mc_action_cycle_color_mode(mc_session *session) {
    if (session->settings.view == 0)
        mc_session_cycle_color_mode(session);
    else
        mc_session_cycle_tree_color(session);
}

void mc_action_cycle_palette(mc_session *session) {
    session->settings.look.palette = (session->settings.look.palette + 1) % MC_PALETTE_COUNT;
}

void mc_action_cycle_moving(mc_session *session) {
    session->settings.moving = (session->settings.moving + 1) % MC_MOVING_COUNT;
}
