// live_session.h - a running program that an agent tells us of, recorded step by step: what `run`
// and `attach` share.
//
// The recording is an .mct file, the user's or one that goes in the end; a window follows it if
// that is wished. Threads: the main thread.
#pragma once
#include "app/options.h"
#include "engine/base/base.h"

enum { MC_LIVE_METHODS_OFF, MC_LIVE_METHODS_EXACT, MC_LIVE_METHODS_SAMPLED, MC_LIVE_METHODS_COUNT };
enum { MC_LIVE_SITES_OFF, MC_LIVE_SITES_SAMPLED, MC_LIVE_SITES_FINE, MC_LIVE_SITES_ALL };

// Zero is not what is usual: init, then add to the options.
typedef struct mc_live_options {
    const char *output; // NULL: a temporary file, and a window
    bool follow;        // a window, too
    bool quiet;
    uint32_t sites;   // MC_LIVE_SITES_*
    uint32_t methods; // MC_LIVE_METHODS_*; one of both
    bool uses_cpu, has_trivial;
    const char *include, *exclude; // patterns of classes; NULL: what is usual
    bool uses_tcp;
    uint32_t depth; // MC_NONE: what is usual
    const char *domains, *every, *duration;
    int64_t every_ms, duration_ms; // from their texts; every -1: as usual, duration -1: without end
} mc_live_options;

void mc_live_options_init(mc_live_options *options);
void mc_live_options_add(mc_live_options *options, mc_option_list *list);
// "--sites" may stand alone: then it is "--sites=sampled" from now on. Up to "--".
void mc_live_options_complete(int argc, const char **argv);
// Returns MC_EXIT_OK, or the exit code after saying what is wrong.
int mc_live_options_check(mc_live_options *options, const char *command);
// What is wished in the agent's word for it.
const char *mc_live_options_get_mode(const mc_live_options *options);
// The path of the agent's library, to `text`. MC_ERROR_UNSUPPORTED: it is not there, or not all
// that it needs for what is wished.
mc_result mc_live_options_find_agent(const mc_live_options *options, mc_text *text,
                                     mc_error *error);
// The agent's options, to `text`: "start=alloc;interval=…", without where it finds us.
void mc_live_options_append(const mc_live_options *options, mc_text *text);

typedef struct mc_live mc_live;

typedef enum mc_live_state {
    MC_LIVE_WAITS, // for an agent
    MC_LIVE_RECORDS,
    MC_LIVE_ENDED, // the agent has said goodbye, or is gone
    MC_LIVE_FAILED // the recording can't go on; said already
} mc_live_state;

typedef struct mc_live_desc {
    const mc_live_options *options;
    const char *listen; // the socket's path; NULL: one of its own
    uint16_t port;      // with TCP; 0: any
    bool is_public;     // with TCP: the user is told where, and where the secret is
    uint32_t pid;       // whose agent it has to be; 0: the first one that comes
    bool is_started;    // the agent does what it is to do by its own options
} mc_live_desc;

// To be ended in any case that left something.
mc_result mc_live_begin(const mc_live_desc *desc, mc_live **live, mc_error *error);
// What leads an agent here, in its options: "socket=…", without what it is to do.
void mc_live_append_address(const mc_live *live, mc_text *text);
// Waits for at most 100 ms, and takes what came meanwhile.
mc_live_state mc_live_turn(mc_live *live);
bool mc_live_is_over(
    const mc_live *live); // by --for, or its window was closed and was all there is
// Tells the agent to rest, and waits until it does, at most a few seconds.
void mc_live_rest(mc_live *live);
// Finishes the file, waits for the window, removes what was temporary. `code` is what the exit code
// is if nothing went wrong. NULL: just returns it.
int mc_live_end(mc_live *live, int code);
