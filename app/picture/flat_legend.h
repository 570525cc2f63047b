// flat_legend.h - what the colours of a flat tree say where they are the theme's gradient.
//
// Threads: any, on separate sheets.
#pragma once
#include "app/flat/flat_sheet.h"

// Puts a title with the gradient below, and what its ends stand for, on a sheet: right-aligned at
// `right`, from `y` on, 36 units of the sheet's scale high. `is_diverging`: it begins with what
// shrank. Returns its width.
double mc_flat_legend_put(mc_flat_sheet *sheet, double right, double y, const char *title,
                          const char *none, const char *full, bool is_diverging);
