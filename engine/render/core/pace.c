#include "engine/render/core/pace.h"

#include <string.h>

// A whole frame has four times as many pixels and takes at most four times as long; this much less
// than slow, so that nothing goes back and forth.
#define WHOLE_PER_HALF 4.0
#define SURE_SHARE 0.75

void mc_pace_note(mc_pace *pace, bool was_half, double frame_ms) {
    if (was_half) {
        pace->last_whole_ms = 0;
        if (frame_ms * WHOLE_PER_HALF < MC_PACE_SLOW_MS * SURE_SHARE) pace->is_slow = false;
        return;
    }
    bool was_slow = pace->last_whole_ms > MC_PACE_SLOW_MS;
    bool is_slow = frame_ms > MC_PACE_SLOW_MS;
    pace->last_whole_ms = frame_ms;
    if (was_slow == is_slow) pace->is_slow = is_slow;
}

bool mc_pace_wants_half(mc_pace *pace, mc_moving moving, const mc_camera_view *view, uint32_t width,
                        uint32_t height, uint64_t now_ns) {
    // Bits decide: what differs in nothing else is drawn coarsely once, and there is no padding.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    bool moves = pace->has_view && memcmp(view, &pace->view, sizeof *view) != 0;
    moves |= pace->has_view && (width != pace->width || height != pace->height);
    pace->view = *view;
    pace->width = width;
    pace->height = height;
    pace->has_view = true;
    if (moves) {
        pace->has_moved = true;
        pace->moved_ns = now_ns;
    }
    if (pace->has_moved && now_ns - pace->moved_ns >= MC_PACE_REST_NS) pace->has_moved = false;
    bool may = moving == MC_MOVING_HALF || (moving == MC_MOVING_AUTO && pace->is_slow);
    return may && pace->has_moved;
}
