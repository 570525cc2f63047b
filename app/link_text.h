// link_text.h - the fields by which leaves reference each other, in words.
//
// Everything is appended to `out`, which says if memory ran out. Names are made safe to show.
// Threads: any.
#pragma once
#include "engine/analyze/links.h"

// "Shop.cache", "static Shop.MAP (weak)".
void mc_field_append_line(const mc_trace *trace, uint32_t name, bool is_weak, mc_text *out);

// ", once", ", 6,400 times".
void mc_field_append_times(uint64_t count, mc_text *out);

// "Shop.cache, 6,400 times, and 2 more fields"; nothing if no field is known.
void mc_link_append_fields(const mc_trace *trace, const mc_links *links, const mc_link *link,
                           mc_text *out);
