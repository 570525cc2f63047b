// mcp_roots.h - which files a server may open: those in the folders that its user has named.
//
// Links are followed before a path is judged, in folders as well. Threads: any.
#pragma once
#include "engine/base/text.h"

// The real path of a file or folder in one of the folders `roots`, whose real paths they are; a
// relative path begins in the first. NULL: it does not exist, or lies elsewhere, or something in it
// leads elsewhere; `error` says which. For mc_free().
char *mc_mcp_roots_find(char *const *roots, uint32_t root_count, const char *path, mc_error *error);
