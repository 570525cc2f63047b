// city_layout.h - lays a trace out as a city.
//
// Pure CPU code, in several threads where a trace is wide. Threads: any.
#pragma once
#include "engine/city/city.h"

mc_result mc_city_create(const mc_trace *trace, const mc_city_desc *desc,
                         const mc_progress *progress, mc_city **city, mc_error *error);
// The same for a trace that continues that of `before` (mc_trace_goes_on()). If the desc differs
// from that of `before` only in the window's last step, and `before` has headroom, only the new
// steps are read; and unless a leaf outgrows its room, all unchanged columns are shared. A district
// keeps the shape that it has in `before`.
mc_result mc_city_create_next(const mc_city *before, const mc_trace *trace,
                              const mc_city_desc *desc, const mc_progress *progress, mc_city **city,
                              mc_error *error);
