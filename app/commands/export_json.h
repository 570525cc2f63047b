// export_json.h - a trace as the files of AntTracks' JSON forms, laid out as AntTracks does it.
//
// Exporting in the form that the trace came in restores the input. The other form keeps as much as
// it can: the AntTracks form has no display names. Threads: any, on separate folders.
#pragma once
#include "engine/trace/trace.h"

typedef enum mc_export_format { MC_EXPORT_ANTTRACKS, MC_EXPORT_DEFAULT } mc_export_format;

typedef struct mc_export_report {
    uint32_t file_count;
    uint32_t other_file_count; // that lay in the same folders and are read with those written
    uint64_t lost_name_count;  // of nodes and steps, whose display name the form can't hold
} mc_export_report;

// Writes FOLDER/anttracks-format/TIME.json, or FOLDER/default-format/TIME.json, and the pointer
// maps in points-to-maps/ and pointed-from-maps/ beside the steps. Makes folders that are not
// there; each file is whole or not there. MC_ERROR_UNSUPPORTED for what the form can't hold at all:
// a name that is no UTF-8, two nodes of one full key.
mc_result mc_export_json(const mc_trace *trace, mc_export_format format, const char *folder,
                         const mc_progress *progress, mc_export_report *report, mc_error *error);
