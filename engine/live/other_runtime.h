// other_runtime.h - what a process that is no JVM may be, for messages: how its heap is recorded.
//
// By the program that it runs: its name, or a section that Go's linker writes. Threads: any.
#pragma once
#include <stdint.h>

// "; it is one of Go: ..."; empty: nothing known.
const char *mc_other_runtime_find(uint32_t pid);
