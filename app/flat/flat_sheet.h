// flat_sheet.h - a picture of flat trees, lines and texts, as pixels or as an SVG document.
//
// A sheet describes its contents once; a renderer and a UI turn them into pixels, or flat_svg.h
// into vectors with selectable text. Lengths in pixels of the picture. Zero-initialise, begin, put,
// then finish, deinit. Putting never fails: finish reports if memory ran out. Threads: any, on
// separate sheets.
#pragma once
#include "engine/scene/drawing.h"
#include "engine/scene/flat_pane.h"
#include "engine/scene/flat_scene.h"
#include "engine/trace/trace.h"

typedef struct mc_flat_sheet {
    uint32_t width, height;
    float scale; // of text, 1 on a plain screen
    bool is_vector;
    mc_theme theme;
    bool failed; // no memory
    // Texts and shapes; pointers are settled when all is there.
    mc_drawn_text *texts;
    mc_drawn_shape *shapes;
    size_t *text_places, *point_places; // where their strings and points begin
    float *points;
    mc_text strings;
    size_t text_capacity, shape_capacity, text_place_capacity, point_place_capacity, point_capacity;
    uint32_t text_count, shape_count;
    size_t point_count;
    // Trees, as strips.
    mc_flat_plane *planes;
    mc_flat_mark *marks;
    float *sums, *spans;
    size_t plane_capacity, mark_capacity, sum_capacity, span_capacity;
    size_t sum_count, span_count; // texels
    uint32_t plane_count, mark_count;
    mc_strips strips; // scratch
    mc_text svg;      // or as elements
} mc_flat_sheet;

// The scale of text in a picture `height` pixels high.
float mc_flat_sheet_get_scale(uint32_t height);

// `dark`: the theme. Forgets what was put on it before, and keeps the memory.
void mc_flat_sheet_begin(mc_flat_sheet *sheet, uint32_t width, uint32_t height, bool is_vector,
                         const mc_theme *theme);
void mc_flat_sheet_deinit(mc_flat_sheet *sheet);

// Colours of text and lines; RGBA8.
typedef enum mc_flat_ink {
    MC_INK_TEXT,
    MC_INK_MUTED,
    MC_INK_FAINT,
    MC_INK_LINE,
    MC_INK_FILL,
    MC_INK_COUNT
} mc_flat_ink;
uint32_t mc_flat_sheet_get_ink(const mc_flat_sheet *sheet, mc_flat_ink ink);

// Strings and points are copied.
void mc_flat_sheet_put_text(mc_flat_sheet *sheet, const mc_drawn_text *text);
void mc_flat_sheet_put_shape(mc_flat_sheet *sheet, const mc_drawn_shape *shape);

#define MC_FLAT_NAME_SIZE 12.0 // of names in segments, an em

// A tree on a sheet: flat_figure.h puts it there.
typedef struct mc_flat_figure {
    const mc_flat_pane *pane;
    const mc_trace *trace;
    const mc_metric_info *metric; // of the values
    double blend;
    uint32_t form; // MC_FLAT_*
    double bend;   // of MC_FLAT_BENT: 0 an icicle, 1 a sunburst
    mc_flat_rect rect;
    double share;
    bool has_names;
    const uint32_t *selected; // entries with a frame
    uint32_t selected_count;
} mc_flat_figure;

// A tree: its strips, copied, and where it is; *plane gets their place.
void mc_flat_sheet_put_strips(mc_flat_sheet *sheet, const mc_strips *strips, mc_flat_plane *plane);
void mc_flat_sheet_add_mark(mc_flat_sheet *sheet, const mc_flat_mark *mark);
// A frame around an entry of a pane in a plane of it (mc_flat_pane_get_mark).
void mc_flat_sheet_put_mark(mc_flat_sheet *sheet, const mc_flat_pane *pane,
                            const mc_flat_plane *plane, uint32_t entry, const float color[3],
                            double width);

// Once everything is on it. MC_ERROR_OUT_OF_MEMORY: something is not.
mc_result mc_flat_sheet_finish(mc_flat_sheet *sheet, mc_error *error);

// What is on it, for a renderer and a UI; valid until more is put on it. `version` as in
// mc_flat_scene.
mc_flat_scene mc_flat_sheet_get_scene(const mc_flat_sheet *sheet, uint64_t version);
mc_drawing mc_flat_sheet_get_drawing(const mc_flat_sheet *sheet);
