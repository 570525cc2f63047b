// print_unit.h - a unit (units.h) as commands and the window's state say it in JSON.
//
// Threads: as print.h.
#pragma once
#include "app/print/print.h"
#include "engine/analyze/units.h"

// An object; null if `unit` is NULL. The window is that of the units.
void mc_print_unit(mc_print *print, const char *key, const mc_trace *trace, mc_step_range window,
                   const mc_units *units, const mc_growth_unit *unit);

// Of what the heap grew by; 0: it did not grow.
double mc_units_get_share(const mc_units *units, const mc_growth_unit *unit);
