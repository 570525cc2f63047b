// export_rows.h - memcity export --rows: writes a trace as rows, or the definitions of their
// tables.
//
// Threads: the main thread.
#pragma once
#include "app/command_options.h"
#include "engine/trace/trace.h"

typedef struct mc_export_rows_options {
    bool rows, tsv, csv;
    uint32_t ddl;           // mc_row_dialect; MC_NONE: no definition, but the rows
    const char *table;      // what that is called
    const char *references; // where these go, as rows; "-": the standard output; NULL: nowhere
} mc_export_rows_options;

mc_export_rows_options mc_export_rows_options_default(void);
void mc_option_list_add_export_rows(mc_option_list *list, mc_export_rows_options *options);

// Writes to `output`, "-" or NULL being the standard output. A reader of a pipe that has seen
// enough is no error. Returns the exit code.
int mc_export_rows(const mc_trace *trace, const mc_export_rows_options *options,
                   const char *output);
