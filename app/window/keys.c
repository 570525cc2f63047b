#include "app/window/keys.h"

#include "app/session/action.h"
#include <string.h>

enum { MODIFIERS = GLFW_MOD_SHIFT | GLFW_MOD_CONTROL | GLFW_MOD_ALT };

static const struct {
    const char *name;
    int bit;
} modifiers[] = {{"Ctrl+", GLFW_MOD_CONTROL}, {"Shift+", GLFW_MOD_SHIFT}, {"Alt+", GLFW_MOD_ALT}};

// Keys whose name is no character.
static const struct {
    const char *name;
    int key;
} names[] = {
    {"Space", GLFW_KEY_SPACE},
    {"Left", GLFW_KEY_LEFT},
    {"Right", GLFW_KEY_RIGHT},
    {"Up", GLFW_KEY_UP},
    {"Down", GLFW_KEY_DOWN},
    {"PageUp", GLFW_KEY_PAGE_UP},
    {"PageDown", GLFW_KEY_PAGE_DOWN},
    {"Home", GLFW_KEY_HOME},
    {"Backspace", GLFW_KEY_BACKSPACE},
    {"Delete", GLFW_KEY_DELETE},
    {"Enter", GLFW_KEY_ENTER},
    {"Tab", GLFW_KEY_TAB},
    {"Escape", GLFW_KEY_ESCAPE},
    {"Menu", GLFW_KEY_MENU},
    {"KP_Add", GLFW_KEY_KP_ADD},
    {"KP_Subtract", GLFW_KEY_KP_SUBTRACT},
    {"KP_0", GLFW_KEY_KP_0},
    {"F1", GLFW_KEY_F1},
    {"F2", GLFW_KEY_F2},
    {"F3", GLFW_KEY_F3},
    {"F4", GLFW_KEY_F4},
    {"F5", GLFW_KEY_F5},
    {"F6", GLFW_KEY_F6},
    {"F7", GLFW_KEY_F7},
    {"F8", GLFW_KEY_F8},
    {"F9", GLFW_KEY_F9},
    {"F10", GLFW_KEY_F10},
    {"F11", GLFW_KEY_F11},
    {"F12", GLFW_KEY_F12},
};

static const int moves[MC_VIEWER_MOVE_COUNT] = {
    [MC_VIEWER_MOVE_AHEAD] = GLFW_KEY_W,   [MC_VIEWER_MOVE_LEFT] = GLFW_KEY_A,
    [MC_VIEWER_MOVE_BACK] = GLFW_KEY_S,    [MC_VIEWER_MOVE_RIGHT] = GLFW_KEY_D,
    [MC_VIEWER_MOVE_DOWN] = GLFW_KEY_Q,    [MC_VIEWER_MOVE_UP] = GLFW_KEY_E,
    [MC_VIEWER_TURN_LEFT] = GLFW_KEY_LEFT, [MC_VIEWER_TURN_RIGHT] = GLFW_KEY_RIGHT,
    [MC_VIEWER_TILT_UP] = GLFW_KEY_UP,     [MC_VIEWER_TILT_DOWN] = GLFW_KEY_DOWN,
};

static int get_key(const char *name, size_t size) {
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strlen(names[i].name) == size && memcmp(names[i].name, name, size) == 0)
            return names[i].key;
    }
    return 0;
}

static int to_small(int character) {
    return character >= 'A' && character <= 'Z' ? character + 'a' - 'A' : character;
}

// Whether the event is what one of a row's keys is called, such as "Ctrl+Shift+Z" or "?". What is
// typed without modifiers comes as text, whatever keys it takes to type it.
static bool is_pressed(const char *name, size_t size, const mc_window_event *event) {
    int held = 0;
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++) {
        size_t length = strlen(modifiers[i].name);
        if (size <= length || memcmp(name, modifiers[i].name, length) != 0) continue;
        held |= modifiers[i].bit;
        name += length;
        size -= length;
    }
    int key = get_key(name, size), character = size == 1 ? to_small(name[0]) : 0;
    if (event->kind == MC_WINDOW_TEXT)
        return key == 0 && held == 0 && character == to_small(event->code);
    if ((event->modifiers & MODIFIERS) != held) return false;
    if (key != 0) return key == event->code;
    if (held == 0) return false;
    // Where no Latin letters are on the keys, by their place.
    return character == event->printed || (event->printed == 0 && name[0] == event->code);
}

