// view_reach.h - what a view may open: a view comes from anywhere, as an attachment of a mail.
//
// Files and folders, read and nothing else; servers only by the user's word. Threads: any.
#pragma once
#include "app/session/view_file.h"

// Whether all that the view at `path` names may be opened. What is not there is for whoever opens
// it to say. MC_ERROR_BAD_DATA: a device, a pipe, a file of the system's own (/proc);
// MC_ERROR_UNSUPPORTED: a server, and `allows_network` is false; the user's own bookmarks may name
// one all the same. Waits for nothing but the file system.
mc_result mc_view_file_check_reach(const mc_view_file *file, const char *path, bool allows_network,
                                   mc_error *error);
