// stage_state.h - the state of a stage (stage.h), and what cities, sunbursts and icicles have in
// common on it.
//
// A part of the stage. Functions return MC_EXIT_OK, or the exit code after saying why not.
#pragma once
#include "app/flat/flat_sheet.h"
#include "app/picture/picture_overlay.h"
#include "app/views/flat/flat_picture.h"
#include "app/views/painter/view_painter.h"

typedef struct mc_stage_desc {
    const char *const *paths;
    uint32_t path_count;
    mc_trace *trace;  // if not NULL, an open trace, which init takes over; paths then only name it
    bool keeps_trace; // ... and which the caller keeps
    const char *note; // a sentence for the legend; NULL: none
    const mc_input_options *input; // NULL: nothing can be demolished
    const mc_picture_options *picture;
    uint32_t width, height;
    // Of a sunburst or icicle; the stage adds the title. No device is needed for vectors.
    mc_flat_picture flat;
    double text_scale; // of its texts; 0: as the picture's height asks for
} mc_stage_desc;

typedef struct mc_stage {
    mc_stage_desc desc;
    const mc_picture_options *picture;
    mc_session_desc session_desc;
    mc_session *session;
    mc_city_view *city_view; // NULL: a sunburst or icicle is shown
    const mc_city *city;     // likewise
    mc_dataset *dataset;
    const mc_trace *trace;
    mc_city_desc layout;                        // metric, window and root
    mc_selection selection, opened, demolished; // from the first step on
    mc_error error;                             // of what the session misses; MC_OK: nothing
    mc_gpu *gpu;
    mc_renderer *renderer;
    mc_ui *ui; // NULL: nothing is written over the picture
    mc_view_versions uploaded;
    mc_picture_overlay *overlay; // of a city; NULL: none
    bool has_step;               // one has been set
    bool is_drawn;               // the pixels show it at rest
    uint64_t version;            // of the sheet drawn last
    uint32_t width, height;
    uint8_t *pixels; // the last picture: RGBA, width * height * 4 bytes
} mc_stage;

// Until all is found that the picture needs.
int mc_stage_rest(mc_stage *stage);
// The nodes of --select, or of the view.
int mc_stage_find_selection(mc_stage *stage);
// What --search has found.
int mc_stage_check_search(const mc_stage *stage);
