// timeline_picture.h - a chart of the heap over time, with small trees of some steps above.
//
// Shared by `memcity timeline` and `memcity report`. Threads: the main thread.
#pragma once
#include "app/form.h"
#include "app/picture/stage.h"

// A few steps, evenly over the window.
mc_form_steps mc_timeline_choose_steps(mc_step_range window);

// Makes a sheet of it. `stage`: of a sunburst or icicle, composed. `steps`: within its window, one
// or more; the stage shows the last of them afterwards. Deinit the sheet in either case. Returns an
// exit code, after saying why not.
int mc_timeline_put(mc_stage *stage, const mc_form_steps *steps, bool has_title,
                    mc_flat_sheet *sheet);
