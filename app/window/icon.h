// icon.h - the program's icon in the sizes that window managers ask for.
//
// Drawn from the polygons of packaging/memcity.svg. Threads: any.
#pragma once
#include "engine/base/base.h"

#define MC_ICON_SIZE_MOST 128

// Draws it `size` pixels wide and high into `rgba`, which has 4 bytes a pixel. O(pixels), a few
// milliseconds for the largest.
void mc_icon_draw(uint32_t size, uint8_t *rgba);
