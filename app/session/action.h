// action.h - the one table of what can be done: by keys, buttons, the help and scripts alike.
//
// Letters go by what is printed on the key, so that B is "bird" on any keyboard. Used by the main
// thread.
#pragma once
#include "app/session/action_id.h"
#include "app/session/settings.h"
#include "engine/base/base.h"

typedef struct mc_session mc_session;

typedef enum mc_action_takes {
    MC_TAKES_NOTHING,
    MC_TAKES_STEP,
    MC_TAKES_NODE,    // by its full key; by its index from a button
    MC_TAKES_ROW,     // of a list, from 0
    MC_TAKES_NUMBER,  // from 1
    MC_TAKES_TEXT,    // the rest of the line
    MC_TAKES_SETTING, // a field of mc_settings_fields and its value
} mc_action_takes;

typedef struct mc_action {
    mc_action_id id;
    const char *name;  // in scripts; NULL: this is for the help alone
    const char *keys;  // separated by spaces: "Ctrl+Shift+Z"; NULL: none
    const char *shown; // the same in the help; NULL with a name: not there; without: a heading
    const char *help;
    bool needs_city;
    mc_action_takes takes;
    void (*run)(mc_session *session, mc_action_argument argument); // NULL: the window does it
    int64_t value; // the argument's number, if it takes nothing
} mc_action;

extern const mc_action mc_actions[];
extern const uint32_t mc_action_count;

const mc_action *mc_action_find(const char *name, size_t size); // NULL: there is none
// What the help calls its argument; NULL: it takes none.
const char *mc_action_get_argument_name(const mc_action *action);

// Whether it is what the settings have turned on; false: it is off, or nothing of that kind.
bool mc_action_get_switch(const mc_action *action, const mc_settings *settings);

// `number` counts if it takes one. Nothing happens without the city it needs.
void mc_session_do(mc_session *session, mc_action_id id, uint32_t number);

// With its argument in words, as a script has it; MC_ERROR_BAD_DATA says what was expected.
mc_result mc_session_do_text(mc_session *session, const mc_action *action, const char *text,
                             mc_error *error);
