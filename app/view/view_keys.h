// view_keys.h - the table of keys: what the window does, by which keys, and how help puts it.
//
// Letters go by what is printed on the key, so that B is "bird" on any keyboard; the keys that move
// the camera go by their place.
#pragma once
#include "app/view/window.h"

typedef enum mc_view_command {
    MC_VIEW_NO_COMMAND, // a row of the help only
    MC_VIEW_PLAY,
    MC_VIEW_PREVIOUS,
    MC_VIEW_NEXT,
    MC_VIEW_FIRST,
    MC_VIEW_LAST,
    MC_VIEW_FASTER,
    MC_VIEW_SLOWER,
    MC_VIEW_LOOP,
    MC_VIEW_FOLLOW,
    MC_VIEW_WINDOW_FIRST,
    MC_VIEW_WINDOW_LAST,
    MC_VIEW_WINDOW_EARLIER,
    MC_VIEW_WINDOW_LATER,
    MC_VIEW_WINDOW_RESET,
    MC_VIEW_FOLLOW_HINT,
    MC_VIEW_HOME,
    MC_VIEW_BIRD,
    MC_VIEW_FRAME,
    MC_VIEW_PARENT,
    MC_VIEW_CHILD,
    MC_VIEW_PREVIOUS_SIBLING,
    MC_VIEW_NEXT_SIBLING,
    MC_VIEW_SEARCH,
    MC_VIEW_NEXT_HIT,
    MC_VIEW_PREVIOUS_HIT,
    MC_VIEW_SEARCH_REGEX,
    MC_VIEW_COLOR_MODE,
    MC_VIEW_HEIGHT_MODE,
    MC_VIEW_WALK,
    MC_VIEW_WALK_FROM,
    MC_VIEW_MAKE_ROOT,
    MC_VIEW_LEAVE_ROOT,
    MC_VIEW_BACK,
    MC_VIEW_FORWARD,
    MC_VIEW_HOLDER,
    MC_VIEW_HELD,
    MC_VIEW_REFERENCE_FILTER,
    MC_VIEW_FEWER_REFERENCES,
    MC_VIEW_MORE_REFERENCES,
    MC_VIEW_ARCS,
    MC_VIEW_METRIC,
    MC_VIEW_SCALING,
    MC_VIEW_TILING,
    MC_VIEW_LIMIT_LESS,
    MC_VIEW_LIMIT_MORE,
    MC_VIEW_COLOR,
    MC_VIEW_OPACITY,
    MC_VIEW_FEWER_OPAQUE,
    MC_VIEW_MORE_OPAQUE,
    MC_VIEW_OTHERS,
    MC_VIEW_EDGES,
    MC_VIEW_NAMES,
    MC_VIEW_THEME,
    MC_VIEW_PALETTE,
    MC_VIEW_MOTION,
    MC_VIEW_PANELS,
    MC_VIEW_FOLD_SELECTION,
    MC_VIEW_FOLD_SUSPECTS,
    MC_VIEW_FOLD_VIEW,
    MC_VIEW_FOLD_REFERENCES,
    MC_VIEW_FOLD_WALK,
    MC_VIEW_FOLD_CONTENTS,
    MC_VIEW_FULL_SCREEN,
    MC_VIEW_WARNINGS,
    MC_VIEW_HELP,
    MC_VIEW_ESCAPE,
    MC_VIEW_QUIT,
    MC_VIEW_UNDO,
    MC_VIEW_REDO,
    MC_VIEW_OPEN,
    MC_VIEW_BOOKMARKS,
    MC_VIEW_SAVE_BOOKMARK,
    MC_VIEW_SAVE_AS,
    MC_VIEW_COPY_KEY,
    MC_VIEW_COPY_ROW,
    MC_VIEW_EXPORT_TABLE,
    MC_VIEW_PICTURE,
    MC_VIEW_PICTURE_ALONE,
    MC_VIEW_VIDEO,
    MC_VIEW_LARGER,
    MC_VIEW_SMALLER,
    MC_VIEW_USUAL_SIZE,
    MC_VIEW_SUSPECT, // the first; the others follow
    MC_VIEW_LAST_SUSPECT = MC_VIEW_SUSPECT + 8,
} mc_view_command;

// Keys that move the camera while they are held down, some of them with Ctrl.
typedef enum mc_view_move {
    MC_VIEW_MOVE_AHEAD,
    MC_VIEW_MOVE_LEFT,
    MC_VIEW_MOVE_BACK,
    MC_VIEW_MOVE_RIGHT,
    MC_VIEW_MOVE_DOWN,
    MC_VIEW_MOVE_UP,
    MC_VIEW_TURN_LEFT,
    MC_VIEW_TURN_RIGHT,
    MC_VIEW_TILT_UP,
    MC_VIEW_TILT_DOWN,
    MC_VIEW_MOVE_COUNT
} mc_view_move;

// The command of an event of kind KEY or TEXT; MC_VIEW_NO_COMMAND: none.
mc_view_command mc_view_find_command(const mc_window_event *event);
// The move of a key; MC_VIEW_MOVE_COUNT: none. A key that is let go ends its move with or without
// Ctrl.
mc_view_move mc_view_find_move(int key);
bool mc_view_move_needs_control(mc_view_move move);
