// film.h - plays a window of steps into a video file.
//
// Threads: the main thread.
#pragma once
#include "app/command.h"

// The subject of a video: a city, a flat tree. Its functions return MC_EXIT_OK, or the exit code
// after printing why not.
typedef struct mc_film_subject {
    void *user;
    mc_step_range window;
    uint32_t width, height; // even
    int (*set_step)(void *user, uint32_t step);
    // `blend` 0 to 1: how far it is from the step before to this one. *rgba is the picture, valid
    // until the next one.
    int (*draw)(void *user, double blend, const uint8_t **rgba);
} mc_film_subject;

typedef struct mc_film {
    const char *output; // NULL: not said
    double step_duration_s;
    bool progress; // each frame as a line on stdout
} mc_film;

#define MC_FILM_STEP_DURATION_S 0.5 // the default

void mc_option_list_add_film(mc_option_list *list, mc_film *film);
// Returns MC_EXIT_OK, or the exit code after saying what is wrong.
int mc_film_check(const mc_film *film);
int mc_film_check_size(uint32_t width, uint32_t height);

uint64_t mc_film_get_frame_count(const mc_film *film, mc_step_range window);
// Plays the steps as the program's window does, one frame after another, and holds the last one.
// Returns MC_EXIT_OK, or the exit code after saying why not; then there is no file.
int mc_film_make(const mc_film *film, const mc_film_subject *subject);
