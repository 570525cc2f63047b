// mcp_cut.h - makes JSON smaller without breaking it: the largest list loses giants and its last
// items.
//
// Threads: any.
#pragma once
#include "engine/base/text.h"

// Drops items that leave no room for others (longer than half of `most`), then items from the ends
// of lists, the largest list first, until `json` has at most `most` bytes or no list has more than
// one item. Returns how many were dropped. `json` is whole and valid.
uint32_t mc_mcp_cut(mc_text *json, size_t most);
