// options.h - "key=value;key=value", as the agent's options and a mode's are written.
//
// Threads: any.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Copies the value of `key`, cut to fit. False: there is none, and `value` is "".
bool mc_options_get(const char *options, const char *key, char *value, size_t size);
// What a mode is told that starts with the agent: of the `index`-th "start=MODE" what stands
// between it and the next one; all, where there is one mode alone. The caller frees it. NULL: there
// is no such mode, or memory is out.
char *mc_options_copy_start(const char *options, uint32_t index);
// The value as a number of decimal digits; `otherwise`: there is none, or it is no such number.
uint64_t mc_options_get_number(const char *options, const char *key, uint64_t otherwise);
