// live_recording.h - turns an agent's events on one subject, sites or methods, into steps of a
// file.
//
// Threads: the main thread.
#pragma once
#include "app/record/live_options.h"
#include "app/record/live_output.h"
#include "engine/live/agent/agent_names.h"

struct mc_site_steps;
struct mc_method_steps;

// Zero-initialise but for `output.claim.lock`, which is -1; begin, end.
typedef struct mc_live_recording {
    struct mc_site_steps *sites; // one of both: what is recorded
    struct mc_method_steps *methods;
    mc_step_tree tree;
    mc_live_output output;
    uint64_t heap_limit; // of steps to come, in bytes; 0: not known
} mc_live_recording;

// Options and names outlive it; names take events first.
mc_result mc_live_recording_begin(mc_live_recording *recording, mc_live_subject subject,
                                  const mc_live_options *options, const mc_agent_names *names,
                                  mc_error *error);
// Call it before the names take the event: makes a step if one is due.
mc_result mc_live_recording_make_step(mc_live_recording *recording, const mc_agent_event *event,
                                      mc_error *error);
mc_result mc_live_recording_take(mc_live_recording *recording, const mc_agent_event *event,
                                 mc_error *error);
// Nothing more has come yet: who watches need not wait for the next batch.
mc_result mc_live_recording_take_waiting(mc_live_recording *recording, mc_error *error);
// What no step has yet becomes one if `takes_rest`; then the file is finished, if it has any.
mc_result mc_live_recording_finish(mc_live_recording *recording, bool takes_rest, mc_error *error);
void mc_live_recording_end(mc_live_recording *recording);
