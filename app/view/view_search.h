// view_search.h - searching keys while one types.
//
// A part of mc_view, used by the main thread, but for the index, which is the search's own.
#pragma once
#include "app/session/job.h"
#include "app/ui/ui_explore.h"
#include "engine/analyze/search.h"

typedef struct mc_view mc_view;

typedef struct mc_view_search_query {
    char text[256]; // empty: nothing is searched for
    bool is_regex;
} mc_view_search_query;

// What makes searching quick; the thread's.
typedef struct mc_view_search_index {
    mc_search *search;
    uint32_t *order; // all nodes, the largest first
} mc_view_search_index;

#define MC_VIEW_PLACE_COUNT 64

typedef struct mc_view_search {
    mc_job *job;
    mc_view_search_index index;
    mc_view_search_query wanted, found;
    uint32_t *hits; // nodes, the largest first
    uint32_t hit_count;
    uint32_t leaf_count;                 // buildings that are hits or lie in one
    uint32_t current;                    // the hit that one is at; MC_NONE: none yet
    int wanted_move;                     // once what was typed is found: -1 or 1; 0: none
    uint32_t wanted_row;                 // to be brought into view
    bool changed;                        // since the city was told
    char note[1024];                     // what is wrong with the expression
    mc_text places[MC_VIEW_PLACE_COUNT]; // of the hits on the screen, in turn
    size_t next_place;
} mc_view_search;

void mc_view_sync_search(mc_view *view);
void mc_view_take_search(mc_view *view);
void mc_view_end_search(mc_view *view);
void mc_view_fill_search(mc_view *view, mc_ui_search *model);
void mc_view_open_search(mc_view *view);
bool mc_view_close_search(mc_view *view); // false: it was not open
void mc_view_show_hit(mc_view *view, uint32_t row);
void mc_view_move_hit(mc_view *view, int way); // -1 or 1
