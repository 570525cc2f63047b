// action_words.h - what else people call what can be done, for whoever looks for it by name.
//
// Threads: any.
#pragma once
#include "app/session/action_id.h"

// Phrases separated by commas, in lower case; "": none.
const char *mc_action_get_words(mc_action_id id);
