// options.h - "key=value;key=value", as the agent's options and a mode's are written.
//
// Threads: any.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Copies the value of `key`, cut to fit. False: there is none, and `value` is "".
bool mc_options_get(const char *options, const char *key, char *value, size_t size);
// The value as a number of decimal digits; `otherwise`: there is none, or it is no such number.
uint64_t mc_options_get_number(const char *options, const char *key, uint64_t otherwise);
