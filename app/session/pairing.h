// pairing.h - what is shown of a pair, and how its steps are aligned.
//
// A part of the session, used by its thread.
#pragma once
#include "app/session/session.h"

// The metric with the values that a group's figures have: A's where A alone is shown, otherwise
// B's; of a single trace it is the same.
mc_metric mc_session_get_told_metric(const mc_session *session, mc_metric metric);
// Cycles what is shown of a pair: the difference, A, B, both.
void mc_session_show_next_of_pair(mc_session *session);
// Sets the alignment: "step", "time", "end", "3:12"; "": the next of the first three. Reports what
// is wrong with it.
void mc_session_align(mc_session *session, const char *text);
// Shifts the steps of A against those of B by one.
void mc_session_shift_alignment(mc_session *session, int by);
