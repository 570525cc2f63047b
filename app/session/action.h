// action.h - the table of all actions, which keys, buttons, the help and scripts share.
//
// A letter means the key that has it printed on, so that B is "bird" on any keyboard. Threads: the
// main thread.
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
    const char *name; // in scripts; NULL: this is for the help alone
    const char *keys; // separated by spaces: "Ctrl+Shift+Z"; NULL: none
    // Keys as the help shows them; NULL: not in the help, or, without a name, a heading.
    const char *shown;
    const char *help;
    bool needs_city;
    mc_action_takes takes;
    // What it does, one of these; all NULL: the window does it.
    void (*run)(mc_session *session, mc_action_argument argument);
    void (*call)(mc_session *session);
    void (*call_index)(mc_session *session, uint32_t index); // with the argument's number
    int64_t value; // the argument's number if the action takes none
} mc_action;

extern const mc_action mc_actions[];
extern const uint32_t mc_action_count;

const mc_action *mc_action_find(const char *name, size_t size); // NULL: there is none
// The argument's name in the help; NULL: the action takes none.
const char *mc_action_get_argument_name(const mc_action *action);

// Whether the settings have turned on what the action switches. False: off, or the action is no
// switch.
bool mc_action_get_switch(const mc_action *action, const mc_settings *settings);

// Runs an action; `number` is its argument if it takes one. Does nothing if the action needs a city
// and there is none.
void mc_session_do(mc_session *session, mc_action_id id, uint32_t number);

// Runs an action with its argument as text, as in a script. MC_ERROR_BAD_DATA: the message says
// what was expected.
mc_result mc_session_do_text(mc_session *session, const mc_action *action, const char *text,
                             mc_error *error);
