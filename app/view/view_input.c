#include "app/view/view_state.h"

#include <math.h>
#include <string.h>

#define CLICK_WAY 4.0 // a press that moves farther is a drag; at a scale of 1
#define DOUBLE_CLICK_NS 400000000u

static double get_scale(const mc_view *view) {
    return (double)mc_view_get_scale(view);
}

void mc_view_frame_structure(mc_view *view, mc_structure structure, bool at_once) {
    if (!view->city) return;
    bool is_city =
        structure.building == MC_NONE && (structure.district == MC_NONE || structure.district == 0);
    mc_camera_pose pose = view->camera.pose;
    if (is_city) {
        pose = mc_camera_get_preset(&view->camera, MC_CAMERA_CITY);
        structure = MC_STRUCTURE_NONE;
    } else if (pose.elevation_rad < 0.35) {
        pose.elevation_rad = 0.6; // from so low, what stands in front would hide it
    }
    pose = mc_camera_fit_structure(&view->camera, pose, view->city, structure);
    if (at_once) {
        mc_camera_set_pose(&view->camera, &pose);
    } else {
        mc_camera_move_to(&view->camera, &pose);
    }
    view->wish.is_home = is_city;
}

void mc_view_escape(mc_view *view) {
    if (mc_ui_close_list(view->ui)) return;
    if (view->message && view->comfort.message_is_notice) mc_view_set_message(view, NULL);
    if (view->task != MC_VIEW_IDLE) {
        mc_view_cancel(view);
    } else if (view->wish.help) {
        view->wish.help = false;
    } else if (view->wish.warnings_open) {
        view->wish.warnings_open = false;
    } else if (view->message) {
        mc_view_set_message(view, NULL);
    } else if (mc_view_close_search(view) || mc_view_hide_walk(view)) {
        return;
    } else if (view->trace && mc_view_get_selected(view) != MC_NONE) {
        mc_view_select_node(view, MC_NONE, false);
    } else if (view->wish.panels && mc_view_has_hint(view)) {
        view->hint_dismissed = true;
    }
}

static void click(mc_view *view, double x, double y) {
    double way = hypot(x - view->last_click_x, y - view->last_click_y);
    bool twice =
        view->now_ns - view->last_click_ns < DOUBLE_CLICK_NS && way < CLICK_WAY * get_scale(view);
    view->last_click_ns = twice ? 0 : view->now_ns;
    view->last_click_x = x;
    view->last_click_y = y;
    mc_hit hit = mc_city_pick(view->city, &view->params, view->from, view->to,
                              mc_camera_get_ray(&view->camera, x, y));
    uint32_t node = mc_city_get_node(view->city, hit.structure);
    if (!twice && mc_view_show_pointed_partner(view)) return;
    if (twice && node != MC_NONE) {
        mc_view_frame_structure(view, hit.structure, false);
        return;
    }
    mc_view_select_node(view, node, true);
}

static void press(mc_view *view, const mc_window_event *event) {
    if (view->press.down || mc_ui_wants_pointer(view->ui) || !view->city) return;
    view->press =
        (mc_view_press){.down = true, .button = event->code, .x = event->x, .y = event->y};
}

static void release(mc_view *view, const mc_window_event *event) {
    if (!view->press.down || view->press.button != event->code) return;
    view->press.down = false;
    if (view->press.dragging) {
        mc_camera_end_drag(&view->camera);
    } else if (event->code == GLFW_MOUSE_BUTTON_LEFT && view->city) {
        click(view, event->x, event->y);
    }
}

static void move_pointer(mc_view *view, const mc_window_event *event) {
    mc_view_press *p = &view->press;
    view->has_pointer = true;
    view->pointer_moved = true;
    view->tooltip_hidden = false;
    view->pointer_x = event->x;
    view->pointer_y = event->y;
    view->hover_is_stale = true;
    if (!p->down || !view->city) return;
    if (!p->dragging && hypot(event->x - p->x, event->y - p->y) >= CLICK_WAY * get_scale(view)) {
        mc_camera_drag drag =
            p->button == GLFW_MOUSE_BUTTON_LEFT ? MC_CAMERA_DRAG_MOVE : MC_CAMERA_DRAG_TURN;
        mc_camera_begin_drag(&view->camera, drag, p->x, p->y);
        p->dragging = true;
        view->wish.is_home = false;
    }
    if (p->dragging) mc_camera_drag_to(&view->camera, event->x, event->y);
}

