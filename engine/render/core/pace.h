// pace.h - decides when a window's city is drawn at half its resolution: while the camera moves, if
// full frames have taken too long.
//
// Plain data; the caller passes the time in; no device. Threads: any, on separate objects.
#pragma once
#include "engine/scene/scene.h"

#define MC_PACE_SLOW_MS 25.0       // of a whole frame; longer ones are not smooth
#define MC_PACE_REST_NS 200000000u // after which a camera that does not move is at rest

typedef struct mc_pace { // zeroed: nothing is known
    mc_camera_view view;
    uint32_t width, height;
    bool has_view, has_moved, is_slow;
    uint64_t moved_ns;
    double last_whole_ms; // of the whole frame before; 0: none
} mc_pace;

// What a frame has taken. One that takes long by itself, as the first does, decides nothing.
void mc_pace_note(mc_pace *pace, bool was_half, double frame_ms);

// Shall the next frame be drawn at half the resolution? To be asked before each.
bool mc_pace_wants_half(mc_pace *pace, mc_moving moving, const mc_camera_view *view, uint32_t width,
                        uint32_t height, uint64_t now_ns);
