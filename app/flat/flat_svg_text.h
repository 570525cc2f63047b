// flat_svg_text.h - texts of an SVG document: straight, turned, or along an arc.
//
// Text along an arc follows a path, and can be selected and searched as text. Viewers without
// support for that (librsvg and its users) get a fallback with single letters. Threads: any.
#pragma once
#include "app/flat/flat_sheet.h"

// An attribute of that name, and its opacity: RGBA8, R in the lowest byte.
void mc_flat_svg_append_color(mc_text *out, const char *name, uint32_t color);

// A text of a finished sheet. `scope` as in mc_flat_svg_append_sheet().
void mc_flat_svg_append_text(const mc_flat_sheet *sheet, uint32_t index, const char *scope,
                             mc_text *out);
