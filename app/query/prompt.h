// prompt.h - lines of SQL from a terminal, with history and completion where libedit is there.
//
// The history lies in the user's own folder (user_files.h) and only there. Threads: the main
// thread.
#pragma once
#include "engine/base/text.h"

typedef struct mc_query_prompt mc_query_prompt;

mc_query_prompt *mc_query_prompt_create(void);         // NULL: out of memory
void mc_query_prompt_destroy(mc_query_prompt *prompt); // NULL is fine; stores the history

// Reads a line into `line`, without its end. False: the user has ended it (Ctrl+D). Ctrl+C gives an
// empty line and sets `*is_interrupted`.
bool mc_query_prompt_read(mc_query_prompt *prompt, const char *text, mc_text *line,
                          bool *is_interrupted);
// What was typed is remembered as one entry.
void mc_query_prompt_remember(mc_query_prompt *prompt, const char *statement);
