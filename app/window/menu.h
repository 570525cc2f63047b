// menu.h - the main menu, and the context menu.
//
// Used by the main thread.
#pragma once
#include "app/window/viewer_state.h"

void mc_viewer_open_share_menu(mc_viewer *viewer);
void mc_viewer_toggle_menu(mc_viewer *viewer);
// Opens it at the pointer (`at_pointer`), or else at the selection.
void mc_viewer_open_context_menu(mc_viewer *viewer, bool at_pointer);
// Handles a right click: selects what is there, then opens the context menu.
void mc_viewer_click_right(mc_viewer *viewer, double x, double y);
bool mc_viewer_menu_key(mc_viewer *viewer, int key); // true: it was for the menu
void mc_viewer_take_menu_row(mc_viewer *viewer, uint32_t row);
void mc_viewer_close_menu(mc_viewer *viewer);
void mc_viewer_end_menu(mc_viewer *viewer);
