// print_trace.h - what several commands say of a trace in the same way.
//
// What has several forms is put in the one that is printed; the rest is put in JSON alone. Threads:
// as print.h.
#pragma once
#include "app/print/print.h"
#include "engine/analyze/root_path.h"

// Which steps of the range are incomplete, and why; as text a line behind an empty one. Nothing if
// all of them are whole.
void mc_print_incomplete(mc_print *print, const mc_trace *trace, uint32_t first_step,
                         uint32_t last_step);

// The full keys of nodes.
void mc_print_nodes(mc_print *print, const char *key, const mc_trace *trace, const uint32_t *nodes,
                    uint32_t count);

// The way from a GC root, on a line of its own; nothing if none is known.
void mc_print_root_path(mc_print *print, const char *key, const mc_trace *trace,
                        const mc_root_path *path);
