// timeline_picture.h - a chart of the heap over time, with small trees of some steps above.
//
// Shared by `memcity timeline` and `memcity report`. Threads: the main thread.
#pragma once
#include "app/form.h"
#include "app/picture/flat_stage.h"

// A few steps, evenly over the window.
mc_form_steps mc_timeline_choose_steps(mc_step_range window);

// Puts the picture on the stage's sheet, which has been begun, and fills all of it. `steps`: within
// the stage's window, one or more. The stage shows the last of them afterwards. Returns an exit
// code, after saying why not.
int mc_timeline_put(mc_flat_stage *stage, const mc_form_steps *steps, bool has_title);
