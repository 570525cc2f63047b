// ground_text.h - a text that lies on the ground of a picture, in perspective. C and C++ alike.
#pragma once
#include <stdint.h>

// The text's own plane: u to the right from the text's middle, v up from its middle line, in pixels
// of its middle if it were seen from straight above. (u, v) is drawn at
// ((m0 u + m1 v + m2) / w, (m3 u + m4 v + m5) / w), w = m6 u + m7 v + m8.
typedef struct mc_ground_text {
    float matrix[9];
    float em, room;     // of a letter and of the whole text, in u; room 0: there is none
    uint32_t ink, halo; // RGBA8, R in the lowest byte
} mc_ground_text;
