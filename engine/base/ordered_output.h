// ordered_output.h - several threads write parts of an output, which are passed on in the order of
// the parts.
//
// One thread writes each part, and parts are begun in order. The current part is passed on as it
// grows; threads with later parts buffer them up to a limit, then wait. Threads: any number, one
// per part; the sink is called by one at a time.
#pragma once
#include "engine/base/text.h"
#include <pthread.h>

typedef struct mc_output_sink {
    bool (*write)(void *user, const char *bytes, size_t size); // false: it failed
    void *user;
} mc_output_sink;

typedef struct mc_ordered_output {
    mc_output_sink sink;
    size_t turn;     // the part that may be passed on
    bool has_failed; // nothing is written any more
    pthread_mutex_t mutex;
    pthread_cond_t has_changed;
} mc_ordered_output;

// MC_ERROR_OUT_OF_MEMORY: nothing is there to be deinitialised.
mc_result mc_ordered_output_init(mc_ordered_output *output, mc_output_sink sink, mc_error *error);
void mc_ordered_output_deinit(mc_ordered_output *output);

// Passes on what `text` holds of `part`, and clears it, if it is the part's turn, or once it is.
// Below MC_OUTPUT_KEPT_SIZE it does not wait. False: it failed, here or elsewhere.
#define MC_OUTPUT_KEPT_SIZE ((size_t)16 << 20)
bool mc_ordered_output_pass(mc_ordered_output *output, size_t part, mc_text *text);
// The same of what is left, in any case, and it is the next part's turn.
bool mc_ordered_output_end(mc_ordered_output *output, size_t part, mc_text *text);
// A part will not come: nobody waits for it. Returns false.
bool mc_ordered_output_fail(mc_ordered_output *output);
