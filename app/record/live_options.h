// live_options.h - the options of `run` and `attach`: what to record of a program, and how.
//
// Threads: the main thread.
#pragma once
#include "app/options.h"
#include "engine/base/base.h"

enum { MC_LIVE_METHODS_OFF, MC_LIVE_METHODS_EXACT, MC_LIVE_METHODS_SAMPLED, MC_LIVE_METHODS_COUNT };
enum { MC_LIVE_SITES_OFF, MC_LIVE_SITES_SAMPLED, MC_LIVE_SITES_FINE, MC_LIVE_SITES_ALL };

typedef enum mc_live_subject {
    MC_LIVE_OF_SITES,
    MC_LIVE_OF_METHODS,
    MC_LIVE_SUBJECT_COUNT
} mc_live_subject;

// Zeroed is not the default: init, then add to the options.
typedef struct mc_live_options {
    const char *output; // NULL: a temporary file, and a window
    bool follow;        // a window, too
    bool quiet;
    uint32_t sites;   // MC_LIVE_SITES_*
    uint32_t methods; // MC_LIVE_METHODS_*; one of both, or both
    bool uses_cpu, has_trivial;
    const char *include, *exclude; // patterns of classes; NULL: what is usual
    bool uses_tcp;
    uint32_t depth; // MC_NONE: what is usual
    const char *domains, *every, *duration, *collections;
    int64_t every_ms, duration_ms; // from their texts; every -1: as usual, duration -1: without end
    int64_t gc_ms;                 // of collections that are asked for; 0: never, -1: what is usual
} mc_live_options;

void mc_live_options_init(mc_live_options *options);
void mc_live_options_add(mc_live_options *options, mc_option_list *list);
// "--sites" may stand alone: then it is "--sites=sampled" from now on. Up to "--".
void mc_live_options_complete(int argc, const char **argv);
// Returns MC_EXIT_OK, or the exit code after saying what is wrong.
int mc_live_options_check(mc_live_options *options, const char *command);
bool mc_live_options_has(const mc_live_options *options, mc_live_subject subject);
// A step at least so often.
int64_t mc_live_options_get_every_ms(const mc_live_options *options, mc_live_subject subject);
// The requested mode, in the agent's term.
const char *mc_live_options_get_mode(const mc_live_options *options, mc_live_subject subject);
// The path of the agent's library, to `text`. MC_ERROR_UNSUPPORTED: it is not there, or not all
// that it needs for what is asked for.
mc_result mc_live_options_find_agent(const mc_live_options *options, mc_text *text,
                                     mc_error *error);
// The agent's options, to `text`: "start=alloc;interval=…", without where it finds us; of both, one
// behind the other.
void mc_live_options_append(const mc_live_options *options, mc_text *text);
void mc_live_options_append_of(const mc_live_options *options, mc_live_subject subject,
                               mc_text *text);
