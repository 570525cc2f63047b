// time_rows.h - sums up the time that threads spent in methods, until it is sent as TIME frames.
//
// Rows are summed by method and thread, so a slow viewer gets fewer rows with larger values.
// Threads: any, as it has a lock; it is never held while a row is sent for long.
#pragma once
#include "agent/native/agent.h"
#include "engine/base/slots.h"
#include <pthread.h>

typedef struct mc_time_row {
    uint32_t method, thread; // numbers of names.h; a method of 0 is no row
    uint64_t ns, calls;
} mc_time_row;

typedef struct mc_time_rows { // zero-initialise but for the lock; deinit
    pthread_mutex_t mutex;
    mc_time_row *rows;
    size_t capacity;
    mc_slots slots;   // of rows by method and thread
    uint64_t from_ns; // since when rows were added
    uint64_t lost;    // rows that there was no memory for
} mc_time_rows;

void mc_time_rows_begin(mc_time_rows *rows, uint64_t now_ns); // forgets what is there
void mc_time_rows_add(mc_time_rows *rows, mc_time_row row);
// Appends TIME frames of all rows whose names the viewer knows, and forgets those. Always one at
// least, so that the viewer sees time pass.
void mc_time_rows_flush(mc_time_rows *rows, mc_agent_how how, mc_frames *out, uint64_t now_ns);
void mc_time_rows_deinit(mc_time_rows *rows);
