// available.h - which actions are available now, for menus, and why an action is not.
//
// A part of the session, used by its thread. Each is O(1).
#pragma once
#include "app/session/action.h"
#include "app/session/session.h"

// Whether it is a command: it has a name, takes no argument, and belongs to no dialog.
bool mc_action_is_command(const mc_action *action);

const mc_action *mc_action_get(mc_action_id id); // NULL: there is none
// The first of the action's keys, as the help shows it, or else as it is pressed; `size` bytes.
const char *mc_action_get_first_key(const mc_action *action, size_t *size);

// Why the action is not available now, as a sentence for the user; NULL: it is.
const char *mc_action_get_obstacle(const mc_session *session, const mc_action *action);

// Whether the action is a switch that is on now.
bool mc_action_is_on(const mc_session *session, const mc_action *action);
// Why an action that needs a heap, or methods, is not available with the open trace; NULL: it is.
const char *mc_action_get_kind_obstacle(const mc_session *session, mc_action_id id);
