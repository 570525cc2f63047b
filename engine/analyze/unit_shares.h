// unit_shares.h - a group that several units bring: which part of its increments is of which unit.
//
// A part of units.h. Method: non-negative least squares by active sets (Lawson, Hanson, "Solving
// Least Squares Problems", 1974, chapter 23), with as many unknowns as units.
#pragma once
#include <stdbool.h>
#include <stdint.h>

#define MC_UNIT_SHARES_MOST 12

// `units[k]` are the increments of one unit's base, `values` those of the group, `count` of each.
// `per_unit` gets how many objects each unit brings, 0 or more. Returns what is left unexplained,
// as a part of all that the group moves, 0 to 1. O(count * units^2 + units^4).
double mc_unit_shares_find(const double *const *units, uint32_t unit_count, const double *values,
                           uint32_t count, double *per_unit);
