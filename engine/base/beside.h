// beside.h - files that are read since they lie beside one that was named, as a program that has
// the symbols of a profile.
//
// Threads: asking, any; the rule is set before.
#pragma once
#include <stdbool.h>

// From here on links beside a file are not followed: whoever named it may see only some folders.
void mc_beside_follow_no_links(void);
// Whether the file may be read that lies beside one.
bool mc_beside_may_read(const char *path);
