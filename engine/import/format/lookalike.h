// lookalike.h - what a file looks like that is of no format that is read, for messages.
//
// By its first bytes alone. Pure. Threads: any.
#pragma once
#include <stddef.h>

// "a core file or a program", with a hint on what to do where there is one; NULL: nothing known.
const char *mc_lookalike_find(const unsigned char *data, size_t size);
