// menu_rows.h - builds the rows of menus from the table of actions, recent paths and bookmarks.
//
// Used by the main thread.
#pragma once
#include "app/session/session.h"
#include "app/ui/ui_menu_model.h"

#define MC_MENU_ROWS_MOST 256

// What a row does.
typedef struct mc_menu_deed {
    mc_action_id action; // MC_NO_ACTION: opens a path, or nothing
    const char *path;
} mc_menu_deed;

// Zero-initialise.
typedef struct mc_menu_rows {
    mc_ui_menu_row rows[MC_MENU_ROWS_MOST];
    mc_menu_deed deeds[MC_MENU_ROWS_MOST];
    uint32_t count;
    mc_form_texts texts; // labels and paths owned by the rows
} mc_menu_rows;

// The main menu: the table's headings, each with its commands.
void mc_menu_rows_fill_main(mc_menu_rows *rows, const mc_session *session);
// The context menu: actions on the selection, or on the whole picture if nothing is selected.
void mc_menu_rows_fill_context(mc_menu_rows *rows, const mc_session *session);
// What can be given to others.
void mc_menu_rows_fill_share(mc_menu_rows *rows, const mc_session *session);
void mc_menu_rows_deinit(mc_menu_rows *rows);