static void end_press(mc_view *view) {
    if (view->press.dragging) mc_camera_end_drag(&view->camera);
    view->press = (mc_view_press){0};
}

static void leave(mc_view *view) {
    // A drag goes on outside of the window; the pointer reports from there, too.
    if (view->press.down) return;
    view->has_pointer = false;
    view->hover_is_stale = true;
    mc_ui_set_no_pointer(view->ui);
}

static void scroll(mc_view *view, const mc_window_event *event) {
    if (mc_ui_wants_pointer(view->ui)) {
        mc_ui_add_scroll(view->ui, (float)event->scroll_x, (float)event->scroll_y);
    } else if (view->city) {
        mc_view_zoom(view, event->scroll_y, event->x, event->y);
    }
}

static void update_moves(mc_view *view) {
    const bool *down = view->keys_down;
    mc_camera_keys keys = {
        .right = down[MC_VIEW_MOVE_RIGHT] - down[MC_VIEW_MOVE_LEFT],
        .ahead = down[MC_VIEW_MOVE_AHEAD] - down[MC_VIEW_MOVE_BACK],
        .up = down[MC_VIEW_MOVE_UP] - down[MC_VIEW_MOVE_DOWN],
        .turn = down[MC_VIEW_TURN_RIGHT] - down[MC_VIEW_TURN_LEFT],
        .tilt = down[MC_VIEW_TILT_UP] - down[MC_VIEW_TILT_DOWN],
    };
    if (!view->city) keys = (mc_camera_keys){0};
    if (mc_camera_has_keys(&keys)) view->wish.is_home = false;
    mc_camera_set_keys(&view->camera, keys);
}

static void handle_key(mc_view *view, const mc_window_event *event) {
    mc_view_move move = mc_view_find_move(event->code);
    bool held = event->modifiers & (GLFW_MOD_CONTROL | GLFW_MOD_ALT | GLFW_MOD_SUPER);
    if (move != MC_VIEW_MOVE_COUNT && event->action != GLFW_REPEAT) {
        bool fits = mc_view_move_needs_control(move) ? event->modifiers == GLFW_MOD_CONTROL : !held;
        view->keys_down[move] = event->action == GLFW_PRESS && fits;
        update_moves(view);
    }
    if (event->action == GLFW_RELEASE) return;
    view->tooltip_hidden = true;
    uint32_t number = 0;
    mc_action_id action = mc_view_find_action(event, &number);
    // Holding a key repeats what moves in small steps, and nothing else.
    bool repeats = action == MC_ACTION_NEXT || action == MC_ACTION_PREVIOUS;
    if (event->action == GLFW_PRESS || repeats) mc_view_do(view, action, number);
}

static void release_everything(mc_view *view) {
    memset(view->keys_down, 0, sizeof view->keys_down);
    view->comfort.button_is_down = false;
    update_moves(view);
    end_press(view);
    for (uint32_t i = 0; i < 3; i++) {
        mc_ui_set_button(view->ui, i, false);
    }
}

static void handle_button(mc_view *view, const mc_window_event *event) {
    bool down = event->action == GLFW_PRESS;
    if (event->code == GLFW_MOUSE_BUTTON_4 || event->code == GLFW_MOUSE_BUTTON_5) {
        bool back = event->code == GLFW_MOUSE_BUTTON_4;
        if (down) mc_view_do(view, back ? MC_ACTION_BACK : MC_ACTION_FORWARD, 0);
        return;
    }
    view->comfort.button_is_down = down;
    mc_ui_set_button(view->ui, (uint32_t)event->code, down);
    if (down) view->button_pressed = true;
    if (down) {
        press(view, event);
    } else {
        release(view, event);
    }
}

void mc_view_update_scale(mc_view *view) {
    uint32_t width, height;
    mc_error error = {0};
    const uint8_t *texture = mc_ui_get_texture(view->ui, &width, &height);
    mc_result result = mc_ui_set_scale(view->ui, mc_view_get_scale(view), &error);
    uint32_t new_width, new_height;
    const uint8_t *new_texture = mc_ui_get_texture(view->ui, &new_width, &new_height);
    if (result == MC_OK && new_texture != texture) {
        result =
            mc_renderer_set_ui_texture(view->renderer, new_texture, new_width, new_height, &error);
    }
    if (result != MC_OK) mc_view_fail(view, &error);
}

static void handle_resize(mc_view *view) {
    uint32_t width, height;
    mc_window_get_size(view->window, &width, &height);
    mc_swapchain_resize(view->swapchain, width, height);
    mc_view_update_scale(view);
}

