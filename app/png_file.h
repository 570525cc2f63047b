// png_file.h - writes a picture as a PNG file, whole or not at all.
#pragma once
#include "engine/base/base.h"

// `rgba`: 8 bits a channel, rows from the top; stored as RGB, since pictures are opaque.
mc_result mc_png_write(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                       mc_error *error);
