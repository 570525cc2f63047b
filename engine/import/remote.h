// remote.h - reads steps and pointer maps from a server as if they were files.
//
// Threads: the importing thread.
#pragma once
#include "engine/import/format/format.h"

typedef struct mc_remote mc_remote;

// Reads what `file`, which is remote, stands for, by JSON's reader. The server is `*remote` if that
// is of the same address, and else becomes it. Several tabs that would do are MC_ERROR_BAD_DATA,
// and stand in the report.
mc_result mc_remote_read(mc_remote **remote, mc_import_context *context, void *reader,
                         const mc_source_file *file, mc_error *error);
void mc_remote_destroy(mc_remote *remote); // NULL is fine
