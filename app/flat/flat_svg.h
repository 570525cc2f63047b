// flat_svg.h - a sheet's trees, lines and texts as elements of an SVG document.
//
// Real vectors, and text that can be selected, by font families. What is thinner than half a pixel
// is merged with what is beside it, so that a document's size depends on the picture's. Threads:
// any, on separate sheets.
#pragma once
#include "app/flat/flat_sheet.h"

// Appends a tree's segments to sheet->svg.
void mc_flat_svg_append_tree(mc_flat_sheet *sheet, const mc_flat_figure *figure,
                             const mc_flat_plane *plane);
// The document: background, trees, shapes, texts. `scope`: a class of its own and what names of its
// parts begin with, where it is one of several in a page; else "". MC_ERROR_OUT_OF_MEMORY.
mc_result mc_flat_svg_append_sheet(mc_flat_sheet *sheet, const char *title, const char *scope,
                                   mc_text *out, mc_error *error);
