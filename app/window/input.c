#include "app/window/input.h"

#include "app/session/action.h"
#include "app/session/click.h"
#include "app/session/opening.h"
#include "app/session/saved_view.h"
#include "app/window/menu.h"
#include "app/window/scale.h"
#include "app/window/typing.h"
#include <math.h>
#include <string.h>

#define CLICK_WAY 4.0 // a press that moves farther is a drag; at a scale of 1
#define TURN_WAY 24.0 // of a notch of a wheel to the sides; at a scale of 1
#define DOUBLE_CLICK_NS 400000000u

static void do_action(mc_viewer *viewer, mc_action_id id, uint32_t number) {
    if (id == MC_ACTION_ESCAPE && mc_ui_close_list(viewer->ui)) return;
    if (id == MC_ACTION_ESCAPE && mc_ui_leave_focus(viewer->ui)) return;
    if (viewer->menu.is_open && id != MC_NO_ACTION && id != MC_ACTION_MENU)
        mc_viewer_close_menu(viewer);
    mc_session_do(viewer->session, id, number);
}

// What moves the camera was taken.
static void expect_reaction(mc_viewer *viewer) {
    mc_viewer_reaction *reaction = &viewer->reaction;
    if (reaction->is_due) return;
    reaction->is_due = true;
    reaction->count = mc_renderer_count_pending(viewer->renderer);
}

static double get_scale(const mc_viewer *viewer) {
    return (double)mc_viewer_get_scale(viewer);
}

static void click(mc_viewer *viewer, double x, double y, bool adds) {
    double way = hypot(x - viewer->last_click_x, y - viewer->last_click_y);
    bool twice = viewer->session->turn.now_ns - viewer->last_click_ns < DOUBLE_CLICK_NS &&
                 way < CLICK_WAY * get_scale(viewer);
    viewer->last_click_ns = twice ? 0 : viewer->session->turn.now_ns;
    viewer->last_click_x = x;
    viewer->last_click_y = y;
    mc_view *view = viewer->session->view;
    if (!adds)
        mc_session_click(viewer->session, x, y, twice);
    else if (!twice)
        do_action(viewer, MC_ACTION_TOGGLE_NODE, view->kind->pick(view, x, y));
}

static void end_drag(mc_viewer *viewer) {
    mc_view *view = viewer->session->view;
    view->kind->end_drag(view);
}

static void press(mc_viewer *viewer, const mc_window_event *event) {
    if (viewer->press.down || mc_ui_wants_pointer(viewer->ui) || !viewer->session->shown) return;
    viewer->press =
        (mc_viewer_press){.down = true, .button = event->code, .x = event->x, .y = event->y};
}

static void release(mc_viewer *viewer, const mc_window_event *event) {
    if (!viewer->press.down || viewer->press.button != event->code) return;
    viewer->press.down = false;
    if (viewer->press.dragging) {
        end_drag(viewer);
    } else if (event->code == GLFW_MOUSE_BUTTON_LEFT && viewer->session->shown) {
        click(viewer, event->x, event->y, event->modifiers & GLFW_MOD_SHIFT);
    } else if (event->code == GLFW_MOUSE_BUTTON_RIGHT && viewer->session->shown) {
        mc_viewer_click_right(viewer, event->x, event->y);
    }
}

static void move_pointer(mc_viewer *viewer, const mc_window_event *event) {
    mc_viewer_press *p = &viewer->press;
    viewer->has_pointer = true;
    viewer->pointer_moved = true;
    viewer->tooltip_hidden = false;
    viewer->pointer_x = event->x;
    viewer->pointer_y = event->y;
    mc_session_pick_again(viewer->session);
    mc_view *view = viewer->session->view;
    if (!p->down || !viewer->session->shown) return;
    if (!p->dragging && hypot(event->x - p->x, event->y - p->y) >= CLICK_WAY * get_scale(viewer)) {
        view->kind->begin_drag(view, p->button == GLFW_MOUSE_BUTTON_LEFT, p->x, p->y);
        p->dragging = true;
    }
    if (!p->dragging) return;
    view->kind->drag_to(view, event->x, event->y);
    expect_reaction(viewer);
}

static void end_press(mc_viewer *viewer) {
    if (viewer->press.dragging) end_drag(viewer);
    viewer->press = (mc_viewer_press){0};
}

static void leave(mc_viewer *viewer) {
    // A drag goes on outside of the window; the pointer reports from there, too.
    if (viewer->press.down) return;
    viewer->has_pointer = false;
    mc_session_pick_again(viewer->session);
    mc_ui_set_no_pointer(viewer->ui);
}

