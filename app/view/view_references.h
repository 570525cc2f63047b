// view_references.h - what keeps the selection alive and what it keeps alive, in a table and in the
// picture.
//
// A part of mc_view, used by the main thread, but for the finder, which is the search's own.
#pragma once
#include "app/session/job.h"
#include "app/ui/ui_explore.h"
#include "engine/analyze/links.h"
#include "engine/city/frustum.h"
#include "engine/render/renderer.h"

typedef struct mc_view mc_view;

// What the references that are shown were found for.
typedef struct mc_view_reference_query {
    uint32_t node, step; // node MC_NONE: nothing
    bool incoming, outgoing, ascending;
    uint32_t most, sort_column;
} mc_view_reference_query;

typedef struct mc_view_references {
    mc_job *job;
    mc_link_finder *finder; // the thread's
    mc_view_reference_query wanted, found;
    mc_links links;       // of `found`, strongest first
    uint32_t *order;      // the table's rows: indices into them
    uint32_t version;     // another one, other links
    uint32_t total_count; // of both directions, before the filter
    uint32_t lit_link;    // index of the link that is under the pointer, by whichever way
    char note[160];
} mc_view_references;

typedef struct mc_view_frustum_key {
    const void *city, *from, *to;
    uint32_t version, walk_version;
    bool arcs;
} mc_view_frustum_key;

// The references in the picture.
typedef struct mc_view_frustums {
    mc_frustums frustums;
    mc_view_frustum_key key; // what they were made for
    uint32_t emphasised;     // link
    uint32_t hovered;        // frustum under the pointer
    double time_s;           // of the arrows
} mc_view_frustums;

void mc_view_sync_references(mc_view *view);
void mc_view_take_references(mc_view *view);
void mc_view_end_references(mc_view *view);
void mc_view_fill_references(mc_view *view, mc_ui_references *model);
void mc_view_show_partner(mc_view *view, uint32_t row);
void mc_view_show_strongest(mc_view *view, mc_link_direction direction);
void mc_view_change_most_references(mc_view *view, bool more);

// Of the reference under the pointer, in the picture; false: there is none.
bool mc_view_show_pointed_partner(mc_view *view);
bool mc_view_append_pointed_link(mc_view *view, mc_text *path, mc_text *text);

// view_frustums.c: the references in the picture.
void mc_view_update_frustums(mc_view *view);            // before a frame
uint32_t mc_view_get_pointed_link(const mc_view *view); // index of the link; MC_NONE: none
bool mc_view_has_moving_arrows(const mc_view *view);
void mc_view_fill_frustum_scene(mc_view *view, mc_scene *scene);
void mc_view_drop_frustums(mc_view *view);
