// ui_caption_model.h - the model of the overlay of a picture without panels: names, a title, the
// legend.
//
// Read by C and C++ alike. Strings are UTF-8, belong to the caller and live for one frame. Colours
// are RGBA8 with R in the lowest byte.
#pragma once
#include "app/session/facts.h"
#include "app/ui/ui_answer.h"
#include "app/ui/ui_dialog_model.h"
#include "engine/scene/drawing.h"

#define MC_UI_CAPTION_COLOR_COUNT 12

typedef struct mc_ui_caption_color {
    uint32_t color;
    const char *text; // of a gradient NULL between its ends
    bool is_line;     // of a reference, else of an area
} mc_ui_caption_color;

typedef struct mc_ui_caption {
    const mc_fact_label *labels; // most important ones first; later ones give way
    uint32_t label_count;
    const char *title; // NULL: names only
    const char *subtitle;
    const char *note;                    // a remark of some lines; NULL: none
    const char *color_title;             // NULL: colours mean nothing
    const mc_ui_caption_color *gradient; // evenly spaced; NULL: none
    uint32_t gradient_count;
    const mc_ui_caption_color *colors; // one below the other
    uint32_t color_count;
    const mc_drawing *drawing; // below all of the above; NULL: none
    // Of what a session shows: the window's legend instead of colours; a flat view's title and
    // legend are rows above it.
    const mc_fact_legend *legend; // NULL: none
    bool is_flat;
} mc_ui_caption;