// To the sides, as the right button does when it is dragged.
static void turn_by_scrolling(mc_view *view, double way) {
    view->kind->begin_drag(view, false, 0, 0);
    view->kind->drag_to(view, way, 0);
    view->kind->end_drag(view);
}

static void scroll(mc_viewer *viewer, const mc_window_event *event) {
    if (mc_ui_wants_pointer(viewer->ui)) {
        mc_ui_add_scroll(viewer->ui, (float)event->scroll_x, (float)event->scroll_y);
    } else if (viewer->session->shown) {
        mc_view *view = viewer->session->view;
        // Fingers on a trackpad never move straight: the larger way is meant.
        bool is_turn = fabs(event->scroll_x) > fabs(event->scroll_y);
        if (!is_turn && event->scroll_y != 0)
            view->kind->zoom(view, event->scroll_y, event->x, event->y);
        if (is_turn && !viewer->press.dragging)
            turn_by_scrolling(view, event->scroll_x * TURN_WAY * get_scale(viewer));
        expect_reaction(viewer);
    }
}

static void update_moves(mc_viewer *viewer) {
    const bool *down = viewer->keys_down;
    mc_view *view = viewer->session->view;
    mc_view_moves moves = {
        .right = down[MC_VIEWER_MOVE_RIGHT] - down[MC_VIEWER_MOVE_LEFT],
        .ahead = down[MC_VIEWER_MOVE_AHEAD] - down[MC_VIEWER_MOVE_BACK],
        .up = down[MC_VIEWER_MOVE_UP] - down[MC_VIEWER_MOVE_DOWN],
        .turn = down[MC_VIEWER_TURN_RIGHT] - down[MC_VIEWER_TURN_LEFT],
        .tilt = down[MC_VIEWER_TILT_UP] - down[MC_VIEWER_TILT_DOWN],
    };
    if (!viewer->session->shown) moves = (mc_view_moves){0};
    view->kind->set_moves(view, moves);
}

static void end_comparing(mc_viewer *viewer) {
    if (viewer->session->settings.compares) do_action(viewer, MC_ACTION_COMPARE, 0);
    viewer->compare_key = 0;
}

static void handle_key(mc_viewer *viewer, const mc_window_event *event) {
    mc_viewer_move move = mc_viewer_find_move(event->code);
    bool held = event->modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER);
    if (move != MC_VIEWER_MOVE_COUNT && event->action != GLFW_REPEAT) {
        bool fits =
            mc_viewer_move_needs_control(move) ? event->modifiers == GLFW_MOD_CONTROL : !held;
        viewer->keys_down[move] = event->action == GLFW_PRESS && fits;
        update_moves(viewer);
        if (viewer->keys_down[move]) {
            viewer->has_new_move = true;
            expect_reaction(viewer);
        }
    }
    viewer->is_key_done = event->action == GLFW_REPEAT;
    bool ends_comparing = event->action == GLFW_RELEASE && event->code == viewer->compare_key;
    if (ends_comparing && viewer->compare_key != 0) end_comparing(viewer);
    if (event->action == GLFW_RELEASE) return;
    viewer->tooltip_hidden = true;
    bool presses = event->code == GLFW_KEY_ENTER || event->code == GLFW_KEY_KP_ENTER ||
                   event->code == GLFW_KEY_SPACE;
    if (presses && event->modifiers == 0 && mc_ui_has_focus(viewer->ui)) {
        if (event->action == GLFW_PRESS) mc_ui_press_focus(viewer->ui);
        viewer->is_key_done = true;
        return;
    }
    uint32_t number = 0;
    mc_action_id action = mc_viewer_find_action(event, &number);
    // Holding a key repeats what moves in small steps, and nothing else.
    bool repeats = action == MC_ACTION_NEXT || action == MC_ACTION_PREVIOUS;
    if (event->action == GLFW_PRESS || repeats) do_action(viewer, action, number);
    if (action != MC_NO_ACTION) viewer->is_key_done = true;
    if (action == MC_ACTION_COMPARE) viewer->compare_key = event->code;
}

static void release_everything(mc_viewer *viewer) {
    memset(viewer->keys_down, 0, sizeof viewer->keys_down);
    viewer->button_is_down = false;
    update_moves(viewer);
    if (viewer->compare_key != 0) end_comparing(viewer);
    end_press(viewer);
    for (uint32_t i = 0; i < 3; i++) {
        mc_ui_set_button(viewer->ui, i, false);
    }
}

