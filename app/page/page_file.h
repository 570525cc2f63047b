// page_file.h - a page as a file: with progress on a terminal, and a line that says what it has.
//
// Shared by `memcity page`, `report` and `gate`. Threads: the main thread.
#pragma once
#include "app/page/page_desc.h"

// Returns an exit code, after saying why not.
int mc_page_write(const mc_page_desc *desc, const char *path);
