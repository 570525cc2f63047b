// playback.h - the step that is shown, and the progress of the transition from the one before.
//
// Pure logic on elapsed time. The step itself changes at once (text shows its data); `blend` runs
// from 0 to 1 within the transition's time, eased. Threads: one object serves one thread at a time.
#pragma once
#include "engine/base/base.h"

typedef struct mc_playback {
    uint32_t first_step, last_step; // the range that is played
    uint32_t step;
    bool playing, loop;
    bool smooth;            // false: shapes jump
    double step_duration_s; // > 0

    double step_elapsed_s;  // since the step was shown; while playing
    double tween_elapsed_s; // since the tween began; < 0: at rest
    double tween_s;
} mc_playback;

#define MC_PLAYBACK_MIN_DURATION_S 0.05
#define MC_PLAYBACK_MAX_DURATION_S 5.0

void mc_playback_init(mc_playback *playback, uint32_t first_step, uint32_t last_step);

// Sets the range; a step outside becomes its nearer end, at once. Playing goes on.
void mc_playback_set_range(mc_playback *playback, uint32_t first_step, uint32_t last_step);

// Sets the step, as requested by the user; values outside the range become its ends. Returns
// whether the step changed.
bool mc_playback_set_step(mc_playback *playback, uint32_t step);
bool mc_playback_move(mc_playback *playback, int32_t steps); // relative; does not wrap
void mc_playback_set_duration(mc_playback *playback, double step_duration_s);

// Starting at the last step begins again at the first.
void mc_playback_toggle(mc_playback *playback);

// Lets `elapsed_s` pass. Returns whether the step changed; if frames are slower than steps, steps
// are left out. At the end of the range playing starts over (loop) or stops.
bool mc_playback_advance(mc_playback *playback, double elapsed_s);

// 0 to 1, eased; 1 at rest.
double mc_playback_get_blend(const mc_playback *playback);
// Whether a transition is in progress, so that the next frame looks different.
bool mc_playback_is_tweening(const mc_playback *playback);
// The time until the next step is due; 0 if frames are due anyway, INFINITY if nothing will happen.
double mc_playback_get_wait_s(const mc_playback *playback);
