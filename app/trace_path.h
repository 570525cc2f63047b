// trace_path.h - what a trace is opened by: the path of a file or folder, or a server's address.
//
// Threads: any.
#pragma once
#include "engine/base/base.h"

// Whether there is such a file or folder; of a server that shows when it is asked.
bool mc_trace_path_is_there(const char *path);

// The absolute path, or the address as it is; the caller frees it with mc_free(). NULL: there is no
// such file, or memory is out.
char *mc_trace_path_make_whole(const char *path);

// What is shown of it where room is scarce: a part of `path`.
const char *mc_trace_path_get_label(const char *path);
