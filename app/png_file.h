// png_file.h - pictures as PNG: files that are whole or not there, and bytes in memory.
#pragma once
#include "engine/base/text.h"

// `rgba`: 8 bits a channel, rows from the top; stored as RGB, since pictures are opaque.
mc_result mc_png_write(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                       mc_error *error);

typedef struct mc_png {
    uint32_t width, height;
    uint8_t *rgba; // rows from the top
} mc_png;

// Reads a picture of any kind as RGBA, 8 bits a channel, sRGB; one of 2^28 pixels at most. Deinit
// in either case. MC_ERROR_BAD_DATA: no PNG, or a damaged one.
mc_result mc_png_read(const char *path, mc_png *png, mc_error *error);
void mc_png_deinit(mc_png *png);

// The file's bytes, appended to `out`. On failure what was appended is undefined.
mc_result mc_png_append(mc_text *out, const uint8_t *rgba, uint32_t width, uint32_t height,
                        mc_error *error);