static void handle_button(mc_viewer *viewer, const mc_window_event *event) {
    bool down = event->action == GLFW_PRESS;
    if (event->code == GLFW_MOUSE_BUTTON_4 || event->code == GLFW_MOUSE_BUTTON_5) {
        bool back = event->code == GLFW_MOUSE_BUTTON_4;
        if (down) do_action(viewer, back ? MC_ACTION_BACK : MC_ACTION_FORWARD, 0);
        return;
    }
    viewer->button_is_down = down;
    viewer->adds = event->modifiers & GLFW_MOD_SHIFT;
    mc_ui_set_button(viewer->ui, (uint32_t)event->code, down);
    if (down) viewer->button_pressed = true;
    if (down) {
        press(viewer, event);
    } else {
        release(viewer, event);
    }
}

static void handle_resize(mc_viewer *viewer) {
    uint32_t width, height;
    mc_window_get_size(viewer->window, &width, &height);
    mc_swapchain_resize(viewer->swapchain, width, height);
    mc_viewer_update_scale(viewer);
}

static void handle_event(mc_viewer *viewer, const mc_window_event *event) {
    uint32_t count;
    const char *const *paths;
    bool is_typed = event->kind == MC_WINDOW_KEY || event->kind == MC_WINDOW_TEXT;
    if (is_typed && mc_viewer_type(viewer, event)) return;
    switch (event->kind) {
    case MC_WINDOW_KEY: handle_key(viewer, event); break;
    case MC_WINDOW_TEXT: {
        if (viewer->is_key_done) break;
        uint32_t number = 0;
        mc_action_id action = mc_viewer_find_action(event, &number);
        do_action(viewer, action, number);
        break;
    }
    case MC_WINDOW_BUTTON: handle_button(viewer, event); break;
    case MC_WINDOW_POINTER:
        move_pointer(viewer, event);
        mc_ui_set_pointer(viewer->ui, (float)event->x, (float)event->y);
        break;
    case MC_WINDOW_LEAVE: leave(viewer); break;
    case MC_WINDOW_BLUR:
        release_everything(viewer);
        leave(viewer);
        break;
    case MC_WINDOW_SCROLL: scroll(viewer, event); break;
    case MC_WINDOW_RESIZE: handle_resize(viewer); break;
    case MC_WINDOW_DROP:
        paths = mc_window_get_drop(viewer->window, &count);
        if (count == 1) mc_session_open_path(viewer->session, paths[0]);
        if (count > 1) mc_session_open(viewer->session, paths, count, false);
        break;
    case MC_WINDOW_REFRESH: break;
    }
}

// Whether an event waits for the next turn. `held`: it has done so already.
static bool must_wait(const mc_viewer *viewer, const mc_window_event *event, bool held) {
    // What ends typing waits for what was typed.
    if (mc_viewer_ends_typing(event) && mc_ui_has_typed(viewer->ui)) return true;
    if (held) return false;
    switch (event->kind) {
    // Whether a press is for a panel is known once the UI has seen the pointer there.
    case MC_WINDOW_BUTTON:
    case MC_WINDOW_SCROLL: return viewer->pointer_moved;
    // A drag begins where the button went down, however many moves have come since.
    case MC_WINDOW_POINTER: return viewer->button_pressed;
    // However short it was pressed, a key that moves the camera does so for a frame.
    case MC_WINDOW_KEY:
        return event->action == GLFW_RELEASE && viewer->has_new_move &&
               mc_viewer_find_move(event->code) != MC_VIEWER_MOVE_COUNT;
    default: return false;
    }
}

void mc_viewer_handle_events(mc_viewer *viewer) {
    mc_window_event event;
    bool held = viewer->has_held_event;
    viewer->has_held_event = viewer->has_new_move = false;
    while (held || mc_window_next_event(viewer->window, &event)) {
        if (held) event = viewer->held_event;
        if (must_wait(viewer, &event, held)) {
            viewer->held_event = event;
            viewer->has_held_event = true;
            mc_session_redraw(viewer->session);
            return;
        }
        held = false;
        mc_session_redraw(viewer->session);
        handle_event(viewer, &event);
    }
}

bool mc_viewer_is_over_picture(const mc_viewer *viewer) {
    return viewer->has_pointer && viewer->session->shown && !viewer->press.dragging &&
           !mc_ui_wants_pointer(viewer->ui);
}