static void handle_event(mc_view *view, const mc_window_event *event) {
    uint32_t count;
    const char *const *paths;
    bool is_typed = event->kind == MC_WINDOW_KEY || event->kind == MC_WINDOW_TEXT;
    if (is_typed && mc_view_type(view, event)) return;
    switch (event->kind) {
    case MC_WINDOW_KEY: handle_key(view, event); break;
    case MC_WINDOW_TEXT: {
        uint32_t number = 0;
        mc_action_id action = mc_view_find_action(event, &number);
        mc_view_do(view, action, number);
        break;
    }
    case MC_WINDOW_BUTTON: handle_button(view, event); break;
    case MC_WINDOW_POINTER:
        move_pointer(view, event);
        mc_ui_set_pointer(view->ui, (float)event->x, (float)event->y);
        break;
    case MC_WINDOW_LEAVE: leave(view); break;
    case MC_WINDOW_BLUR:
        release_everything(view);
        leave(view);
        break;
    case MC_WINDOW_SCROLL: scroll(view, event); break;
    case MC_WINDOW_RESIZE: handle_resize(view); break;
    case MC_WINDOW_DROP:
        paths = mc_window_get_drop(view->window, &count);
        if (count == 1) mc_view_open_path(view, paths[0]);
        if (count > 1) mc_view_open(view, paths, count, false);
        break;
    case MC_WINDOW_REFRESH: break;
    }
}

void mc_view_handle_events(mc_view *view) {
    mc_window_event event;
    bool held = view->has_held_event;
    view->has_held_event = false;
    while (held || mc_window_next_event(view->window, &event)) {
        if (held) event = view->held_event;
        // Whether a press is for a panel is known once the UI has seen the pointer there.
        bool needs_frame = event.kind == MC_WINDOW_BUTTON || event.kind == MC_WINDOW_SCROLL;
        // What ends typing waits for what was typed.
        bool ends_typing = mc_view_ends_typing(&event);
        // A drag begins where the button went down, however many moves have come since.
        bool drags = event.kind == MC_WINDOW_POINTER && view->button_pressed;
        if ((needs_frame && view->pointer_moved && !held) || (drags && !held) ||
            (ends_typing && mc_ui_has_typed(view->ui))) {
            view->held_event = event;
            view->has_held_event = true;
            mc_view_redraw(view);
            return;
        }
        held = false;
        mc_view_redraw(view);
        handle_event(view, &event);
    }
}

void mc_view_update_params(mc_view *view) {
    const mc_wish *s = &view->wish;
    mc_theme theme = mc_theme_get(s->look.dark, (mc_palette)s->look.palette);
    mc_update_params params = mc_update_params_default(view->city);
    if (!s->look.color_by_growth) params.flags &= ~MC_UPDATE_COLOR_BY_GROWTH;
    if (!s->look.opacity_by_growth) params.flags &= ~MC_UPDATE_OPACITY_BY_GROWTH;
    params.opaque_count = s->look.opaque_count;
    params.opacity = s->look.opacity;
    params.blend = (float)mc_playback_get_blend(&view->playback);
    params.glide = mc_view_get_glide(view);
    mc_theme_apply(&theme, &params);
    mc_view_apply_styles(view, &theme, &params);
    mc_update_params_select(&params, view->city, view->selected);
    params.jump = 0;
    if (view->jump_elapsed_s >= 0) {
        double t = view->jump_elapsed_s / 0.3;
        params.jump = (float)(sin(t * 3.14159265) * 0.025 * view->camera.pose.distance);
    }
    // Any bit that differs may change what is under the pointer; there is no padding.
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison)
    if (memcmp(&params, &view->params, sizeof params) != 0) view->hover_is_stale = true;
    view->params = params;
}

bool mc_view_is_over_city(const mc_view *view) {
    return view->has_pointer && view->city && !view->press.dragging &&
           !mc_ui_wants_pointer(view->ui);
}

void mc_view_update_hover(mc_view *view) {
    if (!mc_view_is_over_city(view)) {
        view->hovered = MC_STRUCTURE_NONE;
        return;
    }
    if (!view->hover_is_stale) return;
    view->hover_is_stale = false;
    mc_ray ray = mc_camera_get_ray(&view->camera, view->pointer_x, view->pointer_y);
    view->hovered = mc_city_pick(view->city, &view->params, view->from, view->to, ray).structure;
}
