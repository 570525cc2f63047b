// ui_menu_model.h - the model of a menu with two levels: rows, some of which open a submenu.
//
// Read by C and C++ alike; a part of the UI's model that the UI changes in place: which row is
// chosen and which is open. Strings belong to the caller and stay while the menu is open.
#pragma once
#include "engine/base/base.h"

typedef struct mc_ui_menu_row {
    const char *label, *keys; // keys may be empty
    const char *obstacle;     // why it can't be done now; NULL: it can
    uint32_t parent;          // the row that opens it; MC_NONE: it is of the first level
    bool opens;               // further rows
    bool is_title;            // says what the rows below are about, and does nothing
    bool begins_group;        // a line is above it
    bool is_on;
} mc_ui_menu_row;

typedef struct mc_ui_menu {
    bool is_open;
    float x, y; // where its upper left corner should be, in pixels
    const mc_ui_menu_row *rows;
    uint32_t row_count;
    uint32_t chosen; // that the next key goes from; MC_NONE: none yet
    uint32_t open;   // whose rows are shown; MC_NONE: none
} mc_ui_menu;
