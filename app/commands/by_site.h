// by_site.h - what piles up is told by the line that allocates it, not by each path and thread
// apart.
//
// Threads: the main thread.
#pragma once
#include "app/command.h"

// A trace with call paths (classifiers Type, Site and Caller) becomes one by type and site, unless
// a grouping is wished. Returns MC_EXIT_OK, or the exit code after saying what is wrong: there is
// no trace then.
int mc_command_group_by_site(mc_trace **trace, const mc_input_options *input);
