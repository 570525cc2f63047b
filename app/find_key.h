// find_key.h - finds the node that the user names on the command line.
//
// A node is named by its full key, or by an end of it that is unique: "LinkedList",
// "java.util.LinkedList" and "java.util#LinkedList" name Heap#java.util#LinkedList. Threads: any.
#pragma once
#include "engine/trace/trace.h"

// Whether a full key ends in the `size` bytes at `key`, behind a '#'; in `key` '.' and '/' may
// stand for one, too.
bool mc_key_ends_in(const mc_text *full, const char *key, size_t size);

// MC_NONE: no node, or several; `hint` then lists the nodes that may have been meant, or is left
// unchanged. O(1) for a full key, else as mc_search_find(). Only running out of memory fails.
mc_result mc_find_key(const mc_trace *trace, const char *key, uint32_t *node, mc_text *hint,
                      mc_error *error);
