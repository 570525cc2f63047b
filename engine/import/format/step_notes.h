// step_notes.h - reads notes on steps from a file: a line each, with a time or step, a tab, and the
// text.
//
// The first field is a step's number, or a time as mc_step_times_read() takes it, with a unit or a
// date ("90s", "2024-05-01T12:00:00"). Empty lines and lines that begin with # are skipped.
// Untrusted input: every error is MC_ERROR_BAD_DATA with file, line and column. Threads: any,
// separate objects.
#pragma once
#include "engine/trace/notes.h"

mc_result mc_note_list_read(mc_note_list *list, const char *path, mc_error *error);
// As above, of text; `path` is for messages.
mc_result mc_note_list_parse(mc_note_list *list, const char *path, const char *text, size_t size,
                             mc_error *error);
