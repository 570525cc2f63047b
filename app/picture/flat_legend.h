// flat_legend.h - the legend of a flat tree coloured by the theme's gradient.
//
// Threads: any, on separate sheets.
#pragma once
#include "app/flat/flat_sheet.h"

// Puts a title, the gradient below it and the meaning of its ends on a sheet: right-aligned at
// `right`, from `y` on, 36 units of the sheet's scale high. `is_diverging`: the gradient begins
// with shrinkage. Returns its width.
double mc_flat_legend_put(mc_flat_sheet *sheet, double right, double y, const char *title,
                          const char *none, const char *full, bool is_diverging);
