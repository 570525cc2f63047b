// flat_title.h - the title of a picture of a sunburst or icicle, and what its colours mean, as
// vectors like the tree below.
//
// Threads: the session's.
#pragma once
#include "app/flat/flat_sheet.h"
#include "app/session/session.h"

// The height that it takes, times the sheet's scale: a line more where the ends of two traces
// differ, at whatever step.
double mc_flat_title_get_height(const mc_trace *trace);

// Puts it at a place of the sheet: the trace's name, the part shown, its value at the step and the
// step's time; without a step, the metric and the time window.
void mc_flat_title_put(mc_session *session, mc_flat_sheet *sheet, float x, float y, bool has_step);
