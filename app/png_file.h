// png_file.h - pictures as PNG: files that are whole or not there, and bytes in memory.
#pragma once
#include "engine/base/text.h"

// `rgba`: 8 bits a channel, rows from the top; stored as RGB, since pictures are opaque.
mc_result mc_png_write(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                       mc_error *error);

// The file's bytes, appended to `out`. On failure what was appended is undefined.
mc_result mc_png_append(mc_text *out, const uint8_t *rgba, uint32_t width, uint32_t height,
                        mc_error *error);
