// available.h - what can be done now, for menus: of the one table of actions, with the reason where
// something can't.
//
// A part of the session, used by its thread. Each is O(1).
#pragma once
#include "app/session/action.h"
#include "app/session/session.h"

// A command of its own: it has a name, takes nothing, and is no part of a dialog.
bool mc_action_is_command(const mc_action *action);

const mc_action *mc_action_get(mc_action_id id); // NULL: there is none
// The first of its keys, as the help shows it or else as it is pressed; `size` bytes.
const char *mc_action_get_first_key(const mc_action *action, size_t *size);

// Why it would do nothing now, as a sentence for the user; NULL: it would do something.
const char *mc_action_get_obstacle(const mc_session *session, const mc_action *action);

// Whether it turns something on or off, and that is on now.
bool mc_action_is_on(const mc_session *session, const mc_action *action);
// Why an action of heaps, or of methods, can't be done with what is open; NULL: it can.
const char *mc_action_get_kind_obstacle(const mc_session *session, mc_action_id id);
