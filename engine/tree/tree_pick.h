// tree_pick.h - finds the entry of a flat tree at a position.
//
// A binary search in a level, so an entry thinner than a pixel is found like any other. Threads:
// any.
#pragma once
#include "engine/tree/tree.h"

// The entry `level` levels below `root` whose interval holds `along`, or MC_NONE. An entry without
// extent is never found. O(levels + log entries).
uint32_t mc_tree_pick(const mc_tree *tree, uint32_t root, const mc_interval *intervals,
                      uint32_t level, double along);
