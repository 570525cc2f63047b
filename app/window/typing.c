#include "app/window/typing.h"

#include "app/session/action.h"
#include "app/window/dialog.h"
#include "app/window/menu.h"
#include "app/window/start.h"
#include <string.h>

static const struct {
    int key;
    mc_ui_key_code code;
    bool needs_control;
} keys[] = {
    {GLFW_KEY_LEFT, MC_UI_KEY_LEFT, false},
    {GLFW_KEY_RIGHT, MC_UI_KEY_RIGHT, false},
    {GLFW_KEY_HOME, MC_UI_KEY_HOME, false},
    {GLFW_KEY_END, MC_UI_KEY_END, false},
    {GLFW_KEY_BACKSPACE, MC_UI_KEY_BACKSPACE, false},
    {GLFW_KEY_DELETE, MC_UI_KEY_DELETE, false},
    {GLFW_KEY_A, MC_UI_KEY_A, true},
    {GLFW_KEY_C, MC_UI_KEY_C, true},
    {GLFW_KEY_V, MC_UI_KEY_V, true},
    {GLFW_KEY_X, MC_UI_KEY_X, true},
    {GLFW_KEY_Y, MC_UI_KEY_Y, true},
    {GLFW_KEY_Z, MC_UI_KEY_Z, true},
};

// Keys that type or edit; the others keep what the table says.
static bool is_for_text(const mc_window_event *event) {
    if (event->modifiers & (GLFW_MOD_ALT | GLFW_MOD_CONTROL | GLFW_MOD_SUPER)) return false;
    return event->code < GLFW_KEY_ESCAPE || event->code == GLFW_KEY_TAB ||
           event->code == GLFW_KEY_UP || event->code == GLFW_KEY_DOWN ||
           event->code >= GLFW_KEY_KP_0;
}

static bool add_key(mc_viewer *viewer, const mc_window_event *event) {
    bool control = event->modifiers & GLFW_MOD_CONTROL;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (keys[i].key != event->code) continue;
        if (event->modifiers & (GLFW_MOD_ALT | GLFW_MOD_SUPER)) return false;
        if (keys[i].needs_control && !control) return true; // a character comes along
        bool is_shifted = event->modifiers & GLFW_MOD_SHIFT;
        if (keys[i].needs_control && is_shifted && event->code != GLFW_KEY_Z) return false;
        uint32_t modifiers = control ? MC_UI_CONTROL : 0;
        if (is_shifted) modifiers |= MC_UI_SHIFT;
        mc_ui_add_key(viewer->ui, keys[i].code, modifiers);
        return true;
    }
    return false;
}

bool mc_viewer_ends_typing(const mc_window_event *event) {
    if (event->kind != MC_WINDOW_KEY || event->action == GLFW_RELEASE) return false;
    int key = event->code;
    return key == GLFW_KEY_ENTER || key == GLFW_KEY_KP_ENTER || key == GLFW_KEY_TAB ||
           key == GLFW_KEY_UP || key == GLFW_KEY_DOWN || key == GLFW_KEY_ESCAPE;
}

bool mc_viewer_type(mc_viewer *viewer, const mc_window_event *event) {
    bool is_press = event->kind == MC_WINDOW_KEY && event->action != GLFW_RELEASE;
    if (is_press && mc_viewer_menu_key(viewer, event->code)) return true;
    if (is_press && mc_viewer_dialog_key(viewer, event->code)) return true;
    if (!mc_ui_wants_text(viewer->ui))
        return is_press && event->modifiers == 0 && mc_viewer_start_key(viewer, event->code);
    if (event->kind == MC_WINDOW_TEXT) {
        mc_ui_add_character(viewer->ui, (uint32_t)event->code);
        return true;
    }
    if (event->action == GLFW_RELEASE) return false; // of a key that may have been down before
    bool is_search = strcmp(mc_ui_get_text_field(viewer->ui), "search") == 0;
    bool is_enter = event->code == GLFW_KEY_ENTER || event->code == GLFW_KEY_KP_ENTER;
    if (is_search && (is_enter || event->code == GLFW_KEY_DOWN || event->code == GLFW_KEY_UP)) {
        bool back = event->code == GLFW_KEY_UP || (is_enter && event->modifiers & GLFW_MOD_SHIFT);
        mc_session_do(viewer->session, back ? MC_ACTION_PREVIOUS_HIT : MC_ACTION_NEXT_HIT, 0);
        return true;
    }
    if (event->code == GLFW_KEY_TAB && is_search) {
        mc_ui_leave_text(viewer->ui);
        return false; // the focus goes on
    }
    if (event->code == GLFW_KEY_ESCAPE) {
        mc_ui_leave_text(viewer->ui);
        return true;
    }
    return add_key(viewer, event) || is_for_text(event);
}

static const char *get_clipboard(void *user) {
    return mc_window_get_clipboard(user);
}

static void set_clipboard(void *user, const char *text) {
    mc_window_set_clipboard(user, text);
}

void mc_viewer_connect_clipboard(mc_viewer *viewer) {
    mc_ui_set_clipboard(viewer->ui, get_clipboard, set_clipboard, viewer->window);
}
