// ui_dialog_model.h - the model of a dialog with a text field and a list: open, bookmarks, save as.
//
// Read by C and C++ alike; a part of the UI's model that the UI changes in place.
#pragma once
#include "engine/base/base.h"

#define MC_UI_DIALOG_TEXT_SIZE 4096
#define MC_UI_DIALOG_FIELD "path" // the text field's id

typedef struct mc_ui_dialog_entry {
    const char *label, *detail; // detail may be empty
    bool can_edit;              // be renamed and deleted
    bool is_choice, is_on;      // one of several, of which one is on: a click does nothing else
} mc_ui_dialog_entry;

typedef struct mc_ui_dialog {
    bool is_open;
    bool is_question;                         // without a text field: its entries are the answers
    const char *title, *placeholder, *action; // action: what Enter does
    char text[MC_UI_DIALOG_TEXT_SIZE];
    bool text_changed; // by the UI; the caller takes it back
    const mc_ui_dialog_entry *entries;
    uint32_t entry_count, chosen; // chosen: MC_NONE if none is
    const char *heading;          // of the list; NULL: none
    const char *note;             // what is wrong with the text; NULL: nothing
    const char *footer;           // below the list; NULL: nothing
} mc_ui_dialog;
