// unit_text.h - units (units.h) in words: "5,549 × { 1 OrderView, 1 ArrayList, 15 Row }, 1,449 B
// each".
//
// Everything is appended to `out`, which says if memory ran out; no line breaks. Threads: any.
#pragma once
#include "engine/analyze/causes.h"

#define MC_UNIT_TEXT_PARTS 12     // that are named where there is room
#define MC_UNIT_TEXT_PARTS_FEW 8u // likewise, in a sentence

int64_t mc_unit_get_bytes_each(const mc_growth_unit *unit);

// Objects per unit: "15", or of what is no whole number "0.97".
void mc_unit_append_number(double per_unit, mc_text *out);
// "15 Row"; before a name that begins with a number "1 × 48 B with 3 pointers".
void mc_unit_append_part(double per_unit, const mc_text *name, mc_text *out);
// "5,549 × { 1 OrderView, 15 Row … and 3 more groups }"
void mc_unit_append_formula(const mc_trace *trace, const mc_growth_unit *unit, uint32_t most_parts,
                            mc_text *out);
// The same and ", 1,449 B each", where bytes are counted.
void mc_unit_append(const mc_trace *trace, const mc_growth_unit *unit, uint32_t most_parts,
                    mc_text *out);
// In a cause's sentence: "; 5,549 × {…}, 1,449 B each". Nothing if it comes with nothing.
void mc_unit_append_of_cause(const mc_trace *trace, const mc_causes *causes, const mc_cause *cause,
                             mc_text *out);
