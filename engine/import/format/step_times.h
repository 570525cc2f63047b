// step_times.h - the times of steps whose data has none: read from a list, or found in a text.
//
// Times are in ms; those with a date count from 1970-01-01 00:00 UTC. Dates without a zone are
// taken in the machine's own zone. Threads: any, separate objects.
#pragma once
#include "engine/base/base.h"

typedef struct mc_step_times {
    int64_t *values;
    size_t count, capacity;
} mc_step_times;

// Reads a list ("0,10s,1m,1h30m" or dates, "2024-05-01T12:00:00"; plain numbers are ms), or, if
// there is a file of that name, the file: one a line or separated by commas; # begins a remark.
// The list is to be deinitialised in any case. MC_ERROR_BAD_DATA says where what was expected.
mc_result mc_step_times_read(mc_step_times *times, const char *list_or_file, mc_error *error);
// As above, of text. `offset` in messages is that in the text.
mc_result mc_step_times_parse(mc_step_times *times, const char *text, size_t size, mc_error *error);
// One time with a unit or a date; a plain number is in ms. False: it is something else.
bool mc_step_time_parse(const char *text, size_t size, int64_t *time_ms);
void mc_step_times_deinit(mc_step_times *times);

// Reads one duration ("90s", "1h30m", "500ms"); a plain number counts in `unit_ms`. False: it is
// none.
bool mc_duration_parse(const char *text, int64_t unit_ms, int64_t *duration_ms);

// Gives steps their times: from the list if there is one, else from what their data says, else from
// the file's name, else the time of the file's last change; several in a file whose data says
// nothing are a second apart. Zero-initialise but for the list.
typedef struct mc_step_clock {
    const mc_step_times *list; // NULL: none
    size_t used;               // of the list
    int64_t last_ms;           // of the step before in the same file
} mc_step_clock;

typedef enum mc_time_origin {
    MC_TIME_FROM_LIST,
    MC_TIME_FROM_DATA,
    MC_TIME_FROM_NAME,
    MC_TIME_FROM_CHANGE,
    MC_TIME_FROM_STEP_BEFORE
} mc_time_origin;

// `data_time_ms`: NULL: it says nothing. `index`: of the step in the file. MC_ERROR_BAD_DATA if the
// list is too short. `origin` may be NULL.
mc_result mc_step_clock_get(mc_step_clock *clock, const char *path, uint32_t index,
                            const int64_t *data_time_ms, int64_t *time_ms, mc_time_origin *origin,
                            mc_error *error);
// At the end: MC_ERROR_BAD_DATA if the list is too long.
mc_result mc_step_clock_finish(const mc_step_clock *clock, mc_error *error);

// Finds the last date with a time of day in a text ("histo-20240501-120000.txt", "2024-05-01
// 12:00:00,123", "2024-05-01T12:00:00.5+02:00"), or a number that can only be seconds or
// milliseconds since 1970. False: there is none.
bool mc_step_times_find(const char *text, size_t size, int64_t *time_ms);
