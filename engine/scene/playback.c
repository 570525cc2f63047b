#include "engine/scene/playback.h"

#include <math.h>
#include <string.h>

#define TWEEN_S 0.6

void mc_playback_init(mc_playback *playback, uint32_t first_step, uint32_t last_step) {
    memset(playback, 0, sizeof *playback);
    playback->first_step = playback->step = first_step;
    playback->last_step = last_step;
    playback->smooth = true;
    playback->step_duration_s = 0.5;
    playback->tween_elapsed_s = -1;
}

static bool show_step(mc_playback *playback, uint32_t step) {
    if (step == playback->step) return false;
    playback->step = step;
    playback->tween_s = fmin(TWEEN_S, playback->step_duration_s);
    playback->tween_elapsed_s = playback->smooth ? 0 : -1;
    return true;
}

void mc_playback_set_range(mc_playback *playback, uint32_t first_step, uint32_t last_step) {
    if (first_step == playback->first_step && last_step == playback->last_step) return;
    playback->first_step = first_step;
    playback->last_step = last_step;
    if (first_step == last_step) playback->playing = false;
    mc_playback_set_step(playback, playback->step);
    playback->tween_elapsed_s = -1;
}

bool mc_playback_set_step(mc_playback *playback, uint32_t step) {
    if (step < playback->first_step) step = playback->first_step;
    if (step > playback->last_step) step = playback->last_step;
    playback->step_elapsed_s = 0;
    return show_step(playback, step);
}

bool mc_playback_move(mc_playback *playback, int32_t steps) {
    int64_t step = (int64_t)playback->step + steps;
    if (step < playback->first_step) step = playback->first_step;
    if (step > playback->last_step) step = playback->last_step;
    return mc_playback_set_step(playback, (uint32_t)step);
}

void mc_playback_set_duration(mc_playback *playback, double step_duration_s) {
    playback->step_duration_s =
        fmax(MC_PLAYBACK_MIN_DURATION_S, fmin(step_duration_s, MC_PLAYBACK_MAX_DURATION_S));
}

void mc_playback_toggle(mc_playback *playback) {
    playback->playing = !playback->playing && playback->last_step > playback->first_step;
    playback->step_elapsed_s = 0;
    if (!playback->playing || playback->step < playback->last_step) return;
    show_step(playback, playback->first_step);
}

bool mc_playback_advance(mc_playback *playback, double elapsed_s) {
    if (playback->tween_elapsed_s >= 0) {
        playback->tween_elapsed_s += elapsed_s;
        if (playback->tween_elapsed_s >= playback->tween_s) playback->tween_elapsed_s = -1;
    }
    if (!playback->playing) return false;
    playback->step_elapsed_s += elapsed_s;
    double due = floor(playback->step_elapsed_s / playback->step_duration_s);
    if (due < 1) return false;
    playback->step_elapsed_s -= due * playback->step_duration_s;
    uint32_t count = playback->last_step - playback->first_step + 1;
    uint32_t left = playback->last_step - playback->step;
    if (due <= left) return show_step(playback, playback->step + (uint32_t)due);
    if (!playback->loop || count < 2) {
        playback->playing = false;
        return show_step(playback, playback->last_step);
    }
    uint32_t over = (uint32_t)fmod(due - left - 1, count);
    return show_step(playback, playback->first_step + over);
}

double mc_playback_get_blend(const mc_playback *playback) {
    if (playback->tween_elapsed_s < 0) return 1;
    double t = playback->tween_elapsed_s / playback->tween_s;
    return t * t * (3 - 2 * t);
}

bool mc_playback_is_tweening(const mc_playback *playback) {
    return playback->tween_elapsed_s >= 0;
}

double mc_playback_get_wait_s(const mc_playback *playback) {
    if (mc_playback_is_tweening(playback)) return 0;
    if (!playback->playing) return INFINITY;
    return fmax(playback->step_duration_s - playback->step_elapsed_s, 0);
}
