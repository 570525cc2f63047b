// flat_svg.h - a sheet's trees, lines and texts as elements of an SVG document.
//
// Vectors, and selectable text in font families. Segments thinner than half a pixel are merged with
// their neighbours, so that the document's size is bounded by the picture's. Threads: any, on
// separate sheets.
#pragma once
#include "app/flat/flat_sheet.h"

// Appends a tree's segments to sheet->svg.
void mc_flat_svg_append_tree(mc_flat_sheet *sheet, const mc_flat_figure *figure,
                             const mc_flat_plane *plane);
// The document: background, trees, shapes, texts. `scope`: a class of its own and what names of its
// parts begin with, where it is one of several in a page; else "". MC_ERROR_OUT_OF_MEMORY.
mc_result mc_flat_svg_append_sheet(mc_flat_sheet *sheet, const char *title, const char *scope,
                                   mc_text *out, mc_error *error);
