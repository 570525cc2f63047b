// unit_name.h - by which of its groups a unit is called: a class of the program's own that comes
// once a unit.
//
// A part of units.h. Threads: any.
#pragma once
#include "engine/analyze/units.h"

// Of the unit's own parts. Classes of the program come before those of the library, these before
// the entries and arrays that containers are made of; then what comes once a unit; then a class
// before those inside it, and the one by which the most others are called (Session: SessionData,
// SessionTimer). O(parts^2).
uint32_t mc_unit_choose_name(const mc_trace *trace, const mc_growth_unit *unit);