// The index of the key of a row, from 0; MC_NONE: it is none of them.
static uint32_t find_key(const char *keys, const mc_window_event *event) {
    uint32_t index = 0;
    if (!keys) return MC_NONE;
    for (; *keys; index++) {
        size_t size = strcspn(keys, " ");
        if (is_pressed(keys, size, event)) return index;
        keys += size;
        while (*keys == ' ')
            keys++;
    }
    return MC_NONE;
}

mc_action_id mc_viewer_find_action(const mc_window_event *event, uint32_t *number) {
    for (uint32_t i = 0; i < mc_action_count; i++) {
        uint32_t key = find_key(mc_actions[i].keys, event);
        if (key == MC_NONE) continue;
        *number = key + 1; // the keys of a number are in its order
        return mc_actions[i].id;
    }
    return MC_NO_ACTION;
}

bool mc_viewer_move_needs_control(mc_viewer_move move) {
    return move >= MC_VIEWER_TURN_LEFT;
}

mc_viewer_move mc_viewer_find_move(int key) {
    int move = 0;
    while (move < MC_VIEWER_MOVE_COUNT && moves[move] != key) {
        move++;
    }
    return (mc_viewer_move)move;
}

// ---- for the help

uint32_t mc_viewer_list_keys(mc_fact_key *keys, uint32_t capacity) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < mc_action_count && count < capacity; i++) {
        const mc_action *action = &mc_actions[i];
        if (action->shown || !action->name)
            keys[count++] = (mc_fact_key){action->shown, action->help};
    }
    return count;
}

// An action, or a gesture by how it is shown.
static const struct {
    mc_action_id id;
    const char *gesture;
} first_keys[] = {
    {MC_ACTION_PLAY, NULL},
    {MC_ACTION_PREVIOUS, NULL},
    {MC_ACTION_NEXT, NULL},
    {MC_ACTION_PIN, NULL},
    {MC_NO_ACTION, "Left drag, W A S D"},
    {MC_NO_ACTION, "Right drag, Ctrl+arrows"},
    {MC_NO_ACTION, "Wheel, Q E"},
    {MC_ACTION_HOME, NULL},
    {MC_NO_ACTION, "Click"},
    {MC_ACTION_FRAME, NULL},
    {MC_ACTION_MAKE_ROOT, NULL},
    {MC_ACTION_LEAVE_ROOT, NULL},
    {MC_ACTION_SUSPECT, NULL},
    {MC_ACTION_WALK, NULL},
    {MC_ACTION_SEARCH, NULL},
    {MC_ACTION_COMMANDS, NULL},
    {MC_ACTION_METRIC, NULL},
    {MC_ACTION_OPEN, NULL},
    {MC_ACTION_UNDO, NULL},
    {MC_ACTION_ESCAPE, NULL},
};

uint32_t mc_viewer_list_first_keys(mc_fact_key *keys, uint32_t capacity) {
    uint32_t count = 0;
    for (size_t i = 0; i < sizeof first_keys / sizeof *first_keys && count < capacity; i++) {
        for (uint32_t k = 0; k < mc_action_count; k++) {
            const mc_action *action = &mc_actions[k];
            const char *gesture = first_keys[i].gesture;
            bool is_it = gesture
                             ? !action->name && action->shown && strcmp(action->shown, gesture) == 0
                             : action->id == first_keys[i].id;
            if (!is_it) continue;
            keys[count++] = (mc_fact_key){action->shown, action->help};
            break;
        }
    }
    return count;
}
