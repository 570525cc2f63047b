// record_clock.h - the times of a recording's steps on a machine whose clock may be set meanwhile.
//
// A step's time is the wall clock at the beginning of the recording plus the time elapsed on a
// steady clock: so intervals are true, and times increase. Threads: any; all but reading the clocks
// is pure.
#pragma once
#include "engine/base/base.h"

typedef struct mc_record_clock {
    int64_t begin_ms;  // what the first step's time is counted from
    int64_t offset_ms; // of the wall clock to the steady one, as far as is known
    uint64_t begin_ns; // by the steady clock
    int64_t last_ms;   // the last time that was given
} mc_record_clock;

// Wall clock in ms since 1970, steady clock in ns since whenever, read one after the other.
typedef struct mc_record_moment {
    int64_t wall_ms;
    uint64_t steady_ns;
} mc_record_moment;

// Both now; the steady clock goes on while the machine sleeps.
mc_record_moment mc_record_moment_read(void);

// `last_ms`: of the last step of the file that is continued; INT64_MIN: it has none. Returns by how
// many ms that is not in the past: the steps go on behind it, that much later than the clock says.
int64_t mc_record_clock_begin(mc_record_clock *clock, mc_record_moment now, int64_t last_ms);

// A step's time: later than any before.
int64_t mc_record_clock_get(mc_record_clock *clock, mc_record_moment now);

// By how many ms the wall clock was set since the last call; 0 for changes of up to a second, which
// a delay between reading both clocks or a leap second may cause.
int64_t mc_record_clock_take_jump(mc_record_clock *clock, mc_record_moment now);
