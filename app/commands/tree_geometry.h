// tree_geometry.h - a sunburst or icicle as text: each group's begin, end and name.
//
// Threads: the main thread.
#pragma once
#include "app/picture/stage.h"

// Prints what the prepared stage shows, level by level. Of one trace TSV has the full key, how many
// groups an Other stands for, the level, from and to; of two also what it is in A and in B, and
// which of them has it. JSON says so by name, and has the values of one trace, too. O(nodes).
int mc_tree_geometry_print(const mc_stage *stage, bool json);
