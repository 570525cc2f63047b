// view_reach.h - checks what a saved view may open, as it may come from anywhere, such as a mail.
//
// A view may name files and folders, which are only read, and servers only with the user's consent.
// Threads: any.
#pragma once
#include "app/session/view_file.h"

// Checks whether everything that the view at `path` names may be opened. A missing file is no error
// here; opening it is. MC_ERROR_BAD_DATA: a device, a pipe, a file of the system's own (/proc);
// MC_ERROR_UNSUPPORTED: a server, and `allows_network` is false; the user's own bookmarks may name
// one all the same. Blocks on the file system only.
mc_result mc_view_file_check_reach(const mc_view_file *file, const char *path, bool allows_network,
                                   mc_error *error);
