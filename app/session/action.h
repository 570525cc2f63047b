// action.h - the one table of what can be done: by keys, buttons, the help and scripts alike.
//
// Letters go by what is printed on the key, so that B is "bird" on any keyboard. Used by the main
// thread.
#pragma once
#include "engine/base/base.h"

typedef struct mc_view mc_view;

typedef enum mc_action_id {
    MC_NO_ACTION, // a row of the help only
    MC_ACTION_PLAY,
    MC_ACTION_PREVIOUS,
    MC_ACTION_NEXT,
    MC_ACTION_FIRST,
    MC_ACTION_LAST,
    MC_ACTION_SHOW_STEP,
    MC_ACTION_FASTER,
    MC_ACTION_SLOWER,
    MC_ACTION_LOOP,
    MC_ACTION_FOLLOW,
    MC_ACTION_WINDOW_FIRST,
    MC_ACTION_WINDOW_LAST,
    MC_ACTION_WINDOW_EARLIER,
    MC_ACTION_WINDOW_LATER,
    MC_ACTION_WINDOW_RESET,
    MC_ACTION_FOLLOW_HINT,
    MC_ACTION_DISMISS_HINT,
    MC_ACTION_HOME,
    MC_ACTION_BIRD,
    MC_ACTION_FRAME,
    MC_ACTION_SELECT,
    MC_ACTION_SHOW_NODE,
    MC_ACTION_PARENT,
    MC_ACTION_CHILD,
    MC_ACTION_SHOW_CHILD,
    MC_ACTION_PREVIOUS_SIBLING,
    MC_ACTION_NEXT_SIBLING,
    MC_ACTION_SUSPECT,
    MC_ACTION_MAKE_ROOT,
    MC_ACTION_LEAVE_ROOT,
    MC_ACTION_SET_ROOT,
    MC_ACTION_BACK,
    MC_ACTION_FORWARD,
    MC_ACTION_SEARCH,
    MC_ACTION_SEARCH_TEXT,
    MC_ACTION_NEXT_HIT,
    MC_ACTION_PREVIOUS_HIT,
    MC_ACTION_SHOW_HIT,
    MC_ACTION_SEARCH_REGEX,
    MC_ACTION_HOLDER,
    MC_ACTION_HELD,
    MC_ACTION_SHOW_PARTNER,
    MC_ACTION_REFERENCE_FILTER,
    MC_ACTION_FEWER_REFERENCES,
    MC_ACTION_MORE_REFERENCES,
    MC_ACTION_ARCS,
    MC_ACTION_WALK,
    MC_ACTION_WALK_FROM,
    MC_ACTION_SHOW_STOP,
    MC_ACTION_METRIC,
    MC_ACTION_SCALING,
    MC_ACTION_TILING,
    MC_ACTION_LIMIT_LESS,
    MC_ACTION_LIMIT_MORE,
    MC_ACTION_COLOR,
    MC_ACTION_COLOR_MODE,
    MC_ACTION_HEIGHT_MODE,
    MC_ACTION_OPACITY,
    MC_ACTION_FEWER_OPAQUE,
    MC_ACTION_MORE_OPAQUE,
    MC_ACTION_OTHERS,
    MC_ACTION_EDGES,
    MC_ACTION_NAMES,
    MC_ACTION_SET,
    MC_ACTION_THEME,
    MC_ACTION_PALETTE,
    MC_ACTION_MOTION,
    MC_ACTION_PANELS,
    MC_ACTION_FOLD_SELECTION,
    MC_ACTION_FOLD_SUSPECTS,
    MC_ACTION_FOLD_VIEW,
    MC_ACTION_FOLD_REFERENCES,
    MC_ACTION_FOLD_WALK,
    MC_ACTION_FOLD_CONTENTS,
    MC_ACTION_FULL_SCREEN,
    MC_ACTION_WARNINGS,
    MC_ACTION_HELP,
    MC_ACTION_ESCAPE,
    MC_ACTION_CANCEL,
    MC_ACTION_DISMISS_MESSAGE,
    MC_ACTION_OPEN,
    MC_ACTION_OPEN_PATH,
    MC_ACTION_UNDO,
    MC_ACTION_REDO,
    MC_ACTION_SAVE_BOOKMARK,
    MC_ACTION_BOOKMARKS,
    MC_ACTION_SAVE_AS,
    MC_ACTION_SAVE_PATH,
    MC_ACTION_TAKE_BOX,
    MC_ACTION_TAKE_BOX_ENTRY,
    MC_ACTION_CLOSE_BOX,
    MC_ACTION_COPY_KEY,
    MC_ACTION_COPY_ROW,
    MC_ACTION_EXPORT_TABLE,
    MC_ACTION_PICTURE,
    MC_ACTION_PICTURE_ALONE,
    MC_ACTION_VIDEO,
    MC_ACTION_LARGER,
    MC_ACTION_SMALLER,
    MC_ACTION_USUAL_SIZE,
    MC_ACTION_QUIT,
} mc_action_id;

typedef enum mc_action_takes {
    MC_TAKES_NOTHING,
    MC_TAKES_STEP,
    MC_TAKES_NODE,    // by its full key; by its index from a button
    MC_TAKES_ROW,     // of a list, from 0
    MC_TAKES_NUMBER,  // from 1
    MC_TAKES_TEXT,    // the rest of the line
    MC_TAKES_SETTING, // a field of mc_wish_fields and its value
} mc_action_takes;

typedef struct mc_action_argument {
    int64_t number;   // a step, a node, a row; where none is taken, the table's
    const char *text; // NULL: it is a number
} mc_action_argument;

typedef struct mc_action {
    mc_action_id id;
    const char *name;  // in scripts; NULL: this is for the help alone
    const char *keys;  // separated by spaces: "Ctrl+Shift+Z"; NULL: none
    const char *shown; // the same in the help; NULL with a name: not there; without: a heading
    const char *help;
    bool needs_city;
    mc_action_takes takes;
    void (*run)(mc_view *view, mc_action_argument argument);
    int64_t value; // the argument's number, if it takes nothing
} mc_action;

extern const mc_action mc_actions[];
extern const uint32_t mc_action_count;

const mc_action *mc_action_find(const char *name, size_t size); // NULL: there is none
// What the help calls its argument; NULL: it takes none.
const char *mc_action_get_argument_name(const mc_action *action);

// `number` counts if it takes one. Nothing happens without the city it needs.
void mc_view_do(mc_view *view, mc_action_id id, uint32_t number);

// With its argument in words, as a script has it; MC_ERROR_BAD_DATA says what was expected.
mc_result mc_view_do_text(mc_view *view, const mc_action *action, const char *text,
                          mc_error *error);
