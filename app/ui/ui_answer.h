// ui_answer.h - the panels' output: clicks, changed settings, and positions of items.
#pragma once
#include "app/session/action_id.h"
#include "app/session/settings.h"

// Where something is, for the state file.
typedef struct mc_ui_place {
    const char *name;
    float x0, y0, x1, y1;
} mc_ui_place;

#define MC_UI_PLACE_CAPACITY 64

typedef struct mc_ui_answer {
    mc_settings settings; // as the user has changed it in the panels
    mc_action_id action;  // of what was clicked; with `argument`, if it takes one
    uint32_t argument;
    mc_ui_place places[MC_UI_PLACE_CAPACITY];
    uint32_t place_count;
    // What the panels cover at the window's sides.
    float left, top, right, bottom;
    float chart_x0, chart_x1; // the first and last point of the time chart; the same: there is none
    uint32_t lit_row;         // of the references, under the pointer; MC_NONE: none
    uint32_t lit_path_row;    // likewise, of how the selection is held
    uint32_t start_row;       // of the start page, that Tab has gone to; MC_NONE: none
    uint32_t cut_words;       // of controls, that have too little room
    bool points_at_start;     // the pointer is over the rows of the start page
    bool wants_frame;         // something in the panels still moves
    bool wants_menu;          // of what was clicked, at the pointer
} mc_ui_answer;
