// picture_highlights.h - the highlights of a picture without a window: styles of buildings, search
// hits, references of the selection, or the walk to a leak's cause.
//
// Threads: the main thread.
#pragma once
#include "app/picture/picture_options.h"
#include "app/what_if.h"
#include "engine/analyze/walk.h"
#include "engine/city/frustum.h"
#include "engine/scene/root_marks.h"
#include "engine/scene/scale_marks.h"
#include "engine/scene/style_source.h"

// Zero-initialise, init, deinit.
typedef struct mc_picture_highlights {
    const mc_picture_options *picture;
    const mc_trace *trace;
    mc_city *city;
    mc_style_source *styles; // NULL: colours and heights need none
    mc_link_finder *finder;  // NULL: no references
    mc_walk walk;            // no stops: no walk
    uint32_t *hits;          // of the search, the largest first
    uint32_t hit_count;
    // What is demolished; demolisher NULL: nothing.
    mc_what_if_asker *demolisher;
    mc_what_if demolition;
    uint32_t demolished[MC_OPTION_TEXT_CAPACITY], demolished_count;
    mc_picture_selection selection;
    mc_structure selected; // the first
    // GC roots, if they are wanted.
    mc_root_groups roots;
    mc_city_markers markers;
    mc_frustums frustums;
} mc_picture_highlights;

// All but the first must outlive the highlights. `dumps` is what the trace was opened
// from, NULL: nothing can be demolished. Returns MC_EXIT_OK, or the exit code after saying
// why not.
int mc_picture_highlights_init(mc_picture_highlights *highlights, const mc_picture_options *picture,
                               const mc_trace *trace, mc_city *city,
                               const mc_picture_selection *selection, const mc_what_if_desc *dumps);
void mc_picture_highlights_deinit(mc_picture_highlights *highlights);

// Shows `step`. Shapes blend from the counts `from` to `to` (columns over buildings); for the first
// step both are the same. Puts flags and colours into `params`. Call it again after they changed.
mc_result mc_picture_highlights_set_step(mc_picture_highlights *highlights,
                                         mc_update_params *params, uint32_t step,
                                         const uint64_t *from, const uint64_t *to, bool is_first,
                                         mc_error *error);
