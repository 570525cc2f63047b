// view_follow.h - what the window knows of a recording that it follows (view_follow.c).
//
// Whether the file has changed is looked at twice a second; the rest happens in a thread: opening
// it anew and laying it out. Main thread.
#pragma once
#include "app/session/job.h"
#include <sys/types.h>
#include <time.h>

typedef struct mc_view mc_view;

typedef struct mc_view_follow {
    bool is_on, is_live; // live: the recording has not ended
    mc_job *job;         // NULL: none was needed yet
    bool is_busy;
    uint64_t next_ns;        // when to look again
    struct timespec changed; // of the file, when it was looked at
    off_t size;
    uint32_t step_count; // that were taken over
} mc_view_follow;

bool mc_view_begin_follow(mc_view *view);   // at the start; false: there is nothing to open yet
void mc_view_sync_follow(mc_view *view);    // once a turn
void mc_view_restart_follow(mc_view *view); // after another trace
void mc_view_toggle_follow(mc_view *view);
void mc_view_end_follow(mc_view *view);                // waits
double mc_view_get_headroom(const mc_view *view);      // as of mc_city_desc
double mc_view_get_follow_wait_s(const mc_view *view); // until it wants to look
