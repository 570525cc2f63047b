// keys.h - maps keys to actions, by the key names in the table of actions.
//
// Letters are matched by what is printed on the key, so that B is "bird" on any keyboard; keys that
// move the camera are matched by position.
#pragma once
#include "app/session/action_id.h"
#include "app/session/facts.h"
#include "app/window/window.h"

// Keys that move the camera while they are held down, some of them with Ctrl.
typedef enum mc_viewer_move {
    MC_VIEWER_MOVE_AHEAD,
    MC_VIEWER_MOVE_LEFT,
    MC_VIEWER_MOVE_BACK,
    MC_VIEWER_MOVE_RIGHT,
    MC_VIEWER_MOVE_DOWN,
    MC_VIEWER_MOVE_UP,
    MC_VIEWER_TURN_LEFT,
    MC_VIEWER_TURN_RIGHT,
    MC_VIEWER_TILT_UP,
    MC_VIEWER_TILT_DOWN,
    MC_VIEWER_MOVE_COUNT
} mc_viewer_move;

// The action of an event of kind KEY or TEXT, and the number it is done with; MC_NO_ACTION: none.
mc_action_id mc_viewer_find_action(const mc_window_event *event, uint32_t *number);
// The move of a key; MC_VIEWER_MOVE_COUNT: none. A key that is let go ends its move with or without
// Ctrl.
mc_viewer_move mc_viewer_find_move(int key);
bool mc_viewer_move_needs_control(mc_viewer_move move);

// For the help: all keys under their headings, or those to know first. Return how many.
uint32_t mc_viewer_list_keys(mc_fact_key *keys, uint32_t capacity);
uint32_t mc_viewer_list_first_keys(mc_fact_key *keys, uint32_t capacity);
