// size_text.h - a number of bytes as people write it: 512m, 2g, 1.5GiB, 512MB, 536870912.
//
// A single letter is what the JVM's -Xmx takes it for, a power of 1024. Threads: any.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// False: it is no size, or none from 1 byte to 2^63 - 1.
bool mc_size_parse(const char *text, uint64_t *size_bytes);
