// cause_units.h - which unit (units.h) a cause belongs to; suspects of one unit are one cause.
//
// A part of causes.h.
#pragma once
#include "engine/analyze/causes.h"

// Finds causes->units and each cause's unit. Of the causes of one unit those stay for which a walk
// tells who holds them; the others become what these explain. If there is none of those, one
// stays, called as unit_name.h says. Groups that several units bring are explained by each of
// these, by its share. causes->items has room for `most`. Call it before the causes are measured.
// On failure the causes are still valid.
mc_result mc_cause_units_find(const mc_trace *trace, uint32_t most, const mc_progress *progress,
                              mc_causes *causes, mc_error *error);

// The same of causes that owners tell (owner_causes.h), which stay as they are, after they were
// measured: a cause belongs to the unit of its node, unless another cause does, or the unit is of
// other objects than those that the cause retains more than before.
mc_result mc_cause_units_add_to_owned(const mc_trace *trace, const mc_progress *progress,
                                      mc_causes *causes, mc_error *error);
