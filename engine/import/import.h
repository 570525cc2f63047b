// import.h - opens a recorded trace, whatever its files look like.
//
// Accepts a file (one step, or an array of steps), a folder as AntTracks writes it, a folder of one
// of its forms with `points-to-maps/` and `pointed-from-maps/` beside the steps, or several such
// paths; plain, .gz or .zst. The form (AntTracks or default) is recognised by content. SPEC: the
// two JSON forms and their pointer maps. Heap dumps and class histograms of a JVM are recognised by
// content and are steps, too (hprof.h, histogram.h). An .mct file is recognised by content and
// opened as it is; it must be the only input. All formats: formats.h. Untrusted input: every error
// is MC_ERROR_BAD_DATA with "FILE:OFFSET: what was expected" (for a compressed file, the offset in
// its content is called "unpacked byte"). Memory, beyond the files, which are mapped: that of the
// builder and of the format's reader. Threads: reads in up to four threads of its own, at most as
// many as there are cores; `log` and `progress` are called in the calling thread. Run it in the
// background of a window.
#pragma once
#include "engine/import/format/format.h"
#include "engine/import/jvm/grouping.h"
#include "engine/trace/build/trace_builder.h"

// On failure *trace is NULL and `error` says why. `report` may be NULL.
mc_result mc_import_trace(const mc_import_desc *desc, mc_trace **trace, mc_import_report *report,
                          mc_error *error);

// Steps go to a sink instead of into a trace in memory: of as large a trace as may be, a few of
// them are in memory at a time.
mc_result mc_import_steps(const mc_import_desc *desc, const mc_import_sink *sink,
                          mc_import_report *report, mc_error *error);
